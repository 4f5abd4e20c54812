"""The page of a store: the runs, what changed between them, and the history of every metric, task and submission."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import attrs
from attrs import frozen
from markupsafe import Markup

from qeframe.plugin.calls import counted
from qeframe.plugin.report import (
    Cell,
    Column,
    Table,
    decimal,
    decimals_for,
    element,
    format_interval,
    format_number,
    picture,
    render,
)
from qeframe.plugin.results import Result
from qeframe_store.changes import all_causes, with_task_of
from qeframe_store.histories import History, Moment, StoredResult, histories, run_table, same_rules

_WIDE, _HIGH = 220.0, 90.0
_SIDE = 8.0  # the space beside the first and the last run, and above and below the axis


def axis_of(lines: Iterable[History]) -> tuple[float, float] | None:
    """Return the ends of an axis that shows all scores and intervals; None without a defined score.

    Equal scores get an axis around them. Infinite ends of intervals are not shown.
    """
    results = [moment.result for line in lines for moment in line.moments]
    numbers = [v for r in results if math.isfinite(r.value) for v in (r.value, r.low, r.high) if math.isfinite(v)]
    if not numbers:
        return None
    low, high = min(numbers), max(numbers)
    if low == high:
        pad = 0.05 * abs(low) or 0.5
        return low - pad, high + pad
    return low, high


def history_chart(
    line: History, names: Sequence[str], joined: Sequence[bool], axis: tuple[float, float], decimals: int
) -> Markup:
    """Return the picture of a history on the axis of all `names` of runs, such as "run 2, friday".

    A line is dashed between runs that differ in rules (`joined`, of `same_rules`), and over a run without a score.
    """
    places = [_Place(moment, len(names), axis) for moment in line.moments if math.isfinite(moment.result.value)]
    drawn = [element("path", d=f"M0 {decimal(_HIGH)}H{decimal(_WIDE)}", class_="base")]
    for a, b in pairwise(places):
        whole = b.at == a.at + 1 and joined[a.at]
        path = f"M{decimal(a.x)} {decimal(a.y)}L{decimal(b.x)} {decimal(b.y)}"
        drawn.append(element("path", d=path, class_="trend" if whole else "trend other"))
    for place in places:
        drawn += place.interval()
        drawn.append(place.dot(f"{names[place.at]}: {_shown(place.moment.result, decimals)}"))
    ends = line.moments[:1] + line.moments[1:][-1:]
    summary = "; ".join(f"{names[moment.at]}: {_shown(moment.result, decimals)}" for moment in ends)
    title = f"{line.metric} of {line.submission}{f', {line.task}' if line.task else ''}: {summary}"
    return picture(title, *drawn, width=_WIDE, height=_HIGH + 1)


class _Place:
    """Where a score is in the picture."""

    def __init__(self, moment: Moment, runs: int, axis: tuple[float, float]) -> None:
        self.moment, self.at, self._axis = moment, moment.at, axis
        self.x = _WIDE / 2 if runs == 1 else _SIDE + (_WIDE - 2 * _SIDE) * moment.at / (runs - 1)
        self.y = self._height(moment.result.value)

    def _height(self, value: float) -> float:
        low, high = self._axis
        return _SIDE + (_HIGH - 2 * _SIDE) * (high - value) / (high - low)

    def interval(self) -> list[Markup]:
        low, high = self.moment.result.low, self.moment.result.high
        if not (math.isfinite(low) and math.isfinite(high)):
            return []
        path = f"M{decimal(self.x)} {decimal(self._height(low))}V{decimal(self._height(high))}"
        return [element("path", d=path, class_="interval")]

    def dot(self, text: str) -> Markup:
        path = f"M{decimal(self.x)} {decimal(self.y)}h.1"
        return element("path", element("title", text), d=path, class_="dot")


def _shown(result: Result, decimals: int) -> str:
    interval = format_interval(result.low, result.high, decimals)
    return format_number(result.value, decimals) + (f" ({interval})" if interval else "")


def store_page(results: Sequence[StoredResult], name: str, *, command: str = "") -> str:
    """Return the page of runs, in the order of a store, as HTML: one file without a reference to another.

    Runs are compared with the runs of the same profile only: scores under other rules are other numbers.
    """
    from importlib.metadata import version

    profiles = [_Profile(profile, results) for profile in dict.fromkeys(result.run.profile for result in results)]
    return render(
        "qeframe_store:store.html.jinja",
        title=f"Results in {name}",
        introduction=_introduction(results),
        runs=run_table([result.run for result in results], "Runs"),
        changes=_changes(profiles) if len(results) > len(profiles) else None,
        groups=[
            {"title": title, "word": word, "panels": panels}
            for title, word, panels in (
                ("History of each metric", "metric", _joined(profiles, _Profile.metrics)),
                ("History of each task", "task", _joined(profiles, _Profile.tasks)),
                ("History of each submission", "submission", _joined(profiles, _Profile.submissions)),
            )
            if panels
        ],
        command=command,
        version=version("qeframe"),
    )


def _introduction(results: Sequence[StoredResult]) -> str:
    if not results:
        return "The store is empty."
    submissions = {scored.name for result in results for scored in result.evaluation.submissions}
    days = [result.run.added.partition("T")[0] for result in results]
    when = f"on {days[0]}" if days[0] == days[-1] else f"from {days[0]} to {days[-1]}"
    return f"{counted(len(results), 'run')} of {counted(len(submissions), 'submission')}, added {when}."


@frozen(kw_only=True)
class _Panel:
    """Charts and a table of one metric, task or submission."""

    title: str
    note: str
    charts: Sequence[dict[str, Any]]
    table: Table


class _Profile:
    """The runs of one profile and their histories."""

    def __init__(self, name: str, results: Sequence[StoredResult]) -> None:
        self.name = name
        self.results = [result for result in results if result.run.profile == name]
        self.runs = [f"run {result.run.number}, {result.run.label}" for result in self.results]
        self.joined = same_rules(self.results)
        self.lines = histories(self.results)
        self.higher = {k: v for result in self.results for k, v in result.evaluation.higher_is_better.items()}
        self.higher_in_tasks = {k: v for result in self.results for k, v in result.evaluation.higher_in_tasks.items()}
        self.parts = {part.name: part.higher_is_better for result in self.results for part in result.evaluation.parts}

    def metrics(self) -> Iterable[_Panel]:
        """Yield a panel for each metric over all tasks."""
        for metric in dict.fromkeys(line.metric for line in self.lines):
            lines = [line for line in self.lines if line.metric == metric and not line.task]
            yield self._of_submissions(metric, lines, self.higher.get(metric, True))

    def tasks(self) -> Iterable[_Panel]:
        """Yield a panel for each task under the primary metric."""
        shown = list(dict.fromkeys((line.task, line.metric) for line in self.lines if line.task))
        metrics = {metric for _, metric in shown}
        for task, metric in shown:
            lines = [line for line in self.lines if (line.task, line.metric) == (task, metric)]
            higher = self.parts.get(task, self.higher_in_tasks.get(metric, self.higher.get(metric, True)))
            title = f"{task}, {metric}" if len(metrics) > 1 else task
            yield self._of_submissions(title, lines, higher)

    def submissions(self) -> Iterable[_Panel]:
        """Yield a panel for each submission: its ranks and its metrics over all tasks."""
        for name in dict.fromkeys(line.submission for line in self.lines):
            lines = [line for line in self.lines if line.submission == name and not line.task]
            charts = [self._chart(line, axis, line.metric) for line in lines if (axis := axis_of([line]))]
            yield _Panel(title=name, note="", charts=charts, table=self._of_runs(name, lines))

    def _of_submissions(self, title: str, lines: Sequence[History], higher: bool) -> _Panel:
        axis, digits = axis_of(lines), _digits(lines)
        charts = [] if axis is None else [self._chart(line, axis, line.submission) for line in lines]
        note = "Higher is better." if higher else "Lower is better."
        if axis is not None:
            note += f" All pictures show {format_interval(*axis, digits)}."
        columns: list[tuple[Column, Sequence[Cell]]] = [
            (Column("submission", "left", key=True), [Cell(line.submission) for line in lines])
        ]
        for at, result in enumerate(self.results):
            cells = [Cell(_score(line, at, digits)) for line in lines]
            if any(cell.text for cell in cells):
                columns.append((Column(f"{result.run.number} {result.run.label}"), cells))
        if len(columns) > len("12"):
            columns.append((Column("last less first"), [Cell(_change(line, digits)) for line in lines]))
        return _Panel(title=title, note=note, charts=charts, table=Table.from_columns(f"{title}, by run", columns))

    def _of_runs(self, name: str, lines: Sequence[History]) -> Table:
        present = sorted({moment.at for line in lines for moment in line.moments})
        runs = [self.results[at].run for at in present]
        ranks = {m.at: m.rank for line in lines for m in line.moments if m.rank is not None}
        columns: list[tuple[Column, Sequence[Cell]]] = [
            (Column("run"), [Cell(str(run.number)) for run in runs]),
            (Column("label", "left", key=True), [Cell(run.label) for run in runs]),
            (Column("added", "left"), [Cell(run.added.replace("T", " ")) for run in runs]),
            (Column("rank"), [Cell(str(ranks.get(at, ""))) for at in present]),
        ]
        columns += [
            (Column(line.metric), [Cell(_score(line, at, _digits([line]))) for at in present]) for line in lines
        ]
        return Table.from_columns(f"{name}, by run", columns)

    def _chart(self, line: History, axis: tuple[float, float], name: str) -> dict[str, Any]:
        digits = _digits([line])
        return {
            "name": name,
            "svg": history_chart(line, self.runs, self.joined, axis, digits),
            "note": _ends(line, [result.run.number for result in self.results], digits),
        }


def _joined(profiles: Sequence[_Profile], panels: Callable[[_Profile], Iterable[_Panel]]) -> list[_Panel]:
    """Return the panels of all profiles, with the profile in the title where there are several."""
    return [
        attrs.evolve(panel, title=f"{panel.title} ({profile.name})") if len(profiles) > 1 else panel
        for profile in profiles
        for panel in panels(profile)
    ]


def _changes(profiles: Sequence[_Profile]) -> Table:
    """Return what differs between each run and the run of the same profile before it."""
    rows = [
        (f"{old.run.number} to {new.run.number}", new.run.label, cause.kind, cause.name, cause.old, cause.new)
        for profile in profiles
        for old, new in pairwise(profile.results)
        for cause in all_causes(with_task_of(new.evaluation, old.evaluation), new.evaluation)
    ]
    titles = ("runs", "label of the later", "what", "name", "before", "after")
    columns = tuple(Column(title, "left", key=title == "runs") for title in titles)
    cells = tuple(tuple(Cell(_short(text)) for text in row) for row in rows)
    note = "each run is compared with the run of the same profile before it; data: the SHA-256 of a file"
    none = "rules, data, software and seed are the same in all runs of a profile"
    return Table(title="What changed between runs", columns=columns, rows=cells, notes=(note if rows else none,))


def _short(text: str) -> str:
    """Return a digest by its first digits."""
    digest = len(text) == 64 and set(text) <= set("0123456789abcdef")
    return text[:12] if digest else text


def _digits(lines: Sequence[History]) -> int:
    return decimals_for(moment.result.value for line in lines for moment in line.moments)


def _score(line: History, at: int, digits: int) -> str:
    """Return the score in a run with its interval; empty if the run has none."""
    return next((_shown(moment.result, digits) for moment in line.moments if moment.at == at), "")


def _change(line: History, digits: int) -> str:
    """Return the last score less the first one; empty if there is only one."""
    first, last = line.moments[0].result.value, line.moments[-1].result.value
    return format_number(last - first, digits) if len(line.moments) > 1 and math.isfinite(last - first) else ""


def _ends(line: History, numbers: Sequence[int], digits: int) -> str:
    first, last = line.moments[0], line.moments[-1]
    texts = [format_number(moment.result.value, digits) for moment in (first, last)]
    return f"{texts[0]} in run {numbers[first.at]}" if first is last else " to ".join(texts)
