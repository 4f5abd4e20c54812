"""Tokenizers of sacrebleu on both sides of a batch, and the message where sacrebleu is missing."""

import sys

import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.texts.tokenizers import sacrebleu_metric, tokenized


def batch():
    return Texts.from_plain([["It's here.", "Here it is!"]], ["IT'S  here."])


def test_nothing_to_do_returns_the_batch_itself():
    texts = batch()
    assert tokenized(texts, "none", lowercase=False) is texts


def test_lower_case_alone_keeps_blanks():
    texts = tokenized(batch(), "none", lowercase=True)
    assert texts.predicted.tolist() == ["it's  here."]
    assert texts.gold.values.tolist() == ["it's here.", "here it is!"]


def test_the_tokenizer_is_that_of_sacrebleu():
    tokenizer = pytest.importorskip("sacrebleu.tokenizers.tokenizer_13a").Tokenizer13a()
    texts = tokenized(batch(), "13a", lowercase=False)
    assert texts.predicted.tolist() == [tokenizer("IT'S  here.")]
    assert texts.gold.values.tolist() == [tokenizer("It's here."), tokenizer("Here it is!")]
    assert texts.predicted[0] == "IT'S here ."


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(DataError, match=r"BLEU is computed by sacrebleu, which cannot be imported; run: pip install"):
        sacrebleu_metric("BLEU", ())
