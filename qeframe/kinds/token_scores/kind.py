"""The kind `TokenScores`: a gold of two classes and a predicted number for each token of each sentence."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import DataError
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold, PlainFormat
from qeframe.core.ragged import Ragged
from qeframe.core.reading import TextFile, UnitValues
from qeframe.kinds.answers import gold_answers, gold_handed_in, reordered_gold, with_rows
from qeframe.kinds.detections.number_lines import names_classes, numbers_by_token
from qeframe.kinds.drawing import beside_thresholds, composite, only, rows_of, shuffled, whole, whole_numbers
from qeframe.kinds.tags.kind import bad_runs
from qeframe.kinds.tags.lines import check_lengths, check_lines, tags_by_line
from qeframe.kinds.token_scores.batch import TokenScores

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_BAD_RATE, _BAD_RUN = 0.18, 2.2
_EIGHTHS = 8


# --- plain files ----------------------------------------------------------------------------------------------------


def _tags_or_numbers(file: TextFile) -> tuple[IntArray, Any]:
    """Read one sentence a line: its tags OK and BAD, or a number for each token."""
    first = next((text for line in file.lines for text in line.split()), "0")
    if names_classes([first]) and first not in ("0", "1"):
        ids, tags = tags_by_line(file)
        return ids, Ragged(tags.values.astype(np.float64), tags.offsets)
    side = numbers_by_token(file)
    return np.arange(len(side)), side


def _check_sides(gold: UnitValues, other: UnitValues) -> None:
    wrong = np.flatnonzero((gold.values.values != 0) & (gold.values.values != 1))
    if len(wrong):
        sentence = int(gold.values.row_of_value[wrong[0]])
        what = f"{gold.values.values[wrong[0]]:g} is no tag of the gold"
        remedy = "give OK or BAD, or 0 or 1, for each token"
        raise DataError(what, path=gold.path or None, line=gold.line(sentence), remedy=remedy)
    check_lines(gold, other, what="number")
    check_lengths(gold, other, remedy="give one number for each token", what="number")


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: TokenScores) -> Mapping[str, Any]:
    sides = {"gold": batch.gold, "predicted": batch.predicted}
    return {name: [row.tolist() for row in side] for name, side in sides.items()}


def _constants(batch: TokenScores) -> list[Ragged]:
    return [Ragged(np.zeros_like(batch.gold.values), batch.gold.offsets)]


def _place(side: Ragged) -> FloatArray:
    """Return the position of each token in its sentence, from 0."""
    return np.asarray(np.arange(len(side.values)) - side.offsets[:-1][side.row_of_value], dtype=np.float64)


def _rearrangements(batch: TokenScores, answers: Ragged) -> Iterator[Ragged]:
    """Rotate the numbers of every sentence, jointly: each token gets each number of its sentence equally often."""
    lengths = answers.lengths
    least_common = int(np.lcm.reduce(lengths[lengths > 0], initial=1))
    place = _place(answers).astype(np.int64)
    start, length = (np.repeat(part, lengths) for part in (answers.offsets[:-1], lengths))
    for shift in range(least_common):
        yield Ragged(answers.values[start + (place + shift) % length], answers.offsets)


def _corrections(batch: TokenScores, unit: int) -> Iterator[Ragged]:
    """Move each token of a sentence to the right end of the sentence, one at a time."""
    for at in range(*batch.gold.offsets[unit : unit + 2]):
        answers, values = batch.predicted[unit], batch.predicted.values.copy()
        values[at] = answers.max() + 1 if batch.gold.values[at] == 1 else answers.min() - 1
        yield Ragged(values, batch.gold.offsets)


def _without_answer(batch: TokenScores, unit: int) -> Ragged:
    """Give a sentence the worst numbers, as the policy `score_as_worst` does."""
    values = batch.predicted.values.copy()
    part = slice(*batch.gold.offsets[unit : unit + 2])
    values[part] = np.where(batch.gold.values[part] == 1, values.min(initial=0), values.max(initial=0))
    return Ragged(values, batch.gold.offsets)


# --- the audit ------------------------------------------------------------------------------------------------------


def _rearranged(batch: TokenScores, rng: np.random.Generator) -> TokenScores:
    """Shuffle the gold's own numbers within each sentence."""
    # by the sentence first, so that tokens change places within their sentence
    order = np.lexsort((rng.random(len(batch.gold.values)), batch.gold.row_of_value))
    return attrs.evolve(batch, predicted=Ragged(batch.gold.values[order], batch.gold.offsets))


def _honest(batch: TokenScores, quality: float, rng: np.random.Generator) -> TokenScores:
    """Answer with the gold with the probability `quality`, else with a permuted gold; then mixed with noise."""
    gold = batch.gold.values
    base = np.where(rng.random(len(gold)) < quality, gold, rng.permutation(gold))
    return attrs.evolve(batch, predicted=Ragged(0.5 * base + 0.5 * rng.random(len(gold)), batch.gold.offsets))


def _generate(rng: np.random.Generator, sentences: int = 600) -> GeneratedGold:
    lengths = np.maximum(np.rint(rng.normal(20, 7, sentences)), 1).astype(np.int64)
    bad = bad_runs(rng, int(lengths.sum()), rate=_BAD_RATE, run=_BAD_RUN)
    side = Ragged.from_lengths(bad.astype(np.float64), lengths)
    description = f"{sentences} sentences of N(20, 7) tokens, {_BAD_RATE:.0%} BAD in runs of mean length {_BAD_RUN}"
    return GeneratedGold(TokenScores(ids=np.arange(sentences), gold=side, predicted=side), description)


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[TokenScores]:
    lengths = [whole(rng, 2, 6) for _ in range(units)]
    gold = [[float(rng.random() < 0.4) for _ in range(n)] for n in lengths]
    if units:
        gold[0][:2] = [0.0, 1.0]
    sides = [[[whole(rng, 0, _EIGHTHS) / _EIGHTHS for _ in range(n)] for n in lengths] for _ in range(3)]
    return [TokenScores.from_plain(gold, side) for side in sides]


def _off_grid(rng: Random) -> list[TokenScores]:
    """Return probabilities on and beside usual thresholds, nearly calibrated, in sentences of 0 to 13 tokens."""
    likely = shuffled(rng, beside_thresholds(1.01))
    rows = [[likely.pop() for _ in range(min(length % 14, len(likely)))] for length in range(60)]
    gold = [[float(rng.random() < p) for p in row] for row in rows]
    sides = [[[p if rng.random() < 0.8 else rng.random() for p in row] for row in rows] for _ in range(3)]
    return [TokenScores.from_plain(gold, side) for side in sides]


def _regular(rng: np.random.Generator, units: int) -> TokenScores:
    perfect: Any = _generate(rng, units).batch
    return _honest(perfect, 0.6, rng)


@composite
def submissions_of_token_scores(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 5, longest: int = 4
) -> tuple[TokenScores, ...]:
    """Draw several submissions on the same sentences with the same gold; sentences may be empty or of one class."""
    from hypothesis import strategies as st

    lengths = draw(whole_numbers(draw(st.integers(min_units, max_units)), 0, longest)).tolist()
    gold, side = draw(rows_of(lengths, 0, 1)), rows_of(lengths, -2, 3)
    return tuple(TokenScores.from_plain(gold, draw(side)) for _ in range(submissions))


def token_scores_batches(*, min_units: int = 1, max_units: int = 5, longest: int = 4) -> "SearchStrategy[TokenScores]":
    """Draw numbers for the tokens of sentences of up to `longest` tokens, with a gold of two classes.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import token_scores_batches
    >>> @settings(max_examples=5)
    ... @given(token_scores_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_token_scores(submissions=1, min_units=min_units, max_units=max_units, longest=longest).map(
        only
    )


KIND = BatchKind(
    batch=TokenScores,
    plain_format=PlainFormat(parse=_tags_or_numbers, check_sides=_check_sides),
    audit=AuditAnswers(perfect=gold_handed_in, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_token_scores,
    plain=_plain,
    with_answers=with_rows,
    gold_answers=gold_answers,
    anonymous=reordered_gold,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=_corrections,
    without_answer=_without_answer,
)
