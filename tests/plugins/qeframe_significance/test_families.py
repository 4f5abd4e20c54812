"""Corrections of families."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.api.arrays.comparing import bind_submissions
from qeframe.core.comparison import ComparisonRules, compare_pairs
from qeframe.plugin import Correction, Metric, SignificanceTest
from qeframe_significance.families.romano_wolf import ordered_pairs_of, spread_of_differences, studentized_blocks
from qeframe_significance.families.step_down import step_down, step_down_of_pairs
from tests.plugins.contests import slow_step_down


# `max_t` against its definition, exchange by exchange.
def test_it_is_the_step_down_over_the_exchanges(registry):
    rng = np.random.default_rng(3)
    gold = rng.normal(size=60)
    submissions = {name: gold + noise * rng.normal(size=60) for name, noise in [("A", 0.9), ("B", 1.2), ("C", 4.0)]}
    metric, test, correction = (
        registry.get(kind, name)
        for kind, name in [
            (Metric, "mae"),
            (SignificanceTest, "permutation(draws=99, unit=segment)"),
            (Correction, "max_t(draws=99, unit=segment)"),
        ]
    )
    contest = bind_submissions(metric, gold, submissions, seed=1)
    rules = ComparisonRules(test=test, sided="two", correction=correction)
    found = {(c.a, c.b): c for c in compare_pairs(contest, list(submissions), rules, metric="mae").comparisons}
    drawn = contest.along("segment").exchanged_differences(99, contest.pairs)
    scale = np.sqrt((drawn**2).mean(axis=0))
    observed = dict(zip(found, np.abs([c.difference for c in found.values()]) / scale, strict=True))
    expected = slow_step_down(observed, [dict(zip(found, row, strict=True)) for row in np.abs(drawn / scale)])
    assert {pair: c.p_adjusted for pair, c in found.items()} == pytest.approx(
        {pair: max(expected[pair], c.p) for pair, c in found.items()}
    )
    again = bind_submissions(metric, gold, {"A": submissions["A"], "B": submissions["A"]})
    assert compare_pairs(again, ["A", "B"], rules, metric="mae").comparisons[0].p_adjusted == 1.0
    undefined = {**submissions, "constant": np.zeros(60)}
    of_r = registry.get(Metric, "pearson")
    compared = compare_pairs(bind_submissions(of_r, gold, undefined), list(undefined), rules, metric="pearson")
    assert {c.b for c in compared.comparisons if np.isnan(c.p_adjusted)} == {"constant"}


# Differences of all ordered pairs over their spread, in blocks.
def test_blocks_hold_all_draws_of_all_ordered_pairs() -> None:
    rng = np.random.default_rng(1)
    drawn = rng.normal(size=(5000, 4))
    drawn -= drawn.mean(axis=0)
    first, second = np.triu_indices(4, 1)
    both = ordered_pairs_of(first, second)
    spread = spread_of_differences(drawn, first, second)
    found = np.concatenate(list(studentized_blocks(drawn, *both, np.concatenate([spread, spread]))))
    expected = np.stack([(drawn[:, i] - drawn[:, j]) for i, j in zip(*both, strict=True)], axis=1)
    assert found == pytest.approx(expected / expected.std(axis=0), abs=1e-12)


def test_undefined_draws_are_left_out_of_the_spread_and_stay_undefined() -> None:
    drawn = np.array([[1.0, 0.0], [-1.0, 0.0], [np.nan, 0.0]])
    pair = (np.array([0]), np.array([1]))
    spread = spread_of_differences(drawn, *pair)
    assert spread.tolist() == [1.0]
    (block,) = studentized_blocks(drawn, *pair, spread)
    assert block[:, 0] == pytest.approx([1.0, -1.0, np.nan], nan_ok=True)
    (flat,) = studentized_blocks(drawn, *pair, np.zeros(1))
    assert np.isnan(flat).all()


# The step-down against the definition.


@st.composite
def families(draw: st.DrawFn) -> tuple[list[float], list[list[float]]]:
    claims = draw(st.integers(1, 6))
    values = st.integers(-6, 6).map(lambda number: number / 2)
    row = st.lists(values, min_size=claims, max_size=claims)
    return draw(row), draw(st.lists(row, min_size=1, max_size=12))


@given(families(), st.integers(1, 12))
def test_step_down_is_that_of_the_definition(family: tuple[list[float], list[list[float]]], width: int) -> None:
    statistic, drawn = family
    array = np.array(drawn)
    blocks = [array[start : start + width] for start in range(0, len(array), width)]
    found = step_down(np.array(statistic), blocks)
    expected = slow_step_down(dict(enumerate(statistic)), [dict(enumerate(row)) for row in drawn])
    order = np.argsort(statistic)
    assert np.sort(found) == pytest.approx(sorted(expected.values()))
    assert (np.diff(found[order]) <= 1e-15).all()


def test_undefined_claims_leave_the_family_and_undefined_draws_are_extreme() -> None:
    drawn = np.array([[0.0, 9.0, 0.0], [np.nan, 9.0, 0.0]])
    found = step_down(np.array([1.0, np.nan, 2.0]), [drawn])
    assert found == pytest.approx([2 / 3, np.nan, 2 / 3], nan_ok=True)
    assert step_down(np.empty(0), []).shape == (0,)


@given(
    seed=st.integers(0, 2**32 - 1),
    submissions=st.integers(2, 5),
    draws=st.integers(1, 30),
    undefined=st.sampled_from([0.0, 0.05]),
)
def test_pairs_are_the_family_of_both_directions(seed: int, submissions: int, draws: int, undefined: float) -> None:
    rng = np.random.default_rng(seed)
    drawn = np.round(rng.normal(size=(draws, submissions)), 1)
    drawn[rng.random(drawn.shape) < undefined] = np.nan
    first, second = np.triu_indices(submissions, 1)
    statistic = np.round(np.abs(rng.normal(size=len(first))), 1)
    statistic[rng.random(len(first)) < 4 * undefined] = np.nan
    spread = rng.uniform(0.5, 2, size=len(first))
    both = ordered_pairs_of(first, second)
    blocks = studentized_blocks(drawn, *both, np.concatenate([spread, spread]))
    expected = step_down(np.concatenate([statistic, -statistic]), blocks)[: len(first)]
    assert step_down_of_pairs(statistic, drawn, first, second, spread) == pytest.approx(expected, nan_ok=True)
