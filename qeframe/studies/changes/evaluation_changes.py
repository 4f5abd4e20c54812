"""What differs between two evaluations, and which causes their signatures name."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

import attrs
from attrs import frozen

from qeframe.core.display import plain_values
from qeframe.core.errors import DataError
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation, Result, ScoredSubmission, Signature
from qeframe.core.task import Dropped, is_pair

CauseKind = Literal["rule", "data", "left out", "software", "seed"]


@frozen(kw_only=True)
class Cause:
    """A rule, a version, a file or a submission left out that is not the same."""

    kind: CauseKind
    name: str  # the key of a rule, the path of a file, or the name of a submission, a library, a plugin or a program
    old: str  # as text; empty where one side lacks it
    new: str


def find_causes(old: Signature, new: Signature) -> Iterable[Cause]:
    """Yield everything in two signatures that is not the same."""
    yield from _changed("rule", old.rules, new.rules)
    yield from _changed("data", *({i.path: i.sha256 for i in s.inputs} for s in (old, new)))
    yield from _changed("data", *({f"units of {t}": n for t, n in s.units.items()} for s in (old, new)))
    software = (
        {"qeframe": s.qeframe, **s.versions, **s.plugins, "blocked plugins": ", ".join(s.blocked)} for s in (old, new)
    )
    yield from _changed("software", *software)
    yield from _changed("seed", {"seed": old.seed}, {"seed": new.seed})


def all_causes(old: Evaluation, new: Evaluation) -> Iterable[Cause]:
    """Yield everything in the signatures of two evaluations that is not the same, and who was left out of one alone."""
    yield from find_causes(old.signature, new.signature)
    yield from _changed("left out", _left_out(old), _left_out(new))


def _left_out(evaluation: Evaluation) -> dict[str, str]:
    """Return by submission what was left out on request, and why."""
    names = dict.fromkeys(excluded.submission for excluded in evaluation.left_out)
    return {name: "; ".join(e.in_words for e in evaluation.left_out if e.submission == name) for name in names}


def _changed(kind: CauseKind, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[Cause]:
    for name in sorted({*old, *new}):
        texts = [_text(side[name]) if name in side else "" for side in (old, new)]
        if texts[0] != texts[1]:
            yield Cause(kind=kind, name=name, old=texts[0], new=texts[1])


def _text(value: Any) -> str:
    """Return a value of a rule as text; one from JSON and one from Python give the same."""
    plain = plain_values(value)
    if isinstance(plain, dict):
        return ", ".join(f"{key}={_text(plain[key])}" for key in sorted(plain))
    if isinstance(plain, list):
        return ", ".join(map(_text, plain))
    return "" if plain is None else str(plain)


Presence = Literal["both", "added", "removed"]
T = TypeVar("T")


_NO_CHANGE = 1e-9
"""A difference that is a smaller share of the scores is rounding: other versions of libraries sum in another order."""


@frozen(kw_only=True)
class ScoreChange:
    """The score of a submission under one metric, before and after."""

    metric: str
    task: str  # empty for the score over all tasks
    old: Result
    new: Result
    higher_is_better: bool
    # the largest size of a score under the metric, by which rounding is measured
    scale: float

    @property
    def difference(self) -> float:
        """The new score minus the old one, 0 for what arithmetic cannot tell; NaN if one is undefined."""
        difference = self.new.value - self.old.value
        return 0.0 if abs(difference) <= _NO_CHANGE * self.scale else difference

    @property
    def gain(self) -> float:
        """The difference, positive if the score became better."""
        return self.difference if self.higher_is_better else -self.difference

    @property
    def same(self) -> bool:
        """Whether both scores are equal but for rounding, or both are undefined."""
        return self.difference == 0 or (math.isnan(self.old.value) and math.isnan(self.new.value))


@frozen(kw_only=True)
class SubmissionChange:
    """A submission before and after."""

    name: str
    presence: Presence
    rank: tuple[int | None, int | None]  # None where it is absent or listed apart
    cluster: tuple[int | None, int | None]
    # over all tasks, then by task, of what both have; empty unless the submission is in both
    scores: tuple[ScoreChange, ...]

    @property
    def same(self) -> bool:
        """Whether nothing changed."""
        scores = all(score.same for score in self.scores)
        return (
            self.presence == "both" and self.rank[0] == self.rank[1] and self.cluster[0] == self.cluster[1] and scores
        )


@frozen(kw_only=True)
class SignificanceChange:
    """A pair of submissions, in alphabetical order, whose comparison has another outcome."""

    a: str
    b: str
    metric: str
    task: str
    old: str  # the submission that is significantly better, or "" for neither
    new: str
    p_old: float  # adjusted
    p_new: float


@frozen(kw_only=True)
class EvaluationChanges:
    """What differs between two evaluations."""

    causes: tuple[Cause, ...]  # a change of scores without any cannot be explained by what qeframe records
    submissions: tuple[SubmissionChange, ...]  # all of them, in the new order; the removed ones follow
    significance: tuple[SignificanceChange, ...]  # of pairs that both evaluations compared
    not_compared: tuple[str, ...]  # metrics and tasks that only one of the evaluations has, in words
    dropped_added: tuple[Dropped, ...]
    dropped_removed: tuple[Dropped, ...]
    warnings_added: tuple[str, ...]
    warnings_removed: tuple[str, ...]
    primary: str  # the metric by which submissions are judged: that of the new evaluation
    without_digest: tuple[str, ...] = ()  # which of the evaluations has no digest of its rules, in words

    @property
    def same(self) -> bool:
        """Whether scores, ranks, clusters, outcomes, counts and warnings are the same."""
        lists = (self.significance, self.not_compared, self.dropped_added, self.dropped_removed)
        warned = self.warnings_added or self.warnings_removed
        return all(submission.same for submission in self.submissions) and not any(lists) and not warned


def find_changes(old: Evaluation, new: Evaluation) -> EvaluationChanges:
    """Find what differs between two evaluations of the same or of different profiles, by names.

    If both have a single task, its name does not matter: see `with_task_of`.
    """
    old = with_task_of(new, old)
    before, after = ({s.name: s for s in evaluation.submissions} for evaluation in (old, new))
    metrics = [metric for metric in new.metrics if metric in old.metrics]
    names = [*after, *(name for name in before if name not in after)]
    return EvaluationChanges(
        causes=tuple(all_causes(old, new)),
        submissions=tuple(_submission(name, before.get(name), after.get(name), metrics, (old, new)) for name in names),
        significance=tuple(_significance(old.comparisons, new.comparisons)),
        not_compared=tuple(_not_compared(old, new)),
        without_digest=tuple(_without_digest(old.signature, new.signature)),
        dropped_added=tuple(_without(new.dropped, old.dropped)),
        dropped_removed=tuple(_without(old.dropped, new.dropped)),
        warnings_added=tuple(_without(new.warnings, old.warnings)),
        warnings_removed=tuple(_without(old.warnings, new.warnings)),
        primary=new.primary,
    )


def _without_digest(old: Signature, new: Signature) -> Iterable[str]:
    """Yield which result has no digest of its rules, where the other one has."""
    for side, other, what in ((old, new, "old"), (new, old, "new")):
        if other.digest and not side.digest:
            lacks = "no digest of its rules, and does not say who was left out"
            yield f"the {what} result has {lacks}: an earlier release wrote it (qeframe {side.qeframe})"


def check_related(old: Evaluation, new: Evaluation) -> None:
    """Raise a `DataError` if two evaluations have no submission, no metric or no task in common: nothing is compared.

    What one of them lacks altogether, such as submissions, is not asked for.
    """
    old = with_task_of(new, old)
    sides = {
        "submission": tuple([s.name for s in evaluation.submissions] for evaluation in (old, new)),
        "metric": (old.metrics, new.metrics),
        "task": (tuple(old.tasks), tuple(new.tasks)),
    }
    for what, (before, after) in sides.items():
        if before and after and not set(before) & set(after):
            shown = " and ".join(f"{', '.join(n[:3])}{' ...' if len(n) > 3 else ''}" for n in (before, after))
            what = f"the results have no {what} in common: {shown}"
            raise DataError(what, remedy="give two results of the same task; names are compared")


def with_task_of(new: Evaluation, old: Evaluation) -> Evaluation:
    """Return the old evaluation with the name of its task replaced, where both evaluations have a single task.

    Such a name is often that of a folder, and is not a difference. Two names of language pairs are one.
    """
    units = old.signature.units, new.signature.units
    if not len(old.tasks) == len(new.tasks) == len(units[0]) == len(units[1]) == 1 or old.tasks == new.tasks:
        return old
    (was,), (name,) = old.tasks, new.tasks
    if was != name and is_pair(was) and is_pair(name):
        return old
    signature = attrs.evolve(old.signature, units=dict(zip(units[1], units[0].values(), strict=True)))
    dropped = tuple(attrs.evolve(d, task=name) if d.task == was else d for d in old.dropped)
    return attrs.evolve(old, tasks={name: old.tasks[was]}, signature=signature, dropped=dropped)


def _without(items: Sequence[T], others: Sequence[T]) -> Iterable[T]:
    return [item for item in items if item not in others]


def _submission(
    name: str,
    old: ScoredSubmission | None,
    new: ScoredSubmission | None,
    metrics: Sequence[str],
    of: tuple[Evaluation, Evaluation],
) -> SubmissionChange:
    presence: Presence = "both" if old and new else "added" if new else "removed"
    scores: list[ScoreChange] = []
    if old and new:
        for metric in metrics:
            scores += _scores(metric, old.scores.get(metric), new.scores.get(metric), of[1])
    return SubmissionChange(
        name=name,
        presence=presence,
        rank=(_rank(old, of[0]), _rank(new, of[1])),
        cluster=(old.cluster if old else None, new.cluster if new else None),
        scores=tuple(scores),
    )


def _rank(scored: ScoredSubmission | None, evaluation: Evaluation) -> int | None:
    """Return the rank; None for a submission that is absent, or that lacks a task and is listed apart."""
    apart = evaluation.signature.rules.get("partial") == "apart"
    return None if scored is None or (scored.absent and apart) else scored.rank


def _scores(metric: str, old: Result | None, new: Result | None, now: Evaluation) -> Iterable[ScoreChange]:
    if old is None or new is None:
        return
    results = [scored.scores[metric] for scored in now.submissions if metric in scored.scores]
    values = [abs(part.value) for result in results for part in (result, *result.tasks.values())]
    scale = max((value for value in values if math.isfinite(value)), default=0.0)
    overall, within = now.higher_is_better[metric], now.higher_in_tasks.get(metric, now.higher_is_better[metric])
    yield ScoreChange(metric=metric, task="", old=old, new=new, higher_is_better=overall, scale=scale)
    for task in (task for task in new.tasks if task in old.tasks):
        pair = old.tasks[task], new.tasks[task]
        yield ScoreChange(metric=metric, task=task, old=pair[0], new=pair[1], higher_is_better=within, scale=scale)


def _significance(old: Sequence[Comparison], new: Sequence[Comparison]) -> Iterable[SignificanceChange]:
    before, after = ({(*sorted((c.a, c.b)), c.metric, c.task): c for c in side} for side in (old, new))
    for key, now in after.items():
        then = before.get(key)
        if then is None:
            continue
        outcomes = [comparison.a if comparison.significant else "" for comparison in (then, now)]
        if outcomes[0] != outcomes[1]:
            yield SignificanceChange(
                a=key[0],
                b=key[1],
                metric=now.metric,
                task=now.task,
                old=outcomes[0],
                new=outcomes[1],
                p_old=then.p_adjusted,
                p_new=now.p_adjusted,
            )


def _not_compared(old: Evaluation, new: Evaluation) -> Iterable[str]:
    if old.primary != new.primary:
        yield f"the primary metric is {new.primary} and was {old.primary}: ranks and clusters mean something else"
    for what, before, after in (("metric", old.metrics, new.metrics), ("task", tuple(old.tasks), tuple(new.tasks))):
        yield from (f"{what} {name} is only in the new result" for name in after if name not in before)
        yield from (f"{what} {name} is only in the old result" for name in before if name not in after)
    if bool(old.comparisons) != bool(new.comparisons):
        yield f"only the {'new' if new.comparisons else 'old'} result has significance tests"
