"""Public names that are imported on first use."""

import sys

import pytest

import qeframe.report
from qeframe.core.errors import FormerSpellingWarning
from qeframe.report.lazy_names import lazy_names


def test_a_name_is_imported_when_it_is_asked_for(monkeypatch):
    monkeypatch.delitem(sys.modules, "qeframe.report.layouts.tsv", raising=False)
    find, names = lazy_names("qeframe.report", {"layouts.tsv": ["as_tsv"]})
    assert "qeframe.report.layouts.tsv" not in sys.modules
    assert find("as_tsv").__module__ == "qeframe.report.layouts.tsv"
    assert names() == ["as_tsv"]
    with pytest.raises(AttributeError, match=r"module 'qeframe.report' has no attribute 'nothing'"):
        find("nothing")


def test_a_name_that_another_package_has_now_is_found_with_a_warning():
    from qeframe.gaming import claims_table

    what = "import 'qeframe.report.claims_table' is now spelled 'qeframe.gaming.claims_table'"
    with pytest.warns(FormerSpellingWarning, match=what):
        assert qeframe.report.claims_table is claims_table
