"""Public names that are imported on first use."""

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

from qeframe.lazy_names import lazy_names, places


def test_a_name_is_imported_when_it_is_asked_for(monkeypatch):
    monkeypatch.delitem(sys.modules, "qeframe.report.layouts.tsv", raising=False)
    find, names = lazy_names("qeframe.report", {"layouts.tsv": ["as_tsv"]})
    assert "qeframe.report.layouts.tsv" not in sys.modules
    assert find("as_tsv").__module__ == "qeframe.report.layouts.tsv"
    assert names() == ["as_tsv"]
    with pytest.raises(AttributeError, match=r"module 'qeframe.report' has no attribute 'nothing'"):
        find("nothing")


LAZY = [
    *("qeframe", "qeframe.gaming", "qeframe.report", "qeframe.studies"),
    *("qeframe.plugin", "qeframe.plugin.kinds", "qeframe.plugin.readers", "qeframe.plugin.texts"),
]


@pytest.mark.parametrize("package", LAZY)
def test_what_is_imported_on_first_use_is_what_type_checkers_know(package):
    module = import_module(package)
    body = ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
    (known,) = [node.body for node in body if isinstance(node, ast.If)]
    imported = {node.module: [alias.name for alias in node.names] for node in known if node.module != "typing"}
    assert imported == module._NAMES
    names = [name for of_module in imported.values() for name in of_module]
    assert sorted(names) == sorted(module.__all__)
    assert set(names) <= set(dir(module))


def test_places_with_other_variables():
    assert places("plugin", {"a.b": ["one", "two = TWO"]}) == ["one = plugin.a.b:one", "two = plugin.a.b:TWO"]
