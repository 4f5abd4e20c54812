"""What plugins bring besides components."""

import re

import numpy as np
import pytest

from qeframe import DataError, PluginError
from qeframe.core.errors import PluginWarning
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.extensions import hooks
from qeframe.extensions.attack import Attack, answer
from qeframe.extensions.hooks import qeframe_component_hooks
from qeframe.extensions.writer import Writer, Written, write
from qeframe.plugin import Grid, Scores
from tests.qeframe.core.components.made_plugins import empty_but, plugin


# An attack answers a batch; without settings or tries it has one answer.
def test_an_attack_has_one_answer_by_default():
    copy = Attack(name="copy", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda batch, rng: batch)
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    assert copy.answer(batch, np.random.default_rng(0)) is batch
    assert (copy.settings, copy.tries, copy.refutes) == ({}, 1, None)


def test_answers_to_the_same_units_pass():
    batch = Scores.from_plain([1.0, 2.0], [2.0, 1.0])
    own = Attack(name="own", summary="", kind=Scores, manner="blind", knowledge="", answer=lambda given, rng: given)
    assert answer(own, batch, np.random.default_rng(0)).predicted.tolist() == [2.0, 1.0]


# Classes of components that plugins bring, those of qeframe among them.
def test_every_hook_says_what_it_returns():
    hooks = qeframe_component_hooks()
    assert all(hook.summary.startswith("Return ") and hook.summary.endswith(".") for hook in hooks)
    assert len({hook.kind for hook in hooks}) == len(hooks) == 4


def test_without_the_hook_there_are_no_attacks(registry):
    assert registry.names(Attack)
    with pytest.warns(PluginWarning, match="has unknown hooks: qeframe_attacks; they are not called; a blocked plugin"):
        found = empty_but(own=plugin(qeframe_attacks=[registry.all(Attack)[0]]))
    assert found.names(Attack) == []


# `Writer`: what it is made of, and how it is registered.
@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"kinds": Grid}, "writer 'w': kinds is type, not a tuple of classes of batches"),
        ({"kinds": ()}, "writer 'w': kinds is tuple, not a tuple of classes of batches"),
        ({"kinds": (Grid, dict)}, "not a tuple of classes of batches"),
        ({"write": "file"}, "not a function of readings"),
    ],
)
def test_what_a_writer_cannot_be(wrong, message):
    given = {"name": "w", "summary": "", "kinds": (Grid,), "write": lambda readings: None, **wrong}
    with pytest.raises(DataError, match=re.escape(message.split(", ")[-1])):
        Writer(**given)


def test_files_cannot_be_changed():
    made = Written(files={"a": b"1"})
    with pytest.raises(TypeError):
        made.files["a"] = b"2"


def test_a_writer_is_found_by_name():
    made = Writer(name="w", summary="", kinds=(Grid,), write=lambda readings: Written(files={"a": b""}))
    assert empty_but(own=plugin(qeframe_writers=[made]), extensions=hooks).get(Writer, "w") == made


def writer(returned):
    return Writer(name="w", summary="", kinds=(Grid,), write=lambda readings: returned)


def reading(kind):
    return Reading(
        name="t", kind=kind, gold=UnitValues(name="gold", ids=np.arange(1), values=np.ones(1)), submissions=()
    )


def test_what_is_right_is_returned_and_a_task_of_another_kind_refused():
    made = Written(files={"a/b.txt": b"1", "a/c.txt": b""})
    assert write(writer(made), [reading(Grid)]) is made
    message = "task 't' cannot be written as w: it is of Scores; the format holds Grid"
    with pytest.raises(DataError, match=re.escape(message)):
        write(writer(None), [reading(Scores)])


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "write returned None, expected Written"),
        (Written(files={}), "write returned no file, expected one or more"),
        (Written(files={"../a": b""}), "the path '../a', expected paths inside the folder"),
        (Written(files={"/a": b""}), "the path '/a', expected paths inside the folder"),
        (Written(files={"a//b": b""}), "the path 'a//b', expected paths inside the folder"),
        (Written(files={1: b""}), "the path 1, expected paths inside the folder"),
        (Written(files={"a": "text"}), "as the content of a, expected bytes"),
        (Written(files={"a": b"", "a/b": b""}), "a as a file and as the folder of a/b, expected one of them"),
        (Written(files={"a": b""}, dropped=("x",)), "expected values of Dropped"),
    ],
)
def test_a_writer_that_lies(returned, message):
    with pytest.raises(PluginError) as caught:
        write(writer(returned), [])
    assert message in str(caught.value)
    assert str(caught.value).startswith("writer 'w' (given): ")
