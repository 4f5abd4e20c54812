"""Texts in the SGML of the shared tasks: documents of segments, ``<doc docid="...">`` and ``<seg id="N">...</seg>``.

The numbers of segments start at 1 in every document. Names of tags and attributes may be in any case, values with or
without quotes; what stands outside segments is not looked at.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from attrs import field, frozen

from qeframe.errors import counted
from qeframe.tasks.files import TextFile

__all__ = ["MarkedTexts", "check_same_documents", "is_marked", "read_marked"]

_MARKUP = re.compile(
    r"<doc\b([^>]*)>|<seg\b[^>]*\bid\s*=\s*[\"']?(\d+)[\"']?[^>]*>(.*?)</seg\s*>", re.DOTALL | re.IGNORECASE
)
_NAME = re.compile(r"\bdocid\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_BEGINNING = re.compile(r"\s*<(?:[?]xml|!doctype|mteval|refset|tstset|srcset|doc)\b", re.IGNORECASE)
_OPENING = re.compile(r"<seg\b", re.IGNORECASE)
_SUFFIXES = frozenset({".sgm", ".sgml", ".xml"})


@frozen(eq=False)
class MarkedTexts:
    """The segments of a file.

    Parameters
    ----------
    file : TextFile
    texts : sequence of str
        One a segment, character references resolved, without white space at the ends.
    documents : sequence of str
        The document of every segment: its docid, or its number in the file if it has none.
    lines : sequence of int
        The line on which every segment begins.
    """

    file: TextFile
    texts: Sequence[str] = field(repr=False)
    documents: Sequence[str] = field(repr=False)
    lines: Sequence[int] = field(repr=False)

    @property
    def sizes(self) -> dict[str, int]:
        """How many segments each document has, in the order of the file."""
        sizes: dict[str, int] = {}
        for name in self.documents:
            sizes[name] = sizes.get(name, 0) + 1
        return sizes


def is_marked(file: TextFile) -> bool:
    """Return whether a file is SGML: its name or its beginning says so."""
    return file.path.suffix.lower() in _SUFFIXES or bool(_BEGINNING.match(file.lines[0]))


def read_marked(file: TextFile) -> MarkedTexts:
    """Read the segments of a file.

    Raises
    ------
    DataError
        If there is no segment, a segment lacks a number or an end or does not follow the one before it, or two
        documents have one docid: with the line.
    """
    content = "\n".join(file.lines)
    texts: list[str] = []
    documents: list[str] = []
    lines: list[int] = []
    seen, name, last, line, place = 0, "1", 0, 1, 0
    for match in _MARKUP.finditer(content):
        line, place = line + content.count("\n", place, match.start()), match.start()
        if match[2] is None:  # a document begins
            seen, last = seen + 1, 0
            name = _document_name(match[1], seen)
            if name in documents:
                raise file.error(f"document '{name}' begins again", line=line, remedy="give every document once")
            continue
        _check_segment(file, match, last, line)
        last = int(match[2])
        texts.append(html.unescape(match[3]).strip())
        documents.append(name)
        lines.append(line)
    _check_all_found(file, content, len(texts))
    return MarkedTexts(file, texts, documents, lines)


def _document_name(attributes: str, number: int) -> str:
    found = _NAME.search(attributes)
    return next((name for name in found.groups() if name is not None), "") if found else str(number)


def _check_segment(file: TextFile, match: re.Match[str], last: int, line: int) -> None:
    """Refuse a segment without an end, and one that does not follow the last one."""
    if _OPENING.search(match[3]):
        raise file.error(f"segment {match[2]} does not end", line=line, remedy="add </seg>")
    if int(match[2]) != last + 1:
        before = f"segment {match[2]} after segment {last}" if last else f"the first segment is {match[2]}"
        remedy = "number the segments of a document 1, 2, 3 ..."
        raise file.error(f"{before}: segment {last + 1} is missing here", line=line, remedy=remedy)


def _check_all_found(file: TextFile, content: str, found: int) -> None:
    openings = [match.start() for match in _OPENING.finditer(content)]
    if not openings:
        raise file.error("no segment is here", remedy='write <seg id="1">...</seg>, or one segment a line')
    if len(openings) != found:
        line = content.count("\n", 0, openings[-1]) + 1
        raise file.error("a segment has no number or no end", line=line, remedy='write <seg id="1">...</seg>')


def check_same_documents(standard: MarkedTexts, other: MarkedTexts) -> None:
    """Refuse a file that has not the same documents, with as many segments each and in the same order, as another.

    Raises
    ------
    DataError
        Naming the document, the segment and both files.
    """
    wanted, found = standard.sizes, other.sizes
    where = standard.file.path
    for name, size in wanted.items():
        if name not in found:
            what = f"document '{name}' is missing, which is in {where}"
            raise other.file.error(what, remedy="add it; what was not translated has empty segments")
        if found[name] < size:
            what = f"document '{name}' ends with segment {found[name]}: segment {found[name] + 1} is missing"
            raise other.file.error(what, line=_end(other, name), remedy=f"it has {counted(size, 'segment')} in {where}")
        if found[name] > size:
            what = f"document '{name}' has {counted(found[name], 'segment')}, but {size} in {where}"
            raise other.file.error(what, line=_end(other, name), remedy="give both the same segments")
    extra = next((name for name in found if name not in wanted), None)
    if extra is not None:
        raise other.file.error(f"document '{extra}' is not in {where}", remedy="give both the same documents")
    if list(found) != list(wanted):
        first = next(name for name, same in zip(found, wanted, strict=True) if name != same)
        line = other.lines[other.documents.index(first)]
        raise other.file.error(f"document '{first}' has another place in {where}", line=line, remedy="order them alike")


def _end(texts: MarkedTexts, name: str) -> int:
    """Return the line of the last segment of a document."""
    return max(line for line, of in zip(texts.lines, texts.documents, strict=True) if of == name)
