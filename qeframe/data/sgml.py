"""Texts in the SGML of the shared tasks: documents of segments, ``<doc docid="...">`` and ``<seg id="N">...</seg>``.

The numbers of segments start at 1 in every document. Tags and attributes may be in any case; quotes around values are
optional. Text outside segments is an error, apart from comments: a conflict that was not resolved, or a segment without
its element.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Sequence

from attrs import field, frozen

from qeframe.core.errors import counted
from qeframe.data.reading import TextFile
from qeframe.data.text_lines import refuse_marks

_MARKUP = re.compile(
    r"<doc\b([^>]*)>|<seg\b[^>]*\bid\s*=\s*[\"']?([0-9]+)[\"']?[^>]*>(.*?)</seg\s*>", re.DOTALL | re.IGNORECASE
)
_OUTSIDE = re.compile(r"<!--.*?-->|<!doctype[^\[>]*(?:\[.*?\]\s*)?>|<[^<>]*>", re.DOTALL | re.IGNORECASE)
"""What may occur between segments beside white space."""
_NAME = re.compile(r"\bdocid\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.IGNORECASE)
_BEGINNING = re.compile(r"\s*<(?:[?]xml|!doctype|mteval|refset|tstset|srcset|doc)\b", re.IGNORECASE)
_OPENING = re.compile(r"<seg\b", re.IGNORECASE)
_SUFFIXES = frozenset({".sgm", ".sgml", ".xml"})


@frozen(eq=False)
class MarkedTexts:
    """The segments of a file.

    `texts`: the text of every segment, with character references resolved, without white space at the ends.
    `documents`: the document of every segment: its docid; without one, its number in the file.
    `lines`: the line on which every segment begins.
    """

    file: TextFile
    texts: Sequence[str] = field(repr=False)
    documents: Sequence[str] = field(repr=False)
    lines: Sequence[int] = field(repr=False)

    @property
    def sizes(self) -> dict[str, int]:
        """The number of segments of each document, in the order of the file."""
        return Counter(self.documents)


def is_marked(file: TextFile) -> bool:
    """Return whether a file is SGML, judging by its suffix or its first line."""
    return file.path.suffix.lower() in _SUFFIXES or bool(_BEGINNING.match(file.lines[0]))


def read_marked(file: TextFile) -> MarkedTexts:
    """Read the segments of a file.

    Raises DataError if there is no segment, if a segment lacks its number or its end, if the number does not follow the
    one before, or if two documents have the same docid. The message names the line.
    """
    content = "\n".join(file.lines)
    texts: list[str] = []
    documents: list[str] = []
    lines: list[int] = []
    document, name, last, line, position, end = 0, "1", 0, 1, 0, 0
    for match in _MARKUP.finditer(content):
        line, position = line + content.count("\n", position, match.start()), match.start()
        _check_outside(file, content, end, match.start())
        end = match.end()
        if match[2] is None:  # a document begins
            document, last = document + 1, 0
            name = _document_name(match[1], document)
            refuse_marks(file, [name], "the docid", skip=line - 1)
            if name in documents:
                raise file.error(f"document '{name}' begins again", line=line, remedy="give every document once")
            continue
        _check_segment(file, match, last, line)
        last = int(match[2])
        texts.append(html.unescape(match[3]).strip())
        documents.append(name)
        lines.append(line)
    _check_all_read(file, content, len(texts))
    _check_outside(file, content, end, len(content))
    return MarkedTexts(file, texts, documents, lines)


def _check_outside(file: TextFile, content: str, start: int, end: int) -> None:
    """Raise a `DataError` for text between two positions that is neither an element, nor a comment, nor white space."""
    if not content[start:end].strip():
        return
    at = start
    for match in (*_OUTSIDE.finditer(content, start, end), None):
        text = content[at : match.start() if match else end]
        if text.strip():
            begin = at + len(text) - len(text.lstrip())
            what = f"text outside the segments: '{text.split()[0][:40]}'"
            line = content.count("\n", 0, begin) + 1
            raise file.error(what, line=line, remedy='write <seg id="N">...</seg> around it, or remove it')
        at = match.end() if match else end


def _document_name(attributes: str, number: int) -> str:
    docid = _NAME.search(attributes)
    return next((name for name in docid.groups() if name is not None), "") if docid else str(number)


def _check_segment(file: TextFile, match: re.Match[str], last: int, line: int) -> None:
    """Raise a `DataError` if a segment has no end, or if its number does not follow the last one."""
    if _OPENING.search(match[3]):
        raise file.error(f"segment {match[2]} does not end", line=line, remedy="add </seg>")
    if int(match[2]) != last + 1:
        before = f"segment {match[2]} after segment {last}" if last else f"the first segment is {match[2]}"
        remedy = "number the segments of a document 1, 2, 3 ..."
        raise file.error(f"{before}: segment {last + 1} is missing here", line=line, remedy=remedy)


def _check_all_read(file: TextFile, content: str, count: int) -> None:
    """Raise a `DataError` unless as many segments were read as begin in the file, at least one."""
    openings = [match.start() for match in _OPENING.finditer(content)]
    if not openings:
        raise file.error("no segment is here", remedy='write <seg id="1">...</seg>, or one segment a line')
    if len(openings) != count:
        line = content.count("\n", 0, openings[-1]) + 1
        raise file.error("a segment has no number or no end", line=line, remedy='write <seg id="1">...</seg>')


def check_same_documents(standard: MarkedTexts, other: MarkedTexts) -> None:
    """Check that two files have the same documents, in the same order, with the same number of segments each.

    Raises DataError at the first difference. The message names the document, the segment and both files.
    """
    expected, sizes = standard.sizes, other.sizes
    where = standard.file.path
    for name, size in expected.items():
        if name not in sizes:
            what = f"document '{name}' of {where} is missing"
            raise other.file.error(what, remedy="add it, with an empty segment for each that was not translated")
        if sizes[name] < size:
            what = f"document '{name}' ends with segment {sizes[name]}: segment {sizes[name] + 1} is missing"
            raise other.file.error(what, line=_end(other, name), remedy=f"it has {counted(size, 'segment')} in {where}")
        if sizes[name] > size:
            what = f"document '{name}' has {counted(sizes[name], 'segment')}, but {size} in {where}"
            raise other.file.error(what, line=_end(other, name), remedy="give both the same segments")
    extra = next((name for name in sizes if name not in expected), None)
    if extra is not None:
        raise other.file.error(f"document '{extra}' is not in {where}", remedy="give both the same documents")
    if list(sizes) != list(expected):
        first = next(name for name, same in zip(sizes, expected, strict=True) if name != same)
        line = other.lines[other.documents.index(first)]
        what = f"document '{first}' is at another position in {where}"
        raise other.file.error(what, line=line, remedy="give the documents in the same order")


def _end(texts: MarkedTexts, name: str) -> int:
    """Return the line of the last segment of a document."""
    return max(line for line, document in zip(texts.lines, texts.documents, strict=True) if document == name)
