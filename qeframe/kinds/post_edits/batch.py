"""Batches of corrections: each translation before and after, and the scores of a quality metric for both."""

from collections.abc import Sequence
from typing import Any, Self

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import Best, BoolArray, FloatArray, unit_field
from qeframe.core.errors import DataError
from qeframe.data.numbers import check_same_length, finite_numbers
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.texts.batch import TextArray, text_array

_SCORED_TEXT = np.dtype([("score", np.float64), ("text", np.object_)])
_SHAPE = "give pairs (score, text)"


@frozen(kw_only=True, eq=False, repr=False)
class PostEdits(Scores):
    """Translations before and after a correction, and their scores by a quality metric: quality-informed correction.

    Metrics on `Scores` work on corrections too, where they need no text, such as `quality_gain`.

    Parameters
    ----------
    gold, predicted : (n,) float64
        The scores of the original and of the corrected translations. NaN where no metric was run.
    before, after : (n,) array of str
        The original and the corrected translations.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import PostEdits
    >>> edits = PostEdits.from_plain([(0.5, "a b"), (0.0, "a c")], [(0.4, "a c"), (0.1, "a c")])
    >>> len(edits)
    2
    """

    before: TextArray = unit_field()
    after: TextArray = unit_field(answer=True)

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, *, best: Best = "high", **declared: Any) -> Self:
        """Make a batch from originals and corrections, each a sequence of pairs of a score and a text.

        Raises
        ------
        DataError
            If a side is no such sequence, a score is no finite number, or the lengths differ.
        """
        sides = [_scored(side, name) for side, name in ((gold, "gold"), (predicted, "predicted"))]
        check_same_length(*map(len, sides))
        return cls.pair(ids=np.arange(len(sides[0])), gold=sides[0], predicted=sides[1], best=best)

    @classmethod
    def pair(cls, *, ids: Any, gold: NDArray[Any], predicted: NDArray[Any], best: Best = "high") -> Self:
        """Make a batch from two aligned sides, records of `scored_texts`."""
        return cls(
            ids=ids,
            gold=gold["score"].copy(),
            predicted=predicted["score"].copy(),
            before=gold["text"].copy(),
            after=predicted["text"].copy(),
            best=best,
        )

    @classmethod
    def worst_answers(cls, gold: Any, predicted: Any) -> Any:
        """Return an empty text with the lowest score of the submission for each original without a correction."""
        if not len(predicted):
            raise DataError(
                "a submission without any answer has no lowest score to give to the worst answer", remedy="remove it"
            )
        return scored_texts(np.full(len(gold), predicted["score"].min()), [""] * len(gold))

    def gold_warning(self) -> str:
        """Return no warning: originals may well have equal scores."""
        return ""

    def contents(self, position: int) -> dict[str, str]:
        """Return both texts with their scores."""
        sides = {"gold": (self.before, self.gold), "predicted": (self.after, self.predicted)}
        return {name: f"{texts[position]} ({scores[position]:g})" for name, (texts, scores) in sides.items()}

    def corrected(self, scores: FloatArray, texts: TextArray) -> Self:
        """Return the batch with other corrections."""
        return attrs.evolve(self, predicted=scores, after=texts)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the corrections, texts and scores, where `mask` is true."""
        mine, theirs = super().swap_answers(other, mask)
        return (
            attrs.evolve(mine, after=np.where(mask, other.after, self.after)),
            attrs.evolve(theirs, after=np.where(mask, self.after, other.after)),
        )


def scored_texts(scores: FloatArray, texts: Sequence[str]) -> NDArray[Any]:
    """Return records of a score and a text, (n,)."""
    records = np.empty(len(texts), _SCORED_TEXT)
    records["score"] = scores
    records["text"] = text_array(list(texts))
    return records


def _scored(side: Any, name: str) -> NDArray[Any]:
    try:
        scores, texts = [score for score, _ in side], [text for _, text in side]
    except (TypeError, ValueError):
        raise DataError(f"{name} is no sequence of scores with texts", remedy=_SHAPE) from None
    if wrong := next((text for text in texts if not isinstance(text, str)), None):
        raise DataError(f"{name} has {type(wrong).__name__} where a text is expected", remedy=_SHAPE)
    return scored_texts(finite_numbers(scores, name, least=1), texts)
