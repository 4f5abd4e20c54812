"""Submissions of seven columns after some header lines: word level, 2020 to 2023."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, IntArray, Tags
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    check_pairs,
    find_tasks,
    input_of,
    read_text_lines,
)
from qeframe_wmt.examples import word as examples
from qeframe_wmt.formats.header_lines import check_header, check_header_count, stated_numbers
from qeframe_wmt.formats.layouts import columns_after_header, refuse_other_layout
from qeframe_wmt.formats.qe_repository import check_own_pair, find_published, is_published, with_dropped
from qeframe_wmt.formats.tab_columns import TextColumn, columns_by_tab, only_text, whole_numbers
from qeframe_wmt.readers.word.tag_readings import gold_tags, with_empty_sentences, word_reading
from qeframe_wmt.readers.word.token_lines import (
    Compare,
    WordTags,
    check_words,
    check_words_of_input,
    find_tokens,
    with_tokens,
)
from qeframe_wmt.readers.word.word_tables import WordTable, as_sentences, check_tags

Stream = Literal["words", "gaps", "source"]

_NAMES = ("LP", "METHOD", "TYPE", "SENT_ID", "WORD_IDX", "WORD", "TAG")
_TYPES: Mapping[Stream, str] = {"words": "mt", "gaps": "gap", "source": "source"}
_TOKENS: Mapping[Stream, str] = {"words": "mt_tok", "gaps": "", "source": "src_tok"}
_GOLD = ".tags"
_REMEDY, _EOS = "give one line for each tag of the gold", "; from 2022 on a sentence ends with a scored <EOS>"


def word_columns_2020(
    *,
    header_lines: int = 3,
    stream: Stream = "words",
    tokens: str = "",
    compare: Compare = "exact",
    published: str = "",
) -> Reader:
    """Read task folders whose submissions have the columns LP METHOD TYPE SENT_ID WORD_IDX WORD TAG, by tabs.

    The gold has the tags of one sentence a line; the first line is SENT_ID 0. In 2022 and 2023 the last word of every
    sentence is ``<EOS>``, which is tagged and scored like any other. An empty line is a sentence without tags, for
    which a submission has no line.

    PATH may be the repository of the task of 2022 as published instead, with the folders test_data-gold_labels and
    official_submissions.

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
    published : str
        The task of a repository whose language pairs are read: task1_word-level. The tokens are in the file whose name
        ends like `tokens`.

    Returns
    -------
    Reader
        Of `Tags`. A submission has the name of its file without suffix, since METHOD may be the name of a model; in a
        repository, the name of the team in the name of its folder. Language pairs of a repository that lack gold or
        submissions, and other tracks, are left out and counted.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt20 to wmt23; wmt-qe-2022-data.
    """
    check_header_count(header_lines, usual="0, 2 or 3")
    columns = _Columns(header_lines, stream, tokens, compare)
    return Reader(
        name="word_columns_2020",
        summary="folders of a task, header lines, then submissions of seven columns by tabs, gold of tag lines",
        source="WMT20-23 QE, word level",
        kind=Tags,
        read=partial(_read, columns=columns, published=published),
        example=partial(
            examples.columns_2020,
            header=header_lines,
            kind=_TYPES[stream],
            tokens=tokens or _TOKENS[stream],
            published=published,
        ),
        submission=SubmissionFormat(
            read=columns.submission, first=0, check=partial(check_words_of_input, compare=compare)
        ),
    )


def _read(path: Path, best: Best, *, columns: _Columns, published: str) -> Sequence[Reading]:
    if published and is_published(path):
        return _read_published(path, best, columns, published)
    readings = []
    for task in find_tasks(path):
        files = [read_text_lines(each, texts=True) for each in task.submissions]
        tokens = find_tokens(task, columns.tokens, _TOKENS[columns.stream])
        answers = [columns.answers(file, file.path.stem) for file in files]
        check_pairs(files, [pair for pair, _ in answers], task, line=columns.header + 1)
        words = [words for _, words in answers]
        readings.append(columns.reading(task.name, task.gold, files, words, tokens, best=best, root=path))
    return readings


def _read_published(root: Path, best: Best, columns: _Columns, name: str) -> Sequence[Reading]:
    task = find_published(root, name, _GOLD)
    readings = []
    for gold in task.golds:
        named = {team: read_text_lines(path, texts=True) for team, path in task.submissions[gold.pair].items()}
        answers = [columns.answers(file, team) for team, file in named.items()]
        for file, (pair, _) in zip(named.values(), answers, strict=True):
            check_own_pair(file, [pair], gold.pair, line=columns.header + 1)
        ending = _TOKENS[columns.stream] if not columns.tokens else columns.tokens
        beside = gold.beside(ending) if ending else None
        tokens = read_text_lines(beside, texts=True) if beside else None
        words = [words for _, words in answers]
        files = list(named.values())
        readings.append(columns.reading(gold.pair, gold.gold, files, words, tokens, best=best, root=root))
    if not readings:
        what = f"no language pair of {name} has gold and submissions"
        raise DataError(what, path=root, remedy="give the repository as published, or one of its parts")
    return with_dropped(readings, task.dropped)


@frozen
class _Columns:
    """The parameters of the format."""

    header: int
    stream: Stream
    tokens: str
    compare: Compare

    def answers(self, file: TextFile, name: str) -> tuple[str, WordTags]:
        """Return the language pair of a submission, and its sentences."""
        refuse_other_layout(file, columns_after_header(_NAMES, self.header, "word_columns_2020"))
        check_header(file, self.header, names=_NAMES, reader="word_columns_2020")
        pairs, methods, types, segments, indices, words, tags = columns_by_tab(file, _NAMES, skip=self.header)
        pair = only_text(pairs, "LP", file, skip=self.header)
        only_text(methods, "METHOD", file, skip=self.header)
        chosen = _rows_of_stream(types, self.stream, file, self.header)
        lines = np.arange(self.header + 1, len(file.lines) + 1)
        table = WordTable(
            file=file,
            lines=lines,
            sentences=whole_numbers(segments, file, skip=self.header),
            indices=whole_numbers(indices, file, skip=self.header),
            words=words,
            tags=tags,
        )
        if len(chosen) < len(lines):  # lines of other streams are not scored, and have to be right all the same
            check_tags(table)
            table = attrs.evolve(
                table,
                lines=lines[chosen],
                sentences=table.sentences[chosen],
                indices=table.indices[chosen],
                words=words.take(chosen),
                tags=tags.take(chosen),
            )
        found = as_sentences(table, name)
        stated = attrs.evolve(found.tags, stated=stated_numbers(file, self.header))
        return pair, attrs.evolve(found, tags=stated)

    def submission(self, path: Path) -> Sequence[Submitted]:
        """Return the sentences of one file, and the number of lines of other streams."""
        file = read_text_lines(path, texts=True)
        pair, words = self.answers(file, path.stem)
        others = self._others("", len(file.lines) - self.header - len(words.lines))
        return [Submitted(part=pair, answers=words.tags, content=words, dropped=others)]

    def _others(self, name: str, count: int) -> tuple[Dropped, ...]:
        note = Dropped(name, "line", count, f"of another TYPE than {_TYPES[self.stream]} in the submissions")
        return (note,) if count else ()

    def reading(
        self,
        name: str,
        path: Path,
        files: Sequence[TextFile],
        answers: Sequence[WordTags],
        tokens: TextFile | None,
        *,
        best: Best,
        root: Path,
    ) -> Reading:
        """Return the reading of a task; `path` is its gold, `root` the path that was given."""
        file = read_text_lines(path)
        gold = gold_tags(file)
        inputs = [input_of(each, root) for each in (file, *files, *([tokens] if tokens else []))]
        submissions = [with_empty_sentences(answer.tags, gold) for answer in answers]
        truth = with_tokens(gold, tokens) if tokens else None
        remedy = _REMEDY + (_EOS if self.header > 2 else "")
        reading = word_reading(name, gold, submissions, best=best, inputs=inputs, remedy=remedy)
        if truth:
            for answer in answers:
                check_words(truth, answer, self.compare)
        others = sum(len(f.lines) - self.header - len(a.lines) for f, a in zip(files, answers, strict=True))
        return attrs.evolve(reading, dropped=self._others(name, others))


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
