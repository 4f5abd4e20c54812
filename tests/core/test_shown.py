"""Results ask the views that the face names; a view shows itself."""

import subprocess
import sys

from qeframe import shown
from qeframe.evaluation.given_values.comparisons import Comparisons, ComparisonsByMetric
from qeframe.evaluation.result import Evaluation
from qeframe.gaming.audit import Audit
from qeframe.report import Table
from qeframe.shown import Drawn, Shown, View


class Views:
    """Views that say what they were asked."""

    def line(self, value):
        return "one line"

    def view(self, value, *, whole):
        return View(f"<p>{whole}</p>", f"whole: {whole}")

    def frame(self, value, library):
        return value, library

    def figure(self, value, kind, task):
        return value, kind, task


def test_questions_reach_the_views(monkeypatch):
    monkeypatch.setattr(shown, "VIEWS", [Views])
    value = Drawn()
    assert (repr(value), str(value), value._repr_html_()) == ("one line", "whole: False", "<p>False</p>")
    assert (value.whole().html, value.whole().text) == ("<p>True</p>", "whole: True")
    assert value.to_frame() == (value, None)
    assert value.to_frame("polars") == (value, "polars")
    assert value.plot("scatter", task="de") == (value, "scatter", "de")


def test_a_view_shows_itself():
    view = View("<b>A</b>", "A")
    assert (repr(view), str(view), view._repr_html_()) == ("A", "A", "<b>A</b>")


def test_what_results_are():
    assert all(issubclass(kind, Drawn) for kind in (Evaluation, Comparisons, Audit))
    assert all(issubclass(kind, Shown) and not issubclass(kind, Drawn) for kind in (Table, ComparisonsByMetric))


IMPORTED_FIRST = """
import importlib, sys
for first in ("qeframe.report.layouts.table", "qeframe.evaluation.result", "qeframe.gaming.audit"):
    for name in [name for name in sys.modules if name.partition(".")[0] == "qeframe"]:
        del sys.modules[name]
    importlib.import_module(first)
    table = importlib.import_module("qeframe.report.layouts.table")
    print(repr(table.Table(title="T", columns=(), rows=())))
"""


def test_views_are_found_whatever_is_imported_first():
    done = subprocess.run([sys.executable, "-c", IMPORTED_FIRST], capture_output=True, text=True, check=True)
    assert done.stdout == "<Table T: 0 rows, 0 columns>\n" * 3
