"""Matchings of whole batches against slow versions, and the greedy against the exact ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe_gtm.hits
import qeframe_gtm.matching
from qeframe.core.errors import DataError
from qeframe.core.metric import segment_scores
from qeframe.kinds.texts.batch import Texts
from qeframe_gtm.hits import hits_of_long
from qeframe_gtm.matching import Blocks, hits_of_short, is_short
from qeframe_gtm.runs import Rule
from tests.examples import FEWER
from tests.plugins.qeframe_gtm.oracles import exact_size, f_of, greedy_runs, greedy_size


def texts(longest=10, letters="abc"):
    return st.lists(st.sampled_from(letters), max_size=longest)


def corpora(longest=10, letters="abc", references=3):
    segment = st.tuples(texts(longest, letters), st.lists(texts(longest, letters), min_size=1, max_size=references))
    return st.lists(segment, min_size=1, max_size=6)


def batch_of(corpus):
    return Texts.from_plain([references for _, references in corpus], [candidate for candidate, _ in corpus])


def blocks_of(batch, extract):
    """Return the blocks of every segment, longest and last first."""
    by_segment = [[] for _ in range(len(batch))]
    for segment, i, j, length in extract(batch).tolist():
        by_segment[int(segment)].append((i, j, length))
    return [sorted(blocks, key=lambda b: (-b[2], -b[0], -b[1])) for blocks in by_segment]


@settings(max_examples=200)
@given(corpus=corpora())
def test_greedy_runs_are_those_of_the_textbook(corpus):
    wanted = [sorted(greedy_runs(*of), key=lambda b: (-b[2], -b[0], -b[1])) for of in corpus]
    assert blocks_of(batch_of(corpus), Blocks()) == wanted


@FEWER
@given(corpus=corpora(), exponent=st.sampled_from([1, 1.5, 2, 3, 8]))
def test_scores_are_those_of_the_textbook(named, corpus, exponent):
    batch, measure = batch_of(corpus), named(f"gtm_f(exponent={exponent})")
    alone = [f_of(greedy_size, [of], exponent) for of in corpus]
    np.testing.assert_allclose(segment_scores(measure, batch), alone, rtol=0, atol=1e-12)
    whole = float(measure.bind(batch)(np.ones(len(batch))))
    assert whole == pytest.approx(f_of(greedy_size, corpus, exponent), abs=1e-12)


@settings(max_examples=150)
@given(corpus=corpora(longest=5, references=2), exponent=st.sampled_from([1, 1.5, 2, 3]))
def test_exact_matchings_are_the_largest_of_all(named, corpus, exponent):
    scores = segment_scores(named(f"gtm_f(exponent={exponent}, matching=exact)"), batch_of(corpus))
    np.testing.assert_allclose(scores, [f_of(exact_size, [of], exponent) for of in corpus], rtol=0, atol=1e-12)


@given(corpus=corpora(longest=12, letters="ab", references=2))
def test_exact_blocks_are_a_matching(corpus):
    batch = batch_of(corpus)
    for (candidate, references), blocks in zip(corpus, blocks_of(batch, Blocks(2.0, 10_000)), strict=True):
        row = [word for reference in references for word in [*reference, None]]
        covered = [(int(i) + k, int(j) + k) for i, j, length in blocks for k in range(int(np.ceil(length)))]
        assert all(candidate[i] == row[j] for i, j in covered)
        assert len({i for i, _ in covered}) == len({j for _, j in covered}) == len(covered)


@pytest.mark.parametrize("limit", ["_TOKENS_AT_ONCE", "_HITS_AT_ONCE"])
def test_blocks_of_segments_change_nothing(named, monkeypatch, limit):
    rng = np.random.default_rng(5)
    draw = lambda: list(rng.choice(list("abcdefghij"), rng.integers(0, 12)))  # noqa: E731
    gold, predicted = [[draw(), draw()] for _ in range(60)], [draw() for _ in range(60)]
    for name in ("gtm_f", "gtm_f(exponent=2)", "gtm_f(exponent=2, matching=exact)"):
        whole = segment_scores(named(name), Texts.from_plain(gold, predicted))
        with monkeypatch.context() as patch:
            patch.setattr(qeframe_gtm.hits, limit, 20)
            np.testing.assert_array_equal(segment_scores(named(name), Texts.from_plain(gold, predicted)), whole)


def test_a_segment_with_too_many_hits_is_refused(named, monkeypatch):
    monkeypatch.setattr(qeframe_gtm.matching, "_LONGEST", 10)
    monkeypatch.setattr(qeframe_gtm.hits, "_HITS_AT_ONCE", 20)
    monkeypatch.setattr(qeframe_gtm.hits, "_MOST_HITS", 30)
    batch = Texts.from_plain(["a", "a a a a a a"], ["a", "a a a a a a"])
    with pytest.raises(DataError, match=r"^segment 1 has 36 pairs of equal words .*; cut it into segments with"):
        named("gtm_f(exponent=2)").bind(batch)


def test_an_exact_matching_that_takes_too_long_is_refused(named):
    batch = Texts.from_plain(["a", list("caccba")], ["a", list("cccabac")])
    message = r"^segment 1: no matching of its 17 hits was proved largest in 2 steps; set a larger budget, or matching="
    with pytest.raises(DataError, match=message):
        named("gtm_f(exponent=2, matching=exact, budget=2)").bind(batch)
    assert 0 < segment_scores(named("gtm_f(exponent=2, matching=exact)"), batch)[1] < 1


def random_pairs(pairs, seed):
    """Draw short strings over small alphabets, with references that share much with them."""
    rng = np.random.default_rng(seed)
    gold, predicted = [], []
    for _ in range(pairs):
        letters = list("abcdefgh"[: rng.integers(3, 9)])
        gold.append(list(rng.choice(letters, rng.integers(4, 11))))
        predicted.append(list(rng.choice(letters, rng.integers(4, 11))))
    return gold, predicted


def test_greedy_against_exact_on_short_strings():
    """The paper: equal in 99 % of the cases, and never below 80 %."""
    batch = Texts.from_plain(*random_pairs(5000, seed=1))
    greedy, exact = (
        np.sqrt(np.bincount(blocks[:, 0].astype(int), blocks[:, 3] ** 2, minlength=5000))
        for blocks in (Blocks()(batch), Blocks(2.0, 10_000)(batch))
    )
    found = exact > 0
    ratio = greedy[found] / exact[found]
    assert (ratio <= 1 + 1e-12).all()
    assert found.sum() == 4969
    assert (ratio > 1 - 1e-12).mean() == pytest.approx(0.992, abs=0.0005)
    assert ratio.min() == pytest.approx(0.866, abs=0.0005)


def test_the_worst_known_case(named):
    """A pair on which greedy reaches .816 of the exact size with exponent 2."""
    batch = Texts.from_plain([list("caccba")], [list("cccabac")])
    greedy, exact = (
        segment_scores(named(f"gtm_f(exponent=2, matching={way})"), batch)[0] for way in ("greedy", "exact")
    )
    assert greedy / exact == pytest.approx(0.8165, abs=5e-5)


@given(corpus=corpora(longest=8))
def test_alignments_are_the_blocks_in_words(named, corpus):
    batch = batch_of(corpus)
    for name in ("gtm_f", "gtm_f(exponent=2)", "gtm_f(exponent=2, matching=exact)"):
        found = named(name).alignments(batch)
        sizes = named(name).bind(batch).rows[:, 0]
        for (candidate, references), alignment, size in zip(corpus, found, sizes, strict=True):
            assert alignment.candidate == tuple(candidate)
            assert alignment.references == tuple(map(tuple, references))
            assert alignment.matched <= alignment.hits
            exponent = 1 if name == "gtm_f" else 2
            assert sum(block.length**exponent for block in alignment.blocks) == pytest.approx(size**exponent)


texts_of_short_hits = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
corpora_of_short_hits = st.lists(
    st.tuples(texts_of_short_hits, st.lists(texts_of_short_hits, min_size=1, max_size=3)), min_size=1, max_size=6
)


def as_runs(blocks):
    """Return the hits of all blocks as sorted cells, and those that continue a run."""
    cells, joined = [], []
    for hits in blocks:
        own = np.stack([hits.numbers[hits.segment], hits.candidate, hits.reference], axis=1)
        cells += own.tolist()
        joined += own[1:][np.diff(hits.key) == 1].tolist()
        assert (np.diff(hits.key) > 0).all()
        assert own[:, 1:].max(initial=0) < hits.width
    return sorted(cells), sorted(joined)


@FEWER
@given(corpus=corpora_of_short_hits)
def test_both_lists_of_hits_are_equal(corpus):
    tokens = batch_of(corpus).tokens
    every = np.arange(len(corpus))
    assert as_runs(hits_of_short(tokens, every)) == as_runs(hits_of_long(tokens, every))


def test_some_segments():
    tokens = batch_of([("a b", ["a b"]), ("c", ["c c", "c"]), ("", [""]), ("a", ["b a"])]).tokens
    cells, joined = as_runs(hits_of_short(tokens, np.array([1, 2, 3])))
    assert cells == [[1, 0, 0], [1, 0, 1], [1, 0, 3], [3, 0, 1]]
    assert joined == []
    assert cells == as_runs(hits_of_long(tokens, np.array([1, 2, 3])))[0]


def test_many_words_need_wider_numbers():
    words = [f"w{number}" for number in range(70_000)]
    lines = [" ".join(words[start : start + 50]) for start in range(0, len(words), 50)]
    tokens = Texts.from_plain(lines, lines[::-1]).tokens
    every = np.arange(len(lines))
    assert as_runs(hits_of_short(tokens, every)) == as_runs(hits_of_long(tokens, every)) == ([], [])
    same = Texts.from_plain(lines, lines).tokens
    assert len(as_runs(hits_of_short(same, every))[0]) == len(words)


@pytest.mark.parametrize(("words", "short"), [(0, True), (80, True), (91, False)])
def test_which_segments_are_short(words, short):
    text = " ".join("a" * words)
    assert is_short(batch_of([(text, [text]), ("a", ["a"])]).tokens).tolist() == [short, True]


@pytest.mark.parametrize("name", ["gtm_f(exponent=2)", "gtm_f(exponent=1.5, matching=exact)"])
@given(corpus=corpora_of_short_hits)
def test_scores_are_equal(named, name, corpus):
    measure = named(name)
    wanted = segment_scores(measure, batch_of(corpus))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qeframe_gtm.matching._LONGEST", 10)
        np.testing.assert_array_equal(segment_scores(measure, batch_of(corpus)), wanted)


@pytest.mark.parametrize(("limit", "worth"), [(9, 2**2 + 1 + 1), (3, 2**2 + 1), (2.5, 2**2 + 0.5**2), (1, 1)])
def test_words_above_the_limit_are_cut_from_the_shortest_runs(limit, worth):
    """Runs that are cut whole add nothing: (0, 0) to (1, 1) is a run of two words, the others of one."""
    rule = Rule(word={}, exponent=2.0, longest=1)
    assert rule.worth([(5, 3), (0, 0), (1, 1), (3, 9)], limit) == pytest.approx(worth, abs=1e-12)
