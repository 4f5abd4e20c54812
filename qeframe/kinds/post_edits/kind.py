"""The kind `PostEdits`: a translation before and after, each with the score of a quality metric."""

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qeframe.core.batch import FloatArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold
from qeframe.kinds.answers import gold_answers, with_predicted
from qeframe.kinds.drawing import beside_thresholds, composite, few, fixed_numbers, shuffled, whole, whole_numbers
from qeframe.kinds.post_edits.batch import PostEdits, scored_texts
from qeframe.kinds.texts.batch import text_array

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

_WORDS = ("the", "house", "is", "small", "green", "not", ",")
_ERROR_COST = 0.04
"""How much the generated score of a translation falls with each wrong word."""
_BEST_SCORE = 0.8


def _plain(batch: PostEdits) -> Mapping[str, Any]:
    return {
        "gold": list(zip(batch.gold.tolist(), batch.before.tolist(), strict=True)),
        "predicted": list(zip(batch.predicted.tolist(), batch.after.tolist(), strict=True)),
    }


# --- the audit ------------------------------------------------------------------------------------------------------


def _mended(batch: PostEdits, share: float, rng: np.random.Generator) -> PostEdits:
    """Mend a share of the errors, for each of which the score rises, and change as many right words as errors are left.

    A word is exchanged for one that no text has. The number of errors is read off the score of the original.
    """
    errors = np.rint((_BEST_SCORE - batch.gold) / _ERROR_COST).clip(0).astype(np.int64)
    mended = rng.binomial(errors, share)
    changed = mended + rng.binomial(errors, 1 - share)
    texts = []
    for text, number in zip(batch.before, changed.tolist(), strict=True):
        words = text.split()
        texts.append(" ".join([*[f"new{i}" for i in range(min(number, len(words)))], *words[number:]]))
    return batch.corrected(batch.gold + _ERROR_COST * mended, text_array(texts))


def _perfect(batch: PostEdits) -> PostEdits:
    return _mended(batch, 1.0, np.random.default_rng(0))


def _honest(batch: PostEdits, quality: float, rng: np.random.Generator) -> PostEdits:
    return _mended(batch, quality, rng)


def _rearranged(batch: PostEdits, rng: np.random.Generator) -> PostEdits:
    """Hand in the originals of other segments: they gain nothing on average."""
    order = rng.permutation(len(batch))
    return batch.corrected(batch.gold[order], batch.before[order])


def _generate(rng: np.random.Generator, segments: int = 100) -> GeneratedGold:
    lengths = np.maximum(np.rint(rng.normal(25, 8, segments)), 5).astype(np.int64)
    texts = [" ".join(f"w{word}" for word in rng.integers(0, 5000, length)) for length in lengths.tolist()]
    errors = rng.binomial(lengths, 0.15)
    gold = scored_texts(np.asarray(_BEST_SCORE - _ERROR_COST * errors, np.float64), texts)
    batch = PostEdits.pair(ids=np.arange(segments), gold=gold, predicted=gold)
    what = f"{segments} translations of N(25, 8) words, 15 % wrong, each of which costs {_ERROR_COST} of {_BEST_SCORE}"
    return GeneratedGold(_perfect(batch), what)


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[PostEdits]:
    def texts() -> list[str]:
        return [" ".join(_WORDS[whole(rng, 0, len(_WORDS) - 1)] for _ in range(whole(rng, 3, 9))) for _ in range(units)]

    sides = [scored_texts(np.array(fixed_numbers(rng, units)), texts()) for _ in range(4)]
    ids = np.arange(units)
    return [PostEdits.pair(ids=ids, gold=sides[0], predicted=side) for side in sides[1:]]


def _off_grid(rng: Random) -> list[PostEdits]:
    """Return corrections of every number of words, and gains on and beside usual thresholds."""
    far = shuffled(rng, beside_thresholds())[:150]
    texts = [" ".join(_WORDS[whole(rng, 0, len(_WORDS) - 1)] for _ in range(whole(rng, 1, 14))) for _ in far]
    gold = scored_texts(np.array([whole(rng, 0, 1) * rng.random() for _ in far]), texts)

    def side() -> Any:
        after = [" ".join(w if rng.random() < 0.7 else _WORDS[0] for w in text.split()) for text in texts]
        gains = np.array([gain * (-1) ** whole(rng, 0, 3) for gain in shuffled(rng, far)])
        return scored_texts(gold["score"] + gains, after)

    return [PostEdits.pair(ids=np.arange(len(far)), gold=gold, predicted=side()) for _ in range(3)]


def _regular(rng: np.random.Generator, units: int) -> PostEdits:
    """Return corrections whose gains are normal, each of another word in texts of ten."""
    gold, gains = rng.standard_normal((2, units))
    before = [" ".join(f"w{i}" for i in range(10))] * units
    after = [" ".join(["x", *text.split()[1:]]) for text in before]
    sides: tuple[FloatArray, FloatArray] = (gold, gold + 0.5 + gains)
    return PostEdits.pair(
        ids=np.arange(units), gold=scored_texts(sides[0], before), predicted=scored_texts(sides[1], after)
    )


@composite
def submissions_of_post_edits(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 4
) -> tuple[PostEdits, ...]:
    """Draw several corrections of the same translations; texts may be empty or left as they were."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))

    def side() -> NDArray[Any]:
        texts = [
            " ".join(_WORDS[word] for word in draw(whole_numbers(length, 0, 2)))
            for length in draw(whole_numbers(units, 0, 4)).tolist()
        ]
        return scored_texts(draw(few(units)), texts)

    gold = side()
    ids = np.arange(units)
    return tuple(PostEdits.pair(ids=ids, gold=gold, predicted=side()) for _ in range(submissions))


KIND = BatchKind(
    batch=PostEdits,
    audit=AuditAnswers(perfect=_perfect, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_post_edits,
    plain=_plain,
    with_answers=with_predicted,
    gold_answers=gold_answers,
)
