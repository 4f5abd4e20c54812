"""The kind `Tags`: a tag for each word of each sentence."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import BoolArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold, PlainFormat
from qeframe.core.ragged import Ragged
from qeframe.core.reading import UnitValues
from qeframe.kinds.answers import gold_answers, gold_handed_in, reordered_gold, with_rows
from qeframe.kinds.drawing import composite, only, rows_of, whole, whole_numbers
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.tags.lines import check_lengths, check_lines, tags_by_line

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_BAD_RATE, _BAD_RUN = 0.18, 2.2


def _check_sides(gold: UnitValues, other: UnitValues) -> None:
    check_lines(gold, other)
    check_lengths(gold, other)


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Tags) -> Mapping[str, Any]:
    sides = {"gold": batch.gold, "predicted": batch.predicted}
    return {name: [" ".join(batch.classes[code] for code in row) for row in side] for name, side in sides.items()}


def _sides(batch: Tags) -> tuple[Any, Any]:
    gold, predicted = (
        [[batch.classes[code] for code in row] for row in side] for side in (batch.gold, batch.predicted)
    )
    return gold, predicted


def _constants(batch: Tags) -> list[Ragged]:
    codes = range(len(batch.classes))
    return [Ragged(np.full_like(batch.gold.values, code), batch.gold.offsets) for code in codes]


def _rearrangements(_batch: Tags, answers: Ragged) -> Iterator[Ragged]:
    """Rotate the tags of the corpus. If whole sentences were exchanged, some words would get some tags too often."""
    values = answers.values
    return (Ragged(np.roll(values, shift), answers.offsets) for shift in range(max(1, len(values))))


def _corrections(batch: Tags, unit: int) -> Iterator[Ragged]:
    """Correct each wrong tag of a sentence, one at a time."""
    start = batch.gold.offsets[unit]
    for wrong in start + np.flatnonzero(batch.predicted[unit] != batch.gold[unit]):
        values = batch.predicted.values.copy()
        values[wrong] = batch.gold.values[wrong]
        yield Ragged(values, batch.gold.offsets)


def _without_answer(batch: Tags, unit: int) -> Ragged:
    """Give a sentence wrong tags only, as the policy `score_as_worst` does."""
    values = batch.predicted.values.copy()
    values[slice(*batch.gold.offsets[unit : unit + 2])] = (batch.gold[unit] + 1) % len(batch.classes)
    return Ragged(values, batch.gold.offsets)


# --- the audit ------------------------------------------------------------------------------------------------------


def _rearranged(batch: Tags, rng: np.random.Generator) -> Tags:
    """Shuffle the sentences, join their tags, and cut them again."""
    shuffled = batch.gold.take(rng.permutation(len(batch)))
    rotated = np.roll(shuffled.values, rng.integers(max(1, len(shuffled.values))))
    return attrs.evolve(batch, predicted=Ragged(rotated, batch.gold.offsets))


def _honest(batch: Tags, quality: float, rng: np.random.Generator) -> Tags:
    gold = batch.gold.values
    tags = np.where(rng.random(len(gold)) < quality, gold, rng.permutation(gold))
    return attrs.evolve(batch, predicted=Ragged(tags, batch.gold.offsets))


def _generate(rng: np.random.Generator, sentences: int = 2000) -> GeneratedGold:
    lengths = np.maximum(np.rint(rng.normal(20, 7, sentences)), 1).astype(np.int64)
    bad = bad_runs(rng, int(lengths.sum()), rate=_BAD_RATE, run=_BAD_RUN)
    side = Ragged.from_lengths(bad.astype(np.int8), lengths)
    description = f"{sentences} sentences of N(20, 7) words, {_BAD_RATE:.0%} BAD in runs of mean length {_BAD_RUN}"
    return GeneratedGold(Tags.pair(ids=np.arange(sentences), gold=side, predicted=side), description)


def bad_runs(rng: np.random.Generator, words: int, *, rate: float, run: float) -> BoolArray:
    """Return which words are BAD, (words,): OK and BAD runs alternate, of geometric lengths, BAD ones of mean `run`."""
    ok_run = run * (1 - rate) / rate
    runs = np.stack([rng.geometric(1 / ok_run, words), rng.geometric(1 / run, words)], axis=1).ravel()
    return np.repeat(np.arange(len(runs)) % 2 == 1, runs)[:words]


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Tags]:
    lengths = [whole(rng, 1, 6) for _ in range(units)]
    gold, *sides = [[[int(rng.random() < 0.4) for _ in range(n)] for n in lengths] for _ in range(4)]
    return [Tags.from_plain(gold, side) for side in sides]


def _off_grid(rng: Random) -> list[Tags]:
    """Return runs of tags in sentences of 0 to 16 words, of which a submission changes some and shifts others."""

    def runs(length: int) -> list[int]:
        tags = [int(rng.random() < 0.3)]
        while len(tags) < length:
            tags.append(tags[-1] if rng.random() < 0.6 else 1 - tags[-1])
        return tags[:length]

    def answer(row: list[int]) -> list[int]:
        shift = whole(rng, 0, 3) // 2
        return [tag ^ (rng.random() < 0.15) for tag in row[shift:] + row[:shift]]

    gold = [runs(unit % 17) for unit in range(120)]
    # the largest overlap is of the first gold span, which then is not there for the first predicted one
    gold[0], beside = [0, *[1] * 7, 0, 1, 1, 1], [1, 1, 1, 0, *[1] * 8]
    sides = [[beside, *(answer(row) for row in gold[1:])] for _ in range(2)]
    return [Tags.from_plain(gold, side) for side in (*sides, [[1] * len(row) for row in gold])]


def _regular(rng: np.random.Generator, units: int) -> Tags:
    lengths = rng.integers(4, 44, units)
    gold = [rng.uniform(size=length) < 0.2 for length in lengths]
    predicted = [bad ^ (rng.uniform(size=len(bad)) < 0.2) for bad in gold]
    return Tags.from_plain(*([tags.astype(int).tolist() for tags in side] for side in (gold, predicted)))


@composite
def submissions_of_tags(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 6, longest: int = 4
) -> tuple[Tags, ...]:
    """Draw several taggings of the same sentences, OK and BAD, with the same gold; sentences may be empty."""
    from hypothesis import strategies as st

    lengths = draw(whole_numbers(draw(st.integers(min_units, max_units)), 0, longest)).tolist()
    side = rows_of(lengths, 0, 1)
    gold = draw(side)
    return tuple(Tags.from_plain(gold, draw(side)) for _ in range(submissions))


def tags_batches(*, min_units: int = 1, max_units: int = 6, longest: int = 4) -> "SearchStrategy[Tags]":
    """Draw one tagging, OK and BAD, of sentences of up to `longest` words; sentences may be empty.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import tags_batches
    >>> @settings(max_examples=5)
    ... @given(tags_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_tags(submissions=1, min_units=min_units, max_units=max_units, longest=longest).map(only)


KIND = BatchKind(
    batch=Tags,
    plain_format=PlainFormat(parse=tags_by_line, check_sides=_check_sides),
    audit=AuditAnswers(perfect=gold_handed_in, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_tags,
    plain=_plain,
    sides=_sides,
    with_answers=with_rows,
    gold_answers=gold_answers,
    anonymous=reordered_gold,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=_corrections,
    without_answer=_without_answer,
)
