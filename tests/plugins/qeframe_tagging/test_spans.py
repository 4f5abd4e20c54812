"""Metrics of spans: the search for the best matching, overlaps, selections, and MPP."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.kinds.spans import Spans
from qeframe.testing import spans_batches
from qeframe_tagging.confusion_counts import f_score
from qeframe_tagging.spans import overlaps
from qeframe_tagging.spans.overlaps import Credit, find_overlaps, rises, times, without_dominated
from qeframe_tagging.spans.search import CompetingPairs, best_subset
from tests.plugins.qeframe_tagging.spans.test_matching import drawn


def competing(gold, predicted, precision, recall, base=(0.0, 0.0)):
    start = np.arange(len(gold))
    gains = np.array([precision, recall], dtype=np.float64)
    return CompetingPairs(gold=np.array(gold), predicted=np.array(predicted), start=start, gains=gains, base=base)


def test_f_is_a_harmonic_mean():
    np.testing.assert_allclose(f_score(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1.0, 1.0])), [0, 2 / 3, 1])


def test_of_two_matchings_with_equal_f_the_one_with_the_larger_precision_is_taken():
    pairs = competing([0, 0], [0, 1], [0.25, 0.5], [0.5, 0.25])
    assert best_subset(pairs)[0].tolist() == [False, True]
    assert best_subset(competing([0, 0], [0, 1], [0.5, 0.25], [0.25, 0.5]))[0].tolist() == [True, False]


def test_what_is_matched_elsewhere_decides():
    """With high precision elsewhere the pair with more recall is better, and the reverse."""
    gains = ([0.1, 0.4], [0.4, 0.1])
    assert best_subset(competing([0, 0], [0, 1], *gains, base=(0.5, 0.0)))[0].tolist() == [True, False]
    assert best_subset(competing([0, 0], [0, 1], *gains, base=(0.0, 0.5)))[0].tolist() == [False, True]


def test_the_best_matching_is_no_linear_assignment():
    """The best matching has the second largest sum under every weighting of precision and recall."""
    pairs = competing([0, 0, 0], [0, 1, 2], [0.05, 0.28, 0.6], [0.6, 0.28, 0.05])
    chosen, lost = best_subset(pairs)
    assert (chosen.tolist(), lost) == ([False, True, False], 0.0)
    for share in np.linspace(0, 1, 101):
        assert (share * pairs.gains[0] + (1 - share) * pairs.gains[1]).argmax() != 1


@pytest.mark.parametrize("length", [5, 30])
def test_a_chain_of_spans(length):
    """Each gold span overlaps two predicted ones; every other pair is worth more."""
    gold = np.repeat(np.arange(length), 2)
    predicted = np.concatenate([[0], np.repeat(np.arange(1, length), 2), [length]])
    worth = np.tile([0.2, 0.1], length) / length
    chosen, lost = best_subset(competing(gold, predicted, worth, worth))
    assert chosen.tolist() == [True, False] * length
    assert lost == 0


@pytest.mark.parametrize("at_once", [1, 2**20])
@given(seed=st.integers(0, 10_000))
def test_every_overlap_is_found_once(at_once, seed):
    gold, predicted = drawn(np.random.default_rng(seed), 4, 5, 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlaps, "_CANDIDATES_AT_ONCE", at_once)
        found = find_overlaps(Spans.from_plain(gold, predicted), Credit())
    expected, first = [], [0, 0]
    for segment, (truth, said) in enumerate(zip(gold, predicted, strict=True)):
        for i, p in enumerate(said):
            for j, g in enumerate(truth):
                common = min(g[1], p[1]) - max(g[0], p[0])
                if common > 0:
                    expected.append(
                        (segment, first[0] + j, first[1] + i, common / (p[1] - p[0]), common / (g[1] - g[0]))
                    )
        first = [first[0] + len(truth), first[1] + len(said)]
    columns = (found.segment, found.gold, found.predicted, found.precision, found.recall)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


def test_pairs_that_earn_nothing_are_left_out():
    batch = Spans.from_plain([[(0, 4, "minor")]], [[(0, 4, "major"), (0, 3, "minor")]])
    assert len(find_overlaps(batch, Credit(severity_penalty=1.0))) == 1
    assert len(find_overlaps(batch, Credit("exact"))) == 1
    assert len(find_overlaps(batch, Credit())) == 2


def test_a_span_that_another_one_exceeds_is_not_needed():
    batch = Spans.from_plain([[(0, 10, 0)]], [[(0, 4, 0), (0, 5, 0), (8, 20, 0), (9, 10, 0)]])
    pairs = find_overlaps(batch, Credit())
    assert without_dominated(pairs).tolist() == [1]
    assert times(pairs.gold).tolist() == [4, 4, 4, 4]


def test_values_rise_within_their_groups():
    assert rises(np.array([0, 0, 0, 1, 1]), np.array([0.2, 0.2, 0.5, 0.1, 0.3])).tolist() == [
        True,
        False,
        True,
        True,
        True,
    ]
    assert rises(np.empty(0, np.int64), np.empty(0)).tolist() == []


GOLD = [[(0, 4, "minor", "fluency/grammar"), (6, 8, "major", "accuracy/addition")]]
SAID = [[(0, 4, "major", "fluency/grammar"), (6, 8, "minor", "accuracy/omission"), (9, 10, "minor")]]
NONE = [[]]


@pytest.mark.parametrize("name", ["span_f1", "span_f1(rule=2023)", "mpp_f"])
def test_one_category(measure, name):
    def with_category(category):
        options = f"{name[:-1]}," if name.endswith(")") else f"{name}("
        return measure(f'{options}category="{category}")', GOLD, SAID)

    assert with_category("fluency") == with_category("fluency/grammar") == (1 if name == "mpp_f" else 0.5)
    assert with_category("accuracy/addition") == 0
    with pytest.raises(DataError, match="there is no category 'style': the categories are accuracy/addition"):
        with_category("style")
    with pytest.raises(DataError, match="spans have no category"):
        measure("mpp_f(category=style)", [[]], [[]])


def test_one_severity(measure):
    assert measure("mpp_f(severity=minor)", GOLD, SAID) == 0
    assert measure("span_precision(severity=major)", GOLD, SAID) == 0
    assert measure("mpp_recall(severity=critical)", GOLD, SAID) == 1


FAULTS = {"omission": (["major"], ["major"]), "instruction_fault": (["minor"], [None])}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("span_f1(faults=counted)", 2 * 1 / (2 + 1)),
        ("span_precision(rule=2023,faults=counted)", 1.0),
        ("span_recall(faults=counted)", 0.5),
        ("mpp_f(faults=counted)", 2 / 3),
        ("mpp_recall(faults=counted,major_weight=4.0)", 0.8),
        ("mpp_f(faults=counted,average=macro,matching=many_to_many)", 2 / 3),
        ("mpp_f(faults=counted,severity=major)", 1.0),
        ("mpp_f(faults=counted,severity=minor)", 0.0),
        ("mpp_f", 1.0),
        ("span_f1", 1.0),
    ],
)
def test_faults_count_if_they_are_asked_for(measure, name, expected):
    assert measure(name, NONE, NONE, **FAULTS) == pytest.approx(expected)


def test_a_fault_of_another_severity(measure):
    faults = {"omission": (["major"], ["minor"])}
    assert measure("span_f1(faults=counted)", NONE, NONE, **faults) == 0.5
    assert measure("mpp_f(faults=counted)", NONE, NONE, **faults) == 1
    assert measure("mpp_f(faults=counted,severity_penalty=0.25)", NONE, NONE, **faults) == 0.75


def test_an_omission_is_no_fault_against_the_instructions(measure):
    faults = {"omission": (["major"], [None]), "instruction_fault": ([None], ["major"])}
    assert measure("mpp_f(faults=counted)", NONE, NONE, **faults) == 0


@pytest.mark.parametrize(("rule", "expected"), [(2023, (2.5 / 7, 0.25)), (2025, (2.5 / 7, 0.25))])
def test_precision_and_recall_of_marked_characters(measure, rule, expected):
    sides = [[(0, 10, "major")]], [[(5, 12, "minor")]]
    found = tuple(measure(f"span_{name}(rule={rule})", *sides) for name in ("precision", "recall"))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(("rule", "neither"), [(2023, 0.0), (2025, 1.0)])
@pytest.mark.parametrize("name", ["span_precision", "span_recall"])
def test_degenerate_cases_of_precision_and_recall(measure, name, rule, neither):
    assert measure(f"{name}(rule={rule})", NONE, NONE) == neither
    assert measure(f"{name}(rule={rule})", NONE, [[(0, 3, 0)]]) == 0
    assert measure(f"{name}(rule={rule})", [[(0, 3, 0)]], NONE) == 0


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


def test_the_macro_average_is_the_mean_of_segments(measure, named):
    assert measure("mpp_f(average=macro)", *BOTH) == pytest.approx((10 / 17 + 0.6) / 2)
    batch = Spans.from_plain(*BOTH)
    np.testing.assert_allclose(named("mpp_f(average=macro)").per_unit(batch), [10 / 17, 0.6])
    assert named("mpp_f").details(batch) == {
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
