"""P-values of systems inside soft pairwise accuracy against loops over draws, and scipy's t-test."""

from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import ttest_rel

from qeframe_agreement.soft_accuracy.p_values import keyed_signs, p_of_sums, system_p_values, t_p_values

IDS = np.array([3, 7, 11, 4], dtype=np.int64)


def slow_p(scores, signs):
    """Return the p-values of one metric, pair by pair and draw by draw; ties count half."""
    found = []
    for i, j in combinations(range(len(scores)), 2):
        difference = scores[i] - scores[j]
        observed, drawn = difference.sum(), signs @ difference
        both = np.concatenate([drawn, -drawn])
        found.append(np.mean([1.0 if d > observed + 1e-9 else 0.5 if d > observed - 1e-9 else 0.0 for d in both]))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_p_values_against_a_loop(seed):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 4, (3, 4, 5)).astype(float)
    signs = rng.choice([-1.0, 1.0], (30, 5))
    expected = [slow_p(each, signs) for each in scores]
    found = system_p_values(scores, signs)
    assert found == pytest.approx(np.array(expected))
    sums = scores.sum(axis=2), scores @ signs.T, np.abs(scores).sum(axis=2)
    assert p_of_sums(*sums) == pytest.approx(np.array(expected))


def test_all_signs_give_the_exact_p():
    """All 2**3 signs: a difference of (1, 1, 1) is reached by one of eight, which counts half."""
    signs = np.array(list(product([1.0, -1.0], repeat=3)))
    scores = np.array([[[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]])
    assert system_p_values(scores, signs)[0].tolist() == [1 / 16]
    assert system_p_values(scores[:, ::-1], signs)[0].tolist() == [15 / 16]


def test_identical_systems_are_at_one_half():
    scores, signs = np.ones((1, 2, 4)), keyed_signs(IDS.tobytes(), 20)
    assert system_p_values(scores, signs)[0].tolist() == [0.5]


def test_signs_depend_on_draw_and_id_alone():
    signs = keyed_signs(IDS.tobytes(), 301)
    assert signs.shape == (151, 4)
    assert set(np.unique(signs)) == {-1.0, 1.0}
    assert (keyed_signs(IDS[::-1].tobytes(), 301) == signs[:, ::-1]).all()
    assert (keyed_signs(IDS.tobytes(), 99) == signs[:50]).all()
    assert abs(keyed_signs(IDS.tobytes(), 20_000).mean(axis=0)).max() < 0.05
    with pytest.raises(ValueError, match="read-only"):
        signs[0, 0] = 0.0


def test_t_p_values_are_those_of_scipy():
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 6, 9))
    difference = first - second
    found = t_p_values(np.array([9.0]), difference.sum(axis=1), (difference**2).sum(axis=1))
    expected = [ttest_rel(a, b, alternative="greater").pvalue for a, b in zip(first, second, strict=True)]
    assert found == pytest.approx(expected, abs=1e-12)


def test_t_p_values_of_equal_differences_and_too_few_segments():
    total = np.array([0.0, 4.0, -4.0])
    assert t_p_values(np.array([4.0]), total, total**2 / 4).tolist() == [0.5, 0.0, 1.0]
    assert np.isnan(t_p_values(np.array([1.0]), total, total**2)).all()
    assert np.isnan(t_p_values(np.array([0.0]), total * 0, total * 0)).all()
