"""A submission checked alone, without the gold: its format, and its units against the public input of the task."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from qeframe.core import metric_calls as checked
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.metric import Metric
from qeframe.core.reader import Reader
from qeframe.core.reading import Submitted, UnitValues
from qeframe.core.submission_format import SubmissionFormat
from qeframe.data.align import and_more, check_unique, check_units
from qeframe.data.reader_checks import read_submission
from qeframe.data.text_lines import read_text_lines


def validate_submission(reader: Reader, path: Path, like: Path | None = None) -> list[Submitted]:
    """Read a submission by the parser of a reader, and compare its units with those of an input.

    Parameters
    ----------
    reader : Reader
        The reader of a profile.
    path : Path
        One file, as a participant hands it in.
    like : Path, optional
        The public input of the task: a text with one source segment a line, a file in the format of the submission such
        as a baseline, or the input in the format of the task.

    Returns
    -------
    list of Submitted
        One for each language pair or system of the file.

    Raises
    ------
    DataError
        If the reader cannot read a submission alone, the file is not in its format, a unit occurs twice, or the units
        are not those of the input.
    """
    form = reader.submission
    if form is None:
        what = f"the reader '{reader.name}' cannot read a submission without the gold"
        raise DataError(what, remedy="use 'qeframe run' with a gold of your own")
    given = read_submission(reader, path, form.read)
    for part in given:
        check_unique(part.answers)
    if like is not None:
        _check_like(reader, form, given, path, like)
    return given


def check_defined(reader: Reader, metric: Metric, parts: Sequence[Submitted]) -> None:
    """Raise a `DataError` if a submission has no score, or the degenerate one, whatever the gold is, as a constant.

    The answers are scored against themselves, and against the worst answers to these: a metric that has a score in one
    of the two cases depends on the gold. Of answers that are no gold, such as tags by word, nothing is said.

    Parameters
    ----------
    reader : Reader
    metric : Metric
        The one that ranks submissions.
    parts : sequence of Submitted
        Of one file.
    """
    sides = [part.answers.values for part in parts]
    if reader.kind.crossed:  # a part is a system, a column of the grid
        sides = [np.column_stack(sides)] if len({len(side) for side in sides}) == 1 else []
    for part, side in zip(parts, sides, strict=False):
        scores = _scores_of(reader, metric, side)
        if scores and all(np.isnan(score) or score == metric.degenerate for score in scores):
            where = f" in {part.part}" if part.part and not reader.kind.crossed else ""
            what = f"{metric.name} is undefined for these answers{where}"
            raise DataError(what, path=part.answers.path or None, remedy="check that they are not all the same")


def _scores_of(reader: Reader, metric: Metric, side: Any) -> list[float]:
    """Return the scores of answers against themselves and the worst ones; none if they are one or cannot be a gold."""
    try:
        golds = (side, reader.kind.worst_answers(side, side)) if isinstance(side, np.ndarray) and len(side) > 1 else ()
        batches = [reader.kind.from_plain(gold, side) for gold in golds]
        return [float(checked.bind(metric, batch)(np.ones(len(batch)))) for batch in batches]
    except QeframeError:
        return []


def _check_like(reader: Reader, form: SubmissionFormat, given: Sequence[Submitted], path: Path, like: Path) -> None:
    expected = _of_input(reader, form, like)
    is_text = expected is None
    if expected is None:
        expected = _of_text(reader, form, given, like)
    _check_parts(form, given, expected, path, like)
    for part in given:
        wanted = next(file for file in expected if file.part == part.part or not (file.part and part.part))
        if form.check is not None and not is_text:
            form.check(wanted, part)
        check_units(part.answers, wanted.answers)


def _of_input(reader: Reader, form: SubmissionFormat, like: Path) -> list[Submitted] | None:
    """Return what an input of the task, or another submission, asks for; None if the file is a text."""
    if form.read_input is not None:
        return read_submission(reader, like, form.read_input)
    try:
        return read_submission(reader, like, form.read)
    except DataError:
        if any("\t" in line for line in read_text_lines(like, texts=True).lines):
            raise
        return None


def _of_text(reader: Reader, form: SubmissionFormat, given: Sequence[Submitted], like: Path) -> list[Submitted]:
    """Return what a text with one source segment a line asks for."""
    parts = list(dict.fromkeys(part.part for part in given))
    remedy = "give a file in the format of the submission, such as a baseline"
    if form.first is None:
        what = f"it is not in the format of the submission, and the units of '{reader.name}' are not lines of a text"
        raise DataError(what, path=like, remedy=remedy)
    if form.parts == "language pair" and len(parts) > 1:
        what = f"a source text has one language pair, the submission has {len(parts)}"
        raise DataError(what, path=like, remedy=remedy)
    lines = np.arange(len(read_text_lines(like, texts=True).lines))
    units = UnitValues(name="input", ids=lines + form.first, values=lines, path=str(like), lines=lines + 1)
    return [Submitted(answers=units, part=part) for part in parts]


def _check_parts(
    form: SubmissionFormat, given: Sequence[Submitted], expected: Sequence[Submitted], path: Path, like: Path
) -> None:
    """Raise a `DataError` if the parts of a submission are not those of the input; a single one may be unnamed."""
    theirs, ours = (list(dict.fromkeys(part.part for part in parts)) for parts in (given, expected))
    if theirs == [""] or ours == [""]:
        return
    for part in given:
        if part.part not in ours:
            line = part.answers.line(0) if len(part.answers.ids) else None
            what = f"{form.parts} '{part.part}' is not in {like}"
            raise DataError(what, path=path, line=line, remedy=f"the input has {', '.join(ours)}")
    missing = [name for name in ours if name not in theirs]
    if missing:
        what = f"{form.parts} '{missing[0]}' of {like} is missing{and_more(len(missing))}"
        raise DataError(what, path=path, remedy="add its answers")
