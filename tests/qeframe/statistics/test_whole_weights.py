"""Correlations in whole numbers have the bits of the general formula, which serves what is not whole or too large."""

import numpy as np
import pytest

from qeframe.statistics.correlation import spearman_of_groups, spearman_of_submissions, weighted_deviations
from qeframe.statistics.ranks import tie_groups


@pytest.mark.parametrize("units", [1, 2, 15, 16, 17, 40, 333])
@pytest.mark.parametrize("values", [2, 7, 10_000])
@pytest.mark.parametrize("of_weights", ["drawn", "whole and large", "in one block", "fractions", "with zeros"])
def test_whole_weights_give_the_same_bits(units: int, values: int, of_weights: str) -> None:
    rng = np.random.default_rng(units + values)
    gold, *predicted = (tie_groups(rng.integers(values, size=units).astype(np.float64)) for _ in range(4))
    predicted.append(tie_groups(np.zeros(units), apart=True))
    weights = rng.multinomial(units, np.full(units, 1 / units), size=6).T.astype(np.float64)
    if of_weights == "whole and large":
        weights *= 30
    elif of_weights == "in one block":
        weights[: units // 2] = 0.0
        weights[-1] = 300.0
    elif of_weights == "fractions":
        weights += 0.25
    elif of_weights == "with zeros":
        weights[:, 1] = 0.0
    total = weights.sum(axis=0)
    deviations = weighted_deviations(gold, weights, total)
    expected = [spearman_of_groups(groups, weights, total, *deviations) for groups in predicted]
    assert np.array_equal(spearman_of_submissions(gold, predicted, weights), expected, equal_nan=True)
