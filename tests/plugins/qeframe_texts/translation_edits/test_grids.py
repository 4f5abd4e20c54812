"""Both grids of edits against the definition, cell by cell: distances, ways back, and distances after swaps."""

import numpy as np
import pytest

from qeframe_texts.translation_edits.narrow_grid import NarrowGrid
from qeframe_texts.translation_edits.pairs import Pairs, Swaps, swapped
from qeframe_texts.translation_edits.wide_grid import WideGrid
from tests.plugins.qeframe_texts.translation_edits.drawn import drawn_pairs, grid_of, way_back, words

SHAPES = [(12, 12), (30, 35), (60, 12), (12, 60), (70, 75), (4, 130), (9, 440), (90, 30)]


def sorted_pairs(rng, shapes=SHAPES):
    """Draw pairs of given lengths with many words in common, far from the diagonal too."""
    drawn = []
    for one, other in sorted(shapes, reverse=True):
        types = int(rng.choice([2, 6, 40]))
        text = rng.integers(types, size=one + other).tolist()
        drawn.append((text[:one], rng.permutation(text)[:other].tolist() if rng.random() < 0.5 else text[-other:]))
    return drawn


def grid(kind, drawn):
    return kind(Pairs.of(words([one for one, _ in drawn]), words([other for _, other in drawn])))


@pytest.mark.parametrize("kind", [NarrowGrid, WideGrid])
@pytest.mark.parametrize("seed", range(4))
def test_distances_and_ways_back(kind, seed):
    drawn = sorted_pairs(np.random.default_rng(seed))
    distances, alignment = grid(kind, drawn).align(np.arange(len(drawn)))
    for number, (one, other) in enumerate(drawn):
        costs = grid_of(one, other)
        assert distances[number] == costs[len(one), len(other)]
        row, both = way_back(costs, one, other)
        assert alignment.row[number, : len(row)].tolist() == row
        assert alignment.both[number, : len(row)].tolist() == both
        assert not alignment.row[number, len(row) :].any()


def test_wide_pairs():
    drawn = sorted_pairs(np.random.default_rng(5), [(1, 51), (1, 60), (2, 101), (2, 130), (3, 200)])
    distances, alignment = grid(WideGrid, drawn).align(np.arange(len(drawn)))
    for number, (one, other) in enumerate(drawn):
        costs = grid_of(one, other)
        assert distances[number] == costs[len(one), len(other)]
        assert alignment.row[number, : len(other) + 1].tolist() == way_back(costs, one, other)[0]


@pytest.mark.parametrize("kind", [NarrowGrid, WideGrid])
def test_distances_after_swaps(kind):
    rng = np.random.default_rng(6)
    drawn = sorted_pairs(rng)
    both = grid(kind, drawn)
    both.align(np.arange(len(drawn)))
    pair = np.repeat(np.arange(len(drawn)), 3)
    cuts = np.array([np.sort(rng.choice(len(drawn[k][0]) + 1, 3, replace=False)) for k in pair])
    found = both.distances(Swaps(pair, *cuts.T))
    for k, (begin, middle, end), distance in zip(pair.tolist(), cuts.tolist(), found.tolist(), strict=True):
        one, other = drawn[k]
        after = one[:begin] + one[middle:end] + one[begin:middle] + one[end:]
        assert distance == grid_of(after, other)[len(one), len(other)]


def test_some_pairs_after_a_change():
    drawn = sorted_pairs(np.random.default_rng(7))
    some = np.array([1, 4, 6])
    changed = grid(NarrowGrid, drawn)
    changed.align(np.arange(len(drawn)))
    changed.words[some, :3] = changed.words[some, 2::-1]
    distances, _ = changed.align(some)
    for number, distance in zip(some.tolist(), distances.tolist(), strict=True):
        one, other = drawn[number]
        after = [*one[2::-1], *one[3:]]
        assert distance == grid_of(after, other)[len(one), len(other)]
    words_now, references = changed.of(some[1:])
    assert words_now.shape[1] == len(drawn[4][0])
    assert references.shape[1] == max(len(drawn[4][1]), len(drawn[6][1]))


def test_without_a_table_of_words_the_same(monkeypatch):
    candidates, references = drawn_pairs(np.random.default_rng(8), 40, 80)
    drawn = [
        pair for pair in zip(candidates, references, strict=True) if all(pair) and len(pair[1]) < 50 * len(pair[0])
    ]
    drawn.sort(key=lambda pair: -len(pair[0]))
    wanted = grid(NarrowGrid, drawn).align(np.arange(len(drawn)))[0]
    monkeypatch.setattr("qeframe_texts.translation_edits.narrow_grid._MOST_BITS", 0)
    assert grid(NarrowGrid, drawn).align(np.arange(len(drawn)))[0].tolist() == wanted.tolist()


@pytest.mark.parametrize("cuts", [(0, 1, 2), (0, 2, 5), (1, 3, 5), (2, 2, 4), (3, 5, 5)])
def test_swapped_positions(cuts):
    begin, middle, end = cuts
    text = list(range(5))
    swaps = Swaps(np.array([0]), *(np.array([cut]) for cut in cuts))
    found = swapped(swaps, np.arange(5)[:, None])[:, 0].tolist()
    assert found == text[:begin] + text[middle:end] + text[begin:middle] + text[end:]
