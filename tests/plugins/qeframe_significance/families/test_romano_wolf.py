"""The step-down against the definition, the checked cases, and rank sets."""

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.findings import rank_sets
from qeframe.core.standard_errors import WorkingScale
from qeframe_significance.families.romano_wolf import (
    ordered_pairs_of,
    romano_wolf,
    spread_of_differences,
    studentized_blocks,
)
from qeframe_significance.families.step_down import step_down
from tests.plugins.contests import CASES, slow_step_down


class Drawn:
    """Scores with given draws, in the place of a contest."""

    working_scale: WorkingScale = "identity"
    smooth = True
    sizes = (100,)

    def __init__(self, scores: list[float], draws: list[list[float]]) -> None:
        self.oriented, self._draws = np.array(scores), np.array(draws)

    @property
    def pairs(self) -> tuple[IntArray, IntArray]:
        first, second = np.triu_indices(len(self.oriented), 1)
        return first, second

    def resample(self, draws: int, scheme: str = "multinomial") -> FloatArray:
        return self._draws


def test_checked_case() -> None:
    case = CASES["romano_wolf"]
    contest: Any = Drawn(case["scores"], case["draws"])
    correction = romano_wolf(draws=len(case["draws"]), studentize="spread")
    assert correction.adjust_jointly is not None
    found = correction.adjust_jointly(contest, qeframe.plugin.Pairwise(p=np.zeros(6)), "two")
    expected = [case["p_adjusted"][i][j] for i, j in zip(*np.triu_indices(4, 1), strict=True)]
    assert found == pytest.approx(expected, rel=1e-9)


def test_checked_ranks() -> None:
    case = CASES["romano_wolf"]
    p = np.array([[np.nan if value is None else value for value in row] for row in case["p_adjusted"]])
    for level in (".05", ".10"):
        low, high = rank_sets(p <= float(level))
        assert low.tolist() == case[f"rank_low_at_{level}"]
        assert high.tolist() == case[f"rank_high_at_{level}"]
    claims = CASES["rank_sets_from_claims"]
    low, high = rank_sets(np.array(claims["beats"], dtype=bool))
    assert (low.tolist(), high.tolist()) == (claims["low"], claims["high"])


def test_checked_case_of_nu_scores() -> None:
    from scipy.special import ndtri, stdtr

    case = CASES["romano_wolf_nu_scores"]
    scores, draws = np.array(case["scores"]), np.array(CASES["romano_wolf"]["draws"])
    first, second = np.triu_indices(4, 1)
    difference = scores[first] - scores[second]
    error, nu = np.array(case["se"])[first, second], np.array(case["nu"])[first, second]
    statistic = np.sign(difference) * -ndtri(stdtr(nu, -np.abs(difference / error)))
    assert statistic[0] == pytest.approx(case["score_0_1"], rel=1e-9)
    centered = draws - draws.mean(axis=0)
    spread = spread_of_differences(centered, first, second)
    blocks = studentized_blocks(centered, *ordered_pairs_of(first, second), np.concatenate([spread, spread]))
    found = step_down(np.concatenate([statistic, -statistic]), blocks)
    expected = [case["p_adjusted"][i][j] for i, j in zip(*ordered_pairs_of(first, second), strict=True)]
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("metric", ["mae", "pearson"])
def test_equal_submissions_are_never_claimed_to_differ(metric: str) -> None:
    rng = np.random.default_rng(5)
    gold = rng.normal(size=60)
    same = gold + rng.normal(size=60)
    found = qeframe.compare(
        metric,
        gold,
        {"A": same, "B": same, "C": gold + 0.1 * rng.normal(size=60)},
        test="jackknife",
        correction="romano_wolf",
    )
    p = {(pair.a, pair.b): pair.p_adjusted for pair in found}
    assert np.isnan(p["A", "B"]) or p["A", "B"] > 0.5
    assert p["C", "A"] < 0.05
    assert all(not pair.significant for pair in found if {pair.a, pair.b} == {"A", "B"})


def test_mistakes() -> None:
    with pytest.raises(qeframe.plugin.DataError, match="draws"):
        romano_wolf(draws=0)
    wrong: Any = "sd"
    with pytest.raises(qeframe.plugin.DataError, match="studentize"):
        romano_wolf(studentize=wrong)


def by_definition(scores: Any, draws: Any, statistic: Mapping[tuple[int, int], float]) -> dict[tuple[int, int], float]:
    """Return the adjusted p of all ordered pairs: the definition, one pair and one draw at a time."""
    drawn = {}
    for j, k in statistic:
        differences = [draw[j] - draw[k] for draw in draws]
        mean = sum(differences) / len(differences)
        spread = math.sqrt(sum((one - mean) ** 2 for one in differences) / len(differences))
        drawn[j, k] = [(one - (scores[j] - scores[k])) / spread for one in differences]
    return slow_step_down(statistic, [{pair: values[b] for pair, values in drawn.items()} for b in range(len(draws))])


def over_spread(scores: Any, drawn: Any) -> dict[tuple[int, int], float]:
    """Return the difference of each ordered pair over the spread of its draws."""
    return {
        (j, k): (scores[j] - scores[k]) / float(np.std(drawn[:, j] - drawn[:, k]))
        for j, k in itertools.permutations(range(len(scores)), 2)
    }


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32 - 1), submissions=st.integers(2, 5), draws=st.integers(9, 25))
def test_the_slow_definition_on_random_cases(seed: int, submissions: int, draws: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=submissions)
    drawn = scores + rng.normal(size=(draws, submissions))
    contest: Any = Drawn(scores.tolist(), drawn.tolist())
    correction = romano_wolf(draws=draws, studentize="spread")
    assert correction.adjust_jointly is not None
    first, second = contest.pairs
    found = correction.adjust_jointly(contest, qeframe.plugin.Pairwise(p=np.zeros(len(first))), "two")
    expected = by_definition(scores, drawn, over_spread(scores, drawn))
    assert found == pytest.approx([expected[j, k] for j, k in zip(first, second, strict=True)])


def test_a_difference_that_no_draw_changes_has_the_smallest_p_of_the_draws() -> None:
    drawn = np.random.default_rng(1).normal(size=(19, 2))
    adjust = romano_wolf(draws=19, studentize="spread").adjust_jointly
    assert adjust is not None
    for scores, expected in (([2.0, 1.0, 1.5], 1 / 20), ([1.0, 2.0, 1.5], 1.0)):
        draws = np.stack([scores[0] + drawn[:, 0], scores[1] + drawn[:, 0], scores[2] + drawn[:, 1]], axis=1)
        contest: Any = Drawn(scores, draws.tolist())
        assert adjust(contest, qeframe.plugin.Pairwise(p=np.zeros(3)), "two")[0] == expected


def test_small_families_and_few_units() -> None:
    few: Any = Drawn([0.5, 0.4, 0.3], [[0.5, 0.4, 0.3]])
    few.sizes = (60,)
    correction = romano_wolf()
    assert correction.remarks is not None
    (remark,) = correction.remarks(few)
    assert "60 units are few" in remark
    few.sizes = (100,)
    assert correction.remarks(few) == []
    few.sizes = (6,)
    (remark,) = correction.remarks(few)
    assert remark.startswith("6 units are too few to be resampled")
    assert remark.endswith("smallest adjusted p, of 3 pairs, is 0.094")
    assert correction.adjust_jointly is not None
    p = np.array([0.03125, 0.5, 0.25])
    found = correction.adjust_jointly(few, qeframe.plugin.Pairwise(p=p), "two")
    assert found.tolist() == [0.09375, 0.5, 0.5], "Holm's correction of exact p-values"


def test_perfect_draws_are_extreme_not_infinite() -> None:
    gold = np.arange(8.0)
    found = qeframe.compare(
        "pearson", gold, {"A": gold, "B": gold + np.tile([0.0, 0.3], 4), "C": -gold}, test="jackknife"
    )
    assert all(np.isnan(pair.p) and not pair.significant for pair in found if {"A", "C"} & {pair.a, pair.b})
    assert all(np.isnan([pair.low, pair.high]).all() for pair in found if {"A", "C"} & {pair.a, pair.b})


def test_without_a_jackknife_ratios_are_held_against_students_law() -> None:
    from scipy.stats import norm
    from scipy.stats import t as student

    rng = np.random.default_rng(3)
    scores = rng.normal(size=4)
    drawn = scores + rng.normal(size=(60, 4))
    contest: Any = Drawn(scores.tolist(), drawn.tolist())
    contest.sizes, contest.smooth = (6, 5), False
    first, second = contest.pairs
    t = {pair: math.sqrt(9 / 11) * value for pair, value in over_spread(scores, drawn).items()}
    statistic = {pair: math.copysign(norm.isf(student.sf(abs(value), 9)), value) for pair, value in t.items()}
    expected = by_definition(scores, drawn, statistic)
    pairwise = qeframe.plugin.Pairwise(p=np.zeros(len(first)))
    for studentize in ("auto", "student"):
        adjust = romano_wolf(draws=60, studentize=studentize).adjust_jointly  # type: ignore[arg-type]
        assert adjust is not None
        found = adjust(contest, pairwise, "two")
        assert found == pytest.approx([expected[j, k] for j, k in zip(first, second, strict=True)])


def test_means_have_the_scores_of_the_jackknife() -> None:
    rng = np.random.default_rng(4)
    gold = rng.normal(size=40)
    given = {name: gold + rng.normal(size=40) * (1 + number / 2) for number, name in enumerate("ABC")}
    by_default, nu, student, spread = (
        [one.p_adjusted for one in qeframe.compare("mae", gold, given, correction=f"romano_wolf{how}")]
        for how in ("", "(studentize=nu)", "(studentize=student)", "(studentize=spread)")
    )
    assert by_default == nu
    assert all(one >= other for one, other in zip(student, spread, strict=True))
    assert by_default != spread
