"""MPP by its check values, its limits, and its degenerate cases."""

import numpy as np
import pytest
from hypothesis import given

from qeframe.core.errors import DataError
from qeframe.kinds.spans import Spans
from qeframe.testing import spans_batches

FIRST = ([(0, 10, "major")], [(5, 12, "minor")])
SECOND = ([(0, 8, "major"), (25, 30, "minor")], [(0, 4, "major"), (6, 8, "minor"), (20, 30, "minor")])
BOTH = ([FIRST[0], SECOND[0]], [FIRST[1], SECOND[1]])
MEASURES = ("mpp_precision", "mpp_recall", "mpp_f")


@pytest.mark.parametrize(
    ("options", "sides", "expected"),
    [
        ("", ([FIRST[0]], [FIRST[1]]), (0.714286, 0.5, 0.588235)),
        ("", ([SECOND[0]], [SECOND[1]]), (0.5, 0.75, 0.6)),
        ("", BOTH, (0.553571, 0.666667, 0.604878)),
        ("(minor_weight=0.2)", BOTH, (0.776786, 0.363636, 0.495374)),
        ("", ([*BOTH[0], []], [*BOTH[1], []]), (0.553571, 0.666667, 0.604878)),
        ("", ([[(0, 10, 0), (40, 50, 0)]], [[(0, 100, 0)]]), (0.1, 0.5, 0.166667)),
    ],
)
def test_checks_of_the_conventions(measure, options, sides, expected):
    assert tuple(round(measure(name + options, *sides), 6) for name in MEASURES) == expected


def test_the_macro_average_is_the_mean_of_segments(measure, metric):
    assert measure("mpp_f(average=macro)", *BOTH) == pytest.approx((10 / 17 + 0.6) / 2)
    batch = Spans.from_plain(*BOTH)
    np.testing.assert_allclose(metric("mpp_f(average=macro)").per_unit(batch), [10 / 17, 0.6])
    assert metric("mpp_f").details(batch) == {
        "precision": pytest.approx(0.553571, abs=1e-6),
        "recall": pytest.approx(2 / 3),
    }


def test_exact_offsets_and_any_overlap_are_its_limits(measure):
    assert [measure(f"{name}(measure=any)", *BOTH) for name in MEASURES] == [3 / 4, 1, 6 / 7]
    assert measure("mpp_f(measure=exact)", *BOTH) == 0
    same = ([[(0, 3, 0), (0, 3, 0), (5, 6, 1)]], [[(0, 3, 0), (5, 6, 0)]])
    assert [measure(f"{name}(measure=exact)", *same) for name in MEASURES] == [1, 2 / 3, 0.8]
    assert measure("mpp_precision(measure=exact,severity_penalty=0.5)", *same) == 0.75


@given(batch=spans_batches())
def test_exact_credit_is_no_more_than_partial_and_partial_no_more_than_any(batch):
    from qeframe_tagging import mpp_f

    exact, part, either = (
        float(mpp_f(measure=each).bind(batch)(np.ones(len(batch)))) for each in ("exact", "overlap", "any")
    )
    assert exact <= part + 1e-12 <= either + 2e-12


@given(batch=spans_batches())
def test_exchanged_sides_exchange_precision_and_recall(batch):
    from qeframe_tagging import mpp_f

    turned = Spans(ids=batch.ids, gold=batch.predicted, predicted=batch.gold, text=batch.text)
    scores = [mpp_f(average="macro").per_unit(side) for side in (batch, turned)]
    np.testing.assert_allclose(*scores, atol=1e-12)


@pytest.mark.parametrize("matching", ["best", "greedy", "many_to_many"])
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_degenerate_cases(measure, matching, average):
    options = f"(matching={matching},average={average})"
    for name in MEASURES:
        assert measure(name + options, [[], []], [[], []]) == 1
        assert measure(name + options, [], []) == 1
    assert measure(f"mpp_precision{options}", [[(0, 3, 0)]], [[]]) == 1
    assert measure(f"mpp_recall{options}", [[]], [[(0, 3, 0)]]) == 1
    assert measure(f"mpp_f{options}", [[(0, 3, 0)]], [[]]) == measure(f"mpp_f{options}", [[]], [[(0, 3, 0)]]) == 0
    assert measure(f"mpp_f{options}", [[(2, 2, 0)]], [[(2, 2, 0)]]) == 0


def test_spans_end_with_their_text(measure):
    assert measure("mpp_f", [[(2, 3, 0)]], [[(2, 99, 0)]], text=["abc"], beyond="clip") == 1
    assert measure("mpp_precision", [[(0, 3, 0)]], [[(7, 99, 0), (0, 3, 0)]], text=["abc"], beyond="clip") == 0.5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("severity_penalty=1.5", "severity_penalty is 1.5; give a number from 0 to 1"),
        ("minor_weight=-1.0", "weights of severities are minor_weight=-1.0, major_weight=1.0, critical_weight=1.0"),
        ("minor_weight=0.0,major_weight=0.0,critical_weight=0.0", "not all of them 0"),
    ],
)
def test_what_no_credit_is(measure, options, message):
    with pytest.raises(DataError, match=message):
        measure(f"mpp_f({options})", [[]], [[]])


def test_many_to_many_needs_no_partner(measure):
    sides = ([[(0, 10, 0)]], [[(0, 5, 0), (5, 10, 0)]])
    assert measure("mpp_f", *sides) == pytest.approx(0.5)
    assert measure("mpp_f(matching=many_to_many)", *sides) == 1
    assert measure("mpp_precision(matching=many_to_many,measure=any)", *sides) == 1


def test_more_segments_than_are_computed_at_once(monkeypatch, measure):
    from qeframe_tagging.spans import matching, overlaps

    whole = measure("mpp_f", *BOTH)
    monkeypatch.setattr(matching, "_SEGMENTS_AT_ONCE", 1)
    monkeypatch.setattr(overlaps, "_CANDIDATES_AT_ONCE", 1)
    assert measure("mpp_f", *BOTH) == whole
