"""Files of texts of a task: where they are, and how they are read.

A reader only locates texts. They are read when a metric is computed from them: one segment a line, or SGML. An empty
line is an empty segment, also at the end of a file; whether the last line has a line end makes no difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import field, frozen

from qeframe.batches.base import FloatArray, IntArray
from qeframe.errors import DataError, counted
from qeframe.tasks.files import TextFile, read_text_lines
from qeframe.tasks.sgml import check_same_documents, is_marked, read_marked
from qeframe.tasks.task import Input

__all__ = ["SegmentTexts", "TextFiles", "read_texts"]


@frozen(kw_only=True, eq=False)
class TextFiles:
    """Where the texts of a task are, and which of them its units are about.

    Parameters
    ----------
    pair : str
        The language pair.
    systems : mapping of str to Path
        The file of every system's translations, in the order in which `sides` counts them.
    references : tuple of Path
        At least one.
    segments : (n,) int64
        The number of the segment of every unit of the gold.
    sides : (n, 2) int64, optional
        Of judgments: the positions of the left and the right system. None: a unit is about all systems.
    root : Path
        The place that was asked for; paths of inputs are told relative to it.
    first : int
        The number of the segment on the first line.
    whole : bool
        Whether a metric has one score for each system, of all its translations: the system level.
    """

    pair: str
    systems: Mapping[str, Path]
    references: tuple[Path, ...]
    segments: IntArray
    sides: IntArray | None = None
    root: Path
    first: int = 1
    whole: bool = False

    def answers(self, scores: FloatArray) -> FloatArray:
        """Return a metric's side of every unit from its scores of all segments.

        Parameters
        ----------
        scores : (segments of the files, systems) float64

        Returns
        -------
        (n, 2) float64 for judgments, else (n, systems)
        """
        of_units = scores[self.segments - self.first]
        return of_units if self.sides is None else np.take_along_axis(of_units, self.sides, axis=1)


@frozen(kw_only=True, eq=False)
class SegmentTexts:
    """Texts that were read, all with the same segments in the same order.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        The translations of every system.
    references : sequence of sequences of str
    inputs : tuple of Input
        The files that they are from.
    """

    systems: Mapping[str, Sequence[str]] = field(repr=False)
    references: Sequence[Sequence[str]] = field(repr=False)
    inputs: tuple[Input, ...]


def read_texts(texts: TextFiles) -> SegmentTexts:
    """Read the texts of a task.

    Raises
    ------
    DataError
        If a file cannot be read, SGML lacks or repeats a segment, files have different numbers of segments, or a unit
        is about a segment beyond them.
    """
    files = {path: read_text_lines(path, empty_end=True) for path in (*texts.references, *texts.systems.values())}
    marked = {path: read_marked(file) for path, file in files.items() if is_marked(file)}
    segments = {path: marked[path].texts if path in marked else _lines(file) for path, file in files.items()}
    standard = texts.references[0]
    for path, found in segments.items():
        if path in marked and standard in marked:
            check_same_documents(marked[standard], marked[path])
        if len(found) != len(segments[standard]):
            what = f"{counted(len(found), 'segment')}, but {len(segments[standard])} in {standard}"
            raise DataError(what, path=path, remedy="give both one line (or <seg>) a segment, in the same order")
    _check_numbers(texts, len(segments[standard]))
    return SegmentTexts(
        systems={name: segments[path] for name, path in texts.systems.items()},
        references=[segments[path] for path in texts.references],
        inputs=tuple(Input(_below(path, texts.root), file.sha256) for path, file in files.items()),
    )


def _below(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _check_numbers(texts: TextFiles, count: int) -> None:
    """Refuse units about segments that the files do not have."""
    last = texts.first + count - 1
    outside = texts.segments[(texts.segments < texts.first) | (texts.segments > last)]
    if len(outside):
        what = f"segment {outside[0]} was judged, but the texts of {texts.pair} are segments {texts.first} to {last}"
        raise DataError(what, path=texts.references[0], remedy="give the texts of the test set that was judged")


def _lines(file: TextFile) -> Sequence[str]:
    return [line.strip() for line in file.lines]
