"""Explanations of quality estimates: a number for each token, and one for each sentence, 2021 and 2022."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Batch, Best, Ragged, Scores, TokenScores
from qeframe.plugin.readers import (
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    UnitValues,
    check_lengths,
    check_lines,
    find_tasks,
    gold_by_line,
    input_of,
    numbers_by_token,
    read_text_lines,
)
from qeframe_wmt.formats.layouts import read_alone
from qeframe_wmt.formats.repositories import find_published, is_published, with_dropped
from qeframe_wmt.readers.word.tagged_words import gold_tags

_SOURCE = "WMT21-22 explainable QE"
_WORDS, _SENTENCES = "target.submission", "sentence.submission"
_GOLDS = {"task1_word-level": ".tags", "task1_da": ".da_score", "task1_mqm": ".mqm_z_score"}
_REMEDY = "give one number for each tag of the gold; from 2022 on a sentence ends with a scored <EOS>"


@frozen(kw_only=True)
class _Form:
    """What a side of the task holds, the file in a folder of the repository, and how files are read."""

    kind: type[Batch]
    file: str
    gold: Callable[[TextFile], UnitValues]
    answers: Callable[[TextFile], UnitValues]  # the name of a submission is set later
    golds: Sequence[str]  # the tasks of the repository that have the gold


def explained_words(*, published: str = "") -> Reader:
    """Read task folders with a number for each token, one sentence a line, and a gold of tags.

    A high number says that the token is BAD. PATH may be the repository of the task of 2022 as published instead, with
    the folders test_data-gold_labels and official_submissions: a submission has a file target.submission, and the gold
    is that of the word level of task 1.

    Parameters
    ----------
    published : str
        The task of a repository whose language pairs are read: task2_explainQE.

    Returns
    -------
    Reader
        Of `TokenScores`. A submission has the name of its file without suffix; in a repository, the name of the team in
        the name of its folder. Language pairs of a repository that lack gold or submissions are left out and counted.

    References
    ----------
    wmt-qe-2022-data, task2_explainQE.
    """
    form = _Form(kind=TokenScores, file=_WORDS, gold=_tags, answers=_tokens, golds=["task1_word-level"])
    return Reader(
        name="explained_words",
        summary="folders of a task, a number for each token in submissions, tags in the gold, a sentence a line",
        source=_SOURCE,
        kind=TokenScores,
        read=partial(_read, form=form, published=published),
        submission=SubmissionFormat(read=partial(read_alone, read=_tokens), first=0, check=_check_tokens),
    )


def explained_sentences(*, published: str = "") -> Reader:
    """Read task folders with one number a sentence and line, in gold and submissions.

    PATH may be the repository of the task of 2022 as published instead: a submission has a file sentence.submission,
    and the gold is that of the sentence level of task 1, direct assessment or MQM.

    Parameters
    ----------
    published : str
        The task of a repository whose language pairs are read: task2_explainQE.

    Returns
    -------
    Reader
        Of `Scores`. A submission has the name of its file without suffix; in a repository, the name of the team in the
        name of its folder. Language pairs of a repository that lack gold or submissions are left out and counted.

    References
    ----------
    wmt-qe-2022-data, task2_explainQE.
    """
    form = _Form(kind=Scores, file=_SENTENCES, gold=_numbers, answers=_numbers, golds=["task1_da", "task1_mqm"])
    return Reader(
        name="explained_sentences",
        summary="folders of a task, one number a line in gold and submissions",
        source=_SOURCE,
        kind=Scores,
        read=partial(_read, form=form, published=published),
        submission=SubmissionFormat(read=partial(read_alone, read=_numbers), first=0),
    )


def _check_tokens(expected: Submitted, given: Submitted) -> None:
    check_lengths(expected.answers, given.answers, remedy="give one number for each token of the input", what="number")


def _tags(file: TextFile) -> UnitValues:
    gold = gold_tags(file)
    return attrs.evolve(
        gold, values=Ragged(gold.values.values.astype(float), gold.values.offsets), numbered_from=1, known_by="line"
    )


def _numbers(file: TextFile) -> UnitValues:
    return attrs.evolve(gold_by_line(file, first=0), numbered_from=1, known_by="line")


def _tokens(file: TextFile) -> UnitValues:
    side = numbers_by_token(file)
    ids = np.arange(len(side))
    return UnitValues(
        name="", ids=ids, values=side, path=str(file.path), lines=ids + 1, numbered_from=1, known_by="line"
    )


def _read(path: Path, best: Best, *, form: _Form, published: str) -> Sequence[Reading]:
    if published and is_published(path):
        return _read_published(path, best, form, published)
    return [
        _reading(task.name, task.gold, {file.stem: file for file in task.submissions}, form, best=best, root=path)
        for task in find_tasks(path)
    ]


def _read_published(root: Path, best: Best, form: _Form, name: str) -> Sequence[Reading]:
    readings, tasks = [], []
    for gold_task in form.golds:
        task = find_published(root, name, _GOLDS[gold_task], gold_task=gold_task, file=form.file)
        tasks.append(task)
        for pair, gold in task.golds.items():
            readings.append(_reading(pair, gold, task.submissions[pair], form, best=best, root=root))
    read = {reading.name for reading in readings}
    notes = [note for task in tasks for note in task.dropped if note.task not in read]
    once = {(note.task, note.what): note for note in notes}  # a language pair that no gold was read with
    return with_dropped(readings, list(once.values()), root=root, tasks=[name])


def _reading(name: str, gold_path: Path, paths: Mapping[str, Path], form: _Form, *, best: Best, root: Path) -> Reading:
    """Return the reading of a task; `root` is the path that was given."""
    file = read_text_lines(gold_path)
    gold = form.gold(file)
    files = {team: read_text_lines(path) for team, path in paths.items()}
    sides = [attrs.evolve(form.answers(answers), name=team) for team, answers in files.items()]
    if form.kind is TokenScores:
        for side in sides:
            check_lines(gold, side, what="number")
            check_lengths(gold, side, remedy=_REMEDY, what="number")
    return Reading(
        name=name,
        kind=form.kind,
        gold=gold,
        submissions=tuple(sides),
        best=best,
        inputs=tuple(input_of(read, root) for read in (file, *files.values())),
    )
