"""Tau-b by item as quadratic forms of signs, against scipy item by item."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from qeframe_agreement.kendall_tau.item_exchange import ItemTauExchange


@pytest.mark.filterwarnings("ignore::scipy.stats.ConstantInputWarning")
def test_means_over_items_against_scipy():
    rng = np.random.default_rng(2)
    gold = -rng.poisson(1.0, (40, 6)).astype(float)
    one, other = (np.round(gold + rng.normal(0, 1, gold.shape)) for _ in range(2))
    masks = rng.integers(0, 2, (5, gold.size)).astype(np.uint8)
    exchange = ItemTauExchange(gold=gold, predicted=np.stack([one, other]), axis="cell", zero=False)
    found = exchange(masks, np.array([0]), np.array([1]))[:, 0]
    for draw, mask in enumerate(masks.astype(bool).reshape(5, 40, 6)):
        means = [
            np.nanmean([kendalltau(g, m).statistic for g, m in zip(gold, mixed, strict=True)])
            for mixed in (np.where(mask, other, one), np.where(mask, one, other))
        ]
        assert found[draw] == pytest.approx(means[0] - means[1], abs=1e-14)
