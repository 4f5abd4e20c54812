"""The first door for authors of plugins: what a metric, a tie policy, an aggregation, a test or a ranking rule needs.

A plugin is a module that an entry point of the group ``qeframe.v2`` names. Its functions are marked with `hookimpl` and
return components. Each further door has what one task needs:

* `qeframe.plugin.kinds`: kinds of batch, classes of components, and the parts of batches;
* `qeframe.plugin.resampling`: draws, exchanges, ranks, correlations, the jackknife and power;
* `qeframe.plugin.readers`: readers of files, and what they return;
* `qeframe.plugin.texts`: tokens, tokenizers and alignments of words;
* `qeframe.plugin.audit`: attacks and null models;
* `qeframe.plugin.data`: writers, data sources and published tables;
* `qeframe.plugin.calls`: names with parameters, former spellings, messages;
* `qeframe.plugin.evaluation`: supplements, and assemblers, which evaluate tasks of another shape;
* `qeframe.plugin.report`: tables, and how results of a class show themselves;
* `qeframe.plugin.results`: results, read back, and the steps that compute one;
* `qeframe.plugin.competitions`: golds, files that are handed in, and evaluation on a platform;
* `qeframe.plugin.commands`: commands of the command line.

The doors define nothing, and nothing in qeframe imports them. The built-in plugins import nothing else of qeframe.
Names that this module had before its doors were divided are still found here, with a `FormerSpellingWarning`.
"""

TYPE_CHECKING = False  # as type checkers know it

if TYPE_CHECKING:
    from typing import Any

    from qeframe.plugin.first_door import *  # noqa: F403


def __getattr__(name: str) -> "Any":
    """Import the names of this door on first use: a table of commands imports `qeframe.plugin.commands` alone."""
    from importlib import import_module

    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module 'qeframe.plugin' has no attribute '{name}'")
    door = import_module("qeframe.plugin.first_door")
    globals().update({public: getattr(door, public) for public in door.__all__}, __all__=door.__all__)
    return globals()[name] if name in globals() else import_module("qeframe.plugin.former").former(name)


def __dir__() -> "list[str]":
    from qeframe.plugin.first_door import __all__ as names

    return sorted({*globals(), *names})
