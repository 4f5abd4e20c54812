"""Texts with scores of single judges, on one or several scales: the layout for experiments of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import frozen

from qeframe.plugin import (
    Assessments,
    Best,
    DataError,
    Dropped,
    FloatArray,
    Grid,
    IntArray,
    Reader,
    Reading,
    Side,
    TextFile,
    TextFiles,
    did_you_mean,
    parse_ids,
    parse_numbers,
    read_text_lines,
    split_columns,
)
from qeframe_wmt.folders import input_of, visible

__all__ = ["assessed_texts"]

_TABLE = "assessments.tsv"
_COLUMNS = ("SCALE", "SEGMENT", "SYSTEM", "JUDGE", "SCORE")


def _read(path: Path, best: Best) -> Sequence[Reading]:
    rows = _rows(read_text_lines(path / _TABLE))
    systems = {file.stem: file for file in _files(path / "systems")}
    _check_known(rows, systems)
    assessments = tuple(_of_scale(rows, scale) for scale in dict.fromkeys(rows.scales))
    judged = [name for name in systems if name in set(rows.systems)]
    segments, gold = _mean_grid(assessments[0], judged)
    idle = len(systems) - len(judged)
    reading = Reading(
        name=path.resolve().name,
        kind=Grid,
        gold=Side(name="gold", ids=segments, values=gold, path=str(rows.file.path)),
        submissions=(),
        best=best,
        dropped=(Dropped(path.resolve().name, "system", idle, "was not judged"),) * bool(idle),
        inputs=(input_of(rows.file, path),),
        counts={"systems": len(judged), "segments": len(segments), "judges": len(set(rows.judges))},
        texts=TextFiles(
            pair=path.resolve().name,
            systems={name: systems[name] for name in judged},
            references=tuple(_files(path / "references")),
            segments=segments,
            root=path,
        ),
        assessments=assessments,
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
"""PATH holds ``systems/`` and ``references/``, a file of texts each, and ``assessments.tsv``.

The table has the header ``SCALE SEGMENT SYSTEM JUDGE SCORE`` and columns by tabs: higher scores are better, segments
count from 1, a system is the name of its file without extension. The gold is a grid of the mean z-scores of all judges
on the first scale; the submissions are metrics that are computed from the texts.
"""


@frozen(kw_only=True, eq=False)
class Rows:
    """The table of scores; row i is from line i + 2."""

    file: TextFile
    scales: Sequence[str]
    segments: IntArray
    systems: Sequence[str]
    judges: Sequence[str]
    scores: FloatArray


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise DataError("there is no such folder", path=folder, remedy="put one file of texts for each into it")
    found = [file for file in visible(folder) if not file.is_dir()]
    stems = [file.stem for file in found]
    twice = next((file for file in found if stems.count(file.stem) > 1), None)
    if twice is not None:
        raise DataError(f"two files are named '{twice.stem}'", path=twice, remedy="rename one")
    if not found:
        raise DataError("the folder is empty", path=folder, remedy="put one file of texts for each into it")
    return found


def _rows(file: TextFile) -> Rows:
    if tuple(file.lines[0].split("\t")) != _COLUMNS:
        raise file.error("the first line is not the header", line=1, remedy=f"write {' '.join(_COLUMNS)}, by tabs")
    scales, segments, systems, judges, scores = split_columns(file, _COLUMNS, separator="\t", skip=1)
    rows = Rows(
        file=file,
        scales=scales,
        segments=parse_ids(segments, file, skip=1),
        systems=systems,
        judges=judges,
        scores=parse_numbers(scores, file, skip=1),
    )
    seen: dict[tuple[str, int, str, str], int] = {}
    for line, key in enumerate(zip(scales, rows.segments.tolist(), systems, judges, strict=True), 2):
        if key in seen:
            what = f"judge '{key[3]}' scored '{key[2]}' in segment {key[1]} twice, first on line {seen[key]}"
            raise file.error(what, line=line, remedy="keep one score")
        seen[key] = line
    return rows


def _check_known(rows: Rows, systems: dict[str, Path]) -> None:
    strange = next((i for i, name in enumerate(rows.systems) if name not in systems), None)
    if strange is not None:
        what = f"system '{rows.systems[strange]}' has no file in systems"
        raise rows.file.error(what, line=strange + 2, remedy=did_you_mean(rows.systems[strange], systems))


def _of_scale(rows: Rows, scale: str) -> Assessments:
    """Return the scores on one scale, a look for each judge at each segment."""
    own = [i for i, name in enumerate(rows.scales) if name == scale]
    looks = {key: nth for nth, key in enumerate(dict.fromkeys((rows.segments[i], rows.judges[i]) for i in own))}
    names = tuple(dict.fromkeys(rows.systems[i] for i in own))
    values = np.full((len(looks), len(names)), np.nan)
    for i in own:
        values[looks[rows.segments[i], rows.judges[i]], names.index(rows.systems[i])] = rows.scores[i]
    return Assessments(
        scale=scale,
        systems=names,
        segments=np.array([segment for segment, _ in looks], dtype=np.int64),
        judges=tuple(judge for _, judge in looks),
        values=values,
    )


def _mean_grid(assessments: Assessments, systems: Sequence[str]) -> tuple[IntArray, FloatArray]:
    """Return the segments, and the mean z-score of every system in each; NaN where nobody judged it."""
    segments, at = np.unique(assessments.segments, return_inverse=True)
    z = assessments.standardized()
    grid = np.full((len(segments), len(systems)), np.nan)
    for nth, name in enumerate(assessments.systems):
        known = np.isfinite(z[:, nth])
        count = np.bincount(at[known], minlength=len(segments))
        total = np.bincount(at[known], z[known, nth], minlength=len(segments))
        grid[:, systems.index(name)] = np.divide(total, count, out=np.full(len(segments), np.nan), where=count > 0)
    return segments, grid
