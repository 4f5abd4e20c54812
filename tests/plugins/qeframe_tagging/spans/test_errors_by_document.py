"""F1 of the errors of documents, against a slow reading of the rule, and cases by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.spans import SEVERITIES, Spans
from qeframe_tagging.spans.errors_by_document import annotation_f1, annotation_precision, annotation_recall

TEXT = 12
CREDIT = {0: 1.0, 1: 0.5, 2: 0.0}


def common(a, b):
    (start, end), (other_start, other_end) = a[:2], b[:2]
    low, high = max(start, other_start), min(end, other_end)
    if start == end or other_start == other_end:
        return 1 if high >= low else 0
    return max(0, high - low)


def oracle(gold, predicted):
    """Precision, recall and F1 of one document: lists of errors, each a severity and its spans."""

    def shares(mine, theirs):
        found = []
        for severity, spans in mine:
            length = sum(max(1, end - start) for start, end in spans)
            credits = [
                CREDIT[abs(severity - other)] * sum(common(a, b) for a in spans for b in others)
                for other, others in theirs
            ]
            found.append(min(1.0, max(credits, default=0.0) / length))
        return found

    p = math.fsum(shares(predicted, gold)) / len(predicted) if predicted else 1.0
    r = math.fsum(shares(gold, predicted)) / len(gold) if gold else 1.0
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def batch_of(gold, predicted):
    def spans(side):
        return [[(*span, SEVERITIES[severity]) for severity, error in row for span in error] for row in side]

    def numbers(side):
        return [[number for number, (_, error) in enumerate(row) for _ in error] for row in side]

    sides = numbers(gold), numbers(predicted)
    return Spans.from_plain(spans(gold), spans(predicted), text=[TEXT] * len(gold), errors=sides)


ENDS = st.tuples(st.integers(0, TEXT), st.integers(0, 5)).map(lambda drawn: (drawn[0], min(TEXT, sum(drawn))))
ERROR = st.tuples(st.integers(0, 2), st.lists(ENDS, min_size=1, max_size=3))
SIDE = st.lists(ERROR, max_size=4)


@given(st.lists(st.tuples(SIDE, SIDE), min_size=1, max_size=3))
def test_the_rule_by_loops(documents):
    gold, predicted = ([document[side] for document in documents] for side in (0, 1))
    batch = batch_of(gold, predicted)
    values = [oracle(*document) for document in documents]
    for nth, build in enumerate((annotation_precision, annotation_recall, annotation_f1)):
        expected = [value[nth] for value in values]
        assert qeframe.score(build(), batch) == pytest.approx(np.mean(expected), abs=1e-12)
        counted = [value for value, answers in zip(expected, predicted, strict=True) if answers]
        found = qeframe.score(build(documents="annotated"), batch)
        assert math.isnan(found) if not counted else found == pytest.approx(np.mean(counted), abs=1e-12)


def test_parts_of_one_error_are_compared_together():
    """Two words of one error; the submission marks one of them, of the neighboring severity."""
    batch = batch_of([[(0, [(0, 4), (8, 12)])]], [[(1, [(0, 4)])]])
    assert qeframe.score(annotation_precision(), batch) == 0.5
    assert qeframe.score(annotation_recall(), batch) == 0.25
    assert qeframe.score(annotation_f1(), batch) == pytest.approx(1 / 3)
    assert qeframe.score(annotation_precision(neighbor_credit=1), batch) == 1


def test_several_errors_may_be_compared_with_one():
    batch = batch_of([[(0, [(0, 6)])]], [[(0, [(0, 3)]), (0, [(3, 6)])]])
    assert qeframe.score(annotation_precision(), batch) == 1
    assert qeframe.score(annotation_recall(), batch) == 0.5


def test_an_empty_span_has_one_character():
    assert qeframe.score(annotation_f1(), batch_of([[(2, [(3, 3)])]], [[(2, [(3, 3)])]])) == 1
    touching = batch_of([[(0, [(3, 3)])]], [[(0, [(3, 5)])]])
    assert (qeframe.score(annotation_precision(), touching), qeframe.score(annotation_recall(), touching)) == (0.5, 1)
    assert qeframe.score(annotation_f1(), batch_of([[(0, [(3, 3)])]], [[(0, [(4, 5)])]])) == 0


def test_leaving_out_a_hard_document_pays_only_by_the_official_rule():
    gold = [[(0, [(0, 4)])], [(0, [(0, 4)])]]
    every, easy = batch_of(gold, [gold[0], [(0, [(6, 9)])]]), batch_of(gold, [gold[0], []])
    official = annotation_f1(documents="annotated")
    assert (qeframe.score(official, every), qeframe.score(official, easy)) == (0.5, 1.0)
    assert qeframe.score(annotation_f1(), every) == qeframe.score(annotation_f1(), easy) == 0.5


def test_empty_sides():
    assert qeframe.score(annotation_f1(), batch_of([[]], [[]])) == 1
    assert math.isnan(qeframe.score(annotation_f1(documents="annotated"), batch_of([[]], [[]])))
    assert qeframe.score(annotation_f1(), batch_of([[]], [[(0, [(0, 1)])]])) == 0
    none = batch_of([[]], [[]]).take(np.empty(0, np.int64))
    assert math.isnan(qeframe.score(annotation_f1(), none))
    assert math.isnan(float(annotation_f1().bind(batch_of([[]], [[]]))(np.zeros(1))))


def test_a_credit_out_of_range_is_refused():
    with pytest.raises(DataError, match=r"neighbor_credit is 1\.5"):
        annotation_f1(neighbor_credit=1.5)
