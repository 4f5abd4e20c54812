"""Submissions of seven columns after some header lines: word level, 2020 to 2023."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import Best, DataError, Tags
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import (
    Dropped,
    Reader,
    Reading,
    SubmissionFormat,
    TextFile,
    check_pairs,
    find_tasks,
    has_file,
    input_of,
    parse_ids,
    read_text_lines,
    split_columns,
    visible,
)
from qeframe_wmt.formats.layouts import SEGMENT, check_header_count, lines_after_header
from qeframe_wmt.formats.repositories import (
    HALLUCINATED,
    LISTED,
    Repository,
    answered_golds,
    check_hallucinations,
    check_own_pair,
    cloned_answers,
    find_published,
    gold_of_2023,
    gold_paths,
    hallucinations_of_2023,
    is_clone,
    is_published,
    with_dropped,
    without_gold,
)
from qeframe_wmt.readers.word.tagged_words import (
    Compare,
    WordTable,
    WordTags,
    as_sentences,
    check_words,
    check_words_of_input,
    find_tokens,
    with_empty_sentences,
    word_reading,
)
from qeframe_wmt.readers.word.word_columns import EOS, REMEDY, TYPES, Stream, WordColumns

_TASKS: Mapping[Repository, str] = {"wmt21": "task2_word", "wmt23": "task1_word_level"}
_ENDS: Mapping[Stream, str] = {"words": "mt", "gaps": "gaps", "source": "src"}
_OF_2023 = ("LP", "METHOD", "SEG", "TARGET", "TOKENS", "TAGS")


def read_cloned_words(
    root: Path, best: Best, columns: WordColumns, repository: Repository, task: str
) -> Sequence[Reading]:
    """Read the language pairs of a task.

    Segments that the list of 2023 names as hallucinations are left out of gold and submissions, and counted. The tokens
    of that year's gold have the quotation marks of a CSV file in some rows: a submission may have these tokens, or
    those of the test data.
    """
    if _TASKS.get(repository) != task:
        tasks = " or ".join(f"{name} with repository={year}" for year, name in _TASKS.items())
        raise DataError(f"published: '{task}' is no task with words of {repository}", remedy=f"name {tasks}")
    of_2023 = repository == "wmt23"
    listed, left_out = hallucinations_of_2023(root) if of_2023 else (None, {})
    golds = _golds_of_2023(root, left_out) if of_2023 else _golds_of_2021(root, columns)
    name = "predictions.txt" if of_2023 else f"predictions_{_ENDS[columns.stream]}.txt"
    read = partial(columns.by_pair, left_out=left_out)
    answers = cloned_answers(root, task, read, header=columns.header, file=name, texts=True)
    answered, unanswered = answered_golds(root, golds, answers)
    readings = []
    remedy = REMEDY + (EOS if columns.header > 2 else "")
    for pair, of_pair in answered.items():
        gold, truth = golds[pair], golds[pair].words
        submissions = [with_empty_sentences(words.tags, truth.tags) for _, words in of_pair]
        files = [gold.file, *([listed] if listed else []), *(file for file, _ in of_pair)]
        inputs = [input_of(file, root) for file in files]
        reading = word_reading(pair, truth.tags, submissions, best=best, inputs=inputs, remedy=remedy)
        if columns.stream != "gaps":
            for _, words in of_pair:
                check_words(truth, _with_test_tokens(words, gold), columns.compare)
        count = len(left_out.get(pair, ()))
        readings.append(attrs.evolve(reading, dropped=(Dropped(pair, "unit", count, LISTED),) if count else ()))
    return with_dropped(readings, unanswered + without_gold(golds, answers), root=root, tasks=[task])


@frozen
class _Gold:
    """The gold of a language pair, and the tokens of each segment whose gold has other ones than the test data."""

    file: TextFile
    words: WordTags
    written: Mapping[int, Sequence[str]] = field(factory=dict)


def _with_test_tokens(answer: WordTags, gold: _Gold) -> WordTags:
    """Return a submission with the tokens of the test data where it has those of the gold."""
    if not gold.written:
        return answer
    words = list(answer.words)
    ours, theirs = ({unit: row for row, unit in enumerate(side.tags.ids.tolist())} for side in (gold.words, answer))
    for segment, written in gold.written.items():
        if segment in theirs:
            begin, end = answer.tags.values.offsets[theirs[segment] :][:2]
            if list(map(str.lower, words[begin:end])) == list(map(str.lower, written)):
                first = gold.words.tags.values.offsets[ours[segment]]
                words[begin:end] = gold.words.words[first : first + len(written)]
    return attrs.evolve(answer, words=words)


def _golds_of_2021(root: Path, columns: WordColumns) -> dict[str, _Gold]:
    """Return the gold of each language pair, which has the columns of a submission."""
    as_gold = attrs.evolve(columns, header=0)
    golds = {}
    for path in gold_paths(root, "wmt21", f"task2_wordlevel_{_ENDS[columns.stream]}.tags").values():
        file = read_text_lines(path, texts=True)
        pair, words = as_gold.answers(file, "gold")
        golds[pair] = _Gold(file, words)
    return golds


def _golds_of_2023(root: Path, left_out: Mapping[str, frozenset[int]]) -> dict[str, _Gold]:
    file, skip = gold_of_2023(root, "task1_word_level")
    pairs, _, numbers, _, cells, tags = split_columns(file, _OF_2023, separator="\t", skip=skip)
    segments = parse_ids(numbers, file, skip=skip)
    marked = [tag == HALLUCINATED for tag in tags]
    check_hallucinations(file, pairs, segments, marked, left_out, skip=skip)
    golds = {}
    for pair in dict.fromkeys(pairs):
        rows = np.array([row for row, other in enumerate(pairs) if other == pair and not marked[row]], np.int64)
        tokens = [cells[row].split(" ") for row in rows]  # two blanks in a row have an empty token between them
        given = [tags[row].split() for row in rows]
        for row, words, of_words in zip(rows, tokens, given, strict=True):
            if len(words) != len(of_words):
                what = f"{counted(len(of_words), 'tag')} for {counted(len(words), 'token')}"
                remedy = "give one tag for each token, with one blank between"
                raise file.error(what, line=int(row) + skip + 1, remedy=remedy)
        meant = _tokens_of_2023(root, pair, segments[rows].tolist(), tokens)
        lengths = np.fromiter(map(len, meant), np.int64, len(meant))
        table = WordTable(
            file=file,
            lines=np.repeat(rows + skip + 1, lengths),
            sentences=np.repeat(segments[rows], lengths),
            indices=np.concatenate([np.arange(length) for length in lengths]),
            words=list(chain.from_iterable(meant)),
            tags=list(chain.from_iterable(given)),
        )
        pairwise = zip(segments[rows].tolist(), tokens, meant, strict=True)
        written = {segment: words for segment, words, other in pairwise if words != other}
        golds[pair] = _Gold(file, as_sentences(table, "gold"), written)
    return golds


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


_TOKENS: Mapping[Stream, str] = {"words": "mt_tok", "gaps": "", "source": "src_tok"}
_GOLD = ".tags"


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
    columns = WordColumns(header_lines, stream, tokens, compare)
    return Reader(
        name="word_columns_2020",
        summary="folders of a task, header lines, then submissions of seven columns by tabs, gold of tag lines",
        source="WMT20-23 QE, word level",
        kind=Tags,
        read=partial(_read, columns=columns, published=published, repository=repository),
        submission=SubmissionFormat(
            read=partial(columns.submission, several=repository != "wmt22"),
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


def _read(path: Path, best: Best, *, columns: WordColumns, published: str, repository: Repository) -> Sequence[Reading]:
    if is_clone(path, repository):
        return read_cloned_words(path, best, columns, repository, published)
    if published and is_published(path):
        return _read_published(path, best, columns, published)
    readings = []
    for task in find_tasks(path):
        files = [read_text_lines(submission, texts=True) for submission in task.submissions]
        tokens = find_tokens(task, columns.tokens, _TOKENS[columns.stream])
        answers = [columns.answers(file, file.path.stem) for file in files]
        check_pairs(files, [pair for pair, _ in answers], task, line=columns.header + 1)
        words = [words for _, words in answers]
        readings.append(columns.reading(task.name, task.gold, files, words, tokens, best=best, root=path))
    return readings


def _read_published(root: Path, best: Best, columns: WordColumns, name: str) -> Sequence[Reading]:
    task = find_published(root, name, _GOLD)
    readings = []
    for pair, gold in task.golds.items():
        named = {team: read_text_lines(path, texts=True) for team, path in task.submissions[pair].items()}
        answers = [columns.answers(file, team) for team, file in named.items()]
        for file, (stated, _) in zip(named.values(), answers, strict=True):
            check_own_pair(file, [stated], pair, line=columns.header + 1)
        ending = columns.tokens or _TOKENS[columns.stream]
        beside = [file for file in visible(gold.parent) if file.name.endswith(ending)] if ending else []
        tokens = read_text_lines(beside[0], texts=True) if len(beside) == 1 else None
        words = [words for _, words in answers]
        files = list(named.values())
        readings.append(columns.reading(pair, gold, files, words, tokens, best=best, root=root))
    return with_dropped(readings, task.dropped, root=root, tasks=[name])
