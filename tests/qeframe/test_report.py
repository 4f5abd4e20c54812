"""The report: views of results, names that are imported when used, and plots."""

import subprocess
import sys
from pkgutil import resolve_name

import pytest

from qeframe import Audit, Comparisons, DataError, Drawn, Evaluation, Shown, UnknownNameError
from qeframe.report import views
from qeframe.report.shown import VIEWS
from tests.outcome import failure


def test_every_result_has_a_view_and_one_that_is_drawn_has_figures():
    views = {resolve_name(shown): resolve_name(view) for shown, view in VIEWS.items()}
    assert views.keys() >= {Comparisons, Evaluation, Audit}
    assert all(issubclass(shown, Shown) for shown in views)
    assert all((view.figure is not None) == issubclass(shown, Drawn) for shown, view in views.items())
    assert all(view.frame is not None for view in views.values())


def test_importing_the_report_imports_nothing_heavy():
    code = "import sys, qeframe.report; print(sorted({'jinja2', 'matplotlib', 'rich', 'scipy'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def labels(drawn):
    return [text.get_text() for text in drawn.axes[0].get_yticklabels()]


def test_an_evaluation_is_drawn_as_its_significance_matrix(evaluation, task):
    assert labels(evaluation.plot()) == ["first", "second", "third"]
    assert labels(evaluation.plot("significance")) == ["first", "second", "third"]
    assert labels(evaluation.plot(task=task)) == ["first", "second", "third"]


def test_comparisons_are_drawn_best_first(pair):
    drawn = Comparisons([pair("x", "y", 0.001), pair("x", "z", 0.5), pair("y", "z", 0.5)], metric="pearson").plot()
    assert labels(drawn) == ["x", "y", "z"]
    assert drawn.axes[0].get_title(loc="left") == "pearson"


def test_an_audit_is_drawn_as_its_map(audit):
    assert audit.plot().axes
    assert audit.plot("audit").axes


def test_the_figure_of_correlations_needs_the_task(evaluation, task):
    assert evaluation.plot("correlations", task=task).axes
    with pytest.raises(DataError, match=r"the figure 'correlations' is of the answers .*; give the task with its data"):
        evaluation.plot("correlations")


def test_the_matrix_of_one_of_several_tasks(evaluation_of, over_tasks, pair, task):
    pairs = [pair("a", "b", 0.01, task="en-de"), pair("b", "a", 0.5, task="de-en")]
    made = evaluation_of(over_tasks.submissions, pairs, tasks=over_tasks.tasks)
    assert labels(made.plot(task="en-de")) == ["a", "b"]
    assert labels(made.plot(task=task)) == ["a", "b"]
    assert "unknown task 'en-fr'" in failure(UnknownNameError, made.plot, task="en-fr")
    assert "all tasks together were not compared; name one: task='en-de'" in failure(DataError, made.plot)


def test_what_cannot_be_drawn_is_said_in_one_line(evaluation, evaluation_of, audit, pair, task_of, monkeypatch):
    unknown = "unknown figure 'correlation'; did you mean 'correlations'"
    assert unknown in failure(UnknownNameError, evaluation.plot, "correlation")
    comparisons = Comparisons([pair("a", "b", 0.5)])
    assert "unknown figure 'correlations'" in failure(UnknownNameError, comparisons.plot, "correlations")
    assert "the figure 'audit' is not of a task; leave 'task' out" in failure(DataError, audit.plot, task="en-de")
    assert "nothing was compared; evaluate two" in failure(DataError, evaluation_of([]).plot)
    assert "nothing was compared; compare two" in failure(DataError, Comparisons().plot)
    with pytest.raises(DataError, match="a figure shows the pairs under one metric on one task"):
        Comparisons([pair("a", "b", 0.5), pair("a", "b", 0.5, metric="mae")]).plot()
    with pytest.raises(DataError, match="there is nothing to draw"):
        evaluation.plot("correlations", task=task_of({"first": [1.0, 2.0]}, None))
    monkeypatch.setattr(views, "available", lambda: False)
    with pytest.raises(DataError, match=r'figures need matplotlib, .* not installed; pip install "qeframe\[report\]"'):
        evaluation.plot()
