"""The command line of the running command, and what installs qeframe, for the pages that say how to make them again."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath

import click
from click.core import ParameterSource

_OF_THIS_RUN = frozenset({"out", "html", "figures", "workers", "as_json", "quiet"})
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


def made_again_by(rules: Path, profile: str) -> str:
    """Return the two lines that install these sources and make the result of the running command again.

    `rules`: the file with all rules beside the result, as the user's folder is given. `profile`: the profile as given.
    Where it is such a file, the line names it: what is made again has the line of the first.
    """
    given = click.get_current_context().params.get("settings")
    written = str(profile) if PurePath(profile).name == rules.name and not given else str(rules)
    return f"{install_line()}\n{command_line(profile=written)} --out again"


def install_line() -> str:
    """Return the command that installs these sources: their revision where pip or git knows it, else the version."""
    import json
    import shlex
    from importlib.metadata import distribution, version
    from urllib.parse import unquote, urlsplit

    origin = json.loads(distribution("qeframe").read_text("direct_url.json") or "{}")
    install = "python3 -m pip install"
    if commit := origin.get("vcs_info", {}).get("commit_id"):
        return f"{install} {shlex.quote('qeframe @ git+' + origin['url'] + '@' + commit)}"
    if origin.get("dir_info", {}).get("editable"):
        revision, _, changed = _revision(unquote(urlsplit(origin["url"]).path)).partition("-")
        if revision:
            note = "  # there were changes that are not committed" if changed else ""
            return f"git -C ./qeframe checkout --quiet {revision} && {install} --editable ./qeframe{note}"
    return f"{install} ./qeframe  # the sources of version {version('qeframe')}"


def _revision(folder: str) -> str:
    """Return the commit of a clone, with "-dirty" if files were changed since; empty if git does not know it."""
    import subprocess

    words = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


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
        return [word for item in _items(value) for word in (name, *_words(item))]
    return [name, *_words(value)]


def _words(value: object) -> list[str]:
    return [str(os.fspath(item) if isinstance(item, os.PathLike) else item) for item in _items(value)]


def _items(value: object) -> Iterator[object]:
    if isinstance(value, (tuple, list)):
        yield from value
    else:
        yield value
