// What the theme leaves to screen readers and keyboards: names of the two side columns, focus on text that scrolls.
addEventListener("DOMContentLoaded", () => {
  const names = { ".sidebar-drawer": "Pages", ".toc-drawer": "Contents of this page" };
  for (const [drawer, name] of Object.entries(names)) document.querySelector(drawer)?.setAttribute("aria-label", name);
  for (const text of document.querySelectorAll("pre")) if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;
});
