import math
from collections import Counter
from itertools import product

import numpy as np
import pytest

from qeframe.resampling.draws import (
    DrawBlock,
    all_masks,
    bootstrap_counts,
    draw_blocks,
    exchange_masks,
    poisson_counts,
    seed_key,
)

KEY = (1, 2, 3)


def test_blocks_cover_the_stream_once() -> None:
    for draws, units in ((0, 5), (1, 5), (256, 5), (257, 5), (1000, 2**15), (7, 2**30)):
        parts = list(draw_blocks(KEY, draws, units))
        assert sum(part.draws for part in parts) == draws
        assert [part.start for part in parts] == [sum(p.draws for p in parts[:i]) for i in range(len(parts))]
        assert [part.number for part in parts] == list(range(len(parts)))
        assert all(part.draws * units <= max(2**22, units) for part in parts)


def test_a_block_is_keyed_by_seed_and_number_alone() -> None:
    first, second = list(draw_blocks(KEY, 512, 9))
    assert (bootstrap_counts(first, 9) == bootstrap_counts(DrawBlock(KEY, 0, 0, 256), 9)).all()
    assert (bootstrap_counts(first, 9) != bootstrap_counts(second, 9)).any()
    assert (bootstrap_counts(first, 9) != bootstrap_counts(DrawBlock((1, 2, 4), 0, 0, 256), 9)).any()


def test_a_longer_stream_begins_like_a_shorter_one() -> None:
    short, long = (
        np.concatenate([bootstrap_counts(b, 7) for b in draw_blocks(KEY, draws, 7)]) for draws in (512, 1024)
    )
    assert (long[:512] == short).all()


def test_bootstrap_counts_are_multinomial() -> None:
    """Exactly, for three units: all ten count vectors at their probabilities, within five standard errors."""
    drawn = np.concatenate([bootstrap_counts(block, 3) for block in draw_blocks(KEY, 20_000, 3)])
    assert (drawn.sum(axis=1) == 3).all()
    seen = Counter(map(tuple, drawn.tolist()))
    possible = [c for c in product(range(4), repeat=3) if sum(c) == 3]
    assert set(seen) == set(possible)
    for counts in possible:
        chance = math.factorial(3) / math.prod(map(math.factorial, counts)) / 27
        error = math.sqrt(chance * (1 - chance) / 20_000)
        assert abs(seen[counts] / 20_000 - chance) < 5 * error, counts


def test_poisson_counts_are_poisson() -> None:
    drawn = np.concatenate([poisson_counts(block, np.arange(40)) for block in draw_blocks(KEY, 5000, 40)])
    total = drawn.size
    assert abs(drawn.mean() - 1) < 5 / math.sqrt(total)
    assert abs(drawn.var() - 1) < 5 * math.sqrt(3 / total)
    for count in range(5):
        chance = math.exp(-1) / math.factorial(count)
        assert abs((drawn == count).mean() - chance) < 5 * math.sqrt(chance * (1 - chance) / total), count
    correlation = np.corrcoef(drawn.T) - np.eye(40)
    assert np.abs(correlation).max() < 6 / math.sqrt(5000)


def test_a_shard_draws_what_the_whole_would_have_drawn() -> None:
    ids = np.array([7, 1_000_003, 12, 0, -5])
    parts = list(draw_blocks(KEY, 300, 5))
    whole = np.concatenate([poisson_counts(block, ids) for block in parts])
    shard = np.concatenate([poisson_counts(block, ids[[3, 1]]) for block in parts])
    assert (shard == whole[:, [3, 1]]).all()
    finer = np.concatenate([poisson_counts(DrawBlock(KEY, n, n, 1), ids) for n in range(300)])
    assert (finer == whole).all()


def test_poisson_streams_differ_by_key() -> None:
    one, other = (poisson_counts(DrawBlock(key, 0, 0, 200), np.arange(20)) for key in ((1,), (2,)))
    assert (one != other).mean() > 0.3


def test_exchange_masks_are_fair_coins() -> None:
    masks = np.concatenate([exchange_masks(block, 13) for block in draw_blocks(KEY, 8000, 13)])
    assert masks.shape == (8000, 13)
    assert set(np.unique(masks)) == {0, 1}
    assert np.abs(masks.mean(axis=0) - 0.5).max() < 5 * 0.5 / math.sqrt(8000)
    assert np.abs(np.corrcoef(masks.T) - np.eye(13)).max() < 5 / math.sqrt(8000)


def test_all_masks_are_all_of_them_and_the_first_keeps_everything() -> None:
    masks = np.concatenate([all_masks(4, 0, 5), all_masks(4, 5, 16)])
    assert {tuple(mask) for mask in masks.tolist()} == set(product((0, 1), repeat=4))
    assert len(masks) == 16
    assert not masks[0].any()


def test_a_key_is_drawn_from_the_generator() -> None:
    first, again = (seed_key(np.random.default_rng(5)) for _ in range(2))
    assert first == again
    assert first != seed_key(np.random.default_rng(6))
    assert all(isinstance(word, int) for word in first)


@pytest.mark.parametrize("units", [1, 8, 9])
def test_shapes(units: int) -> None:
    block = DrawBlock(KEY, 0, 0, 3)
    for draw in (bootstrap_counts, exchange_masks):
        assert draw(block, units).shape == (3, units)
    assert poisson_counts(block, np.arange(units)).shape == (3, units)
