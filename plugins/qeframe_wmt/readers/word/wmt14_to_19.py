"""Word level, 2014 to 2019: six columns, one word a line; METHOD, SEG, WORD_INDEX, WORD and TAG; lines of tags."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import ClassVar, Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, IntArray, Tags
from qeframe.plugin.kinds import BINARY, SentenceTags
from qeframe.plugin.readers import (
    LineFormat,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    UnitValues,
    check_lengths,
    check_lines,
    numbers_by_token,
    parse_ids,
    parse_plain,
    refuse_marks,
)
from qeframe_wmt.examples import quality_estimation as examples
from qeframe_wmt.examples.lines import in_folders
from qeframe_wmt.formats.layouts import SEGMENT, TAG_LINES, Layout, refuse_other_layout
from qeframe_wmt.formats.tables import fixed_columns, sliced_columns, whole_numbers
from qeframe_wmt.formats.tasks import Form, Found
from qeframe_wmt.readers.word.tagged_words import (
    Compare,
    as_sentences,
    check_words_of_input,
    find_tokens,
    gold_tags,
    word_reading,
)

Column = Literal["binary", "level1", "fine"]

_TAGS_2014: Mapping[Column, str] = {"fine": "FINE", "level1": "LEVEL1", "binary": "BINARY"}
_NAMES_2014 = ("SENTENCE", "INDEX", "WORD", *_TAGS_2014.values())
_ACCURACY = ("Accuracy", "Addition", "Mistranslation", "Omission", "Terminology", "Untranslated")
_FLUENCY = (
    *("Agreement", "Capitalization", "Fluency", "Function_words", "Grammar", "Morphology_(word_form)"),
    *("Part_of_speech", "Punctuation", "Spelling", "Style/register", "Tense/aspect/mood", "Typography"),
    *("Unintelligible", "Word_order"),
)
_CLASSES: Mapping[Column, tuple[str, ...]] = {
    "binary": BINARY,
    "level1": ("OK", "Fluency", "Accuracy"),
    "fine": ("OK", *_ACCURACY, *_FLUENCY),
}
_VARIANTS = 1000
_LAYOUT_2014 = Layout(f"six columns by blanks or tabs ({' '.join(_NAMES_2014)})", "word_columns_2014")


def word_columns_2014(*, column: Column = "binary", compare: Compare = "exact") -> Reader:
    """Read task folders whose gold and submissions have six columns by blanks or tabs, one word a line.

    Parameters
    ----------
    column : {"binary", "level1", "fine"}
        The tags that are scored: OK and BAD; OK, Fluency and Accuracy; or OK and 20 kinds of error, all in upper or
        lower case. The other two columns may hold anything.
    compare : {"exact", "case_insensitive", "no"}
        How the words of gold and submission are compared.

    Returns
    -------
    Reader
        Of `Tags`. A submission has the name of its file without suffix. Sentence X.Y is unit 1000 X + Y.

    References
    ----------
    evaluate_task2_WMT2014.py of MARMOT, the script of 2014.
    """
    words = _Words2014(column=column, compare=compare)
    return Reader(
        name="word_columns_2014",
        summary="folders of a task, gold and submissions of six columns, one word a line",
        source="WMT14 QE, word level",
        kind=Tags,
        read=words.read,
        submission=SubmissionFormat(read=words.alone, check=partial(check_words_of_input, compare=compare)),
    )


@frozen(kw_only=True)
class _Words2014(Form):
    """Six columns by blanks or tabs, one word a line, in gold and submissions."""

    texts: ClassVar[bool] = True
    gold_texts: ClassVar[bool] = True

    column: Column
    compare: Compare

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        refuse_other_layout(file, _LAYOUT_2014, gold=name == "gold")
        table = fixed_columns(file, _NAMES_2014, separator="blanks")
        sentences, tags = table.read("SENTENCE", _numbered), table.cells[_TAGS_2014[self.column]]
        names = dict(zip(sentences.tolist(), table.cells["SENTENCE"], strict=True))
        refuse_marks(file, tags, self.column)
        words = table.having("sentence", sentences).having("index", table.read("INDEX", parse_ids)).having("TAG", tags)
        classes = _CLASSES[self.column]
        codes = {tag: code for code, tag in enumerate(classes)}
        return [as_sentences(words, name, classes=classes, codes=codes, any_case=True, names=names).submitted()]

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        return word_reading(found, best, root, compare=self.compare, remedy="give one line for each word of the gold")


def _numbered(texts: Sequence[str], file: TextFile) -> IntArray:
    """Return the number of each sentence X.Y."""
    remedy = f"a sentence is X.Y, whole numbers with a point between them, Y below {_VARIANTS}"
    if set(map(str.count, texts, repeat("."))) != {1}:
        line, text = next((line, text) for line, text in enumerate(texts, 1) if text.count(".") != 1)
        raise file.error(f"'{text}' is not the number of a sentence", line=line, remedy=remedy)
    parts = ".".join(texts).split(".")
    source, variant = parse_ids(parts[0::2], file), parse_ids(parts[1::2], file)
    large = np.flatnonzero((variant >= _VARIANTS) | (source > 10**14))
    if len(large):
        raise file.error(f"'{texts[large[0]]}' is too large", line=int(large[0]) + 1, remedy=remedy)
    return source * _VARIANTS + variant


_NAMES_2015 = ("METHOD", "SEG", "WORD_INDEX", "WORD", "TAG")
_LAYOUT_2015 = Layout(f"5 columns by tabs ({' '.join(_NAMES_2015)})", "word_columns_2015")


def word_columns_2015(*, tokens: str = "", compare: Compare = "exact") -> Reader:
    """Read task folders whose submissions have the columns METHOD, SEG, WORD_INDEX, WORD and TAG, by tabs.

    The gold has the tags of one sentence a line; the first line is SEG 0. An empty line is a sentence without tags, for
    which a submission has no line.

    Parameters
    ----------
    tokens : str
        The name of a file in the task's folder with the tokens of one sentence a line, to which WORD must be equal.
        Empty: ``mt_tok``, if that file exists.
    compare : {"exact", "case_insensitive", "no"}
        How WORD is compared with the token.

    Returns
    -------
    Reader
        Of `Tags`; METHOD names the submission.

    References
    ----------
    Task pages of WMT16 and WMT17 QE.
    """
    words = _Words2015(tokens=tokens, compare=compare)
    return Reader(
        name="word_columns_2015",
        summary="folders of a task, submissions of METHOD SEG WORD_INDEX WORD TAG by tabs, gold of tag lines",
        source="WMT15-17 QE, word level",
        kind=Tags,
        read=words.read,
        submission=SubmissionFormat(
            read=words.alone,
            first=0,
            check=partial(check_words_of_input, compare=compare),
            lines=LineFormat(
                columns={
                    "METHOD": "is the name of your submission",
                    "SEG": SEGMENT,
                    "WORD_INDEX": "is the number of the word in the segment, from 0",
                    "WORD": "is the word itself",
                    "TAG": "is your tag of the word: `OK` or `BAD`",
                },
                author=("METHOD",),
                answers={"TAG": ("OK", "BAD", "OK")},
            ),
        ),
    )


@frozen(kw_only=True)
class _Words2015(Form):
    """Five columns by tabs, one word a line, and a gold of tag lines."""

    texts: ClassVar[bool] = True

    tokens: str
    compare: Compare

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        refuse_other_layout(file, _LAYOUT_2015)
        table = sliced_columns(file, _NAMES_2015)
        method = table.only("METHOD").strip()
        if not method:
            raise file.error("the METHOD has no name", line=1, remedy="name the submission")
        table = table.having("sentence", table.read("SEG", whole_numbers))
        return [as_sentences(table.having("index", table.read("WORD_INDEX", whole_numbers)), method).submitted()]

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        return [Submitted(answers=gold_tags(file))]

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        tokens = find_tokens(found.file.path.parent, self.tokens, "mt_tok")
        return word_reading(found, best, root, tokens=tokens, compare=self.compare)


Tagging = Literal["words", "words_and_gaps", "source"]
_TAGGED: Mapping[str, str] = {
    "words": "for each word of the translation",
    "words_and_gaps": "for the gap before the first word, then for each word and the gap after it: 2 N + 1 of N words",
    "source": "for each word of the source",
}
Stream = Literal["joint", "words", "gaps"]


def tag_lines(
    *, layout: Tagging = "words", stream: Stream = "joint", gold: str = "", threshold: float | None = None
) -> Reader:
    """Read task folders whose gold and submissions have the tags of one sentence a line.

    Parameters
    ----------
    layout : {"words", "words_and_gaps", "source"}
        What is tagged: the words of the translation; its N words and N + 1 gaps, in the order gap 0, word 1, gap 1 and
        so on (2018 and 2019); or the words of the source.
    stream : {"joint", "words", "gaps"}
        The tags of words_and_gaps that are scored. Of the other layouts all are scored.
    gold : str
        The name of the file of the gold in the folder of a task. Empty: the one whose name begins with gold.
    threshold : float, optional
        Submissions are numbers, such as probabilities of BAD: a word is BAD from this number on.

    Returns
    -------
    Reader
        Of `Tags`. A submission has the name of its file without suffix. The first line is unit 0. An empty line is a
        sentence without tags.

    Raises
    ------
    DataError
        For a stream that the layout does not have.

    References
    ----------
    deep-spin/qe-evaluation, the scorer of 2019.
    """
    if stream != "joint" and layout != "words_and_gaps":
        remedy = "set layout=words_and_gaps, or leave stream out"
        raise DataError(f"stream={stream} asks for one of two streams, layout={layout} has one", remedy=remedy)
    gaps = layout == "words_and_gaps"
    tags = _TagLines(gold_name=gold, gaps=gaps, stream=stream, threshold=threshold)
    return Reader(
        name="tag_lines",
        summary="folders of a task, gold and submissions with the tags of one sentence a line",
        source="scorer of WMT19 QE, word level; gold of WMT15-22",
        kind=Tags,
        read=tags.read,
        example=partial(in_folders, examples.tag_lines, gaps=gaps, gold=gold or "gold.tags"),
        submission=SubmissionFormat(
            read=tags.alone,
            first=0,
            check=_check_lengths,
            lines=LineFormat(
                columns={"TAG": f"is `OK` or `BAD`: one {_TAGGED[layout]}"},
                answers={"TAG": ("OK", "BAD", "OK")},
                separator=" ",
            ),
        ),
    )


def _check_lengths(expected: Submitted, given: Submitted) -> None:
    check_lengths(expected.answers, given.answers, remedy="give one tag for each tag of the input")


@frozen(kw_only=True)
class _TagLines(Form):
    """The tags of a sentence on a line, in gold and submissions."""

    gaps: bool
    stream: Stream
    threshold: float | None

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        refuse_other_layout(file, TAG_LINES)
        if self.threshold is None:
            return self._tags(parse_plain(Tags, file, name=name), file)
        numbers, units = numbers_by_token(file), np.arange(len(file.lines))
        tags = SentenceTags((numbers.values >= self.threshold).astype(np.int8), numbers.offsets)
        path = str(file.path)
        return self._tags(
            UnitValues(name=name, ids=units, values=tags, path=path, lines=units + 1, known_by="line"), file
        )

    def _tags(self, read: UnitValues, file: TextFile) -> Sequence[Submitted]:
        return [Submitted(answers=_of_stream(read, file, self.stream) if self.gaps else read)]

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        refuse_other_layout(file, TAG_LINES, gold=True)
        return self._tags(parse_plain(Tags, file, name="gold"), file)

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        for _, part in found.answers:
            check_lines(found.gold.answers, part.answers)
        return word_reading(found, best, root, remedy="give one tag for each tag of the gold")


def _of_stream(read: UnitValues, file: TextFile, stream: Stream) -> UnitValues:
    """Return the scored tags of sentences of 2 N + 1 tags: gaps have even positions, words odd ones, from 0."""
    tags: SentenceTags = read.values
    even = np.flatnonzero((tags.lengths % 2 == 0) & (tags.lengths > 0))
    if len(even):
        what = f"{tags.lengths[even[0]]} tags, expected an odd number: N words and N + 1 gaps"
        raise file.error(what, line=int(even[0]) + 1, remedy="give the tags of the gaps too, or set layout=words")
    if stream == "joint":
        return read
    odd = 1 if stream == "words" else 0
    position = np.arange(len(tags.values)) - np.repeat(tags.offsets[:-1], tags.lengths)
    lengths = (tags.lengths + 1 - odd) // 2
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return attrs.evolve(read, values=SentenceTags(tags.values[position % 2 == odd], offsets))
