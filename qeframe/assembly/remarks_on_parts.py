"""The warnings of a task set: what limits its results."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from qeframe.assembly.notices import notices, on_look_alike_names
from qeframe.assembly.parts import ids_of
from qeframe.assembly.remarks_on_results import (
    remarks_on_claimed_pairs,
    remarks_on_family,
    remarks_on_test,
    remarks_on_validity,
)
from qeframe.assembly.scoreboard import Entry, Scoreboard
from qeframe.core.calls import parse_call
from qeframe.core.comparison import comparison_rules
from qeframe.core.contest import Contest
from qeframe.core.errors import counted
from qeframe.core.findings import Comparison
from qeframe.core.profile import OVERALL
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Evaluation, ScoredSubmission, ValidRules
from qeframe.core.task import UNRANKED, Task

_SHOWN = 3
"""How many parts a warning names."""

_EACH_BY_ITSELF = (
    "'exchanges=official' exchanges each part by itself, though parts are computed from the same scores: the overall "
    "test was measured to reject .14 to .15 of true null hypotheses at .05, two-sided, in the shape of wmt23_metrics; "
    "with 'exchanges=joint' and whole segments .05 to .06, but .55 where metrics have effects of their own on segments "
    "and systems"
)


def remarks_on_parts(
    resolved: ResolvedProfile, board: Scoreboard, overall: Contest, evaluation: Evaluation, valid: ValidRules | None
) -> Iterator[str]:
    """Yield the warnings of a task set: on the gold, on what has no overall score or interval, on the tests.

    `overall`: of the submissions that lack no part. `valid`: the rules of the rank sets.
    """
    for task in board.tasks:
        warning = next(iter(task.batches.values())).gold_warning()
        if warning:
            yield f"{task.name}: {warning}"
    yield from dict.fromkeys(notices(board.tasks))  # tasks of two levels can have one name, and say the same
    yield from on_look_alike_names([submission.name for submission in board.submissions])
    yield from _on_submissions(board)
    yield from _on_intervals(board, resolved)
    yield from on_ends([each for each in evaluation.submissions if each.kind not in UNRANKED])
    yield from _on_different_units(board, resolved)
    yield from _on_ids(board)
    yield from _on_tests(board, overall, resolved, evaluation.comparisons)
    yield from _on_data(board, resolved, valid)


def _on_submissions(board: Scoreboard) -> Iterator[str]:
    """Yield which submissions have no overall score since that of a part is undefined; `absent` says who lacks one."""
    weighted = [part for part in board.entries if part.weight]
    for position, submission in enumerate(board.submissions):
        absent = [part for part in weighted if position not in part.positions]
        undefined = [part for part in weighted if np.isnan(part.contest.oriented[part.positions == position]).any()]
        if undefined and not absent:
            yield f"{submission.name} has no overall score: its score is undefined in {_named(undefined)}"


def _named(parts: Sequence[Entry]) -> str:
    names = ", ".join(part.name for part in parts[:_SHOWN])
    return names if len(parts) <= _SHOWN else f"{names} and {counted(len(parts) - _SHOWN, 'other part')}"


def _on_intervals(board: Scoreboard, resolved: ResolvedProfile) -> Iterator[str]:
    not_resampled = [part for part in board.entries if not part.resampled]
    if not_resampled and resolved.interval is not None:
        whole = "; the overall score has none either" if resolved.profile.overall == "mean" else ""
        yield f"no interval of {_named(not_resampled)}: there is one unit only, system scores without segments{whole}"


def on_ends(ranked: Sequence[ScoredSubmission]) -> Iterator[str]:
    """Yield for which parts scores lie outside their own intervals, and why that can be."""
    outside: dict[str, int] = {}
    for submission in ranked:
        whole = submission.scores[OVERALL]
        for name, result in {"the overall score": whole, **whole.tasks}.items():
            if result.value < result.low or result.value > result.high:
                outside[name] = outside.get(name, 0) + 1
    if outside:
        shown = ", ".join(f"{name} ({count} of {len(ranked)})" for name, count in list(outside.items())[:_SHOWN])
        more = f" and {counted(len(outside) - _SHOWN, 'other part')}" if len(outside) > _SHOWN else ""
        yield (
            f"scores outside their own intervals: {shown}{more}: in every draw, some metrics compute p-values or "
            "thresholds again on segments that occur several times, which moves scores in one direction; intervals of "
            "percentiles are not corrected for it"
        )


def _on_different_units(board: Scoreboard, resolved: ResolvedProfile) -> Iterator[str]:
    """Yield for which language pairs exchanges are added up that are not joint, since parts have different cells."""
    if resolved.profile.overall != "mean" or resolved.test is None:
        return
    cells: dict[str, dict[tuple[bytes, int, str], None]] = {}
    for part in board.entries:
        unit = _swapped(part)
        for task in part.tasks if part.weight and unit in {"cell", "pair", "system"} else ():
            systems = int(getattr(next(iter(task.batches.values())), "systems", 0))
            key = (ids_of(task).tobytes() if unit == "pair" else b"", systems, unit)
            cells.setdefault(task.name, {}).setdefault(key)
    apart = [name for name, cell in cells.items() if len(cell) > len({unit for _, _, unit in cell})]
    if apart:
        yield (
            f"{', '.join(apart)}: parts swap decisions on pairs of different segments, or cells of different systems, "
            "independently of each other, but their scores depend on each other: the test of overall scores may reject "
            "too often"
        )


def _on_ids(board: Scoreboard) -> Iterator[str]:
    """Yield where files of several levels seem to number the same units differently: they are drawn together by id."""
    levels: dict[str, dict[str, Task]] = {}
    for part in board.entries:
        assert part.rule is not None, "a part"
        for task in part.tasks:
            levels.setdefault(task.name, {}).setdefault(part.rule.folder or part.rule.reader, task)
    for pair, tasks in levels.items():
        for (first, ids), (second, other) in combinations(tasks.items(), 2):
            if why := _differing_ids(ids, other):
                yield (
                    f"{pair}: {first or 'PATH'} and {second} {why}: parts are resampled together by the ids of their "
                    "units; give the same units the same ids in both"
                )


def _differing_ids(task: Task, other: Task) -> str:
    """Return what is suspicious about the ids of two tasks on one language pair; empty if nothing is."""
    left, right = ids_of(task), ids_of(other)
    shared = len(np.intersect1d(left, right))
    if not shared:
        return f"have {len(left)} units each and no id in common" if len(left) == len(right) else ""
    by_line = task.numbered_from or other.numbered_from
    if shared in (len(left), len(right)) and not (by_line and len(left) != len(right)):
        return ""
    lines = ", by the numbers of lines" if by_line else ""
    return f"have {shared} ids of {len(left)} and {len(right)} units in common{lines}"


def _swapped(part: Entry) -> str:
    """Return what the test of a part swaps, if it is stated."""
    return str(parse_call(part.test.name).parameters.get("unit", "")) if part.test else ""


def _on_data(board: Scoreboard, resolved: ResolvedProfile, valid: ValidRules | None) -> Iterator[str]:
    """Yield what tests say of the data of their parts, once for all parts of which they say the same.

    Of what the rules control there is one sentence, on the test of the overall scores.
    """
    overall = comparison_rules(resolved, resolved.test)
    if overall is not None:
        yield from remarks_on_validity(overall, valid)
        if resolved.profile.exchanges == "official" and resolved.profile.overall == "mean":
            yield _EACH_BY_ITSELF
    parts_of: dict[str, list[Entry]] = {}
    for part in board.entries:
        rules = comparison_rules(resolved, part.test)
        if rules is not None:
            for remark in remarks_on_test(rules, part.contest):
                parts_of.setdefault(remark, []).append(part)
    for remark, parts in parts_of.items():
        yield f"{_named(parts)}: {remark}"


def _on_tests(
    board: Scoreboard, overall: Contest, resolved: ResolvedProfile, comparisons: Sequence[Comparison]
) -> Iterator[str]:
    tests = {part.name: part.test for part in board.entries} | {"": resolved.test}
    contests = {part.name: part.contest for part in board.entries} | {"": overall}
    untested = [part for part in board.entries if part.weight and part.test is None]
    if untested and resolved.test is not None and resolved.profile.overall == "mean":
        yield f"the overall scores are not compared: there is no test of {_named(untested)}"
    for name in dict.fromkeys(comparison.task for comparison in comparisons):
        rules = comparison_rules(resolved, tests[name])
        assert rules is not None, "compared, hence tested"
        family = [comparison for comparison in comparisons if comparison.task == name]
        yield from remarks_on_family(rules, family)
        for remark in remarks_on_claimed_pairs(rules, contests[name], family):
            yield f"{name}: {remark}" if name else remark
