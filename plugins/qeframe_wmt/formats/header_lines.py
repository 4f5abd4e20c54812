"""Header lines before the columns of a submission since 2021: one column each."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qeframe.plugin import DataError
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import TextFile

_STATED = ("disk_footprint", "parameters", "ensemble_size")
_NUMBER = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?")


def check_header_count(header_lines: int, *, usual: str) -> None:
    """Raise a `DataError` for a negative number of header lines; `usual` names those of the tasks."""
    if header_lines < 0:
        raise DataError(f"header_lines = {header_lines} must not be negative", remedy=f"give {usual}")


def check_header(file: TextFile, header: int, *, names: Sequence[str], reader: str) -> None:
    """Check that exactly the first `header` lines have one column: a number, or a word such as "-".

    `names` are those of the columns after the header, `reader` is the reader that has the parameter `header_lines`.
    """
    count = next((number for number, line in enumerate(file.lines) if "\t" in line), None)
    if count is None:
        remedy = f"put a tab between {' '.join(names)}"
        raise file.error("no line has columns by tabs", line=min(header + 1, len(file.lines)), remedy=remedy)
    if count != header:
        what = f"{counted(count, 'header line')} of one column instead of {header}"
        remedy = f"repair the header, or set header_lines={count} in the reader {reader}"
        raise file.error(what, line=min(count, header) + 1, remedy=remedy)
    for number, line in enumerate(file.lines[:header], 1):
        if not line.strip():
            raise file.error("an empty header line", line=number, remedy="write 0 for an unknown number")
        if len(line.split()) > 1 and not any(map(str.isdigit, line)):
            what = f"'{line.strip()[:40]}' is not a header line: it has no number"
            remedy = "give bytes on disk, number of parameters, size of the ensemble; 0 for an unknown number"
            raise file.error(what, line=number, remedy=remedy)


def stated_numbers(file: TextFile, header: int) -> dict[str, float]:
    """Return the numbers in the header lines by name: bytes on disk, parameters, size of the ensemble.

    A header line that is not one number from 0, such as "-", states none.
    """
    texts = (line.strip() for line in file.lines[:header])
    return {name: float(text) for name, text in zip(_STATED, texts, strict=False) if _NUMBER.fullmatch(text)}
