"""Files of texts of a task: where they are, and how they are read.

A reader only locates texts. They are read when a metric is computed from them: one segment a line, or SGML, in which
every segment is ``<seg id="N">...</seg>`` and numbers start at 1 in every document. An empty line is an empty segment,
also at the end of a file; whether the last line has a line end makes no difference.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import field, frozen

from qeframe.batch import FloatArray, IntArray
from qeframe.errors import DataError, counted
from qeframe.files import TextFile, read_text_lines
from qeframe.task import Input

__all__ = ["SegmentTexts", "TextFiles", "read_texts"]

_MARKUP = re.compile(
    r"<doc\b[^>]*>|<seg\b[^>]*\bid\s*=\s*[\"']?(\d+)[\"']?[^>]*>(.*?)</seg\s*>", re.DOTALL | re.IGNORECASE
)
_BEGINNING = re.compile(r"\s*<(?:[?]xml|!doctype|mteval|refset|tstset|srcset|doc)\b", re.IGNORECASE)
_OPENING = re.compile(r"<seg\b", re.IGNORECASE)
_SUFFIXES = frozenset({".sgm", ".sgml", ".xml"})


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
    """

    pair: str
    systems: Mapping[str, Path]
    references: tuple[Path, ...]
    segments: IntArray
    sides: IntArray | None = None
    root: Path
    first: int = 1

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
    segments = {path: _segments(file) for path, file in files.items()}
    standard = texts.references[0]
    for path, found in segments.items():
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


def _segments(file: TextFile) -> Sequence[str]:
    """Return the segments of a file, which is SGML if its name or its beginning says so."""
    marked = file.path.suffix.lower() in _SUFFIXES or _BEGINNING.match(file.lines[0])
    return _marked_segments(file) if marked else [line.strip() for line in file.lines]


def _marked_segments(file: TextFile) -> list[str]:
    content, last = "\n".join(file.lines), 0
    found: list[str] = []
    for match in _MARKUP.finditer(content):
        if match[1] is None:  # a document begins
            last = 0
            continue
        _check_segment(file, content, match, last)
        last = int(match[1])
        found.append(html.unescape(match[2]).strip())
    _check_all_found(file, content, len(found))
    return found


def _check_segment(file: TextFile, content: str, match: re.Match[str], last: int) -> None:
    """Refuse a segment without an end, and one that does not follow the last one."""
    line = _line(content, match.start()) if int(match[1]) != last + 1 or _OPENING.search(match[2]) else 0
    if line and _OPENING.search(match[2]):
        raise file.error(f"segment {match[1]} does not end", line=line, remedy="add </seg>")
    if line:
        before = f"segment {match[1]} after segment {last}" if last else f"the first segment is {match[1]}"
        remedy = "number the segments of a document 1, 2, 3 ..."
        raise file.error(f"{before}: segment {last + 1} is missing here", line=line, remedy=remedy)


def _check_all_found(file: TextFile, content: str, found: int) -> None:
    openings = [match.start() for match in _OPENING.finditer(content)]
    if not openings:
        raise file.error("no segment is here", remedy='write <seg id="1">...</seg>, or one segment a line')
    if len(openings) != found:
        line = _line(content, openings[-1])
        raise file.error("a segment has no number or no end", line=line, remedy='write <seg id="1">...</seg>')


def _line(content: str, position: int) -> int:
    return content.count("\n", 0, position) + 1
