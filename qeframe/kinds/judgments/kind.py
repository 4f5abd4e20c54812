"""The kind `Judgments`: human comparisons of two translations, and a metric's scores of both."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind, Relations
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold
from qeframe.kinds.answers import rescaled, with_answer, with_predicted, with_worst_answer
from qeframe.kinds.drawing import beside_thresholds, composite, only, shuffled, whole, whole_numbers
from qeframe.kinds.judgments.batch import RELATIONS, Judgments

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

SIGN: Mapping[str, float] = {"<": 1.0, "=": 0.0, ">": -1.0}
_SYSTEMS = 8
TIE_RATE = 0.2
"""The share of ties in generated human judgments."""


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Judgments) -> Mapping[str, Any]:
    return {"gold": "".join(RELATIONS[1 - sign] for sign in batch.human), "predicted": batch.predicted.tolist()}


def _gold_answers(batch: Judgments) -> FloatArray:
    """Return scores that agree with the human relations, ties included; other pairs differ by more than any epsilon."""
    return np.stack([10.0 * batch.human, np.zeros(len(batch))], axis=1)


def _anonymous(batch: Judgments, positions: Callable[[int], IntArray]) -> Judgments:
    return attrs.evolve(batch, human=batch.human[positions(len(batch))])


def _constants(batch: Judgments) -> list[FloatArray]:
    """Return the scores of a metric that ties all pairs."""
    return [np.zeros((len(batch), 2))]


def _rearrangements(_batch: Judgments, scores: FloatArray) -> Iterator[FloatArray]:
    """Give scores to other judgments, with left and right in either order: sides are unknown without the gold."""
    for shift in range(max(1, len(scores))):
        rolled = np.roll(scores, shift, axis=0)
        for sides in product((False, True), repeat=len(scores)):
            yield np.where(np.array(sides, dtype=np.bool_)[:, None], rolled[:, ::-1], rolled)


def _corrections(batch: Judgments, unit: int) -> Iterator[FloatArray]:
    yield with_answer(batch, unit, _gold_answers(batch)[unit])


def _without_answer(batch: Judgments, unit: int) -> FloatArray:
    return np.asarray(with_worst_answer(unit, batch, batch.human))


def _from_relations(relations: Relations) -> Judgments:
    return Judgments.from_plain("".join(human for human, _ in relations), [SIGN[metric] for _, metric in relations])


# --- the audit ------------------------------------------------------------------------------------------------------


def _beside_zero(differences: Any) -> FloatArray:
    """Return differences as scores of left and right, (n, 2)."""
    return np.stack([np.asarray(differences, dtype=np.float64), np.zeros(len(differences))], axis=1)


def _perfect(batch: Judgments) -> Judgments:
    return attrs.evolve(batch, predicted=_beside_zero(batch.human))


def _rearranged(batch: Judgments, rng: np.random.Generator) -> Judgments:
    return attrs.evolve(batch, predicted=_beside_zero(rng.permutation(batch.human)))


def _honest(batch: Judgments, quality: float, rng: np.random.Generator) -> Judgments:
    """Correlate with a normal variable that underlies the human relations, with as many ties as the gold has."""
    from scipy.special import ndtri

    human = batch.human
    ends = np.cumsum([0.0, *((human == sign).mean() if len(human) else 0.0 for sign in (-1, 0, 1))])
    # a relation is a range of a normal variable, as wide as the relation is frequent; a point of it is drawn
    low, high = ends[human + 1], ends[human + 2]
    underlying = ndtri(np.clip(low + (high - low) * rng.random(len(human)), 1e-12, 1 - 1e-12))
    differences = quality * underlying + np.sqrt(1 - quality**2) * rng.standard_normal(len(human))
    # as many ties as the humans gave, where the answers differ least
    tied = np.argsort(np.abs(differences), kind="stable")[: int((human == 0).sum())]
    differences[tied] = 0.0
    return attrs.evolve(batch, predicted=_beside_zero(differences))


def _generate(rng: np.random.Generator, units: int = 20_000) -> GeneratedGold:
    decided = (1 - TIE_RATE) / 2
    human = rng.choice(np.array([-1, 0, 1], dtype=np.int8), units, p=[decided, TIE_RATE, decided])
    batch = Judgments.pair(ids=np.arange(units), gold=human, predicted=np.zeros((units, 2)))
    return GeneratedGold(_perfect(batch), f"{units} human judgments, {TIE_RATE:.0%} ties")


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Judgments]:
    human = "".join(RELATIONS[whole(rng, 0, 2)] for _ in range(units))
    sides = [[(whole(rng, 0, 3), whole(rng, 0, 3)) for _ in range(units)] for _ in range(3)]
    return [Judgments.from_plain(human, side) for side in sides]


def _off_grid(rng: Random) -> list[Judgments]:
    """Return judgments of pairs of systems, and differences on and beside usual thresholds from scores of 0."""
    far = beside_thresholds()
    pairs = [(system := whole(rng, 0, _SYSTEMS - 1), (system + whole(rng, 1, 3)) % _SYSTEMS) for _ in far]
    human = [rng.random() < 0.7 and (1 if rng.random() < 0.6 + (a - b) / 20 else -1) for a, b in pairs]
    gold = np.column_stack([np.array(human, dtype=np.int64), np.array(pairs)])
    sides = [[(0.0, far_off)[:: whole(rng, 0, 1) * 2 - 1] for far_off in shuffled(rng, far)] for _ in range(3)]
    return [Judgments.pair(ids=np.arange(len(far)), gold=gold, predicted=np.array(side)) for side in sides]


def _ordinary(rng: Random, units: int) -> Judgments:
    """Return judgments of pairs of eight systems, the earlier ones better; every system is judged as often."""
    pairs = [(system, (system + 1 + whole(rng, 0, 2)) % _SYSTEMS) for _ in range(units) for system in range(_SYSTEMS)]
    strengths = [[side + 6 * rng.random() for side in pair] for pair in pairs]
    human = [whole(rng, 0, 9) and (1 if left < right else -1) for left, right in strengths]
    scores = np.array([[rng.random() - side / _SYSTEMS for side in pair] for pair in pairs])
    gold = np.column_stack([np.array(human), np.array(pairs)])
    return Judgments.pair(ids=np.arange(len(pairs)), gold=gold, predicted=scores)


def _regular(rng: np.random.Generator, units: int) -> Judgments:
    """Return judgments of three systems that are clearly apart, and scores that order two of them in another way."""
    first = rng.integers(3, size=units)
    pairs = np.stack([first, (first + rng.integers(1, 3, size=units)) % 3], axis=1)
    strengths = pairs + rng.standard_normal((units, 2))
    human = np.where(rng.random(units) < TIE_RATE, 0, np.sign(strengths[:, 0] - strengths[:, 1]))
    scores = 0.1 * rng.standard_normal((units, 2)) - np.array([0, 2, 1])[pairs] / 3
    return Judgments.pair(ids=np.arange(units), gold=np.column_stack([human, pairs]), predicted=scores)


@composite
def submissions_of_judgments(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 8
) -> tuple[Judgments, ...]:
    """Draw several metrics on the same human relations, with ties on both sides."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))
    human = "".join(RELATIONS[relation] for relation in draw(whole_numbers(units, 0, 2)))
    scores = whole_numbers(2 * units, 0, 2)
    return tuple(
        Judgments.from_plain(human, draw(scores).astype(np.float64).reshape(-1, 2)) for _ in range(submissions)
    )


def judgments_batches(*, min_units: int = 1, max_units: int = 8) -> "SearchStrategy[Judgments]":
    """Draw one metric's scores of judged pairs, with ties on both sides.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import judgments_batches
    >>> @settings(max_examples=5)
    ... @given(judgments_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_judgments(submissions=1, min_units=min_units, max_units=max_units).map(only)


KIND = BatchKind(
    batch=Judgments,
    audit=AuditAnswers(perfect=_perfect, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    ordinary=_ordinary,
    regular=_regular,
    submissions=submissions_of_judgments,
    plain=_plain,
    with_answers=with_predicted,
    gold_answers=_gold_answers,
    anonymous=_anonymous,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=_corrections,
    rescaled=rescaled,
    without_answer=_without_answer,
    from_relations=_from_relations,
)
