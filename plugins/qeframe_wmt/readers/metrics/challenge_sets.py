"""Scores that metrics gave to challenge sets: WMT25 as returned to their makers, and MSLC of 2023 to 2025.

A challenge set has no human scores. In some sets the order of the systems is known, since they were made from worst to
best: there the gold of a system is its place in that order, the same for every segment. In the other sets no cell has a
gold, and metrics of agreement are undefined.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import numpy as np

from qeframe.plugin import Best, DataError, FloatArray, Grid
from qeframe.plugin.readers import (
    Reader,
    Reading,
    TextFile,
    UnitValues,
    has_folder,
    input_of,
    parse_ids,
    read_text_lines,
    split_columns,
    visible,
)
from qeframe_wmt.formats.layouts import CHALLENGE_COLUMNS
from qeframe_wmt.formats.tables import headed_columns
from qeframe_wmt.readers.metrics.compared_pairs import SegmentScores, finite_cells
from qeframe_wmt.selections.selection import Level

_PLACES = ("", "data/challenge-sets", "challenge-sets")
_RETURNED, _SCORED, _SLOTS = "4-to_return", "3-scored", ("baseline", "primary", "secondary")
_METRICS: Mapping[str, str] = {"338155": "chrF", "342989": "BERTScore", "342990": "YiSi-1"}
"""Baselines by the numbers of their entries."""
_NUMBER = re.compile(r"(\d+)")
_ALL = "all"


@attrs.frozen(kw_only=True, eq=False, slots=False)
class SetScores(SegmentScores):
    """The scores of a metric on a language pair of a set, and the document and domain of each line."""

    of: str
    pair: str
    documents: Sequence[str]
    domains: Sequence[str]


def wmt25_challenge_sets(*, rising: tuple[str, ...] = (), level: Level = "seg") -> Reader:
    """Read scores of metrics on the challenge sets of WMT25; every set and language pair is a task.

    PATH is the repository wmt-conference/wmt25-mteval as cloned, or its folder data/challenge-sets.

    Parameters
    ----------
    rising : list of str
        The sets whose systems rise in quality with their number: hyp-1 is the worst. In other sets no system has a
        gold.
    level : {"seg", "sys"}
        seg: scores of segments, in ``4-to_return/SET/SLOT/METRIC.tsv``. sys: published scores of systems, in
        ``3-scored/SLOT/ID/systems.tsv``, which some metrics compute over the whole corpus.

    Returns
    -------
    Reader
        Of `Grid`. A submission is a metric. A metric that lacks a language pair of a set is absent from that task.

    Raises
    ------
    DataError
        When it reads: if no scores are there, a line has other columns, a segment of a system is scored twice, or a
        metric lacks a segment of a system that has a gold.

    References
    ----------
    wmt25-mteval, scripts/challenge_sets.
    """
    return Reader(
        name="wmt25_challenge_sets",
        summary="the repository of challenge sets of WMT25: nine columns by tabs, a file for each set and metric",
        source="WMT25 metrics, challenge sets",
        kind=Grid,
        read=partial(_read, rising=rising, level=level),
    )


def mslc() -> Reader:
    """Read scores of metrics in the layout of MSLC, systems from low to high quality; every language pair is a task.

    PATH is the folder of a year of the repository nrc-cnrc/MSLC, or a folder with that of one year. From 2024 on, the
    systems from low to high quality are in its folder MSLC-A.

    Returns
    -------
    Reader
        Of `Grid`. A submission is a metric with its reference, such as BLEU-refA. The gold of a system is its place in
        ``mapping/LP.tsv``, from 1 for the worst. Systems are in that order.

    Raises
    ------
    DataError
        When it reads: if there is no language pair with scores, a line has not three columns, a system has no place in
        the mapping, or systems have different numbers of segments.

    References
    ----------
    Lo, Knowles and Goutte (2023), MSLC: beyond correlation.
    """
    return Reader(
        name="mslc",
        summary="the repository of MSLC: documents, mapping, and DOMAIN SYSTEM SCORE by tabs for each metric",
        source="WMT23-25 metrics, challenge set MSLC",
        kind=Grid,
        read=_read_mslc,
    )


def _read(path: Path, best: Best, *, rising: Sequence[str], level: Level) -> Sequence[Reading]:
    by_task = scores_by_task(path, level)
    unknown = sorted(set(rising) - {name for name, _ in by_task})
    readings = [
        _reading(f"{name} {pair}", scores, best, path, rises=name in rising, level=level)
        for (name, pair), scores in sorted(by_task.items())
    ]
    if unknown:
        readings[-1] = attrs.evolve(readings[-1], unmatched={"rising": unknown})
    return readings


def scores_by_task(path: Path, level: Level = "seg") -> dict[tuple[str, str], list[SetScores]]:
    """Return the scores of each metric by set and language pair, each metric once, each segment of a system once."""
    tree = _RETURNED if level == "seg" else _SCORED
    roots = [path, *(path / place / tree for place in _PLACES)]
    root = next((of_metric for of_metric in roots if of_metric.name == tree and has_folder(of_metric)), None)
    if root is None:
        remedy = "give the clone of wmt-conference/wmt25-mteval, or its folder data/challenge-sets"
        raise DataError(f"no folder {tree} is here", path=path, remedy=remedy)
    by_task: dict[tuple[str, str], list[SetScores]] = {}
    for metric, file in _files(root, level):
        for scores in _scores(metric, read_text_lines(file)):
            by_task.setdefault((scores.of, scores.pair), []).append(scores)
    if not by_task:
        raise DataError("no scores of metrics are here", path=root, remedy="give the files of the repository")
    for (name, pair), of_metrics in sorted(by_task.items()):
        seen: dict[str, SetScores] = {}
        for of_metric in of_metrics:
            other = seen.setdefault(of_metric.metric, of_metric)
            if other is not of_metric:
                what = f"{of_metric.metric} has scores of {name} {pair} in {other.file.path} as well"
                raise DataError(what, path=of_metric.file.path, remedy="keep one of the files")
            of_metric.check_each_once()
    return by_task


def _files(root: Path, level: Level) -> list[tuple[str, Path]]:
    """Return the metric and the path of each file of scores."""
    if level == "sys":
        slots = [root / slot for slot in _SLOTS if has_folder(root / slot)]
        files = [folder / "systems.tsv" for slot in slots for folder in visible(slot) if folder.is_dir()]
        return [(_METRICS.get(file.parent.name, file.parent.name), file) for file in files if file.exists()]
    sets = [folder for folder in visible(root) if folder.is_dir()]
    slots = [folder / slot for folder in sets for slot in _SLOTS if has_folder(folder / slot)]
    return [(file.stem, file) for slot in slots for file in visible(slot) if file.suffix == ".tsv"]


def _scores(metric: str, file: TextFile) -> list[SetScores]:
    """Return the scores in a file by set and language pair."""
    if len(file.lines) == 1 and tuple(file.lines[0].split("\t")) == CHALLENGE_COLUMNS:
        return []
    table = headed_columns(file, CHALLENGE_COLUMNS, what="other columns than those of the challenge sets")
    columns = table.cells
    segments = columns["segment_id"]
    if set(segments) != {_ALL}:
        table.read("segment_id", parse_ids)
    numbers = table.read("overall", partial(finite_cells, systems=columns["system_id"], segments=segments))
    rows_of: dict[tuple[str, str], list[int]] = {}
    keys = zip(columns["set_id"], columns["source_lang"], columns["target_lang"], strict=True)
    for row, (name, source, target) in enumerate(keys):
        rows_of.setdefault((name.removeprefix("challenge_"), f"{source}-{target}"), []).append(row)

    def at(name: str, rows: Sequence[int]) -> list[str]:
        return [columns[name][row] for row in rows]

    return [
        SetScores(
            of=name,
            pair=pair,
            metric=metric,
            file=file,
            systems=at("system_id", rows),
            segments=at("segment_id", rows),
            scores=numbers[rows],
            lines=np.array(rows) + 2,
            documents=at("doc_id", rows),
            domains=at("domain_name", rows),
        )
        for (name, pair), rows in rows_of.items()
    ]


def _reading(
    name: str, of_metrics: Sequence[SetScores], best: Best, root: Path, *, rises: bool, level: Level
) -> Reading:
    """Return the grids of a set and language pair: rows by the number of the segment, columns by that of the system."""
    segments = sorted({segment for of_metric in of_metrics for segment in of_metric.segments}, key=by_number)
    systems = sorted({system for of_metric in of_metrics for system in of_metric.systems}, key=by_number)
    ids, names = np.arange(len(segments)), dict(enumerate(segments))
    labels: dict[str, tuple[str, str]] = {}
    submissions = []
    for of_metric in of_metrics:
        for segment, document, domain in zip(of_metric.segments, of_metric.documents, of_metric.domains, strict=True):
            labels.setdefault(segment, (document, domain))
        values, path = of_metric.grid(segments, systems), str(of_metric.file.path)
        submissions.append(UnitValues(name=of_metric.metric, ids=ids, values=values, path=path, names=names))
    places = np.arange(1.0, len(systems) + 1) if rises else np.full(len(systems), np.nan)
    gold = np.tile(places, (len(segments), 1))
    return Reading(
        name=name,
        kind=Grid,
        gold=UnitValues(name="gold", ids=ids, values=gold, path=str(root), names=names),
        submissions=tuple(submissions),
        groups={
            "document": [labels[segment][0] for segment in segments],
            "domain": [labels[segment][1] for segment in segments],
        },
        best=best,
        inputs=tuple(input_of(of_metric.file, root) for of_metric in of_metrics),
        counts={"segments": len(segments), "systems": len(systems)},
        systems=tuple(systems),
        level=level,
    )


def by_number(name: str) -> tuple[object, ...]:
    """Return what orders hyp-2 before hyp-10."""
    return tuple(int(part) if part.isdigit() else part for part in _NUMBER.split(name))


def _read_mslc(path: Path, best: Best) -> Sequence[Reading]:
    years = [year / "data" for year in visible(path) if year.name.isdecimal() and has_folder(year / "data")]
    trees = [path / "data", *(years if len(years) == 1 else [])]
    places = (path, *(place for tree in trees for place in (tree, tree / "MSLC-A")))
    data = next((folder for folder in places if has_folder(folder / "metric-scores")), None)
    if data is None:
        remedy = "give the folder of a year of nrc-cnrc/MSLC, such as 2023"
        raise DataError("no folder metric-scores is here", path=path, remedy=remedy)
    pairs = [folder for folder in visible(data / "metric-scores") if folder.is_dir()]
    readings = [_mslc_pair(data, pair, best, path) for pair in pairs]
    if not readings:
        raise DataError("no language pair is here", path=data / "metric-scores", remedy="add the folder of a pair")
    return readings


def _mslc_pair(data: Path, folder: Path, best: Best, root: Path) -> Reading:
    mapping = read_text_lines(data / "mapping" / f"{folder.name}.tsv")
    systems, letters = split_columns(mapping, ("SYSTEM", "LETTER"), separator="\t")
    ordered = [system for _, system in sorted(zip(letters, systems, strict=True))]
    documents = read_text_lines(data / "documents" / f"{folder.name}.docs")
    domains, names = split_columns(documents, ("DOMAIN", "DOCUMENT"), separator="\t")
    files = [read_text_lines(file) for file in visible(folder) if file.name.endswith(".seg.score")]
    if not files:
        raise DataError("no file METRIC-REF.seg.score is here", path=folder, remedy="add one for each metric")
    ids = np.arange(len(names))
    submissions = [
        UnitValues(
            name=file.path.name.removesuffix(".seg.score"),
            ids=ids,
            values=_mslc_scores(file, ordered, len(names)),
            path=str(file.path),
            numbered_from=1,
            known_by="line",
        )
        for file in files
    ]
    gold = np.tile(np.arange(1.0, len(ordered) + 1), (len(names), 1))
    return Reading(
        name=folder.name,
        kind=Grid,
        gold=UnitValues(name="gold", ids=ids, values=gold, path=str(mapping.path), numbered_from=1, known_by="line"),
        submissions=tuple(submissions),
        groups={"document": names, "domain": domains},
        best=best,
        inputs=tuple(input_of(file, root) for file in (mapping, documents, *files)),
        counts={"segments": len(names), "systems": len(ordered)},
        systems=tuple(ordered),
        level="seg",
    )


def _mslc_scores(file: TextFile, systems: Sequence[str], segments: int) -> FloatArray:
    """Return the scores of a file by segment and system: a system has all its lines together, in order."""
    _, names, texts = split_columns(file, ("DOMAIN", "SYSTEM", "SCORE"), separator="\t")
    numbers = finite_cells(texts, file, systems=names, segments=list(range(1, len(names) + 1)))
    values = np.full((segments, len(systems)), np.nan)
    column_of, counts = {name: i for i, name in enumerate(systems)}, np.zeros(len(systems), np.int64)
    for row, name in enumerate(names):
        column = column_of.get(name)
        if column is None:
            remedy = "add it to the mapping, which orders the systems"
            raise file.error(f"system '{name}' is not in the mapping", line=row + 1, remedy=remedy)
        if counts[column] < segments:
            values[counts[column], column] = numbers[row]
        counts[column] += 1
    for name, count in zip(systems, counts.tolist(), strict=True):
        if count != segments:
            what = f"{count} scores of system {name}, the documents have {segments} segments"
            raise file.error(what, remedy="give one score for each segment of each system of the mapping")
    return values
