"""Files of SYSTEM and SCORE, as in mt-metrics-eval: every system has one line a segment; None is a missing score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from attrs import frozen

from qeframe.plugin import FloatArray, labels_to_index
from qeframe.plugin.readers import TextFile, split_columns
from qeframe_wmt.readers.metrics.segment_scores import finite_cells

_MISSING = "None"


@frozen(kw_only=True, eq=False)
class SystemColumns:
    """The scores of one file, systems in the order of the file."""

    file: TextFile
    systems: tuple[str, ...]
    cells: FloatArray  # (rows, systems), NaN where there is no score; a row is a segment, or a domain
    lines: npt.NDArray[np.int32]  # (rows, systems)
    rows: tuple[str, ...] = ()  # the domains; empty for segments

    @property
    def size(self) -> int:
        """The memory of the arrays, in bytes."""
        return self.cells.nbytes + self.lines.nbytes


def read_system_columns(file: TextFile) -> SystemColumns:
    """Read the scores of all systems, which have the same number of lines."""
    names, texts = split_columns(file, ("SYSTEM", "SCORE"))
    index, systems = labels_to_index(names)
    counts = np.bincount(index)
    if (counts != counts[0]).any():
        other = int(np.flatnonzero(counts != counts[0])[0])
        what = f"{counts[other]} lines of {systems[other]}, but {counts[0]} of {systems[0]}"
        raise file.error(what, remedy="give every system one line a segment, None only where humans gave no score")
    order = np.argsort(index, kind="stable")
    segment = np.empty_like(order)
    segment[order] = np.tile(np.arange(counts[0]), len(systems))
    scores = _numbers(texts, file, names, (segment + 1).tolist())
    shape = (len(systems), int(counts[0]))
    return SystemColumns(
        file=file,
        systems=systems,
        cells=np.ascontiguousarray(scores[order].reshape(shape).T),
        lines=np.ascontiguousarray((order + 1).reshape(shape).T.astype(np.int32)),
    )


def read_domain_columns(file: TextFile) -> SystemColumns:
    """Read the scores of all systems in every domain, each once: lines of DOMAIN, SYSTEM and SCORE."""
    labels, names, texts = split_columns(file, ("DOMAIN", "SYSTEM", "SCORE"))
    (row, domains), (column, systems) = labels_to_index(labels), labels_to_index(names)
    cell = row * len(systems) + column
    counts = np.bincount(cell, minlength=len(domains) * len(systems))
    if (counts != 1).any():
        domain, system = divmod(int(np.flatnonzero(counts != 1)[0]), len(systems))
        what = f"{counts[domain * len(systems) + system]} scores of {systems[system]} in the domain {domains[domain]}"
        raise file.error(what, remedy="give every system one line a domain")
    shape = (len(domains), len(systems))
    order = np.argsort(cell, kind="stable")
    return SystemColumns(
        file=file,
        systems=systems,
        cells=_numbers(texts, file, names, [""] * len(texts))[order].reshape(shape),
        lines=(order + 1).reshape(shape).astype(np.int32),
        rows=domains,
    )


def _numbers(texts: list[str], file: TextFile, systems: list[str], segments: list[int] | list[str]) -> FloatArray:
    """Read scores, NaN for None."""
    if _MISSING not in texts:
        return finite_cells(texts, file, systems=systems, segments=segments)
    absent = np.array([text == _MISSING for text in texts])
    filled = ["0" if text == _MISSING else text for text in texts]
    return np.where(absent, np.nan, finite_cells(filled, file, systems=systems, segments=segments))
