import math
from collections import Counter
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pandas
import pytest

import qeframe
from qeframe.core.draws import (
    DrawBlock,
    all_masks,
    bootstrap_counts,
    checked_seed,
    draw_blocks,
    exchange_masks,
    grouped_counts,
    named_key,
    poisson_counts,
    score_blocks,
    seed_key,
)
from qeframe.core.errors import DataError
from qeframe.studies import distinguish, distinguish_by_attacks, power_curves

KEY = (1, 2, 3)
GOLD = [0.1, 0.4, 0.2, 0.9]


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
    drawn = np.concatenate([bootstrap_counts(block, 3) for block in draw_blocks(KEY, 6_000, 3)])
    assert (drawn.sum(axis=1) == 3).all()
    seen = Counter(map(tuple, drawn.tolist()))
    possible = [c for c in product(range(4), repeat=3) if sum(c) == 3]
    assert set(seen) == set(possible)
    for counts in possible:
        chance = math.factorial(3) / math.prod(map(math.factorial, counts)) / 27
        error = math.sqrt(chance * (1 - chance) / 6_000)
        assert abs(seen[counts] / 6_000 - chance) < 5 * error, counts


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


def test_the_first_poisson_draw_is_the_first_number_of_its_stream() -> None:
    """SplitMix64 by whole numbers, draw by draw: the state grows before a number is made of it."""
    most, golden = 2**64 - 1, 0x9E3779B97F4A7C15

    def mixed(x: int) -> int:
        x = (x + golden) & most
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & most
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & most
        return x ^ (x >> 31)

    folded = int(np.random.SeedSequence(KEY).generate_state(1, np.uint64)[0])
    units, draws = (0, 7, 1_000_003), 10_000  # some eight of them among the few that more than 16 bits decide
    drawn = poisson_counts(DrawBlock(KEY, 0, 0, draws), np.array(units))
    for unit, of_unit in zip(units, drawn.T.tolist(), strict=True):
        stream, state = mixed(unit ^ mixed(folded)), 0
        for found in of_unit:
            state += golden
            uniform = (mixed((stream + state) & most) >> 11) * 2.0**-53
            chance, count = math.exp(-1), 0
            at_most = chance
            while uniform >= at_most:
                count += 1
                chance /= count
                at_most += chance
            assert found == count


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


def test_the_key_of_a_name_depends_on_the_seed_and_the_name_alone() -> None:
    keys = [named_key(seed, name) for seed in (0, 1, 2**70) for name in ("", "en-de", "en-de ", "de-en")]
    assert len(set(keys)) == len(keys)
    assert named_key(0, "en-de") == named_key(0, "en-de")
    assert all(len(key) == 4 and all(0 <= word < 2**32 for word in key) for key in keys)
    assert named_key("a", "bc") != named_key("ab", "c")


def test_more_draws_begin_with_the_same_ones() -> None:
    def drawn(count: Any, draws: int) -> Any:
        return np.concatenate([count(block) for block in draw_blocks(KEY, draws, 6)])[:300]

    for count in (lambda b: bootstrap_counts(b, 6), lambda b: grouped_counts(b, 6, 2), lambda b: exchange_masks(b, 6)):
        assert (drawn(count, 300) == drawn(count, 1000)).all()


def test_drawn_units_are_dealt_out_to_groups_like_cards() -> None:
    (block,) = draw_blocks(KEY, 4, 7)
    drawn = block.rng().integers(7, size=(4, 7))
    expected = [[np.bincount(of_draw[group::3], minlength=7).tolist() for group in range(3)] for of_draw in drawn]
    assert grouped_counts(block, 7, 3).tolist() == expected


def test_a_block_is_scored_under_its_own_counts():
    (block,) = draw_blocks((1, 2), 3, 5)
    chosen = np.array([4, 0])

    def scores(weights):
        return weights.astype(float)

    counts = bootstrap_counts(block, 5)
    assert (score_blocks(scores, partial(bootstrap_counts, units=5), None, [block]) == counts).all()
    assert (score_blocks(scores, partial(bootstrap_counts, units=5), chosen, [block]) == counts[:, chosen]).all()
    of_ids = partial(poisson_counts, ids=np.arange(5))
    assert (score_blocks(scores, of_ids, None, [block]) == poisson_counts(block, np.arange(5))).all()
    two = list(draw_blocks((1,), 300, 5))[:2]
    both = np.concatenate([bootstrap_counts(each, 5) for each in two])
    assert (score_blocks(scores, partial(bootstrap_counts, units=5), None, two) == both).all()


BAD_SEEDS = [
    ("x", "must be a whole number, not 'x'"),
    ("1", "must be a whole number, not '1'"),
    (1.0, "must be a whole number, not 1.0"),
    (None, "must be a whole number, not None"),
    (True, "must be a whole number, not True"),
    (-1, "must not be negative, it is -1"),
    (np.int64(-3), "must not be negative, it is -3"),
]


@pytest.mark.parametrize(("seed", "said"), BAD_SEEDS)
def test_what_is_no_seed_is_refused_everywhere(seed: Any, said: str) -> None:
    tasks = qeframe.tasks_from_frame(
        pandas.DataFrame({"gold": GOLD, "a": GOLD, "b": GOLD[::-1]}), submissions=["a", "b"]
    )
    profile, registry = qeframe.choose_profile("qe_sentence"), qeframe.load()
    for call in (
        lambda: checked_seed(seed),
        lambda: qeframe.evaluate("qe_sentence", tasks, seed=seed),
        lambda: qeframe.compare("pearson", GOLD, {"a": GOLD, "b": GOLD[::-1]}, seed=seed),
        lambda: qeframe.score("pearson", GOLD, GOLD, interval="default", seed=seed),
        lambda: qeframe.audit("mae", GOLD, seed=seed, search=False),
        lambda: qeframe.enter_attacks(tasks, [], seed=seed),
        lambda: power_curves(profile, tasks, registry, seed=seed),
        lambda: distinguish(profile, tasks, registry, seed=seed),
        lambda: distinguish_by_attacks(profile, tasks, [], registry, seed=seed),
    ):
        with pytest.raises(DataError) as caught:
            call()
        assert str(caught.value) == f"seed {said}; give 0 or a positive number" + (
            "" if "negative" in said else ", such as 1"
        )


def test_a_seed_of_numpy_is_a_seed() -> None:
    assert checked_seed(np.uint8(3)) == 3
    assert type(checked_seed(np.int64(7))) is int
