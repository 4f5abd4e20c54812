"""The kind `Texts`: a translation of each segment, and its references."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batch import IntArray
from qeframe.core.batch_kind import BatchKind
from qeframe.core.errors import DataError, counted
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold, PlainFormat
from qeframe.core.ragged import Ragged
from qeframe.core.reading import TextFile, UnitValues
from qeframe.data.sgml import check_same_documents, is_marked, read_marked
from qeframe.kinds.answers import with_answer, with_predicted
from qeframe.kinds.drawing import composite, only, rows_of, whole, whole_numbers
from qeframe.kinds.texts.batch import TextArray, Texts, text_array

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

_TYPES = 5000
_UNKNOWN = "ζ"
"""A word that is in no text of the strategies, and has none of their characters."""
_WORDS = ("the", "a", "house", "small", "green", "is", "was", "not", "Haus", "of", "houses", ",")
"""The words of the fixed inputs."""
_FEW_WORDS = ("a", "b", "ab", "A")
"""The words that are drawn."""


# --- plain files ----------------------------------------------------------------------------------------------------


def texts_by_line(file: TextFile) -> tuple[IntArray, Any]:
    """Read one text a line or, from SGML, one a segment: the candidate or the only reference.

    An empty line is an empty text, also at the end of the file.
    """
    texts = read_marked(file).texts if is_marked(file) else file.lines
    return np.arange(len(texts)), text_array(texts)


def _check_same_documents(gold: TextFile, submissions: Sequence[TextFile]) -> None:
    """Refuse SGML with other documents than the gold, if that is SGML too."""
    marked = [read_marked(file) for file in submissions if is_marked(file)]
    if marked and is_marked(gold):
        standard = read_marked(gold)
        for texts in marked:
            check_same_documents(standard, texts)


def _check_same_segments(gold: UnitValues, submission: UnitValues) -> None:
    """Refuse another number of texts: the number of its line is all that identifies a segment."""
    if len(gold.ids) != len(submission.ids):
        what = f"{counted(len(submission.ids), 'segment')}, but {len(gold.ids)} in {gold.path}"
        remedy = "give both one line (or <seg>) a segment; an empty line at the end is an empty segment"
        raise DataError(what, path=submission.path, remedy=remedy)


def _join_references(gold: UnitValues, more: Sequence[UnitValues]) -> UnitValues:
    """Return the gold with several references for each segment."""
    texts = np.stack([side.values for side in (gold, *more)], axis=1)
    return attrs.evolve(gold, values=Ragged.from_lengths(texts.ravel(), np.full(len(texts), texts.shape[1])))


def _documents(gold: TextFile) -> Mapping[str, Sequence[str]]:
    return {"document": read_marked(gold).documents} if is_marked(gold) else {}


# --- answers --------------------------------------------------------------------------------------------------------


def _plain(batch: Texts) -> Mapping[str, Any]:
    return {"gold": [list(row) for row in batch.gold], "predicted": batch.predicted.tolist()}


def _first_references(batch: Texts) -> TextArray:
    return batch.gold.values[batch.gold.offsets[:-1]]


def _anonymous(batch: Texts, positions: Callable[[int], IntArray]) -> Texts:
    """Give the words of all references to others of the same lengths.

    Each word stays in as many texts: how many have it is a frequency too. Words are therefore exchanged two by two, and
    only those that are once in one of both texts and not in the other.
    """
    rows = [text.split() for text in batch.gold.values]
    places = [(row, at) for row in rows for at in range(len(row))]
    order = positions(len(places)).tolist()
    if len(set(order)) < len(order):  # values are replaced
        words = iter([row[at] for row, at in (places[position] for position in order)])
        rows = [[next(words) for _ in row] for row in rows]
    else:
        for (row, at), (other, place) in zip(places, (places[position] for position in order), strict=True):
            word, given = row[at], other[place]
            if row.count(word) == other.count(given) == 1 and given not in row and word not in other:
                row[at], other[place] = given, word
    return attrs.evolve(batch, gold=Ragged(text_array([" ".join(row) for row in rows]), batch.gold.offsets))


def _constants(batch: Texts) -> list[TextArray]:
    """Give every segment the same text: nothing, a first reference, one word of them, or all their words."""
    references = set(_first_references(batch))
    words = {word for reference in references for word in reference.split()}
    likely = {"", *references, *words, " ".join(sorted(words))}
    return [text_array([text] * len(batch)) for text in sorted(likely)]


def _rearrangements(_batch: Texts, answers: TextArray) -> Iterator[TextArray]:
    return (np.roll(answers, shift) for shift in range(max(1, len(answers))))


def _corrections(batch: Texts, unit: int) -> Iterator[TextArray]:
    """Give a segment its only reference; or replace a word of no reference by a word of one that the text lacks.

    A word that differs in upper and lower case alone may be right: it is neither wrong nor lacking.
    """
    references = batch.gold[unit]
    if len(references) == 1:
        yield with_answer(batch, unit, references[0])
    words, wanted = batch.predicted[unit].split(), " ".join(references).split()
    given, right = ({word.lower() for word in side} for side in (words, wanted))
    lacking = [word for word in dict.fromkeys(wanted) if word.lower() not in given]
    for at, word in enumerate(words):
        if word.lower() not in right:
            for better in lacking:
                yield with_answer(batch, unit, " ".join([*words[:at], better, *words[at + 1 :]]))


def _without_answer(batch: Texts, unit: int) -> TextArray:
    return with_answer(batch, unit, "")


def _padded(batch: Texts, unit: int) -> Iterator[TextArray]:
    for words in (1, 3):
        yield with_answer(batch, unit, " ".join([*batch.predicted[unit].split(), *[_UNKNOWN] * words]))


# --- the audit ------------------------------------------------------------------------------------------------------


def _perfect(batch: Texts) -> Texts:
    return attrs.evolve(batch, predicted=_first_references(batch))


def _rearranged(batch: Texts, rng: np.random.Generator) -> Texts:
    """Rotate the segments, in random order, by one: none keeps its reference, unless there is one segment only."""
    order = rng.permutation(len(batch))
    texts = _first_references(batch).copy()
    texts[order] = texts[np.roll(order, 1)]
    return attrs.evolve(batch, predicted=texts)


def _honest(batch: Texts, quality: float, rng: np.random.Generator) -> Texts:
    rows = [text.split() for text in _first_references(batch)]
    words = np.array([word for row in rows for word in row], dtype=np.object_)
    answered = np.where(rng.random(len(words)) < quality, words, rng.permutation(words))
    parts = np.split(answered, np.cumsum([len(row) for row in rows])[:-1])
    return attrs.evolve(batch, predicted=text_array([" ".join(part) for part in parts]))


def _generate(rng: np.random.Generator, segments: int = 60) -> GeneratedGold:
    lengths = np.maximum(np.rint(rng.normal(25, 8, segments)), 1).astype(np.int64)
    chance = 1 / np.arange(1, _TYPES + 1)
    words = rng.choice(_TYPES, int(lengths.sum()), p=chance / chance.sum())
    rows = np.split(np.array([f"w{i}" for i in range(_TYPES)], dtype=np.object_)[words], np.cumsum(lengths)[:-1])
    texts = [" ".join(row) for row in rows]
    description = f"{segments} references of N(25, 8) independent words, Zipf over {_TYPES} types"
    return GeneratedGold(Texts.from_plain(texts, texts), description)


# --- inputs ---------------------------------------------------------------------------------------------------------


def _fixed(rng: Random, units: int) -> list[Texts]:
    gold = [[[_WORDS[whole(rng, 0, len(_WORDS) - 1)] for _ in range(whole(rng, 3, 9))]] for _ in range(units)]
    sides = [[_reworded(rng, references[0]) for references in gold] for _ in range(3)]
    return [Texts.from_plain([[" ".join(r) for r in references] for references in gold], side) for side in sides]


def _reworded(rng: Random, words: list[str]) -> str:
    """Return a text with some words replaced, left out, or moved to the end."""
    kept = [word if rng.random() < 0.8 else _WORDS[whole(rng, 0, len(_WORDS) - 1)] for word in words]
    cut = whole(rng, 0, len(kept) - 1)
    rotated = kept[cut:] + kept[:cut] if rng.random() < 0.5 else kept
    return " ".join(rotated[whole(rng, 0, 1) :])


def _off_grid(rng: Random) -> list[Texts]:
    """Return texts with capitals, punctuation, numbers, signs of other scripts and one or two references.

    The last ones repeat few words, so that a word has several places where it could be matched.
    """
    rare = (
        "The",
        "house,",
        "3.5",
        "1,000",
        "U.S.",
        "e-mail",
        "&quot;",
        "green.",
        "(is)",
        "家が",
        "緑。",
        "don't",
        "HAUS",
    )
    words = _WORDS + rare

    def text(length: int) -> list[str]:
        return [words[whole(rng, 0, len(words) - 1)] for _ in range(length)]

    first = [text(unit % 16 + 1) for unit in range(48)]
    first += [[_WORDS[whole(rng, 0, 2)] for _ in range(unit % 5 + 4)] for unit in range(16)]
    gold = [[" ".join(row), *([_reworded(rng, row)] if rng.random() < 0.3 else [])] for row in first]
    sides = [[_reworded(rng, row) if rng.random() < 0.9 else " ".join(text(3)) for row in first] for _ in range(3)]
    return [Texts.from_plain(gold, [""] + side[1:]) for side in sides]


def _regular(rng: np.random.Generator, units: int) -> Texts:
    """Return texts of eight templates, so that no sequence of words is rare, with a quarter of the words replaced."""
    templates = [rng.integers(30, size=words) for words in rng.integers(6, 19, 8)]
    gold = [templates[which] for which in rng.integers(8, size=units)]
    cut = rng.random(units) < 0.3
    sides = [np.where(rng.random(len(row)) < 0.75, row, rng.integers(30, size=len(row))) for row in gold]
    sides = [row[int(shorter) :] for row, shorter in zip(sides, cut, strict=True)]
    return Texts.from_plain(*([" ".join(f"w{word}" for word in row) for row in side] for side in (gold, sides)))


@composite
def submissions_of_texts(
    draw: "DrawFn", *, submissions: int = 2, min_units: int = 1, max_units: int = 4, longest: int = 6
) -> tuple[Texts, ...]:
    """Draw several translations of the same segments, with one to three references each; texts may be empty."""
    from hypothesis import strategies as st

    units = draw(st.integers(min_units, max_units))

    def texts(count: int) -> list[str]:
        rows = draw(rows_of(draw(whole_numbers(count, 0, longest)).tolist(), 0, len(_FEW_WORDS) - 1))
        return [" ".join(_FEW_WORDS[word] for word in row) for row in rows]

    gold = [texts(count) for count in draw(whole_numbers(units, 1, 3)).tolist()]
    return tuple(Texts.from_plain(gold, texts(units)) for _ in range(submissions))


def texts_batches(*, min_units: int = 1, max_units: int = 4, longest: int = 6) -> "SearchStrategy[Texts]":
    """Draw one translation of segments of up to `longest` words, with one to three references; texts may be empty.

    Examples
    --------
    >>> from hypothesis import given, settings
    >>> from qeframe.testing import texts_batches
    >>> @settings(max_examples=5)
    ... @given(texts_batches(max_units=3))
    ... def test_of_mine(batch):
    ...     assert len(batch) <= 3
    >>> test_of_mine()
    """
    return submissions_of_texts(submissions=1, min_units=min_units, max_units=max_units, longest=longest).map(only)


KIND = BatchKind(
    batch=Texts,
    plain_format=PlainFormat(
        parse=texts_by_line,
        holds_texts=True,
        empty_end=True,
        check_files=_check_same_documents,
        check_sides=_check_same_segments,
        join_references=_join_references,
        groups=_documents,
    ),
    audit=AuditAnswers(perfect=_perfect, rearranged=_rearranged, honest=_honest, generate=_generate),
    fixed_submissions=_fixed,
    off_grid=_off_grid,
    regular=_regular,
    submissions=submissions_of_texts,
    plain=_plain,
    with_answers=with_predicted,
    gold_answers=_first_references,
    anonymous=_anonymous,
    constants=_constants,
    rearrangements=_rearrangements,
    corrections=_corrections,
    without_answer=_without_answer,
    padded=_padded,
)
