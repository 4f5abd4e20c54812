"""Counts of n-grams of all candidates at once, against sacrebleu's own: texts of all scripts, lengths and options."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from qeframe.kinds.texts.batch import Texts
from qeframe.plugin.texts import sacrebleu_metric
from qeframe_texts.bleu_metrics import bleu
from qeframe_texts.chrf_metric import chrf
from qeframe_texts.sacrebleu_counts import SegmentCounts, counts_of_sacrebleu, words_13a
from tests.examples import FEWER

METRICS = [
    bleu,
    lambda: bleu(lowercase=True, order=2),
    lambda: bleu(tokenize="none", order=1),
    lambda: bleu(tokenize="zh", order=9),
    lambda: bleu(tokenize="char"),
    chrf,
    lambda: chrf(word_order=2),
    lambda: chrf(char_order=0, word_order=1, lowercase=True),
    lambda: chrf(char_order=9, whitespace=True, beta=0.7),
    lambda: chrf(word_order=2, epsilon_smoothing=True),
]
SIGNS = "ab.,-'&;<>0 1\t\n\u00a0\u2028\u0085\x1c\r/(é中文字あกб\u0301😀İß"
words = st.sampled_from(
    ["the", "the", "cat", "1,000.5", "3-4", "&quot;", "&amp;lt;", "<skipped>", "-\n", "(x)", "U.S.", ""]
)
texts = st.one_of(
    st.lists(words, max_size=9).map(" ".join), st.text(SIGNS, max_size=20), st.text(max_size=9), st.just("a b" * 100)
)
references = st.lists(texts, min_size=1, max_size=5)
corpora = st.lists(st.tuples(references, st.lists(texts, min_size=1, max_size=9)), min_size=1, max_size=5)


def assert_equal_counts(metric, batch):
    extract = metric.bind.extract
    assert isinstance(extract, SegmentCounts)
    wanted = counts_of_sacrebleu(sacrebleu_metric(extract.metric, extract.options), batch)
    np.testing.assert_array_equal(extract(batch), wanted)


@pytest.mark.parametrize("build", METRICS)
@FEWER
@given(corpus=corpora)
def test_equal_counts(build, corpus):
    rows = [(of, text) for of, candidates in corpus for text in candidates]
    assert_equal_counts(build(), Texts.from_plain([of for of, _ in rows], [text for _, text in rows]))


@pytest.mark.parametrize("build", METRICS)
@pytest.mark.parametrize("number", [1, 8])
def test_equal_counts_of_long_texts(build, number):
    """Texts beyond a lane of 8 bits, and more of them than one sort holds."""
    rng = np.random.default_rng(number)
    symbols = np.array([*"abcdefgh ,. ", *map(chr, range(0x4E00, 0x4E00 + 300))])

    def text(size):
        return "".join(symbols[np.minimum(rng.geometric(0.05, size) - 1, len(symbols) - 1)])

    sizes = [0, 1, 5, 249, 250, 251, 255, 256, 300, 1000]
    gold = [[text(rng.choice(sizes)) for _ in range(number)] for _ in range(40)]
    rows = np.append(np.arange(len(gold)), rng.integers(0, len(gold), 12))
    batch = Texts.from_plain([gold[row] for row in rows], [text(rng.choice(sizes)) for _ in rows])
    assert_equal_counts(build(), batch)


def test_a_text_beyond_every_lane():
    batch = Texts.from_plain(["ab" * 40_000, "a b"], ["ab" * 40_000, "a"])
    assert_equal_counts(chrf(), batch)


@FEWER
@given(st.lists(texts, min_size=1, max_size=9))
def test_words_of_13a(texts):
    peer = BLEU().tokenizer
    assert words_13a(texts) == [peer(text.rstrip()).split() for text in texts]
