"""The step-down against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe_significance.families.joint_draws import ordered_pairs_of, studentized_blocks
from qeframe_significance.families.step_down import step_down, step_down_of_pairs


def by_definition(statistic: list[float], drawn: list[list[float]]) -> list[float]:
    """Compute the adjusted p-values claim by claim and draw by draw."""
    order = sorted(range(len(statistic)), key=lambda claim: -statistic[claim])
    adjusted, least = [0.0] * len(statistic), 0.0
    for position, claim in enumerate(order):
        rest = order[position:]
        count = sum(max(draw[other] for other in rest) >= statistic[claim] - 1e-12 for draw in drawn)
        least = max(least, (1 + count) / (1 + len(drawn)))
        adjusted[claim] = least
    return adjusted


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
    expected = by_definition(statistic, drawn)
    order = np.argsort(statistic)
    assert np.sort(found) == pytest.approx(sorted(expected))
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
