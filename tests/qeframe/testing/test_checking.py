"""What an author reads when a component breaks a law: in pytest, to the letter."""

import re
from pathlib import Path

import attrs
import pytest

import qeframe
from qeframe.plugin import DataError, Metric, Parametric, SignificanceTest
from qeframe.testing import check_gaming, check_metric, check_test, checks_of, parametrize_with_checks

LYING = (Path(__file__).parent / "lying_metrics.txt").read_text(encoding="utf-8")
TEST = """
import lying
from qeframe.testing import parametrize_with_checks

@parametrize_with_checks(lying.{name}, tries=10)
def test_laws(check):
    check()
"""


@pytest.fixture
def run_kit(inner_pytest):
    def run(name, *options):
        status, output = inner_pytest({"lying": LYING, "test_laws": TEST.format(name=name)}, *options)
        assert status == 1, output
        return output

    return run


def told(output):
    """Return what is told of failures, and the summary, without the time that it took."""
    return re.sub(r" in [0-9.]+s.*", "", output[output.index("= FAILURES =") :].partition("\n")[2]).splitlines()


def test_a_metric_that_is_undefined_everywhere(run_kit):
    *lines, first, second, third = told(run_kit("undefined"))
    assert lines[:4] == [
        "_________________________ test_laws[undefined-defined] _________________________",
        "the score is nan for 100 of 100 ordinary examples",
        "Metric 'undefined' breaks the law 'defined': on ordinary data at least 99 % of the scores are numbers, "
        "unless it declares where not",
        "smallest counterexample:",
    ]
    assert [line.partition(" = ")[0] for line in lines[4:]] == ["  gold", "  predicted", "  best"]
    assert first == "=========================== short test summary info ============================"
    assert second == "FAILED test_laws.py::test_laws[undefined-defined] - Broken: the score is nan ..."
    assert re.fullmatch(r"1 failed, 4 passed, \d+ skipped", third)


def test_a_wrong_shape_is_one_failure(run_kit):
    assert told(run_kit("misshapen"))[:-1] == [
        "__________________________ test_laws[misshapen-shape] __________________________",
        "for weights of shape (2, 1) the score is float64 of shape () instead of float64 of shape (2,)",
        "Metric 'misshapen' breaks the law 'shape': bound to a batch, weights (..., n) have scores (...) of float64",
        "smallest counterexample:",
        "  Values(predicted=[0.0])",
        "  [1.0]",
        "=========================== short test summary info ============================",
        "FAILED test_laws.py::test_laws[misshapen-shape] - Broken: for weights of shap...",
    ]


def test_an_error_of_the_metric_is_told_with_its_place_and_without_advice(run_kit):
    lines = told(run_kit("failing"))
    assert lines[1:3] == [
        "ValueError: no rows (in failing_rows, line 30 of lying)",
        "Metric 'failing' breaks the law 'shape': bound to a batch, weights (..., n) have scores (...) of float64",
    ]
    assert lines[-1].startswith("1 failed, 1 passed, ")
    assert "Hand in" not in "\n".join(lines)


def test_an_assertion_of_the_metric_is_not_taken_for_one_of_the_law(run_kit):
    assert told(run_kit("asserting"))[1] == "AssertionError: too few units (in asserting_rows, line 34 of lying)"


@pytest.mark.parametrize(
    ("name", "law", "what"),
    [
        ("spoiling", "input", "it writes into an array that it was given"),
        ("drifting", "determinism", r"the same input gives \[\d+\.\d+\] and then \[\d+\.\d+\]"),
        ("unbounded", "bounds", r"score -?\d+\.\d+ lies outside \[0\.0, 1\.0\]"),
        ("mae", "free_name", "the metric 'mae' is brought by plugin 'qeframe_scoring' of distribution 'qeframe .*"),
    ],
)
def test_each_cause_is_told_once(run_kit, name, law, what):
    lines = told(run_kit(name))
    assert lines[0].strip("_") == f" test_laws[{name}-{law}] "
    assert re.fullmatch(what, lines[1])
    assert lines[2].startswith(f"Metric '{name}' breaks the law '{law}': ")
    assert next(line for line in lines if line.startswith("FAILED")).startswith(
        f"FAILED test_laws.py::test_laws[{name}-{law}] - Broken: {lines[1][:8]}"
    )
    assert lines[-1].startswith("1 failed, ")


def test_a_write_into_the_batch_is_found_whether_or_not_it_is_refused(run_kit):
    lines = told(run_kit("overwriting"))
    assert lines[0].strip("_") == " test_laws[overwriting-input] "
    assert lines[1] == "it writes into an array that it was given"
    assert lines[-1].startswith("1 failed, ")


def test_what_is_not_tried_is_skipped_with_the_reason_and_the_place_of_the_test(run_kit):
    output = run_kit("misshapen", "-rs")
    assert "test_laws.py:5: Metric 'misshapen' breaks the law 'shape', which 'order' presupposes" in output
    assert "qeframe/" not in output


@pytest.mark.parametrize("option", ["--full-trace", "--tb=long"])
def test_the_traceback_can_be_had(run_kit, option):
    assert "def test_laws(check):" in run_kit("unbounded", option)
    assert "def test_laws(check):" not in run_kit("unbounded")


def negative() -> Metric:
    return attrs.evolve(qeframe.load().get(Metric, "mae"), name="negative", bounds=(-2.0, -1.0))


def without_annotation():
    return negative()


def needs_an_argument(metric):
    return metric


GIVEN = [negative, lambda: negative(), negative(), Parametric(negative)]


@pytest.mark.parametrize("given", GIVEN)
def test_a_metric_is_tried_in_whatever_way_it_is_given(given):
    with pytest.raises(AssertionError, match=r"Metric 'negative' breaks the law 'bounds'"):
        check_metric(given, tries=2)
    with pytest.raises(
        AssertionError, match=r"^Metric 'negative' cannot be attacked\n  metric 'negative' .*: score re"
    ):
        check_gaming(given, attacks=["constant_median"])
    mark = parametrize_with_checks([given])
    assert {check.component.name for check in mark.args[1]} == {"negative"}


NO_METRIC = [
    (needs_an_argument, "function 'needs_an_argument' is no metric"),
    (lambda: 3, "function '<lambda>' returned int 3, which is no metric"),
    (pytest, "module 'pytest' is no metric"),
    ([negative()], "is no metric"),
    ("mae", "str 'mae' is no metric"),
    (3, "int 3 is no metric"),
    (Metric, "type 'Metric' is no metric"),
    (Parametric(without_annotation), "the function 'without_annotation' has no return annotation; write -> and"),
]


@pytest.mark.parametrize(("given", "line"), NO_METRIC)
def test_what_is_no_metric_is_refused_in_one_line(given, line):
    with pytest.raises(DataError, match=line) as refused:
        check_metric(given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("given", [needs_an_argument, lambda: 3, pytest, "mae", 3, [], ["mae"], Metric])
def test_what_brings_no_metric_is_not_tried_by_a_gate_or_a_test_file(given):
    with pytest.raises(DataError, match=r"brings no metric, so nothing can be tested; |is no component; "):
        check_gaming(given)
    with pytest.raises(DataError, match=r"brings no component that has laws; |is no component; "):
        parametrize_with_checks(given)


def test_a_component_of_another_class_is_refused():
    with pytest.raises(DataError, match=r"^function 'negative' returned Metric 'negative', which is no significance"):
        check_test(negative)
    with pytest.raises(
        DataError, match=r"^SignificanceTest 'sign' is no metric; give a Metric, a Parametric or a func"
    ):
        check_metric(qeframe.load().get(SignificanceTest, "sign"))
    with pytest.raises(DataError, match=r"brings no metric"):
        check_gaming(qeframe.load().get(SignificanceTest, "sign"))
    with pytest.raises(DataError, match=r"^int 3 is no component; give a Component, a Parametric or a function that"):
        checks_of(3)


def test_an_error_of_a_function_that_makes_a_metric_is_its_own():
    def broken() -> Metric:
        raise KeyError("mine")

    with pytest.raises(KeyError, match=r"mine"):
        check_metric(broken)
