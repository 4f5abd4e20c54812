"""What commands and calls leave behind, run in the tests' own process."""

import pytest
from attrs import frozen

from qeframe.cli import main


@frozen
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str


def outcome_of(capsys: pytest.CaptureFixture[str], *arguments: object) -> Outcome:
    """Run a command and return its outcome."""
    capsys.readouterr()
    try:
        main([str(argument) for argument in arguments])
        status = 0
    except SystemExit as stop:
        status = int(stop.code or 0)
    printed = capsys.readouterr()
    return Outcome(status, printed.out, printed.err)


def failure(error: type[Exception] | tuple[type[Exception], ...], call, *arguments, **options) -> str:
    """Return the one line that a call fails with."""
    with pytest.raises(error) as caught:
        call(*arguments, **options)
    (line,) = str(caught.value).splitlines()
    return line
