"""Texts with the scores of single judges on one or several scales: the layout for experiments of one's own."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from attrs import frozen

from qeframe.plugin import Best, DataError, FloatArray, Grid, IntArray
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import (
    Assessments,
    Dropped,
    Reader,
    Reading,
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
from qeframe_wmt.formats.tables import first_repeat, headed_columns

_TABLE = "assessments.tsv"
_COLUMNS = ("SCALE", "SEGMENT", "SYSTEM", "JUDGE", "SCORE")


def _read(path: Path, best: Best) -> Sequence[Reading]:
    if path.is_dir():
        visible(path)  # refuses links out of the folder
    rows = _rows(read_text_lines(path / _TABLE))
    systems = {file.stem: file for file in _files(path / "systems")}
    unknown = next((i for i, name in enumerate(rows.systems) if name not in systems), None)
    if unknown is not None:
        what = f"system '{rows.systems[unknown]}' has no file in systems"
        raise rows.file.error(what, line=unknown + 2, remedy=did_you_mean(rows.systems[unknown], systems))
    assessments = tuple(_on_scale(rows, scale) for scale in dict.fromkeys(rows.scales))
    judged = [name for name in systems if name in set(rows.systems)]
    segments, gold = _mean_grid(assessments[0], judged)
    unjudged = len(systems) - len(judged)
    reading = Reading(
        name=path.resolve().name,
        kind=Grid,
        gold=UnitValues(name="gold", ids=segments, values=gold, path=str(rows.file.path)),
        submissions=(),
        best=best,
        dropped=(Dropped(path.resolve().name, "system", unjudged, "was not judged"),) * bool(unjudged),
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


@frozen(kw_only=True, eq=False)
class JudgeScores:
    """The table of scores; score i is from line i + 2."""

    file: TextFile
    scales: Sequence[str]
    segments: IntArray
    systems: Sequence[str]
    judges: Sequence[str]
    scores: FloatArray


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


def _rows(file: TextFile) -> JudgeScores:
    table = headed_columns(file, _COLUMNS)
    for name in ("SCALE", "SYSTEM", "JUDGE"):
        # with a blank around it, a name would be another one
        around = next((row for row, text in enumerate(table.cells[name]) if text != text.strip()), None)
        if around is not None:
            raise table.error(f"a blank before or after the {name}", around, remedy="remove the blank")
    rows = JudgeScores(
        file=file,
        scales=table.cells["SCALE"],
        segments=table.read("SEGMENT", parse_ids),
        systems=table.cells["SYSTEM"],
        judges=table.cells["JUDGE"],
        scores=table.read("SCORE", parse_numbers),
    )
    keys = list(zip(rows.scales, rows.segments.tolist(), rows.systems, rows.judges, strict=True))
    if twice := first_repeat(keys):
        row, line = twice[0], twice[1] + 2
        what = f"judge '{keys[row][3]}' scored '{keys[row][2]}' in segment {keys[row][1]} twice, first on line {line}"
        raise table.error(what, row, remedy="keep one score")
    return rows


def _on_scale(rows: JudgeScores, scale: str) -> Assessments:
    """Return the scores on one scale, with one look for each judge and segment."""
    chosen = [i for i, name in enumerate(rows.scales) if name == scale]
    looks = {key: nth for nth, key in enumerate(dict.fromkeys((rows.segments[i], rows.judges[i]) for i in chosen))}
    names = tuple(dict.fromkeys(rows.systems[i] for i in chosen))
    values = np.full((len(looks), len(names)), np.nan)
    for i in chosen:
        values[looks[rows.segments[i], rows.judges[i]], names.index(rows.systems[i])] = rows.scores[i]
    return Assessments(
        scale=scale,
        systems=names,
        segments=np.array([segment for segment, _ in looks], dtype=np.int64),
        judges=tuple(judge for _, judge in looks),
        values=values,
    )


def _mean_grid(assessments: Assessments, systems: Sequence[str]) -> tuple[IntArray, FloatArray]:
    """Return the segments, and the mean z-score of every system in each; NaN where no judge scored it."""
    segments, segment_of = np.unique(assessments.segments, return_inverse=True)
    z = assessments.standardized()
    grid = np.full((len(segments), len(systems)), np.nan)
    for nth, name in enumerate(assessments.systems):
        scored = np.isfinite(z[:, nth])
        count = np.bincount(segment_of[scored], minlength=len(segments))
        total = np.bincount(segment_of[scored], z[scored, nth], minlength=len(segments))
        grid[:, systems.index(name)] = np.divide(total, count, out=np.full(len(segments), np.nan), where=count > 0)
    return segments, grid
