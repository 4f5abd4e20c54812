"""The two standard streams of a command, and what is written to them in the same form by several commands.

Standard output appears when a command has ended: the whole result, or nothing. If it cannot be written, the command
fails in one line. If standard error cannot be written, no one reads it, and the command goes on without.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from qeframe.core.errors import OutputError, one_line

if TYPE_CHECKING:
    from qeframe.report.layouts.table import Table


def say(*lines: str, quiet: bool = False) -> None:
    """Write lines to standard error, each after the name of the program; nothing if `quiet`."""
    for line in () if quiet else lines:
        click.echo(f"qeframe: {one_line(line)}", err=True)


def print_tables(tables: Sequence[Table]) -> None:
    """Print tables one below the other, with an empty line between."""
    from qeframe.report import print_table

    for nth, table in enumerate(tables):
        click.echo("\n" * bool(nth), nl=False)
        print_table(table)


def print_columns(rows: Sequence[Sequence[str]]) -> None:
    """Print rows of texts in aligned columns, control characters made visible."""
    shown = [tuple(map(one_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        click.echo("  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip())


def write_json(record: Any) -> None:
    """Write a result of mappings, sequences and frozen values as JSON, numbers that are not finite as null."""
    from qeframe.core.display import canonical_json

    click.echo(canonical_json(record), nl=False)


@contextmanager
def standard_streams(*, of_program: bool = False) -> Iterator[None]:
    """Stand in for standard streams that are closed, and let nothing fail because standard error does.

    A number that the caller closed is taken by the null device: else the next file that is opened would get it, and
    what a library prints would go into that file.

    `of_program`: whether the process is that of the command, so that standard output belongs to its result. What else
    is printed, by plugins, child programs, worker processes and exit handlers, then goes to standard error.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    before = out, err = sys.stdout, sys.stderr
    with ExitStack() as stack:
        if out is None:
            out = stack.enter_context(open(os.open(os.devnull, os.O_RDONLY), "w"))  # fails as a closed one does
            stack.callback(silence, out)
        if err is None:
            err = stack.enter_context(open(os.devnull, "w"))
        if of_program:
            out = stack.enter_context(_moved(out))
        sys.stdout, sys.stderr = out, cast("TextIO", _Tolerant(err))
        try:
            yield
        finally:
            sys.stdout, sys.stderr = before


@contextmanager
def _moved(out: TextIO) -> Iterator[TextIO]:
    """Yield standard output under another number, which no child process gets; its own becomes standard error.

    It stays so when the block ends, for handlers at exit.
    """
    stream = open(os.dup(out.fileno()), "w", encoding=out.encoding, errors=out.errors)  # noqa: SIM115  # closed below
    os.dup2(2, 1)
    try:
        yield stream
    finally:
        with suppress(OSError):  # what could not be written was told
            stream.close()


@contextmanager
def whole_output() -> Iterator[None]:
    """Keep what is written to standard output until the block ends; if it fails, that is never written.

    What is written to standard error after it is kept too, so that the order of the two stays as it is. A block that
    ends with an `OutputError` has a result.

    Raises OutputError if standard output cannot be written.
    """
    out, err = sys.stdout, sys.stderr
    kept: list[tuple[TextIO, str]] = []
    sys.stdout, sys.stderr = cast("TextIO", _Kept(out, kept)), cast("TextIO", _AfterKept(err, kept))
    failed = True
    try:
        yield
        failed = False
    except SystemExit as stop:
        failed = stop.code not in (None, 0, 1)
        raise
    except OutputError:
        failed = False
        raise
    finally:
        sys.stdout, sys.stderr = out, err
        _write_kept(kept, out, failed=failed)


def _write_kept(kept: list[tuple[TextIO, str]], out: TextIO, *, failed: bool) -> None:
    """Write what was kept in its order; if standard output fails, what was said on standard error still comes."""
    unwritten: OSError | None = None
    for stream, text in kept:
        if stream is None or (stream is out and (failed or unwritten)):  # None: the caller closed it
            continue
        try:
            click.echo(text, nl=False, file=stream)
        except OSError as error:
            unwritten = error
    if unwritten is not None:
        raise _not_written(out, unwritten)


def _not_written(stream: TextIO, error: OSError) -> Exception:
    """Return the error to raise; where the reader has gone, the same, which ends a command without a message."""
    silence(stream)
    if isinstance(error, BrokenPipeError):
        return error
    why = "it is closed" if error.errno == errno.EBADF else error.strerror or str(error)
    return OutputError(f"standard output cannot be written: {why}; redirect it elsewhere")


def silence(stream: TextIO) -> None:
    """Send what a stream still holds, and what is written to it later, to the null device: it cannot be written."""
    with suppress(OSError, ValueError):  # a stream without a number
        number = stream.fileno()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, number)
        os.close(null)


class _Tolerant(io.TextIOBase):
    """A stream of text that gives up in silence when it cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # the stream may be replaced by one in another encoding
        return self.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.stream.errors

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self.stream.isatty()

    def fileno(self) -> int:
        return self.stream.fileno()

    def write(self, text: str) -> int:
        try:
            return self.stream.write(text)
        except OSError:
            silence(self.stream)
            return len(text)

    def flush(self) -> None:
        try:
            self.stream.flush()
        except OSError:
            silence(self.stream)


class _Kept(_Tolerant):
    """A stream of text that is kept. What other threads than that of the command print goes to standard error."""

    def __init__(self, stream: TextIO, kept: list[tuple[TextIO, str]]) -> None:
        super().__init__(stream)
        self._kept, self._thread = kept, threading.get_ident()

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("text is written, not bytes")
        if self is sys.stdout and threading.get_ident() != self._thread:
            return sys.stderr.write(text)
        self._kept.append((self.stream, text))
        return len(text)

    def flush(self) -> None:
        """Do nothing: what is kept waits."""


class _AfterKept(_Kept):
    """A stream that is kept once something else is."""

    def write(self, text: str) -> int:
        return super().write(text) if self._kept else _Tolerant.write(self, text)

    def flush(self) -> None:
        _Tolerant.flush(self)
