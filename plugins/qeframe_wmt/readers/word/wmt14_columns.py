"""Six columns, one word a line, in gold and submissions: word level, 2014."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Literal

import numpy as np

from qeframe.plugin import Best, IntArray, Tags
from qeframe.plugin.kinds import BINARY
from qeframe.plugin.readers import (
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    TextFile,
    find_tasks,
    input_of,
    parse_ids,
    read_text_lines,
    refuse_marks,
    split_columns,
)
from qeframe_wmt.examples import word as examples
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.readers.word.tag_readings import word_reading
from qeframe_wmt.readers.word.token_lines import Compare, WordTags, check_words, check_words_of_input
from qeframe_wmt.readers.word.word_tables import WordTable, as_sentences, check_tags

Column = Literal["binary", "level1", "fine"]

_NAMES = ("SENTENCE", "INDEX", "WORD", "FINE", "LEVEL1", "BINARY")
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
_POSITION: Mapping[Column, int] = {"fine": 3, "level1": 4, "binary": 5}
_VARIANTS = 1000
_LAYOUT = Layout(f"six columns by blanks or tabs ({' '.join(_NAMES)})", "word_columns_2014")


def word_columns_2014(*, column: Column = "binary", compare: Compare = "exact") -> Reader:
    """Read task folders whose gold and submissions have six columns by blanks or tabs, one word a line.

    Parameters
    ----------
    column : {"binary", "level1", "fine"}
        The tags that are scored: OK and BAD; OK, Fluency and Accuracy; or OK and 20 kinds of error, all in upper or
        lower case. The tags of the other two columns must be such tags too, as the script demands; they need not agree
        with each other.
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
    return Reader(
        name="word_columns_2014",
        summary="folders of a task, gold and submissions of six columns, one word a line",
        source="WMT14 QE, word level",
        kind=Tags,
        read=partial(_read, column=column, compare=compare),
        example=partial(examples.columns_2014, accuracy=_ACCURACY, fluency=_FLUENCY),
        submission=SubmissionFormat(
            read=partial(_submission, column=column), check=partial(check_words_of_input, compare=compare)
        ),
    )


def _read(path: Path, best: Best, *, column: Column, compare: Compare) -> Sequence[Reading]:
    return [_read_task(task, path, best, column, compare) for task in find_tasks(path)]


def _submission(path: Path, *, column: Column) -> Sequence[Submitted]:
    words = _sentences(read_text_lines(path, texts=True), path.stem, column)
    return [Submitted(answers=words.tags, content=words)]


def _read_task(task: TaskFolder, root: Path, best: Best, column: Column, compare: Compare) -> Reading:
    file, *files = map(partial(read_text_lines, texts=True), (task.gold, *task.submissions))
    gold = _sentences(file, "gold", column)
    answers = [_sentences(each, each.path.stem, column) for each in files]
    reading = word_reading(
        task.name,
        gold.tags,
        [answer.tags for answer in answers],
        best=best,
        inputs=[input_of(each, root) for each in (file, *files)],
        remedy="give one line for each word of the gold",
    )
    for answer in answers:
        check_words(gold, answer, compare)
    return reading


def _sentences(file: TextFile, name: str, column: Column) -> WordTags:
    refuse_other_layout(file, _LAYOUT, gold=name == "gold")
    columns = split_columns(file, _NAMES)
    sentences = _numbered(columns[0], file)
    indices, names = parse_ids(columns[1], file), dict(zip(sentences.tolist(), columns[0], strict=True))
    tables: dict[Column, WordTable] = {}
    for each, position in _POSITION.items():
        refuse_marks(file, columns[position], each)
        tables[each] = WordTable(
            file=file,
            lines=np.arange(1, len(file.lines) + 1),
            sentences=sentences,
            indices=indices,
            words=columns[2],
            tags=columns[position],
            any_case=True,
            names=names,
        )
        if each != column:
            check_tags(tables[each], _codes(each))
    return as_sentences(tables[column], name, classes=_CLASSES[column], codes=_codes(column))


def _codes(column: Column) -> dict[str, int]:
    return {tag: code for code, tag in enumerate(_CLASSES[column])}


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
