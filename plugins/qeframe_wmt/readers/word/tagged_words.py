"""The tags of gold and submissions and their words, from tables of one word a line and from files of tokens."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import attrs
import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from qeframe.plugin import Best, DataError, IntArray, Ragged, Tags
from qeframe.plugin.calls import counted
from qeframe.plugin.kinds import BINARY, SentenceTags, encode_tags, spelled_codes
from qeframe.plugin.readers import (
    Dropped,
    Reading,
    Submitted,
    TableColumns,
    TextFile,
    UnitValues,
    check_lengths,
    has_file,
    parse_plain,
    read_text_lines,
)
from qeframe_wmt.formats.layouts import TAG_LINES, refuse_other_layout
from qeframe_wmt.formats.tables import TextColumn, length_labels
from qeframe_wmt.formats.tasks import Found

Compare = Literal["exact", "case_insensitive", "no"]  # how the words of gold and submission are compared


@frozen(eq=False)
class WordTags:
    """The tags of gold or submission, and the words that they belong to: one a tag, sentence after sentence."""

    tags: UnitValues
    words: Sequence[str]
    lines: IntArray  # the line of every word in `path`
    path: str = ""  # the file of the words, if it is not the file of the tags
    # other tokens that a submission may have in place of the words, by sentence
    written: Mapping[int, Sequence[str]] = field(factory=dict)

    def submitted(self, part: str = "") -> Submitted:
        """Return the tags and the words as the answers to a language pair."""
        return Submitted(part=part, answers=self.tags, content=self)


def find_tokens(folder: Path, name: str, usual: str) -> TextFile | None:
    """Return the file of tokens beside the gold.

    A file of this name must exist. Without a name, one of the usual name may be missing; that is empty if there is
    none.
    """
    if name and Path(name).name != name:
        raise DataError(f"tokens = '{name}' must be the name of a file", remedy=f"put the file into {folder}")
    path = folder / (name or usual)
    return read_text_lines(path, texts=True) if name or (usual and has_file(path)) else None


def with_tokens(gold: UnitValues, file: TextFile) -> WordTags:
    """Return the gold with its tokens, one sentence a line."""
    rows = [line.split() for line in file.lines]
    if len(rows) != len(gold.ids):
        what = f"{counted(len(rows), 'line')} for {counted(len(gold.ids), 'sentence')} in {gold.path}"
        raise file.error(what, line=min(len(rows), len(gold.ids) + 1), remedy="give the tokens of every sentence")
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    wrong = np.flatnonzero(counts != gold.values.lengths)
    if len(wrong):
        first, line = wrong[0], int(wrong[0]) + 1
        what = (
            f"{counted(counts[first], 'token')}, {gold.values.lengths[first]} expected: the tags in {gold.path}:{line}"
        )
        remedy = "give the tokens that were tagged"
        if (gold.values.lengths == 2 * counts + 1).all():
            remedy = "the gold has 2N+1 tags for N words and their gaps: give the tags of the words, one a token"
        raise file.error(what, line=line, remedy=remedy)
    return WordTags(
        gold, list(chain.from_iterable(rows)), np.repeat(np.arange(1, len(rows) + 1), counts), str(file.path)
    )


def check_words(gold: WordTags, answer: WordTags, compare: Compare) -> None:
    """Check that the words of a submission are those of the gold; sentences of both have equal numbers of tags."""
    if compare == "no":
        return
    answer = _with_words_of(gold, answer)
    words = answer.words
    if np.array_equal(gold.tags.ids, answer.tags.ids) and (
        words.spells(gold.words) if isinstance(words, TextColumn) else gold.words == words
    ):
        return
    _, ours, theirs = np.intersect1d(gold.tags.ids, answer.tags.ids, return_indices=True)
    theirs, ours = np.sort(theirs), ours[np.argsort(theirs)]
    in_gold, in_answer = _positions(gold, ours), _positions(answer, theirs)
    expected, given = _words_at(gold, in_gold, compare), _words_at(answer, in_answer, compare)
    if expected == given:
        return
    first = next(i for i, (word, other) in enumerate(zip(given, expected, strict=True)) if word != other)
    given_at, expected_at = in_answer[first], in_gold[first]
    where = f"{gold.path or gold.tags.path}:{gold.lines[expected_at]}"
    raise DataError(
        f"word '{answer.words[given_at]}', the gold has '{gold.words[expected_at]}' ({where})",
        path=answer.tags.path,
        line=int(answer.lines[given_at]),
        remedy="tag the words of the gold, or set compare=case_insensitive or compare=no in the reader",
    )


def _with_words_of(gold: WordTags, answer: WordTags) -> WordTags:
    """Return a submission with the words of the gold where it has those that the gold has written."""
    if not gold.written:
        return answer
    words = list(answer.words)
    ours, theirs = ({unit: row for row, unit in enumerate(side.tags.ids.tolist())} for side in (gold, answer))
    for sentence, written in gold.written.items():
        if sentence in theirs:
            begin, end = answer.tags.values.offsets[theirs[sentence] :][:2]
            if list(map(str.lower, words[begin:end])) == list(map(str.lower, written)):
                first = gold.tags.values.offsets[ours[sentence]]
                words[begin:end] = gold.words[first : first + len(written)]
    return attrs.evolve(answer, words=words)


def check_words_of_input(expected: Submitted, given: Submitted, compare: Compare) -> None:
    """Check that a submission has as many tags as the input in every sentence, of the same words.

    `Submitted.content` of both is their `WordTags`.
    """
    check_lengths(expected.answers, given.answers, remedy="give one line for each word of the input")
    check_words(expected.content, given.content, compare)


def _positions(tagged: WordTags, sentences: IntArray) -> IntArray:
    """Return the positions of the words of the given sentences, in the order of the sentences."""
    offsets = tagged.tags.values.offsets
    return Ragged(np.arange(offsets[-1]), offsets).take(sentences).values


def _words_at(tagged: WordTags, positions: IntArray, compare: Compare) -> list[str]:
    words = list(map(tagged.words.__getitem__, positions.tolist()))
    return list(map(str.lower, words)) if compare == "case_insensitive" else words


def as_sentences(
    table: TableColumns,
    name: str,
    *,
    classes: Sequence[str] = BINARY,
    codes: Mapping[str, int] | None = None,
    any_case: bool = False,
    names: Mapping[int, str] = MappingProxyType({}),
) -> WordTags:
    """Return the sentences of a table: consecutive lines of the same sentence, with words numbered from 0.

    `table`: with the columns sentence and index, of numbers, WORD and TAG. `name`: "gold" or that of the submission.
    `codes`: the number of the class for every spelling of a tag, by default `spelled_codes` of OK and BAD, in any case
    if `any_case`. `names`: of the sentences, by number, where they differ from these.
    """
    sentences, indices = table.cells["sentence"], table.cells["index"]
    starts = np.flatnonzero(np.diff(sentences, prepend=-1))
    expected = np.arange(len(sentences)) - np.repeat(starts, np.diff(starts, append=len(sentences)))
    wrong = np.flatnonzero(indices != expected)
    if len(wrong):
        row = int(wrong[0])
        sentence = names.get(int(sentences[row]), str(sentences[row]))
        what = f"word index {indices[row]} in sentence {sentence}, expected {expected[row]}"
        remedy = "number the words of a sentence 0, 1, 2 ..., one a line, all lines of a sentence together"
        raise table.error(what, row, remedy=remedy)
    values = SentenceTags(encoded_tags(table, codes, any_case), np.append(starts, len(sentences)), tuple(classes))
    of_sentences = attrs.evolve(table, lines=table.lines[starts])
    tags = of_sentences.side(name, np.asarray(sentences)[starts], values, names=names)
    return WordTags(tags, table.cells["WORD"], table.lines)


def encoded_tags(
    table: TableColumns, codes: Mapping[str, int] | None = None, any_case: bool = False
) -> NDArray[np.int8]:
    """Return the class of every tag of a table, (words,); raise a `DataError` at the first unknown one."""
    codes, tags = codes or spelled_codes(), table.cells["TAG"]
    if isinstance(tags, TextColumn):
        encoded = np.full(len(tags), -1, np.int8)
        for tag, code in codes.items():
            encoded[tags.equal_to(tag)] = code
        if (encoded >= 0).all():  # every tag is spelled as in `codes`
            return encoded
    fold = str.lower if any_case else str
    folded = {fold(tag): code for tag, code in codes.items()}
    code_of = {tag: folded[fold(tag.strip(" "))] for tag in set(tags) if fold(tag.strip(" ")) in folded}
    folded_tags = encode_tags(tags, code_of)
    if folded_tags is None:
        row = next(i for i, tag in enumerate(tags) if tag not in code_of)
        what = f"unknown tag '{tags[row]}' of word '{table.cells['WORD'][row]}'"
        raise table.error(what, row, remedy=f"the tags are {', '.join(codes)}")
    return folded_tags


def gold_tags(file: TextFile) -> UnitValues:
    """Return a gold of plain tag lines; the first line is sentence 0, as submissions number it."""
    refuse_other_layout(file, TAG_LINES, gold=True)
    return attrs.evolve(parse_plain(Tags, file, name="gold"), numbered_from=0, known_by="line_number")


def with_empty_sentences(submission: UnitValues, gold: UnitValues) -> UnitValues:
    """Add the sentences that have no tag in the gold, since a table of one word a line cannot hold them."""
    empty = np.setdiff1d(gold.ids[gold.values.lengths == 0], submission.ids)
    if not len(empty):
        return submission
    values: SentenceTags = submission.values
    lines = submission.lines
    offsets = np.append(values.offsets, np.full(len(empty), values.offsets[-1]))
    return attrs.evolve(
        submission,
        ids=np.append(submission.ids, empty),
        values=SentenceTags(values.values, offsets, values.classes),
        lines=None if lines is None else np.append(lines, np.full(len(empty), lines[-1])),
    )


def word_reading(
    found: Found,
    best: Best,
    root: Path,
    *,
    tokens: TextFile | None = None,
    compare: Compare = "no",
    remedy: str = "give one line for each tag of the gold",
    dropped: Sequence[Dropped] = (),
) -> Reading:
    """Return a reading of tags, with the sentences grouped by their number of scored tags.

    A sentence of a submission with another number of tags than in the gold is an error, with this remedy, and so is
    another word than that of the tokens, or of the gold if it has words.
    """
    gold = found.gold.answers
    truth = with_tokens(gold, tokens) if tokens else found.gold.content
    submissions = [with_empty_sentences(part.answers, gold) for _, part in found.answers]
    for submission in submissions:
        check_lengths(gold, submission, remedy=remedy)
    for _, part in found.answers:
        if truth is not None:
            check_words(truth, part.content, compare)
    groups = {"length": length_labels(gold.values.lengths)}
    more = [tokens] if tokens else []
    sides = tuple(submissions)
    return found.reading(Tags, best, root, more=more, submissions=sides, groups=groups, dropped=tuple(dropped))
