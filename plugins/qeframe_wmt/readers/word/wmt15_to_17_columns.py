"""Submissions of METHOD, SEG, WORD_INDEX, WORD and TAG: word level, 2015 to 2017."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from qeframe.plugin import Best, Tags
from qeframe.plugin.readers import (
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TaskFolder,
    TextFile,
    find_tasks,
    input_of,
    read_text_lines,
)
from qeframe_wmt.examples import word as examples
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.formats.tab_columns import columns_by_tab, only_text, whole_numbers
from qeframe_wmt.readers.word.tag_readings import gold_tags, with_empty_sentences, word_reading
from qeframe_wmt.readers.word.token_lines import (
    Compare,
    WordTags,
    check_words,
    check_words_of_input,
    find_tokens,
    with_tokens,
)
from qeframe_wmt.readers.word.word_tables import WordTable, as_sentences

_NAMES = ("METHOD", "SEG", "WORD_INDEX", "WORD", "TAG")
_LAYOUT = Layout(f"5 columns by tabs ({' '.join(_NAMES)})", "word_columns_2015")


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
    return Reader(
        name="word_columns_2015",
        summary="folders of a task, submissions of METHOD SEG WORD_INDEX WORD TAG by tabs, gold of tag lines",
        source="WMT15-17 QE, word level",
        kind=Tags,
        read=partial(_read, tokens=tokens, compare=compare),
        example=partial(examples.columns_2015, tokens=tokens or "mt_tok"),
        submission=SubmissionFormat(
            read=_submission_alone, first=0, check=partial(check_words_of_input, compare=compare)
        ),
    )


def _read(path: Path, best: Best, *, tokens: str, compare: Compare) -> Sequence[Reading]:
    return [_read_task(task, path, best, tokens, compare) for task in find_tasks(path)]


def _read_task(task: TaskFolder, root: Path, best: Best, name: str, compare: Compare) -> Reading:
    file = read_text_lines(task.gold)
    files = [read_text_lines(path, texts=True) for path in task.submissions]
    tokens = find_tokens(task, name, "mt_tok")
    gold, answers = gold_tags(file), list(map(_submission, files))
    truth = with_tokens(gold, tokens) if tokens else None
    reading = word_reading(
        task.name,
        gold,
        [with_empty_sentences(answer.tags, gold) for answer in answers],
        best=best,
        inputs=[input_of(each, root) for each in (file, *files, *([tokens] if tokens else []))],
        remedy="give one line for each tag of the gold",
    )
    if truth:
        for answer in answers:
            check_words(truth, answer, compare)
    return reading


def _submission_alone(path: Path) -> Sequence[Submitted]:
    words = _submission(read_text_lines(path, texts=True))
    return [Submitted(answers=words.tags, content=words)]


def _submission(file: TextFile) -> WordTags:
    refuse_other_layout(file, _LAYOUT)
    methods, segments, indices, words, tags = columns_by_tab(file, _NAMES)
    method = only_text(methods, "METHOD", file).strip()
    if not method:
        raise file.error("the METHOD has no name", line=1, remedy="name the submission")
    table = WordTable(
        file=file,
        lines=np.arange(1, len(file.lines) + 1),
        sentences=whole_numbers(segments, file),
        indices=whole_numbers(indices, file),
        words=words,
        tags=tags,
    )
    return as_sentences(table, method)
