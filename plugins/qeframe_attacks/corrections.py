"""Attacks on corrections: what raises the score of a quality metric, or spares edits, without mending anything.

The score of a text that is handed in is that of the quality metric, which an attack states what it knows of.
"""

from functools import partial

import attrs
import numpy as np

from qeframe.plugin import FloatArray, PostEdits
from qeframe.plugin.audit import Attack
from qeframe.plugin.texts import TextArray, text_array

_SOURCE = "WMT25 task 3: the gain is a difference of reference-free scores"
_DRAWS = (1, 2, 4, 8, 16)
_WRONG_LANGUAGE = 0.728272
"""The mean of COMETKiwi22 over fluent English answers to sources in Japanese, target Chinese: mslc-b1 of WMT25."""
_RANDOM = "\N{REPLACEMENT CHARACTER}"
_blind = partial(Attack, kind=PostEdits, manner="blind", knowledge="nothing")


def _handed_in(batch: PostEdits, scores: FloatArray, texts: TextArray) -> PostEdits:
    return attrs.evolve(batch, predicted=scores, after=texts)


def _other_words(batch: PostEdits) -> TextArray:
    """Return texts as long as the originals that share no word with them."""
    return text_array([" ".join([_RANDOM] * len(text.split())) for text in batch.before])


def _unedited(batch: PostEdits, rng: np.random.Generator) -> PostEdits:
    return _handed_in(batch, batch.gold, batch.before)


def _rewrite(draws: int, batch: PostEdits, rng: np.random.Generator) -> PostEdits:
    """Take the best of translations whose scores are distributed like those of the originals."""
    scores = rng.choice(batch.gold, (draws, len(batch))).max(axis=0) if len(batch) else batch.gold
    return _handed_in(batch, scores, _other_words(batch))


def _in_wrong_language(batch: PostEdits, rng: np.random.Generator) -> PostEdits:
    return _handed_in(batch, np.full(len(batch), _WRONG_LANGUAGE), _other_words(batch))


def _edit_one(batch: PostEdits, rng: np.random.Generator) -> PostEdits:
    """Exchange one word of the original with the lowest score; its score becomes the highest."""
    if not len(batch):
        return batch
    scores, texts = batch.gold.copy(), batch.before.copy()
    worst = int(np.argmin(scores))
    scores[worst] = scores.max()
    texts[worst] = " ".join([*texts[worst].split()[:-1], _RANDOM])
    return _handed_in(batch, scores, texts)


unedited = _blind(name="unedited", summary="Hands in every original as it is", source=_SOURCE, answer=_unedited)

rewrite_all = _blind(
    name="rewrite_all",
    summary="Hands in the best of several new translations by the quality metric itself, whatever the original says",
    source=_SOURCE,
    knowledge="the quality metric",
    answer=partial(_rewrite, 8),
    settings={f"draws={draws}": partial(_rewrite, draws) for draws in _DRAWS},
)

wrong_language = _blind(
    name="wrong_language",
    summary="Hands in fluent texts in another language, whose scores by COMETKiwi22 were .728 in WMT25",
    source="challenge set mslc-b1 of WMT25",
    knowledge="a language that the quality metric likes",
    answer=_in_wrong_language,
)

edit_one_segment = _blind(
    name="edit_one_segment",
    summary="Changes one word of the original with the lowest score, which then has the highest",
    source="qeframe: the ratio of gain to edits has no least number of edits",
    knowledge="the quality metric",
    answer=_edit_one,
)
