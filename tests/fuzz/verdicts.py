"""Running a command on broken input, and judging what it did."""

import io
import json
import re
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from enum import Enum
from pathlib import Path
from typing import Any

from attrs import frozen

from qeframe.cli import main

__all__ = ["Hang", "Outcome", "Verdict", "Verdicts", "judge", "outcome_of"]

SECONDS = 20.0
"""A command that takes longer hangs; on an idle machine the slowest takes a hundredth of it."""


class Verdicts(Enum):
    """What a command may do about broken input."""

    GOOD = "good"
    SAME = "same numbers"
    UNDETECTABLE = "undetectable"
    DEFECT = "defect"


@frozen
class Verdict:
    """A verdict with its reason."""

    kind: Verdicts
    reason: str = ""


@frozen
class Outcome:
    """What a command left behind; `status` is None if it hung."""

    status: int | None
    out: str
    err: str

    @property
    def numbers(self) -> Any:
        """The results alone: no hashes of the input, no warnings, counts of what was left out, or details of units."""
        result = json.loads(self.out)
        if not isinstance(result, dict):
            return result
        for submission in result.get("submissions", ()):
            submission.pop("stated", None)
            for score in submission["scores"].values():
                _without_details(score)
        return {key: value for key, value in result.items() if key not in {"signature", "warnings", "dropped", "files"}}


def _without_details(score: dict[str, Any]) -> None:
    score.pop("details", None)
    for of_task in score.get("tasks", {}).values():
        of_task.pop("details", None)


class Hang(BaseException):
    """Raised in a command that takes too long; no handler of errors takes it for one."""


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def outcome_of(arguments: Sequence[str], *, seconds: float = SECONDS) -> Outcome:
    """Run a command in this process, for at most so many seconds."""
    out, err = io.StringIO(), io.StringIO()
    status: int | None = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            with _stopped_after(seconds):
                main(list(arguments))
        except SystemExit as stop:
            status = int(stop.code or 0)
        except Hang:
            status = None
        except BaseException as error:
            status = 1
            err.write(f"Traceback: {error!r}\n")
    return Outcome(status, out.getvalue(), err.getvalue())


REFUSAL = re.compile(
    r"qeframe: [^\n]+\n"
    r"|qeframe: (\d+ files? of submissions cannot be used; |[^\n]+: \d+ mistakes)[^\n]*\n(  \S[^\n]*\n){2,}"
)
"""One line; for several mistakes in submissions a line and one more for each of them."""
_REMEDY = re.compile(r"; \S|did you mean|known: | must | has no parameters")
_UNFORESEEN = re.compile(r"raised in module|Traceback|Error: |Errno")


def judge(
    outcome: Outcome,
    usual: Outcome,
    *,
    named: Sequence[str],
    line: int = 0,
    undetectable: str = "",
    must_be_refused: bool = False,
    out: Path,
) -> Verdict:
    """Return the verdict on what a command did.

    Parameters
    ----------
    outcome, usual : Outcome
        With broken input, and with the input before it was broken.
    named : sequence of str
        A refusal must name one of these.
    line : int
        The line that a refusal must name beside the first of `named`; 0 for none.
    undetectable : str
        Why other numbers are right.
    must_be_refused : bool
        Whether equal numbers are wrong too.
    out : Path
        The folder for the results, which a refusal must leave alone.
    """
    if outcome.status is None:
        return Verdict(Verdicts.DEFECT, "it hangs")
    if outcome.status == 2:
        return _judge_refusal(outcome, named, line, out)
    if outcome.status != 0:
        return Verdict(Verdicts.DEFECT, f"exit status {outcome.status}: {outcome.err[:200]}")
    if must_be_refused:
        return Verdict(Verdicts.DEFECT, "it is ignored")
    if outcome.numbers == usual.numbers:
        return Verdict(Verdicts.SAME)
    if undetectable:
        return Verdict(Verdicts.UNDETECTABLE, undetectable)
    told = set(outcome.err.splitlines()) - set(usual.err.splitlines())
    return Verdict(Verdicts.DEFECT, f"other numbers; warnings: {sorted(told)}"[:300])


def _judge_refusal(outcome: Outcome, named: Sequence[str], line: int, out: Path) -> Verdict:
    message = outcome.err
    where = f"{named[0]}:{line}:" if line else ""
    lacks = {
        "standard output is not empty": bool(outcome.out),
        "not one line a fault": not REFUSAL.fullmatch(message),
        "unforeseen": bool(_UNFORESEEN.search(message)),
        f"names none of {', '.join(named)}": not any(name in message for name in named),
        f"does not name {where}": where not in message,
        "no remedy": not _REMEDY.search(message),
        "half-written results": out.exists(),
        "raw control characters": any(not c.isprintable() for c in message.replace("\n", "")),
    }
    wrong = [what for what, holds in lacks.items() if holds]
    return Verdict(Verdicts.DEFECT, f"{'; '.join(wrong)}: {message[:300]}") if wrong else Verdict(Verdicts.GOOD)
