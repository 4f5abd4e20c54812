"""The picture of the README and the drawings of the architecture; ``python docs/_extensions/drawings.py`` makes them.

The packages, their imports and the plugins are read from the sources, the scores are computed. A drawing has a light
background of its own, so that it can be read on a light and on a dark page.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

__all__ = ["PACKAGES", "WAY", "Step", "Value", "drawings", "imports_of_facade", "imports_of_packages"]

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"

PACKAGES: Mapping[str, str] = {
    "cli": "the commands",
    "studies": "questions over many evaluations",
    "gaming": "the audit: attacks on metrics",
    "report": "tables, figures, pages",
    "testing": "laws for authors of plugins",
    "execution": "where an evaluation is computed",
    "api": "evaluate, score, compare",
    "kinds": "kinds of batch, a folder each",
    "data": "alignment, what readers share",
    "assembly": "from tasks to an evaluation",
    "supplements": "what is found on request",
    "statistics": "correlations, power, exchanges",
    "core": "the kernel",
}
"""From the top row to the bottom one: a package imports packages of lower rows only."""


class Value(NamedTuple):
    """A value on the way: its class, what it holds, the file that defines it, how many there are, what is inside."""

    name: str
    holds: str
    path: str
    count: str
    inside: "Sequence[Value | Step]" = ()
    given: str = ""  # what the caller gives to it, beside what comes from above
    reused: bool = False  # whether it also goes to the values that are `also` made of it
    also: bool = False


class Step(NamedTuple):
    """What turns one value into the next, the file that does it, and the keys of the profile that decide it."""

    does: str
    path: str
    keys: Sequence[str] = ()
    from_above: bool = True


WAY: Sequence[Value | Step] = (
    Value("Files", "the gold, the submissions, perhaps texts", "", "several for each task"),
    Step("a Reader parses", "plugins/qeframe_wmt/readers", ("reader", "computed")),
    Value("Reading", "gold and submissions, with ids and lines", "qeframe/core/reading.py", "one for each task"),
    Step("align joins by id", "qeframe/data/align.py", ("missing", "baselines")),
    Value(
        "Task",
        "all submissions on the units of the gold",
        "qeframe/core/task.py",
        "one for each task",
        inside=[
            Value("Batch", "the gold and one submission", "qeframe/core/batch.py", "one for each task and submission")
        ],
    ),
    Step("Metric.bind", "plugins/qeframe_scoring, and others", ("primary", "secondary", "within")),
    Value(
        "Statistic",
        "from a weight for each unit to a score",
        "qeframe/core/statistic.py",
        "one for each task, submission and metric",
    ),
    Step("all statistics of a task are joined", "qeframe/core/sample.py", ("resample",)),
    Value(
        "Sample",
        "all metrics on all submissions; the draws",
        "qeframe/core/sample.py",
        "one for each task",
        inside=[
            Value("StatisticStack", "all scores of one draw", "qeframe/core/statistic_stack.py", "one for each task")
        ],
        given="seed",
    ),
    Step("one metric is selected and oriented", "qeframe/assembly/scoreboard.py"),
    Value(
        "Contest",
        "what intervals and tests are given",
        "qeframe/core/contest.py",
        "one for each task and metric, and one of all tasks together",
        inside=[
            Value(
                "Part", "a term: one metric on one sample", "qeframe/core/contest.py", "one for each task and metric"
            ),
            Step("Aggregation.aggregate", "plugins/qeframe_aggregations/aggregations.py", ("across", "weights")),
        ],
        reused=True,
    ),
    Step("SignificanceTest.interval", "plugins/qeframe_significance/components.py", ("interval", "confidence")),
    Value(
        "Result",
        "a score with the ends of its interval",
        "qeframe/core/result.py",
        "one for each submission and metric, by task and over all tasks",
    ),
    Step(
        "SignificanceTest.run, on the Contest",
        "plugins/qeframe_significance/components.py",
        ("test", "sided"),
        from_above=False,
    ),
    Value(
        "Pairwise",
        "p of all pairs, under the primary metric",
        "qeframe/core/significance.py",
        "one for each task, and one over all tasks",
        also=True,
    ),
    Step(
        "Correction.adjust, applied by comparison.py",
        "plugins/qeframe_significance/corrections.py",
        ("correction", "alpha", "strict"),
    ),
    Value(
        "Comparison",
        "a pair: p, adjusted p, significant or not",
        "qeframe/core/findings.py",
        "one for each pair, by task and over all tasks",
    ),
    Step("RankingRule.rank, also on scores and draws", "plugins/qeframe_rankings/ranking_rules.py", ("ranking",)),
    Value("Ranking", "the ranks, clusters and winners", "qeframe/core/ranking.py", "one, over all tasks", also=True),
    Step("evaluate gathers what 7, 9 and 10 gave", "qeframe/assembly/evaluate.py"),
    Value("Evaluation", "the whole result; evaluation.json", "qeframe/core/result.py", "one"),
    Step("tables and figures are made", "qeframe/report"),
    Value("Report", "leaderboard, figures, evaluation.json", "qeframe/report/result_files/files.py", "one"),
)
"""The values on the way from a file to a report, and the steps between them, as the page numbers them."""

STYLE = """<style>
text { font-family: "Helvetica Neue", Arial, "DejaVu Sans", sans-serif; font-size: 13px; fill: #1f2937; }
.name { font-size: 14px; font-weight: bold; }
.count { font-size: 12px; }
.path { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 12px; fill: #4b5563; }
.step { font-weight: bold; fill: #1d4ed8; }
.number { font-size: 12px; font-weight: bold; fill: #ffffff; }
.box { fill: #ffffff; stroke: #9ca3af; }
.outer { fill: #e5e7eb; stroke: #9ca3af; }
.profile { fill: #dbeafe; stroke: #1d4ed8; }
.given { fill: #fef3c7; stroke: #b45309; }
.dot { fill: #1d4ed8; }
.band { fill: #e5e7eb; }
.guide { stroke: #cbd5e1; stroke-dasharray: 2 3; }
.line { stroke: #1d4ed8; stroke-width: 1.6; fill: none; marker-end: url(#head); }
.bare { marker-end: none; }
.loaded { stroke: #b45309; stroke-width: 1.6; stroke-dasharray: 5 4; fill: none; marker-end: url(#loaded); }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#1d4ed8"/></marker>
<marker id="loaded" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 L8 4 L0 8 z" fill="#b45309"/></marker></defs>"""


_NOT_DRAWN = {"__init__", "__main__", "errors", "lazy_names", "plugin"}
"""The modules that join packages or import on first use, and the doors."""


@cache
def imports_of_packages(root: Path = ROOT / "qeframe") -> dict[str, set[str]]:
    """Return which packages (or modules) of the root each one imports, imports for types counted."""
    found: dict[str, set[str]] = {package: set() for package in PACKAGES}
    for file in root.rglob("*.py"):
        inside = file.relative_to(root).with_suffix("").parts[0]
        if inside not in _NOT_DRAWN:
            found.setdefault(inside, set()).update(_imported(file, root.name) - {inside, *_NOT_DRAWN})
    return found


def imports_of_facade(folder: Path = ROOT / "qeframe" / "plugin") -> list[str]:
    """Return the packages that the doors of `qeframe.plugin` re-export, in the order of the rows."""
    found = set[str]().union(*(_imported(file, "qeframe") for file in folder.glob("*.py")))
    return [package for package in PACKAGES if package in found]


def _imported(file: Path, root: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {parts[1] for parts in (module.split(".") for module in modules) if parts[0] == root and len(parts) > 1}


def drawings() -> dict[str, str]:
    """Return the drawings by the name of their file."""
    packages = _drawing("The packages of qeframe and their imports", 960, _below("core") + 90, _packages())
    parts = _Way()
    way = _drawing("From a file to a p-value", 800, parts.y + 8, parts.drawn)
    scores = _drawing("Who wins, by three metrics: every word BAD, or an honest tagger?", 800, 240, _everything_bad())
    return {"packages.svg": packages, "datum.svg": way, "everything-bad.svg": scores}


def _drawing(title: str, width: int, height: int, parts: Iterator[str] | Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    ground = f'<rect width="{width}" height="{height}" rx="8" fill="#f3f4f6"/>'
    return "\n".join([f'{head} role="img">', f"<title>{escape(title)}</title>", STYLE, ground, *parts, "</svg>", ""])


def _text(x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def _turned(x: int, y: int, words: str, anchor: str) -> str:
    return f'<text transform="translate({x} {y}) rotate(-60)" text-anchor="{anchor}">{escape(words)}</text>'


def _box(x: int, y: int, width: int, height: int, kind: str = "box") -> str:
    return f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" class="{kind}"/>'


def _line(points: str, kind: str = "line") -> str:
    return f'<path d="{points}" class="{kind}"/>'


# Of the picture of the README: the words, how many are BAD, how many a tagger marks, and how many of these are BAD.
WORDS, BAD, MARKED, RIGHT = 1000, 350, 202, 122
JUDGES = (
    ("f1_bad", "F1 of BAD", "decided WMT15"),
    ("f1_mult", "F1-mult", "decided WMT16 to WMT19"),
    ("mcc", "MCC", "decides since WMT20"),
)
PANEL, BAR = 250, 190


def _everything_bad() -> Iterator[str]:
    """Yield what three metrics say of a tagger that marks every word BAD, and of one that tries."""
    import qeframe

    gold = [["BAD"] * BAD + ["OK"] * (WORDS - BAD)]
    tried = [["BAD"] * RIGHT + ["OK"] * (BAD - RIGHT) + ["BAD"] * (MARKED - RIGHT) + ["OK"] * (WORDS - BAD)]
    taggers = {"every word BAD": [["BAD"] * WORDS], "an honest tagger": [tags[:WORDS] for tags in tried]}
    for nth, (metric, name, used) in enumerate(JUDGES):
        x = 25 + (PANEL + 10) * nth
        scores = {tagger: qeframe.score(metric, gold, tags) for tagger, tags in taggers.items()}
        yield _box(x - 10, 14, PANEL, 174)
        yield _text(x, 38, name, "name")
        yield _text(x, 56, used, "count")
        for row, (tagger, score) in enumerate(scores.items()):
            y, wins = 84 + 54 * row, score == max(scores.values())
            color = "#9ca3af" if not wins else "#b45309" if row == 0 else "#1d4ed8"
            yield _text(x, y, f"{tagger}{' wins' if wins else ''}", "name" if wins else "")
            yield f'<rect x="{x}" y="{y + 7}" width="{max(1, round(BAR * score))}" height="18" fill="{color}"/>'
            yield _text(x + max(1, round(BAR * score)) + 6, y + 21, f"{score:.2f}".replace("0.00", "0"), "name")
    yield _text(
        15,
        212,
        f"{WORDS:,} words, of which {BAD} are BAD. The honest tagger marks {MARKED} words, {RIGHT} of them rightly.",
    )
    yield _text(
        15, 230, "qeframe measures for each metric what such attacks gain, before a shared task is decided by it."
    )


# Of the drawing of the packages: the first row, the height of a row with its gap, and the columns.
TOP, ROW = 260, 46
LOWEST = ("api", "kinds", "data", "statistics", "core")  # beside the doors, which import them
FACADE, BOXES, DOTS, COLUMN = (16, 204), (260, 262), 552, 25
TOPS = {package: TOP + ROW * nth for nth, package in enumerate(PACKAGES)}
COLUMNS = {package: DOTS + COLUMN * nth for nth, package in enumerate(list(PACKAGES)[1:])}


def _below(package: str) -> int:
    return TOPS[package] + ROW - 6


def _packages() -> Iterator[str]:
    """Yield the legend, a row for each package with a dot for each import, the plugins and the facade."""
    imports = imports_of_packages()
    yield from _legend_of_packages()
    for name, x in COLUMNS.items():
        yield _line(f"M{x} {TOP - 8} L{x} {_below('core') + 8}", "guide")
        yield _turned(x + 4, TOP - 12, name, "start")
        yield _turned(x + 4, _below("core") + 16, name, "end")
    for nth, (package, holds) in enumerate(PACKAGES.items()):
        y, (x, width) = TOPS[package], BOXES
        if nth % 2:
            yield f'<rect x="{DOTS - 14}" y="{y}" width="{COLUMN * len(COLUMNS) + 2}" height="40" class="band"/>'
            yield from (_line(f"M{each} {y} L{each} {y + 40}", "guide") for each in COLUMNS.values())
        yield _box(x, y, width, 40)
        yield _text(x + 12, y + 17, package, "name")
        yield _text(x + 12, y + 33, holds, "count")
        yield from (
            f'<circle cx="{COLUMNS[each]}" cy="{y + 20}" r="6" class="dot"/>'
            for each in PACKAGES
            if each in imports[package]
        )
    yield from _plugins()


def _legend_of_packages() -> Iterator[str]:
    yield '<circle cx="34" cy="24" r="6" class="dot"/>'
    yield _text(60, 28, "The package of the row imports the package of the column: only packages of lower rows.")
    yield _line("M18 48 L50 48")
    yield _text(60, 52, "Imports. Plugins are above the doors that they import. No plugin imports another,")
    yield _text(60, 70, "and no package imports a plugin or qeframe.plugin.")
    yield _line("M18 90 L50 90", "loaded")
    yield _text(60, 94, "Happens at run time: core/loader.py imports the plugins that entry points")
    yield _text(60, 112, "name, and calls their hooks; registry.py beside it keeps what the hooks return.")


def _plugins() -> Iterator[str]:
    """Yield the plugins, above the facade that they import, and the facade beside the packages that it re-exports."""
    (x, width), lane, facade = FACADE, BOXES[0] - 20, imports_of_facade()
    above = [package for package in facade if package not in LOWEST]
    top, ground = TOPS[LOWEST[0]], _below(LOWEST[-1])
    names = sorted(folder.parent.name for folder in (ROOT / "plugins").glob("*/__init__.py"))
    height = 60 + 18 * len(names)
    start = top - 44 - height
    yield _box(x, start, width, height, "given")
    yield _text(x + 12, start + 20, "plugins", "name")
    yield _text(x + 12, start + 38, f"those of others, and these {len(names)}:", "count")
    yield from (_text(x + 12, start + 58 + 18 * nth, name, "path") for nth, name in enumerate(names))
    yield _line(f"M{x + 60} {top - 44} L{x + 60} {top - 1}")
    yield _text(x + 70, top - 18, "import", "step")
    yield _line(f"M{x + width} {top - 70} L{lane} {top - 70} L{lane} {top + 10} L{BOXES[0] - 1} {top + 10}", "loaded")
    yield _box(x, top, width, ground - top, "profile")
    yield _text(x + 12, top + 20, "qeframe.plugin", "name")
    words = "the doors: all that plugins import. They define nothing and re-export names of"
    lines = _wrapped(f"{words} these {len(facade)}: {', '.join(facade[:-1])} and {facade[-1]}.", 23)
    yield from (_text(x + 12, top + 44 + 18 * nth, line, "count") for nth, line in enumerate(lines))
    yield from (_line(f"M{x + width} {TOPS[each] + 28} L{BOXES[0] - 1} {TOPS[each] + 28}") for each in LOWEST)
    for each in above:
        row = TOPS[each] + 28
        yield _line(f"M{x + width} {top + 20} L{lane + 10} {top + 20} L{lane + 10} {row} L{BOXES[0] - 1} {row}")


# Of the drawing of the way: the columns of values and keys; where the counts, the arrows and the line back are.
MAIN, KEYS, COUNTS, ARROW, BACK = (184, 420), (16, 132), 636, 206, 622


class _Way:
    """The drawing of the way, part after part from top to bottom; `y` is where the next part begins."""

    def __init__(self) -> None:
        self.drawn, self.y, self.number, self.back = [*_legend_of_the_way()], 132, 0, 0
        for part in WAY:
            self._draw(part, *MAIN)

    def _draw(self, part: Value | Step, x: int, width: int) -> None:
        if isinstance(part, Step):
            self._step(part)
        else:
            self._value(part, x, width)

    def _value(self, value: Value, x: int, width: int) -> None:
        top, place = self.y, len(self.drawn)
        self.drawn.append(_text(x + 14, top + 20, value.name, "name"))
        self.drawn.append(_text(x + 14, top + 38, value.holds))
        self.drawn += [_text(x + 14, top + 56, value.path, "path")] if value.path else []
        words = _wrapped(value.count, 22) if value.count else []
        self.drawn += [
            _text(COUNTS, top + 38 + 16 * nth - 8 * len(words) + 8, line, "count") for nth, line in enumerate(words)
        ]
        self.y += 66 if value.path else 48
        for part in value.inside:
            self._draw(part, x + 10, width - 20)
        self.y += 10 if value.inside else 0
        self.drawn.insert(place, _box(x, top, width, self.y - top, "outer" if value.inside else "box"))
        if value.given:
            self._tag((value.given,), top + 33, x - 1, "given")
        if value.reused:
            self.back = self.y - 14
            self.drawn.append(_line(f"M{x + width} {self.back} L{BACK} {self.back}", "line bare"))
        if value.also:
            self.drawn.append(_line(f"M{BACK} {self.back} L{BACK} {top + 52} L{x + width + 1} {top + 52}"))

    def _step(self, step: Step) -> None:
        self.number += 1
        start = self.y if step.from_above else self.y + 26
        self.drawn.append(_line(f"M{ARROW} {start} L{ARROW} {self.y + 51}"))
        self.drawn.append(f'<circle cx="{ARROW}" cy="{self.y + 23}" r="11" class="dot"/>')
        self.drawn.append(_text(ARROW, self.y + 27, str(self.number), "number", "middle"))
        self.drawn.append(_text(ARROW + 20, self.y + 20, step.does, "step"))
        self.drawn.append(_text(ARROW + 20, self.y + 38, step.path, "path"))
        if step.keys:
            self._tag(step.keys, self.y + 23, ARROW - 12, "profile")
        self.y += 52

    def _tag(self, lines: Sequence[str], middle: int, end: int, kind: str) -> None:
        (x, width), height = KEYS, 17 * len(lines) + 10
        self.drawn.append(_box(x, middle - height // 2, width, height, kind))
        top = middle - height // 2 + 17
        self.drawn += [_text(x + 12, top + 17 * nth, line, "path") for nth, line in enumerate(lines)]
        self.drawn.append(_line(f"M{x + width} {middle} L{end} {middle}"))


def _legend_of_the_way() -> Iterator[str]:
    yield _box(20, 14, 28, 18)
    yield _text(60, 28, "A value, the file that defines it, and how many there are. A gray value contains others.")
    yield '<circle cx="34" cy="49" r="11" class="dot"/>'
    yield _text(34, 53, "n", "number", "middle")
    yield _text(60, 53, "A step, as the text numbers it; the file or the plugin that does it.")
    yield _box(20, 66, 28, 18, "profile")
    yield _text(60, 80, "The keys of the profile that decide a step.")
    yield _box(20, 92, 28, 18, "given")
    yield _text(60, 106, "Given by the caller of evaluate.")


def _wrapped(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


if __name__ == "__main__":
    for file, text in drawings().items():
        (PICTURES / file).write_text(text, encoding="utf-8")
