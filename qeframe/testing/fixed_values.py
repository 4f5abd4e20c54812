"""The values of components on fixed inputs, smallest first: a lock records them."""

import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batches.base import Batch
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.attack import Attack, answer
from qeframe.core.components.checks import significance
from qeframe.core.components.checks.aggregation import aggregate
from qeframe.core.components.checks.metric import score_of
from qeframe.core.components.checks.ranking import rank
from qeframe.core.components.component import Component
from qeframe.core.components.metric import Metric, TiePolicy
from qeframe.core.components.ranking import RankingInput, RankingRule
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.errors import PluginError, QeframeError
from qeframe.kinds.drawing import fixed_numbers
from qeframe.kinds.judgments.batch import RELATIONS
from qeframe.kinds.registered import find_kind
from qeframe.testing.laws.probes import SIZES, fixed_submissions, probed, trial_of

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
        """The value with nine significant digits; a digest of other values than numbers, and of more than 100.

        Raises PluginError if the component fails, or returns what it must not.
        """
        try:
            value = self.compute()
        except PluginError:
            raise
        except QeframeError as error:
            return type(error).__name__
        try:
            numbers = np.asarray(value, dtype=np.float64).ravel().tolist()
        except (TypeError, ValueError):
            return digest(json.dumps(_rounded(value)))
        text = " ".join(map(_number, numbers))
        return text if len(numbers) <= _MANY else digest(text)


def _rounded(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_rounded(part) for part in value]
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


def _of_metric(metric: Metric) -> Iterator[Fixed]:
    for name, (batch, *_) in fixed_submissions(metric.kind).items():
        yield Fixed(name=name, compute=partial(score_of, metric, batch), plain=_plain(batch))


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


def _p(test: SignificanceTest, batches: tuple[Batch, ...], sided: Any) -> Any:
    return significance.run(test, trial_of(batches), sided).p


def _of_attack(attack: Attack) -> Iterator[Fixed]:
    for name, (batch, *_) in fixed_submissions(attack.kind).items():
        yield Fixed(name=name, compute=partial(_answer, attack, batch), plain=_plain(batch))


def _answer(attack: Attack, batch: Batch) -> Any:
    return _plain(answer(attack, batch, np.random.default_rng(0)))["predicted"]


def _of_aggregation(rule: Aggregation) -> Iterator[Fixed]:
    for parts in SIZES[:4]:
        scores = np.array(fixed_numbers(Random(f"parts-{parts}"), 3 * parts)).reshape(3, parts)
        weights = np.array([1.0 + 2 * (part % 3) for part in range(parts)])
        plain = {"scores": scores.tolist(), "weights": weights.tolist()}
        yield Fixed(name=f"parts-{parts}", compute=partial(aggregate, rule, scores, weights, True), plain=plain)


def _of_correction(rule: Correction) -> Iterator[Fixed]:
    for size in SIZES:
        rng = Random(f"family-{size}")
        p = np.array([round(rng.random() ** 3, 4) for _ in range(size)])
        yield Fixed(name=f"family-{size}", compute=partial(significance.adjust, rule, p), plain={"p": p.tolist()})


def _of_ranking(rule: RankingRule) -> Iterator[Fixed]:
    for size in SIZES:
        rng = Random(f"standing-{size}")
        oriented = np.array(fixed_numbers(rng, size, low=0, high=max(2, size)))
        better = np.array([[rng.random() < 0.6 for _ in range(size)] for _ in range(size)])
        given = RankingInput(oriented=oriented, better=better & (oriented[:, None] > oriented[None]))
        plain = {"goodness": oriented.tolist(), "better": given.better.tolist()}
        yield Fixed(name=f"standing-{size}", compute=partial(_ranked, rule, given), plain=plain)


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
    return _VALUES[kind][1](component)
