"""The evaluation of a corpus, put together from its sums."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.additions.notices import on_look_alike_names
from qeframe.additions.warnings_on_results import (
    on_negative_correlations,
    on_undefined,
    remarks_on_family,
    remarks_on_test,
    remarks_on_validity,
)
from qeframe.core.batches.base import Batch, BoolArray, FloatArray, IntArray
from qeframe.core.components.checks.significance import interval
from qeframe.core.components.comparable import Comparable, Scheme, ordered_pairs
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import SignificanceTest
from qeframe.core.errors import CapabilityError
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.comparison import better_of, compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules, check_capability, comparison_rules
from qeframe.core.evaluation.result import Evaluation, Result, Signature
from qeframe.core.evaluation.run import evaluation_of, ranked, sorted_by_rank
from qeframe.core.evaluation.signature import make_signature
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.resampling.standard_errors.working_scale import IntervalScale, WorkingScale
from qeframe.core.resampling.statistic import Score
from qeframe.core.tasks.task import Submission
from qeframe.streaming.chunk_counts import UNITS_IN_CHUNK
from qeframe.streaming.first_pass import NOT_LOOKED_FOR, Survey, notices_of_chunks
from qeframe.streaming.second_pass import Drawing, Sums
from qeframe.streaming.sides import Sides


@frozen(kw_only=True, eq=False)
class StreamedComparable(Comparable):
    """The submissions of a corpus under one metric. `Comparable` documents what the methods return.

    What needs all units at a time (exchanges, the jackknife, values of units) is refused with a `CapabilityError`.

    `oriented` (S,). `drawn` (draws, S): the oriented scores of every draw.
    """

    metric: Metric
    oriented: FloatArray
    units: int
    drawn: Mapping[Drawing, FloatArray]

    @property
    def sign(self) -> float:
        """1 if higher is better, else -1."""
        return 1.0 if self.metric.higher_is_better else -1.0

    @property
    def smooth(self) -> bool:
        """Whether the metric is smooth in the weights of units."""
        return self.metric.smooth

    @property
    def working_scale(self) -> WorkingScale:
        """The working scale of the metric."""
        return self.metric.working_scale

    @property
    def interval_scale(self) -> IntervalScale:
        """The interval scale of the metric."""
        return self.metric.interval_scale or self.metric.working_scale

    @cached_property
    def pairs(self) -> tuple[IntArray, IntArray]:
        """The positions of both submissions of every unordered pair, the better first."""
        return ordered_pairs(self.oriented)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of units, as a tuple of one."""
        return (self.units,)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        """Return the oriented scores of every draw."""
        return self.drawn[Drawing(draws, scheme)]

    def lacking(self, what: str) -> CapabilityError:
        """Return the error that refuses what needs all units at a time."""
        how = "as test and interval, 'bootstrap(draws=1000)' can"
        return CapabilityError(f"the {what} cannot be computed in chunks; {how}")


@frozen(kw_only=True, eq=False)
class _Probe(StreamedComparable):
    """Made-up submissions in the place of those to come: they note which draws are asked for."""

    asked: list[Drawing] = field(factory=list)

    def resample(self, draws: int, scheme: Scheme = "multinomial") -> FloatArray:
        self.asked.append(Drawing(draws, scheme))
        return self.oriented + np.random.default_rng(0).normal(size=(draws, len(self.oriented)))


def drawings_asked_for(
    metrics: Sequence[Metric], rules: ComparisonRules | None, intervals: SignificanceTest | None, confidence: float
) -> tuple[Drawing, ...]:
    """Return the draws that a test, its correction and intervals ask for, by trying them on two made-up submissions.

    Raises CapabilityError if one of them needs what cannot be computed in chunks.
    """
    asked: list[Drawing] = []
    for metric in metrics:
        probe = _Probe(metric=metric, oriented=np.array([0.5, 0.0]), units=1000, drawn={}, asked=asked)
        if rules is not None:
            compare_pairs(probe, ["a", "b"], rules, metric=metric.name)
        if intervals is not None:
            interval(intervals, probe, confidence)
    return tuple(dict.fromkeys(asked))


_VALID = "a two-sided test with the correction holm limits it"
"""The rules of a corpus, which has no profile, where its own are not valid."""


@frozen(kw_only=True, eq=False)
class Rules:
    """How the submissions of a corpus are compared.

    `comparison`: None for a single submission. `drawings`: the draws that test and intervals ask for.
    """

    resolved: ResolvedProfile
    comparison: ComparisonRules | None
    intervals: SignificanceTest | None
    drawings: tuple[Drawing, ...]


def rules_of(resolved: ResolvedProfile, submissions: int) -> Rules:
    """Return the rules by which a corpus is evaluated.

    Raises CapabilityError if the test, its correction or the intervals need what cannot be computed in chunks.
    """
    comparison = comparison_rules(resolved, resolved.test) if submissions > 1 else None
    if comparison is not None:
        check_capability(resolved.metrics[0], comparison.test)
    asked = drawings_asked_for(resolved.metrics, comparison, resolved.interval, resolved.profile.confidence)
    return Rules(resolved=resolved, comparison=comparison, intervals=resolved.interval, drawings=asked)


@frozen(kw_only=True, eq=False)
class _Board:
    """The submissions under all metrics."""

    metrics: tuple[Metric, ...]
    submissions: tuple[Submission, ...]
    comparables: tuple[StreamedComparable, ...]


def assembled(
    sides: Sides,
    rules: Rules,
    survey: Survey,
    sums: Sums,
    functions: Sequence[Score],
    *,
    name: str,
    seed: int,
    registry: Registry,
) -> Evaluation:
    """Return the evaluation of a corpus.

    `sums`: over all chunks.
    `functions`: from sums to scores, for each metric.
    `name`: what results call the corpus.
    """
    resolved, metrics = rules.resolved, rules.resolved.metrics
    comparables = tuple(_comparables(metrics, functions, sums, rules.drawings))
    ends = [_interval(rules, comparable) for comparable in comparables]
    board = _Board(
        metrics=metrics,
        submissions=tuple(Submission(submission) for submission in sides.submissions),
        comparables=comparables,
    )
    results = [_results(comparable, low, high) for comparable, (low, high, _) in zip(comparables, ends, strict=True)]
    comparisons, better = _compared(board, rules)
    by_rank = ranked(
        board.submissions,
        {metric.name: of_metric for metric, of_metric in zip(metrics, results, strict=True)},
        resolved.ranking,
        comparables[0].oriented,
        ends[0][2] if rules.intervals else None,
        better,
        sets=rules.comparison is not None and rules.comparison.controls_any_error,
    )
    return evaluation_of(
        resolved.profile,
        {metric.name: metric.higher_is_better for metric in metrics},
        signature=signature_of(sides, rules, survey, name, seed, registry),
        submissions=sorted_by_rank(by_rank, metrics[0].name, comparables[0].sign),
        comparisons=tuple(comparisons),
        tasks={name: {}},
        warnings=tuple(_warnings(board, rules, results, comparisons, survey, name, sides.kind, registry)),
    )


def _comparables(
    metrics: Sequence[Metric], functions: Sequence[Score], sums: Sums, drawings: Sequence[Drawing]
) -> Iterator[StreamedComparable]:
    scores = sums.scores(functions, metrics)
    drawn = {drawing: sums.drawn_scores(drawing, functions, metrics) for drawing in drawings}
    for nth, metric in enumerate(metrics):
        sign = 1.0 if metric.higher_is_better else -1.0
        of_metric: Mapping[Drawing, FloatArray] = {d: sign * np.ascontiguousarray(s[nth].T) for d, s in drawn.items()}
        yield StreamedComparable(metric=metric, oriented=sign * scores[nth], units=sums.units, drawn=of_metric)


def _interval(rules: Rules, comparable: StreamedComparable) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the ends of the oriented intervals and their draws; NaN without intervals, or with a single unit."""
    none = np.full(len(comparable.oriented), np.nan)
    if rules.intervals is None:
        return none, none, none[None]
    low, high, draws = interval(rules.intervals, comparable, rules.resolved.profile.confidence)
    return (low, high, draws) if comparable.units > 1 else (none, none, draws)


def _results(comparable: StreamedComparable, low: FloatArray, high: FloatArray) -> list[Result]:
    """Return the scores as the metric states them, with their intervals."""
    first, last = (low, high) if comparable.sign > 0 else (-high, -low)
    values = comparable.sign * comparable.oriented
    return [
        Result(value=float(value) + 0.0, low=float(start) + 0.0, high=float(end) + 0.0)
        for value, start, end in zip(values, first, last, strict=True)
    ]


def _compared(board: _Board, rules: Rules) -> tuple[list[Comparison], BoolArray | None]:
    if rules.comparison is None:
        return [], None
    names = [submission.name for submission in board.submissions]
    compared = compare_pairs(board.comparables[0], names, rules.comparison, metric=board.metrics[0].name)
    return compared, better_of(compared, names)


def signature_of(sides: Sides, rules: Rules, survey: Survey, name: str, seed: int, registry: Registry) -> Signature:
    """Return the signature of the evaluation of a corpus."""
    signature = make_signature(rules.resolved, [], seed, registry)
    return attrs.evolve(
        signature,
        rules={**signature.rules, "chunks": _scheme(rules.drawings), "not looked for": NOT_LOOKED_FOR},
        units={name: f"{survey.units} x {sides.kind.unit}"},
        inputs=survey.inputs,
    )


def _scheme(drawings: Sequence[Drawing]) -> str:
    """Return how counts are drawn chunk by chunk; the test states how many draws there are."""
    drawn = {
        "multinomial": f"counts of chunks of {UNITS_IN_CHUNK} units, whose totals are multinomial",
        "poisson": "Poisson counts by the ids of units",
    }
    return "; ".join(drawn[scheme] for scheme in dict.fromkeys(drawing.scheme for drawing in drawings))


def _warnings(
    board: _Board,
    rules: Rules,
    results: Sequence[Sequence[Result]],
    comparisons: Sequence[Comparison],
    survey: Survey,
    name: str,
    kind: type[Batch],
    registry: Registry,
) -> Iterator[str]:
    """Yield what limits the results, and what submissions are, in the words of an evaluation in memory."""
    if survey.gold_warning:
        yield f"{name}: {survey.gold_warning}"
    yield from on_look_alike_names([submission.name for submission in board.submissions])
    signs = all(metric.vectors is None for metric in board.metrics)
    seen = notices_of_chunks(survey.noticed, survey.digests[1:], survey.units, kind.unit, signs=signs)
    yield from (f"{name}: {notice}" for notice in seen)
    if rules.comparison is not None:
        yield from remarks_on_family(rules.comparison, comparisons)
        yield from remarks_on_validity(rules.comparison, None, _VALID)
        yield from remarks_on_test(rules.comparison, board.comparables[0])
    yield from on_undefined(board, results, comparisons, registry)
    yield from on_negative_correlations(board, results)
