"""What several tables share: titles, counts of each task, marks of values out of order, and notes."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from qeframe.core.ranking import rounding_slack
from qeframe.core.result import Evaluation, Result, ScoredSubmission
from qeframe.report.layouts.table import Column
from qeframe.report.tables.written_names import written_name

ARROWS = {True: "↑", False: "↓"}
OUT_OF_ORDER = "≀"
FEW_UNITS = "°"
WARNING = "warning: "
"""How the note of a warning begins."""
ABSENT = Result(value=math.nan)
"""In the place of a score that a submission lacks."""
UNIT_NAMES = "its name or number in the files; without one its line, from 1"
"""What tables call a unit."""
_MOST_NAMES = 3
"""The tasks that a gathered warning names; evaluation.json has one warning for each."""


def few_units_sign(result: Result) -> str:
    """Return the sign of a score that few units carry; empty for any other."""
    return FEW_UNITS if "few_units" in result.details else ""


def cluster_column(clusters: Iterable[Any]) -> tuple[str, Callable[[int | None], str]]:
    """Return the title of a column of clusters and what it says of a cluster, None for no cluster.

    They are official: by the ranking rule of the profile. Rules that only find winners have clusters 1 and 2. Where no
    cluster is above 2 the column is about winners: "yes" for cluster 1, "no" for cluster 2.

    Parameters
    ----------
    clusters : iterable of int or None
        Those of all rows.

    Returns
    -------
    str
        "official cluster" or "official winner".
    callable
        From a cluster or None to the text of its cell.
    """
    if any((cluster or 0) > 2 for cluster in clusters):
        return "official cluster", lambda cluster: str(cluster or "")
    return "official winner", lambda cluster: {1: "yes", 2: "no"}.get(cluster or 0, "")


def task_names(evaluation: Evaluation) -> list[str]:
    """Return the names of several tasks in order, also without scores; empty for a single task and for parts."""
    if evaluation.parts:
        return []
    scored = [s.scores.get(evaluation.primary, ABSENT).tasks for s in evaluation.submissions]
    several = evaluation.tasks if len(evaluation.tasks) > 1 else ()
    return list(dict.fromkeys([*several, *(name for names in scored for name in names)]))


def lacks_tasks(evaluation: Evaluation) -> dict[str, bool]:
    """Return for every submission whether it lacks a score in a task in which another submission has one."""
    scored = {s.name: _scored_tasks(s, evaluation.primary) for s in evaluation.submissions}
    answered = set().union(*scored.values())
    return {name: names != answered for name, names in scored.items()}


def _scored_tasks(scored: ScoredSubmission, metric: str) -> set[str]:
    tasks = scored.scores.get(metric, ABSENT).tasks
    return {name for name, result in tasks.items() if not math.isnan(result.value)}


def metric_column(evaluation: Evaluation, name: str) -> Column:
    """Return the heading of a metric over all tasks: its name and its direction."""
    arrow = ARROWS[evaluation.higher_is_better.get(name, True)]
    title, written = (name_over_tasks(evaluation, name, shown) for shown in (name, written_name(name)))
    return Column(f"{title} {arrow}", written=f"{written} {arrow}")


def name_over_tasks(evaluation: Evaluation, name: str, shown: str) -> str:
    """Return what the values of a metric over all tasks are, by its name as it is shown.

    Where the rule over the tasks turns a direction, as ranks do, they are no scores, and the name has the rule.
    """
    in_tasks, rules = evaluation.higher_in_tasks, evaluation.signature.rules
    turned = any(in_tasks.get(metric, high) != high for metric, high in evaluation.higher_is_better.items())
    of_rule = turned and bool(task_names(evaluation)) and name != rules.get("across_columns")
    return f"{rules.get('across', 'aggregate')} of {shown}" if of_rule else shown


def weights_in_words(shares: Mapping[str, float]) -> str:
    """Return the weights of tasks in the aggregate over them; empty where they are not known."""
    if not shares:
        return ""
    if math.isclose(min(shares.values()), max(shares.values())):
        return "all with the same weight"
    return f"weights {', '.join(f'{task} {share:.4g}' for task, share in shares.items())}"


def head_rows(evaluation: Evaluation, titles: Sequence[str]) -> list[list[str]]:
    """Return the rows of the heading: the weight of each task, then everything that was counted in it.

    `titles`: the titles of all columns; the names of the rows are in the column "submission".
    """
    kinds = sorted({kind for counts in evaluation.tasks.values() for kind in counts})  # as in the JSON
    shown = any(title in evaluation.tasks for title in titles)
    weights = {task: f"{share:.4g}" for task, share in evaluation.shares.items()}
    rows = [["weight" if t == "submission" else weights.get(t, "") for t in titles]] if shown and weights else []
    for kind in kinds if shown else ():
        numbers = {task: f"{counts[kind]:,}" for task, counts in evaluation.tasks.items() if kind in counts}
        rows.append([kind if title == "submission" else numbers.get(title, "") for title in titles])
    return rows


def count_notes(evaluation: Evaluation) -> list[str]:
    """Return the counts of a single task in one line; nothing for several tasks or without counts."""
    if len(evaluation.tasks) != 1:
        return []
    return [
        f"{task}: " + ", ".join(f"{kind} {number:,}" for kind, number in counts.items())
        for task, counts in evaluation.tasks.items()
        if counts
    ]


def out_of_order(values: Sequence[float], better_high: bool) -> list[bool]:
    """Return for every value whether it is better than the value above it.

    Undefined values are skipped. Values that are equal within rounding are not out of order.
    """
    marks, above = [], math.nan
    for value in values:
        gain = value - above if better_high else above - value
        marks.append(bool(gain > rounding_slack(value, above)))
        above = above if math.isnan(value) else value
    return marks


def gathered_warnings(warnings: Sequence[str], tasks: Iterable[str]) -> list[str]:
    """Return the warnings in order, those that differ in the name of the task alone as one.

    `warnings`: a warning about one task begins with "TASK: ", or has " on TASK: " or " on TASK " in it. `tasks`: the
    names of the tasks. Returns a warning about more than three tasks names the first two and the number of the others.
    """
    names = sorted(set(tasks), key=len, reverse=True)
    gathered: dict[tuple[str, str], dict[str, None]] = {}
    for warning in warnings:
        before, task, after = _around_task(warning, names)
        gathered.setdefault((before, after), {}).setdefault(task)
    return [f"{before}{_listed(list(about))}{after}" for (before, after), about in gathered.items()]


def warning_notes(evaluation: Evaluation) -> list[str]:
    """Return the warnings as notes of a table."""
    return [f"{WARNING}{warning}" for warning in gathered_warnings(evaluation.warnings, evaluation.tasks)]


def _around_task(warning: str, names: Sequence[str]) -> tuple[str, str, str]:
    """Return a warning before the name of its task, the name, and after it; all of it, and nothing, if it has none."""
    before, on, rest = warning.partition(" on ")
    for start, text in (("", warning), (f"{before}{on}", rest)):
        name = next((name for name in names if name and text.startswith((f"{name}: ", f"{name} "))), "")
        if name and (start or text.startswith(f"{name}: ")):
            return start, name, text[len(name) :]
    return warning, "", ""


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more tasks"


def tie_notes(evaluation: Evaluation) -> list[str]:
    """Return one line for each metric that has a tie table; rows are human relations."""
    from qeframe.kinds.judgments.batch import RELATIONS  # a kind of batch that few profiles have

    tables: dict[str, Sequence[Sequence[float]]] = {}
    for metric, details in _details(evaluation):
        if "table" in details:
            tables.setdefault(metric, details["table"])
    relations = " ".join(RELATIONS)
    return [
        f"tie table of {metric}, human {relations} by metric {relations} (x: excluded): {_in_words(table, RELATIONS)}"
        for metric, table in tables.items()
    ]


def _details(evaluation: Evaluation) -> Iterator[tuple[str, Any]]:
    """Yield the details of all scores, each with the metric: of a part with that of the part."""
    of_parts = {part.name: part.metric for part in evaluation.parts}
    for scored in evaluation.submissions:
        for metric, result in scored.scores.items():
            yield metric, result.details
            for task, in_task in result.tasks.items():
                yield of_parts.get(task, metric), in_task.details


def _in_words(table: Sequence[Sequence[float]], relations: Sequence[str]) -> str:
    return ", ".join(
        f"{sign} " + " ".join("x" if math.isnan(entry) else f"{entry:g}" for entry in row)
        for sign, row in zip(relations, table, strict=True)
    )
