"""The command line of the running command, for the pages that say how to make them again."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click
from click.core import ParameterSource

_OF_THIS_RUN = frozenset({"out", "html", "figures", "figures_of", "workers", "as_json", "as_lines", "quiet"})
"""Parameters that change no number."""


def command_line(**replaced: str) -> str:
    """Return the running command as a line for a shell: its arguments and the options that were given.

    Options that change no number, such as ``--out`` and ``--workers``, are left out. Empty outside of a command.

    Parameters
    ----------
    **replaced : str
        Other values of arguments, by their names. A profile that is replaced holds the settings of the command.
    """
    import shlex

    context = click.get_current_context(silent=True)
    if context is None:
        return ""
    given = [p for p in context.command.params if p.name and context.get_parameter_source(p.name) == _GIVEN]
    left_out = {*_OF_THIS_RUN, *(("settings",) if "profile" in replaced else ())}
    kept = [p for p in given if p.name not in left_out]
    values = {**context.params, **replaced}
    arguments = [word for p in kept if isinstance(p, click.Argument) for word in _words(values[p.name or ""])]
    options = [word for p in kept if isinstance(p, click.Option) for word in _option(p, values[p.name or ""])]
    words = [*arguments, *options]
    if any(word.startswith("-") for word in arguments):
        words = [*options, "--", *arguments]
    return shlex.join(["qeframe", *_names(context), *words])


_GIVEN = ParameterSource.COMMANDLINE


def _names(context: click.Context) -> list[str]:
    """Return the names of the command and of its groups, without that of the program."""
    parent = context.parent
    outer = _names(parent) if parent is not None and parent.parent is not None else []
    return [*outer, context.info_name or ""]


def _option(option: click.Option, value: object) -> list[str]:
    name = max(option.opts, key=len)
    if option.is_flag and isinstance(value, bool):
        return [name if value else option.secondary_opts[-1]]
    if option.multiple:
        return [word for each in _items(value) for word in (name, *_words(each))]
    return [name, *_words(value)]


def _words(value: object) -> list[str]:
    return [str(os.fspath(item) if isinstance(item, os.PathLike) else item) for item in _items(value)]


def _items(value: object) -> Iterator[object]:
    if isinstance(value, (tuple, list)):
        yield from value
    else:
        yield value
