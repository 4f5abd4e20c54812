"""Results ask the views that plugins bring; a view shows itself."""

import subprocess
import sys

import attrs
import pytest
from attrs import frozen

from qeframe.api.arrays.comparisons import Comparisons, ComparisonsByMetric
from qeframe.core import display
from qeframe.core.components.loading.loader import load
from qeframe.core.components.result_view import ResultView, View
from qeframe.core.display import Drawn, Shown, find_view
from qeframe.core.errors import DataError, PluginError
from qeframe.core.evaluation.result import Evaluation
from qeframe.gaming.audit import Audit
from qeframe.report import Table
from tests.qeframe.core.components.made_plugins import plugin


class Weather(Drawn):
    """A class of results that a plugin brings."""


@frozen
class Unseen(Shown):
    number: int


VIEW = ResultView(
    of=Weather,
    line=lambda _value: "one line",
    view=lambda _value, whole: View(f"<p>{whole}</p>", f"whole: {whole}"),
    frame=lambda value, library: (value, library),
    figure=lambda value, kind, task: (value, kind, task),
)


@pytest.fixture
def brought(monkeypatch):
    """Bring a view of `Weather` by a plugin."""
    registry = load(extra={"weather": plugin(qeframe_views=[VIEW])})
    monkeypatch.setattr(display, "load", lambda: registry)


@pytest.mark.usefixtures("brought")
def test_questions_reach_the_view():
    class Rain(Weather):
        pass

    for value in (Weather(), Rain()):
        assert (repr(value), str(value), value._repr_html_()) == ("one line", "whole: False", "<p>False</p>")
        assert (value.whole().html, value.whole().text) == ("<p>True</p>", "whole: True")
        assert value.to_frame() == (value, None)
        assert value.to_frame("polars") == (value, "polars")
        assert value.plot("scatter", task="de") == (value, "scatter", "de")


def test_without_a_view_a_result_is_the_list_of_its_fields():
    value = Unseen(3)
    Unseen.__repr__ = Shown.__repr__
    assert repr(value) == "Unseen(number=3)"
    for question in (value.whole, value.to_frame, value._repr_html_):
        with pytest.raises(DataError, match="no plugin brings a view of Unseen"):
            question()


def test_a_view_without_frame_and_figure(monkeypatch):
    registry = load(extra={"weather": plugin(qeframe_views=[attrs.evolve(VIEW, frame=None, figure=None)])})
    monkeypatch.setattr(display, "load", lambda: registry)
    with pytest.raises(DataError, match="a Weather has no data frame"):
        Weather().to_frame()
    with pytest.raises(DataError, match="a Weather has no figure"):
        Weather().plot()


def test_what_results_are():
    assert all(issubclass(kind, Drawn) for kind in (Evaluation, Comparisons, Audit))
    assert all(issubclass(kind, Shown) and not issubclass(kind, Drawn) for kind in (Table, ComparisonsByMetric))


IMPORTED_FIRST = """
import importlib, sys
for first in ("qeframe.report.layouts.table", "qeframe.core.evaluation.result", "qeframe.gaming.audit"):
    for name in [name for name in sys.modules if name.startswith("qeframe")]:
        del sys.modules[name]
    importlib.import_module(first)
    table = importlib.import_module("qeframe.report.layouts.table")
    print(repr(table.Table(title="T", columns=(), rows=())))
"""


def test_views_are_found_whatever_is_imported_first():
    done = subprocess.run([sys.executable, "-c", IMPORTED_FIRST], capture_output=True, text=True, check=True)
    assert done.stdout == "<Table T: 0 rows, 0 columns>\n" * 3


def test_what_is_no_view_or_is_brought_twice_is_refused(monkeypatch):
    for returned, words in (
        ([VIEW, VIEW], "the view of 'Weather' is brought twice"),
        ([1], "hook qeframe_views must return values of type ResultView, not int"),
    ):
        registry = load(extra={"weather": plugin(qeframe_views=returned)})
        monkeypatch.setattr(display, "load", lambda registry=registry: registry)
        with pytest.raises(PluginError, match=words):
            find_view(Weather)


def test_the_hook_is_not_called_before(monkeypatch):
    def qeframe_views():
        raise AssertionError

    brought = plugin(qeframe_views=[])
    monkeypatch.setattr(brought, "qeframe_views", qeframe_views)
    assert load(extra={"weather": brought}).plugins
