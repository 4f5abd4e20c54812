"""Numbers or classes of segments against a gold of two classes: critical errors, and hallucinations."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar, Literal

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
    gold_by_line,
    parse_classes,
    parse_ids,
    read_text_lines,
)
from qeframe_wmt.formats.layouts import SEGMENT, check_header, check_header_count, lines_after_header, stated_numbers
from qeframe_wmt.formats.repositories import Published, Repository
from qeframe_wmt.formats.tables import fixed_columns
from qeframe_wmt.formats.tasks import Found, Golds, parts_of
from qeframe_wmt.readers.sentence.wmt20_to_24_columns import ScoreColumns

_GOLD, _OF_CLONE = ".label", "goldlabels.txt"
_NAMES = ("LP", "METHOD", "SEG", "LABEL")
_BLIND = ("ID", "SOURCE", "TARGET")


@frozen(kw_only=True)
class _Classes(ScoreColumns):
    """The parameters of the format."""

    turned: ClassVar[bool] = True

    classes: bool
    negated: bool
    gold_positive: float | None
    gold_ids: bool

    def answers(self, file: TextFile, name: str) -> Sequence[Submitted]:
        if self.classes:
            check_header(file, self.header, names=_NAMES, reader="qe_detection")
            return self._class_columns(file, name, self.header)
        parts = super().answers(file, name)
        if not self.negated:
            return parts
        return [attrs.evolve(part, answers=attrs.evolve(part.answers, values=-part.answers.values)) for part in parts]

    def _class_columns(self, file: TextFile, name: str, header: int) -> Sequence[Submitted]:
        """Return the classes of LP METHOD SEG LABEL, after some header lines."""
        table = fixed_columns(file, _NAMES, header=header)
        table.only("METHOD")
        ids, classes = table.read("SEG", parse_ids), table.read("LABEL", parse_classes)
        return parts_of(table, table.side(name, ids, classes, stated=stated_numbers(file, header)))

    def input_with_ids(self, path: Path) -> Sequence[Submitted]:
        """Return the segments of a file of blind test data, ID SOURCE TARGET by tabs, or of another submission."""
        file = read_text_lines(path, texts=True)
        if file.lines[0].count("\t") == len(_BLIND) - 1:
            table = fixed_columns(file, _BLIND)
            ids = table.read("ID", parse_ids)
            return [Submitted(answers=table.side("input", ids, ids))]
        if len(file.lines) <= self.header or "\t" not in file.lines[self.header]:
            remedy = "give the blind test data, ID SOURCE TARGET by tabs, or a baseline"
            raise file.error("the input has no ids of segments: line numbers are no ids", line=1, remedy=remedy)
        return self.alone(path)

    def golds(self, file: TextFile) -> Sequence[Submitted]:
        if self.gold_positive is not None:
            numbers = gold_by_line(file, first=0)
            positive = (numbers.values == self.gold_positive).astype(np.float64)
            return [Submitted(answers=attrs.evolve(numbers, values=positive))]
        if self.gold_ids:
            if "\t" not in file.lines[0]:
                remedy = (
                    "give LP REFERENCE SEG LABEL by tabs, as in goldlabels.txt of the task: line numbers are no ids"
                )
                raise file.error("the gold has no ids of segments", line=1, remedy=remedy)
            return [attrs.evolve(part, part="") for part in self._class_columns(file, "gold", 0)]
        table = fixed_columns(file, ("LABEL",), separator="blanks")
        classes = table.read("LABEL", parse_classes)
        return [Submitted(answers=table.side("gold", np.arange(len(classes)), classes, known_by="line_number"))]

    def golds_of_clone(self, root: Path, published: Published) -> Golds:
        golds = super().golds_of_clone(root, published)
        if published.repository != "wmt23":
            return golds

        def marked(pair: str, gold: UnitValues) -> Submitted:
            listed = np.isin(gold.ids, list(self.left_out.get(pair, ())))
            return Submitted(answers=attrs.evolve(gold, values=listed.astype(np.float64)))

        return {pair: (file, marked(pair, gold.answers)) for pair, (file, gold) in golds.items()}

    def reading(self, found: Found, best: Best, root: Path) -> Reading:
        what = "the language pair turned round; it is read, as the official program does"
        remarks = [
            f"{part.answers.name}: its LP is {part.part}, {what}"
            for _, part in found.answers
            if found.as_published and part.part != found.name
        ]
        counts = {"positive": int(found.gold.answers.values.sum())}
        return found.reading(Detections, best, root, counts=counts, remarks=tuple(remarks))

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
    form = _Classes(
        header=header_lines,
        classes=answers == "classes",
        negated=positive == "low",
        gold_positive=gold_positive,
        gold_ids=segments == "ids",
    )
    gold = _GOLD if repository == "wmt22" else _OF_CLONE
    task = Published(task=published, golds={published: gold}, repository=repository, leaderboard=leaderboard)
    return Reader(
        name="qe_detection",
        summary="folders of a task, header lines, then LP METHOD SEG SCORE by tabs, gold of two classes",
        source="WMT21-22 QE critical error detection, WMT23 QE hallucinations",
        kind=Detections,
        read=partial(form.read, published=[task] if published else ()),
        submission=SubmissionFormat(
            read=partial(form.alone, several=repository == "wmt23"),
            first=None if form.gold_ids else 0,
            read_input=form.input_with_ids if form.gold_ids else None,
            lines=form.lines(),
        ),
    )
