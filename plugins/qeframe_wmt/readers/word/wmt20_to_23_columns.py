"""Submissions of seven columns after some header lines, one word a line: word level, 2020 to 2023."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, BoolArray, DataError, Tags
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TableColumns,
    TextFile,
    has_file,
    parse_ids,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.layouts import (
    SEGMENT,
    WORD_COLUMNS,
    check_columns,
    check_header_count,
    lines_after_header,
    stated_numbers,
)
from qeframe_wmt.formats.repositories import (
    HALLUCINATED,
    LISTED,
    Published,
    Repository,
    check_hallucinations,
    gold_of_2023,
    gold_paths,
)
from qeframe_wmt.formats.tables import fixed_columns, pairs_in, sliced_columns, whole_numbers
from qeframe_wmt.formats.tasks import Form, Found, Golds
from qeframe_wmt.readers.word.tagged_words import (
    Compare,
    as_sentences,
    check_words_of_input,
    encoded_tags,
    find_tokens,
    gold_tags,
    word_reading,
)

Stream = Literal["words", "gaps", "source"]  # the lines that are scored, by their TYPE

TYPES: Mapping[Stream, str] = {"words": "mt", "gaps": "gap", "source": "source"}
"""The TYPE of the lines of each stream."""
_ENDS: Mapping[Stream, str] = {"words": "mt", "gaps": "gaps", "source": "src"}
_TOKENS: Mapping[Stream, str] = {"words": "mt_tok", "gaps": "", "source": "src_tok"}
_TASKS: Mapping[Repository, str] = {"wmt21": "task2_word", "wmt23": "task1_word_level"}
_REMEDY, _EOS = "give one line for each tag of the gold", "; from 2022 on a sentence ends with a scored <EOS>"
_OF_2023 = ("LP", "METHOD", "SEG", "TARGET", "TOKENS", "TAGS")


@frozen(kw_only=True)
class _Words(Form):
    """The parameters of the format; the gold has the tags of a sentence on a line."""

    texts: ClassVar[bool] = True

    stream: Stream
    tokens: str  # the name of a file of tokens; empty for the usual one
    compare: Compare  # how words are compared with tokens

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        check_columns(file, self.header, names=WORD_COLUMNS, reader="word_columns_2020")
        return self._sentences(file, name, self.header)

    def _sentences(self, file: TextFile, name: str, header: int) -> Sequence[Submitted]:
        table = sliced_columns(file, WORD_COLUMNS, header=header)
        table.only("METHOD")
        scored = _of_stream(table, self.stream)
        sentences, stated = table.read("SENT_ID", whole_numbers), stated_numbers(file, header)
        table = table.having("sentence", sentences).having("index", table.read("WORD_IDX", whole_numbers))
        if not scored.all():  # lines of other streams are not scored, and have to be right all the same
            encoded_tags(table)
        parts = []
        for pair, of_pair in pairs_in(table):
            rows = of_pair[scored[of_pair]]
            rows = rows[~np.isin(sentences[rows], list(self.left_out.get(pair, ())))]
            if len(rows):
                tagged = as_sentences(table if len(rows) == len(table) else table.take(rows), name)
                parts.append(attrs.evolve(tagged, tags=attrs.evolve(tagged.tags, stated=stated)).submitted(pair))
        others = self._others("", len(scored) - int(scored.sum()))
        return [attrs.evolve(part, dropped=() if nth else others) for nth, part in enumerate(parts)]

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        return [Submitted(answers=gold_tags(file))]

    def golds_of_clone(self, root: Path, published: Published) -> Golds:
        if _TASKS.get(published.repository) != published.task:
            tasks = " or ".join(f"{name} with repository={year}" for year, name in _TASKS.items())
            what = f"published: '{published.task}' is no task with words of {published.repository}"
            raise DataError(what, remedy=f"name {tasks}")
        if published.repository == "wmt23":
            return self._golds_of_2023(root)
        golds = {}
        for path in gold_paths(root, "wmt21", f"task2_wordlevel_{_ENDS[self.stream]}.tags").values():
            file = read_text_lines(path, texts=True)
            check_columns(file, 0, names=WORD_COLUMNS, reader="word_columns_2020")
            (gold,) = self._sentences(file, "gold", 0)
            golds[gold.part] = file, gold
        return golds

    def _golds_of_2023(self, root: Path) -> Golds:
        """Return the gold of 2023, with the tokens of the test data.

        Its own tokens have the quotation marks of a CSV file in some rows: a submission may have these, or those of the
        test data.
        """
        file, header = gold_of_2023(root, "task1_word_level")
        table = fixed_columns(file, _OF_2023, header=header)
        segments = table.read("SEG", parse_ids)
        marked = np.array([tag == HALLUCINATED for tag in table.cells["TAGS"]])
        check_hallucinations(table, segments, marked.tolist(), self.left_out)
        golds = {}
        for pair, of_pair in pairs_in(table):
            rows = of_pair[~marked[of_pair]]
            numbers = segments[rows].tolist()
            # two blanks in a row have an empty token between them
            tokens = [table.cells["TOKENS"][row].split(" ") for row in rows]
            given = [table.cells["TAGS"][row].split() for row in rows]
            for row, words, tags in zip(rows.tolist(), tokens, given, strict=True):
                if len(words) != len(tags):
                    what = f"{counted(len(tags), 'tag')} for {counted(len(words), 'token')}"
                    raise table.error(what, row, remedy="give one tag for each token, with one blank between")
            meant = _tokens_of_2023(root, pair, numbers, tokens)
            lengths = np.fromiter(map(len, meant), np.int64, len(meant))
            cells: dict[str, Any] = {
                "sentence": np.repeat(segments[rows], lengths),
                "index": np.concatenate([np.arange(length) for length in lengths]),
                "WORD": list(chain.from_iterable(meant)),
                "TAG": list(chain.from_iterable(given)),
            }
            words_of_pair = attrs.evolve(table.take(np.repeat(rows, lengths)), cells=cells)
            written = {n: words for n, words, other in zip(numbers, tokens, meant, strict=True) if words != other}
            golds[pair] = file, attrs.evolve(as_sentences(words_of_pair, "gold"), written=written).submitted()
        return golds

    def _others(self, name: str, count: int) -> tuple[Dropped, ...]:
        note = Dropped(name, "line", count, f"of another TYPE than {TYPES[self.stream]} in the submissions")
        return (note,) if count else ()

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        remedy = _REMEDY + (_EOS if self.header > 2 else "")
        read = partial(word_reading, found, best, root, remedy=remedy)
        if found.gold.content is not None:
            count = len(found.left_out)
            dropped = (Dropped(found.name, "unit", count, LISTED),) if count else ()
            return read(compare="no" if self.stream == "gaps" else self.compare, dropped=dropped)
        others = sum(note.count for _, part in found.answers for note in part.dropped)
        return read(tokens=self._tokens(found), compare=self.compare, dropped=self._others(found.name, others))

    def _tokens(self, found: Found) -> TextFile | None:
        folder, usual = found.file.path.parent, _TOKENS[self.stream]
        if not found.as_published:
            return find_tokens(folder, self.tokens, usual)
        ending = self.tokens or usual
        beside = [file for file in visible(folder) if file.name.endswith(ending)] if ending else []
        return read_text_lines(beside[0], texts=True) if len(beside) == 1 else None


def _of_stream(table: TableColumns, stream: Stream) -> BoolArray:
    """Return which rows are of a stream."""
    types: Any = table.cells["TYPE"]
    spellings = [types[0]] if types.count(types[0]) == len(types) else sorted(set(types))
    type_of = {spelling: spelling.strip().lower() for spelling in spellings}
    wanted, types_of_streams = TYPES[stream], TYPES.values()
    if not set(type_of.values()) <= set(types_of_streams):
        row = next(i for i, spelling in enumerate(types) if type_of[spelling] not in types_of_streams)
        raise table.error(f"unknown TYPE '{types[row]}'", row, remedy=f"a TYPE is {', '.join(types_of_streams)}")
    if wanted not in type_of.values():
        names = [name for name, kind in TYPES.items() if kind in type_of.values()]
        what = f"no line is of TYPE {wanted}, they are of {', '.join(spellings)}"
        raise table.error(what, 0, remedy=f"set stream={' or stream='.join(names)} in the reader")
    of_stream: BoolArray = np.any([types.equal_to(each) for each in spellings if type_of[each] == wanted], axis=0)
    return of_stream


def _tokens_of_2023(
    root: Path, pair: str, segments: Sequence[int], written: Sequence[Sequence[str]]
) -> Sequence[Sequence[str]]:
    """Return the tokens of the test data, where the gold has the marks of a CSV file; without them, of the gold."""
    path = root / "test_data_2023" / "task1_word_level" / pair / f"test.{pair.replace('-', '')}.final.tok.mt"
    if not has_file(path):
        return written
    file = read_text_lines(path, texts=True)
    of_segments = []
    for segment, words in zip(segments, written, strict=True):
        tokens = file.lines[segment].split(" ") if segment < len(file.lines) else []
        if len(tokens) != len(words):
            what = f"{counted(len(tokens), 'token')} of segment {segment}, the gold has {len(words)}"
            line = min(segment + 1, len(file.lines))
            raise file.error(what, line=line, remedy="give the test data and the gold of one clone")
        of_segments.append(tokens)
    return of_segments


def word_columns_2020(
    *,
    header_lines: int = 3,
    stream: Stream = "words",
    tokens: str = "",
    compare: Compare = "exact",
    published: str = "",
    repository: Repository = "wmt22",
) -> Reader:
    """Read task folders whose submissions have the columns LP METHOD TYPE SENT_ID WORD_IDX WORD TAG, by tabs.

    The gold has the tags of one sentence a line; the first line is SENT_ID 0. In 2022 and 2023 the last word of every
    sentence is ``<EOS>``, which is tagged and scored like any other. An empty line is a sentence without tags, for
    which a submission has no line.

    PATH may be a repository instead, in the layouts that `qe_sentence` describes. In 2021 a submission has a file for
    each stream: predictions_mt.txt, predictions_gaps.txt and predictions_src.txt.

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
        The task of a repository whose language pairs are read: task1_word-level in 2022, where the tokens are in the
        file whose name ends like `tokens`; task2_word in 2021 and task1_word_level in 2023, where the gold has them.
    repository : {"wmt21", "wmt22", "wmt23"}
        The year of the repository. In 2023 the segments in its list of hallucinations are left out and counted.

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
    words = _Words(header=header_lines, stream=stream, tokens=tokens, compare=compare)
    file = f"predictions_{_ENDS[stream]}.txt" if repository == "wmt21" else "predictions.txt"
    task = Published(task=published, golds={published: ".tags"}, repository=repository, file=file)
    return Reader(
        name="word_columns_2020",
        summary="folders of a task, header lines, then submissions of seven columns by tabs, gold of tag lines",
        source="WMT20-23 QE, word level",
        kind=Tags,
        read=partial(words.read, published=[task] if published or repository != "wmt22" else ()),
        submission=SubmissionFormat(
            read=partial(words.alone, several=repository != "wmt22"),
            first=0,
            check=partial(check_words_of_input, compare=compare),
            lines=lines_after_header(
                header_lines,
                {
                    "TYPE": f"is `{TYPES[stream]}`, in small or capital letters",
                    "SENT_ID": SEGMENT,
                    "WORD_IDX": "is the number of the token in the segment, from 0",
                    "WORD": "is the token itself, as the input of the task has it",
                    "TAG": "is your tag of the token: `OK` or `BAD`",
                },
                answers={"TAG": ("OK", "BAD", "OK")},
            ),
        ),
    )
