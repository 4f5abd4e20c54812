"""The matching of spans against one that tries every matching, with exact fractions; credit without matching."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.kinds.spans import Spans
from qeframe_tagging.spans import matching, search
from qeframe_tagging.spans.matching import COLUMNS, PartialCredit, best_pair_sums, coverage_sums
from qeframe_tagging.spans.overlaps import Credit, find_overlaps
from qeframe_tagging.spans.selection import Selection
from tests.plugins.qeframe_tagging.spans.matchers import best_sums

ONE = (Fraction(1),) * 3
RULES = [
    ("overlap", Fraction(0), ONE),
    ("overlap", Fraction(1, 2), ONE),
    ("overlap", Fraction(0), (Fraction(1, 5), Fraction(1), Fraction(1))),
    ("exact", Fraction(1, 4), ONE),
    ("any", Fraction(1, 2), ONE),
]


def rule_of(measure, penalty, weights):
    return PartialCredit(Credit(measure, float(penalty), tuple(map(float, weights))), "best", Selection())


def drawn(rng, segments, most, text):
    """Draw segments of few characters, so that many matchings tie."""

    def side():
        starts = rng.integers(0, text, rng.integers(0, most + 1)).tolist()
        return [(start, int(rng.integers(start, text + 1)), int(rng.integers(0, 3))) for start in starts]

    return [side() for _ in range(segments)], [side() for _ in range(segments)]


@pytest.mark.parametrize("subsets", [10, 0], ids=["all subsets", "search"])
@pytest.mark.parametrize(("measure", "penalty", "weights"), RULES)
def test_equals_the_best_of_all_matchings(monkeypatch, subsets, measure, penalty, weights):
    monkeypatch.setattr(matching, "_SUBSETS_UP_TO", subsets)
    rng = np.random.default_rng(3)
    for most, text, segments in ((4, 8, 500), (3, 5, 400), (5, 12, 150)):
        gold, predicted = drawn(rng, segments, most, text)
        batch = Spans.from_plain(gold, predicted, text=[text] * segments)
        rows = rule_of(measure, penalty, weights)(batch)
        sides = zip(gold, predicted, strict=True)
        slow = [best_sums(*each, measure=measure, penalty=penalty, weights=weights)[:4] for each in sides]
        np.testing.assert_allclose(rows, [[*map(float, sums), 0.0] for sums in slow], atol=1e-12)


@given(seed=st.integers(0, 10_000))
def test_the_pairs_are_those_of_the_best_matching(seed):
    (gold,), (predicted,) = drawn(np.random.default_rng(seed), 1, 4, 9)
    pairs = rule_of(*RULES[0]).matched_pairs(Spans.from_plain([gold], [predicted]))
    *_, slow = best_sums(gold, predicted)
    total = {}
    for name, found in (("fast", [(p, g) for g, p in pairs]), ("slow", slow)):
        overlaps = [(min(gold[g][1], predicted[p][1]) - max(gold[g][0], predicted[p][0]), p, g) for p, g in found]
        total[name] = sum(Fraction(o, predicted[p][1] - predicted[p][0]) for o, p, _ in overlaps)
        assert len({p for p, _ in found}) == len({g for _, g in found}) == len(found)
    assert total["fast"] == total["slow"]


def dense(spans, seed=0):
    """Draw two sides of long spans that nearly all overlap each other."""
    rng = np.random.default_rng(seed)
    side = [(int(s), int(s + n), 0) for s, n in zip(rng.integers(0, 40, 2 * spans), rng.integers(20, 60, 2 * spans))]  # noqa: B905
    return Spans.from_plain([side[:spans]], [side[spans:]])


def competing_pairs(batch):
    pairs = find_overlaps(batch, Credit())
    gains = np.stack([pairs.precision / 20, pairs.recall / 20])
    return search.CompetingPairs(
        gold=pairs.gold, predicted=pairs.predicted, start=pairs.start, gains=gains, base=(0.0, 0.0)
    )


def test_the_search_is_finished_with_twelve_spans_a_side(monkeypatch):
    monkeypatch.setattr(search, "_MOST_STATES", 0)
    for seed in range(4):
        rows = rule_of(*RULES[0])(dense(12, seed))
        assert rows[0, 4] == 0


def test_the_bound_holds_where_the_search_is_given_up(monkeypatch):
    """On segments that can be searched, the best of the assignments is within its stated gap of the best matching."""
    for seed in range(20):
        competing = competing_pairs(dense(7, seed))
        guess, gap = search._by_assignments(competing)
        best, lost = search.best_subset(competing)
        scores = [float(search.f_score(*competing.point(chosen))) for chosen in (guess, best)]
        assert lost == 0
        assert scores[0] <= scores[1] + 1e-12 <= scores[0] + gap + 2e-12


def test_what_may_be_lost_is_stated(monkeypatch, named):
    """A search that is given up says by how much at most the score is too low."""
    monkeypatch.setattr(search, "_ALWAYS_SEARCHED", 0)
    monkeypatch.setattr(search, "_MOST_STATES", 0)
    monkeypatch.setattr(search, "_by_assignments", lambda competing: (np.zeros(len(competing.gold), dtype=bool), 0.25))
    batch = dense(12)
    details = named("mpp_f").details(batch)
    assert (details["unsure_matchings"], details["largest_loss_of_f"]) == (1, 0.25)
    assert "unsure_matchings" not in named("mpp_f").details(dense(2))


def greedy_sums(gold, predicted, penalty):
    """Take the pair with the largest harmonic overlap, again and again."""
    pairs = []
    for i, p in enumerate(predicted):
        for j, g in enumerate(gold):
            overlap, kept = min(g[1], p[1]) - max(g[0], p[0]), 1 if g[2] == p[2] else 1 - penalty
            if overlap > 0 and kept > 0:
                pairs.append((kept * Fraction(2 * overlap, p[1] - p[0] + g[1] - g[0]), i, j, overlap, kept))
    used, sums = set(), [Fraction(0), Fraction(0)]
    for _, i, j, overlap, kept in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if ("p", i) not in used and ("g", j) not in used:
            used |= {("p", i), ("g", j)}
            sums[0] += kept * Fraction(overlap, predicted[i][1] - predicted[i][0])
            sums[1] += kept * Fraction(overlap, gold[j][1] - gold[j][0])
    return sums


@pytest.mark.parametrize("penalty", [Fraction(0), Fraction(1, 4)])
def test_greedy_matching_takes_the_largest_overlap_first(penalty):
    gold, predicted = drawn(np.random.default_rng(5), 600, 5, 12)
    rows = PartialCredit(Credit("overlap", float(penalty)), "greedy", Selection())(Spans.from_plain(gold, predicted))
    slow = [greedy_sums(*each, penalty) for each in zip(gold, predicted, strict=True)]
    np.testing.assert_allclose(rows[:, [0, 2]], [[float(x) for x in sums] for sums in slow], atol=1e-12)


BATCH = Spans.from_plain(
    [[(0, 10, "major")], [], [(0, 2, "minor")]],
    [[(5, 12, "minor")], [(1, 3, "major")], []],
    omission=([None, "major", None], ["minor", "major", None]),
)


def test_one_row_for_each_segment():
    rows = PartialCredit(Credit(), "best", Selection())(BATCH)
    assert rows.shape == (3, len(COLUMNS))
    np.testing.assert_allclose(rows, [[5 / 7, 1, 0.5, 1, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0]])


def test_faults_and_weights_are_in_the_denominators():
    rows = PartialCredit(Credit(weights=(0.5, 2.0, 1.0)), "greedy", Selection(faults="counted"))(BATCH)
    np.testing.assert_allclose(rows[:, 1], [1.0, 4.0, 0.0])
    np.testing.assert_allclose(rows[:, 3], [2.0, 2.0, 0.5])
    np.testing.assert_allclose(rows[:, 0], [0.5 * 5 / 7, 2.0, 0.0])


def test_matched_pairs_are_numbered_through_all_segments():
    rule = PartialCredit(Credit(), "best", Selection())
    batch = Spans.from_plain([[(0, 2, 0)], [(0, 2, 0), (4, 6, 0)]], [[], [(4, 5, 0)]])
    assert rule.matched_pairs(batch) == [(2, 0)]


def earned(mine, other, penalty, place):
    """Return what the marks of each severity on a character earn together, and their mass."""
    here, there = (
        [sum(w for s, e, k, w in side if k == code and s <= place < e) for code in range(3)] for side in (mine, other)
    )
    same = [min(a, b) for a, b in zip(here, there, strict=True)]
    left, rest = ([a - b for a, b in zip(side, same, strict=True)] for side in (here, there))
    paired = min(sum(left), sum(rest))
    share = [Fraction(x) / sum(left) * paired if sum(left) else 0 for x in left]
    return [a + (1 - penalty) * b for a, b in zip(same, share, strict=True)], here


def slow(mine, other, penalty, weights):
    mine, other = ([(s, e, k, weights[k]) for s, e, k in side] for side in (mine, other))
    total = Fraction(0)
    for start, end, severity, weight in mine:
        for place in range(start, end):
            got, mass = earned(mine, other, penalty, place)
            total += weight * Fraction(got[severity]) / mass[severity] / (end - start) if mass[severity] else 0
    return total


@pytest.mark.parametrize("penalty", [Fraction(0), Fraction(1, 4)])
@pytest.mark.parametrize("weights", [(1, 1, 1), (Fraction(1, 5), 1, 2)])
def test_every_character_that_both_sides_mark_is_credited(penalty, weights):
    gold, predicted = drawn(np.random.default_rng(8), 200, 4, 9)
    found = coverage_sums(
        Spans.from_plain(gold, predicted), Credit("overlap", float(penalty), tuple(map(float, weights)))
    )
    for row, g, p in zip(found, gold, predicted, strict=True):
        expected = [float(slow(p, g, penalty, weights)), float(slow(g, p, penalty, weights))]
        np.testing.assert_allclose(row, expected, atol=1e-12)


def test_every_span_earns_its_best_pair():
    batch = Spans.from_plain([[(0, 10, 0), (4, 6, 1)]], [[(3, 5, 1), (20, 30, 0)]])
    sums = best_pair_sums(batch, find_overlaps(batch, Credit("any", 0.5)))
    assert sums.tolist() == [[1.0, 1.5]]


def test_no_span_at_all():
    assert coverage_sums(Spans.from_plain([[]], [[]]), Credit()).tolist() == [[0, 0]]
    assert coverage_sums(Spans.from_plain([], []), Credit()).shape == (0, 2)
