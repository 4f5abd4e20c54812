"""Submissions of LP, METHOD, SEG and SCORE after some header lines: sentence level, 2020 to 2024."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import (
    Best,
    Dropped,
    Reader,
    Reading,
    Scores,
    TaskFolder,
    TextFile,
    UnitValues,
    check_pairs,
    find_tasks,
    gold_by_line,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.formats.header_lines import check_header, check_header_count
from qeframe_wmt.formats.layouts import Layout, refuse_other_layout
from qeframe_wmt.formats.tab_columns import only_text
from qeframe_wmt.readers.sentence.post_edit_rates import per_word

__all__ = ["qe_sentence"]

_NAMES = ("LP", "METHOD", "SEG", "SCORE")


def qe_sentence(
    *, header_lines: int = 3, first_segment: int = 0, gold_missing: float | None = None, rate_by: str = ""
) -> Reader:
    """Read task folders whose submissions have the columns LP, METHOD, SEG and SCORE, by tabs.

    Parameters
    ----------
    header_lines : int
        The number of lines of one column before the table: none in 2020; disk footprint in bytes and number of
        parameters in 2021; these and the size of the ensemble from 2022.
    first_segment : int
        The number of the segment on the first line of the gold.
    gold_missing : float, optional
        The gold value that marks a missing one. Segments with it, and the answers to them, are left out and
        counted.
    rate_by : str
        The name of a file in the task's folder with one translation a line. Gold and scores are divided by the number
        of its words. Empty: they are not divided.

    Returns
    -------
    Reader
        Of `Scores`. A submission has the name of its file without suffix, since METHOD may be the name of a model.

    Raises
    ------
    DataError
        For a negative number of header lines.

    References
    ----------
    qe-eval-scripts, wmt20 to wmt24.
    """
    check_header_count(header_lines, usual="0, 2 or 3")
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
    pairs, submissions = zip(*(_submission(file, header) for file in files), strict=True)
    check_pairs(files, pairs, task, line=header + 1)
    return Reading(
        name=task.name,
        kind=Scores,
        gold=gold_by_line(gold, first=first),
        submissions=submissions,
        best=best,
        inputs=tuple(input_of(file, root) for file in (gold, *files)),
    )


def _submission(file: TextFile, header: int) -> tuple[str, UnitValues]:
    """Return the language pair of a submission, and its answers."""
    refuse_other_layout(file, Layout(f"scores of sentences ({' '.join(_NAMES)})", "qe_sentence"), any_header=True)
    check_header(file, header, names=_NAMES, reader="qe_sentence")
    pairs, methods, segments, scores = split_columns(file, _NAMES, separator="\t", skip=header)
    pair = only_text(pairs, "LP", file, skip=header)
    only_text(methods, "METHOD", file, skip=header)
    return pair, UnitValues(
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
    submissions = (each.take(np.flatnonzero(~np.isin(each.ids, removed))) for each in reading.submissions)
    gold = reading.gold.take(np.flatnonzero(~absent))
    return attrs.evolve(reading, gold=gold, submissions=tuple(submissions), dropped=(*reading.dropped, note))
