"""The gaming index: its formula, failed attacks, no headroom, and when it is precise."""

import numpy as np
import pytest

from qeframe.gaming.index import Attacked, gaming_index, index_of, is_precise, loses


def attacked(index, kind="blind"):
    words = {"attack": "a", "knowledge": "", "score": 0.0, "base": 0.0, "perfect": 1.0, "error": 0.0}
    return Attacked(kind=kind, index=index, **words)


def test_informed_and_selection_attacks_do_not_count():
    blind, informed, selection = attacked(-0.2), attacked(0.9, "informed"), attacked(0.8, "selection")
    assert gaming_index([blind, attacked(0.1, "cosmetic"), informed, selection]) == 0.1
    assert gaming_index([blind, attacked(np.nan)]) == 0
    assert np.isnan(gaming_index([informed]))


@pytest.mark.parametrize(
    ("score", "base", "best", "index"),
    [
        (0.5, 0.0, 1.0, 0.5),
        (0.5, 1.0, 0.0, 0.5),
        (1.5, 0.0, 1.0, 1.5),
        (np.nan, 0.0, 1.0, 0.0),
        (1.0, 2.0, 2.0, np.nan),
    ],
)
def test_the_share_of_the_way_from_base_to_perfect(score, base, best, index):
    found = index_of(np.array([score]), np.array([base]), np.array([best]))
    assert np.array_equal(found, [index], equal_nan=True)


def test_what_precise_is():
    assert is_precise(0.1, 0.02)
    assert not is_precise(0.1, 0.021)
    assert is_precise(3.0, 0.06), "of an index above 1 it is a share"
    assert is_precise(np.nan, np.nan), "without headroom more gold would not help"
    assert not is_precise(0.1, np.nan)
    assert loses(-0.5, 0.1)
    assert not loses(-0.3, 0.1)
    assert not loses(0.0, 0.0)
