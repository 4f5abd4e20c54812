"""NIST against a slow loop over its definition."""

import math
from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.exchange import RecomputedExchange
from qeframe.core.metric import segment_scores
from qeframe.kinds.texts.batch import Texts
from tests.examples import FEWER


def grams(text, n):
    return Counter(tuple(text[i : i + n]) for i in range(len(text) - n + 1))


def nist(corpus, order=5, *, equal=False):
    known = [
        Counter(chain.from_iterable(grams(r, n).elements() for _, rs in corpus for r in rs))
        for n in range(1, order + 1)
    ]
    words = known[0].total()

    def information(gram):
        if equal:
            return 1.0
        begun = known[len(gram) - 2][gram[:-1]] if len(gram) > 1 else words
        return math.log2(begun / known[len(gram) - 1][gram])

    gain = 0.0
    for n in range(1, order + 1):
        hit, found = 0.0, 0
        for candidate, references in corpus:
            said = grams(candidate, n)
            most = Counter()
            for reference in references:
                most |= grams(reference, n)
            hit += sum(min(count, most[gram]) * information(gram) for gram, count in said.items() if gram in most)
            found += said.total()
        gain += hit / found if found else 0
    length = sum(len(c) for c, _ in corpus)
    expected = sum(np.mean([len(r) for r in rs]) for _, rs in corpus)
    if not 0 < length < expected:
        return gain
    return gain * math.exp(math.log(0.5) * (math.log(length / expected) / math.log(1.5)) ** 2)


words = st.lists(st.sampled_from("abcd"), max_size=7)
corpora = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=5)


def batch_of(corpus):
    return Texts.from_plain([r for _, r in corpus], [c for c, _ in corpus])


@pytest.mark.parametrize("order", [1, 3, 5])
@FEWER
@given(corpus=corpora)
def test_equals_the_definition(named, measure, order, corpus):
    name, batch = f"nist(order={order})", batch_of(corpus)
    assert measure(name, batch) == pytest.approx(nist(corpus, order), abs=1e-9)
    np.testing.assert_allclose(segment_scores(named(name), batch), [nist([of], order) for of in corpus], atol=1e-9)


@FEWER
@given(corpus=corpora)
def test_equal_weights_equal_the_definition(named, measure, corpus):
    name, batch = "nist(order=3, weights=equal)", batch_of(corpus)
    assert measure(name, batch) == pytest.approx(nist(corpus, 3, equal=True), abs=1e-9)
    each = [nist([of], 3, equal=True) for of in corpus]
    np.testing.assert_allclose(segment_scores(named(name), batch), each, atol=1e-9)


def test_equal_weights_by_hand(measure):
    gold, predicted = ["the cat sat on the mat"], ["the cat on the mat"]
    # 5 of 5 words, 3 of 4 pairs, 1 of 3 triples; five words for six
    penalty = 0.5 ** ((math.log(6 / 5) / math.log(3 / 2)) ** 2)
    assert measure("nist(order=3, weights=equal)", gold, predicted) == pytest.approx(penalty * (1 + 3 / 4 + 1 / 3))
    assert measure("nist(weights=equal)", gold, gold) == 5
    assert measure("nist(weights=equal)", ["a"], ["a"]) == 1
    assert measure("nist(weights=equal)", [""], [""]) == 0


def test_draws_beyond_one_block(named, monkeypatch):
    batch = Texts.from_plain(["a b c d", "b c a", "d d"], ["a b d", "b c", "d"])
    weights = np.random.default_rng(2).integers(0, 3, size=(20, 3)).astype(float)
    whole = named("nist").bind(batch)(weights)
    monkeypatch.setattr("qeframe.core.draws.MOST_CELLS", 32)
    np.testing.assert_array_equal(named("nist").bind(batch)(weights), whole)


def test_swaps_go_through_rows(named):
    gold = ["a b c d", "b c a", "d d a", "c"]
    panel = [Texts.from_plain(gold, said) for said in (["a b d", "b c", "d", "c"], ["a c d", "a c b", "d d", ""])]
    assert not isinstance(named("nist").exchange(panel), RecomputedExchange)


def test_short_candidates(measure):
    whole, shorter = (measure("nist(order=1)", ["a b c d e f"], [said]) for said in ("a b c d e f", "a b c d"))
    assert whole == pytest.approx(math.log2(6))
    assert shorter == pytest.approx(math.log2(6) / 2)


@pytest.mark.parametrize(
    ("gold", "predicted"), [([], []), ([""], [""]), ([""], ["a"]), (["a"], [""]), (["a"], ["b"]), (["a"], ["a"])]
)
def test_stated_zeros(measure, gold, predicted):
    assert measure("nist", gold, predicted) == 0


def test_case_and_tokenizer(measure):
    gold, predicted = ["A dog, he said."], ["a dog , he said ."]
    assert measure('nist(tokenize="13a", lowercase=true)', gold, predicted) == measure("nist", predicted, predicted)
    assert measure("nist", gold, predicted) < measure("nist", predicted, predicted)


def test_refused_order(named):
    with pytest.raises(DataError, match="nist: parameter order = 0 must be from 1 to 9"):
        named("nist(order=0)")
