"""Files of translations and references: their paths, and how they are read.

A reader only locates texts. They are read when a metric is computed from them, or when they are exported: one segment a
line, or SGML; unpacked if the name of the file ends in ``.gz``. An empty line is an empty segment, also at the end of a
file. The line end of the last line is optional.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import field, frozen

from qeframe.batches.base import FloatArray, IntArray
from qeframe.errors import DataError, counted
from qeframe.tasks.files import TextFile, input_of, read_text_lines
from qeframe.tasks.sgml import check_same_documents, is_marked, read_marked
from qeframe.tasks.task import Input

__all__ = ["SegmentTexts", "TextFiles", "read_texts"]


@frozen(kw_only=True, eq=False)
class TextFiles:
    """The paths of the texts of a task, and the texts that each of its units is about.

    Parameters
    ----------
    pair : str
        The language pair.
    systems : mapping of str to Path
        The file of the translations of every system, in the order that `left_right` counts.
    references : tuple of Path
        At least one.
    segments : (n,) int64
        The number of the segment of every unit of the gold.
    left_right : (n, 2) int64, optional
        For judgments: the positions of the left and the right system of every unit. None: a unit is about all systems.
    root : Path
        The path that was given; paths of inputs are relative to it.
    first : int
        The number of the segment on the first line.
    whole : bool
        True for the system level: a metric has one score for each system, computed from all its translations.
    source : Path, optional
        The texts that were translated.
    reference_names : tuple of str
        What the files call the references. Empty: nothing of their own.
    """

    pair: str
    systems: Mapping[str, Path]
    references: tuple[Path, ...]
    segments: IntArray
    left_right: IntArray | None = None
    root: Path
    first: int = 1
    whole: bool = False
    source: Path | None = None
    reference_names: tuple[str, ...] = ()

    def answers(self, scores: FloatArray) -> FloatArray:
        """Return the scores that a metric gives to every unit, from its scores of all segments.

        Parameters
        ----------
        scores : (segments of the files, systems) float64

        Returns
        -------
        (n, 2) float64 for judgments, else (n, systems)
        """
        by_unit = scores[self.segments - self.first]
        return by_unit if self.left_right is None else np.take_along_axis(by_unit, self.left_right, axis=1)


@frozen(kw_only=True, eq=False)
class SegmentTexts:
    """Texts that were read, all with the same segments in the same order.

    Parameters
    ----------
    systems : mapping of str to sequence of str
        The translations of every system.
    references : sequence of sequences of str
    inputs : tuple of Input
        The files that were read.
    source : sequence of str, optional
        None: it is not known.
    """

    systems: Mapping[str, Sequence[str]] = field(repr=False)
    references: Sequence[Sequence[str]] = field(repr=False)
    inputs: tuple[Input, ...]
    source: Sequence[str] | None = field(default=None, repr=False)


def read_texts(texts: TextFiles) -> SegmentTexts:
    """Read the texts of a task.

    Raises
    ------
    DataError
        If a file cannot be read, if SGML lacks or repeats a segment, if files have different numbers of segments, or if
        a unit is about a segment that they lack.
    """
    sources = () if texts.source is None else (texts.source,)
    files = {
        path: read_text_lines(path, empty_end=True, texts=True, packed=path.name.endswith(".gz"))
        for path in (*texts.references, *texts.systems.values(), *sources)
    }
    marked = {path: read_marked(file) for path, file in files.items() if is_marked(file)}
    segments = {path: marked[path].texts if path in marked else _lines(file) for path, file in files.items()}
    standard = texts.references[0]
    for path, of_file in segments.items():
        if path in marked and standard in marked:
            check_same_documents(marked[standard], marked[path])
        if len(of_file) != len(segments[standard]):
            what = f"{counted(len(of_file), 'segment')}, but {len(segments[standard])} in {standard}"
            raise DataError(what, path=path, remedy="give both one line (or <seg>) a segment, in the same order")
    _check_numbers(texts, len(segments[standard]))
    return SegmentTexts(
        systems={name: segments[path] for name, path in texts.systems.items()},
        references=[segments[path] for path in texts.references],
        inputs=tuple(input_of(file, texts.root) for file in files.values()),
        source=None if texts.source is None else segments[texts.source],
    )


def _check_numbers(texts: TextFiles, count: int) -> None:
    """Raise a `DataError` if a unit is about a segment that the files lack."""
    last = texts.first + count - 1
    outside = texts.segments[(texts.segments < texts.first) | (texts.segments > last)]
    if len(outside):
        what = f"segment {outside[0]} was judged, but the texts of {texts.pair} are segments {texts.first} to {last}"
        raise DataError(what, path=texts.references[0], remedy="give the texts of the test set that was judged")


def _lines(file: TextFile) -> Sequence[str]:
    return [line.strip() for line in file.lines]
