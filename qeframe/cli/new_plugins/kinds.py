"""The kinds of plugin that can be written, and the templates of each."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class Kind(NamedTuple):
    """A kind of plugin.

    `noun`: the word for what the plugin brings.
    `hook`: the hook that brings it.
    `laws`: whether there are laws for its components, so that the tests of the plugin run them.
    `package`: whether the plugin is a package, a folder with other files beside its module.
    """

    noun: str
    hook: str
    laws: bool = True
    package: bool = False


KINDS: Mapping[str, Kind] = {
    "metric": Kind("metric", "qeframe_metrics"),
    "test": Kind("significance test", "qeframe_significance_tests"),
    "tie-policy": Kind("tie policy", "qeframe_tie_policies"),
    "aggregation": Kind("aggregation", "qeframe_aggregations"),
    "reader": Kind("reader", "qeframe_readers", laws=False),
    "attack": Kind("attack", "qeframe_attacks"),
    "profile": Kind("profile", "qeframe_profiles", laws=False, package=True),
}
"""The kinds by the values of ``--kind``, which are also the names of their folders of templates."""

_SUFFIX = ".txt"
"""Templates end in this, so that no tool takes them for the files that they become."""


def templates_of(kind: str) -> dict[str, str]:
    """Return the templates of a kind by the path of the file that each becomes.

    The word ``__module__`` in a path is replaced by the name of the module.
    """
    from importlib.resources import files

    folders = ["every_kind", kind, *(["every_kind_with_laws"] if KINDS[kind].laws else [])]
    root = files(__package__) / "templates"
    return {path: text for folder in folders for path, text in sorted(_files_below(root / folder))}


def _files_below(folder: "Traversable", prefix: str = "") -> Iterator[tuple[str, str]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files_below(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_SUFFIX):
            yield prefix + entry.name.removesuffix(_SUFFIX), entry.read_text(encoding="utf-8")
