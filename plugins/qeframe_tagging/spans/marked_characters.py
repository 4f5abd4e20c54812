"""Characters that both sides mark, with half a credit if the severities differ: F1, precision and recall."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.plugin import FloatArray, IntArray, Metric, Spans, additive
from qeframe.plugin.kinds import SEVERITY, START
from qeframe_tagging.confusion_counts import f1_of_counts, precision_of_counts, recall_of_counts, sum_by
from qeframe_tagging.spans.selection import Faults, OfSeverity, Selection, clipped, fault_sums, first_positions

Rule = Literal[2023, 2025]

_SIDES = ("gold minor", "gold major", "predicted minor", "predicted major")
_OTHER_SEVERITY = 0.5
_CREDIT = r"C = \sum_{k} \left( e_k + \frac{1}{2} \left( \min(g_k, p_k) - e_k \right) \right)"
_FORMULAS = {
    "F1": r"\frac{2 C}{\sum_{k} g_k + \sum_{k} p_k}",
    "precision": r"\frac{C}{\sum_{k} p_k}",
    "recall": r"\frac{C}{\sum_{k} g_k}",
}
_SYMBOLS = (
    "Character $k$ of any segment is marked $g_k$ times by the gold and $p_k$ times by the submission; $e_k$ of these "
    "marks can be paired with one of the same severity. $C$ is the credit: 1 for each such pair, one half for each "
    "other pair. This is the rule of 2025; under that of 2023 a character is marked once at most."
)
_REST = "half a credit for another severity; two empty sides: 1 (2025) or 0 (2023)"


@frozen(eq=False)
class Stretches:
    """The longest stretches of characters on which no mark begins or ends."""

    segment: IntArray
    length: IntArray  # in characters, (m,) as the segments
    marks: IntArray  # how many cover it, (4, m): gold minor, gold major, predicted minor, predicted major

    def rows(self, segments: int, *per_character: NDArray[Any]) -> FloatArray:
        """Return the sums of values per character, (m,) each, over every segment: (segments, values)."""
        sums = [sum_by(self.segment, values * self.length, segments) for values in per_character]
        return np.stack(sums, axis=1)


def find_stretches(batch: Spans, *, empty_marks_one: bool) -> Stretches:
    """Return the stretches on which the marks are the same; under the rule of 2023 an empty mark covers one character.

    The count of marks rises by 1 where a mark starts and falls by 1 where it ends.
    """
    begins = first_positions(batch)
    positions, changes, kinds = [], [], []
    for first_kind, side in ((0, batch.gold), (2, batch.predicted)):
        start, end = clipped(side, batch.text)
        if empty_marks_one:
            end = np.where(side.values[:, START] == end, start + 1, end)
        shift, kind = begins[side.row_of_value], first_kind + (side.values[:, SEVERITY] > 0)
        positions += [start + shift, end + shift]
        changes += [np.ones_like(start), -np.ones_like(end)]
        kinds += [kind, kind]
    position, change, kind = map(np.concatenate, (positions, changes, kinds))
    order = np.argsort(position, kind="stable")
    position = position[order]
    # how many spans of each kind are open from each position on
    marks = np.stack([np.cumsum(np.where(kind[order] == k, change[order], 0)) for k in range(len(_SIDES))])
    segment = np.searchsorted(begins, position, side="right") - 1
    return Stretches(segment, np.diff(position, append=position[-1:]), marks)


@frozen
class CharacterSums:
    """Credit, gold characters and predicted characters of every segment, (n, 3), by the rule of a year.

    A fault of a translation counts as one more character, which both sides may mark.
    """

    rule: Rule
    selection: Selection

    def __call__(self, batch: Spans) -> FloatArray:
        selected = self.selection(batch)
        return _RULES[self.rule](selected) + fault_sums(selected, _fault_credit, np.ones_like)


def _fault_credit(gold: IntArray, predicted: IntArray) -> FloatArray:
    return np.where((gold > 0) == (predicted > 0), 1.0, _OTHER_SEVERITY)


def rows_2023(batch: Spans) -> FloatArray:
    """Return credit, gold characters and predicted characters of every segment by the rule of 2023, (n, 3)."""
    stretches = find_stretches(batch, empty_marks_one=True)
    minor, major, predicted_minor, predicted_major = stretches.marks > 0
    same = (minor & predicted_minor) | (major & predicted_major)
    in_gold, in_predicted = minor | major, predicted_minor | predicted_major
    credit = np.where(same, 1.0, _OTHER_SEVERITY * (in_gold & in_predicted))
    return stretches.rows(len(batch), credit, in_gold, in_predicted)


def rows_2025(batch: Spans) -> FloatArray:
    """Return credit, gold marks and predicted marks of every segment by the rule of 2025, (n, 3)."""
    stretches = find_stretches(batch, empty_marks_one=False)
    minor, major, predicted_minor, predicted_major = stretches.marks
    same = np.minimum(minor, predicted_minor) + np.minimum(major, predicted_major)
    in_gold, in_predicted = minor + major, predicted_minor + predicted_major
    credit = same + _OTHER_SEVERITY * (np.minimum(in_gold, in_predicted) - same)
    return stretches.rows(len(batch), credit, in_gold, in_predicted)


_RULES: dict[int, Callable[[Spans], FloatArray]] = {2023: rows_2023, 2025: rows_2025}


def _one_if_empty(score: Callable[[FloatArray], FloatArray], sums: FloatArray) -> FloatArray:
    """Return a score, but 1 if neither side marks a character: the rule of 2025."""
    return np.where(sums[..., 1] + sums[..., 2] > 0, score(sums), 1.0)


_KNOWN: Mapping[str, Mapping[str, float]] = {
    "span_f1": {"blind": 0.13, "cosmetic": 0.05},
    "span_precision": {"blind": 0.05, "cosmetic": 0.64},
    "span_recall": {"blind": 0.99, "cosmetic": 0.56},
}
"""The largest gaming index that attacks of each kind have, with any value of the parameters."""


def _metric(
    name: str, words: str, score: Callable[[FloatArray], FloatArray], rule: Rule, selection: Selection
) -> Metric:
    columns = ("credit", "gold characters", "predicted characters")
    of_sums = score if rule == 2023 else partial(_one_if_empty, score)
    return Metric(
        name=name,
        summary=f"{words} of marked characters, {_REST}",
        source=f"WMT23-25 QE error span detection{' (primary)' if name == 'span_f1' else ''}",
        kind=Spans,
        bind=additive(columns=columns, extract=CharacterSums(rule, selection), score=of_sums),
        smooth=True,
        interval_scale="logit",
        bounds=(0.0, 1.0),
        degenerate=0.0 if rule == 2023 else 1.0,
        formula=f"{_FORMULAS[words]}\n{_CREDIT}",
        symbols=_SYMBOLS,
        known_weaknesses=_KNOWN[name],
    )


def span_f1(
    *, rule: Rule = 2025, severity: OfSeverity = "all", category: str = "", faults: Faults = "ignored"
) -> Metric:
    """F1 of the characters that are marked as errors, with half a credit if the severities differ.

    Precision is the credit divided by the characters that the submission marks; recall is the credit divided by the
    characters that the gold marks. All are summed over the segments. F1 is 2 * credit / (sum of both denominators).
    Critical errors count as major ones. Which spans are parts of one error does not matter: every character counts by
    itself. `annotation_f1`, the rule of WMT19 and WMT20 for documents, compares errors of several spans as a whole.

    Parameters
    ----------
    rule : {2023, 2025}
        2023: a character counts once, even if it is marked several times. Where the gold has one severity, the credit
        is 1 if the submission marks it with that severity, even if also with the other. Where the gold has both, the
        credit of any mark is 1. An empty span (start = end) marks one character. So a submission that marks everything
        both minor and major has full credit. 2025: the marks on a character are a multiset. Marks of the same severity
        are paired first, the others are paired for half a credit. An empty span marks nothing.
    severity : {"all", "minor", "major", "critical"}
        Count only spans of this severity, on both sides.
    category : str
        Count only spans of this category, on both sides: a name, or the first part of names such as
        ``accuracy/addition``; "" for all spans.
    faults : {"ignored", "counted"}
        Whether an omission and a fault against the instructions count, each as one more character of the translation
        that both sides may mark. No official rule is known.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1]; 0 if only one side has marks. If no side has marks, 2023 gives 0 (the script divides by
        zero) and 2025 gives 1.

    References
    ----------
    WMT23 and WMT24 QE error span detection; WMT25 automated translation quality evaluation, task 2.
    """
    return _metric("span_f1", "F1", f1_of_counts, rule, Selection(severity, category, faults))


def span_precision(
    *, rule: Rule = 2025, severity: OfSeverity = "all", category: str = "", faults: Faults = "ignored"
) -> Metric:
    """Precision of marked characters: the credit, divided by the characters that the submission marks.

    Parameters
    ----------
    rule : {2023, 2025}
        How characters are credited; see `span_f1`. A character that is marked twice counts twice under the rule of 2025
        and once under the rule of 2023.
    severity, category, faults
        What counts; see `span_f1`.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1]; 0 if the submission marks nothing. If no side has marks, 2025 gives 1.

    References
    ----------
    WMT23 and WMT24 QE error span detection; WMT25 automated translation quality evaluation, task 2.
    """
    return _metric("span_precision", "precision", precision_of_counts, rule, Selection(severity, category, faults))


def span_recall(
    *, rule: Rule = 2025, severity: OfSeverity = "all", category: str = "", faults: Faults = "ignored"
) -> Metric:
    """Recall of marked characters: the credit, divided by the characters that the gold marks.

    Parameters
    ----------
    rule : {2023, 2025}
        How characters are credited; see `span_f1`.
    severity, category, faults
        What counts; see `span_f1`.

    Returns
    -------
    Metric
        On `Spans`, in [0, 1]; 0 if the gold marks nothing. If no side has marks, 2025 gives 1.

    References
    ----------
    WMT23 and WMT24 QE error span detection; WMT25 automated translation quality evaluation, task 2.
    """
    return _metric("span_recall", "recall", recall_of_counts, rule, Selection(severity, category, faults))
