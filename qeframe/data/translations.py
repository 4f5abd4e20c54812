"""Files of translations and references: their paths, and how they are read.

A reader only locates texts. They are read when a metric is computed from them, or when they are exported: one segment a
line, or SGML; unpacked if the name of the file ends in ``.gz``. An empty line is an empty segment, also at the end of a
file. The line end of the last line is optional.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from qeframe.core.errors import DataError, counted
from qeframe.core.task import Input
from qeframe.data.reading import TextFiles
from qeframe.data.sgml import check_same_documents, is_marked, read_marked
from qeframe.data.text_lines import input_of, read_text_lines


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
    segments = {
        path: marked[path].texts if path in marked else [line.strip() for line in file.lines]
        for path, file in files.items()
    }
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
