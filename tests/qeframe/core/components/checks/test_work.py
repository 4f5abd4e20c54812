"""A component at work: who failed, what was printed."""

import sys
import warnings
from threading import Thread

import numpy as np
import pytest

from qeframe.core.components.checks.work import at_work, full_name
from qeframe.core.components.component import Origin, with_origin
from qeframe.core.components.significance import Correction
from qeframe.core.errors import DataError, PluginError

GIVEN = Correction(name="halve", summary="", adjust=lambda p: p / 2)


def test_a_component_is_named_with_its_class_and_origin(registry):
    assert full_name(GIVEN) == "correction 'halve' (given)"
    brought = with_origin(GIVEN, Origin("own", "their-dist", "1.2"))
    assert full_name(brought) == "correction 'halve' of plugin 'own' of distribution 'their-dist 1.2'"
    assert brought == GIVEN
    assert GIVEN.origin is None


@pytest.mark.parametrize("error", [DataError("no word"), MemoryError()], ids=["own", "memory"])
def test_errors_of_qeframe_and_a_lack_of_memory_pass(error):
    with pytest.raises(type(error)) as caught, at_work(GIVEN, "adjust"):
        raise error
    assert caught.value is error


def test_other_errors_become_one_line_with_their_cause():
    said = pytest.raises(PluginError, match=r"^correction 'halve' \(given\) failed in adjust: KeyError: 'x'; ")
    with said as caught, at_work(GIVEN, "adjust"):
        raise KeyError("x")
    assert isinstance(caught.value.__cause__, KeyError)


def test_an_interrupt_passes_with_a_note():
    with pytest.raises(KeyboardInterrupt) as caught, at_work(GIVEN, "adjust"):
        raise KeyboardInterrupt
    assert caught.value.__notes__ == ["correction 'halve' (given) was at work in adjust"]


def test_what_is_printed_goes_to_standard_error_line_by_line(capsys):
    with at_work(GIVEN, "adjust"):
        sys.stdout.write("one\ntwo\x1b")
    sys.stdout.write("own\n")
    printed = capsys.readouterr()
    who = "qeframe: correction 'halve' (given) printed: "
    assert (printed.out, printed.err) == ("own\n", f"{who}one\n{who}two\\x1b\n")


def test_warnings_of_numpy_are_errors_and_the_filters_are_restored():
    before = list(warnings.filters)
    said = pytest.raises(PluginError, match=r"lets numpy warn in adjust \(RuntimeWarning: divide by zero")
    with said, at_work(GIVEN, "adjust"):
        np.ones(1) / np.zeros(1)
    assert warnings.filters == before


def test_another_thread_leaves_standard_output_alone():
    seen = []

    def work():
        with at_work(GIVEN, "adjust"):
            seen.append(sys.stdout)

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [sys.stdout]
