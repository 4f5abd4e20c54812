"""The laws of a metric's claims: a metric must not make a claim that it does not keep.

Every claim has a law. A metric may make the claims whose laws exist for its kind of batch. All cases of `tie_neutral`
are computed; the other laws search for a counterexample. Every example is computed exactly: honest chance is the mean
over *all* ways to give the gold's answers to the units.
"""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.core.batch import Batch, IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.metric import Metric
from qeframe.testing.laws.law import BreachError, Law, claiming, drawn_from
from qeframe.testing.laws.metric import score
from qeframe.testing.laws.tie import TIE_EXPLOITS, tie_neutral_metric


def oriented(metric: Metric, batch: Batch) -> float:
    """Return the score, turned so that higher is better."""
    return score(metric, batch) if metric.higher_is_better else -score(metric, batch)


def expected_oriented_score(metric: Metric, kind: BatchKind, batch: Batch, answers: Any) -> float:
    """Return the mean oriented score of answers over all ways to give them to the units.

    Answers that are given to the units at random are independent of the gold.

    Returns
    -------
    float
        The mean of the defined scores, since an attack with an undefined score has failed; NaN if none is defined.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Metric, Scores
    >>> from qeframe.testing import expected_oriented_score, kind_of
    >>> mae = qeframe.load().get(Metric, "mae")
    >>> expected_oriented_score(mae, kind_of(Scores), Scores.from_plain([1, 3], [1, 3]), np.array([2.0, 2.0]))
    -1.0
    """
    assert kind.with_answers is not None
    assert kind.rearrangements is not None
    scores = [oriented(metric, kind.with_answers(batch, given)) for given in kind.rearrangements(batch, answers)]
    defined = [value for value in scores if not np.isnan(value)]
    return float(np.mean(defined)) if defined else np.nan


def honest_chance(metric: Metric, kind: BatchKind, batch: Batch) -> float:
    """Return the mean oriented score of the gold's own answers over all ways to give them to the units.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric, Scores
    >>> from qeframe.testing import honest_chance, kind_of
    >>> mae = qeframe.load().get(Metric, "mae")
    >>> honest_chance(mae, kind_of(Scores), Scores.from_plain([1, 3], [1, 3]))
    -1.0
    """
    assert kind.gold_answers is not None
    return expected_oriented_score(metric, kind, batch, kind.gold_answers(batch))


_SLACK = 1e-9
_WIDE = 1e-6
"""After a shift by a million, numbers have fewer correct digits."""

_CONSTANT = "Hand in the same answer for every unit, without looking at the data."


def _drawn(kind: BatchKind, **sizes: int) -> SearchStrategy[tuple[Any, ...]]:
    return drawn_from(kind, complete=True, submissions=1, **sizes)


def _batch_examples(_metric: Metric, kind: BatchKind) -> SearchStrategy[tuple[Any, ...]]:
    return _drawn(kind, min_units=2, max_units=5)


@st.composite
def _with_all_but_a_unit_right(draw: DrawFn, _metric: Metric, kind: Any) -> tuple[Batch]:
    """Draw a batch, a quarter of them of a unit again and again, right but for once: numbers are rarely equal."""
    (batch,) = draw(_drawn(kind, min_units=2, max_units=5))
    if kind.corrections is not None and draw(st.integers(0, 3)) == 3:
        batch = batch.take(np.zeros(len(batch), dtype=np.int64))
        for unit in range(1, len(batch)):
            for answers in [*kind.corrections(batch, unit)][-1:]:
                batch = kind.with_answers(batch, answers)
    return (batch,)


@st.composite
def _rescaled(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[Batch, float, int]:
    (batch,) = draw(_drawn(kind, min_units=2))
    exponent = draw(st.integers(-6, 6))
    return batch, draw(st.sampled_from((1.0, -1.0))) * 10.0**exponent, draw(st.integers(-(10**6), 10**6))


@st.composite
def _unit_of(draw: DrawFn, _metric: Metric, kind: BatchKind) -> tuple[Batch, int]:
    (batch,) = draw(_drawn(kind))
    return batch, draw(st.integers(0, len(batch) - 1))


def _plain(kind: Any, batch: Batch) -> dict[str, Any]:
    return dict(kind.plain(batch)) if kind.plain is not None else {"batch": batch}


def _gold_and(kind: Any, batch: Batch, **answers: Any) -> dict[str, Any]:
    """Return the gold in plain values, and answers under names of their own."""
    shown = {name: value for name, value in _plain(kind, batch).items() if name != "predicted"}
    for name, given in answers.items():
        shown[name] = _plain(kind, kind.with_answers(batch, given)).get("predicted", given)
    return shown


def _plain_score(metric: Metric, oriented_score: float) -> str:
    """Return a score as the metric gives it."""
    return f"{oriented_score if metric.higher_is_better else 0.0 - oriented_score:.6g}"


def _change(metric: Metric, before: float, after: float) -> str:
    return f"from {_plain_score(metric, before)} to {_plain_score(metric, after)}"


def _constant_proof(metric: Metric, kind: Any, batch: Batch) -> None:
    _no_constant_above(metric, kind, batch, honest_chance(metric, kind, batch))


def _no_constant_above(metric: Metric, kind: Any, batch: Batch, chance: float) -> None:
    for answers in kind.constants(batch):
        constant = oriented(metric, kind.with_answers(batch, answers))
        if constant > chance + _SLACK:
            values = _gold_and(kind, batch, constant=answers)
            what = f"a constant answer scores {_plain_score(metric, constant)}, honest chance"
            raise BreachError(f"{what} {_plain_score(metric, chance)}", exploit=_CONSTANT, **values)


def _blind_proof(metric: Metric, kind: Any, batch: Any) -> None:
    chance = honest_chance(metric, kind, batch)
    _no_constant_above(metric, kind, batch, chance)
    expected = expected_oriented_score(metric, kind, batch, batch.predicted)
    if expected > chance + _SLACK:
        what = f"answers in random order score {_plain_score(metric, expected)} on average, honest chance"
        values = _gold_and(kind, batch, answers=batch.predicted)
        raise BreachError(f"{what} {_plain_score(metric, chance)}", **values)


def _location_scale_invariant(metric: Metric, kind: Any, batch: Batch, scale: float, shift: int) -> None:
    rescaled = score(metric, kind.with_answers(batch, kind.rescaled(batch, scale, shift)))
    expected = np.sign(scale) * score(metric, batch)
    if not np.isclose(rescaled, expected, rtol=_WIDE, atol=_WIDE, equal_nan=True):
        changed = f"after {shift} is added to all answers and they are multiplied by {scale:g}"
        what = f"{changed}, the score is {rescaled:.6g}, not {expected:.6g}"
        raise BreachError(what, **_plain(kind, batch), scale=scale, shift=shift)


def _monotone(metric: Metric, kind: Any, batch: Any, unit: int) -> None:
    before = oriented(metric, batch)
    for answers in kind.corrections(batch, unit):
        after = oriented(metric, kind.with_answers(batch, answers))
        if after < before - _SLACK:
            what = f"correcting the answer of unit {unit} worsens the score {_change(metric, before, after)}"
            raise BreachError(what, **_gold_and(kind, batch, before=batch.predicted, after=answers))


def _padding_proof(metric: Metric, kind: Any, batch: Any, unit: int) -> None:
    before = oriented(metric, batch)
    for answers in kind.padded(batch, unit):
        after = oriented(metric, kind.with_answers(batch, answers))
        if after > before + _SLACK:
            what = f"words of no reference, appended to unit {unit}, improve the score {_change(metric, before, after)}"
            raise BreachError(what, **_gold_and(kind, batch, before=batch.predicted, after=answers))


def _abstention_proof(metric: Metric, kind: Any, batch: Any) -> None:
    if kind.may_abstain:
        batch = batch.take(_honest_units(metric, kind, batch))
    before = oriented(metric, batch)
    for unit in range(len(batch)):
        answers = kind.without_answer(batch, unit)
        after = oriented(metric, kind.with_answers(batch, answers))
        if after > before + _SLACK:
            what = f"giving no answer to unit {unit} improves the score {_change(metric, before, after)}"
            raise BreachError(what, **_gold_and(kind, batch, before=batch.predicted, after=answers))


def _honest_units(metric: Metric, kind: BatchKind, batch: Batch) -> IntArray:
    """Return the units on which a submission is no worse than chance: abstaining there must not raise the score."""
    alone = [batch.take(np.array([unit])) for unit in range(len(batch))]
    gains = [oriented(metric, constant) - honest_chance(metric, kind, constant) for constant in alone]
    return np.flatnonzero(np.array(gains) >= -_SLACK)


def _tie_neutral(metric: Metric, kind: Any) -> None:
    tie_neutral_metric(metric, kind.from_relations)


CLAIM_LAWS: tuple[Law[Metric], ...] = (
    Law(
        name="constant_proof",
        states="no constant submission scores above honest chance",
        examples=_batch_examples,
        holds=_constant_proof,
        concerns=claiming("constant_proof"),
        needs=("with_answers", "gold_answers", "rearrangements", "constants"),
        exploit=_CONSTANT,
        slow=True,
    ),
    Law(
        name="blind_proof",
        states="answers that are independent of the gold do not score above honest chance on average",
        examples=_batch_examples,
        holds=_blind_proof,
        concerns=claiming("blind_proof"),
        needs=("with_answers", "gold_answers", "rearrangements", "constants"),
        exploit="Hand in these answers in any order, without looking at the data.",
        slow=True,
    ),
    Law(
        name="tie_neutral",
        states="a tie counts the mean of both orders, whatever the human said",
        holds=_tie_neutral,
        concerns=claiming("tie_neutral"),
        needs=("from_relations",),
        exploit=TIE_EXPLOITS["dear"],
        exact=True,
    ),
    Law(
        name="location_scale_invariant",
        states="a shift or a positive scale leaves the score, a negative scale negates it",
        examples=_rescaled,
        holds=_location_scale_invariant,
        concerns=claiming("location_scale_invariant"),
        needs=("with_answers", "rescaled"),
        exploit="Shift or rescale the answers, such as towards their mean: the score changes without new information.",
    ),
    Law(
        name="abstention_proof",
        states="giving no answer where the submission is no worse than chance does not improve the score",
        examples=_with_all_but_a_unit_right,
        holds=_abstention_proof,
        concerns=claiming("abstention_proof"),
        needs=("with_answers", "gold_answers", "rearrangements", "without_answer"),
        exploit="Give no answer, or one without any order, to the units that you are least sure of.",
    ),
    Law(
        name="padding_proof",
        states="appending words found in no reference does not improve the score",
        examples=_unit_of,
        holds=_padding_proof,
        concerns=claiming("padding_proof"),
        needs=("with_answers", "padded"),
        exploit="Append words to the output: the score improves though none of them is right.",
    ),
    Law(
        name="monotone",
        states="correcting one answer does not worsen the score",
        examples=_unit_of,
        holds=_monotone,
        concerns=claiming("monotone"),
        needs=("with_answers", "corrections"),
        exploit="Do not correct every answer: correcting this one worsens the score.",
    ),
)
"""The laws of claims. A law concerns the metrics that make the claim."""
