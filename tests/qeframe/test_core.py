"""The core: entry points before any import, folders that are removed, and how results show themselves."""

import os
import subprocess
import sys
import time

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

import qeframe
import qeframe.studies
from qeframe import Audit, Comparisons, ComparisonsByMetric
from qeframe.core.display import WIDEST, Brief, Drawn, ResultView, Shown, View, beginning_of
from qeframe.core.entry_points import block_list
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.result import Evaluation
from qeframe.plugin import Scores, SignificanceTest, TiePolicy
from qeframe.plugin.audit import Attack
from qeframe.report import Table
from qeframe.report.result_files import files
from qeframe.report.shown import VIEWS
from qeframe.testing import checks_of, kind_of, verdicts_on


def test_the_block_list_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", " qeframe_scoring, qeframe_ties ,, qeframe_ties")
    assert block_list() == ("qeframe_scoring", "qeframe_ties")
    assert qeframe.load().blocked == ("qeframe_scoring", "qeframe_ties")
    assert "mae" not in qeframe.load().names(Metric)
    assert qeframe.load(block=[]).blocked == ()
    monkeypatch.delenv("QEFRAME_BLOCK")
    assert block_list() == ()


def test_a_block_list_given_as_text_does_not_look_at_the_environment(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "x")
    assert block_list("") == ()
    assert block_list("b,a c") == ("a", "b", "c")


def test_half_written_files_of_killed_processes_are_removed_after_an_hour(tmp_path):
    for name, age in {"a.1.new": 7200, "b.2.new": 60, "c": 7200}.items():
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (0, time.time() - age))
    files._remove_old(tmp_path, "*.new")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.2.new", "c"]


class Weather(Drawn):
    """A class of results."""


@frozen
class Unseen(Shown):
    number: int


VIEW = ResultView(
    line=lambda _value: "one line",
    view=lambda _value, whole: View(f"<p>{whole}</p>", f"whole: {whole}"),
    frame=lambda value, library: (value, library),
    figure=lambda value, kind, task: (value, kind, task),
)
BARE = attrs.evolve(VIEW, frame=None, figure=None)
PLACE = f"{Weather.__module__}:{Weather.__qualname__}"


@pytest.fixture
def brought(monkeypatch):
    """Enter the view of `Weather` into the table."""
    monkeypatch.setitem(VIEWS, PLACE, f"{__name__}:VIEW")


@pytest.mark.usefixtures("brought")
def test_questions_reach_the_view():
    class Rain(Weather):
        pass

    for value in (Weather(), Rain()):
        assert (repr(value), str(value), value._repr_html_()) == ("one line", "whole: False", "<p>False</p>")
        assert (value.whole().html, value.whole().text) == ("<p>True</p>", "whole: True")
        assert value.to_frame() == (value, None)
        assert value.to_frame("polars") == (value, "polars")
        assert value.plot("kind", task="de") == (value, "kind", "de")


def test_without_a_view_a_result_is_the_list_of_its_fields():
    value = Unseen(3)
    Unseen.__repr__ = Shown.__repr__
    assert repr(value) == "Unseen(number=3)"
    for question in (value.whole, value.to_frame, value._repr_html_):
        with pytest.raises(DataError, match="there is no view of Unseen"):
            question()


def test_a_view_without_frame_and_figure(monkeypatch):
    monkeypatch.setitem(VIEWS, PLACE, f"{__name__}:BARE")
    with pytest.raises(DataError, match="a Weather has no data frame"):
        Weather().to_frame()
    with pytest.raises(DataError, match="a Weather has no figure"):
        Weather().plot()


def test_what_results_are():
    assert all(issubclass(kind, Drawn) for kind in (Evaluation, Comparisons, Audit))
    assert all(issubclass(kind, Shown) and not issubclass(kind, Drawn) for kind in (Table, ComparisonsByMetric))


IMPORTED_FIRST = """
import importlib, sys
for first in ("qeframe.report.layouts.table", "qeframe.core.result", "qeframe.gaming.audit"):
    for name in [name for name in sys.modules if name.startswith("qeframe")]:
        del sys.modules[name]
    importlib.import_module(first)
    table = importlib.import_module("qeframe.report.layouts.table")
    print(repr(table.Table(title="T", columns=(), rows=())))
"""


def test_views_are_found_whatever_is_imported_first():
    done = subprocess.run([sys.executable, "-c", IMPORTED_FIRST], capture_output=True, text=True, check=True)
    assert done.stdout == "<Table T: 0 rows, 0 columns>\n" * 3


@frozen(repr=False)
class Measured(Brief):
    """A value with what is short, what is a default, what is long, and what is no text or number."""

    name: str
    share: float
    task: str = ""
    note: str = ""
    rows: tuple[int, ...] = ()


def test_a_line_has_the_fields_that_are_short_and_not_the_default():
    assert repr(Measured("mine", 1 / 3)) == "Measured(name='mine', share=0.3333)"
    assert repr(Measured("mine", 1.0, note="x" * 90, rows=(1,))) == "Measured(name='mine', share=1, ...)"
    assert repr(Measured("mine", float("nan"), task="en-de")) == "Measured(name='mine', share=nan, task='en-de')"
    assert repr(Measured("x" * 90, 1.0)) == "Measured(share=1, ...)"


def values_in(value, depth=0):
    """Yield a value and the values of qeframe within it; of a registry none, since what it has loaded differs."""
    if attrs.has(type(value)):
        yield value
        within = (
            [] if isinstance(value, Registry) else [getattr(value, field.name) for field in attrs.fields(type(value))]
        )
    else:
        within = list(value.values()) if hasattr(value, "values") and hasattr(value, "items") else value
    if depth < 5 and isinstance(within, (list, tuple)):
        for inner in within:
            yield from values_in(inner, depth + 1)


def values_of_every_class(registry):
    rng, units = np.random.default_rng(0), 20
    gold = rng.random(units)
    answers = {f"system {nth} of a team with a name": gold + rng.normal(0, (nth + 1) / 10, units) for nth in range(4)}
    pandas = pytest.importorskip("pandas")
    tasks = qeframe.tasks_from_frame(pandas.DataFrame({"gold": gold, **answers}), submissions=list(answers))
    rules = {"settings": ["test=jackknife", "correction=holm"], "equivalence": 0.1}
    yield qeframe.evaluate("qe_sentence", tasks, enter={"mine": gold}, influence=2, detectable=True, **rules)
    yield from qeframe.compare("pearson", gold, answers, test="jackknife", correction="holm")
    yield qeframe.audit("mae", attacks=["constant_median"], claims=False)
    rules = qeframe.choose_profile("qe_sentence")
    yield qeframe.studies.distinguish(rules, tasks, registry, metrics=["mae"], draws=50, gaming=True)
    yield from (tasks[0], registry, qeframe.choose_profile("wmt23_metrics"), qeframe.Runner(), kind_of(Scores))
    named = [(Metric, "mae"), (SignificanceTest, "bootstrap"), (Attack, "constant_median"), (TiePolicy, "wmt14")]
    yield from (registry.get(kind, name) for kind, name in named)
    mae = registry.get(Metric, "mae")
    yield from (mae.bind(Scores.from_plain(gold, gold)), checks_of(mae)[0], verdicts_on(mae, tries=2)[0])


@pytest.mark.slow
def test_what_a_user_meets_has_a_short_line(registry):
    lines = {type(value): repr(value) for each in values_of_every_class(registry) for value in values_in(each)}
    assert {"Evaluation", "Comparison", "ScoredSubmission", "Influence"} <= {kind.__name__ for kind in lines}
    internal = {"Law", "Entry", "_BindAdditive"}
    assert not {kind.__name__: line for kind, line in lines.items() if len(line) > WIDEST}.keys() - internal
    assert not [line for line in lines.values() if "\n" in line]


def test_of_a_long_value_is_shown_how_it_begins():
    lines = [["OK"] * 30, ["BAD"], *[["OK", "BAD"]] * 20]
    assert beginning_of(lines) == (
        "[['OK', 'OK', 'OK', 'OK', ... 30 in all], ['BAD'], ['OK', 'BAD'], ['OK', 'BAD'], ... 22 in all]"
    )
    assert beginning_of(["x" * 300]) == f"['{'x' * WIDEST}'... 300 characters in all]"
    assert beginning_of("y" * 101, str) == f"{'y' * WIDEST}... 101 characters in all"


@given(st.lists(st.floats(), max_size=60))
def test_what_fits_a_line_is_shown_whole(numbers):
    first = ", ".join(map(repr, numbers[:4]))
    short = f"[{first}, ... {len(numbers)} in all]"
    assert beginning_of(numbers) == (repr(numbers) if len(repr(numbers)) <= WIDEST else short)
