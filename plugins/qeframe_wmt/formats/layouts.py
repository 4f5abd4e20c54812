"""The layouts of the shared tasks, recognized by the first lines of a file, and their header lines.

The reader of a profile declares the layout; it is never guessed. A file in another layout is refused, and the message
names the layout that it seems to have.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import LineFormat, TextFile

SCORE_COLUMNS = ("LP", "METHOD", "SEG", "SCORE")
WORD_COLUMNS = ("LP", "METHOD", "TYPE", "SENT_ID", "WORD_IDX", "WORD", "TAG")
SPAN_COLUMNS = ("LP", "METHOD", "SEG", "TARGET", "STARTS", "ENDS", "TYPES")
CHALLENGE_COLUMNS = (
    *("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id"),
    *("domain_name", "method", "overall"),
)

_MOST_HEADER_LINES = 3
_TYPES = {"mt", "gap", "source"}
_SENTENCE_OF_2014 = re.compile(r"\d+\.\d+")
_NUMBER = re.compile(r"-?\d*\.?\d+(e-?\d+)?")


@frozen
class Layout:
    """A layout: its description, and the reader of submissions that have it."""

    description: str
    reader: str


TAG_LINES = Layout("plain tag lines", "tag_lines")


def columns_after_header(names: Sequence[str], header: int, reader: str) -> Layout:
    """Return the layout of columns by tabs after some header lines."""
    columns = f"{len(names)} columns by tabs ({' '.join(names)})"
    return Layout(f"{columns} after {counted(header, 'header line')}", f"{reader}(header_lines={header})")


def layout_of(file: TextFile) -> Layout | None:
    """Return the layout that the first lines of a file have, None if they have no known one."""
    from qeframe.plugin.kinds import spelled_codes  # readers of scores need no kind of tags

    beginning = next((line for line in file.lines if line.strip()), "").split()
    if beginning and set(beginning) <= spelled_codes().keys():
        return TAG_LINES
    if "start_indices" in file.lines[0].split("\t"):
        return Layout("a table of spans with a header", "spans_2025")
    header = sum(1 for _ in takewhile(lambda line: "\t" not in line, islice(file.lines, _MOST_HEADER_LINES)))
    header = header if header < len(file.lines) and "\t" in file.lines[header] else 0
    return _layout_of_columns(file.lines[header], header)


def _layout_of_columns(line: str, header: int) -> Layout | None:
    by_tab, by_blank = line.split("\t"), line.split()
    if len(by_blank) == 6 and _SENTENCE_OF_2014.fullmatch(by_blank[0]) and by_blank[1].isdecimal():
        return Layout("six columns (sentence, index, word, three tags)", "word_columns_2014")
    match by_tab:
        case [_, _, kind, segment, index, _, _] if kind.lower() in _TYPES and (segment + index).isdecimal():
            return columns_after_header(WORD_COLUMNS, header, "word_columns_2020")
        case [_, _, segment, _, _, _, _] if segment.isdecimal():
            return columns_after_header(SPAN_COLUMNS, header, "spans_2023")
        case [_, segment, index, _, _] if (segment + index).isdecimal():
            return Layout("5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)", "word_columns_2015")
        case [_, _, segment, score] if segment.isdecimal() and _NUMBER.fullmatch(score):
            description = f"scores of sentences after {counted(header, 'header line')}"
            return Layout(description, f"qe_sentence(header_lines={header})")
    return None


def refuse_other_layout(file: TextFile, wanted: Layout, *, gold: bool = False, any_header: bool = False) -> None:
    """Raise a `DataError` if a file has another layout than the wanted one.

    For the gold of a task the message suggests no other reader. With `any_header` the number of header lines is checked
    elsewhere. An error for which another reader is the remedy names no line: it is about the whole file, whose
    lines are then not searched for further mistakes.
    """
    layout = layout_of(file)
    if layout is None or layout.reader == wanted.reader:
        return
    if any_header and layout.reader.partition("(")[0] == wanted.reader:
        return
    name, _, parameters = layout.reader.partition("(")
    same_reader = name == wanted.reader.partition("(")[0]  # its other parameters hold: name those that differ alone
    remedy = f"set {parameters.rstrip(')')} in the reader {name}" if same_reader else f"use reader={layout.reader}"
    what = f"looks like {layout.description}, not like {wanted.description}"
    if gold:
        raise file.error(what, line=1, remedy=f"give the gold as {wanted.description}")
    line = 1 if same_reader else None
    raise DataError(what, path=file.path, line=line, remedy="write it in the latter layout", setting=remedy)


_STATED = ("disk_footprint", "parameters", "ensemble_size")
_STATED_NUMBER = re.compile(r"[0-9]{1,18}(\.[0-9]{1,18})?")
_STATED_IN_WORDS = (
    ("2280011066", "the size of the model on disk, in bytes"),
    ("564527011", "the number of its parameters"),
    ("1", "the number of models in the ensemble"),
)
SEGMENT = "is the number of the segment: its line in the source text, from 0"


def lines_after_header(
    header_lines: int, columns: Mapping[str, str], answers: Mapping[str, tuple[str, ...]]
) -> LineFormat:
    """Return what lines hold: header lines, then LP, METHOD and more columns, which it says in words."""
    header = (*_STATED_IN_WORDS, *[("0", "a number")] * (header_lines - len(_STATED_IN_WORDS)))[:header_lines]
    pair, method = "is the language pair, as the task is named", "is the name of your system, the same in all lines"
    named = {"LP": pair, "METHOD": method, **columns}
    return LineFormat(header=header, columns=named, author=("METHOD",), answers=answers)


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
        setting = f"set header_lines={count} in the reader {reader}"
        line_number = min(count, header) + 1
        raise DataError(what, path=file.path, line=line_number, remedy="repair the header", setting=setting)
    for number, line in enumerate(file.lines[:header], 1):
        if not line.strip():
            raise file.error("an empty header line", line=number, remedy="write 0 for an unknown number")
        if len(line.split()) > 1 and not any(map(str.isdigit, line)):
            what = f"'{line.strip()[:40]}' is not a header line: it has no number"
            remedy = "give bytes on disk, number of parameters, size of the ensemble; 0 for an unknown number"
            raise file.error(what, line=number, remedy=remedy)


def check_columns(file: TextFile, header: int, *, names: Sequence[str], reader: str) -> None:
    """Raise a `DataError` unless a file has columns of these names after exactly `header` lines of one column."""
    refuse_other_layout(file, columns_after_header(names, header, reader))
    check_header(file, header, names=names, reader=reader)


def stated_numbers(file: TextFile, header: int) -> dict[str, float]:
    """Return the numbers in the header lines by name: bytes on disk, parameters, size of the ensemble.

    A header line that is not one number from 0, such as "-", states none.
    """
    texts = (line.strip() for line in file.lines[:header])
    return {name: float(text) for name, text in zip(_STATED, texts, strict=False) if _STATED_NUMBER.fullmatch(text)}
