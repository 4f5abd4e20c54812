"""A new plugin: the files of a distribution with one metric, which installs and passes its laws at once."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from string import Template

from qeframe.components.metric import Metric
from qeframe.components.registry import Registry
from qeframe.errors import DataError

__all__ = ["plugin_files", "write_plugin"]

_PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "$distribution"
version = "0.1.0"
description = "A metric for qeframe"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["qeframe"]

[project.optional-dependencies]
test = ["qeframe[test]"]

[project.entry-points."qeframe.v2"]
$module = "$module"

[tool.hatch.build.targets.wheel]
only-include = ["$module.py"]
"""

_MODULE = '''\
"""A plugin for qeframe: the metric `$module`, the share of answers that are close to the gold."""

import numpy as np
from qeframe.plugin import Metric, Parametric, Scores, additive, hookimpl


class CloseRows:
    """What a unit adds to the sums: 1, and 1 if its answer is close."""

    def __init__(self, within):
        self.within = within

    def __call__(self, batch: Scores):
        close = np.abs(batch.predicted - batch.gold) <= self.within
        return np.stack([np.ones(len(batch)), close], axis=1)


def share(sums):
    """Return the score of sums (..., 2): NaN where no unit weighs anything."""
    units, close = sums[..., 0], sums[..., 1]
    return np.divide(close, units, out=np.full(units.shape, np.nan), where=units > 0)


def $module(*, within: float = 0.1) -> Metric:
    """Share of the answers that are close to the gold.

    Parameters
    ----------
    within : float
        How far an answer may be from the gold to be close.

    Returns
    -------
    Metric
        On `Scores`, in [0, 1]; undefined (NaN) without units.
    """
    rows = CloseRows(within)
    return Metric(
        name="$module",
        summary="Share of the answers that are close to the gold",
        source="your paper, or the shared task that used it",
        kind=Scores,
        bind=additive(columns=("units", "close"), extract=rows, score=share),
        bounds=(0.0, 1.0),
        claims=("monotone",),  # the tests hold the metric to it
    )


@hookimpl
def qeframe_metrics():
    """Bring the metric, with its parameter."""
    return [Parametric($module)]
'''

_TESTS = """\
import $module
from qeframe.testing import parametrize_with_checks


@parametrize_with_checks($module)
def test_laws(check):
    check()
"""

_README = """\
# $distribution

A metric for qeframe: `$module`, the share of answers that are close to the gold.

    pip install -e ".[test]"
    pytest                                     # the laws, and the claims that the metric makes
    qeframe check-plugin $distribution         # the same as a report, and what it does not claim
    qeframe score "$module(within=0.2)" gold.txt mine.txt

Bootstrap, permutation tests, profiles and reports work for the metric like for any other:

    qeframe compare $module gold.txt mine.txt other.txt --test randomisation
"""


def plugin_files(name: str, registry: Registry) -> Mapping[str, str]:
    """Return the files of a new distribution by path.

    Parameters
    ----------
    name : str
        The name of the distribution: lower case, digits, and hyphens or underscores between words. The module, the
        entry point and the metric have it too, with underscores.
    registry : Registry
        Whose names are taken.

    Raises
    ------
    DataError
        If the name is of another form, or taken by a module, a plugin or a metric.
    """
    module = _module_name(name, registry)
    texts = {
        "pyproject.toml": _PYPROJECT,
        "README.md": _README,
        f"{module}.py": _MODULE,
        "tests/test_laws.py": _TESTS,
    }
    names = {"distribution": name, "module": module}
    return {path: Template(text).substitute(names) for path, text in texts.items()}


_TAKEN = frozenset({"conftest", "qeframe", "test", "tests"})


def _module_name(name: str, registry: Registry) -> str:
    module = name.replace("-", "_")
    if not re.fullmatch("[a-z][a-z0-9]*([-_][a-z0-9]+)*", name) or keyword.iskeyword(module):
        raise DataError(
            f"'{name[:80]}' cannot name a plugin", remedy="use lower case, digits, and hyphens between words: my-metric"
        )
    if hasattr(builtins, module) or module in _names_in_module():
        raise DataError(f"'{module}' has a meaning in the module to be written", remedy="choose another name")
    if module in sys.stdlib_module_names or module in _TAKEN:
        raise DataError(f"there is a module '{module}' already", remedy="choose another name")
    if any(module in (plugin.origin.plugin, _normal(plugin.origin.distribution)) for plugin in registry.plugins):
        raise DataError(f"there is a plugin '{module}' already", remedy="choose another name")
    if module in registry.names(Metric):
        owner = registry.entry(Metric, module).origin
        raise DataError(f"there is a metric '{module}' already, of {owner}", remedy="choose another name")
    if find_spec(module):
        raise DataError(f"there is a module '{module}' already", remedy="choose another name")
    return module


def _names_in_module() -> set[str]:
    """Return the names that the module to be written uses: a metric of one of them would hide what it names."""
    names = set()
    for node in ast.walk(ast.parse(Template(_MODULE).substitute(distribution="_", module="_"))):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names


def _normal(distribution: str) -> str:
    return re.sub("[-_.]+", "_", distribution).lower()


def write_plugin(name: str, folder: Path, registry: Registry) -> list[Path]:
    """Write a new distribution into a folder that does not exist or is empty.

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    DataError
        As for `plugin_files`; and if the folder has something in it, or cannot be written.
    """
    files = plugin_files(name, registry)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DataError("is there already, and nothing is overwritten", path=folder, remedy="name another --out")
    written = [folder / path for path in files]
    try:
        for path, text in zip(written, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise DataError(f"cannot be written: {error.strerror}", path=folder, remedy="name another --out") from error
    return written
