"""Submissions of seven columns after some header lines: word level, 2020 to 2023."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from qeframe.plugin import Best, DataError, Tags
from qeframe.plugin.readers import Reader, Reading, SubmissionFormat, check_pairs, find_tasks, read_text_lines
from qeframe_wmt.examples import word as examples
from qeframe_wmt.formats.header_lines import check_header_count
from qeframe_wmt.formats.qe_clones import Repository, is_clone
from qeframe_wmt.formats.qe_repository import check_own_pair, find_published, is_published, with_dropped
from qeframe_wmt.readers.word.qe_clones import read_cloned_words
from qeframe_wmt.readers.word.token_lines import Compare, check_words_of_input, find_tokens
from qeframe_wmt.readers.word.word_columns import TYPES, Stream, WordColumns

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
        example=partial(
            examples.columns_2020,
            header=header_lines,
            kind=TYPES[stream],
            tokens=tokens or _TOKENS[stream],
            published=published if repository == "wmt22" else "",
        ),
        submission=SubmissionFormat(
            read=partial(columns.submission, several=repository != "wmt22"),
            first=0,
            check=partial(check_words_of_input, compare=compare),
        ),
    )


def _read(path: Path, best: Best, *, columns: WordColumns, published: str, repository: Repository) -> Sequence[Reading]:
    if is_clone(path, repository):
        return read_cloned_words(path, best, columns, repository, published)
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


def _read_published(root: Path, best: Best, columns: WordColumns, name: str) -> Sequence[Reading]:
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
