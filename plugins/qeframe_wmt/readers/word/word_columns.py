"""Files of seven columns after some header lines, one word a line, and the reading of their tags."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, IntArray
from qeframe.plugin.readers import Dropped, Reading, Submitted, TextFile, input_of, read_text_lines
from qeframe_wmt.formats.layouts import WORD_COLUMNS, check_columns, stated_numbers
from qeframe_wmt.formats.tables import TextColumn, check_pair_names, columns_by_tab, only_text, whole_numbers
from qeframe_wmt.readers.word.tagged_words import (
    Compare,
    WordTable,
    WordTags,
    as_sentences,
    check_tags,
    check_words,
    gold_tags,
    with_empty_sentences,
    with_tokens,
    word_reading,
)

Stream = Literal["words", "gaps", "source"]  # the lines that are scored, by their TYPE

TYPES: Mapping[Stream, str] = {"words": "mt", "gaps": "gap", "source": "source"}  # the TYPE of the lines of each stream

REMEDY, EOS = "give one line for each tag of the gold", "; from 2022 on a sentence ends with a scored <EOS>"


@frozen
class WordColumns:
    """The parameters of the format."""

    header: int
    stream: Stream
    tokens: str  # the name of a file of tokens; empty for the usual one
    compare: Compare  # how words are compared with tokens

    def answers(self, file: TextFile, name: str) -> tuple[str, WordTags]:
        """Return the language pair of a submission, which has one, and its sentences."""
        pairs, table = self._table(file)
        return only_text(pairs, "LP", file, skip=self.header), self._sentences(table, name)

    def by_pair(self, file: TextFile, name: str, left_out: Mapping[str, frozenset[int]] = {}) -> dict[str, WordTags]:
        """Return the sentences of a submission for each of its language pairs, without those that are left out."""
        pairs, table = self._table(file)
        sentences, left = {}, np.arange(len(pairs))
        while len(left):
            pair = pairs[int(left[0])]
            check_pair_names([pair], file, skip=int(table.lines[left[0]]) - 1)
            rows = np.flatnonzero(pairs.equal_to(pair))
            scored = rows[~np.isin(table.sentences[rows], list(left_out.get(pair, ())))]
            if len(scored):
                sentences[pair] = self._sentences(_rows_of(table, scored), name)
            left = np.setdiff1d(left, rows, assume_unique=True)
        return sentences

    def _table(self, file: TextFile) -> tuple[TextColumn, WordTable]:
        """Return the language pair of every line of the stream, and the words."""
        check_columns(file, self.header, names=WORD_COLUMNS, reader="word_columns_2020")
        pairs, methods, types, segments, indices, words, tags = columns_by_tab(file, WORD_COLUMNS, skip=self.header)
        only_text(methods, "METHOD", file, skip=self.header)
        chosen = _rows_of_stream(types, self.stream, file, self.header)
        table = WordTable(
            file=file,
            lines=np.arange(self.header + 1, len(file.lines) + 1),
            sentences=whole_numbers(segments, file, skip=self.header),
            indices=whole_numbers(indices, file, skip=self.header),
            words=words,
            tags=tags,
        )
        if len(chosen) < len(pairs):  # lines of other streams are not scored, and have to be right all the same
            check_tags(table)
            table, pairs = _rows_of(table, chosen), pairs.take(chosen)
        return pairs, table

    def _sentences(self, table: WordTable, name: str) -> WordTags:
        words = as_sentences(table, name)
        return attrs.evolve(words, tags=attrs.evolve(words.tags, stated=stated_numbers(table.file, self.header)))

    def submission(self, path: Path, *, several: bool) -> Sequence[Submitted]:
        """Return the sentences of one file, which may have `several` pairs, and the count of lines of other streams."""
        file = read_text_lines(path, texts=True)
        by_pair = self.by_pair(file, path.stem) if several else dict([self.answers(file, path.stem)])
        others = self._others("", len(file.lines) - self.header - sum(len(words.lines) for words in by_pair.values()))
        return [
            Submitted(part=pair, answers=words.tags, content=words, dropped=() if nth else others)
            for nth, (pair, words) in enumerate(by_pair.items())
        ]

    def _others(self, name: str, count: int) -> tuple[Dropped, ...]:
        note = Dropped(name, "line", count, f"of another TYPE than {TYPES[self.stream]} in the submissions")
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
        inputs = [input_of(used, root) for used in (file, *files, *([tokens] if tokens else []))]
        submissions = [with_empty_sentences(answer.tags, gold) for answer in answers]
        truth = with_tokens(gold, tokens) if tokens else None
        remedy = REMEDY + (EOS if self.header > 2 else "")
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
    wanted, types_of_streams = TYPES[stream], TYPES.values()
    if not set(type_of.values()) <= set(types_of_streams):
        row = next(i for i, spelling in enumerate(types) if type_of[spelling] not in types_of_streams)
        what = f"unknown TYPE '{types[row]}'"
        raise file.error(what, line=row + header + 1, remedy=f"a TYPE is {', '.join(types_of_streams)}")
    if wanted not in type_of.values():
        names = [name for name, kind in TYPES.items() if kind in type_of.values()]
        what = f"no line is of TYPE {wanted}, they are of {', '.join(spellings)}"
        raise file.error(what, line=header + 1, remedy=f"set stream={' or stream='.join(names)} in the reader")
    of_stream = [types.equal_to(spelling) for spelling in spellings if type_of[spelling] == wanted]
    return np.flatnonzero(np.any(of_stream, axis=0))


def _rows_of(table: WordTable, rows: IntArray) -> WordTable:
    """Return some rows of a table whose words and tags are columns."""
    assert isinstance(table.words, TextColumn)
    assert isinstance(table.tags, TextColumn)
    return attrs.evolve(
        table,
        lines=table.lines[rows],
        sentences=table.sentences[rows],
        indices=table.indices[rows],
        words=table.words.take(rows),
        tags=table.tags.take(rows),
    )
