"""A plugin that fails is named in one line; the traceback is shown on request."""

import sys
from types import ModuleType

import pytest

import qeframe
from qeframe.core.errors import PluginError

FAILING = """
import numpy as np
from qeframe.plugin import Metric, Scores, additive, hookimpl

def rows(batch):
    raise KeyError("no such\\ncolumn")

def ones(batch):
    return np.ones((len(batch), 1))

def score(sums):
    return np.linalg.solve(np.zeros((2, 2)), np.ones(2))

@hookimpl
def qeframe_metrics():
    return [
        Metric(name="binds_badly", summary="", kind=Scores, bind=additive(columns=("a",), extract=rows, score=score)),
        Metric(name="scores_badly", summary="", kind=Scores, bind=additive(columns=("a",), extract=ones, score=score)),
    ]
"""


@pytest.fixture
def failing(monkeypatch, task_folder):
    """Let the command line find a plugin whose metrics fail."""
    module = ModuleType("their_metrics")
    monkeypatch.setitem(sys.modules, "their_metrics", module)
    exec(compile(FAILING, "their_metrics.py", "exec"), module.__dict__)
    registry = qeframe.load(extra={"their_metrics": module})
    monkeypatch.setattr("qeframe.core.loader.load", lambda: registry)
    return task_folder


@pytest.mark.parametrize(
    ("metric", "error"), [("binds_badly", "KeyError: 'no such"), ("scores_badly", "LinAlgError: Sing")]
)
def test_a_plugin_that_fails_is_named_in_one_line(failing, refused, metric, error):
    for command in (
        ("run", "qe_sentence", "task", "--set", f"primary={metric}", "--set", "test=", "--set", "interval="),
        ("score", metric, "task/gold.txt", "task/submissions/good.txt"),
    ):
        message = refused(*command)
        who = f"metric '{metric}' of plugin 'their_metrics' of distribution '(given)' failed in "
        assert message.startswith(who)
        assert error in message
        assert message.endswith("; QEFRAME_TRACEBACK=1 shows the traceback")


def test_the_traceback_is_shown_on_request(failing, qeframe_command, monkeypatch):
    monkeypatch.setenv("QEFRAME_TRACEBACK", "1")
    with pytest.raises(PluginError) as caught:
        qeframe_command("score", "binds_badly", "task/gold.txt", "task/submissions/good.txt")
    assert isinstance(caught.value.__cause__, KeyError)
