"""Public names that are imported on first use."""

import json
import math
import sys

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


def test_names_are_read_from_the_imports_for_type_checkers(tmp_path, monkeypatch):
    text = """
from qeframe.lazy_names import lazy_names

TYPE_CHECKING = False

if TYPE_CHECKING:
    from json import (
        dumps,  # a comment, with words
        loads,
    )
    from math import pi

    from os.path import join, split

from json import load

__getattr__, __dir__ = lazy_names(__name__)
"""
    (tmp_path / "lazy_package.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    import lazy_package

    assert dir(lazy_package) == ["dumps", "join", "loads", "pi", "split"]
    assert lazy_package.pi == math.pi
    assert lazy_package.dumps is json.dumps
    with pytest.raises(AttributeError, match="module 'lazy_package' has no attribute 'comment'"):
        lazy_package.comment  # noqa: B018


def test_places_with_other_variables():
    assert places("plugin", {"a.b": ["one", "two = TWO"]}) == ["one = plugin.a.b:one", "two = plugin.a.b:TWO"]
