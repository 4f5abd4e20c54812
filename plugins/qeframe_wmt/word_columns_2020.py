"""Submissions of seven columns after some header lines: word-level quality estimation from 2020 to 2023."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, Dropped, IntArray, Reader, Reading, Tags, TextFile, read_text_lines
from qeframe_wmt.folders import TaskFolder, check_pairs, find_tasks, input_of
from qeframe_wmt.header import check_header
from qeframe_wmt.layouts import Layout, refuse_other_layout
from qeframe_wmt.tab_columns import TextColumn, columns_by_tab, only_value, whole_numbers
from qeframe_wmt.token_lines import Compare, Worded, check_words, find_tokens, with_tokens
from qeframe_wmt.word_readings import gold_tags, with_empty_sentences, word_reading
from qeframe_wmt.word_tables import WordTable, as_sentences

__all__ = ["word_columns_2020"]

Stream = Literal["words", "gaps", "source"]

_NAMES = ("LP", "METHOD", "TYPE", "SENT_ID", "WORD_IDX", "WORD", "TAG")
_TYPES: Mapping[Stream, str] = {"words": "mt", "gaps": "gap", "source": "source"}
_TOKENS: Mapping[Stream, str] = {"words": "mt_tok", "gaps": "", "source": "src_tok"}
_REMEDY, _EOS = "give one line for each tag of the gold", "; from 2022 on a sentence ends with a scored <EOS>"


def word_columns_2020(
    *, header_lines: int = 3, stream: Stream = "words", tokens: str = "", compare: Compare = "exact"
) -> Reader:
    """Folders of a task whose submissions have seven columns by tabs: LP METHOD TYPE SENT_ID WORD_IDX WORD TAG.

    The gold has the tags of one sentence a line, the first of which is SENT_ID 0. In 2022 and 2023 the last word of
    every sentence is ``<EOS>``, which is tagged and scored like any other. An empty line is a sentence without tags,
    of which a submission has no line.

    Parameters
    ----------
    header_lines : int
        How many lines of one column stand before them: none in 2020; disk footprint in bytes and number of parameters
        in 2021; these and the size of the ensemble from 2022.
    stream : {"words", "gaps", "source"}
        Which lines are scored: those of TYPE mt, gap or source, in upper or lower case. The others are left out and
        counted.
    tokens : str
        The name of a file in the task's folder with the tokens of one sentence a line, which WORD must be. Empty: that
        is ``mt_tok`` for words and ``src_tok`` for source, if there is one; the words of gaps are not compared.
    compare : {"exact", "case_insensitive", "no"}
        How WORD is compared with it.

    Returns
    -------
    Reader
        Of `Tags`; a submission is called by the stem of its file, since METHOD may be the name of a model.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt20 to wmt23; wmt-qe-2022-data.
    """
    if header_lines < 0:
        raise DataError(f"header_lines = {header_lines} must not be negative", remedy="give 0, 2 or 3")
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
    file, *files = map(read_text_lines, (task.gold, *task.submissions))
    tokens = find_tokens(task, name, _TOKENS[stream])
    gold = gold_tags(file)
    pairs, answers = zip(*(_submission(each, header, stream) for each in files), strict=True)
    check_pairs(files, pairs, task, line=header + 1)
    inputs = [input_of(each, root) for each in (file, *files, *([tokens] if tokens else []))]
    sides = [with_empty_sentences(answer.side, gold) for answer in answers]
    truth = with_tokens(gold, tokens) if tokens else None
    reading = word_reading(
        task.name, gold, sides, best=best, inputs=inputs, remedy=_REMEDY + (_EOS if header > 2 else "")
    )
    if truth:
        for answer in answers:
            check_words(truth, answer, compare)
    others = sum(len(each.lines) - header - len(answer.lines) for each, answer in zip(files, answers, strict=True))
    if not others:
        return reading
    note = Dropped(task.name, "line", others, f"of another TYPE than {_TYPES[stream]} in the submissions")
    return attrs.evolve(reading, dropped=(note,))


def _submission(file: TextFile, header: int, stream: Stream) -> tuple[str, Worded]:
    """Return the language pair of a submission, and its sentences."""
    refuse_other_layout(file, _layout(header))
    check_header(file, header, names=_NAMES, reader="word_columns_2020")
    pairs, methods, types, segments, indices, words, tags = columns_by_tab(file, _NAMES, skip=header)
    pair = only_value(pairs, "LP", file, skip=header)
    only_value(methods, "METHOD", file, skip=header)
    chosen = _lines_of(types, stream, file, header)
    table = WordTable(
        file=file,
        lines=chosen + header + 1,
        sentences=whole_numbers(segments, file, skip=header)[chosen],
        indices=whole_numbers(indices, file, skip=header)[chosen],
        words=words.take(chosen),
        tags=tags.take(chosen),
    )
    return pair, as_sentences(table, file.path.stem)


def _layout(header: int) -> Layout:
    lines = "1 header line" if header == 1 else f"{header} header lines"
    return Layout(f"7 columns by tabs ({' '.join(_NAMES)}) after {lines}", f"word_columns_2020(header_lines={header})")


def _lines_of(types: TextColumn, stream: Stream, file: TextFile, header: int) -> IntArray:
    """Return the places of the lines of a stream."""
    constant = types.equal_to(types[0]).all()
    found = [types[0]] if constant else sorted(set(types))
    plain = {kind: kind.strip().lower() for kind in found}
    wanted, known = _TYPES[stream], _TYPES.values()
    if not set(plain.values()) <= set(known):
        place = next(i for i, kind in enumerate(types) if plain[kind] not in known)
        what = f"unknown TYPE '{types[place]}'"
        raise file.error(what, line=place + header + 1, remedy=f"a TYPE is {', '.join(known)}")
    if wanted not in plain.values():
        names = [name for name, kind in _TYPES.items() if kind in plain.values()]
        what = f"no line is of TYPE {wanted}, they are of {', '.join(found)}"
        raise file.error(what, line=header + 1, remedy=f"set stream={' or stream='.join(names)} in the reader")
    of_stream = [types.equal_to(kind) for kind in found if plain[kind] == wanted]
    return np.flatnonzero(np.any(of_stream, axis=0))
