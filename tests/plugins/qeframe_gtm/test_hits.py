"""What counts as the same word."""

import sys

import pytest

from qeframe.core.components.metric import segment_scores
from qeframe.core.errors import DataError
from qeframe.kinds.texts.batch import Texts


@pytest.mark.parametrize(
    ("options", "f"),
    [
        ("exponent=1", 2 * 1 / 7),
        ("lowercase=true", 2 * 2 / 7),
        ('tokenize="13a"', 2 * 2 / 8),
        ('tokenize="13a", lowercase=true', 2 * 3 / 8),
        ('tokenize="13a", lowercase=true, stem=english', 1),
    ],
)
def test_tokenizer_case_and_stem(metric, options, f):
    batch = Texts.from_plain(["The dog barked ."], ["the dog barks."])
    assert segment_scores(metric(f"gtm_f({options})"), batch)[0] == pytest.approx(f)


def test_stems(metric):
    batch = Texts.from_plain(["the dogs barked"], ["the dog barks"])
    scores = [segment_scores(metric(name), batch)[0] for name in ("gtm_f", "gtm_f(stem=english)")]
    assert scores == pytest.approx([1 / 3, 1])
    german = Texts.from_plain(["die Häuser"], ["des Hauses"])
    assert segment_scores(metric("gtm_f(stem=german, lowercase=true)"), german)[0] == pytest.approx(0.5)


def test_an_unknown_language(metric):
    with pytest.raises(DataError, match="no stemmer for the language 'englisch'; did you mean 'english'"):
        metric("gtm_f(stem=englisch)").bind(Texts.from_plain(["a"], ["a"]))


def test_without_the_stemmer(metric, monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(DataError, match=r'cannot be imported; run: pip install "qeframe\[mt\]"'):
        metric("gtm_f(stem=english)").bind(Texts.from_plain(["a"], ["a"]))
