"""Batches of texts: a candidate and one or more references per segment, the input of text metrics.

Texts are kept unchanged. Their white-space tokens are numbered once, on first use.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain, count
from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from qeframe.core.batch import Batch, Best, BoolArray, IntArray, unit_field
from qeframe.core.errors import DataError
from qeframe.core.ragged import Ragged, read_only
from qeframe.kinds.answers import swapped

_TEXTS_AT_ONCE = 128
"""The number of texts that are split at once. It is small, so that tokens are freed while they are in the cache."""


@frozen(eq=False)
class Tokens:
    """The white-space tokens of candidates and references.

    Parameters
    ----------
    candidates : Ragged of int64
        One row per segment. A text without a token has an empty row, on both sides.
    references : Ragged of int64
        One row per reference, in the order of the segments.
    segment : (references,) int64
        The segment of each reference.
    vocabulary : int
        The number of different tokens of both sides; they are numbered from 0.
    """

    candidates: Ragged
    references: Ragged
    segment: IntArray
    vocabulary: int


def tokenize(candidates: Sequence[str], references: Sequence[str], segment: IntArray) -> Tokens:
    """Split texts at white space and number their tokens in order of first occurrence.

    Parameters
    ----------
    candidates : (segments,) sequence of str
    references : (references,) sequence of str
    segment : (references,) int64
        The segment of each reference.
    """
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    candidate_tokens, reference_tokens = (_number(texts, numbers) for texts in (candidates, references))
    return Tokens(candidate_tokens, reference_tokens, read_only(segment), len(numbers))


def _number(texts: Sequence[str], numbers: defaultdict[str, int]) -> Ragged:
    """Return the numbers of the tokens of each text; new tokens are added to `numbers`."""
    ids, lengths = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        rows = [text.split() for text in texts[start : start + _TEXTS_AT_ONCE]]
        lengths.append(np.fromiter(map(len, rows), np.int64, len(rows)))
        tokens = map(numbers.__getitem__, chain.from_iterable(rows))
        ids.append(np.fromiter(tokens, np.int64, int(lengths[-1].sum())))
    return Ragged.from_lengths(np.concatenate(ids), np.concatenate(lengths))


TextArray = NDArray[np.object_]
"""Strings, one per row."""

_SHAPE = "give a list of segments, each a string or a list of tokens"


@frozen(kw_only=True, eq=False, repr=False)
class Texts(Batch):
    """Candidates and references, segment by segment: text metrics.

    Parameters
    ----------
    gold : Ragged of str
        The references: one row per segment, with one or more references.
    predicted : (n,) array of str
        The candidates.

    Notes
    -----
    A text may be empty on either side; the metric defines how it counts.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Texts
    >>> round(qeframe.score("chrf", Texts.from_plain(["a small cat"], ["a small cat"])), 1)
    100.0
    """

    unit: ClassVar[str] = "segment"
    from_texts: ClassVar[bool] = True
    gold: Ragged = unit_field()
    predicted: TextArray = unit_field()

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from references and candidates, in the same order.

        Parameters
        ----------
        gold : sequence
            A segment has one reference, a string or a list of tokens, or a list of several. A list of strings can mean
            both. It means the tokens of one reference if some candidate is a list of tokens and no string of such lists
            in the gold contains white space; otherwise it means several references.
        predicted : sequence of str or of sequence of str
            A candidate is a string or a list of tokens.

        Raises
        ------
        DataError
            If the sides differ in the number of segments, a segment has no reference, a value is no text, or a token is
            empty or contains white space.
        """
        truth, answers = _segments(gold, "gold"), _segments(predicted, "predicted")
        if len(truth) != len(answers):
            what = f"number of segments differs: {len(truth)} gold and {len(answers)} predicted ones"
            raise DataError(what, remedy="give both sides the same segments in the same order")
        tokenized = any(not isinstance(answer, str) for answer in answers)
        candidates = _as_texts(answers, lambda i: f"segment {i} of predicted")
        return cls(ids=np.arange(len(answers)), gold=_references(truth, tokenized=tokenized), predicted=candidates)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Ragged | TextArray, predicted: TextArray, best: Best = "low") -> Self:
        """Make a batch from two aligned sides; a gold that is an array has one reference per segment."""
        if not isinstance(gold, Ragged):
            gold = Ragged.from_lengths(gold, np.ones(len(gold), dtype=np.int64))
        return cls(ids=ids, gold=gold, predicted=predicted)

    @classmethod
    def worst_answers(cls, gold: Ragged | TextArray, predicted: TextArray) -> TextArray:
        """Return an empty candidate for each gold segment without an answer."""
        return text_array([""] * len(gold))

    def gold_warning(self) -> str:
        """Return a warning if segments have no word in any reference."""
        worded = np.fromiter((bool(text.strip()) for text in self.gold.values), np.bool_, len(self.gold.values))
        empty = int((self.gold.sum_rows(worded) == 0).sum())
        return f"segments without a word in any reference: {empty}" if empty else ""

    def contents(self, position: int) -> dict[str, str]:
        """Return the references and the candidate."""
        references = [str(text) for text in self.gold[position]]
        names = ["reference"] if len(references) == 1 else [f"reference {i + 1}" for i in range(len(references))]
        return {**dict(zip(names, references, strict=True)), "predicted": str(self.predicted[position])}

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the candidates where `mask`, (n,), is true."""
        return swapped(self, other, mask)

    def rewritten(self, rewrite: Callable[[str], str]) -> Self:
        """Return the batch with a function applied to every text of both sides, such as lower-casing or a tokenizer."""
        gold = Ragged(text_array(list(map(rewrite, self.gold.values))), self.gold.offsets)
        return attrs.evolve(self, gold=gold, predicted=text_array(list(map(rewrite, self.predicted))))

    @cached_property
    def tokens(self) -> Tokens:
        """The white-space tokens of both sides, computed once."""
        return tokenize(self.predicted.tolist(), self.gold.values.tolist(), self.gold.row_of_value)


def text_array(texts: Sequence[str]) -> TextArray:
    """Return strings as an array of objects, (n,)."""
    array = np.empty(len(texts), dtype=np.object_)
    array[:] = texts
    return array


def _segments(side: Any, what: str) -> list[Any]:
    """Return the segments of a side as a list; raise a `DataError` if it is no list."""
    if side is None or isinstance(side, (str, bytes)):
        raise DataError(f"{what} texts are {'missing' if side is None else 'one text'}", remedy=_SHAPE)
    try:
        return list(side)
    except TypeError:
        raise DataError(f"{what} texts are not a list", remedy=_SHAPE) from None


def _references(truth: Sequence[Any], *, tokenized: bool) -> Ragged:
    """Return the references of every segment."""
    lists = [segment for segment in truth if not isinstance(segment, str)]
    if not lists or (tokenized and _are_tokens(lists)):
        return Ragged.from_lengths(_as_texts(truth, "segment {} of gold".format), np.ones(len(truth), dtype=np.int64))
    several = [[segment] if isinstance(segment, str) else _several(segment, i) for i, segment in enumerate(truth)]
    lengths = np.fromiter(map(len, several), np.int64, len(several))
    owner = np.repeat(np.arange(len(several)), lengths)
    texts = _as_texts(list(chain.from_iterable(several)), lambda i: f"a reference of segment {owner[i]} of gold")
    return Ragged.from_lengths(texts, lengths)


def _several(segment: Any, number: int) -> list[Any]:
    """Return the references of one segment; raise a `DataError` if there is none."""
    try:
        references = [] if segment is None or isinstance(segment, bytes) else list(segment)
    except TypeError:
        references = []
    if not references:
        what = "has no reference" if isinstance(segment, Sequence) else f"is {type(segment).__name__}, not text"
        raise DataError(f"segment {number} of gold {what}", remedy="an empty reference is ''")
    return references


def _as_texts(segments: Sequence[Any], place: Callable[[int], str]) -> TextArray:
    """Return each segment as one string; the tokens of a list are joined by blanks."""
    if lists := [segment for segment in segments if not isinstance(segment, str)]:
        if not _are_tokens(lists):
            raise _refusal(segments, place)
        segments = [segment if isinstance(segment, str) else " ".join(segment) for segment in segments]
    return text_array(segments)


def _are_tokens(lists: Sequence[Any]) -> bool:
    """Return whether values are lists of tokens."""
    try:
        return bytes not in set(map(type, lists)) and all(map(_is_token, set(chain.from_iterable(lists))))
    except TypeError:
        return False


def _is_token(word: Any) -> bool:
    return isinstance(word, str) and word.split() == [word]


def _refusal(segments: Sequence[Any], place: Callable[[int], str]) -> DataError:
    """Return the error for the first segment that is neither a string nor a list of tokens."""
    number, segment = next((i, s) for i, s in enumerate(segments) if not isinstance(s, str) and not _are_tokens([s]))
    if segment is None or not hasattr(segment, "__iter__") or isinstance(segment, bytes):
        remedy = "give a string or a list of tokens; an empty text is ''"
        return DataError(f"{place(number)} is {type(segment).__name__}, not text", remedy=remedy)
    word = next(word for word in segment if not _is_token(word))
    if isinstance(word, str):
        remedy = "give the segment as a string, and several references only as gold"
        return DataError(f"{word!r} in {place(number)} is not one token", remedy=remedy)
    return DataError(f"{type(word).__name__} instead of a token in {place(number)}", remedy=_SHAPE)
