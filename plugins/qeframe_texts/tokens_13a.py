"""The tokenizer 13a of sacrebleu on many texts at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

_APART = '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'
"""Each of these is a word; a blank too is set apart, which changes nothing."""
_STEPS = (
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def words_13a(texts: Sequence[str]) -> list[list[str]]:
    """Return the words of each text: as those of sacrebleu's 13a after ``rstrip``.

    The texts are joined by lines, with blanks on both sides, which no step sees beyond.
    """
    joined = " \n ".join(map(_clean, texts)).join("  ")
    for sign in _APART:
        joined = joined.replace(sign, f" {sign} ")
    for pattern, replacement in _STEPS:
        joined = pattern.sub(replacement, joined)
    return [line.split() for line in joined.split("\n")]


def _clean(text: str) -> str:
    """Return the text in one line and without entities."""
    text = text.rstrip()
    if "<skipped>" in text or "\n" in text:
        text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, sign in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            text = text.replace(entity, sign)
    return text
