"""All mistakes in the lines of one file: what is wrong is repaired in memory, and the file is read again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
from attrs import frozen

from qeframe.core.errors import DataError
from qeframe.data.file_bytes import GZIP, substituted

MOST_MISTAKES = 10
"""The mistakes that are looked for in one file; lines with the same mistake are one."""

_MOST_READINGS = 60
"""How often a file is read for its mistakes, about."""

_LARGEST = 2**24
"""The largest file that is read again and again, in bytes: about a second each time."""

_COMMA = re.compile(r"([-+]?\d+),(\d+)")
_PARTICULAR = re.compile(r"'[^']*'|\d+")
_MOST_ALIKE = 3
"""The mistakes of one kind that are listed with their lines."""

_MOST_HEADER_LINES = 4


@frozen(kw_only=True)
class LineMistake:
    """A mistake in a line, or in none, and in how many more lines it occurs, if all of them are known."""

    error: DataError
    line: int | None
    more: int
    all_known: bool = True


@frozen(kw_only=True)
class RepairedFile:
    """A file with its mistakes, and without them.

    `content`: the file as it can be read; None if some mistake cannot be repaired.
    `altered`: the lines that are not as they were, from 1. What is wrong in them afterwards is no mistake of the file.
    `shortened`: whether lines were removed, so that units are missing which the file may have.
    """

    mistakes: tuple[LineMistake, ...]
    content: bytes | None
    altered: frozenset[int]
    shortened: bool


@frozen(kw_only=True)
class _Lines:
    """The lines of a file in some state of repair, with their numbers in the file; 0 for a line that is added."""

    lines: tuple[str, ...]
    numbers: tuple[int, ...]
    altered: frozenset[int] = frozenset()
    shortened: bool = False

    def changed(self, new: Mapping[int, str | None]) -> _Lines:
        """Return the lines with those at some positions replaced, or removed where there is None."""
        kept = [i for i in range(len(self.lines)) if new.get(i, "") is not None]
        return _Lines(
            lines=tuple(new.get(i, self.lines[i]) or "" for i in kept),
            numbers=tuple(self.numbers[i] for i in kept),
            altered=self.altered | {self.numbers[i] for i in new},
            shortened=self.shortened or None in new.values(),
        )

    def number(self, line: int) -> int:
        """Return the number in the file of a line of these; 0 if it is not there."""
        return self.numbers[line - 1] if line <= len(self.numbers) else 0

    @property
    def content(self) -> bytes:
        """The lines as a file."""
        return "\n".join(self.lines).encode("utf-8", "surrogateescape")


def all_in_file(path: Path, first: DataError, check: Callable[[], object]) -> RepairedFile:
    """Return all mistakes of a file that `check` finds in it, of which the first is known.

    Each mistake is repaired in memory, in all lines that have it, by the first way after which `check` does not
    complain of these lines: decimal points for commas, tabs for blanks, lines of a header, a field of the line before,
    and at last by removing the line. What `check` says of the rest is then the next mistake.

    `check`: reads the file alone; raises a `DataError`.
    """
    content = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    content = b"" if content.startswith(GZIP) else content
    lines = content.decode("utf-8", "surrogateescape").split("\n")
    state, mistakes = _Lines(lines=tuple(lines), numbers=tuple(range(1, len(lines) + 1))), list[LineMistake]()
    error = _error(path, state, check)
    if error is None or error.line is None or error.line != first.line:
        return RepairedFile(mistakes=(), content=None, altered=frozenset(), shortened=False)
    readings = 0
    while len(mistakes) < MOST_MISTAKES and readings < _MOST_READINGS:
        line = None if error is None else error.line
        if error is None or line is None or not (number := state.number(line)):
            break
        if number in state.altered:  # such as a segment that occurs twice now: the other ways were wrong for it
            state, readings = state.changed({line - 1: None}), readings + 1
            error = _error(path, state, check)
            continue
        repaired, then, tried = _repaired(path, state, line, check)
        _add(mistakes, LineMistake(error=error, line=number, more=max(len(repaired.altered - state.altered) - 1, 0)))
        if repaired is state:
            break
        state, error, readings = repaired, then, readings + tried
    if error is not None and mistakes and readings >= _MOST_READINGS:
        mistakes[-1] = attrs.evolve(mistakes[-1], all_known=False)
    if error is not None and error.line is None and not state.shortened:
        mistakes.append(LineMistake(error=error, line=None, more=0))
    repaired_content = state.content if error is None else None
    return RepairedFile(
        mistakes=tuple(mistakes), content=repaired_content, altered=state.altered, shortened=state.shortened
    )


def _repaired(
    path: Path, state: _Lines, line: int, check: Callable[[], object]
) -> tuple[_Lines, DataError | None, int]:
    """Return the lines after a repair, what is wrong then, and how many repairs were tried.

    It is the first repair after which nothing is wrong; else the first that helps: what is wrong then is in no line
    that was changed, copied or added. If none helps they are the same lines.
    """
    tried, helps = 0, list[tuple[_Lines, DataError]]()
    for repaired, copied in _repairs(state, line - 1):
        tried += 1
        then = _error(path, repaired, check)
        if then is None:
            return repaired, None, tried
        touched = {0, state.number(line), copied, *(repaired.altered - state.altered)}
        if not repaired.shortened if then.line is None else repaired.number(then.line) not in touched:
            helps.append((repaired, then))
    return (*helps[0], tried) if helps else (state, None, tried)


def _add(mistakes: list[LineMistake], new: LineMistake) -> None:
    """Add a mistake; one of the same words as an earlier one, or the fourth of its kind, is another line like it."""
    same = [i for i, mistake in enumerate(mistakes) if mistake.error.what == new.error.what]
    alike = [i for i, mistake in enumerate(mistakes) if _kind(mistake) == _kind(new)]
    if same or len(alike) >= _MOST_ALIKE:
        i = [*alike, *same][-1]
        mistakes[i] = attrs.evolve(mistakes[i], more=mistakes[i].more + 1 + new.more)
    else:
        mistakes.append(new)


def _kind(mistake: LineMistake) -> str:
    return _PARTICULAR.sub("", mistake.error.what)


def _error(path: Path, state: _Lines, check: Callable[[], object]) -> DataError | None:
    with substituted({path: state.content}):
        try:
            check()
        except DataError as error:
            return error
    return None


def _repairs(state: _Lines, position: int) -> Iterator[tuple[_Lines, int]]:
    """Yield the lines with a mistake repaired in one way after the other, in all lines that seem to have it.

    With each is the number of the line that was copied from, which may have a mistake of its own; 0 for none.
    """
    lines, bad = state.lines, state.lines[position]
    if bad.startswith("{"):  # an object of JSON has no fields that are known by their place
        yield state.changed({position: None}), 0
        return
    nearest = _nearest(lines, position)
    donor = lines[nearest]
    separator = "\t" if "\t" in donor else None
    fields, wanted = bad.split(separator), donor.split(separator)
    commas = [column for column, field in enumerate(fields) if _COMMA.fullmatch(field)]
    if commas:
        yield state.changed(dict(_with_points(lines, commas, separator))), 0
    if separator and len(fields) != len(wanted):
        others = {i: line.split() for i, line in enumerate(lines) if line.count("\t") != donor.count("\t")}
        blanks = {i: "\t".join(words) for i, words in others.items() if len(words) == len(wanted)}
        if position in blanks:
            yield state.changed(blanks), 0
    in_head = "\t" in donor and not any("\t" in line for line in lines[:position])
    if in_head:
        for count in range(1, _MOST_HEADER_LINES + 1):
            yield attrs.evolve(state, lines=("1",) * count + lines, numbers=(0,) * count + state.numbers), 0
        yield state.changed({position: "1"}), 0
    columns = range(len(fields) - 1, -1, -1) if len(fields) == len(wanted) and not in_head else ()
    for column in columns:
        alike = _alike(lines, position, column, wanted[column], separator)
        new = {i: _with_field(lines[i], column, wanted[column], separator) for i in alike}
        yield state.changed(new), state.numbers[nearest]
    for column in columns:
        if _is_number(wanted[column]) and not _is_number(fields[column]):
            yield state.changed(dict.fromkeys(_alike(lines, position, column, wanted[column], separator))), 0
    yield state.changed({position: None}), 0


def _nearest(lines: Sequence[str], position: int) -> int:
    """Return the position of the last line before one, else of the first after it, with as many tabs as is usual."""
    tabs = [line.count("\t") for line in lines]
    usual = Counter(filter(None, tabs)).most_common(1)[0][0] if any(tabs) else 0
    others = [*range(position - 1, -1, -1), *range(position + 1, len(lines))]
    return next((i for i in others if tabs[i] == usual), position)


def _with_points(lines: Sequence[str], columns: Sequence[int], separator: str | None) -> Iterator[tuple[int, str]]:
    """Yield the lines that have decimal commas in some columns, with decimal points."""
    for i, line in enumerate(lines):
        fields = line.split(separator)
        if len(fields) > max(columns) and any(_COMMA.fullmatch(fields[column]) for column in columns):
            for column in columns:
                fields[column] = _COMMA.sub(r"\1.\2", fields[column])
            yield i, (separator or " ").join(fields)


def _alike(lines: Sequence[str], position: int, column: int, wanted: str, separator: str | None) -> list[int]:
    """Return the lines whose field is wrong in the same way where a number is wanted; else a line alone."""
    width, bad = len(lines[position].split(separator)), lines[position].split(separator)[column]
    if not _is_number(wanted) or _is_number(bad):
        return [position]
    split = ((i, line.split(separator)) for i, line in enumerate(lines))
    return [i for i, fields in split if len(fields) == width and _shape(fields[column]) == _shape(bad)]


def _with_field(line: str, column: int, wanted: str, separator: str | None) -> str:
    fields = line.split(separator)
    return (separator or " ").join([*fields[:column], wanted, *fields[column + 1 :]])


def _is_number(text: str) -> bool:
    return _shape(text) == "number"


def _shape(text: str) -> str:
    """Return what a field looks like, so that fields of one shape are wrong in the same way."""
    if _COMMA.fullmatch(text):
        return "comma"
    try:
        return "number" if abs(float(text)) < float("inf") else "no finite number"
    except ValueError:
        return "text" if text.strip() else "nothing"
