"""The metrics and tokenizers of sacrebleu, which is imported on first use."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, Literal

from qeframe.core.errors import DataError, did_you_mean
from qeframe.kinds.texts.batch import Texts

Tokenizer = Literal["13a", "char", "intl", "none", "zh", "ja-mecab", "ko-mecab"]
"""The tokenizers of sacrebleu that need no download. The last two need its extras ``sacrebleu[ja]`` and ``[ko]``."""

Options = tuple[tuple[str, Any], ...]
"""The options of a metric of sacrebleu: names and values, hashable."""


def sacrebleu_metric(name: str, options: Options) -> Any:
    """Return a new metric object of sacrebleu, by the name of its class and its options.

    Raises
    ------
    DataError
        If sacrebleu is not installed, or a package that one of its tokenizers needs.
    """
    try:
        metrics = import_module("sacrebleu.metrics")
    except ImportError:
        what = f"{name} is computed by sacrebleu, which cannot be imported"
        raise DataError(what, remedy='run: pip install "qeframe[mt]"') from None
    try:
        return getattr(metrics, name)(**dict(options))
    except (ImportError, RuntimeError) as error:
        language = str(dict(options).get("tokenize", "")).partition("-")[0]
        remedy = f'run: pip install "sacrebleu[{language}]"'
        raise DataError(f"{name} cannot be set up: {error}", remedy=remedy) from error


def tokenized(batch: Texts, tokenize: Tokenizer, lowercase: bool, stem: str = "none") -> Texts:
    """Return the batch with every text lower-cased, tokenized, stemmed; the same batch if nothing is asked for.

    Parameters
    ----------
    batch : Texts
    tokenize : str
        none: words are separated by white space. The others are tokenizers of sacrebleu.
    lowercase : bool
        Whether case is ignored.
    stem : str
        The language of the Snowball stemmer, which takes each word last; none: no stemming. It knows lower case only:
        without `lowercase`, words with capitals keep their ends.

    Raises
    ------
    DataError
        If a package is not installed, or there is no stemmer for the language.
    """
    if tokenize == "none" and not lowercase and stem == "none":
        return batch
    split = str if tokenize == "none" else _tokenizer(tokenize)
    words = batch.rewritten(lambda text: split((text.lower() if lowercase else text).rstrip()))
    if stem == "none":
        return words
    stemmed = cache(_stemmer(stem).stemWord)
    return words.rewritten(lambda text: " ".join(map(stemmed, text.split())))


def _stemmer(language: str) -> Any:
    try:
        snowball = import_module("snowballstemmer")
    except ImportError:
        what = "stems are computed by snowballstemmer, which cannot be imported"
        raise DataError(what, remedy='run: pip install "qeframe[mt]"') from None
    languages = snowball.algorithms()
    if language not in languages:
        raise DataError(f"no stemmer for the language '{language}'", remedy=did_you_mean(language, languages))
    return snowball.stemmer(language)


def _tokenizer(name: Tokenizer) -> Callable[[str], str]:
    tokenizer: Callable[[str], str] = sacrebleu_metric("BLEU", (("tokenize", name),)).tokenizer
    return tokenizer
