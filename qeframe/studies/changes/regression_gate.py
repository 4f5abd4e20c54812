"""Whether a submission became worse from one result to the next: a paired test of the data, or of the intervals."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.attacks import same_values
from qeframe.assembly.scoreboard import scoreboard_of
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.reading import Reading
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Evaluation, Result
from qeframe.core.runner import Runner
from qeframe.data.align import align
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.power_and_units_needed import minimum_detectable_difference

OLD, NEW = "old", "new"  # the names of the two versions of a submission in a joined task


def check_inputs(evaluation: Evaluation, readings: Sequence[Reading], which: str, path: object) -> None:
    """Raise a `DataError` if data are not those of a result, by the SHA-256 of the files."""
    recorded = {(file.path, file.sha256) for file in evaluation.signature.inputs}
    for reading in readings:
        for file in reading.inputs:
            if (file.path, file.sha256) not in recorded:
                what = f"{file.path} is not the file from which the {which} result was made"
                raise DataError(what, path=str(path), remedy="give the data of that result")


def same_tasks(old: Sequence[Reading], new: Sequence[Reading]) -> list[tuple[Reading, Reading]]:
    """Return the tasks of both sides as pairs; the name of a single task does not matter."""
    if len(old) == len(new) == 1:
        pairs = [(old[0], new[0])]
    else:
        before, after = ({reading.name: reading for reading in side} for side in (old, new))
        for name in {*before} ^ {*after}:
            raise DataError(f"only one side has the task '{name}'", remedy="give data of the same tasks")
        pairs = [(before[name], reading) for name, reading in after.items()]
    for was, now in pairs:
        if not (np.array_equal(was.gold.ids, now.gold.ids) and same_values(was.gold.values, now.gold.values)):
            what = f"the golds of task '{now.name}' differ: the versions cannot be compared unit by unit"
            raise DataError(what, remedy="leave out --data: the intervals are then compared")
    return pairs


def both_versions(old: Reading, new: Reading, name: str) -> Reading:
    """Return a task with the two versions of a submission; without submissions if it answers only one side."""
    versions: Mapping[str, Reading] = {OLD: old, NEW: new}
    answers = [
        attrs.evolve(answer, name=version)
        for version, reading in versions.items()
        for answer in reading.submissions
        if answer.name == name
    ]
    if len(answers) == 1:
        raise DataError(f"only one version of '{name}' has the task '{new.name}'", remedy="give the same tasks")
    return attrs.evolve(new, submissions=tuple(answers), may_be_unanswered=True)


POWER = 0.8  # the chance with which a loss of the stated size is found


@frozen(kw_only=True)
class Judgment:
    """Whether a submission is worse than it was under the primary metric over all tasks, by more than is allowed."""

    submission: str
    metric: str
    old: float
    new: float
    loss: float  # how much worse the new score is; negative if it is better
    least_loss: float  # the loss is larger than this with confidence 1 - alpha: the lower end of a one-sided interval
    allowed: float
    worse: bool  # whether `least_loss` is above `allowed`
    detectable: float  # the loss that would have been found with the chance `POWER`
    # on the same units, by the jackknife; or from two intervals, as if the scores were independent
    method: Literal["paired", "intervals"]


def submissions_to_judge(old: Evaluation, new: Evaluation, names: Sequence[str] = ()) -> list[str]:
    """Return the submissions that are judged: those that are named, by default all of the new result that have ranks.

    Both results must have them, and the same primary metric.
    """
    if old.primary != new.primary:
        what = f"the primary metrics differ: {old.primary} and {new.primary}"
        raise DataError(what, remedy="evaluate both by the same profile")
    before, after = ({s.name for s in evaluation.submissions} for evaluation in (old, new))
    for name in names:
        if name not in before | after:
            raise UnknownNameError("submission", name, before | after)
    chosen = list(names) or [s.name for s in new.submissions if s.kind in ("real", "unofficial") and s.name in before]
    for name in chosen:
        for present, which in ((before, "old"), (after, "new")):
            if name not in present:
                raise DataError(f"submission '{name}' is not in the {which} result", remedy="name one that both have")
    if not chosen:
        raise DataError("the two results have no submission in common", remedy="name submissions alike in both")
    return chosen


def judge_by_intervals(
    old: Evaluation, new: Evaluation, names: Sequence[str], allowed: float, *, alpha: float = 0.05
) -> list[Judgment]:
    """Judge submissions by the scores and the intervals of two results; `alpha` is the chance of a false alarm.

    The distances from a score to the ends of its interval are brought to the level alpha by normal quantiles, and the
    bound of the difference is the root of the sum of their squares (Zou and Donner, 2008). It is exact for independent
    normal scores, and careful for scores on the same gold, which are positively correlated: the paired test finds
    smaller losses.
    """
    from scipy.special import ndtri

    higher = new.higher_is_better[new.primary]
    judged = []
    for name in names:
        results = [s.scores[e.primary] for e in (old, new) for s in e.submissions if s.name == name]
        _check_defined(name, results)
        if any(math.isnan(result.low) or math.isnan(result.high) for result in results):
            what = f"the score of '{name}' has no interval, and no data were given: the loss cannot be judged"
            remedy = (
                "give results with intervals"
                if new.parts
                else "give --data OLD NEW, or results of profiles with intervals"
            )
            raise DataError(what, remedy=remedy)
        confidence = [float(e.signature.rules.get("confidence", 0.95)) for e in (old, new)]
        scales = [ndtri(1 - alpha) / ndtri((1 + c) / 2) for c in confidence]
        worst, best = _ends(results[0], scales[0], higher), _ends(results[1], scales[1], higher)
        sign = 1 if higher else -1
        loss = sign * (results[0].value - results[1].value)
        spread = math.hypot(worst[0], best[1])
        error = spread / float(ndtri(1 - alpha))
        detectable = minimum_detectable_difference(error, alpha=2 * alpha, power=POWER)
        judged.append(_judgment(name, new.primary, results, loss, spread, allowed, float(detectable), "intervals"))
    return judged


def judge_by_data(
    resolved: ResolvedProfile,
    old: Sequence[Reading],
    new: Sequence[Reading],
    names: Sequence[str],
    allowed: float,
    *,
    alpha: float = 0.05,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[Judgment]:
    """Judge submissions by both versions of their answers on the same units: a paired test by the jackknife.

    Refused are other tasks or golds, undefined scores, and scores that are not smooth in the weights of units.
    """
    if resolved.parts:
        raise DataError(
            "a task set cannot be judged from its data", remedy="leave out --data: the intervals are then compared"
        )
    pairs = same_tasks(old, new)
    return [_judge(resolved, pairs, name, allowed, alpha=alpha, seed=seed, runner=runner or Runner()) for name in names]


def _judge(
    resolved: ResolvedProfile,
    pairs: Sequence[tuple[Reading, Reading]],
    name: str,
    allowed: float,
    *,
    alpha: float,
    seed: int,
    runner: Runner,
) -> Judgment:
    from scipy.special import stdtrit

    tasks = [align(both_versions(*pair, name), missing=resolved.profile.missing) for pair in pairs]
    scoreboard = scoreboard_of(resolved, tasks, seed, runner)
    if scoreboard is None:
        raise DataError(f"submission '{name}' has no answers in the data", remedy="give the data of the results")
    contest = scoreboard.contests[0]
    metric = resolved.metrics[0]
    if not contest.smooth:
        what = f"{metric.name} is not smooth in the weights of units: the loss cannot be judged from the data"
        raise DataError(what, remedy="leave out --data: the intervals are then compared")
    order = [submission.name for submission in scoreboard.submissions]
    oriented = dict(zip(order, contest.oriented, strict=True))
    results = [Result(value=float(contest.sign * oriented[version])) for version in (OLD, NEW)]
    _check_defined(name, results)
    differences = jackknife_of_pairs(contest, "identity")
    error, freedom = float(differences.error[0]), float(differences.freedom[0])
    loss = float(oriented[OLD] - oriented[NEW])
    if math.isnan(error) and loss:
        what = f"the loss of '{name}' has no standard error: too few units, or a score that one unit makes undefined"
        raise DataError(what, remedy="judge by more units")
    spread = 0.0 if not error > 0 else float(stdtrit(freedom, 1 - alpha)) * error
    detectable = float(minimum_detectable_difference(error, freedom, alpha=2 * alpha, power=POWER)) if spread else 0.0
    return _judgment(name, metric.name, results, loss, spread, allowed, detectable, "paired")


def _judgment(
    name: str,
    metric: str,
    results: Sequence[Result],
    loss: float,
    spread: float,
    allowed: float,
    detectable: float,
    method: Literal["paired", "intervals"],
) -> Judgment:
    return Judgment(
        submission=name,
        metric=metric,
        old=results[0].value,
        new=results[1].value,
        loss=loss,
        least_loss=loss - spread,
        allowed=allowed,
        worse=loss - spread > allowed,
        detectable=allowed + detectable,
        method=method,
    )


def _check_defined(name: str, results: Sequence[Result]) -> None:
    for which, result in zip((OLD, NEW), results, strict=True):
        if math.isnan(result.value):
            raise DataError(f"the {which} score of '{name}' is undefined: the loss cannot be judged")


def _ends(result: Result, scale: float, higher: bool) -> tuple[float, float]:
    """Return how far a score could be towards the worse and towards the better end, at the wanted level."""
    down, up = scale * (result.value - result.low), scale * (result.high - result.value)
    return (down, up) if higher else (up, down)
