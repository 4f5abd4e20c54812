"""The kind `Detections`: a gold of two classes and a predicted number for each unit."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any, get_args

import attrs
import numpy as np

from qeframe.core.batch import Best, FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import DataError
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold, PlainFormat
from qeframe.core.reading import TextFile, UnitValues
from qeframe.kinds.answers import (
    gold_answers,
    gold_handed_in,
    orders,
    permuted_gold,
    reordered_gold,
    rescaled,
    with_answer,
    without_answer,
)
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.detections.number_lines import class_codes, names_classes
from qeframe.kinds.drawing import beside_thresholds, composite, few, only, whole, whole_numbers
from qeframe.kinds.scores.values import NUMBERS, numbers_by_line

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_ERROR_RATE = 0.12
_EIGHTHS = 8


# --- plain files ----------------------------------------------------------------------------------------------------


def _classes_or_numbers(file: TextFile) -> tuple[IntArray, Any]:
    """Read one class or number a line, or two columns ID NUMBER."""
    texts = [line.strip(" \t") for line in file.lines]
    if texts and names_classes(texts):
        return np.arange(len(texts)), class_codes(texts)
    return numbers_by_line(file)


def _check_gold(gold: UnitValues, _other: UnitValues) -> None:
    wrong = np.flatnonzero((gold.values != 0) & (gold.values != 1))
    if len(wrong):
        what = f"gold value {gold.values[wrong[0]]:g} is neither 0 nor 1"
        remedy = "give 1 for each positive unit and 0 for the others, or the classes OK and BAD"
        raise DataError(what, path=gold.path or None, line=gold.line(int(wrong[0])), remedy=remedy)


_FORMAT = PlainFormat(
    parse=_classes_or_numbers,
    one_number=True,
    has_ids=NUMBERS.has_ids,
    check_files=NUMBERS.check_files,
    check_sides=_check_gold,
)


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Detections) -> Mapping[str, Any]:
    return {"gold": batch.gold.tolist(), "predicted": batch.predicted.tolist(), "best": batch.best}


def _with_answers(batch: Detections, predicted: FloatArray) -> Detections:
    return Detections.pair(ids=batch.ids, gold=batch.gold, predicted=predicted, best=batch.best)


def _constants(batch: Detections) -> list[FloatArray]:
    """Return all negative, all positive, undecided, and the share of positive units."""
    likely = {0.0, 0.5, 1.0, float(np.mean(batch.gold))}
    return [np.full(len(batch), value) for value in sorted(likely)]


def _corrections(batch: Detections, unit: int) -> Iterator[FloatArray]:
    """Move a unit to the right end: to 1 or 0, and beyond all other answers of the submission."""
    positive, answers = batch.gold[unit] == 1, batch.predicted
    yield with_answer(batch, unit, max(1.0, answers.max()) if positive else min(0.0, answers.min()))


# --- the audit ------------------------------------------------------------------------------------------------------


def _honest(batch: Detections, quality: float, rng: np.random.Generator) -> Detections:
    """Answer with probabilities: the gold with the probability `quality`, else a permuted gold; then mixed with noise.

    The highest answers are as many as the gold has positive units, so that the submission calls as many positive.
    """
    copied = rng.random(len(batch)) < quality
    base = np.where(copied, batch.gold, rng.permutation(batch.gold))
    return attrs.evolve(batch, predicted=0.5 * base + 0.5 * rng.random(len(batch)))


def _generate(rng: np.random.Generator, units: int = 3000) -> GeneratedGold:
    gold = (rng.random(units) < _ERROR_RATE).astype(np.float64)
    return GeneratedGold(
        Detections.from_plain(gold, gold), f"{units} segments, {_ERROR_RATE:.0%} positive, independent"
    )


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Detections]:
    units = max(2, units)
    gold = [float(rng.random() < 0.4) for _ in range(units)]
    sides = [[whole(rng, 0, _EIGHTHS) / _EIGHTHS for _ in range(units)] for _ in range(3)]
    return [Detections.from_plain(gold, side) for side in sides]


def _off_grid(rng: Random) -> list[Detections]:
    """Return probabilities on and beside usual thresholds, nearly calibrated."""
    likely = [p for _ in range(4) for p in beside_thresholds(1.01)]
    gold = [float(rng.random() < p) for p in likely]
    sides = [[p if rng.random() < 0.8 else rng.random() for p in likely] for _ in range(3)]
    return [Detections.from_plain(gold, side) for side in sides]


def _ordinary(rng: Random, units: int) -> Detections:
    """Draw probabilities without ties, for a gold with both classes."""
    gold = [float(rng.random() < 0.4) for _ in range(units)]
    gold[:2] = [0.0, 1.0]
    order = sorted(range(units), key=lambda _: rng.random())
    return Detections.from_plain(gold, [(rank + 0.5) / units for rank in order])


def _regular(rng: np.random.Generator, units: int) -> Detections:
    """Return probabilities that are too high everywhere, so that a calibration error has no kink."""
    predicted = rng.uniform(0.3, 1.0, size=units)
    return Detections.from_plain((rng.uniform(size=units) < 0.5 * predicted).astype(float), predicted)


@composite
def submissions_of_detections(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 2, max_units: int = 8
) -> tuple[Detections, ...]:
    """Draw several submissions on the same units with the same gold: decisions, probabilities or other numbers."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))
    probabilities = whole_numbers(units, 0, _EIGHTHS).map(lambda drawn: drawn / _EIGHTHS)
    any_numbers = whole_numbers(units, -16, 16).map(lambda drawn: drawn / _EIGHTHS)
    decisions = whole_numbers(units, 0, 1).map(lambda drawn: drawn.astype(np.float64))
    side = st.one_of(probabilities, any_numbers, decisions, few(units))
    gold = draw(decisions)
    best = draw(st.sampled_from(get_args(Best)))
    return tuple(Detections.from_plain(gold, draw(side), best=best) for _ in range(submissions))


def detections_batches(*, min_units: int = 2, max_units: int = 8) -> "SearchStrategy[Detections]":
    """Draw a gold of two classes and predicted numbers of one submission; a class may be absent.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import detections_batches
    >>> @settings(max_examples=5)
    ... @given(detections_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_detections(submissions=1, min_units=min_units, max_units=max_units).map(only)


KIND = BatchKind(
    batch=Detections,
    plain_format=_FORMAT,
    audit=AuditAnswers(perfect=gold_handed_in, rearranged=permuted_gold, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    ordinary=_ordinary,
    regular=_regular,
    submissions=submissions_of_detections,
    plain=_plain,
    with_answers=_with_answers,
    gold_answers=gold_answers,
    anonymous=reordered_gold,
    constants=_constants,
    rearrangements=orders,
    corrections=_corrections,
    rescaled=rescaled,
    without_answer=without_answer,
)
