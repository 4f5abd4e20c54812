"""The kind `Spans`: marked stretches of characters, each with a severity."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold
from qeframe.core.ragged import Ragged
from qeframe.kinds.answers import gold_answers, gold_handed_in, with_predicted
from qeframe.kinds.drawing import composite, only, whole, whole_numbers
from qeframe.kinds.spans import FAULTS, NO_CODE, SEVERITIES, Spans
from qeframe.kinds.spans.annotation import annotated, exchanged

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_TEXT = 12
"""The characters of a segment of the fixed inputs."""


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Spans) -> Mapping[str, Any]:
    sides = {"gold": batch.gold, "predicted": batch.predicted}
    plain: dict[str, Any] = {
        name: [[_span(batch, *span) for span in row] for row in side] for name, side in sides.items()
    }
    for fault in FAULTS if any(side.has_faults for side in sides.values()) else ():
        codes = [getattr(side, fault).tolist() for side in sides.values()]
        plain[fault] = [[None if code == NO_CODE else SEVERITIES[code] for code in side] for side in codes]
    if any(side.has_parts for side in sides.values()):
        plain["errors"] = [[row.tolist() for row in Ragged(s.errors, s.offsets)] for s in sides.values()]
    return {**plain, "text": batch.text.tolist()}


def _span(batch: Spans, start: int, end: int, severity: int, category: int | None = None) -> tuple[Any, ...]:
    """Return a span in words, with its category if the batch has categories."""
    placed = int(start), int(end), SEVERITIES[severity]
    return placed if category is None else (*placed, None if category == NO_CODE else batch.categories[category])


def _anonymous(batch: Spans, positions: Callable[[int], IntArray]) -> Spans:
    return attrs.evolve(batch, gold=batch.gold.take(positions(len(batch))))


def _constants(batch: Spans) -> list[Ragged]:
    """Mark nothing; or every character, with one severity or with all of them."""
    codes: list[Sequence[int]] = [[], *([code] for code in range(len(SEVERITIES))), range(len(SEVERITIES))]
    return [_everywhere(batch, severities) for severities in codes]


def _everywhere(batch: Spans, severities: Sequence[int]) -> Ragged:
    spans = [(0, length, severity) for length in batch.text for severity in severities]
    lengths = np.full(len(batch), len(severities))
    return Ragged.from_lengths(np.array(spans, dtype=np.int64).reshape(-1, 3), lengths)


def _rearrangements(batch: Spans, answers: Ragged) -> Iterator[Ragged]:
    units = np.arange(len(batch))
    return (answers.take(np.roll(units, shift)) for shift in range(max(1, len(batch))))


def _corrections(batch: Spans, unit: int) -> Iterator[Ragged]:
    """Mark a segment as the gold does."""
    yield exchanged(batch.predicted, batch.gold, np.arange(len(batch)) == unit)[0]


# --- the audit ------------------------------------------------------------------------------------------------------


def _rearranged(batch: Spans, rng: np.random.Generator) -> Spans:
    """Give every segment the spans of another, stretched to its length."""
    order = rng.permutation(len(batch))
    source = np.empty_like(order)
    source[order] = np.roll(order, 1)
    spans = batch.gold.take(source)
    scale = (batch.text / np.maximum(1, batch.text[source]))[spans.row_of_value, None]
    ends = np.floor(spans.values[:, :2] * scale).astype(np.int64)
    return attrs.evolve(batch, predicted=spans.with_values(np.hstack([ends, spans.values[:, 2:]])))


def _honest(batch: Spans, quality: float, rng: np.random.Generator) -> Spans:
    gold = batch.gold
    length = gold.values[:, 1] - gold.values[:, 0]
    room = np.maximum(1, batch.text[gold.row_of_value] - length)
    moved = np.floor(rng.random(len(length)) * room).astype(np.int64)
    start = np.where(rng.random(len(length)) < quality, gold.values[:, 0], moved)
    spans = np.column_stack([start, start + length, gold.values[:, 2:]])
    return attrs.evolve(batch, predicted=gold.with_values(spans))


def _generate(rng: np.random.Generator, segments: int = 400) -> GeneratedGold:
    text = np.maximum(np.rint(rng.normal(120, 40, segments)), 20).astype(np.int64)
    counts = rng.poisson(1.2, segments)
    room = np.repeat(text, counts)
    length = np.minimum(rng.geometric(1 / 12, len(room)), room)
    start = np.floor(rng.random(len(room)) * (room - length + 1)).astype(np.int64)
    severity = (rng.random(len(room)) < 0.35).astype(np.int64)
    side = annotated(Ragged.from_lengths(np.stack([start, start + length, severity], axis=1), counts))
    spans = "1.2 spans of mean length 12 each, 35% major, 65% minor"
    description = f"{segments} segments of N(120, 40) characters, {spans}"
    return GeneratedGold(Spans(ids=np.arange(segments), gold=side, predicted=side, text=text), description)


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Spans]:
    def segment() -> list[tuple[int, int, str]]:
        starts = [whole(rng, 0, _TEXT - 2) for _ in range(whole(rng, 0, 3))]
        return [(s, whole(rng, s + 1, _TEXT), SEVERITIES[whole(rng, 0, 2)]) for s in starts]

    gold, *sides = [[segment() for _ in range(units)] for _ in range(4)]
    return [Spans.from_plain(gold, side, text=[_TEXT] * units) for side in sides]


def _off_grid(rng: Random) -> list[Spans]:
    """Return spans that touch, overlap, repeat and are near each other, with categories, faults and errors of parts.

    Two segments have many spans that compete, and in one some are empty.
    """
    units, text, kinds = 90, 40, ("accuracy", "style", None)

    def segment(near: Sequence[Any] = ()) -> list[tuple[int, int, str, str | None]]:
        starts = [whole(rng, 0, text - 6) for _ in range(whole(rng, 0, 3))]
        spans = [(s, s + whole(rng, 1, 5), SEVERITIES[whole(rng, 0, 2)], kinds[whole(rng, 0, 2)]) for s in starts]
        for start, end, severity, category in near:
            moved = max(0, start + whole(rng, -1, 2) // 2)
            if rng.random() < 0.7:
                spans.append((moved, max(moved + 1, end - whole(rng, 0, 1)), severity, category))
        return spans

    def as_spans(ends: Iterable[tuple[int, int]]) -> list[tuple[int, int, str, str | None]]:
        return [(start, end, SEVERITIES[at % 3], None) for at, (start, end) in enumerate(ends)]

    def crowded(count: int) -> list[tuple[int, int, str, str | None]]:
        return as_spans((start, start + whole(rng, 3, 9)) for start in range(0, 2 * count, 2))

    def faults() -> list[str | None]:
        return [SEVERITIES[whole(rng, 0, 2)] if rng.random() < 0.3 else None for _ in range(units)]

    gold, gold_faults = [segment() for _ in range(units)], (faults(), faults())
    gold[75], gold[85] = crowded(9), crowded(14)
    gold[80] = as_spans([(3, 3), (7, 9), (12, 14), (20, 25)])
    batches = []
    for _ in range(3):
        side = [segment(row) for row in gold]
        side[75], side[85] = crowded(9), crowded(14)
        side[80] = as_spans([(2, 5), (9, 9), (12, 12), (22, 22)])
        omission, instruction = ((of_gold, faults()) for of_gold in gold_faults)
        errors = [[[at // 2 for at in range(len(row))] for row in rows] for rows in (gold, side)]
        marked: dict[str, Any] = {"omission": omission, "instruction_fault": instruction, "errors": errors}
        batches.append(Spans.from_plain(gold, side, text=[text] * units, categories=kinds[:2], **marked))
    return batches


def _regular(rng: np.random.Generator, units: int) -> Spans:
    perfect: Any = _generate(rng, units).batch
    return _honest(perfect, 0.6, rng)


@composite
def submissions_of_spans(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 4, text: int = 9
) -> tuple[Spans, ...]:
    """Draw several markings of the same segments with the same gold; spans may overlap, segments may have none."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))

    def span(start: int, longer: int, severity: int) -> tuple[int, int, str]:
        return start, start + 1 + longer % (text - start), SEVERITIES[severity]

    def side() -> list[list[tuple[int, int, str]]]:
        counts = draw(whole_numbers(units, 0, 3)).tolist()
        drawn = (draw(whole_numbers(sum(counts), 0, most)).tolist() for most in (text - 1, text, len(SEVERITIES) - 1))
        spans = iter([span(*values) for values in zip(*drawn, strict=True)])
        return [list(islice(spans, count)) for count in counts]

    gold = side()
    return tuple(Spans.from_plain(gold, side(), text=[text] * units) for _ in range(submissions))


def spans_batches(*, min_units: int = 1, max_units: int = 4, text: int = 9) -> "SearchStrategy[Spans]":
    """Draw one marking of segments of `text` characters; spans may overlap, segments may have none.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import spans_batches
    >>> @settings(max_examples=5)
    ... @given(spans_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_spans(submissions=1, min_units=min_units, max_units=max_units, text=text).map(only)


KIND = BatchKind(
    batch=Spans,
    audit=AuditAnswers(perfect=gold_handed_in, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_spans,
    plain=_plain,
    with_answers=with_predicted,
    gold_answers=gold_answers,
    anonymous=_anonymous,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=_corrections,
)
