"""The metrics and tokenizers of sacrebleu, which is imported on first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal

from qeframe.core.errors import DataError
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


def tokenized(batch: Texts, tokenize: Tokenizer, lowercase: bool) -> Texts:
    """Return the batch with every text lower-cased, tokenized or both; the same batch if neither is asked for."""
    if tokenize == "none" and not lowercase:
        return batch
    split = str if tokenize == "none" else _tokenizer(tokenize)
    return batch.rewritten(lambda text: split((text.lower() if lowercase else text).rstrip()))


def _tokenizer(name: Tokenizer) -> Callable[[str], str]:
    tokenizer: Callable[[str], str] = sacrebleu_metric("BLEU", (("tokenize", name),)).tokenizer
    return tokenizer
