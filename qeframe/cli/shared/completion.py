"""Completion in a shell: names of profiles and components for the arguments and options that take them.

A function here is the ``shell_complete`` of a parameter. Names come from the registry, which needs neither scipy nor
a file of data. A plugin that is broken gives no names and no message: the shell has no place for one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, shell_complete

from qeframe.core.errors import TRACEBACK

if TYPE_CHECKING:
    from qeframe.core.components.loading.registry import Registry

_VARIABLE = "_QEFRAME_COMPLETE"
"""The environment variable by which a shell asks: ``bash_source`` for the script, ``bash_complete`` for names."""

Completer = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]

_VALUES: Mapping[str, tuple[str, ...]] = {
    "primary": ("metrics",),
    "secondary": ("metrics",),
    "test": ("significance_tests",),
    "interval": ("significance_tests",),
    "correction": ("corrections",),
    "ranking": ("ranking_rules",),
    "reader": ("readers",),
    "within": ("aggregations",),
    "across": ("aggregations",),
    "across_columns": ("aggregations",),
}
"""The keys of a profile whose values are names of components."""

_LISTS = frozenset({"secondary"})
"""The keys whose values are names between commas."""


def complete_name(*kinds: str) -> Completer:
    """Return a completer of names; where none begins like the word, the shell offers files.

    Parameters
    ----------
    *kinds : str
        Names of hooks without their prefix, such as "metrics", or "profiles".
    """

    def complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return completions(_names(kinds), incomplete) or [CompletionItem(incomplete, type="file")]

    return complete


def complete_list(*kinds: str) -> Completer:
    """Return a completer of names between commas."""

    def complete(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _after_comma(_names(kinds), "", incomplete)

    return complete


def complete_task(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the name of a task: of a folder inside PATH. Tasks inside files are not known without reading them."""
    words = [ctx.params.get("path"), *reversed(ctx.args)]  # click keeps the arguments as words before an option's value
    folder = next((word for word in words if word and os.path.isdir(word)), None)
    if folder is None:
        return []
    try:
        with os.scandir(folder) as entries:
            return completions(sorted(entry.name for entry in entries if entry.is_dir()), incomplete)
    except OSError:
        return []


def complete_setting(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete a setting ``KEY=VALUE``: the keys of a profile, and values that are names or one of a few words."""
    from qeframe.core.profiles.schema import RULE_KEYS
    from qeframe.core.profiles.table_mistakes import rule_choices

    key, equals, value = incomplete.partition("=")
    if not equals:
        return completions((f"{rule}=" for rule in RULE_KEYS), key)
    name = key.removesuffix("+")
    names = _names(_VALUES[name]) if name in _VALUES else rule_choices(name)
    if name in _LISTS:
        return _after_comma(names, f"{key}=", value)
    return completions((f"{key}={choice}" for choice in names), incomplete)


def answer_shell(program: click.Command, instruction: str) -> int:
    """Print what a shell asks for: its script, or the completions of a line. Return the exit status.

    A line of an unknown or broken command has none.
    """
    add_completion_class(_Bash, "bash")
    try:
        return shell_complete(program, {}, "qeframe", _VARIABLE, instruction)
    except Exception:
        if os.environ.get(TRACEBACK):
            raise
        return 1


class _Bash(BashComplete):
    """Completion in bash, which takes ``KEY=VALUE`` for three words and replaces the last of them only.

    Bash puts a name into the line without quotes, and runs ``$(...)`` in it. A name of a folder or in a store may be a
    stranger's: one that the shell would not take as it is written is not offered. Other shells quote names themselves.
    """

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        items = super().get_completions(args, incomplete)
        return [item for item in items if item.type != "plain" or _is_taken_as_written(item.value)]

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        joined: list[str] = []
        for word in [*args, incomplete]:
            if joined and (word.startswith("=") or joined[-1].endswith("=")):
                joined[-1] += word
            else:
                joined.append(word)
        self._before = joined[-1].rpartition("=")[0]
        return joined[:-1], joined[-1]

    def format_completion(self, item: CompletionItem) -> str:
        if self._before and item.value.startswith(f"{self._before}="):
            item.value = item.value[len(self._before) + 1 :]
        return super().format_completion(item)


def _is_taken_as_written(name: str) -> bool:
    return all(char.isalnum() or char in "_.,:=+/@%^-" for char in name)


def completions(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Return the names that begin like a word, without those that a shell would read as several lines."""
    return [CompletionItem(name) for name in names if name.startswith(incomplete) and name.isprintable()]


def _after_comma(names: Iterable[str], before: str, incomplete: str) -> list[CompletionItem]:
    listed, comma, last = incomplete.rpartition(",")
    return [CompletionItem(before + listed + comma + name) for name in names if name.startswith(last)]


def _names(kinds: Iterable[str]) -> list[str]:
    from qeframe.core.errors import QeframeError

    try:
        registry = _registry()
    except (QeframeError, OSError):
        return []
    return [name for kind in kinds for name in _of(registry, kind)]


def _registry() -> Registry:
    import warnings

    from qeframe.core.components.loading.loader import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load()


def _of(registry: Registry, kind: str) -> list[str]:
    if kind == "profiles":
        return list(registry.profiles)
    return registry.names(registry.hooks[f"qeframe_{kind}"])
