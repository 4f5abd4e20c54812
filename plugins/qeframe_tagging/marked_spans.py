"""Span F1: characters that both sides mark, with half a credit if the severities differ."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import END, SEVERITY, START, FloatArray, IntArray, Metric, Ragged, Spans, additive
from qeframe_tagging.confusion_counts import fraction
from qeframe_tagging.runs import sum_by

__all__ = ["span_f1"]

_SIDES = ("gold minor", "gold major", "predicted minor", "predicted major")
_OTHER_SEVERITY = 0.5


@frozen(eq=False)
class Stretches:
    """The longest stretches of characters on which no mark begins or ends.

    Parameters
    ----------
    segment, length : (m,) int64
        The segment of a stretch, and its number of characters.
    marks : (4, m) int64
        How many marks cover it: gold minor, gold major, predicted minor, predicted major.
    """

    segment: IntArray
    length: IntArray
    marks: IntArray

    def rows(self, segments: int, *per_character: NDArray[Any]) -> FloatArray:
        """Return the sums of values per character, (m,) each, over every segment: (segments, values)."""
        sums = [sum_by(self.segment, values * self.length, segments) for values in per_character]
        return np.stack(sums, axis=1)


def _stretches(batch: Spans, *, empty_marks_one: bool) -> Stretches:
    """Return the stretches: the count of marks rises by 1 where a mark starts and falls by 1 where it ends."""
    room = np.minimum(batch.text, _furthest(batch)) + 2
    begins = np.concatenate([[0], np.cumsum(room)])
    positions, changes, kinds = [], [], []
    for first_kind, side in ((0, batch.gold), (2, batch.predicted)):
        start, end = _clipped(side, batch.text, empty_marks_one=empty_marks_one)
        shift, kind = begins[side.row_of_value], first_kind + (side.values[:, SEVERITY] > 0)
        positions += [start + shift, end + shift]
        changes += [np.ones_like(start), -np.ones_like(end)]
        kinds += [kind, kind]
    position, change, kind = map(np.concatenate, (positions, changes, kinds))
    order = np.argsort(position, kind="stable")
    position = position[order]
    marks = np.stack([np.cumsum(np.where(kind[order] == k, change[order], 0)) for k in range(len(_SIDES))])
    segment = np.searchsorted(begins, position, side="right") - 1
    return Stretches(segment, np.diff(position, append=position[-1:]), marks)


def _furthest(batch: Spans) -> IntArray:
    """Return the last end of any mark in each segment, (n,); the text after it does not matter."""
    furthest = np.zeros(len(batch), dtype=np.int64)
    for side in (batch.gold, batch.predicted):
        np.maximum.at(furthest, side.row_of_value, side.values[:, END])
    return furthest


def _clipped(side: Ragged, text: IntArray, *, empty_marks_one: bool) -> tuple[IntArray, IntArray]:
    """Return starts and ends within the text; under the rule of 2023 an empty mark covers one character."""
    start, limit = side.values[:, START], text[side.row_of_value]
    end = np.minimum(side.values[:, END], limit)
    if empty_marks_one:
        end = np.where(start == end, start + 1, end)
    return np.minimum(start, end), end


def rows_2023(batch: Spans) -> FloatArray:
    """Return credit, gold characters and predicted characters of every segment by the rule of 2023, (n, 3)."""
    stretches = _stretches(batch, empty_marks_one=True)
    minor, major, predicted_minor, predicted_major = stretches.marks > 0
    same = (minor & predicted_minor) | (major & predicted_major)
    in_gold, in_predicted = minor | major, predicted_minor | predicted_major
    credit = np.where(same, 1.0, _OTHER_SEVERITY * (in_gold & in_predicted))
    return stretches.rows(len(batch), credit, in_gold, in_predicted)


def rows_2025(batch: Spans) -> FloatArray:
    """Return credit, gold marks and predicted marks of every segment by the rule of 2025, (n, 3)."""
    stretches = _stretches(batch, empty_marks_one=False)
    minor, major, predicted_minor, predicted_major = stretches.marks
    same = np.minimum(minor, predicted_minor) + np.minimum(major, predicted_major)
    in_gold, in_predicted = minor + major, predicted_minor + predicted_major
    credit = same + _OTHER_SEVERITY * (np.minimum(in_gold, in_predicted) - same)
    return stretches.rows(len(batch), credit, in_gold, in_predicted)


def _f1_of_2023(sums: FloatArray) -> FloatArray:
    return fraction(2.0 * sums[..., 0], sums[..., 1] + sums[..., 2])


def _f1_of_2025(sums: FloatArray) -> FloatArray:
    return np.where(sums[..., 1] + sums[..., 2] > 0, _f1_of_2023(sums), 1.0)


def span_f1(*, rule: Literal[2023, 2025] = 2025) -> Metric:
    """F1 of the characters that are marked as errors, with half a credit if the severities differ.

    Precision is the credit divided by the characters that the submission marks; recall is the credit divided by the
    characters that the gold marks. All are summed over the segments. F1 is 2 * credit / (sum of both denominators).
    Critical errors count as major ones.

    Parameters
    ----------
    rule : {2023, 2025}
        2023: a character counts once, even if it is marked several times. Where the gold has one severity, the credit
        is 1 if the submission marks it with that severity, even if also with the other. Where the gold has both, the
        credit of any mark is 1. An empty span (start = end) marks one character. So a submission that marks everything
        both minor and major has full credit. 2025: the marks on a character are a multiset. Marks of the same severity
        are paired first, the others are paired for half a credit. An empty span marks nothing.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1]; 0 if only one side has marks. If no side has marks, 2023 gives 0 (the script divides by
        zero) and 2025 gives 1.

    References
    ----------
    WMT23 and WMT24 QE error span detection; WMT25 automated translation quality evaluation, task 2.
    """
    lenient = rule == 2023
    columns = ("credit", "gold characters", "predicted characters")
    bind = (
        additive(columns=columns, extract=rows_2023, score=_f1_of_2023)
        if lenient
        else additive(columns=columns, extract=rows_2025, score=_f1_of_2025)
    )
    return Metric(
        name="span_f1",
        summary="F1 of marked characters, half a credit for another severity; two empty sides: 1 (2025) or 0 (2023)",
        source="WMT23-25 QE error span detection (primary)",
        kind=Spans,
        bind=bind,
        bounds=(0.0, 1.0),
        degenerate=0.0 if lenient else 1.0,
    )
