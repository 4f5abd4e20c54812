"""WER, PER and CDER against slow loops over their definitions; degenerate cases; claims."""

from collections import Counter
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.metric import segment_scores
from qeframe.core.ragged import Ragged
from qeframe.kinds.texts.batch import Texts
from qeframe_texts.word_error_rates import clipped_overlap, cover_disjoint_distance, levenshtein_distance


def words():
    """Draw a text as a list of words; it may be empty."""
    return st.lists(st.sampled_from("abcd"), max_size=7)


def levenshtein(said, known):
    @cache
    def cost(i, j):
        if not i or not j:
            return i + j
        return min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (said[i - 1] != known[j - 1]))

    return cost(len(said), len(known))


def cover_disjoint(said, known):
    """Find the cheapest path through the grid of positions by relaxing every edge until nothing changes."""
    positions = range(len(said) + 1)
    cost = {(i, j): np.inf for i in positions for j in range(len(known) + 1)}
    cost[0, 0] = 0
    edges = []
    for i, j in cost:
        edges += [((i, j), (other, j), 1) for other in positions]
        edges.append(((i, j), (i + 1, j), 1))
        edges.append(((i, j), (i, j + 1), 1))
        if i < len(said) and j < len(known):
            edges.append(((i, j), (i + 1, j + 1), int(said[i] != known[j])))
    changed = True
    while changed:
        changed = False
        for start, end, price in edges:
            if end in cost and cost[start] + price < cost[end]:
                cost[end], changed = cost[start] + price, True
    return cost[len(said), len(known)]


def bags(said, known):
    said, known = Counter(said), Counter(known)
    return max(said.total(), known.total()) - (said & known).total()


ERRORS = {"wer": levenshtein, "per": bags, "cder": cover_disjoint}
corpora = st.lists(st.tuples(words(), st.lists(words(), min_size=1, max_size=3)), min_size=1, max_size=5)


@pytest.mark.parametrize("name", ERRORS)
@given(corpus=corpora)
def test_equals_the_definition(measure, named, name, corpus):
    batch = Texts.from_plain([r for _, r in corpus], [c for c, _ in corpus])
    edits = [min(ERRORS[name](c, r) for r in references) for c, references in corpus]
    lengths = [np.mean([len(r) for r in references]) for _, references in corpus]
    wanted = 100 * sum(edits) / sum(lengths) if sum(lengths) else 100 * bool(sum(edits))
    assert measure(name, batch) == pytest.approx(wanted, abs=1e-9)
    alone = [100 * e / n if n else 100 * bool(e) for e, n in zip(edits, lengths, strict=True)]
    np.testing.assert_allclose(segment_scores(named(name), batch), alone, rtol=0, atol=1e-9)


def test_many_pairs_of_all_lengths_at_once():
    rng = np.random.default_rng(3)
    lengths = rng.integers(0, 40, size=(2, 300))
    pairs = list(zip(*([list(rng.integers(0, 6, size=n)) for n in of] for of in lengths), strict=True))
    said, known = sides(pairs)
    np.testing.assert_array_equal(levenshtein_distance(said, known), [levenshtein(*pair) for pair in pairs])
    np.testing.assert_array_equal(clipped_overlap(said, known), [max(map(len, p)) - bags(*p) for p in pairs])
    few = np.arange(12)
    found = cover_disjoint_distance(said.take(few), known.take(few))
    np.testing.assert_array_equal(found, [cover_disjoint(*pair) for pair in pairs[:12]])


def test_pairs_beyond_one_block():
    said = Ragged.from_rows([[0] * 3000, [0] * 2999 + [1]] * 40, dtype=np.int64)
    known = Ragged.from_rows([[0, 1]] * 80, dtype=np.int64)
    np.testing.assert_array_equal(levenshtein_distance(said, known), [2999, 2998] * 40)
    np.testing.assert_array_equal(cover_disjoint_distance(said, known), [2, 1] * 40)


@pytest.mark.parametrize(
    ("name", "gold", "predicted", "rate"),
    [
        ("wer", "a b c d", "c d a b", 100),
        ("per", "a b c d", "c d a b", 0),
        ("cder", "a b c d", "c d a b", 75),
        ("cder", "a b c d", "a b c d", 0),
        ("cder", "a b a b", "a b", 25),
        ("wer", "a b a b", "a b", 50),
        ("cder", "a b", "a b x y z", 50),
        ("cder", "a", "x y z", 200),
        ("wer", "a b", "a b x y z", 150),
        ("per", "a b", "a b x y z", 150),
        ("per", "a a b", "a", 200 / 3),
        ("wer(lowercase=true)", "A b", "a B", 0),
        ("wer", "A b", "a b", 50),
        ('wer(tokenize="13a")', "a, b", "a , b.", 100 / 3),
        ("wer", "a, b", "a , b.", 150),
    ],
)
def test_small_cases(measure, name, gold, predicted, rate):
    assert measure(name, [gold], [predicted]) == pytest.approx(rate, abs=1e-12)


@pytest.mark.parametrize("name", [*ERRORS, "per(replicate=moses)"])
@pytest.mark.parametrize(
    ("gold", "predicted", "rate"),
    [([""], [""], 0), ([" "], ["a b"], 100), (["a b"], [""], 100), ([], [], 0), (["", "a"], ["", ""], 100)],
)
def test_empty_texts(measure, name, gold, predicted, rate):
    assert measure(name, gold, predicted) == rate


def test_moses_lets_lengths_of_segments_make_up_for_each_other(measure):
    gold, predicted = ["a b", "c d"], ["a b x x", ""]
    assert measure("per", gold, predicted) == 100
    assert measure("per(replicate=moses)", gold, predicted) == 50
    assert measure("per(replicate=moses)", gold[:1], predicted[:1]) == measure("per", gold[:1], predicted[:1])


def test_moses_takes_one_reference(measure):
    message = r"per\(replicate=moses\) is defined for one reference for each segment; use per"
    with pytest.raises(DataError, match=message):
        measure("per(replicate=moses)", [["a", "b"]], ["a"])


@pytest.mark.parametrize("name", [*ERRORS, "per(replicate=moses)"])
@settings(max_examples=50)
@given(pair=st.tuples(words(), words()), unknown=st.integers(1, 3))
def test_padding_never_pays(measure, name, pair, unknown):
    gold, predicted = [[pair[1]]], [pair[0]]
    assert measure(name, gold, [predicted[0] + ["unknown"] * unknown]) >= measure(name, gold, predicted) - 1e-9


NUMBERS = st.lists(st.integers(0, 3), max_size=7)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS), max_size=6)


def sides(pairs):
    return (Ragged.from_rows([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))


@given(PAIRS)
def test_levenshtein_is_that_of_the_textbook(pairs):
    assert levenshtein_distance(*sides(pairs)).tolist() == [levenshtein(*pair) for pair in pairs]


@given(PAIRS)
def test_jumps_never_cost_more_than_edits(pairs):
    """A path without jumps is an alignment by edits. All deletions at the end of a path are one jump."""
    distance, edits = cover_disjoint_distance(*sides(pairs)), levenshtein_distance(*sides(pairs))
    assert (distance <= edits).all()
    equal = [said == known for said, known in pairs]
    assert (distance[equal] == 0).all()


@pytest.mark.parametrize(
    ("said", "known", "cost"),
    [([], [], 0), ([1], [], 1), ([1, 2, 3], [], 1), ([], [1, 2], 2), ([2, 3, 0, 1], [0, 1, 2, 3], 3), ([0], [0, 0], 1)],
)
def test_covering_by_hand(said, known, cost):
    """Halves that change places cost three jumps. A candidate word is used again after a jump back."""
    assert cover_disjoint_distance(*sides([(said, known)])).tolist() == [cost]


@given(PAIRS)
def test_words_in_common_count_as_often_as_on_the_side_that_has_fewer(pairs):
    expected = [(Counter(said) & Counter(known)).total() for said, known in pairs]
    assert clipped_overlap(*sides(pairs)).tolist() == expected
