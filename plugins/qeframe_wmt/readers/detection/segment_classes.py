"""Numbers or classes of segments against a gold of two classes: critical errors, and hallucinations."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, Detections
from qeframe.plugin.readers import (
    LineFormat,
    Reader,
    Reading,
    SubmissionFormat,
    Submitted,
    TextFile,
    UnitValues,
    check_pairs,
    find_tasks,
    gold_by_line,
    input_of,
    parse_classes,
    parse_ids,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.formats.layouts import SEGMENT, check_header, check_header_count, lines_after_header, stated_numbers
from qeframe_wmt.formats.repositories import (
    Repository,
    answered_golds,
    check_own_pair,
    cloned_answers,
    find_published,
    gold_paths,
    hallucinations_of_2023,
    is_clone,
    is_published,
    with_dropped,
    without_gold,
)
from qeframe_wmt.formats.tables import only_text
from qeframe_wmt.readers.sentence.score_columns import ScoreColumns, answers_by_pair, golds_of_2023

_ENDING = ".label"
_NAMES = ("LP", "METHOD", "SEG", "LABEL")
_BLIND = ("ID", "SOURCE", "TARGET")


@frozen
class _Form:
    """The parameters of the format."""

    header: int
    classes: bool
    negated: bool
    gold_positive: float | None
    gold_ids: bool

    @property
    def columns(self) -> ScoreColumns:
        """The columns of submissions with numbers."""
        return ScoreColumns(header=self.header, first=0, missing=None)

    def turned(self, side: UnitValues) -> UnitValues:
        """Return numbers of which a high one speaks for an error."""
        return attrs.evolve(side, values=-side.values) if self.negated else side

    def submission(self, path: Path, *, several: bool) -> Sequence[Submitted]:
        """Return the answers of one file; `several` is whether it may have several language pairs."""
        if several:
            by_pair = self.columns.by_pair(read_text_lines(path), path.stem)
            return [Submitted(part=pair, answers=self.turned(side)) for pair, side in by_pair.items()]
        pair, side = self.answers(read_text_lines(path), path.stem)
        return [Submitted(part=pair, answers=side)]

    def input_with_ids(self, path: Path) -> Sequence[Submitted]:
        """Return the segments of a file of blind test data, ID SOURCE TARGET by tabs, or of another submission."""
        file = read_text_lines(path, texts=True)
        if file.lines[0].count("\t") == len(_BLIND) - 1:
            ids = parse_ids(split_columns(file, _BLIND, separator="\t")[0], file)
            lines = np.arange(1, len(ids) + 1)
            return [Submitted(answers=UnitValues(name="input", ids=ids, values=ids, path=str(path), lines=lines))]
        if len(file.lines) <= self.header or "\t" not in file.lines[self.header]:
            remedy = "give the blind test data, ID SOURCE TARGET by tabs, or a baseline"
            raise file.error("the input has no ids of segments: line numbers are no ids", line=1, remedy=remedy)
        return self.submission(path, several=False)

    def answers(self, file: TextFile, name: str) -> tuple[str, UnitValues]:
        """Return the language pair of a submission, and its answers."""
        if self.classes:
            check_header(file, self.header, names=_NAMES, reader="qe_detection")
            pair, classes = _class_columns(file, name, skip=self.header)
            return pair, attrs.evolve(classes, stated=stated_numbers(file, self.header))
        pair, side = self.columns.only_pair(file)
        return pair, attrs.evolve(self.turned(side), name=name)

    def lines(self) -> LineFormat:
        """Return what the lines of a submission hold."""
        answer = "is `0` or `1`: 1 for an error" if self.classes else "is your score of the segment: any finite number"
        positive = "low" if self.negated else "high"
        return lines_after_header(
            self.header,
            {
                "SEG": "is the id of the segment in the input of the task" if self.gold_ids else SEGMENT,
                "SCORE": answer if self.classes else f"{answer}, {positive} where you see an error",
            },
            answers={"SCORE": ("0", "1", "0") if self.classes else ("0.25", "-0.5", "1.125")},
        )

    def gold(self, file: TextFile) -> UnitValues:
        """Return the gold: 1 for a positive segment, 0 for another one."""
        if self.gold_positive is not None:
            numbers = gold_by_line(file, first=0)
            return attrs.evolve(numbers, values=(numbers.values == self.gold_positive).astype(np.float64))
        if self.gold_ids:
            if "\t" not in file.lines[0]:
                remedy = (
                    "give LP REFERENCE SEG LABEL by tabs, as in goldlabels.txt of the task: line numbers are no ids"
                )
                raise file.error("the gold has no ids of segments", line=1, remedy=remedy)
            return _class_columns(file, "gold", skip=0)[1]
        (labels,) = split_columns(file, ("LABEL",))
        ids = np.arange(len(labels))
        values = parse_classes(labels, file)
        path = str(file.path)
        return UnitValues(name="gold", ids=ids, values=values, path=path, lines=ids + 1, known_by="line_number")

    def reading(
        self,
        name: str,
        file: TextFile,
        files: Sequence[TextFile],
        sides: Sequence[UnitValues],
        *,
        best: Best,
        root: Path,
    ) -> Reading:
        """Return the reading of a task; `file` is its gold, `root` the path that was given."""
        gold = self.gold(file)
        return Reading(
            name=name,
            kind=Detections,
            gold=gold,
            submissions=tuple(sides),
            best=best,
            counts={"positive": int(gold.values.sum())},
            inputs=tuple(input_of(read, root) for read in (file, *files)),
        )


def _class_columns(file: TextFile, name: str, *, skip: int) -> tuple[str, UnitValues]:
    """Return the language pair and the classes of LP METHOD SEG LABEL; `skip` lines at the start are left out."""
    pairs, methods, segments, labels = split_columns(file, _NAMES, separator="\t", skip=skip)
    only_text(methods, "METHOD", file, skip=skip)
    return only_text(pairs, "LP", file, skip=skip), UnitValues(
        name=name,
        ids=parse_ids(segments, file, skip=skip),
        values=parse_classes(labels, file, skip=skip),
        path=str(file.path),
        lines=np.arange(skip + 1, len(file.lines) + 1),
    )


def qe_detection(
    *,
    header_lines: int = 3,
    answers: Literal["scores", "classes"] = "scores",
    positive: Literal["high", "low"] = "high",
    gold_positive: float | None = None,
    segments: Literal["lines", "ids"] = "lines",
    published: str = "",
    leaderboard: str = "",
    repository: Repository = "wmt22",
) -> Reader:
    """Read task folders whose submissions have the columns LP, METHOD, SEG and SCORE or LABEL, by tabs.

    The gold has the class of one segment a line, such as OK or BAD, NOT or ERR. The class of errors is positive. PATH
    may be a repository instead, in the layouts that `qe_sentence` describes: critical errors of 2021 and 2022, and
    hallucinations of 2023, which are the segments of its list among those with a gold of the sentence level.

    Parameters
    ----------
    header_lines : int
        The number of lines of one column before the table: two in 2021, three in 2022 and 2023.
    answers : {"scores", "classes"}
        Whether the last column of a submission has numbers or classes.
    positive : {"high", "low"}
        Whether a high or a low number of a submission speaks for an error. Low: all numbers are negated, so that a
        high one speaks for an error in all results. The repository of 2022 does not state it: on the constrained
        leaderboard it is low, on the unconstrained one high.
    gold_positive : float, optional
        The gold has one number a line, of which this one marks a positive segment: -100 for hallucinations in 2023.
    segments : {"lines", "ids"}
        What SEG is. lines: the line of the gold, from 0, as in 2022 and 2023. ids: an id that the gold states too, in
        the columns LP REFERENCE SEG LABEL by tabs, as in 2021.
    published : str
        The task of a repository whose language pairs are read: task3_ced, or task1_sentence_level in 2023.
    leaderboard : str
        The folder of the repository between the task and the language pairs: constrained or unconstrained.
    repository : {"wmt21", "wmt22", "wmt23"}
        The year of the repository.

    Returns
    -------
    Reader
        Of `Detections`. A submission has the name of its file without suffix; in a repository, the name of the team in
        the name of its folder. One whose LP column has the pair turned round is read, with a warning. Other
        leaderboards, and language pairs of a repository that lack gold or submissions, are left out and counted.

    Raises
    ------
    DataError
        For a negative number of header lines, for classes that are said to be positive if low, and for gold_positive
        with segments=ids.

    References
    ----------
    qe-eval-scripts, wmt21; wmt-qe-2022-data.
    """
    check_header_count(header_lines, usual="2 or 3")
    if answers == "classes" and positive == "low":
        raise DataError("classes have no order: positive=low is for scores", remedy="leave out positive=low")
    if segments == "ids" and gold_positive is not None:
        remedy = "leave out segments=ids or gold_positive"
        raise DataError("gold_positive is for a gold of one number a line, which has no ids", remedy=remedy)
    form = _Form(header_lines, answers == "classes", positive == "low", gold_positive, segments == "ids")
    return Reader(
        name="qe_detection",
        summary="folders of a task, header lines, then LP METHOD SEG SCORE by tabs, gold of two classes",
        source="WMT21-22 QE critical error detection, WMT23 QE hallucinations",
        kind=Detections,
        read=partial(_read, form=form, published=published, leaderboard=leaderboard, repository=repository),
        submission=SubmissionFormat(
            read=partial(form.submission, several=repository == "wmt23"),
            first=None if form.gold_ids else 0,
            read_input=form.input_with_ids if form.gold_ids else None,
            lines=form.lines(),
        ),
    )


def _read(
    path: Path, best: Best, *, form: _Form, published: str, leaderboard: str, repository: Repository
) -> Sequence[Reading]:
    if is_clone(path, repository):
        return (_read_hallucinations if repository == "wmt23" else _read_of_2021)(path, best, form, published)
    if published and is_published(path):
        return _read_published(path, best, form, published, leaderboard)
    readings = []
    for task in find_tasks(path):
        files = [read_text_lines(submission) for submission in task.submissions]
        pairs, sides = zip(*(form.answers(file, file.path.stem) for file in files), strict=True)
        check_pairs(files, pairs, task, line=form.header + 1)
        readings.append(form.reading(task.name, read_text_lines(task.gold), files, sides, best=best, root=path))
    return readings


def _read_of_2021(root: Path, best: Best, form: _Form, task: str) -> Sequence[Reading]:
    answers = cloned_answers(root, task, lambda file, name: dict([form.answers(file, name)]), header=form.header)
    golds = gold_paths(root, "wmt21", "goldlabels.txt")
    answered, unanswered = answered_golds(root, golds, answers)
    readings = []
    for pair, of_pair in answered.items():
        texts, sides = zip(*of_pair, strict=True)
        readings.append(form.reading(pair, read_text_lines(golds[pair]), texts, sides, best=best, root=root))
    return with_dropped(readings, without_gold(golds, answers) + unanswered, root=root, tasks=[task])


def _read_hallucinations(root: Path, best: Best, form: _Form, task: str) -> Sequence[Reading]:
    listed, hallucinated = hallucinations_of_2023(root)
    golds = golds_of_2023(root, hallucinated)
    answers, dropped = answers_by_pair(root, form.columns, task, golds)
    readings = []
    for pair, of_pair in answers.items():
        text, gold = golds[pair]
        marked = np.isin(gold.ids, list(hallucinated.get(pair, ()))).astype(np.float64)
        files, sides = zip(*of_pair, strict=True)
        readings.append(
            Reading(
                name=pair,
                kind=Detections,
                gold=attrs.evolve(gold, values=marked),
                submissions=tuple(map(form.turned, sides)),
                best=best,
                counts={"positive": int(marked.sum())},
                inputs=tuple(input_of(file, root) for file in (text, listed, *files)),
            )
        )
    return with_dropped(readings, dropped, root=root, tasks=[task])


def _read_published(root: Path, best: Best, form: _Form, name: str, leaderboard: str) -> Sequence[Reading]:
    task = find_published(root, name, _ENDING, leaderboard=leaderboard)
    readings = []
    for pair, gold in task.golds.items():
        named = {team: read_text_lines(path) for team, path in task.submissions[pair].items()}
        answers = [form.answers(file, team) for team, file in named.items()]
        turned = "-".join(reversed(pair.split("-")))
        for file, (stated, _) in zip(named.values(), answers, strict=True):
            if stated != turned:
                check_own_pair(file, [stated], pair, line=form.header + 1)
        remarks = [
            f"{side.name}: its LP is {turned}, the language pair turned round; it is read, as the official program does"
            for stated, side in answers
            if stated == turned
        ]
        sides = [side for _, side in answers]
        reading = form.reading(pair, read_text_lines(gold), list(named.values()), sides, best=best, root=root)
        readings.append(attrs.evolve(reading, remarks=tuple(remarks)))
    return with_dropped(readings, task.dropped, root=root, tasks=[name])
