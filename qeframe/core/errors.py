"""The errors of qeframe; their tree is drawn in the module ``qeframe.errors``.

Every message is one line: where, what is wrong, and the remedy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Any

TRACEBACK = "QEFRAME_TRACEBACK"
"""The environment variable that requests a traceback instead of one line."""


class QeframeError(Exception):
    """The root of the tree: catch it to catch every error that qeframe raises on purpose.

    Examples
    --------
    >>> import qeframe
    >>> try:
    ...     qeframe.score("pearson", [1, 2], [1, 2, 3])
    ... except qeframe.QeframeError as error:
    ...     print(type(error).__name__)
    DataError
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by message and attributes, not by the constructor: errors are sent back from worker processes."""
        return Exception.__new__, (type(self), *self.args), vars(self)


class DataError(QeframeError, ValueError):
    """Input that cannot be used.

    Parameters
    ----------
    what : str
        What is wrong, without a full stop.
    path, line : optional
        The file and the line, from 1, of the mistake.
    remedy : str, optional
        What the user can do: of a file of answers, who made it.
    setting : str, optional
        What an organizer can do instead, who chooses the rules.

    Examples
    --------
    >>> import qeframe
    >>> raise qeframe.DataError("'x' is not a number", path="gold.txt", line=3, remedy="write a number")
    Traceback (most recent call last):
        ...
    qeframe.core.errors.DataError: gold.txt:3: 'x' is not a number; write a number
    """

    def __init__(
        self,
        what: str,
        *,
        path: str | PathLike[str] | None = None,
        line: int | None = None,
        remedy: str = "",
        setting: str = "",
    ) -> None:
        self.what, self.path, self.line, self.remedy, self.setting = what, path, line, remedy, setting
        super().__init__(self._with(", or ".join(filter(None, (remedy, setting)))))

    def _with(self, ways: str) -> str:
        where = "" if self.path is None else f"{self.path}: " if self.line is None else f"{self.path}:{self.line}: "
        return where + self.what + (f"; {ways}" if ways else "")

    @property
    def without_setting(self) -> str:
        """The message to the author of a file, who chooses no rules."""
        return self._with(self.remedy)


class SubmissionsError(DataError):
    """Several submissions that cannot be used: the only message of several lines, one for each.

    Parameters
    ----------
    what : str
        What is wrong, and the remedy.
    mistakes : sequence
        Each has a `submission` and a `message`.
    """

    def __init__(self, what: str, mistakes: Sequence[Any]) -> None:
        super().__init__(what)
        self.mistakes = tuple(mistakes)
        lines = [f"  {one_line(f'{mistake.submission}: {mistake.message}')}" for mistake in mistakes]
        self.args = ("\n".join([one_line(what), *lines]),)


class PluginError(QeframeError):
    """A plugin that cannot be loaded, or that fails or breaks its contract at work.

    The message names the component, its plugin and distribution.

    Examples
    --------
    >>> import qeframe
    >>> class Broken:
    ...     qeframe_metrics = staticmethod(qeframe.hookimpl(lambda: [3]))
    >>> qeframe.load(extra={"broken": Broken})
    Traceback (most recent call last):
        ...
    qeframe.core.errors.PluginError: plugin 'broken' of distribution '(given)': hook qeframe_metrics must ...
    """


class ProfileError(QeframeError):
    """A profile that cannot be used; the message lists every mistake with its path in the file.

    Examples
    --------
    >>> import qeframe
    >>> qeframe.profile_from_toml("alpha = 'small'", "mine.toml", "mine", qeframe.load())
    Traceback (most recent call last):
        ...
    qeframe.core.errors.ProfileError: mine.toml: alpha: must be a number, not 'small'; ...
    """


class OutputError(QeframeError):
    """A part of a result, such as a page or standard output, that could not be made or written; the rest is there."""


class UnknownNameError(QeframeError, LookupError):
    """A name that does not exist; the message proposes the nearest names.

    Examples
    --------
    >>> import qeframe
    >>> qeframe.score("pearsn", [1, 2], [1, 2])
    Traceback (most recent call last):
        ...
    qeframe.core.errors.UnknownNameError: unknown metric 'pearsn'; did you mean 'pearson' or 'spearman' or 'per'?
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], *, remedy: str = "") -> None:
        self.kind, self.name = kind, name
        super().__init__(f"unknown {kind} '{name}'; {did_you_mean(name, known, remedy)}")


class CapabilityError(QeframeError, TypeError):
    """A metric, or an aggregate, lacks a capability that a significance test needs.

    Examples
    --------
    >>> import qeframe
    >>> qeframe.compare("mae", [1, 2, 3], {"a": [1, 2, 3], "b": [3, 2, 1]}, test="williams")
    Traceback (most recent call last):
        ...
    qeframe.core.errors.CapabilityError: test 'williams' needs a correlation of two vectors, which metric 'mae' ...
    """


_MOST_NAMES = 30
"""So many known names are listed in a message."""


def did_you_mean(name: str, known: Iterable[str], remedy: str = "") -> str:
    """Return the end of a message on an unknown name: the nearest known names, else the remedy, else the names."""
    from difflib import get_close_matches

    names = sorted(set(known))
    nearest = get_close_matches(name, names, n=3, cutoff=0.55)
    if nearest:
        return "did you mean " + " or ".join(f"'{n}'" for n in nearest) + "?"
    if remedy or not names:
        return remedy or "there are none"
    shown = ", ".join(names[:_MOST_NAMES])
    return "known: " + shown + (f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else "")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 segment", "2 segments"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def code_point(character: str) -> str:
    """Return a character by its number and its name, for a message: "U+0430 CYRILLIC SMALL LETTER A"."""
    import unicodedata

    return f"U+{ord(character):04X} {unicodedata.name(character, '')}".strip()


def one_line(text: str) -> str:
    """Return a message as one line: tabs and line ends are blanks, what else is not printed is escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c in "\t\r\n" else repr(c)[1:-1] for c in text)


class FrameWarning(UserWarning):
    """The warning that columns of a data frame entered as submissions without being named."""


class ResultWarning(UserWarning):
    """What limits a result that was computed."""


class PipeWarning(UserWarning):
    """The warning that a pipe gives nothing yet."""


class PluginWarning(UserWarning):
    """The warning that a plugin of third parties is slow, or that commands of it cannot be used."""
