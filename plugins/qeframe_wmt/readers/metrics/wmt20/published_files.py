"""The files of the metrics task of 2020, in the tree of its repository or in two folders."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.readers import has_folder, visible

Level = Literal["seg", "sys"]

LAYOUTS = (
    "the repository has manual-evaluation/DA/metrics-ad-{level}-scores-LP.csv and "
    "final-metric-scores/*/METRIC.{level}.score.gz; by pair these are da/LP.{level}.csv and "
    "scores/METRIC.LP.{level}.tsv"
)
_ASSESSMENTS, _SCORES = "manual-evaluation/DA", "final-metric-scores"
_OF_SCORES = ("baselines", "submissions")
_LEVELS = ("seg", "sys", "doc")


@frozen
class PublishedFiles:
    """Where the assessments and the scores of one level are."""

    assessments: Mapping[str, Path]  # by language pair
    scores: tuple[Path, ...]  # lines of METRIC LP TESTSET REFSET SYSTEM, DOC and SEG at segment level, SCORE
    other: tuple[str, ...]  # the names of files without scores of this level, of metrics that have none in `scores`


def find_files(root: Path, level: Level) -> PublishedFiles:
    """Return the files of a level below a folder: the repository of the task, or a folder with da and scores."""
    trees = [has_folder(root / name) for name in ("manual-evaluation", _SCORES)]
    published = any(trees)
    folder = root / (_ASSESSMENTS if published else "da")
    if visible(root) and not (published or has_folder(folder)):
        what = "this is no repository of the metrics task of 2020: it has no manual-evaluation and no da"
        raise DataError(what, path=root, remedy=LAYOUTS.format(level=level))
    before, after = (f"metrics-ad-{level}-scores-", ".csv") if published else ("", f".{level}.csv")
    assessments = {
        file.name.removeprefix(before).removesuffix(after): file
        for file in visible(folder)
        if file.name.startswith(before) and file.name.endswith(after)
    }
    if not assessments:
        what = f"no assessments of {'segments' if level == 'seg' else 'systems'} are here"
        raise DataError(what, path=folder, remedy=LAYOUTS.format(level=level))
    folders = [root / _SCORES / name for name in _OF_SCORES] if published else [root / "scores"]
    files = [file for each in folders if has_folder(each) for file in visible(each)]
    scores = [file for file in files if _level(file) == level]
    metrics = {_metric(file) for file in scores}
    other = {file.name for file in files if _metric(file) not in metrics}
    return PublishedFiles(assessments, tuple(scores), tuple(sorted(other)))


def _level(file: Path) -> str:
    """Return the level that the name of a file of scores states, empty if it states none."""
    parts = file.name.removesuffix(".gz").split(".")
    return next((part for part in parts[-2:-1] if part in _LEVELS and parts[-1] in {"score", "tsv"}), "")


def _metric(file: Path) -> str:
    """Return the name of a file up to the level: a metric may have one file for each level."""
    level = _level(file)
    return file.name.rpartition(f".{level}.")[0] if level else file.name
