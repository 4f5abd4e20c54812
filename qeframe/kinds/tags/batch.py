"""Batches of tags: one tag per token, one row per sentence, on both sides.

Tags are small whole numbers in one flat array, so that no operation loops over sentences. A tag is the index of its
class; the classes are ("OK", "BAD") unless declared otherwise.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.core.batch import Batch, Best, BoolArray, IntArray, unit_field
from qeframe.core.errors import DataError, counted
from qeframe.core.ragged import Ragged
from qeframe.data.align import and_more
from qeframe.kinds.rare_classes import rare_class_warning
from qeframe.kinds.unit_numbers import UnitNumbers, error_shares

BINARY = ("OK", "BAD")
"""The two classes of nearly all tasks: 0 is OK, 1 is BAD."""

SPELLINGS: Mapping[str, str] = {"OK": "OK", "ok": "OK", "GOOD": "OK", "good": "OK", "BAD": "BAD", "bad": "BAD"}
"""The spellings of the two classes in the files of shared tasks, and what they mean."""

_MOST_CLASSES = 127
_ROWS_AT_ONCE = 2**14
_FIRST_LETTERS = bytes.maketrans(b"OB", b"\0\1")
_SHAPE = "give a list of sentences, each a list of tags"


def _class_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of classes as a tuple; raise a `DataError` unless there are at least two, all different."""
    classes = tuple(names)
    if len(classes) < 2 or len(set(classes)) < len(classes) or len(classes) > _MOST_CLASSES:
        listed = ", ".join(map(str, classes))
        raise DataError(f"classes must be 2 to {_MOST_CLASSES} different names, not: {listed}")
    return classes


@frozen(eq=False)
class SentenceTags(Ragged):
    """One side of a corpus: the tags of every sentence.

    Parameters
    ----------
    values : (tokens,) int8
        The class of every token, sentence after sentence.
    offsets : (sentences + 1,) int64
        The offset of each sentence, then the number of tokens. A sentence may be empty.
    classes : tuple of str
        The name of every class.
    """

    classes: tuple[str, ...] = field(default=BINARY, converter=_class_names)

    def take(self, rows: IntArray) -> "SentenceTags":
        """Return the given sentences, in the given order."""
        cut = super().take(rows)
        return SentenceTags(cut.values, cut.offsets, self.classes)


@frozen(kw_only=True, eq=False, repr=False)
class Tags(Batch):
    """Gold and predicted tags, sentence by sentence: word-level quality estimation.

    Parameters
    ----------
    gold, predicted : Ragged of int8
        One row per sentence, of the same lengths on both sides.
    classes : tuple of str
        The name of every class.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Tags
    >>> tags = Tags.from_plain([["OK", "BAD"], ["OK"]], [["OK", "OK"], ["OK"]])
    >>> len(tags), qeframe.score("f1_ok", tags)
    (2, 0.8)
    """

    unit: ClassVar[str] = "sentence"
    gold: Ragged = unit_field()
    predicted: Ragged = unit_field()
    classes: tuple[str, ...] = field(default=BINARY, converter=_class_names)

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, *, classes: Sequence[str] | None = None, **declared: Any) -> Self:
        """Make a batch from two lists of sentences, each a list of tags.

        Parameters
        ----------
        gold, predicted : sequence of sequence of str or int
            Names of classes, or their indices: 0 is OK, 1 is BAD. OK and BAD may also be spelled as in `SPELLINGS`. A
            sentence may be empty, and there may be no sentence.
        classes : sequence of str, optional
            The names of the classes. By default OK and BAD; if neither occurs in the gold, the names that do, in
            alphabetical order. Classes with OK or BAD among others must be declared, because the other names could be
            misspelled tags.

        Raises
        ------
        DataError
            If the sides differ in the number or the lengths of sentences, or a tag is no class.
        """
        truth, lengths = _sentences(gold, "gold")
        tagged, tagged_lengths = _sentences(predicted, "predicted")
        check_same_sentences(lengths, tagged_lengths)
        del tagged_lengths
        names = BINARY if classes is None else _class_names(classes)
        tokens = int(lengths.sum())
        codes = _encode(truth, names, tokens)
        if codes is None and classes is None:
            names = _classes_of(truth)
            codes = _encode(truth, names, tokens)
        answers = _encode(tagged, names, tokens)
        if codes is None or answers is None:
            raise _unknown_tag(truth, names, "gold") if codes is None else _unknown_tag(tagged, names, "predicted")
        first = Ragged.from_lengths(codes, lengths)
        second = Ragged(answers, first.offsets)
        return cls(ids=np.arange(len(lengths)), gold=first, predicted=second, classes=names)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Ragged, predicted: Ragged, best: Best = "low") -> Self:
        """Make a batch from two aligned sides. Classes other than OK and BAD need sides of type `SentenceTags`.

        Raises
        ------
        DataError
            If the classes of the sides differ, or the lengths of a sentence differ.
        """
        classes = getattr(gold, "classes", BINARY)
        other = getattr(predicted, "classes", BINARY)
        if classes != other:
            raise DataError(f"the gold has the classes {', '.join(classes)}, the submission {', '.join(other)}")
        check_same_sentences(gold.lengths, predicted.lengths, ids)
        return cls(ids=ids, gold=gold, predicted=predicted, classes=classes)

    @classmethod
    def worst_answers(cls, gold: Ragged, predicted: Ragged) -> SentenceTags:
        """Return tags that are all wrong for gold sentences without an answer: with two classes, the other class."""
        classes = getattr(gold, "classes", BINARY)
        return SentenceTags(((gold.values + 1) % len(classes)).astype(np.int8), gold.offsets, classes)

    def gold_warning(self) -> str:
        """Return a warning if the gold lacks a class, or has few tags of one in few sentences."""
        counts = np.bincount(self.gold.values, minlength=len(self.classes))
        absent = [name for name, count in zip(self.classes, counts, strict=True) if not count]
        if absent:
            lacks = " and no tag ".join(absent)
            return f"the gold has no tag {lacks}: scores of such a class are 0, and so is MCC, by convention"
        if len(self.classes) != 2:
            return ""
        rarest = int(counts.argmin())
        return rare_class_warning(f"tags are {self.classes[rarest]}", int(counts.min()), int(counts.sum()), len(self))

    def class_code(self, name: str) -> int:
        """Return the index of a class; raise a `DataError` that lists the classes if there is no such one."""
        if name not in self.classes:
            remedy = "choose a metric or an attack for these classes"
            raise DataError(f"there is no class '{name}': the tags are {', '.join(self.classes)}", remedy=remedy)
        return self.classes.index(name)

    def contents(self, position: int) -> dict[str, str]:
        """Return the tags of both sides."""
        sides = {"gold": self.gold[position], "predicted": self.predicted[position]}
        return {side: " ".join(self.classes[code] for code in codes) for side, codes in sides.items()}

    def unit_numbers(self) -> UnitNumbers:
        """Return shares of the tokens with another tag than OK, or than the first class where there is no OK."""
        good = self.class_code("OK") if "OK" in self.classes else 0
        gold, predicted = (side.values != good for side in (self.gold, self.predicted))
        return error_shares(gold, predicted, self.gold.offsets, part="tokens", text="gold")

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the tags of the sentences where `mask`, (n,), is true."""
        mine, theirs = exchange_rows_of(self.predicted, other.predicted, mask)
        return attrs.evolve(self, predicted=mine), attrs.evolve(other, predicted=theirs)


def exchange_rows_of(mine: Ragged, theirs: Ragged, mask: BoolArray) -> tuple[Ragged, Ragged]:
    """Return two ragged arrays after they swap the rows where `mask`, (rows,), is true."""
    both = Ragged(
        np.concatenate([mine.values, theirs.values]),
        np.concatenate([mine.offsets, theirs.offsets[1:] + mine.offsets[-1]]),
    )
    rows = np.arange(len(mask))
    return both.take(np.where(mask, rows + len(mask), rows)), both.take(np.where(mask, rows, rows + len(mask)))


def check_same_sentences(gold: IntArray, predicted: IntArray, ids: IntArray | None = None) -> None:
    """Raise a `DataError` unless both sides have the same sentences by number and lengths."""
    if len(gold) != len(predicted):
        what = f"number of sentences differs: {len(gold)} gold and {len(predicted)} predicted ones"
        raise DataError(what, remedy="give both sides the same sentences in the same order")
    wrong = np.flatnonzero(gold != predicted)
    if len(wrong):
        i = int(wrong[0])
        name, more = i if ids is None else int(ids[i]), and_more(len(wrong))
        what = f"length mismatch in sentence {name}: {counted(gold[i], 'gold tag')} and {predicted[i]} predicted{more}"
        raise DataError(what, remedy="give one tag per word")


def _sentences(side: Any, what: str) -> tuple[list[Any], IntArray]:
    """Return the sentences of a side and their lengths; raise a `DataError` for a side that is no list of lists."""
    if side is None or isinstance(side, (str, bytes)):
        raise DataError(f"{what} tags are {'missing' if side is None else 'text'}", remedy=_SHAPE)
    try:
        rows = side if isinstance(side, list) else list(side)
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    except TypeError:
        raise DataError(f"{what} tags are not lists of tags", remedy=_SHAPE) from None
    if any(issubclass(kind, (str, bytes)) for kind in set(map(type, rows))):
        raise DataError(f"a sentence of {what} is text, not a list of tags", remedy=f"{_SHAPE}: 'OK BAD'.split()")
    return rows, lengths


def _classes_of(gold: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the classes of the gold: OK and BAD if one of the two occurs, else all that occur."""
    tags = {tag for row in gold for tag in row if isinstance(tag, Hashable)}
    names = [tag for tag in tags if isinstance(tag, str)]
    if tags & _codes(BINARY).keys():
        return BINARY
    if len(names) < len(tags):
        raise DataError("gold tags are neither names nor 0 and 1", remedy="declare the classes to use other numbers")
    return _class_names(sorted(names))


def spelled_codes(classes: Sequence[str] = BINARY) -> dict[str, int]:
    """Return the index of the class by every spelling of a tag: the names, and the `SPELLINGS` of OK and BAD."""
    spelled = {spelling: classes.index(name) for spelling, name in SPELLINGS.items() if name in classes}
    return spelled | {name: code for code, name in enumerate(classes)}


def _codes(classes: Sequence[str]) -> dict[Any, int]:
    """Return the index of the class by every value of a tag: its index, or a spelling."""
    return {code: code for code in range(len(classes))} | spelled_codes(classes)


def encode_tags(tags: Iterable[Any], codes: Mapping[Any, int]) -> NDArray[np.int8] | None:
    """Return the class of every tag, (tokens,) int8; None if `codes` lacks a tag."""
    try:
        return np.frombuffer(bytes(map(codes.__getitem__, tags)), dtype=np.int8)
    except (KeyError, TypeError):
        return None


def _encode(rows: Sequence[Any], classes: tuple[str, ...], tokens: int) -> NDArray[np.int8] | None:
    """Return the class of every token, (tokens,) int8; None if some tag is no class."""
    read = _letters(rows, tokens) if classes == BINARY else None
    return encode_tags(chain.from_iterable(rows), _codes(classes)) if read is None else read


def _letters(rows: Sequence[Any], tokens: int) -> NDArray[np.int8] | None:
    """Return the class of every token if all tags are spelled OK and BAD, else None. This is the fast path.

    The tags, each with a line end, are joined to one text. If the counts of OK and BAD account for all of its
    characters, the text holds nothing else, and the first letter of each line gives the class.
    """
    codes, filled = np.empty(tokens, dtype=np.int8), 0
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        try:
            text = "\n".join(map("\n".join, filter(None, rows[start : start + _ROWS_AT_ONCE])))
        except (TypeError, ValueError):
            return None
        if text:
            text += "\n"
            if 3 * text.count("OK\n") + 4 * text.count("BAD\n") != len(text):
                return None
            read = text.encode().translate(_FIRST_LETTERS, b"KAD\n")
            if filled + len(read) > tokens:
                return None
            codes[filled : filled + len(read)] = np.frombuffer(read, dtype=np.int8)
            filled += len(read)
    return codes if filled == tokens else None


def _unknown_tag(rows: Sequence[Any], classes: Sequence[str], what: str) -> DataError:
    """Return the error for the first tag that is no class."""
    codes = _codes(classes)
    number, position, tag = next(
        (number, position, tag)
        for number, row in enumerate(rows)
        for position, tag in enumerate(row)
        if not isinstance(tag, Hashable) or tag not in codes
    )
    where = f"at position {position} of sentence {number} of {what}"
    remedy = f"the tags are {', '.join(classes)}"
    if tuple(classes) == BINARY:
        remedy += "; other classes are declared by Tags.from_plain(gold, predicted, classes=[...])"
    return DataError(f"unknown tag {tag!r} {where}", remedy=remedy)
