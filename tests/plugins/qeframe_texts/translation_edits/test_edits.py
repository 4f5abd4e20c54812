"""The edits of TER against those of sacrebleu; pairs of texts are counted once, as long as they are in memory."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from qeframe_texts.translation_edits import edits as module
from qeframe_texts.translation_edits.edits import EditMemory, translation_edits
from tests.plugins.qeframe_texts.translation_edits.drawn import drawn_pairs, words


def by_sacrebleu(candidates, references):
    pairs = zip(candidates, references, strict=True)
    return [translation_edit_rate(list(map(str, one)), list(map(str, other)))[0] for one, other in pairs]


def counted(candidates, references):
    return translation_edits(words(candidates), words(references)).tolist()


def check(candidates, references):
    assert counted(candidates, references) == by_sacrebleu(candidates, references)


def test_drawn_pairs():
    check(*drawn_pairs(np.random.default_rng(1), 240, 14))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "pairs", "longest"), [(2, 1500, 16), (3, 460, 24), (4, 40, 60)])
def test_two_thousand_drawn_pairs(seed, pairs, longest):
    check(*drawn_pairs(np.random.default_rng(seed), pairs, longest))


@pytest.mark.slow
def test_real_pairs(shared_data):
    folder = shared_data("mlqe-pe-multiref")
    numbers = {}
    candidates, references = (
        [
            [numbers.setdefault(word, len(numbers)) for word in line.lower().split()]
            for line in (folder / name).read_text(encoding="utf-8").splitlines()
        ]
        for name in ("mt.en", "ref-1.en")
    )
    check(candidates, references)


few_words = st.integers(0, 3)
texts = st.lists(few_words, max_size=14)
repeated = st.builds(lambda piece, times: piece * times, st.lists(few_words, min_size=1, max_size=4), st.integers(1, 6))
one_of_them = st.one_of(texts, repeated)


@given(pairs=st.lists(st.tuples(one_of_them, one_of_them), min_size=1, max_size=6))
def test_equals_sacrebleu_on_small_vocabularies(pairs):
    check([one for one, _ in pairs], [other for _, other in pairs])


@given(text=st.lists(st.integers(0, 20), min_size=2, max_size=24), data=st.data())
def test_equals_sacrebleu_on_moved_blocks(text, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=4)))
    pieces = [text[i:j] for i, j in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    candidate = [word for piece in data.draw(st.permutations(pieces)) for word in piece]
    check([candidate, text], [text, candidate])


@given(candidate=st.lists(st.integers(0, 5), min_size=1, max_size=3), data=st.data())
def test_equals_sacrebleu_where_the_reference_is_fifty_times_longer(candidate, data):
    seed = data.draw(st.integers(0, 2**16))
    length = 50 * len(candidate) + data.draw(st.integers(-5, 60))
    reference = np.random.default_rng(seed).integers(0, 6, length).tolist()
    check([candidate, candidate * 2], [reference, reference])


slow = pytest.mark.slow


@pytest.mark.parametrize("size", [1, 2, 25, 26, *(pytest.param(size, marks=slow) for size in (51, 64, 65, 130))])
def test_a_long_way_from_the_diagonal(size):
    half = list(range(size))
    check([half, list(range(size, 2 * size)) + half], [half[::-1], half])


@pytest.mark.parametrize(
    ("candidate", "reference", "edits"),
    [
        ([], [], 0),
        ([], [1, 2], 2),
        ([1, 2], [], 2),
        ([1], [1], 0),
        ([1], [2], 1),
        ([3, 1, 2], [1, 2, 3], 1),
        ([1, 2, 3, 4], [3, 4, 1, 2], 1),
    ],
)
def test_by_hand(candidate, reference, edits):
    assert counted([candidate], [reference]) == [edits]


def test_without_pairs():
    assert counted([], []) == []


def test_a_thousand_shifts_end_the_search_without_the_last_one():
    candidate, reference = np.random.default_rng(5).integers(0, 2, (2, 36)).tolist()
    check([candidate], [reference])


def test_pairs_do_not_depend_on_their_neighbors():
    candidates, references = drawn_pairs(np.random.default_rng(6), 60, 20)
    one_by_one = [counted([one], [other])[0] for one, other in zip(candidates, references, strict=True)]
    order = np.random.default_rng(7).permutation(len(candidates)).tolist()
    together = counted([candidates[i] for i in order], [references[i] for i in order])
    assert together == [one_by_one[i] for i in order]


def test_in_small_parts_the_same(monkeypatch):
    candidates, references = drawn_pairs(np.random.default_rng(8), 60, 20)
    wanted = counted(candidates, references)
    monkeypatch.setattr("qeframe_texts.translation_edits.shifts._CELLS_AT_ONCE", 7)
    monkeypatch.setattr("qeframe_texts.translation_edits.shifts._SHIFTS_AT_ONCE", 3)
    monkeypatch.setattr("qeframe_texts.translation_edits.narrow_grid._SWAPS_AT_ONCE", 2)
    monkeypatch.setattr("qeframe_texts.translation_edits.narrow_grid._ROWS_AT_ONCE", 3)
    monkeypatch.setattr("qeframe_texts.translation_edits.wide_grid._CELLS_AT_ONCE", 1)
    monkeypatch.setattr("qeframe_texts.translation_edits.pairs._CELLS_AT_ONCE", 100)
    monkeypatch.setattr("qeframe_texts.translation_edits.narrow_grid._MOST_BITS", 0)
    assert counted(candidates, references) == wanted


def test_both_grids_count_the_same(monkeypatch):
    candidates, references = drawn_pairs(np.random.default_rng(9), 40, 20)
    wanted = counted(candidates, references)
    monkeypatch.setattr(module, "is_wide", lambda one, other: np.full(len(one), fill_value=True))
    assert counted(candidates, references) == wanted


@pytest.mark.slow
def test_a_long_text_needs_little_memory():
    tracemalloc = pytest.importorskip("tracemalloc")
    rng = np.random.default_rng(10)
    text = rng.integers(0, 3000, 6_000)
    candidate = np.where(rng.random(len(text)) < 0.1, 0, text)
    rows = words([candidate]), words([text])
    tracemalloc.start()
    translation_edits(*rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


@pytest.fixture
def pairs_counted(monkeypatch):
    """Record how many pairs are counted at each call."""
    calls = []
    count = module.translation_edits

    def recording(candidates, references):
        calls.append(len(candidates))
        return count(candidates, references)

    monkeypatch.setattr(module, "translation_edits", recording)
    return calls


def test_equal_pairs_are_counted_once(pairs_counted):
    memory = EditMemory()
    assert memory(["a b", "a b", "b a"], ["a b c"] * 3).tolist() == [1, 1, 2]
    assert memory(["b a", "c"], ["a b c"] * 2).tolist() == [2, 2]
    assert pairs_counted == [2, 1]
    assert memory(["b a"], ["a b c"]).tolist() == [2]
    assert pairs_counted == [2, 1]


def test_a_memory_asked_for_no_pair(pairs_counted):
    assert EditMemory()([], []).tolist() == []
    assert pairs_counted == []


def test_the_oldest_pairs_are_forgotten(pairs_counted):
    memory = EditMemory(most_characters=4)
    assert memory(["a", "b", "c"], ["x", "x", "x"]).tolist() == [1, 1, 1]
    assert len(memory) == 2
    memory(["b", "c"], ["x", "x"])
    memory(["a"], ["x"])
    assert pairs_counted == [3, 1]


def test_a_pair_that_is_too_long_is_not_kept():
    memory = EditMemory(most_characters=4)
    assert memory(["a b c"], ["a b"]).tolist() == [1]
    assert len(memory) == 0


def test_threads_share_a_memory():
    memory = EditMemory(most_characters=40)
    texts = [f"{number} a" for number in range(50)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: memory(texts[k:], ["a"] * (50 - k)).tolist(), range(0, 50, 5)))
    assert found == [[1] * (50 - k) for k in range(0, 50, 5)]
