"""Texts with the scores of single judges on one or several scales: the layout for experiments of one's own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from qeframe.plugin import Best, DataError, FloatArray, Grid, IntArray
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import (
    Assessments,
    Dropped,
    Reader,
    Reading,
    TableColumns,
    TextFile,
    TextFiles,
    UnitValues,
    has_folder,
    input_of,
    parse_ids,
    parse_numbers,
    read_text_lines,
    visible,
)
from qeframe_wmt.formats.tables import first_repeat, headed_columns, refuse_cells
from qeframe_wmt.readers.metrics.ratings.rated import assessments_of, mean_grid

_TABLE = "assessments.tsv"
_COLUMNS = ("SCALE", "SEGMENT", "SYSTEM", "JUDGE", "SCORE")


def _read(path: Path, best: Best) -> Sequence[Reading]:
    if path.is_dir():
        visible(path)  # refuses links out of the folder
    table = _scores(read_text_lines(path / _TABLE))
    file, named = table.files[0], table.cells["SYSTEM"]
    systems = {of.stem: of for of in _files(path / "systems")}
    unknown = next((row for row, name in enumerate(named) if name not in systems), None)
    if unknown is not None:
        what = f"system '{named[unknown]}' has no file in systems"
        raise table.error(what, unknown, remedy=did_you_mean(named[unknown], systems))
    by_scale: dict[str, list[tuple[int, str, str, float]]] = {}
    for scale, *rating in zip(*(table.cells[name] for name in _COLUMNS), strict=True):
        segment, system, judge, score = rating
        by_scale.setdefault(scale, []).append((segment, system, judge, score))
    assessments = tuple(
        assessments_of(scale, ratings, list(dict.fromkeys(system for _, system, _, _ in ratings)))
        for scale, ratings in by_scale.items()
    )
    judged = [name for name in systems if name in set(named)]
    segments, gold = _mean_grid(assessments[0], judged)
    unjudged = len(systems) - len(judged)
    reading = Reading(
        name=path.resolve().name,
        kind=Grid,
        gold=UnitValues(name="gold", ids=segments, values=gold, path=str(file.path)),
        submissions=(),
        best=best,
        dropped=(Dropped(path.resolve().name, "system", unjudged, "was not judged"),) * bool(unjudged),
        inputs=(input_of(file, path),),
        counts={"systems": len(judged), "segments": len(segments), "judges": len(set(table.cells["JUDGE"]))},
        texts=TextFiles(
            pair=path.resolve().name,
            systems={name: systems[name] for name in judged},
            references=tuple(_files(path / "references")),
            segments=segments,
            root=path,
        ),
        assessments=assessments,
        systems=tuple(judged),
        may_be_unanswered=True,
    )
    return [reading]


assessed_texts = Reader(
    name="assessed_texts",
    summary="Folders of translations and references, and a table of judges' scores on any scales",
    source="The experiments of Turian, Shen and Melamed (2003)",
    kind=Grid,
    read=_read,
)
"""PATH holds ``systems/`` and ``references/``, with one file of texts each, and ``assessments.tsv``.

The table has the header ``SCALE SEGMENT SYSTEM JUDGE SCORE`` and columns by tabs. Higher scores are better, segments
count from 1, and a system has the name of its file without suffix. The gold is a grid of the mean z-scores of all
judges on the first scale. The submissions are metrics that are computed from the texts.
"""


def _files(folder: Path) -> list[Path]:
    if not has_folder(folder):
        raise DataError("there is no such folder", path=folder, remedy="put one file of texts for each into it")
    files = visible(folder)
    stems = [file.stem for file in files]
    repeated = next((file for file in files if stems.count(file.stem) > 1), None)
    if repeated is not None:
        raise DataError(f"two files are named '{repeated.stem}'", path=repeated, remedy="rename one")
    if not files:
        raise DataError("the folder is empty", path=folder, remedy="put one file of texts for each into it")
    return files


def _scores(file: TextFile) -> TableColumns:
    """Return the table, its segments and scores as numbers."""
    table = headed_columns(file, _COLUMNS)
    for name in ("SCALE", "SYSTEM", "JUDGE"):
        what, remedy = f"a blank before or after the {name}", "remove the blank"  # it would make another name
        refuse_cells(file, table.cells[name], lambda text: text == text.strip(), what, remedy)
    segments, scores = table.read("SEGMENT", parse_ids).tolist(), table.read("SCORE", parse_numbers).tolist()
    keys = list(zip(table.cells["SCALE"], segments, table.cells["SYSTEM"], table.cells["JUDGE"], strict=True))
    if twice := first_repeat(keys):
        row, line = twice[0], twice[1] + 2
        what = f"judge '{keys[row][3]}' scored '{keys[row][2]}' in segment {keys[row][1]} twice, first on line {line}"
        raise table.error(what, row, remedy="keep one score")
    return table.having("SEGMENT", segments).having("SCORE", scores)


def _mean_grid(assessments: Assessments, systems: Sequence[str]) -> tuple[IntArray, FloatArray]:
    """Return the segments, and the mean z-score of every system in each; NaN where no judge scored it."""
    segments, segment_of = np.unique(assessments.segments, return_inverse=True)
    grid = np.full((len(segments), len(systems)), np.nan)
    columns = [systems.index(name) for name in assessments.systems]
    grid[:, columns] = mean_grid(assessments.standardized(), segment_of, len(segments))
    return segments, grid
