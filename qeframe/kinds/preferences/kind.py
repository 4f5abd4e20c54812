"""The kind `Preferences`: which of two answers is better, by the gold and by a judge."""

from collections.abc import Iterator, Mapping
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.batch_kind import BatchKind, Relations
from qeframe.core.errors import DataError, counted
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold, PlainFormat
from qeframe.core.reading import TextFile, UnitValues
from qeframe.data.text_lines import split_line
from qeframe.kinds.answers import reordered_gold, with_answer, with_predicted, without_answer
from qeframe.kinds.drawing import composite, only, whole, whole_numbers
from qeframe.kinds.preferences.batch import NO_DECISION, NOT_ASKED, Preferences, decisions_of

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

WORDS: Mapping[float, str] = {1.0: "A", 0.0: "tie", -1.0: "B", NO_DECISION: "none", NOT_ASKED: "-"}
_OF_RELATION = {"<": 1, "=": 0, ">": -1}
_SECTIONS = ("chat", "code", "mathematics", "safety")
TIE_RATE = 0.1
"""The share of ties in generated gold preferences."""
LONGER_IS_BETTER = 0.6
"""The share of decided pairs of generated gold in which the longer answer is better."""


# --- plain files ----------------------------------------------------------------------------------------------------


def _parse(file: TextFile) -> tuple[IntArray, FloatArray]:
    """Read the decision in the first order, and in the second order if there is a second column; mapped to A and B."""
    width = len(split_line(file.lines[0]))
    first_lines: dict[str, int] = {}
    for number, line in enumerate(file.lines, 1):
        first_lines.setdefault(line, number)
    rows = {line: _parse_line(file, number, line, width) for line, number in first_lines.items()}
    return np.arange(len(file.lines)), np.array([rows[line] for line in file.lines])


def _parse_line(file: TextFile, number: int, line: str, width: int) -> FloatArray:
    words = split_line(line)
    if not words or len(words) != width or width > 2:
        what = f"{counted(len(words), 'word')}, where a line has one decision, or one for each order"
        raise file.error(what, line=number, remedy="write A, B, tie or none, as often on every line")
    try:
        return np.asarray(decisions_of([words])[0])
    except DataError as error:
        what = error.what.removesuffix(" at position 0").replace(" at position 0 ", " ")
        raise file.error(what, line=number, remedy=error.remedy) from None


def _check_gold(gold: UnitValues, _other: UnitValues) -> None:
    """Refuse a gold with two columns, or with a pair that it does not decide."""
    wrong = np.flatnonzero((gold.values[:, 1] != NOT_ASKED) | (gold.values[:, 0] == NO_DECISION))
    if len(wrong):
        raise DataError(
            "the gold of a pair is not one of A, B and tie",
            path=gold.path,
            line=gold.line(wrong[0]),
            remedy="write one preference a line",
        )


PREFERENCES = PlainFormat(parse=_parse, check_sides=_check_gold)


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Preferences) -> Mapping[str, Any]:
    """Return words; both orders as "A B"."""
    answers = [" ".join(WORDS[code] for code in row if code != NOT_ASKED) for row in batch.decisions.tolist()]
    return {"gold": [WORDS[sign] for sign in batch.gold.tolist()], "predicted": answers}


def _decided(first: Any, second: Any) -> FloatArray:
    """Return decisions without scores, (n, 4)."""
    unknown = np.full(np.shape(first), np.nan)
    return np.stack([np.asarray(first, np.float64), np.asarray(second, np.float64), unknown, unknown], axis=1)


def _gold_answers(batch: Preferences) -> FloatArray:
    return _decided(batch.gold, batch.gold)


def _constants(batch: Preferences) -> list[FloatArray]:
    """Decide for A, for B, for the answer shown first or second, for a tie; or decide nothing."""
    codes = [(1, 1), (-1, -1), (1, -1), (-1, 1), (0, 0), (NO_DECISION, NO_DECISION)]
    return [_decided(np.full(len(batch), first), np.full(len(batch), second)) for first, second in codes]


def _rearrangements(batch: Preferences, answers: FloatArray) -> Iterator[FloatArray]:
    return (answers[list(order)] for order in permutations(range(len(batch))))


def _corrections(batch: Preferences, unit: int) -> Iterator[FloatArray]:
    yield with_answer(batch, unit, _gold_answers(batch)[unit])


def _from_relations(relations: Relations) -> Preferences:
    human, judge = ([_OF_RELATION[pair[side]] for pair in relations] for side in (0, 1))
    return Preferences.from_plain(human, [[sign, sign] for sign in judge])


# --- the audit ------------------------------------------------------------------------------------------------------


def _perfect(batch: Preferences) -> Preferences:
    return attrs.evolve(batch, predicted=_gold_answers(batch))


def _rearranged(batch: Preferences, rng: np.random.Generator) -> Preferences:
    return attrs.evolve(batch, predicted=rng.permutation(_gold_answers(batch)))


def _honest(batch: Preferences, quality: float, rng: np.random.Generator) -> Preferences:
    """Know the gold of a share of the pairs; elsewhere decide in each order as another pair of the gold."""
    is_right = rng.random(len(batch)) < quality
    guessed = [rng.choice(batch.gold, len(batch)) if len(batch) else batch.gold for _ in range(2)]
    return attrs.evolve(batch, predicted=_decided(*(np.where(is_right, batch.gold, guess) for guess in guessed)))


def _generate(rng: np.random.Generator, units: int = 5_000) -> GeneratedGold:
    decided = (1 - TIE_RATE) / 2
    gold = rng.choice(np.array([-1, 0, 1], dtype=np.int8), units, p=[decided, TIE_RATE, decided])
    short, more = rng.integers(50, 500, units), rng.integers(1, 500, units)
    longer = np.where(gold == 0, rng.choice([-1, 1], units), gold)
    longer = np.where(rng.random(units) < LONGER_IS_BETTER, longer, -longer)
    lengths = np.stack([short + more * (longer > 0), short + more * (longer < 0)], axis=1)
    batch = Preferences(
        ids=np.arange(units),
        gold=gold,
        predicted=_decided(gold, gold),
        lengths=lengths,
        section=rng.integers(0, len(_SECTIONS), units),
        section_names=_SECTIONS,
    )
    ties = f"{TIE_RATE:.0%} ties, A and B better as often"
    longer_better = f"the longer answer better in {LONGER_IS_BETTER:.0%} of the others"
    return GeneratedGold(batch, f"{units} pairs of answers in {len(_SECTIONS)} sections, {ties}, {longer_better}")


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Preferences]:
    gold = [whole(rng, 0, 2) - 1 for _ in range(units)]
    sections = [_SECTIONS[whole(rng, 0, 1)] for _ in range(units)]
    lengths = [[whole(rng, 1, 9), whole(rng, 1, 9)] for _ in range(units)]

    def side() -> list[list[float]]:
        codes = (1.0, 0.0, -1.0, NO_DECISION)
        return [[codes[whole(rng, 0, 2)], codes[whole(rng, 0, 3)]] for _ in range(units)]

    return [
        Preferences.from_plain(gold, side(), lengths=np.reshape(lengths, (-1, 2)), sections=sections) for _ in range(3)
    ]


def _off_grid(rng: Random) -> list[Preferences]:
    """Return decisions in one order or both and scores beside them, of answers whose order and length vary."""
    units = 240
    gold = np.array([whole(rng, 0, 2) - 1 for _ in range(units)], dtype=np.int8)
    lengths = np.array([[whole(rng, 1, 9), whole(rng, 1, 9)] for _ in range(units)])
    section = np.array([whole(rng, 0, 3) for _ in range(units)])
    first = np.array([whole(rng, 0, 4) % 3 - 1 for _ in range(units)], dtype=np.int8)

    def side() -> list[list[float]]:
        codes = (1.0, 0.0, -1.0, NO_DECISION, NOT_ASKED)
        scores = [0.0, 0.0, 0.7, rng.random(), rng.random()]
        decided = [[codes[whole(rng, 0, 3)], codes[whole(rng, 0, 4)]] for _ in range(units)]
        right = [[sign] * 2 if rng.random() < 0.5 else pair for sign, pair in zip(gold.tolist(), decided, strict=True)]
        return [[*pair, scores[whole(rng, 0, 4)], scores[whole(rng, 0, 4)]] for pair in right]

    return [
        Preferences(
            ids=np.arange(units),
            gold=gold,
            predicted=np.array(side()),
            lengths=lengths,
            section=section,
            section_names=_SECTIONS,
            shown_first=first,
        )
        for _ in range(3)
    ]


def _regular(rng: np.random.Generator, units: int) -> Preferences:
    """Return decisions for the gold, for the answer shown first, or for A, so that no bias is near its kink at 0."""
    batch: Any = _generate(rng, units).batch

    def decided(first: float) -> FloatArray:
        drawn = rng.random(units)
        return np.where(drawn < 0.5, batch.gold, np.where(drawn < 0.75, first, np.where(drawn < 0.95, 1.0, -1.0)))

    answered: Preferences = attrs.evolve(batch, predicted=_decided(decided(1.0), decided(-1.0)))
    return answered


@composite
def submissions_of_preferences(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 8
) -> tuple[Preferences, ...]:
    """Draw several judges of the same pairs; a judge may decide nothing, or be asked in one order."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))
    first = [1.0, 0.0, -1.0, NO_DECISION]
    both = (first, [*first, NOT_ASKED])
    gold = draw(whole_numbers(units, -1, 1)).tolist()
    named = [_SECTIONS[section] for section in draw(whole_numbers(units, 0, 1))]

    def side() -> list[tuple[float, float]]:
        orders = ([values[drawn] for drawn in draw(whole_numbers(units, 0, len(values) - 1))] for values in both)
        return list(zip(*orders, strict=True))

    return tuple(Preferences.from_plain(gold, side(), sections=named) for _ in range(submissions))


def preferences_batches(*, min_units: int = 1, max_units: int = 8) -> "SearchStrategy[Preferences]":
    """Draw one judge of pairs, with ties, and with decisions that it did not make.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import preferences_batches
    >>> @settings(max_examples=5)
    ... @given(preferences_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_preferences(submissions=1, min_units=min_units, max_units=max_units).map(only)


KIND = BatchKind(
    batch=Preferences,
    plain_format=PREFERENCES,
    audit=AuditAnswers(perfect=_perfect, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_preferences,
    plain=_plain,
    with_answers=with_predicted,
    gold_answers=_gold_answers,
    anonymous=reordered_gold,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=_corrections,
    without_answer=without_answer,
    from_relations=_from_relations,
)
