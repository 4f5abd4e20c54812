"""One large JSON object whose members are lists of objects, read one object after the other in little memory."""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

from qeframe.plugin import DataError
from qeframe.plugin.readers import TextFile
from qeframe_wmt.formats.json_lines import Fields, explain, parse_value

_PIECE = 1 << 20
_BLANK = re.compile(r"[ \t\r\n]*")
_SHAPE = "the file is one JSON object: by name a list of objects"


def json_members(file: TextFile, content: bytes) -> Iterator[tuple[str, Iterator[Fields]]]:
    """Yield the name of every member of the object that a file holds, and its objects, which are read one by one.

    The objects of a member must be taken before the next member. The line of an object is that of its beginning. Raises
    DataError for what is no such object, and for two members of one name.
    """
    window, names = _Window(file, content), set[str]()
    window.expect("{")
    while not window.takes("}"):
        if names:
            window.expect(",")
        name = window.value()
        if not isinstance(name, str) or name in names:
            what = f"the member '{name}' occurs twice" if name in names else "a member has no name"
            raise window.error(what, _SHAPE)
        names.add(name)
        window.expect(":")
        window.expect("[")
        yield name, window.objects(name)
    if window.next():
        raise window.error("there is text after the object", _SHAPE)


class _Window:
    """The part of a text that is being read: `at` is the place in it."""

    def __init__(self, file: TextFile, content: bytes) -> None:
        self.file, self.content = file, content
        self.read, self.decode = 0, codecs.getincrementaldecoder("utf-8")().decode
        self.text, self.at = "", 0
        self._line, self._counted = 1, 0  # the line of a place that was passed

    @property
    def line(self) -> int:
        """The number of the present line."""
        self._line, self._counted = self._line + self.text.count("\n", self._counted, self.at), self.at
        return self._line

    def more(self, size: int = _PIECE) -> bool:
        """Forget what was read, and read on; return whether there was more."""
        piece, line = self.content[self.read : self.read + size], self.line
        try:
            decoded = self.decode(piece, self.read + size >= len(self.content))
        except UnicodeDecodeError:
            raise self.file.error("not UTF-8", line=line, remedy="save it as UTF-8") from None
        self.text, self.at, self._counted = self.text[self.at :] + decoded, 0, 0
        self.read += len(piece)
        return bool(piece)

    def error(self, what: str, remedy: str) -> DataError:
        """Return an error that names the present line."""
        return self.file.error(what, line=self.line, remedy=remedy)

    def next(self) -> str:
        """Return the next character that is not blank; empty at the end."""
        while True:
            self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]  # it matches nothing, too
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def takes(self, mark: str) -> bool:
        """Return whether a mark comes next, and pass over it."""
        found = self.next() == mark
        self.at += found
        return found

    def expect(self, mark: str) -> None:
        """Pass over a mark, which must come next."""
        if not self.takes(mark):
            raise self.error(f"'{mark}' is expected here, not '{self.next()}'", _SHAPE)

    def value(self) -> Any:
        """Read the next value."""
        size = _PIECE
        while True:
            self.next()
            try:
                value, self.at = parse_value(self.text, self.at)
            except (ValueError, RecursionError) as error:
                if isinstance(error, json.JSONDecodeError):
                    # a value that goes on beyond the window ends in its last text, or a few characters before its end
                    cut = error.msg.startswith("Unterminated") or error.pos >= len(self.text) - len("\\ud83d\\ude00")
                    if cut and self.more(size):
                        size *= 2
                        continue
                    self.at = min(error.pos, len(self.text))
                what, remedy = explain(error)
                raise self.error(what, remedy or _SHAPE) from None
            return value

    def objects(self, name: str) -> Iterator[Fields]:
        """Yield the objects of the list that has begun, which is the member of this name."""
        position = 0
        while not self.takes("]"):
            if position:
                self.expect(",")
            self.next()
            line = self.line
            element = self.value()
            if not isinstance(element, dict):
                raise self.file.error(f"'{name}[{position}]' is no object", line=line, remedy=_SHAPE)
            yield Fields(self.file, line, element, ((), name, position))
            position += 1
