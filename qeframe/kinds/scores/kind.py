"""The kind `Scores`: a gold number and a predicted number for each unit."""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from qeframe.core.batch import Best, FloatArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold
from qeframe.core.metric import Metric
from qeframe.core.statistic import additive
from qeframe.kinds.answers import (
    correlated,
    gold_answers,
    gold_handed_in,
    orders,
    permuted_gold,
    reordered_gold,
    rescaled,
    with_gold_answer,
    without_answer,
)
from qeframe.kinds.drawing import beside_thresholds, composite, fixed_numbers, numbers, only, shuffled, whole
from qeframe.kinds.probes import PRODUCTS, cosine, products
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.scores.laws import normal_scores
from qeframe.kinds.scores.values import NUMBERS

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Scores) -> Mapping[str, Any]:
    return {"gold": batch.gold.tolist(), "predicted": batch.predicted.tolist(), "best": batch.best}


def _with_answers(batch: Scores, predicted: FloatArray) -> Scores:
    return Scores.pair(ids=batch.ids, gold=batch.gold, predicted=predicted, best=batch.best)


def _constants(batch: Scores) -> list[FloatArray]:
    likely = {batch.gold.min(), batch.gold.max(), float(np.median(batch.gold)), float(np.mean(batch.gold))}
    return [np.full(len(batch), value) for value in sorted(likely)]


# --- the audit ------------------------------------------------------------------------------------------------------


def _generate(rng: np.random.Generator, units: int = 2000) -> GeneratedGold:
    gold = rng.beta(1.2, 3.2, units)
    return GeneratedGold(Scores.from_plain(gold, gold), f"{units} scores from beta(1.2, 3.2), low is good")


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Scores]:
    gold = fixed_numbers(rng, max(2, units))
    sides = [[g + noise for g, noise in zip(gold, fixed_numbers(rng, len(gold)), strict=True)] for _ in range(3)]
    return [Scores.from_plain(gold, side, best="low") for side in sides]


def _off_grid(rng: Random) -> list[Scores]:
    """Return errors of a gold that is often 0, and numbers of the gold, on and beside usual thresholds."""
    far = shuffled(rng, beside_thresholds())
    gold = [0.0] * len(far) + shuffled(rng, far) + [rng.random() for _ in far]
    sides = []
    for _ in range(3):
        errors = shuffled(rng, far) + shuffled(rng, far) + [rng.random() ** 3 for _ in far]
        sides.append([g + error * (-1) ** whole(rng, 0, 1) for g, error in zip(gold, errors, strict=True)])
    return [Scores.from_plain(gold, side, best="low") for side in sides]


def _regular(rng: np.random.Generator, units: int) -> Scores:
    (batch,) = normal_scores(rng, units, submissions=1)
    return batch


@composite
def submissions_of_scores(
    draw: "DrawFn",
    *,
    submissions: int = 2,
    min_units: int = 2,
    max_units: int = 8,
    ties: bool = True,
    constant: bool = True,
) -> tuple[Scores, ...]:
    """Draw several submissions on the same units with the same gold."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))
    side = numbers(units, ties=ties, constant=constant)
    gold, best = draw(side), draw(st.sampled_from(get_args(Best)))
    return tuple(Scores.from_plain(gold, draw(side), best=best) for _ in range(submissions))


def scores_batches(
    *, min_units: int = 2, max_units: int = 8, ties: bool = True, constant: bool = True
) -> "SearchStrategy[Scores]":
    """Draw gold and predicted numbers of one submission.

    Parameters
    ----------
    ties, constant : bool
        Whether values of a side may repeat, and whether a side may be constant.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import scores_batches
    >>> @settings(max_examples=5)
    ... @given(scores_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_scores(
        submissions=1, min_units=min_units, max_units=max_units, ties=ties, constant=constant
    ).map(only)


def _both(batch: Scores) -> tuple[FloatArray, FloatArray]:
    return batch.gold, batch.predicted


def _products(batch: Scores) -> FloatArray:
    return products(batch.gold, batch.predicted, np.ones(len(batch)))


_CORRELATION = Metric(
    name="probe_correlation",
    summary="A correlation: additive, with two vectors; exact for the small numbers that it is tried on",
    kind=Scores,
    bind=additive(columns=PRODUCTS, extract=_products, score=cosine),
    smooth=True,
    vectors=_both,
)

KIND = BatchKind(
    batch=Scores,
    plain_format=NUMBERS,
    audit=AuditAnswers(perfect=gold_handed_in, rearranged=permuted_gold, honest=correlated, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_scores,
    plain=_plain,
    with_answers=_with_answers,
    gold_answers=gold_answers,
    anonymous=reordered_gold,
    constants=_constants,
    rearrangements=orders,
    corrections=with_gold_answer,
    rescaled=rescaled,
    without_answer=without_answer,
    probe=_CORRELATION,
)
