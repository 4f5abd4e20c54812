"""Hits of short segments are those of long ones; which way is taken changes no matching."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.components.metric import segment_scores
from qeframe.kinds.texts.batch import Texts
from qeframe_gtm.hits import hits_of_long
from qeframe_gtm.short_hits import hits_of_short, is_short
from tests.examples import FEWER

texts = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=6)


def batch_of(corpus):
    return Texts.from_plain([references for _, references in corpus], [candidate for candidate, _ in corpus])


def as_runs(blocks):
    """Return the hits of all blocks as sorted cells, and those that continue a run."""
    cells, joined = [], []
    for hits in blocks:
        own = np.stack([hits.own[hits.segment], hits.candidate, hits.reference], axis=1)
        cells += own.tolist()
        joined += own[1:][np.diff(hits.key) == 1].tolist()
        assert (np.diff(hits.key) > 0).all()
        assert own[:, 1:].max(initial=0) < hits.width
    return sorted(cells), sorted(joined)


@FEWER
@given(corpus=corpora)
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
@given(corpus=corpora)
def test_scores_are_equal(metric, name, corpus):
    measure = metric(name)
    wanted = segment_scores(measure, batch_of(corpus))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("qeframe_gtm.short_hits._LONGEST", 10)
        np.testing.assert_array_equal(segment_scores(measure, batch_of(corpus)), wanted)
