"""The two drawings of the page on the architecture; ``python docs/_extensions/drawings.py`` draws them again.

The packages and their imports are read from the sources. A drawing has a light background of its own, so that it can be
read on a light and on a dark page.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

__all__ = ["drawings", "imports_of_packages"]

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"

PACKAGES: Mapping[str, str] = {
    "cli": "the commands",
    "report": "tables, figures, pages",
    "gaming": "attacks on metrics, the gaming index",
    "testing": "laws and strategies for authors of plugins",
    "studies": "questions over many evaluations",
    "evaluation": "a profile and tasks become an Evaluation",
    "profiles": "the rules of a shared task, as data",
    "components": "what plugins bring, and the registry",
    "kinds": "all that the framework needs of a kind of batch",
    "resampling": "weights, draws, statistics, exchanges",
    "tasks": "from files to aligned tasks",
    "batches": "kinds of aligned data",
    "errors": "the tree of errors",
}
"""From the top floor to the ground: a package imports floors below its own only."""

STEPS: tuple[tuple[str, str, str], ...] = (
    ("Files", "gold, submissions, texts", ""),
    ("Reading", "each side with the ids and the lines of its own file", "qeframe.tasks.reading"),
    ("Task", "gold and submissions, aligned by id; the groups of the units", "qeframe.tasks.task"),
    ("Batch", "the gold and one submission on the same n units", "qeframe.batches.base"),
    ("Statistic", "a metric bound to a batch: from weights (…, n) to scores (…)", "qeframe.resampling.statistic"),
    ("StatisticStack", "all statistics of one task, which share every draw", "qeframe.resampling.stack"),
    ("Comparable", "all submissions under one metric, in one task or over tasks", "qeframe.components.comparable"),
    ("Pairwise", "a p-value for each pair of submissions", "qeframe.components.comparable"),
    ("Comparison", "one pair, its adjusted p-value, significant or not", "qeframe.evaluation.result"),
    ("Ranking", "ranks, clusters and winners", "qeframe.components.ranking"),
    ("Evaluation", "the result, with the signature of all that made it", "qeframe.evaluation.result"),
    ("Report", "tables, figures, JSON", "qeframe.report.pages.files"),
)
"""The values on the way from a file to the report: name, what it holds, the module that defines it."""

ACTIONS: tuple[tuple[str, str], ...] = (
    ("a Reader reads", "qeframe_wmt, other plugins"),
    ("align joins the sides by id", "qeframe.tasks.align"),
    ("one batch for each submission", "qeframe.tasks.task"),
    ("Metric.bind", "qeframe_scoring, other plugins"),
    ("all metrics on all submissions: a ScoredTask", "qeframe.evaluation.scored_task"),
    ("weights: ones, bootstrap counts, exchange masks", "qeframe.resampling.draws"),
    ("SignificanceTest.run", "qeframe_significance, other plugins"),
    ("Correction.adjust", "qeframe.evaluation.comparison"),
    ("RankingRule.rank", "qeframe_rankings, other plugins"),
    ("evaluate gathers and signs", "qeframe.evaluation.run"),
    ("leaderboard, figures", "qeframe.report"),
)
"""What turns each value into the next, and where that is."""

STYLE = """<style>
text { font-family: "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; font-size: 14px; fill: #1f2937; }
.name { font-weight: bold; }
.small { font-size: 12px; fill: #4b5563; }
.code { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12px; fill: #4b5563; }
.action { font-size: 13px; font-weight: bold; fill: #1d4ed8; }
.box { fill: #ffffff; stroke: #9ca3af; }
.door { fill: #dbeafe; stroke: #1d4ed8; }
.dot { fill: #1d4ed8; }
.line { stroke: #1d4ed8; stroke-width: 1.6; fill: none; marker-end: url(#head); }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#1d4ed8"/></marker></defs>"""


def imports_of_packages(root: Path = ROOT / "qeframe") -> dict[str, set[str]]:
    """Return which packages (or modules) of the root each one imports, imports for types counted."""
    found: dict[str, set[str]] = {package: set() for package in PACKAGES}
    for file in root.rglob("*.py"):
        inside = file.relative_to(root).with_suffix("").parts[0]
        if inside in {"__init__", "__main__", "plugin"}:
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for module in _modules(node):
                parts = module.split(".")
                if parts[0] == root.name and len(parts) > 1 and parts[1] != inside:
                    found.setdefault(inside, set()).add(parts[1])
    return found


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def drawings() -> dict[str, str]:
    """Return the drawings by the name of their file."""
    return {"packages.svg": _packages_drawing(), "datum.svg": _datum_drawing()}


def _drawing(title: str, width: int, height: int, parts: Iterator[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    ground = f'<rect width="{width}" height="{height}" rx="8" fill="#f3f4f6"/>'
    return "\n".join([f'{head} role="img">', f"<title>{escape(title)}</title>", STYLE, ground, *parts, "</svg>", ""])


def _text(x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def _box(x: int, y: int, width: int, height: int, kind: str = "box") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>'


def _packages_drawing() -> str:
    return _drawing("The packages of qeframe and their imports", 960, TOP + FLOOR * len(PACKAGES) + 44, _floors())


TOP, FLOOR, COLUMN = 104, 52, 32


def _floors() -> Iterator[str]:
    """Yield a floor for each package, a dot for each import, and the facade beside the packages that it shows."""
    imports, order = imports_of_packages(), list(PACKAGES)
    tops = {package: TOP + FLOOR * nth for nth, package in enumerate(order)}
    columns = {package: 386 + COLUMN * nth for nth, package in enumerate(order[1:])}
    yield f'<path d="M24 {TOP} L24 {tops["errors"] + 42}" class="line"/>'
    yield _text(40, TOP - 16, "a package imports packages below it", "small")
    for name, x in columns.items():
        turned = f'transform="translate({x + 4} {TOP - 10}) rotate(-50)" class="small">{name}'
        yield f"<text {turned}</text>"
    for package, what in PACKAGES.items():
        y = tops[package]
        yield f'<path d="M340 {y + 21} L{columns["errors"] + 10} {y + 21}" stroke="#d1d5db"/>'
        yield _box(40, y, 300, 42)
        yield _text(54, y + 18, package, "name")
        yield _text(54, y + 34, what, "small")
        yield from (f'<circle cx="{x}" cy="{y + 21}" r="6" class="dot"/>' for x in _at(columns, imports[package]))
    yield from _plugins(tops)


def _at(columns: Mapping[str, int], names: set[str]) -> list[int]:
    return [x for name, x in columns.items() if name in names]


def _plugins(tops: Mapping[str, int]) -> Iterator[str]:
    """Yield the plugins, and the facade that they import, beside the packages of which it is one."""
    door, ground = tops["components"], tops["errors"] + 42
    yield _box(760, door, 180, ground - door, "door")
    words = ("qeframe.plugin", "a facade of these", "five packages:", "all that a plugin", "imports")
    yield from (
        _text(850, door + 90 + 20 * n, line, "small" if n else "name", "middle") for n, line in enumerate(words)
    )
    yield _box(760, tops["studies"], 180, 94)
    words = ("plugins", "the built-in ones", "and those of others;", "none imports another")
    yield from (
        _text(850, tops["studies"] + 24 + 19 * n, line, "small" if n else "name", "middle")
        for n, line in enumerate(words)
    )
    yield f'<path d="M850 {tops["studies"] + 94} L850 {door - 1}" class="line"/>'
    yield _text(40, ground + 30, "A dot: the package of the row imports the package of the column.", "small")


def _datum_drawing() -> str:
    return _drawing("From a file to a p-value and a report", 960, 36 + 78 * len(STEPS) - 18, _way())


def _way() -> Iterator[str]:
    for nth, (name, what, module) in enumerate(STEPS):
        y = 18 + 78 * nth
        yield _box(24, y, 912, 48, "door" if name == "Pairwise" else "box")
        yield _text(40, y + 29, name, "name")
        yield _text(210, y + 29, what)
        yield _text(920, y + 29, module, "code", "end")
        if nth < len(ACTIONS):
            yield f'<path d="M110 {y + 48} L110 {y + 77}" class="line"/>'
            action, where = ACTIONS[nth]
            yield _text(126, y + 67, action, "action")
            yield _text(920, y + 67, where, "code", "end")


if __name__ == "__main__":
    for file, text in drawings().items():
        (PICTURES / file).write_text(text, encoding="utf-8")
