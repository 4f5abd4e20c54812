"""Stems: Porter's published examples, and metrics on stemmed texts against the same metrics on texts of stems."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe.core.metric_calls import details
from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.texts.tokenizers import tokenized
from tests.examples import FEWER

NAMES = ["bleu", "sentence_bleu", "nist", "wer", "per", "cder", "ter", "chrf", "chrf(word_order=2)"]

PORTER = {
    "caresses": "caress",
    "ponies": "poni",
    "cats": "cat",
    "plastered": "plaster",
    "motoring": "motor",
    "conflated": "conflat",
    "troubled": "troubl",
    "hopping": "hop",
    "falling": "fall",
    "happy": "happi",
    "relational": "relat",
    "conditional": "condit",
    "digitizer": "digit",
    "triplicate": "triplic",
    "hopeful": "hope",
    "goodness": "good",
    "revival": "reviv",
    "allowance": "allow",
    "adjustment": "adjust",
}
"""Examples of Porter (1980), An algorithm for suffix stripping, and what its last step makes of them."""


@pytest.mark.parametrize(("word", "stem"), PORTER.items())
def test_the_published_examples_of_porter(measure, word, stem):
    assert tokenized(Texts.from_plain([word], [word]), "none", False, "porter").predicted.tolist() == [stem]


words = st.lists(st.sampled_from(["cat", "cats", "motor", "motoring", "hop", "hopping"]), max_size=7).map(" ".join)
corpora = st.lists(st.tuples(words, words), min_size=1, max_size=5)
STEMS = {"cats": "cat", "motoring": "motor", "hopping": "hop"}


def stems_of(text):
    return " ".join(STEMS.get(word, word) for word in text.split())


def stemmed(name, language="english"):
    return f"{name.removesuffix(')')}, stem={language})" if "(" in name else f"{name}(stem={language})"


@pytest.mark.parametrize("name", NAMES)
@FEWER
@given(corpus=corpora)
def test_equals_the_metric_on_texts_of_stems(measure, name, corpus):
    gold, predicted = zip(*corpus, strict=True)
    expected = measure(name, [stems_of(text) for text in gold], [stems_of(text) for text in predicted])
    assert measure(stemmed(name), gold, predicted) == pytest.approx(expected, abs=1e-12)


def test_words_are_what_the_tokenizer_leaves(measure):
    gold, predicted = ["The dogs, he said, barked."], ["The dog, he said, barks."]
    # two of eight words differ, four pairs, four triples and four of the five longest
    assert measure("bleu(smoothing=none)", gold, predicted) < 50
    assert measure("bleu(stem=english)", gold, predicted) == pytest.approx(100)
    assert measure('wer(tokenize="13a", stem=english)', gold, predicted) == 0
    assert measure("wer(stem=english)", gold, predicted) == pytest.approx(100 * 2 / 5)


def test_words_with_capitals_keep_their_ends_unless_case_is_ignored(measure):
    gold, predicted = ["CATS"], ["CAT"]
    assert measure("wer(stem=english)", gold, predicted) == 100
    assert measure("wer(stem=english, lowercase=true)", gold, predicted) == 0


@pytest.mark.parametrize("name", ["bleu", "chrf"])
def test_the_signature_of_sacrebleu_says_so(named, name):
    batch = Texts.from_plain(["a cat"], ["a cat"])
    plain, of_stems = (details(named(call), batch)["sacrebleu"] for call in (name, stemmed(name)))
    assert of_stems == f"{plain}|stem:english"


def test_ter_makes_words_before_stems_and_says_so(named, measure):
    gold, predicted = ["The dogs, he said, barked."], ["The dog, he said, barks."]
    assert measure("ter(stem=english)", gold, predicted) == pytest.approx(100 * 2 / 5)
    assert measure("ter(stem=english, normalized=true)", gold, predicted) == 0
    assert measure("ter(stem=english, punctuation=false)", gold, predicted) == 0
    assert details(named("ter(stem=english)"), Texts.from_plain(["a"], ["a"]))["qeframe"].count("|stem:english|") == 1


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_language(named, name):
    with pytest.raises(DataError, match="no stemmer for the language 'englisch'; did you mean 'english'"):
        named(stemmed(name, "englisch")).bind(Texts.from_plain(["a"], ["a"]))
