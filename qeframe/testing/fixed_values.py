"""The values of components on fixed inputs, smallest first: a lock records them."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from random import Random
from typing import Any, get_args

import attrs
import numpy as np
from attrs import frozen

from qeframe.api.attacks import answer
from qeframe.core import significance
from qeframe.core.batch import Batch, FloatArray
from qeframe.core.component import Component, at_work
from qeframe.core.contest import Contest
from qeframe.core.errors import CapabilityError, PluginError, QeframeError
from qeframe.core.exchange import AxisExchange
from qeframe.core.metric import Attack, Metric, TiePolicy
from qeframe.core.metric_calls import details, score_of
from qeframe.core.ranking import Aggregation, RankingInput, RankingRule, aggregate, rank
from qeframe.core.significance import Correction, Pairwise, Sided, SignificanceTest
from qeframe.kinds.drawing import beside_thresholds, fixed_numbers
from qeframe.kinds.judgments.batch import RELATIONS
from qeframe.kinds.registered import find_kind, kind_named
from qeframe.testing.laws.metric import exchange_of
from qeframe.testing.laws.probes import (
    SIZES,
    degenerate_submissions,
    fixed_submissions,
    off_grid_contests,
    off_grid_submissions,
    probed,
    trial_of,
)

_DIGITS = 9
_CLOSE = 1e-8
_ZERO = 1e-12
_MANY = 100


@frozen(kw_only=True)
class Fixed:
    """One fixed input of a component.

    `name`: Such as ``scores-5``: five units.
    `compute`: Returns the component's value on it.
    `plain`: the input in plain values.
    """

    name: str
    compute: Callable[[], Any]
    plain: Mapping[str, Any]

    @property
    def value(self) -> str:
        """The value with nine significant digits; a text as it is; a digest of other values, and of over 100 numbers.

        Raises PluginError if the component fails, or returns what it must not.
        """
        try:
            value = self.compute()
        except PluginError:
            raise
        except QeframeError as error:
            return type(error).__name__
        if isinstance(value, str):
            return value
        try:
            numbers = np.asarray(value, dtype=np.float64).ravel().tolist()
        except (TypeError, ValueError):
            return digest(json.dumps(_rounded(value)))
        text = " ".join(map(_number, numbers))
        return text if len(numbers) <= _MANY else digest(text)


def _rounded(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_rounded(part) for part in value]
    if isinstance(value, Mapping):
        return {name: _rounded(part) for name, part in value.items()}
    return _number(value) if isinstance(value, float) else value


def _number(value: float) -> str:
    return "0" if abs(value) < _ZERO else f"{value:.{_DIGITS}g}"


def digest(text: str) -> str:
    """Return a short digest."""
    return "#" + hashlib.sha256(text.encode()).hexdigest()[:16]


def same_value(before: str, after: str) -> bool:
    """Return whether two values are equal up to the last digits, in which rounding may differ."""
    if before == after:
        return True
    try:
        pairs = list(zip(map(float, before.split()), map(float, after.split()), strict=True))
    except ValueError:
        return False
    return all(math.isclose(a, b, rel_tol=_CLOSE, abs_tol=_ZERO) or (a != a and b != b) for a, b in pairs)


def _plain(batch: Batch) -> Mapping[str, Any]:
    kind = find_kind(type(batch))
    return {} if kind is None or kind.plain is None else kind.plain(batch)


_UNDESCRIBED = {"name", "summary", "source", "formula", "symbols", "measured", "left_out", "settings"}


def _declared(component: Component) -> Iterator[Fixed]:
    """Yield in words what a component declares beside its functions, such as its bounds."""
    stated = {field.name: getattr(component, field.name) for field in attrs.fields(type(component))}
    shown = {
        name: f"{name}={sorted(value) if isinstance(value, frozenset) else value}"
        for name, value in ((name, dict(it) if isinstance(it, Mapping) else it) for name, it in stated.items())
        if name not in _UNDESCRIBED
        and isinstance(value, (str, int, float, tuple, frozenset, dict))
        and value not in ("", (), {})
    }
    yield Fixed(name="declared", compute=partial("; ".join, shown.values()), plain={})


def _of_metric(metric: Metric) -> Iterator[Fixed]:
    for name, (batch, *_) in fixed_submissions(metric.kind).items():
        yield Fixed(name=name, compute=partial(score_of, metric, batch), plain=_plain(batch))
    for name, batch in degenerate_submissions(metric.kind).items():
        yield Fixed(name=name, compute=partial(score_of, metric, batch), plain=_plain(batch))
    for name, batches in off_grid_submissions(metric.kind).items():
        yield Fixed(name=name, compute=partial(_all_of, metric, batches), plain=_plain(batches[0]))


def _all_of(metric: Metric, batches: Sequence[Batch]) -> Any:
    """Return scores, under weights and after exchanges too, and sums of the further results of a metric."""
    with at_work(metric, "bind"):
        first = batches[0]
        numbers = np.arange(len(first))
        statistics = [metric.bind(batch) for batch in batches]
        weights = np.stack([np.ones(len(first)), numbers * 7 % 5 % 4, numbers * 11 % 7 < 3]).astype(np.float64)
        scores = np.array([[statistic(weight) for weight in weights] for statistic in statistics])
        parts = [scores.ravel(), _differences(metric, tuple(batch.take(numbers[::5]) for batch in batches))]
        if hasattr(statistics[0], "jackknife"):
            parts.append(_sums(statistics[0].jackknife()))
        more = metric.details and partial(details, metric)
        for offered in (metric.vectors, metric.per_unit, metric.outcomes, more):
            try:
                parts.append(_sums([] if offered is None else offered(first)))
            except PluginError:
                raise
            except (QeframeError, ImportError):  # refused for this batch, or it needs a library that is not installed
                parts.append(np.array([np.nan]))
        return np.concatenate(parts)


_AXES = (("cell", False), ("cell", True), ("system", False), ("pair", False))


def _differences(metric: Metric, batches: tuple[Batch, ...]) -> FloatArray:
    """Return the differences after some exchanges: of units, and along the other axes that a metric offers."""
    exchanges = [exchange_of(metric, batches)]
    if isinstance(exchanges[0], AxisExchange):
        for axis, standardize in _AXES:
            with suppress(CapabilityError):
                exchanges.append(exchanges[0].along(axis, standardize=standardize))
    differences = []
    for exchange in exchanges:
        masks = np.stack([np.arange(exchange.cells) * step % 7 % 2 for step in (3, 5)]).astype(np.uint8)
        differences.append(np.ravel(exchange(masks, np.array([0, 1]), np.array([1, 2]))))
    return np.concatenate(differences)


def _sums(value: Any) -> FloatArray:
    """Return the sum of all numbers within a value, each by a factor of its place; NaN counts as -1, infinity as 99."""
    if isinstance(value, Mapping):
        return np.concatenate([np.zeros(0), *(_sums(part) for part in value.values())])
    if isinstance(value, tuple):
        return np.concatenate([np.zeros(0), *(_sums(part) for part in value)])
    try:
        numbers = np.nan_to_num(np.asarray(value, dtype=np.float64).ravel(), nan=-1.0, posinf=99.0, neginf=-99.0)
    except (TypeError, ValueError):  # names
        return np.zeros(0)
    return np.array([numbers @ np.sqrt(1.0 + np.arange(len(numbers)))])


def _of_policy(policy: TiePolicy) -> Iterator[Fixed]:
    for human, row in zip(RELATIONS, policy.table, strict=True):
        for given, entry in zip(RELATIONS, row, strict=True):
            value = np.nan if entry is None else entry
            yield Fixed(name=f"{human}{given}", compute=partial(float, value), plain={"human": human, "metric": given})


def _of_test(test: SignificanceTest) -> Iterator[Fixed]:
    for name, batches in fixed_submissions(probed(test)[0].kind).items():
        plain = {f"submission {i}": dict(_plain(batch)) for i, batch in enumerate(batches)}
        for sided in sorted(test.sides):
            yield Fixed(name=f"{name} {sided}-sided", compute=partial(_p, test, tuple(batches), sided), plain=plain)
    for probe in probed(test):
        for name, contest in off_grid_contests(probe, smooth=test.needs in ("smooth", "grid")):
            runs = {sided: cache(partial(significance.run, test, contest, sided)) for sided in sorted(test.sides)}
            for sided, run in runs.items():
                yield Fixed(name=f"{name} {sided}-sided", compute=partial(_result, run), plain={})
            yield Fixed(name=f"intervals of {name}", compute=partial(_intervals, test, contest), plain={})
            yield Fixed(name=f"said of {name}", compute=partial(_said, test, contest, runs), plain={})


def _p(test: SignificanceTest, batches: tuple[Batch, ...], sided: Any) -> Any:
    return significance.run(test, trial_of(batches), sided).p


def _result(run: Callable[[], Pairwise]) -> Any:
    """Return sums of p and of the statistics, and the least p."""
    pairwise = run()
    return _sums((pairwise.p, pairwise.statistic, pairwise.least_p))


def _intervals(test: SignificanceTest, contest: Contest) -> Any:
    """Return sums of the ends of intervals of differences, and of scores."""
    of_scores = () if test.interval is None else significance.interval(test, contest, 0.95)[:2]
    return _sums((significance.difference_intervals(test, contest, 0.05), of_scores))


def _said(test: SignificanceTest, contest: Contest, runs: Mapping[Any, Callable[[], Pairwise]]) -> Any:
    """Return what a test says of its results, in words."""
    return [
        [list(run().reasons) for run in runs.values()],
        test.remarks and [list(test.remarks(contest, sided)) for sided in runs],
        test.on_intervals and list(test.on_intervals(contest)),
        test.on_significant and list(test.on_significant(contest, np.arange(len(contest.pairs[0]))).items()),
    ]


def _of_attack(attack: Attack) -> Iterator[Fixed]:
    for name, (batch, *_) in fixed_submissions(attack.kind).items():
        yield Fixed(name=name, compute=partial(_answer, attack, batch), plain=_plain(batch))

    for name, (batch, *_) in off_grid_submissions(attack.kind).items():
        yield Fixed(name=name, compute=partial(_answer, attack, batch), plain=_plain(batch))
        for setting in attack.settings:
            compute = partial(_answer, attack, batch, setting)
            yield Fixed(name=f"{name} {setting}", compute=compute, plain=_plain(batch))


def _answer(attack: Attack, batch: Batch, setting: str = "") -> Any:
    return _plain(answer(attack, batch, np.random.default_rng(0), setting=setting))["predicted"]


def _of_aggregation(rule: Aggregation) -> Iterator[Fixed]:
    for parts in SIZES[:4]:
        scores = np.array(fixed_numbers(Random(f"parts-{parts}"), 3 * parts)).reshape(3, parts)
        weights = np.array([1.0 + 2 * (part % 3) for part in range(parts)])
        plain = {"scores": scores.tolist(), "weights": weights.tolist()}
        yield Fixed(name=f"parts-{parts}", compute=partial(aggregate, rule, scores, weights, True), plain=plain)

    many: FloatArray = np.array([beside_thresholds()[part::4][:60] for part in range(4)]).T.reshape(4, 60)
    many[1, ::7], many[2] = np.nan, many[0]
    for high in (True, False):
        name = f"parts-60 {'high' if high else 'low'}"
        compute = partial(aggregate, rule, many, np.resize([1.0, 2.0, 3.0], 60), high)
        yield Fixed(name=name, compute=compute, plain={"scores": many.tolist()})


def _of_correction(rule: Correction) -> Iterator[Fixed]:
    for size in SIZES:
        rng = Random(f"family-{size}")
        p = np.array([round(rng.random() ** 3, 4) for _ in range(size)])
        yield Fixed(name=f"family-{size}", compute=partial(significance.adjust, rule, p), plain={"p": p.tolist()})

    p = np.array([*beside_thresholds(1.0)[:60], np.nan, 1e-5, 0.0, 1.0, 1.0])
    yield Fixed(name="family-65", compute=partial(significance.adjust, rule, p), plain={"p": p.tolist()})
    if rule.adjust_jointly is not None:
        probes = [probe for name in ("Scores", "Values") if (probe := kind_named(name).probe) is not None]
        for probe in probes:
            for name, contest in off_grid_contests(probe, smooth=False):
                yield Fixed(name=name, compute=partial(_adjusted_jointly, rule, contest), plain={})
                yield Fixed(name=f"said of {name}", compute=partial(_remarks, rule, contest), plain={})


def _adjusted_jointly(rule: Correction, contest: Contest) -> Any:
    pairwise = Pairwise(p=np.resize([0.001, 0.02, 0.03, 0.2, 0.5, 1.0], len(contest.pairs[0])))
    return [significance.adjust_jointly(rule, contest, pairwise, sided) for sided in get_args(Sided)]


def _remarks(rule: Correction, contest: Contest) -> Any:
    return [rule.remarks and list(rule.remarks(contest))]


def _of_ranking(rule: RankingRule) -> Iterator[Fixed]:
    for size in SIZES:
        rng = Random(f"standing-{size}")
        oriented = np.array(fixed_numbers(rng, size, low=0, high=max(2, size)))
        better = np.array([[rng.random() < 0.6 for _ in range(size)] for _ in range(size)])
        given = RankingInput(oriented=oriented, better=better & (oriented[:, None] > oriented[None]))
        plain = {"goodness": oriented.tolist(), "better": given.better.tolist()}
        yield Fixed(name=f"standing-{size}", compute=partial(_ranked, rule, given), plain=plain)

    size, rng = 9, Random("standing with draws")
    oriented = np.array([rng.random() for _ in range(size - 2)] + [0.5, 0.5])
    draws = oriented + np.array([[(rng.random() - 0.5) / 2 for _ in range(size)] for _ in range(40)])
    better = oriented[:, None] > oriented[None] + 0.2
    given = RankingInput(oriented=oriented, better=better, draws=draws)
    yield Fixed(name="standing with draws", compute=partial(_ranked_by_draws, rule, given), plain={})


def _ranked_by_draws(rule: RankingRule, given: RankingInput) -> Any:
    ranking = rank(rule, given)
    parts = (ranking.rank, ranking.cluster, *(ranking.ranges or ()), ranking.shares)
    return np.concatenate([np.ravel(part) for part in parts if part is not None])


def _ranked(rule: RankingRule, given: RankingInput) -> Any:
    ranking = rank(rule, given)
    return np.stack([ranking.rank, ranking.cluster])


_VALUES: Mapping[type[Component], tuple[str, Callable[[Any], Iterator[Fixed]]]] = {
    Metric: ("metric", _of_metric),
    TiePolicy: ("tie policy", _of_policy),
    SignificanceTest: ("significance test", _of_test),
    Attack: ("attack", _of_attack),
    Aggregation: ("aggregation", _of_aggregation),
    Correction: ("correction", _of_correction),
    RankingRule: ("ranking rule", _of_ranking),
}


def word_of(kind: type[Component]) -> str:
    """Return the word for a class of components; empty for a class without numbers, such as readers."""
    return _VALUES[kind][0] if kind in _VALUES else ""


def fixed_values(kind: type[Component], component: Component) -> Iterator[Fixed]:
    """Return the fixed inputs of a component, smallest first; none if its kind of batch has none."""
    yield from _VALUES[kind][1](component)
    yield from _declared(component)
