"use strict";
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));

  // Sorting: the first number in a cell, or its text; undefined and empty cells are always last.
  const valueOf = (row, column, numeric) => {
    const text = row.cells[column] ? row.cells[column].textContent.trim() : "";
    if (!numeric) return text;
    const found = text.replaceAll(",", "").match(/[-+]?\d*\.?\d+(e[-+]?\d+)?/gi);
    const ranked = /^\d+ [-+.\d]+$/.test(text);  // a cluster or rank before the score
    return found ? Number(found[ranked ? 1 : 0]) : NaN;
  };
  const sortBy = (table, heading, column) => {
    const numeric = heading.classList.contains("right");
    const before = heading.getAttribute("aria-sort");
    // The first click shows the best first: the largest number, or the lowest where low is good. The next one turns it.
    const descending = before === "ascending" || (before !== "descending" && numeric && !heading.dataset.low);
    const sign = descending ? -1 : 1;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).map((row, at) => ({ row, at, value: valueOf(row, column, numeric) }));
    const empty = (value) => value === "" || Number.isNaN(value);
    // Equal rows stay in their order, and empty ones are last in both directions.
    rows.sort((a, b) => {
      if (empty(a.value) || empty(b.value)) return empty(a.value) - empty(b.value) || a.at - b.at;
      const order = numeric ? a.value - b.value : a.value.localeCompare(b.value, "en", { numeric: true });
      return sign * order || a.at - b.at;
    });
    all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    rows.forEach((item) => item.row.classList.remove("same"));  // rows of one name are no longer together
    body.append(...rows.map((item) => item.row));
  };
  all("table.sortable").forEach((table) => {
    const headings = table.tHead.rows[0].cells;
    Array.from(headings).forEach((heading, column) => {
      if (heading.tagName !== "TH") return;
      if (/\branks?\b(?!.*\u2191$)|\u2193$/.test(heading.textContent.trim())) heading.dataset.low = "1";
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sortBy(table, heading, column));
    });
  });

  // Downloads: the rows of a table that are seen, in their order.
  const seen = (table) => {
    const titles = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent.trim());
    const keys = titles.map((title, at) => {
      const before = titles.slice(0, at).filter((other) => other === title).length;
      return before ? `${title} ${before + 1}` : title;
    });
    const rows = Array.from(table.tBodies[0].rows).filter((row) => !row.hidden);
    return [keys, rows.map((row) => Array.from(row.cells, (cell) => cell.textContent.trim()))];
  };
  // A text that a spreadsheet would take for a formula gets an apostrophe; numbers keep their sign.
  const field = (text) => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? "'" + text : text;
    return /[",\r\n]/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
  };
  const layouts = {
    CSV: ([keys, rows]) => ["text/csv", [keys, ...rows].map((row) => row.map(field).join(",") + "\r\n").join("")],
    JSON: ([keys, rows]) => {
      const records = rows.map((row) => Object.fromEntries(row.map((text, at) => [keys[at], text])));
      return ["application/json", JSON.stringify(records, null, 1) + "\n"];
    },
  };
  all("table.sortable").forEach((table) => {
    const bar = document.createElement("p");
    const name = table.caption.textContent.trim();
    bar.className = "download";
    bar.append("Download");
    Object.entries(layouts).forEach(([layout, write]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = layout;
      button.setAttribute("aria-label", `Download as ${layout}: ${name}`);
      button.addEventListener("click", () => {
        const [type, text] = write(seen(table));
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
        link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "table"}.${layout.toLowerCase()}`;
        link.click();
        // Not at once: the download reads the address after the click.
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      });
      bar.append(button);
    });
    table.parentElement.after(bar);
  });

  // Filters: every word must occur in the row.
  all(".filter").forEach((filter) => {
    const input = filter.querySelector("input");
    const rows = Array.from(filter.nextElementSibling.querySelector("table").tBodies[0].rows);
    // Read once, since reading a large table at every key is slow.
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const count = filter.querySelector(".count");
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, at) => {
        row.hidden = !words.every((word) => texts[at].includes(word));
        shown += !row.hidden;
      });
      count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
    });
  });

  // Panels: tabs, or a list to choose from where there are many.
  const most = 12;
  const openers = new Map();
  const asTabs = (group, panels, show) => {
    const list = document.createElement("div");
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", group.dataset.label + "s");
    const tabs = panels.map((panel, at) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.id = `tab-${panel.id}`;
      tab.textContent = panel.querySelector("h3").textContent;
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-controls", panel.id);
      tab.addEventListener("click", () => show(at));
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", tab.id);
      panel.tabIndex = 0;
      return tab;
    });
    list.addEventListener("keydown", (event) => {
      const at = tabs.indexOf(document.activeElement);
      const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      // The last tab is followed by the first one.
      const next = (step + tabs.length) % tabs.length;
      show(next);
      tabs[next].focus();
    });
    list.append(...tabs);
    group.prepend(list);
    return (at) =>
      // The Tab key reaches the open tab alone, and arrows lead from it to the others.
      tabs.forEach((tab, other) => {
        tab.setAttribute("aria-selected", String(other === at));
        tab.tabIndex = other === at ? 0 : -1;
      });
  };
  const asChoice = (group, panels, show) => {
    const label = document.createElement("label");
    const select = document.createElement("select");
    label.className = "choice";
    label.append(group.dataset.label + " ", select);
    panels.forEach((panel, at) => select.add(new Option(panel.querySelector("h3").textContent, String(at))));
    select.addEventListener("change", () => show(Number(select.value)));
    group.prepend(label);
    return (at) => {
      select.value = String(at);
    };
  };
  all(".panels").forEach((group) => {
    const panels = all(".panel", group);
    if (panels.length < 2) return;
    let mark = () => {};  // set below: tabs and lists call show, which marks them
    const show = (at) => {
      panels.forEach((panel, other) => panel.classList.toggle("current", other === at));
      mark(at);
    };
    mark = (panels.length <= most ? asTabs : asChoice)(group, panels, show);
    panels.forEach((panel, at) => openers.set(panel.id, () => show(at)));
    show(0);
  });
  const openTarget = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    if (!openers.has(id)) return;
    openers.get(id)();
    document.getElementById(id).scrollIntoView();
  };
  window.addEventListener("hashchange", openTarget);
  openTarget();

  // Matrices: the details of a pair, by pointer or by arrow keys.
  all(".matrix").forEach((matrix) => {
    const svg = matrix.querySelector("svg");
    const cells = matrix.querySelector(".cells");
    const cursor = svg.querySelector(".cursor");
    const details = matrix.querySelector(".details");
    let data = null;
    let found = null;
    let place = [0, 0];
    // Parsed when the matrix is first used, since it may have thousands of pairs. The key of a pair is the same for
    // both orders: lower * 1e5 + higher position.
    const read = () => {
      if (data) return;
      data = JSON.parse(matrix.querySelector("script").textContent);
      found = new Map(data.pairs.map((pair) => [Math.min(pair[0], pair[1]) * 1e5 + Math.max(pair[0], pair[1]), pair]));
    };
    const show = (row, column) => {
      place = [row, column];
      cursor.setAttribute("x", String(data.left + column * data.cell));
      cursor.setAttribute("y", String(data.top + row * data.cell));
      const names = [data.names[row], data.names[column]];
      const pair = found.get(Math.min(row, column) * 1e5 + Math.max(row, column));
      if (row === column) details.textContent = names[0];
      else if (!pair) details.textContent = `${names[0]}, ${names[1]}: not compared`;
      else {
        const [a, b, difference, p, adjusted, significant, reason] = pair;
        const verdict = significant ? "significant" : "not significant";
        const numbers = p === "n/a" ? "not tested" : `p ${p}` + (adjusted === p ? "" : `, adjusted p ${adjusted}`) + `, ${verdict}`;
        details.textContent = `${data.names[a]} against ${data.names[b]}: difference ${difference}, ${numbers}` + (reason ? ` (${reason})` : "");
      }
    };
    svg.addEventListener("pointermove", (event) => {
      read();
      // From places on the screen to units of the drawing, which is scaled with the page.
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const [row, column] = [(point.y - data.top) / data.cell, (point.x - data.left) / data.cell].map(Math.floor);
      const last = data.names.length - 1;
      if (row >= 0 && column >= 0 && row <= last && column <= last) show(row, column);
    });
    cells.addEventListener("focus", () => {
      if (!cells.matches(":focus-visible")) return;
      read();
      show(...place);
    });
    cells.addEventListener("keydown", (event) => {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      if (!step) return;
      read();
      event.preventDefault();
      const last = data.names.length - 1;
      show(...place.map((at, axis) => Math.max(0, Math.min(last, at + step[axis]))));
    });
  });
})();
