"""Submissions of LP, METHOD, SEG and SCORE after some header lines: sentence-level QE from 2020 to 2024."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import (
    Best,
    DataError,
    Dropped,
    Reader,
    Reading,
    Scores,
    Side,
    TextFile,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.folders import TaskFolder, check_pairs, find_tasks, gold_by_line, input_of
from qeframe_wmt.header import check_header
from qeframe_wmt.layouts import Layout, refuse_other_layout
from qeframe_wmt.rates import per_word

__all__ = ["qe_sentence"]

_NAMES = ("LP", "METHOD", "SEG", "SCORE")


def qe_sentence(
    *, header_lines: int = 3, first_segment: int = 0, gold_missing: float | None = None, rate_by: str = ""
) -> Reader:
    """Folders of a task whose submissions have the tab-separated columns LP, METHOD, SEG and SCORE.

    Parameters
    ----------
    header_lines : int
        How many lines of one column stand before them: none in 2020; disk footprint in bytes and number of parameters
        in 2021; these and the size of the ensemble from 2022.
    first_segment : int
        The number of the segment on the first line of the gold.
    gold_missing : float, optional
        A gold value that says that there is none: such segments, and the answers to them, are left out and counted.
    rate_by : str
        The name of a file in the task's folder with one translation a line: gold and scores are divided by its number
        of words. Empty: they are not.

    Returns
    -------
    Reader
        Of `Scores`; a submission is called by the stem of its file, since METHOD may be the name of a model.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt20 to wmt24.
    """
    if header_lines < 0:
        raise DataError(f"header_lines = {header_lines} must not be negative", remedy="give 0, 2 or 3")
    return Reader(
        name="qe_sentence",
        summary="folders of a task, header lines, then submissions of LP METHOD SEG SCORE by tabs",
        source="WMT20-24 QE, sentence level",
        kind=Scores,
        read=partial(_read, header=header_lines, first=first_segment, missing=gold_missing, rate_by=rate_by),
    )


def _read(path: Path, best: Best, *, header: int, first: int, missing: float | None, rate_by: str) -> Sequence[Reading]:
    readings = []
    for task in find_tasks(path):
        reading = _read_task(task, path, best, header, first)
        units = len(reading.gold.ids)
        if missing is not None:
            reading = _without(reading, missing)
        readings.append(per_word(reading, rate_by, folder=task.path, root=path, first=first, units=units))
    return readings


def _read_task(task: TaskFolder, root: Path, best: Best, header: int, first: int) -> Reading:
    gold, *files = map(read_text_lines, (task.gold, *task.submissions))
    read = [_submission(file, header) for file in files]
    check_pairs(files, [pair for pair, _ in read], task, line=header + 1)
    return Reading(
        name=task.name,
        kind=Scores,
        gold=gold_by_line(gold, first=first),
        submissions=tuple(side for _, side in read),
        best=best,
        inputs=tuple(input_of(file, root) for file in (gold, *files)),
    )


def _submission(file: TextFile, header: int) -> tuple[str, Side]:
    """Return the language pair of a submission, and its answers."""
    refuse_other_layout(file, Layout(f"scores of sentences ({' '.join(_NAMES)})", "qe_sentence"), header_apart=True)
    check_header(file, header, names=_NAMES, reader="qe_sentence")
    pairs, methods, segments, scores = split_columns(file, _NAMES, separator="\t", skip=header)
    for name, column in (("LP", pairs), ("METHOD", methods)):
        if column.count(column[0]) != len(column):
            place = next(i for i, text in enumerate(column) if text != column[0])
            what = f"{name} '{column[place]}' after '{column[0]}'"
            raise file.error(what, line=place + header + 1, remedy=f"a file is one submission and has one {name}")
    return pairs[0], Side(
        name=file.path.stem,
        ids=parse_ids(segments, file, skip=header),
        values=parse_numbers(scores, file, skip=header),
        path=str(file.path),
        lines=np.arange(header + 1, len(file.lines) + 1),
    )


def _without(reading: Reading, missing: float) -> Reading:
    """Leave out the segments without gold, and the answers to them."""
    absent = reading.gold.values == missing
    if not absent.any():
        return reading
    removed = reading.gold.ids[absent]
    note = Dropped(reading.name, "unit", int(absent.sum()), f"its gold is {missing:g}, which says that there is none")
    sides = (side.take(np.flatnonzero(~np.isin(side.ids, removed))) for side in reading.submissions)
    gold = reading.gold.take(np.flatnonzero(~absent))
    return attrs.evolve(reading, gold=gold, submissions=tuple(sides), dropped=(*reading.dropped, note))
