"""One file of scores read alone, as a participant hands it in, or in the place of human scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from qeframe.plugin.calls import counted
from qeframe.plugin.readers import Dropped, Submitted, UnitValues
from qeframe_wmt.readers.metrics.mtme.score_files import text_file
from qeframe_wmt.readers.metrics.system_columns import read_system_columns


def read_score_file(path: Path) -> Sequence[Submitted]:
    """Return the scores of every system, with segments numbered from 1 and NaN for None.

    Raises
    ------
    DataError
        If the file is not one of SYSTEM and SCORE, or a name that ends in ``.sys.score`` has several lines of a system.
    """
    columns = read_system_columns(text_file(path))
    segments = np.arange(1, len(columns.cells) + 1)
    if path.name.removesuffix(".gz").endswith(".sys.score") and len(segments) > 1:
        what = f"{counted(len(segments), 'line')} of {columns.systems[0]} in a file of system scores"
        remedy = "give each system one line, or name a file of segment scores METRIC-REF.seg.score"
        raise columns.file.error(what, line=int(columns.lines[1, 0]), remedy=remedy)
    name = path.name.removesuffix(".gz").removesuffix(".score").removesuffix(".seg").removesuffix(".sys")
    absent = np.isnan(columns.cells).sum(axis=0)
    return [
        Submitted(
            part=system,
            answers=UnitValues(
                name=name,
                ids=segments,
                values=columns.cells[:, number],
                path=str(path),
                lines=columns.lines[:, number].astype(np.int64),
            ),
            dropped=(Dropped(system, "score", int(absent[number]), f"None of {system}"),) if absent[number] else (),
        )
        for number, system in enumerate(columns.systems)
    ]


def scores_as_gold(gold: Path, answers: Path) -> bytes:
    """Return human scores with the scores of a metric in their place; None stays where no human gave a score.

    Raises
    ------
    DataError
        If one of the files is not one of SYSTEM and SCORE, or both differ in their numbers of segments.
    """
    truth, given = (read_system_columns(text_file(path)) for path in (gold, answers))
    if len(truth.cells) != len(given.cells):
        what = f"{counted(len(given.cells), 'line')} of a system, {len(truth.cells)} in {gold.name}"
        raise given.file.error(what, remedy="give a score for every line of the human scores")
    lines = []
    for number, system in enumerate(truth.systems):
        scores = np.full(len(truth.cells), np.nan)
        if system in given.systems:
            scores = given.cells[:, given.systems.index(system)]
        missing = np.isnan(truth.cells[:, number]) | np.isnan(scores)
        pairs = zip(scores.tolist(), missing.tolist(), strict=True)
        lines += [f"{system}\t{'None' if absent else repr(score)}\n" for score, absent in pairs]
    return "".join(lines).encode()
