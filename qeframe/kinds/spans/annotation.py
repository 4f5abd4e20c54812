"""The annotation of segments: error spans, each with a severity, and faults of whole translations.

Spans may have a category, such as accuracy. Two faults of a translation are shown by no characters: an omission, and a
fault against the instructions. Each has a severity.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batch import BoolArray, IntArray
from qeframe.core.errors import DataError, counted
from qeframe.core.ragged import Ragged, read_only

SEVERITIES = ("minor", "major", "critical")
"""The severities of error annotation by code, the mildest first."""

START, END, SEVERITY, CATEGORY = range(4)
"""The columns of a span; the last one only exists where spans have categories."""

NO_CODE = -1
"""The code of a category that is not stated, and of the severity of a fault that a translation does not have."""

FAULTS = ("omission", "instruction_fault")
"""The faults of a whole translation."""

ABSENT = np.empty(0, dtype=np.int64)
"""Where faults or texts are not given."""


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


@frozen(eq=False)
class AnnotatedSegments(Ragged):
    """The annotation of every segment: spans, and faults of the whole translation.

    Parameters
    ----------
    values : (spans, 3) or (spans, 4) int64
        Start, end (exclusive), severity, and where there are categories the category of every span, segment after
        segment. A category is an index into `categories`, or `NO_CODE` if it is not stated. Values without a column of
        categories get one if there are categories.
    offsets : (segments + 1,) int64
        The offset of the spans of each segment, then the number of spans. A segment may have no span.
    omission, instruction_fault : (segments,) int64, optional
        The severity of the fault of each translation, `NO_CODE` without a fault; by default no translation has a fault.
    categories : tuple of str
        The names of the categories, equal on all sides of a task; empty if spans have none.
    error : (spans,) int64, optional
        Which spans are parts of one error: those of a segment with equal numbers. By default each is an error of its
        own. Only metrics that count errors look at it.

    Raises
    ------
    DataError
        If the arrays have other shapes, or a code of a fault or category is not known.
    """

    omission: IntArray = field(default=ABSENT, kw_only=True)
    instruction_fault: IntArray = field(default=ABSENT, kw_only=True)
    categories: tuple[str, ...] = field(default=(), converter=_names, kw_only=True)
    error: IntArray = field(default=ABSENT, kw_only=True)

    def __attrs_post_init__(self) -> None:
        Ragged.__attrs_post_init__(self)
        object.__setattr__(self, "values", _columns(self.values, self.categories))
        object.__setattr__(self, "error", _error(self.error, len(self.values)))
        for name in FAULTS:
            object.__setattr__(self, name, _fault(getattr(self, name), len(self), name))

    def take(self, rows: IntArray) -> AnnotatedSegments:
        """Return the given segments, in the given order."""
        return AnnotatedSegments(**self._rows(rows))

    def _rows(self, rows: IntArray) -> dict[str, Any]:
        cut = Ragged.take(self, rows)
        faults = {name: getattr(self, name)[rows] for name in FAULTS}
        error = Ragged(self.error, self.offsets).take(rows).values if self.has_parts else ABSENT
        return {"values": cut.values, "offsets": cut.offsets, "categories": self.categories, "error": error, **faults}

    @property
    def has_parts(self) -> bool:
        """Whether it is stated which spans are parts of one error."""
        return len(self.error) > 0

    @property
    def errors(self) -> IntArray:
        """(spans,) int64: a number for each span; spans of a segment with equal numbers are one error."""
        return self.error if self.has_parts else np.arange(len(self.values))

    @property
    def has_faults(self) -> bool:
        """Whether any translation has an omission or a fault against the instructions."""
        return any((getattr(self, name) != NO_CODE).any() for name in FAULTS)

    def in_any_span(self, offsets: IntArray) -> BoolArray:
        """Return whether each character is in a span, (offsets[-1],); each text begins at an offset."""
        segment = self.row_of_value
        lengths = np.diff(offsets)[segment]
        starts, ends = (np.clip(self.values[:, i], 0, lengths) + offsets[segment] for i in (START, END))
        depth = np.zeros(int(offsets[-1]) + 1, dtype=np.int64)
        # spans may overlap: a character is in one where more have begun than ended
        np.add.at(depth, starts, 1)
        np.add.at(depth, ends, -1)
        return np.asarray(depth.cumsum()[:-1] > 0)

    def with_values(self, values: NDArray[Any]) -> AnnotatedSegments:
        """Return the same segments with other values of their spans, (spans, columns); the faults stay."""
        faults = {name: getattr(self, name) for name in FAULTS}
        return AnnotatedSegments(values, self.offsets, categories=self.categories, error=self.error, **faults)

    def with_categories(self, categories: Sequence[str]) -> AnnotatedSegments:
        """Return the same spans with codes of other names of categories, which must include all that occur."""
        names = tuple(categories)
        if names == self.categories:
            return self
        values = self.values
        if self.categories:
            codes = np.array([names.index(name) if name in names else NO_CODE for name in self.categories] + [NO_CODE])
            values = np.column_stack([values[:, :CATEGORY], codes[values[:, CATEGORY]]])
        return attrs.evolve(self, values=values if names else values[:, :CATEGORY], categories=names)


@frozen(eq=False)
class SegmentSpans(AnnotatedSegments):
    """One side of a corpus as it is read: the annotation of every segment, and its text.

    Parameters
    ----------
    text : (segments,) int64
        The number of characters of each segment.
    content : (segments,) object, optional
        The text of each segment, a str, for pictures; "" where it is not known.
    """

    text: IntArray
    content: NDArray[Any] = field(default=ABSENT, kw_only=True)

    def __attrs_post_init__(self) -> None:
        AnnotatedSegments.__attrs_post_init__(self)
        object.__setattr__(self, "content", known_texts(self.content, len(self)))

    def take(self, rows: IntArray) -> SegmentSpans:
        """Return the given segments, in the given order."""
        return SegmentSpans(**self._rows(rows), text=self.text[rows], content=self.content[rows])


def _columns(values: NDArray[Any], categories: tuple[str, ...]) -> NDArray[Any]:
    """Return spans with three columns, or with four where there are categories."""
    spans = values if values.ndim == 2 else values.reshape(-1, CATEGORY)
    width = CATEGORY + bool(categories)
    if spans.shape[1] == CATEGORY < width:
        spans = np.column_stack([spans, np.full(len(spans), NO_CODE)])
    if spans.shape[1] != width or (categories and not _within(spans[:, CATEGORY], len(categories))):
        what = f"spans have {spans.shape[1]} columns and {counted(len(categories), 'name')} of categories"
        raise DataError(what, remedy="give start, end, severity; and a category only with the names of categories")
    return read_only(spans)


def _error(numbers: IntArray, spans: int) -> IntArray:
    given = np.asarray(numbers, dtype=np.int64)
    if given.shape not in ((0,), (spans,)):
        raise DataError(f"error is not a number for each of {counted(spans, 'span')}", remedy="give one number a span")
    return read_only(given)


def _fault(codes: IntArray, segments: int, name: str) -> IntArray:
    if codes is ABSENT:
        return read_only(np.full(segments, NO_CODE, dtype=np.int64))
    given = np.asarray(codes, dtype=np.int64)
    if given.shape != (segments,) or not _within(given, len(SEVERITIES)):
        raise DataError(f"{name} is not the severity of each of {segments} segments, or {NO_CODE} without a fault")
    return read_only(given)


def _within(codes: NDArray[Any], count: int) -> bool:
    return not len(codes) or bool(codes.min() >= NO_CODE and codes.max() < count)


def known_texts(texts: NDArray[Any], segments: int) -> NDArray[Any]:
    """Return the text of each segment, (segments,) of str; "" for each where none is given."""
    return read_only(np.full(segments, "", dtype=object) if texts is ABSENT else texts)


def annotated(side: Ragged) -> AnnotatedSegments:
    """Return one side of a corpus as annotation; plain spans have no category, and no translation has a fault."""
    return side if isinstance(side, AnnotatedSegments) else AnnotatedSegments(side.values, side.offsets)


def joined(first: AnnotatedSegments, second: AnnotatedSegments) -> AnnotatedSegments:
    """Return the segments of two sides, one after the other."""
    names = first.categories + tuple(name for name in second.categories if name not in first.categories)
    sides = first.with_categories(names), second.with_categories(names)
    stated = first.has_parts or second.has_parts
    return AnnotatedSegments(
        np.concatenate([side.values for side in sides]),
        np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]]),
        categories=names,
        error=np.concatenate([first.errors, second.errors]) if stated else ABSENT,
        **{name: np.concatenate([getattr(side, name) for side in sides]) for name in FAULTS},
    )


def exchanged(
    mine: AnnotatedSegments, theirs: AnnotatedSegments, mask: BoolArray
) -> tuple[AnnotatedSegments, AnnotatedSegments]:
    """Return two sides after they swap the segments where `mask`, (segments,), is true."""
    both, rows = joined(mine, theirs), np.arange(len(mask))
    return both.take(np.where(mask, rows + len(mask), rows)), both.take(np.where(mask, rows, rows + len(mask)))
