"""Explanations of quality estimates: a number for each token, and one for each sentence, 2021 and 2022."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import Best, Ragged, Scores, TokenScores
from qeframe.plugin.readers import (
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    UnitValues,
    check_lengths,
    check_lines,
    gold_by_line,
    numbers_by_token,
)
from qeframe_wmt.formats.repositories import Published
from qeframe_wmt.formats.tasks import Form, Found
from qeframe_wmt.readers.word.tagged_words import gold_tags

_SOURCE = "WMT21-22 explainable QE"
_REMEDY = "give one number for each tag of the gold; from 2022 on a sentence ends with a scored <EOS>"


class _Tokens(Form):
    """A number for each token, a sentence a line, and a gold of tags."""

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        side = numbers_by_token(file)
        ids, path = np.arange(len(side)), str(file.path)
        values = UnitValues(name=name, ids=ids, values=side, path=path, lines=ids + 1, numbered_from=1, known_by="line")
        return [Submitted(answers=values)]

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        gold = gold_tags(file)
        numbers = Ragged(gold.values.values.astype(float), gold.values.offsets)
        return [Submitted(answers=attrs.evolve(gold, values=numbers, numbered_from=1, known_by="line"))]

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        for _, part in found.answers:
            check_lines(found.gold.answers, part.answers, what="number")
            check_lengths(found.gold.answers, part.answers, remedy=_REMEDY, what="number")
        return found.reading(TokenScores, best, root)


class _Sentences(Form):
    """A number for each sentence, one a line."""

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        numbers = gold_by_line(file, first=0)
        return [Submitted(answers=attrs.evolve(numbers, name=name, numbered_from=1, known_by="line"))]

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        return found.reading(Scores, best, root)


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
    form = _Tokens()
    task = Published(task=published, golds={"task1_word-level": ".tags"}, file="target.submission")
    return Reader(
        name="explained_words",
        summary="folders of a task, a number for each token in submissions, tags in the gold, a sentence a line",
        source=_SOURCE,
        kind=TokenScores,
        read=partial(form.read, published=[task] if published else ()),
        submission=SubmissionFormat(read=form.alone, first=0, check=_check_tokens),
    )


def _check_tokens(expected: Submitted, given: Submitted) -> None:
    check_lengths(expected.answers, given.answers, remedy="give one number for each token of the input", what="number")


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
    form = _Sentences()
    golds = {"task1_da": ".da_score", "task1_mqm": ".mqm_z_score"}
    task = Published(task=published, golds=golds, file="sentence.submission")
    return Reader(
        name="explained_sentences",
        summary="folders of a task, one number a line in gold and submissions",
        source=_SOURCE,
        kind=Scores,
        read=partial(form.read, published=[task] if published else ()),
        submission=SubmissionFormat(read=form.alone, first=0),
    )
