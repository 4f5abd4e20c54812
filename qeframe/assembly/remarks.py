"""What an evaluation has besides scores, comparisons and ranks: warnings, rank sets by valid rules, columns."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import attrs
import numpy as np

from qeframe.assembly.compare import compare_by_valid_rules
from qeframe.assembly.notices import notices, on_look_alike_names
from qeframe.assembly.places import add_columns
from qeframe.assembly.remarks_on_scores import (
    on_ends,
    on_missing_intervals,
    on_negative_correlations,
    on_scores_of_parts,
    on_undefined,
)
from qeframe.assembly.remarks_on_tests import on_tests_of_parts, on_tests_of_tasks
from qeframe.assembly.scoreboard import Entry, Scoreboard
from qeframe.core.batch import IntArray
from qeframe.core.calls import parse_call
from qeframe.core.comparison import Compared
from qeframe.core.contest import Contest
from qeframe.core.display import canonical_json
from qeframe.core.errors import CapabilityError
from qeframe.core.findings import Comparison, rank_sets
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Evaluation, ScoredSubmission, ValidRules
from qeframe.core.task import UNRANKED, Dropped, LeftOut, Task

if TYPE_CHECKING:
    from qeframe.assembly.evaluate import Assembled


def add_remarks(evaluation: Evaluation, of: Assembled) -> Evaluation:
    """Return an evaluation with warnings, valid rank sets, and the aggregate over columns if asked for."""
    board, whole, request = of.board, of.whole, of.request
    found = compare_by_valid_rules(
        of.resolved, whole, of.rules, of.tasks, request.seed, request.registry, request.runner
    )
    submissions, valid = evaluation.submissions, None
    if found is not None:
        compared, _ = found
        of_valid = compared.rules
        valid = ValidRules(test=of_valid.test.name, sided=of_valid.side, correction=of_valid.correction.name)
        submissions = _set_rank_sets(submissions, compared)
    remarks = [*_on_answers(of), *(_on_parts if of.resolved.parts else _on_tasks)(of, evaluation, valid)]
    ranked_by = [pair for pair in evaluation.comparisons if pair.metric == evaluation.metrics[0]]
    remarks += on_untested_winners(submissions, ranked_by)
    warnings = tuple(dict.fromkeys(remarks))
    added = attrs.evolve(evaluation, submissions=submissions, warnings=warnings, valid_rules=valid)
    return add_columns(added, board, of.results, of.resolved)


def _on_answers(of: Assembled) -> Iterator[str]:
    """Yield what readers say, what is to be said of the gold, of names that look alike, and of answers."""
    tasks = of.board.tasks
    yield from (f"{task.name}: {remark}" for task in tasks for remark in task.remarks)
    of_gold = ((task.name, next(iter(task.batches.values())).gold_warning()) for task in tasks)
    yield from (f"{name}: {warning}" for name, warning in of_gold if warning)
    yield from on_look_alike_names([submission.name for submission in of.board.submissions])
    yield from notices(tasks, signs=bool(of.resolved.parts) or not _has_correlation(of.board))


def _has_correlation(board: Scoreboard) -> bool:
    return any(metric.vectors is not None for metric in board.metrics)


def _on_tasks(of: Assembled, evaluation: Evaluation, valid: ValidRules | None) -> Iterator[str]:
    """Yield what limits the comparisons and the scores of tasks, and how their units depend."""
    yield from on_tests_of_tasks(of, evaluation.comparisons, valid)
    yield from on_undefined(of.board, of.results, evaluation.comparisons, of.request.registry)
    yield from on_missing_intervals(of.board.metrics, of.board.submissions, of.results)
    yield from on_negative_correlations(of.board, of.results)
    if of.rules is not None:
        yield from remarks_on_groups(of.board, of.resolved)


def _on_parts(of: Assembled, evaluation: Evaluation, valid: ValidRules | None) -> Iterator[str]:
    """Yield what limits the scores and the comparisons of a task set, and which units its parts have in common."""
    yield from on_scores_of_parts(of.board, of.resolved)
    yield from on_ends([each for each in evaluation.submissions if each.kind not in UNRANKED])
    yield from _on_different_units(of.board, of.resolved)
    yield from _on_ids(of.board)
    yield from on_tests_of_parts(of, evaluation.comparisons, valid)


def _set_rank_sets(submissions: Sequence[ScoredSubmission], compared: Compared) -> tuple[ScoredSubmission, ...]:
    """Return submissions with the rank sets that a comparison allows; None without a score."""
    low, high = rank_sets(compared.better)
    scored = ~np.isnan(compared.contest.oriented)
    sets = {name: (int(low[nth]), int(high[nth])) for nth, name in enumerate(compared.names) if scored[nth]}
    return tuple(attrs.evolve(submission, rank_set=sets.get(submission.name)) for submission in submissions)


def on_untested_winners(submissions: Sequence[ScoredSubmission], comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a warning for marked submissions whose difference from one at rank 1 could not be tested."""
    marked = [s for s in submissions if (s.winner if s.may_be_best is None else s.may_be_best)]
    first = {submission.name for submission in marked if submission.rank == 1}
    others = {submission.name for submission in marked} - first
    untested: dict[str, set[str]] = {}
    for pair in comparisons:
        if not pair.task and pair.p != pair.p:
            for name, other in ((pair.a, pair.b), (pair.b, pair.a)):
                if name in others and other in first:
                    untested.setdefault(pair.reason or "no reason is given", set()).add(name)
    for reason, names in untested.items():
        listed = ", ".join(sorted(names))
        differ = "differences could" if len(names) > 1 else "difference could"
        yield f"marked only because the {differ} not be tested: {listed}; {reason}"


def add_left_out(evaluation: Evaluation, left_out: Sequence[LeftOut]) -> Evaluation:
    """Return an evaluation that says who was left out; its signature has the number, and a digest of which files."""
    if not left_out:
        return evaluation
    which = canonical_json(sorted([exclusion.submission, *exclusion.files] for exclusion in left_out))
    digest = hashlib.sha256(which.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    counted = f"{len({exclusion.submission for exclusion in left_out})}:{digest}"
    signature = attrs.evolve(evaluation.signature, left_out=counted)
    dropped = tuple(_without_names(evaluation.dropped, {exclusion.submission for exclusion in left_out}))
    return attrs.evolve(evaluation, left_out=tuple(left_out), signature=signature, dropped=dropped)


def _without_names(dropped: Iterable[Dropped], names: Collection[str]) -> Iterator[Dropped]:
    """Yield what was dropped without the submissions that were left out: a reader sees no file of theirs."""
    for entry in dropped:
        reason, _, listed = entry.reason.rpartition(": ")
        all_names = listed.split(", ")
        kept = [name for name in all_names if name not in names]
        if entry.what not in ("submission", "baseline name") or len(all_names) != entry.count or kept == all_names:
            yield entry
        elif kept:
            yield attrs.evolve(entry, count=len(kept), reason=f"{reason}: {', '.join(kept)}")


FEWEST_GROUPS = 10
"""With fewer groups a resampling of groups says little."""


_NAMES = ("document", "doc")
"""Which grouping is taken where a task declares several."""


_SHARE = 0.01
"""In how many data sets of independent units the variance of one pair by group is called too large."""


def resample_declared_groups(resolved: ResolvedProfile, tasks: Sequence[Task]) -> ResolvedProfile:
    """Return a profile that resamples the groups that all tasks declare, where its rules are no task's and no user's.

    Each task has at least ten groups, and some have several units.
    """
    profile = resolved.profile
    if profile.year or profile.parts or profile.resample != "unit" or profile.set_by_user("resample") or not tasks:
        return resolved
    name = _grouping(tasks)
    if not name or any(len(set(task.groups[name])) < FEWEST_GROUPS for task in tasks):
        return resolved
    return attrs.evolve(resolved, profile=attrs.evolve(profile, resample=name))


def _grouping(tasks: Sequence[Task]) -> str:
    """Return the grouping into several units that all tasks have: the only one, or that of documents; else empty."""
    found = [
        name
        for name in tasks[0].groups
        if all(1 < len(set(task.groups.get(name, ()))) < len(task.groups.get(name, ())) for task in tasks)
    ]
    named = [name for name in _NAMES if name in found]
    return found[0] if len(found) == 1 else named[0] if named else ""


def remarks_on_groups(scoreboard: Scoreboard, resolved: ResolvedProfile) -> Iterator[str]:
    """Yield that declared groups are resampled, or that units within them depend, in each task."""
    resample, profile = resolved.profile.resample, resolved.profile
    declared = not profile.year and not profile.set_by_user("resample")
    for entry in scoreboard.entries:
        (task,), contest = entry.tasks, entry.contest
        for name, labels in task.groups.items():
            count = len(set(labels))
            if declared and resample == name:
                yield (
                    f"units of one {name} may depend: the {count} groups of {task.name} are resampled; "
                    "--set resample=unit takes single units"
                )
            elif resample == "unit" and 1 < count < len(labels) and (ratio := _dependence(contest, labels)):
                few = f", of which there are only {count}" if count < FEWEST_GROUPS else ""
                yield (
                    f"units of one {name} depend on {task.name}: by {name}{few}, the variance of a difference is "
                    f"{ratio:.1f} times that of single units, which p assumes; --set resample={name}"
                )


def _dependence(contest: Contest, labels: Sequence[str]) -> float:
    """Return how many times larger the variance of a difference is by groups than by units; 0 if that can be chance.

    It is the median over the pairs. Of independent units the ratio is about a chi-square over its degrees of freedom,
    which are (sum of n_g)^2 / sum of n_g^2 with groups of n_g units.
    """
    from scipy.special import chdtri

    if not contest.smooth or len(contest.oriented) < 2 or sum(contest.sizes) != len(labels):
        return 0.0
    try:
        left_out = contest.jackknife()
    except CapabilityError:
        return 0.0
    first, second = contest.pairs
    _, group, sizes = np.unique(np.asarray(labels), return_inverse=True, return_counts=True)
    away = left_out - left_out.mean(axis=0)
    sums = np.zeros((len(sizes), away.shape[1]))
    np.add.at(sums, group, away)
    by_unit, by_group = (((side[:, first] - side[:, second]) ** 2).sum(axis=0) for side in (away, sums))
    known = np.isfinite(by_unit) & np.isfinite(by_group) & (by_unit > 0)
    if not known.any():
        return 0.0
    ratio = float(np.median(by_group[known] / by_unit[known]))
    freedom = float(sizes.sum() ** 2 / (sizes**2).sum())
    return ratio if ratio > chdtri(freedom, _SHARE) / freedom else 0.0


def _on_different_units(board: Scoreboard, resolved: ResolvedProfile) -> Iterator[str]:
    """Yield for which language pairs exchanges are added up that are not joint, since parts have different cells."""
    if resolved.profile.overall != "mean" or resolved.test is None:
        return
    cells: dict[str, dict[tuple[bytes, int, str], None]] = {}
    for part in board.entries:
        unit = _swapped(part)
        for task in part.tasks if part.weight and unit in {"cell", "pair", "system"} else ():
            systems = int(getattr(next(iter(task.batches.values())), "systems", 0))
            key = (_ids(task).tobytes() if unit == "pair" else b"", systems, unit)
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
    left, right = _ids(task), _ids(other)
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


def _ids(task: Task) -> IntArray:
    """Return the ids of the units of a task with submissions, (n,)."""
    return next(iter(task.batches.values())).ids
