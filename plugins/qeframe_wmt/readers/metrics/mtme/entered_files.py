"""A metric that the user enters: its scores as files of metric-scores, from score files or from a table of scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from qeframe.plugin import DataError, FloatArray
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import TextFile, is_pair, visible
from qeframe_wmt.readers.metrics.mtme.score_files import Folder, open_folder, text_file
from qeframe_wmt.readers.metrics.segment_scores import finite_cells
from qeframe_wmt.readers.metrics.system_columns import SystemColumns, read_system_columns

_LEVELS = ("seg", "sys", "domain")
_SPELLINGS = {"pair": ("pair", "lp", "language_pair"), "system": ("system",), "segment": ("segment", "seg", "unit")}
_FORMS = "give lines of SYSTEM and SCORE, or a table whose first line names the columns (pair,) system, segment, score"


def files_to_enter(name: str, given: Path, root: Path) -> Mapping[Path, bytes]:
    """Return the scores of a metric as files in the folder of its language pair, by their paths.

    `given` is a file of SYSTEM and SCORE of one language pair, whose name begins with that of the pair unless there is
    only one; a table with a first line (pair,) system, segment, score; or a folder with such files or with a folder for
    each language pair. Where segment scores come without system scores, a system has the mean of its segments. `root`
    is the folder of mt-metrics-eval; none of its metrics may have the name.
    """
    folder = open_folder(root)
    found: dict[tuple[str, str], bytes] = {}
    for file, folder_pair in _files(given):
        for pair, level, content in _contents(file, folder_pair, folder):
            if (pair, level) in found:
                what = f"a second file of the {level} scores of {pair}"
                raise DataError(what, path=file, remedy="give one for each language pair and level")
            found[pair, level] = content
    for pair in {pair for pair, _ in found}:
        if (pair, "seg") in found and (pair, "sys") not in found:
            found[pair, "sys"] = _means(found[pair, "seg"])
    for pair in sorted({pair for pair, _ in found}):
        if any(name in (metric.base, metric.name) for metric in folder.metrics(pair)):
            raise DataError(f"a metric of {pair} has the name '{name}'", remedy="enter it under another name")
    return {
        root / "metric-scores" / pair / f"{name}-src.{level}.score": content for (pair, level), content in found.items()
    }


def _files(given: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files, each with the language pair of its folder."""
    if not given.is_dir():
        yield given, ""
        return
    for path in visible(given):
        if path.is_dir():
            yield from ((file, path.name) for file in visible(path))
        else:
            yield path, ""


def _contents(file: Path, pair: str, folder: Folder) -> Iterator[tuple[str, str, bytes]]:
    """Yield the scores of a file, with their language pair and level."""
    text = text_file(file)
    head = [name.strip().lower() for name in text.lines[0].split("\t" if "\t" in text.lines[0] else ",")]
    if "score" in head:
        yield from _of_table(text, head, pair, folder)
        return
    pairs = folder.pairs
    names = file.name.removesuffix(".gz").removesuffix(".score").split(".")
    level = names[-1] if names[-1] in _LEVELS else "seg"
    if level == "domain":
        yield _pair_of(file, pair or names[0], pairs), level, "\n".join([*text.lines, ""]).encode()
        return
    columns = read_system_columns(text)
    if level == "seg" and len(columns.cells) == 1 and names[-1] != "seg":
        level = "sys"
    yield _pair_of(file, pair or names[0], pairs), level, _lines(columns)


def _pair_of(file: Path, stated: str, pairs: list[str]) -> str:
    """Return the language pair of a file: that of its name or folder, else the only one."""
    if stated in pairs:
        return stated
    if len(pairs) == 1 and not is_pair(stated):
        return pairs[0]
    what = f"the language pair of the scores is {'not known' if not is_pair(stated) else stated}"
    raise DataError(
        f"{what}; PATH has {', '.join(pairs)}", path=file, remedy="begin the name of the file with its language pair"
    )


def _of_table(file: TextFile, head: list[str], pair: str, folder: Folder) -> Iterator[tuple[str, str, bytes]]:
    """Yield the scores of a table, by language pair; segments have their numbers in the files of PATH, from 1."""
    place = {what: next((head.index(n) for n in names if n in head), None) for what, names in _SPELLINGS.items()}
    if place["system"] is None:
        raise file.error(f"the columns {', '.join(head)} name no system", line=1, remedy=_FORMS)
    rows = [line.split("\t" if "\t" in file.lines[0] else ",") for line in file.lines[1:]]
    wrong = next((nth for nth, row in enumerate(rows) if len(row) != len(head)), None)
    if wrong is not None:
        what = f"{counted(len(rows[wrong]), 'column')}, {len(head)} expected"
        raise file.error(what, line=wrong + 2, remedy="give every line the columns of the first")
    systems = [row[place["system"]] for row in rows]
    of_pair = [row[place["pair"]] if place["pair"] is not None else pair for row in rows]
    segments = [row[place["segment"]] if place["segment"] is not None else "1" for row in rows]
    scores = finite_cells([row[head.index("score")] for row in rows], file, systems=systems, segments=segments, skip=1)
    level = "sys" if place["segment"] is None else "seg"
    cells: dict[str, dict[str, dict[int, float]]] = {}
    for nth, (of, system, segment, score) in enumerate(zip(of_pair, systems, segments, scores.tolist(), strict=True)):
        if not segment.isascii() or not segment.isdigit() or int(segment) < 1:
            what = f"segment '{segment}' is not the number of a line, from 1"
            raise file.error(what, line=nth + 2, remedy="number the segments as the lines of the human scores")
        own = cells.setdefault(of, {}).setdefault(system, {})
        if int(segment) in own:
            what = f"segment {segment} of {system} occurs twice"
            raise file.error(what, line=nth + 2, remedy="keep one score")
        own[int(segment)] = score
    for of, by_system in cells.items():
        known = _pair_of(file.path, of, folder.pairs)
        last = max(_segments(folder, known) if level == "seg" else 1, *(max(own) for own in by_system.values()))
        numbers = range(1, last + 1)
        lines = [f"{system}\t{own.get(segment)!r}\n" for system, own in by_system.items() for segment in numbers]
        yield known, level, "".join(lines).encode()


def _segments(folder: Folder, pair: str) -> int:
    """Return how many segments the human scores of a language pair have; 0 without any."""
    files = [file for (of, _, level), file in folder.humans.items() if (of, level) == (pair, "seg")]
    return len(read_system_columns(text_file(files[0])).cells) if files else 0


def _lines(columns: SystemColumns) -> bytes:
    """Return the scores as lines of SYSTEM and SCORE."""
    return _of_systems(dict(zip(columns.systems, columns.cells.T, strict=True)))


def _of_systems(scores: Mapping[str, FloatArray]) -> bytes:
    lines = (
        f"{name}\t{'None' if np.isnan(score) else repr(score)}\n"
        for name, own in scores.items()
        for score in own.tolist()
    )
    return "".join(lines).encode()


def _means(lines: bytes) -> bytes:
    """Return the mean of the segments of every system; None where it has no score."""
    by_system: dict[str, list[float]] = {}
    for line in lines.decode().splitlines():
        system, score = line.split("\t")
        own = by_system.setdefault(system, [])
        own += [] if score == "None" else [float(score)]
    return _of_systems({name: np.array([np.mean(own) if own else np.nan]) for name, own in by_system.items()})
