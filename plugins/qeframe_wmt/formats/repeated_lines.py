"""Files that were joined with themselves: every count and every sum in them would be a multiple."""

from __future__ import annotations

from qeframe.plugin.readers import TextFile

_MOST_COPIES = 10


def refuse_repeated_lines(file: TextFile, *, header: int = 0) -> None:
    """Raise a `DataError` if the lines after the header are a block of different lines, several times.

    Single lines may well be equal: two judges may agree, and one error may be made twice.
    """
    records = file.lines[header:]
    for copies in range(2, _MOST_COPIES + 1):
        length, rest = divmod(len(records), copies)
        if rest or length < 2 or records[length] != records[0]:
            continue
        if records[length:] == records[:-length] and len(set(records[:length])) > 1:
            first, last = header + 1, header + length
            what = f"lines {last + 1} to {len(file.lines)} repeat lines {first} to {last}"
            raise file.error(what, line=last + 1, remedy="keep them once: the file was joined with itself")
