"""Attacks that are entered from Python: a word alone or a number is refused."""

import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.plugin import Scores
from qeframe.plugin.readers import Submission, Task

TASK = Task(name="t", batches={Submission("a"): Scores.from_plain([0.1, 0.5, 0.3, 0.9], [0.2, 0.4, 0.3, 0.8])})


@pytest.mark.parametrize("attacks", ["constant_median", 3, {"constant_median": 1}.items])
def test_what_is_no_list_of_attacks_is_refused(attacks):
    with pytest.raises(DataError, match=r"attacks cannot be .*; give True, or a list of names or of attacks"):
        qeframe.evaluate("qe_sentence", TASK, attacks=attacks)


def test_names_enter_attacks():
    found = qeframe.evaluate("qe_sentence", TASK, settings=["test=", "interval="], attacks=["constant_median"])
    assert [s.name for s in found.submissions if s.kind == "attack"] == ["constant_median"]
