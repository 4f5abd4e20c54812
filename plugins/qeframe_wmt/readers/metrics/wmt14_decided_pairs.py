"""Pairs of translations of which humans found one better, and SGML texts: the release of 2014."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from qeframe.plugin import Best, DataError, Judgments
from qeframe.plugin.kinds import labels_to_index
from qeframe.plugin.readers import (
    Reader,
    Reading,
    TextFile,
    TextFiles,
    has_file,
    parse_ids,
    read_text_lines,
    refuse_marks,
    split_columns,
    visible,
)
from qeframe_wmt.formats.tables import headed_columns, refuse_repeated_lines
from qeframe_wmt.readers.metrics.compared_pairs import ComparedPairs, reading_of, texts_of
from qeframe_wmt.readers.metrics.metric_scores import MetricScores, plain_system, read_scores, scores_format
from qeframe_wmt.selections.selection import Level

_NAMES = ("SEG", "LP", "BETTER", "LP", "WORSE")
_MAPPED = ("year", "lp", "sys", "system_output_file", "matching_lines", "lines")
_PAIRS = "decided_pairs.tsv"
_MAP = "system_names.tsv"
_LAYOUT = f"a language pair is a folder LP with {_PAIRS}, PATH is one or holds some"


def decided_pairs(*, level: Level = "seg") -> Reader:
    """Read folders of language pairs with decided pairs of translations, and SGML texts.

    Parameters
    ----------
    level : {"seg", "sys"}
        Whether a metric scores each segment of a system, or the system as a whole.

    Returns
    -------
    Reader
        Of `Judgments`, each language pair a task. ``LP/decided_pairs.tsv`` has the columns SEG LP BETTER LP WORSE,
        ``LP/LP.NAME.sgm`` the texts. PATH may hold ``system_names.tsv``, and ``scores/`` as for `rankings`.

    References
    ----------
    Metrics task 2014; Machacek and Bojar (2014).
    """
    return Reader(
        name="decided_pairs",
        summary="decided pairs of translations, scores of metrics in scores/, SGML texts beside them",
        source="Metrics task 2014, release of decided pairs",
        kind=Judgments,
        read=partial(_read, level=level),
        submission=scores_format(level),
    )


def _read(path: Path, best: Best, *, level: Level) -> Sequence[Reading]:
    folders, above = [entry for entry in visible(path) if has_file(entry / _PAIRS)], path
    if has_file(path / _PAIRS):
        if folders:
            remedy = f"move it beside the other: {_LAYOUT}"
            raise DataError("a language pair in the folder of another", path=folders[0], remedy=remedy)
        folders, above = [path], path.resolve().parent
    if not folders:
        raise DataError(f"no {_PAIRS} is here", path=path, remedy=_LAYOUT)
    mapped = read_text_lines(above / _MAP) if has_file(above / _MAP) else None
    names = {} if mapped is None else _official_names(mapped)
    scores = read_scores(path / "scores", level)
    files = [] if mapped is None else [mapped]
    return scores.count_unused([_read_pair(folder, path, best, names, scores, files, level) for folder in folders])


def _official_names(file: TextFile) -> dict[tuple[str, str], str]:
    """Return the official name of every language pair's sysN."""
    cells = headed_columns(file, _MAPPED).cells
    pairs, short, official = (cells[name] for name in ("lp", "sys", "system_output_file"))
    return {(pair, name): plain_system(long, pair) for pair, name, long in zip(pairs, short, official, strict=True)}


def _read_pair(
    folder: Path,
    root: Path,
    best: Best,
    official: Mapping[tuple[str, str], str],
    scores: MetricScores,
    files: Sequence[TextFile],
    level: Level,
) -> Reading:
    file = read_text_lines(folder / _PAIRS)
    compared = _compared(file, official)
    return reading_of(
        compared,
        scores.for_pair(compared.pair),
        best=best,
        files=(*files, file),
        root=root,
        level=level,
        texts=_texts(folder, root, compared, official, level),
    )


def _compared(file: TextFile, official: Mapping[tuple[str, str], str]) -> ComparedPairs:
    segments, pairs, better, repeated, worse = split_columns(file, _NAMES, separator="\t")
    pair = pairs[0]
    refuse_marks(file, [pair], "LP")
    for column in (pairs, repeated):
        line = next((line for line, text in enumerate(column, 1) if text != pair), None)
        if line is not None:
            raise file.error(f"LP '{column[line - 1]}' after '{pair}'", line=line, remedy="a file has one LP")
    refuse_repeated_lines(file)
    same = np.flatnonzero([name == worse_name for name, worse_name in zip(better, worse, strict=True)])
    if len(same):
        what = f"'{better[same[0]]}' is better than itself"
        raise file.error(what, line=int(same[0]) + 1, remedy="a pair has two systems")
    systems, short = labels_to_index([*better, *worse])
    numbers, segment = np.unique(parse_ids(segments, file), return_inverse=True)
    return ComparedPairs(
        pair=pair,
        systems=[official.get((pair, name), plain_system(name, pair)) for name in short],
        segments=list(map(str, numbers.tolist())),
        segment=segment,
        left=systems[: len(better)],
        right=systems[len(better) :],
        human=np.ones(len(better), dtype=np.int8),
        path=file.path,
        groups={},
    )


def _texts(
    folder: Path, root: Path, compared: ComparedPairs, official: Mapping[tuple[str, str], str], level: Level
) -> TextFiles | None:
    """Return the paths of the texts of a language pair, None if there are none."""
    pair = compared.pair
    marked = [file for file in visible(folder) if file.suffix == ".sgm"]
    files = {file.stem.removeprefix(f"{pair}."): file for file in marked}
    references = tuple(file for name, file in files.items() if name.startswith("ref"))
    if not files:
        return None
    if not references:
        raise DataError("texts of systems, but no reference is here", path=folder, remedy=f"name it {pair}.ref.sgm")
    translations = {official.get((pair, name), plain_system(name, pair)): file for name, file in files.items()}
    return texts_of(compared, translations, references, folder=folder, root=root, whole=level == "sys")
