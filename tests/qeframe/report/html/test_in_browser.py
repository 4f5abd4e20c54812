"""Pages in a browser: sorting, filters, tabs and hover; no error, no request, nothing that the checker objects to."""

import functools
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe import Submission, Task, choose_profile, read_tasks
from qeframe.core.errors import one_line
from qeframe.kinds.scores.batch import Scores
from qeframe.report import write_report
from tests.browser import PROGRAM, browser

pytestmark = [pytest.mark.slow, pytest.mark.needs_program(PROGRAM)]

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    '"><svg onload=alert(3)>',
    "{{7*7}} {% raw %}",
    "javascript:alert(4)",
    "x" * 300,
    "\u202eevil\u202c",
    "plain",
]
SCREENSHOTS = os.environ.get("QEFRAME_SCREENSHOTS")
"""A folder; if it is set, a picture of every page is written into it, at every width and as it is printed."""


@pytest.fixture(scope="module")
def page():
    with browser() as opened:
        yield opened


def made_task(name, names, seed):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=60)
    batches = {
        Submission(each): Scores.from_plain(gold, 0.3 * i * gold + rng.normal(size=60)) for i, each in enumerate(names)
    }
    units = {i: f"<b>{i}</b>" for i in range(60)}
    groups = {"<i>document</i>": [f"<u>{i // 9}" for i in range(60)]}
    return Task(name=name, batches=batches, names=units, groups=groups)


def written(tmp_path_factory, name, profile, tasks, settings=(), **more):
    rules = choose_profile(profile, settings, qeframe.load())
    folder = tmp_path_factory.mktemp("pages") / name
    evaluation = qeframe.evaluate(rules, tasks, **more)
    write_report(evaluation, tasks, folder, profile=rules, command=f"qeframe run {HOSTILE[0]}")
    return folder / "report.html"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Return a page of two tasks in which every name is markup."""
    tasks = [made_task(name, HOSTILE, seed) for seed, name in enumerate([HOSTILE[1], "en-de\"'>" + HOSTILE[0]])]
    fast = ["interval=bootstrap(draws=50)", "test=randomization(draws=99)"]
    return written(tmp_path_factory, "hostile", "qe_sentence", tasks, fast, explain=True)


@pytest.fixture(scope="module")
def wmt14(tmp_path_factory, shared_data):
    """Return the page of task 1.2 of WMT14: a single task."""
    path = shared_data("wmt14-qe-task1.2/task-1.2.csv")
    tasks = read_tasks(choose_profile("wmt14_qe_task1_2", (), qeframe.load()), path)
    return written(tmp_path_factory, "wmt14", "wmt14_qe_task1_2", tasks, ["interval=bootstrap(draws=100)"])


@pytest.fixture(scope="module")
def wmt23(tmp_path_factory, shared_data):
    """Return the page of WMT23 with two language pairs: a task set."""
    path = shared_data("wmt23-metrics-pairs")
    tasks = read_tasks(choose_profile("wmt23_metrics", (), qeframe.load()), path)
    return written(tmp_path_factory, "wmt23", "wmt23_metrics", tasks)


@pytest.fixture(scope="module")
def pages(hostile, wmt14, wmt23, four):
    return {"hostile": hostile, "wmt14": wmt14, "wmt23": wmt23, "four": four}


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("name", ["wmt14", "wmt23", "four", "hostile"])
def test_a_page_opens_without_an_error_a_request_or_a_barrier(page, pages, name, width):
    seconds = page.open(pages[name], width=width)
    assert page.requests() == []
    assert page.complaints() == []
    assert page.run("document.documentElement.scrollWidth") <= width
    assert seconds < 10  # a loaded machine; 0.1 to 0.3 alone
    for panel in page.run("Array.from(document.querySelectorAll('.panel'), p => p.id)")[:2] or [""]:
        page.run(f"location.hash = '{panel}'; document.querySelectorAll('details').forEach(d => d.open = true); null")
        assert page.violations() == []
    if SCREENSHOTS:
        page.open(pages[name], width=width)
        page.screenshot(Path(SCREENSHOTS) / f"{name}-{width}.png")
        page.pdf(Path(SCREENSHOTS) / f"{name}.pdf")


def test_a_dark_screen_has_a_dark_page_and_paper_is_white(page, wmt23):
    ground = "getComputedStyle(document.body).backgroundColor"
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    page.open(wmt23)
    assert page.run(ground) == "rgb(21, 24, 27)"
    page.run("document.querySelectorAll('details').forEach(d => d.open = true); null")
    assert page.violations() == []  # its contrasts too
    page.call("Emulation.setEmulatedMedia", media="print")
    assert page.run(ground) == "rgb(255, 255, 255)"
    page.call("Emulation.setEmulatedMedia", media="", features=[])


def test_names_are_texts(page, hostile):
    page.open(hostile)
    assert set(map(one_line, HOSTILE)) == set(page.texts("#leaderboard tbody th"))
    assert page.run("document.images.length") == 0
    assert page.run("document.querySelectorAll('script').length") == 2 + page.run(
        "document.querySelectorAll('script[type]').length"
    )
    assert page.run("document.querySelectorAll('[onerror], [onload], main b b, tbody u').length") == 0


def test_sorting_by_keyboard(page, wmt14):
    page.open(wmt14)
    names = functools.partial(page.texts, "#leaderboard tbody th")
    by_rank = names()
    first = "#leaderboard th:nth-child(8)"  # rmse, of which low is good
    page.focus(f"{first} button")
    page.press("Enter")
    assert page.run(f"document.querySelector('{first}').ariaSort") == "ascending"
    values = [float(text) for text in page.texts("#leaderboard tbody td:nth-child(8)")]
    assert values == sorted(values)
    page.press("Enter")
    assert page.run(f"document.querySelector('{first}').ariaSort") == "descending"
    assert names() != by_rank
    page.focus("#leaderboard th:first-child button")
    page.press("Enter")
    assert names() == by_rank
    assert page.run("document.querySelectorAll('#leaderboard th[aria-sort]').length") == 1


def test_undefined_values_are_last_in_both_directions(page, tmp_path_factory):
    task = made_task("en-de", ["a", "b", "c"], 1)
    flat = Scores.from_plain(next(iter(task.batches.values())).gold, np.ones(60))
    batches = {Submission("flat"): flat, **task.batches}
    tasks = [Task(name="en-de", batches=batches)]
    page.open(written(tmp_path_factory, "flat", "qe_sentence", tasks, ["interval=", "test="]))
    page.focus("#leaderboard th:nth-child(3) button")
    for _ in range(2):
        page.press("Enter")
        assert page.texts("#leaderboard tbody th")[-1] == "flat"


def four_pairs():
    """Return the tasks of four language pairs and twenty teams, one of which took part in one pair."""
    names = ["Organizers-baseline", *(f"Institute-of-Team-{nth}" for nth in range(1, 20))]
    return [made_task(pair, names[: 20 - nth], nth) for nth, pair in enumerate(["en-de", "en-mr", "zh-en", "he-en"])]


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    return written(tmp_path_factory, "four", "qe_sentence", four_pairs(), ["test=jackknife", "correction=holm"])


def right_edges(page, row):
    """Return the right edges of the cells of a row of the leaderboard, by the titles of their columns."""
    return page.run(
        "(() => { const table = document.querySelector('#leaderboard table');"
        " const titles = Array.from(table.tHead.rows[0].cells, cell => cell.textContent.trim());"
        f" return Object.fromEntries(Array.from(table.tBodies[0].rows[{row}].cells,"
        " (cell, at) => [titles[at], cell.getBoundingClientRect().right])); })()"
    )


def test_name_rank_and_score_are_seen_on_a_phone_and_everything_on_a_desk(page, four):
    page.open(four, width=390)
    edges = right_edges(page, 1)
    assert max(edges[title] for title in ("rank", "submission", "Pearson's r ↑", "rank set")) <= 390
    page.open(four, width=1440)
    edges = right_edges(page, 1)
    assert list(edges)[:5] == ["rank", "", "submission", "Pearson's r ↑", "rank set"]
    assert max(edges.values()) <= 1440 - 16


def test_a_matrix_is_printed_with_its_legend(page, four):
    page.open(four)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        styles = "Array.from(document.querySelectorAll('.block'), block => getComputedStyle(block).breakInside)"
        assert set(page.run(styles)) == {"avoid"}
        assert page.run("document.querySelectorAll('.block .legend + .matrix').length") == 5
        assert max(page.run("Array.from(document.querySelectorAll('.block'), b => b.clientHeight)")) < 700
    finally:
        page.call("Emulation.setEmulatedMedia", media="")


def test_what_is_seen_can_be_downloaded(page, hostile):
    page.open(hostile)
    page.focus("#leaderboard input")
    page.press(*"plain")
    page.run(
        "window.kept = []; URL.createObjectURL = blob => { window.kept.push(blob.text()); return '#'; };"
        "HTMLAnchorElement.prototype.click = function() { window.kept.push(this.download); }; null"
    )
    page.run("document.querySelectorAll('#leaderboard .download button').forEach(button => button.click()); null")
    csv, name, records, other = page.run("Promise.all(window.kept)")
    assert (name, other) == ("leaderboard.csv", "leaderboard.json")
    heading, row = csv.splitlines()
    (record,) = json.loads(records)
    assert heading.split(",")[:2] == ["rank", ""]
    assert record["submission"] == "plain"
    assert row.split(",")[2] == "plain"
    assert record["Pearson's r ↑"] in row.split(",")
    assert page.requests() == []


def test_no_downloaded_text_is_a_formula(page, tmp_path_factory):
    page.open(written(tmp_path_factory, "formula", "qe_sentence", [made_task("t", ["=1+1", 'a "b", c'], 3)]))
    page.run(
        "window.kept = []; URL.createObjectURL = blob => { window.kept.push(blob.text()); return '#'; };"
        "HTMLAnchorElement.prototype.click = () => {}; null"
    )
    page.run("document.querySelector('#leaderboard .download button').click()")
    (csv,) = page.run("Promise.all(window.kept)")
    assert ",'=1+1," in csv
    assert ',"a ""b"", c",' in csv


def test_filters(page, wmt14):
    page.open(wmt14)
    page.focus("#leaderboard input")
    page.press(*"sheff lite")
    assert sum(page.shown("#leaderboard tbody tr")) == 2
    assert page.texts("#leaderboard .count") == ["2 of 11 rows"]


def test_tabs_by_keyboard_and_by_links(page, wmt23):
    page.open(wmt23)
    panels = functools.partial(page.shown, "#results .panel")
    tabs = "#results [role=tab]"
    assert len(page.texts(tabs)) == 8
    assert panels() == [True] + [False] * 7
    page.focus(f"{tabs}[aria-selected=true]")
    page.press("ArrowRight")
    assert panels() == [False, True] + [False] * 6
    page.press("End")
    assert panels() == [False] * 7 + [True]
    page.press("ArrowRight")
    assert panels() == [True] + [False] * 7
    assert page.run(f"document.querySelectorAll('{tabs}[tabindex=\"0\"]').length") == 1
    page.run("document.querySelector('#results a[href=\"#panel-3\"]').click()")
    page.run("new Promise(done => setTimeout(done, 50))")
    assert panels() == [False] * 3 + [True] + [False] * 4
    assert page.texts(f"{tabs}[aria-selected=true]") == page.texts("#panel-3 > h3")


def test_hover_and_arrow_keys_show_a_pair(page, wmt14):
    page.open(wmt14)
    page.run("document.querySelector('.matrix').scrollIntoView({block: 'center'})")
    place = page.run(
        "(() => { const m = document.querySelector('.matrix svg').getScreenCTM();"
        " const d = JSON.parse(document.querySelector('.matrix script').textContent);"
        " return [m.a * (d.left + 4.5 * d.cell) + m.e, m.d * (d.top + .5 * d.cell) + m.f]; })()"
    )
    page.point(*place)
    details = page.texts(".matrix .details")[0]
    assert re.match(r"DCU-rtm-svr against USHEFF: .*difference 0\.118\b.*\bp 0\.0", details), details
    assert details.endswith(", significant")
    page.focus(".matrix .cells")
    page.press("ArrowRight")
    assert page.texts(".matrix .details")[0].startswith("DCU-rtm-svr against SHEFF-lite-sparse")
    for _ in range(20):
        page.press("ArrowUp", "ArrowLeft")
    assert page.texts(".matrix .details") == ["DCU-rtm-svr"]


def test_without_a_script_everything_is_shown(page, wmt23):
    page.open(wmt23, script=False)
    page.call("Emulation.setScriptExecutionDisabled", value=False)
    assert all(page.shown(".panel"))
    assert page.shown("#leaderboard .filter") == [False]
    assert page.texts("[role=tablist]") == []


def test_print_shows_all_panels_and_no_controls(page, wmt23):
    page.open(wmt23)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert all(page.shown(".panel"))
        assert not any(page.shown("[role=tablist], .filter, nav.page"))
    finally:
        page.call("Emulation.setEmulatedMedia", media="")


def test_every_column_is_on_a_page_of_paper(page, tmp_path_factory):
    names = [f"a submission with a long name {nth}" for nth in range(12)]
    tasks = [made_task(f"en-{nth}{nth}", names, nth) for nth in range(8)]
    on_paper = 1031  # A4 across, less its margins, in pixels
    page.open(written(tmp_path_factory, "wide", "qe_sentence", tasks, ["test="]), width=on_paper)
    page.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert page.run("document.querySelector('#leaderboard table').tHead.rows[0].cells.length") > 12
        assert page.run("Math.max(...Array.from(document.querySelectorAll('table'), t => t.scrollWidth))") <= on_paper
    finally:
        page.call("Emulation.setEmulatedMedia", media="")


def test_many_tasks_have_a_list_to_choose_from(page, tmp_path_factory):
    tasks = [made_task(f"t{i:02d}", ["a", "b"], i) for i in range(15)]
    page.open(written(tmp_path_factory, "many", "qe_sentence", tasks, ["interval=", "test="]))
    assert page.texts("[role=tab]") == []
    page.run("const s = document.querySelector('select'); s.value = '9'; s.dispatchEvent(new Event('change')); null")
    assert page.shown("#panel-9") == [True]
    assert sum(page.shown(".panel")) == 1
    assert page.violations() == []
    assert page.complaints() == []
