"""BLEU, chrF and TER against sacrebleu: corpus and segments, one and several references, empty texts, options."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU, CHRF, TER

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.metric import segment_scores
from qeframe.kinds.texts.batch import Texts
from tests.examples import FEWER

CANDIDATES = [
    "The cat sat on the mat.",
    "A dog , he said , barked !",
    "",
    "the the the the the the the",
    "Nothing in common",
    "Etwas Anderes (hier) & dort",
    "on mat the sat cat the",
    "short",
]
REFERENCES = [
    ["The cat is sitting on the mat.", "On the mat sat the cat."],
    ["A dog, he said, barked!", "He said that a dog barked."],
    ["An answer was expected.", "Something."],
    ["the cat", "The cat is the cat, the one on the mat."],
    ["Wholly different words here", ""],
    ["", "etwas anderes hier und dort"],
    ["the cat sat on the mat", "the dog sat on the mat"],
    ["a somewhat longer reference of nine or more words", "short"],
]
VARIANTS = [
    ("bleu", BLEU, {}),
    ("bleu(lowercase=true)", BLEU, {"lowercase": True}),
    ("bleu(tokenize=none)", BLEU, {"tokenize": "none"}),
    ("bleu(tokenize=char)", BLEU, {"tokenize": "char"}),
    ("bleu(tokenize=intl)", BLEU, {"tokenize": "intl"}),
    ("bleu(tokenize=zh)", BLEU, {"tokenize": "zh"}),
    ("bleu(smoothing=floor)", BLEU, {"smooth_method": "floor"}),
    ("bleu(smoothing=floor, smoothing_value=0.3)", BLEU, {"smooth_method": "floor", "smooth_value": 0.3}),
    ("bleu(smoothing=add_k)", BLEU, {"smooth_method": "add-k"}),
    ("bleu(smoothing=add_k, smoothing_value=2)", BLEU, {"smooth_method": "add-k", "smooth_value": 2}),
    ("bleu(smoothing=none)", BLEU, {"smooth_method": "none"}),
    ("bleu(order=2)", BLEU, {"max_ngram_order": 2}),
    ("bleu(effective_order=true)", BLEU, {"effective_order": True}),
    ("bleu(effective_order=true, smoothing=floor)", BLEU, {"effective_order": True, "smooth_method": "floor"}),
    ("bleu(effective_order=true, smoothing=none)", BLEU, {"effective_order": True, "smooth_method": "none"}),
    ("chrf", CHRF, {}),
    ("chrf(word_order=2)", CHRF, {"word_order": 2}),
    ("chrf(beta=3)", CHRF, {"beta": 3}),
    ("chrf(beta=0)", CHRF, {"beta": 0}),
    ("chrf(char_order=0, word_order=2)", CHRF, {"char_order": 0, "word_order": 2}),
    ("chrf(lowercase=true)", CHRF, {"lowercase": True}),
    ("chrf(whitespace=true)", CHRF, {"whitespace": True}),
    ("chrf(epsilon_smoothing=true)", CHRF, {"eps_smoothing": True}),
    ("ter", TER, {}),
    ("ter(lowercase=false)", TER, {"case_sensitive": True}),
    ("ter(normalized=true)", TER, {"normalized": True}),
    ("ter(punctuation=false)", TER, {"no_punct": True}),
    ("ter(normalized=true, asian_support=true)", TER, {"normalized": True, "asian_support": True}),
]
NAMES = [name for name, *_ in VARIANTS]


def corpus_score(peer, candidates, references):
    most = max(map(len, references))
    streams = [[of[nth] if nth < len(of) else None for of in references] for nth in range(most)]
    return peer.corpus_score(list(candidates), streams).score


def sentence_score(peer, candidate, references):
    peer.effective_order = getattr(peer, "effective_order", None)
    return peer.sentence_score(candidate, references).score


@pytest.mark.parametrize(("name", "peer", "options"), VARIANTS, ids=NAMES)
@pytest.mark.parametrize("several", [1, 2, "varying"])
def test_equals_sacrebleu(named, measure, name, peer, options, several):
    references = [of[: several if several != "varying" else 1 + i % 2] for i, of in enumerate(REFERENCES)]
    batch = Texts.from_plain(references, CANDIDATES)
    theirs = peer(**options)
    assert measure(name, batch) == pytest.approx(corpus_score(theirs, CANDIDATES, references), abs=1e-9)
    wanted = [sentence_score(peer(**options), c, r) for c, r in zip(CANDIDATES, references, strict=True)]
    np.testing.assert_allclose(segment_scores(named(name), batch), wanted, rtol=0, atol=1e-9)
    told = named(name).details(batch)
    if peer is TER:  # ours: the same options, but for the version, which is that of the program that computed it
        options_of = [
            signature.rpartition("|version:")[0] for signature in (told["qeframe"], str(theirs.get_signature()))
        ]
        assert options_of[0] == options_of[1]
    else:
        assert told["sacrebleu"] == str(theirs.get_signature())


@pytest.mark.parametrize("several", [1, 2])
def test_sentence_bleu_is_the_mean_of_sacrebleu_s(named, measure, several):
    references = [of[:several] for of in REFERENCES]
    batch = Texts.from_plain(references, CANDIDATES)
    peer = BLEU(effective_order=True)
    wanted = [peer.sentence_score(c, r).score for c, r in zip(CANDIDATES, references, strict=True)]
    np.testing.assert_allclose(named("sentence_bleu").per_unit(batch), wanted, rtol=0, atol=1e-9)
    np.testing.assert_allclose(segment_scores(named("sentence_bleu"), batch), wanted, rtol=0, atol=1e-9)
    assert measure("sentence_bleu", batch) == pytest.approx(np.mean(wanted), abs=1e-9)
    peer.corpus_score(CANDIDATES, [list(of) for of in zip(*references, strict=True)])
    assert named("sentence_bleu").details(batch)["sacrebleu"] == str(peer.get_signature())


texts = st.lists(st.sampled_from(["a", "b", "ab", "ba.", "C", "c,"]), max_size=7).map(" ".join)
corpora = st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4)


@pytest.mark.parametrize(("name", "peer", "options"), VARIANTS, ids=NAMES)
@FEWER
@given(corpus=corpora)
def test_equals_sacrebleu_on_drawn_texts(measure, name, peer, options, corpus):
    candidates, references = [c for c, _ in corpus], [r for _, r in corpus]
    found = measure(name, references, candidates)
    assert found == pytest.approx(corpus_score(peer(**options), candidates, references), abs=1e-9)


@pytest.mark.parametrize("name", ["bleu", "chrf", "sentence_bleu"])
@pytest.mark.parametrize(("gold", "predicted"), [("", ""), ("", "a b"), ("a b", ""), ("a b", "c")])
def test_without_a_hit_zero(measure, name, gold, predicted):
    assert measure(name, [gold], [predicted]) == 0


@pytest.mark.parametrize(("gold", "predicted", "rate"), [("", "", 0), ("", "a b", 100), ("a b", "", 100)])
def test_ter_of_empty_texts(measure, gold, predicted, rate):
    assert measure("ter", [gold], [predicted]) == rate


def test_without_segments(measure, named):
    assert measure("bleu", [], []) == measure("chrf", [], []) == measure("ter", [], []) == 0
    assert np.isnan(measure("sentence_bleu", [], []))
    empty = Texts.from_plain([], [])
    assert named("bleu").details(empty)["sacrebleu"].startswith("nrefs:0|")
    assert segment_scores(named("chrf"), empty).shape == (0,)


def test_the_reference_itself_is_perfect(measure):
    texts = [of[0] for of in REFERENCES if of[0]]
    assert [measure(name, texts, texts) for name in ("bleu", "chrf", "sentence_bleu", "ter")] == [100, 100, 100, 0]


def test_details_of_bleu(named):
    told = named("bleu(tokenize=none, order=2)").details(Texts.from_plain(["a b c d"], ["a b d"]))
    assert told.pop("sacrebleu").startswith("nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:")
    assert told.pop("precision") == {"1-gram": 100.0, "2-gram": 50.0}
    assert told.pop("brevity_penalty") == pytest.approx(np.exp(1 - 4 / 3))
    assert told == {"candidate_length": 3, "reference_length": 4}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bleu(order=0)", "BLEU: parameter order = 0 must be from 1 to 9"),
        ("bleu(smoothing_value=1)", "BLEU: parameter smoothing_value = 1.0 must be from 0 to 0 for exp"),
        ("bleu(smoothing=floor, smoothing_value=2)", "must be from 0 to 1 for floor"),
        ("bleu(smoothing=add_k, smoothing_value=-1)", "must be from 0 to 1000 for add_k"),
        ("chrf(char_order=0)", "chrf: orders 0 and 0 must be from 0 to 9, not both 0"),
        ("chrf(beta=-1)", "chrf: parameter beta = -1.0 must be finite and not negative"),
        ('bleu(tokenize="flores200")', "tokenize = 'flores200' must be 13a or char or"),
    ],
)
def test_refused_parameters(named, name, message):
    with pytest.raises(DataError) as caught:
        named(name)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "name", ["bleu", "sentence_bleu", "chrf", "ter(normalized=true)", "ter(punctuation=false)", 'wer(tokenize="13a")']
)
def test_without_sacrebleu_the_remedy_is_named(named, monkeypatch, name):
    for module in ("sacrebleu", "sacrebleu.metrics"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DataError) as caught:
        qeframe.score(named(name), ["a"], ["a"])
    assert str(caught.value).endswith('by sacrebleu, which cannot be imported; run: pip install "qeframe[mt]"')


@pytest.mark.parametrize("name", ["wer", "per", "cder", "nist", "ter", "ter(lowercase=false)", "wer(lowercase=true)"])
def test_the_others_do_without_sacrebleu(named, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    assert qeframe.score(named(name), ["a b"], ["a b"]) in (0, 1)


def test_a_tokenizer_with_missing_parts(measure, monkeypatch):
    for module in ("MeCab", "ipadic"):
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.delitem(sys.modules, "sacrebleu.tokenizers.tokenizer_ja_mecab", raising=False)
    with pytest.raises(DataError, match=r"cannot be set up: .* run: pip install \"sacrebleu\[ja\]\""):
        measure('bleu(tokenize="ja-mecab")', ["a"], ["a"])
