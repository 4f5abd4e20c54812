"""Standard output that appears when a command has ended: the whole result, or nothing."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO, cast

import click

__all__ = ["whole_output", "write_now"]


@contextmanager
def whole_output() -> Iterator[None]:
    """Keep what is written to standard output until the block ends; if it fails, that is never written.

    What is written to standard error after it is kept too, so that the order of the two stays as it is.
    """
    out, err = sys.stdout, sys.stderr
    if out is None or err is None:  # the caller closed it
        yield
        return
    kept: list[tuple[TextIO, str]] = []
    sys.stdout, sys.stderr = cast("TextIO", _Kept(out, kept)), cast("TextIO", _AfterKept(err, kept))
    failed = True
    try:
        yield
        failed = False
    except SystemExit as stop:
        failed = stop.code not in (None, 0, 1)
        raise
    finally:
        sys.stdout, sys.stderr = out, err
        for stream, text in kept:
            if stream is err or not failed:
                click.echo(text, nl=False, err=stream is err)


def write_now(text: str) -> None:
    """Write to standard output at once, also within `whole_output`: for records that are of use one by one."""
    stream = sys.stdout
    if isinstance(stream, _Kept):
        stream = stream.stream
    if stream is not None:
        click.echo(text, nl=False, file=stream)
        stream.flush()


class _Kept(io.TextIOBase):
    """A stream of text that is kept."""

    def __init__(self, stream: TextIO, kept: list[tuple[TextIO, str]]) -> None:
        self.stream, self._kept = stream, kept

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
        if not isinstance(text, str):
            raise TypeError("text is written, not bytes")
        self._kept.append((self.stream, text))
        return len(text)


class _AfterKept(_Kept):
    """A stream that is kept once something else is."""

    def write(self, text: str) -> int:
        if self._kept:
            return super().write(text)
        return self.stream.write(text)

    def flush(self) -> None:
        self.stream.flush()
