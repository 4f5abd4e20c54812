"""Submissions of seven columns after some header lines: word level, 2020 to 2023."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import (
    Best,
    Dropped,
    IntArray,
    Reader,
    Reading,
    Tags,
    TaskFolder,
    TextFile,
    check_pairs,
    find_tasks,
    input_of,
    read_text_lines,
)
from qeframe_wmt.formats.header_lines import check_header, check_header_count
from qeframe_wmt.formats.layouts import columns_after_header, refuse_other_layout
from qeframe_wmt.formats.tab_columns import TextColumn, columns_by_tab, only_text, whole_numbers
from qeframe_wmt.readers.word.tag_readings import gold_tags, with_empty_sentences, word_reading
from qeframe_wmt.readers.word.token_lines import Compare, WordTags, check_words, find_tokens, with_tokens
from qeframe_wmt.readers.word.word_tables import WordTable, as_sentences

__all__ = ["word_columns_2020"]

Stream = Literal["words", "gaps", "source"]

_NAMES = ("LP", "METHOD", "TYPE", "SENT_ID", "WORD_IDX", "WORD", "TAG")
_TYPES: Mapping[Stream, str] = {"words": "mt", "gaps": "gap", "source": "source"}
_TOKENS: Mapping[Stream, str] = {"words": "mt_tok", "gaps": "", "source": "src_tok"}
_REMEDY, _EOS = "give one line for each tag of the gold", "; from 2022 on a sentence ends with a scored <EOS>"


def word_columns_2020(
    *, header_lines: int = 3, stream: Stream = "words", tokens: str = "", compare: Compare = "exact"
) -> Reader:
    """Read task folders whose submissions have the columns LP METHOD TYPE SENT_ID WORD_IDX WORD TAG, by tabs.

    The gold has the tags of one sentence a line; the first line is SENT_ID 0. In 2022 and 2023 the last word of every
    sentence is ``<EOS>``, which is tagged and scored like any other. An empty line is a sentence without tags, for
    which a submission has no line.

    Parameters
    ----------
    header_lines : int
        The number of lines of one column before the table: none in 2020; disk footprint in bytes and number of
        parameters in 2021; these and the size of the ensemble from 2022.
    stream : {"words", "gaps", "source"}
        The lines that are scored: those of TYPE mt, gap or source, in upper or lower case. The others are left out and
        counted.
    tokens : str
        The name of a file in the task's folder with the tokens of one sentence a line, to which WORD must be equal.
        Empty: ``mt_tok`` for words and ``src_tok`` for source, if that file exists; the words of gaps are not compared.
    compare : {"exact", "case_insensitive", "no"}
        How WORD is compared with the token.

    Returns
    -------
    Reader
        Of `Tags`. A submission has the name of its file without suffix, since METHOD may be the name of a model.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt20 to wmt23; wmt-qe-2022-data.
    """
    check_header_count(header_lines, usual="0, 2 or 3")
    return Reader(
        name="word_columns_2020",
        summary="folders of a task, header lines, then submissions of seven columns by tabs, gold of tag lines",
        source="WMT20-23 QE, word level",
        kind=Tags,
        read=partial(_read, header=header_lines, stream=stream, tokens=tokens, compare=compare),
    )


def _read(path: Path, best: Best, *, header: int, stream: Stream, tokens: str, compare: Compare) -> Sequence[Reading]:
    return [_read_task(task, path, best, header, stream, tokens, compare) for task in find_tasks(path)]


def _read_task(
    task: TaskFolder, root: Path, best: Best, header: int, stream: Stream, name: str, compare: Compare
) -> Reading:
    file = read_text_lines(task.gold)
    files = [read_text_lines(path, texts=True) for path in task.submissions]
    tokens = find_tokens(task, name, _TOKENS[stream])
    gold = gold_tags(file)
    pairs, answers = zip(*(_submission(each, header, stream) for each in files), strict=True)
    check_pairs(files, pairs, task, line=header + 1)
    inputs = [input_of(each, root) for each in (file, *files, *([tokens] if tokens else []))]
    submissions = [with_empty_sentences(answer.tags, gold) for answer in answers]
    truth = with_tokens(gold, tokens) if tokens else None
    remedy = _REMEDY + (_EOS if header > 2 else "")
    reading = word_reading(task.name, gold, submissions, best=best, inputs=inputs, remedy=remedy)
    if truth:
        for answer in answers:
            check_words(truth, answer, compare)
    others = sum(len(each.lines) - header - len(answer.lines) for each, answer in zip(files, answers, strict=True))
    if not others:
        return reading
    note = Dropped(task.name, "line", others, f"of another TYPE than {_TYPES[stream]} in the submissions")
    return attrs.evolve(reading, dropped=(note,))


def _submission(file: TextFile, header: int, stream: Stream) -> tuple[str, WordTags]:
    """Return the language pair of a submission, and its sentences."""
    refuse_other_layout(file, columns_after_header(_NAMES, header, "word_columns_2020"))
    check_header(file, header, names=_NAMES, reader="word_columns_2020")
    pairs, methods, types, segments, indices, words, tags = columns_by_tab(file, _NAMES, skip=header)
    pair = only_text(pairs, "LP", file, skip=header)
    only_text(methods, "METHOD", file, skip=header)
    chosen = _rows_of_stream(types, stream, file, header)
    table = WordTable(
        file=file,
        lines=chosen + header + 1,
        sentences=whole_numbers(segments, file, skip=header)[chosen],
        indices=whole_numbers(indices, file, skip=header)[chosen],
        words=words.take(chosen),
        tags=tags.take(chosen),
    )
    return pair, as_sentences(table, file.path.stem)


def _rows_of_stream(types: TextColumn, stream: Stream, file: TextFile, header: int) -> IntArray:
    """Return the positions of the rows of a stream."""
    constant = types.equal_to(types[0]).all()
    spellings = [types[0]] if constant else sorted(set(types))
    type_of = {spelling: spelling.strip().lower() for spelling in spellings}
    wanted, known = _TYPES[stream], _TYPES.values()
    if not set(type_of.values()) <= set(known):
        row = next(i for i, spelling in enumerate(types) if type_of[spelling] not in known)
        what = f"unknown TYPE '{types[row]}'"
        raise file.error(what, line=row + header + 1, remedy=f"a TYPE is {', '.join(known)}")
    if wanted not in type_of.values():
        names = [name for name, kind in _TYPES.items() if kind in type_of.values()]
        what = f"no line is of TYPE {wanted}, they are of {', '.join(spellings)}"
        raise file.error(what, line=header + 1, remedy=f"set stream={' or stream='.join(names)} in the reader")
    of_stream = [types.equal_to(spelling) for spelling in spellings if type_of[spelling] == wanted]
    return np.flatnonzero(np.any(of_stream, axis=0))
