"""When two words are equal: tokenizer, case, and stems of Snowball."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from attrs import frozen

from qeframe.plugin import DataError, Texts
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.texts import Tokenizer, tokenized


@frozen
class Wording:
    """How texts are made into words.

    Parameters
    ----------
    tokenize : str
        none: words are separated by white space. The others are tokenizers of sacrebleu.
    lowercase : bool
        Whether case is ignored.
    stem : str
        The language of the Snowball stemmer, which is applied after lower-casing; none: no stemming.
    """

    tokenize: Tokenizer
    lowercase: bool
    stem: str

    def __call__(self, batch: Texts) -> Texts:
        """Return the batch with every text rewritten, words between blanks."""
        words = tokenized(batch, self.tokenize, self.lowercase)
        if self.stem == "none":
            return words
        stem = cache(_stemmer(self.stem).stemWord)
        return words.rewritten(lambda text: " ".join(map(stem, text.split())))


def _stemmer(language: str) -> Any:
    try:
        snowball = import_module("snowballstemmer")
    except ImportError:
        what = "stems are computed by snowballstemmer, which cannot be imported"
        raise DataError(what, remedy='run: pip install "qeframe[mt]"') from None
    known = snowball.algorithms()
    if language not in known:
        raise DataError(f"no stemmer for the language '{language}'", remedy=did_you_mean(language, known))
    return snowball.stemmer(language)
