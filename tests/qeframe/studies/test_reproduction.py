"""Published values beside computed ones."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.data.published.published_table import KnownDifference, PublishedTable
from qeframe.studies.reproduction import found_path, reproduce, verdict_of
from tests.written import write_files

GOLD = [0.1, 0.5, 0.3, 0.9]
A = [0.2, 0.4, 0.3, 0.8]
WHY = KnownDifference(reason="why")


@pytest.fixture
def folder(tmp_path):
    return write_files(tmp_path, {"gold.txt": GOLD, "submissions/A.txt": A, "submissions/flat.txt": [0.5] * 4})


def table(rows, **changed):
    base = {
        "name": "made", "summary": "", "paths": ["."], "profile": "qe_sentence",
        "columns": [{"title": "r", "metric": "pearson"}, {"title": "MAE", "metric": "mae"}], "rows": rows,
    }  # fmt: skip
    return PublishedTable(**{**base, **changed})


def reproduced(made, folder, registry):
    (done,) = reproduce([(made, folder)], registry)
    return done


def test_each_verdict(folder, registry):
    rows = {"A": [".983", ".20"], "Flat": ["", ".25"], "flat": [".1", ".25"], "absent": [".1", ".2"]}
    known = [{"reason": "misprint", "row": "A", "column": "MAE"}]
    done = reproduced(table(rows, known=known, names={"Flat": "flat"}), folder, registry)
    found = {(value.row, value.column): value for value in done.values}
    assert {cell: value.verdict for cell, value in found.items()} == {
        ("A", "r"): "equal", ("A", "MAE"): "known difference", ("Flat", "MAE"): "equal",
        ("flat", "r"): "not computed", ("flat", "MAE"): "equal", ("absent", "r"): "not in the data",
        ("absent", "MAE"): "not in the data",
    }  # fmt: skip
    assert found["A", "MAE"].reason == "misprint"
    assert found["A", "r"].reason == ""
    assert found["A", "MAE"].difference == pytest.approx(0.075 - 0.20)
    assert done.fails
    assert (done.count("equal"), done.count("not in the data", "not computed")) == (3, 3)


def test_a_table_of_which_the_data_have_nothing_fails(folder, registry):
    assert reproduced(table({"absent": [".1", ".2"]}), folder, registry).fails
    assert not reproduced(table({"A": [".983", ""]}), folder, registry).fails


def test_counts_and_single_tasks(folder, registry):
    columns = [{"title": "segments", "count": "segments"}, {"title": "none", "count": "none"}]
    (name,) = qeframe_tasks(folder, registry)
    done = reproduced(table({name: ["4", "1"], "other": ["1", "1"]}, columns=columns), folder, registry)
    assert [value.verdict for value in done.values][1:] == ["not computed", "not in the data", "not in the data"]
    column = {"title": "r", "metric": "pearson", "task": name}
    assert not reproduced(table({"A": [".983"]}, columns=[column]), folder, registry).fails
    missing = {**column, "task": "other"}
    assert reproduced(table({"A": [".983"]}, columns=[missing]), folder, registry).values[0].verdict == "not computed"


def qeframe_tasks(folder, registry):
    return qeframe.evaluate("qe_sentence", folder, settings=["test=", "interval="], registry=registry).tasks


def test_settings_change_the_rules(folder, registry):
    made = table({"A": [".983", ".075"]}, settings=["secondary=[]"])
    assert [value.verdict for value in reproduced(made, folder, registry).values] == ["equal", "not computed"]


def test_paths_are_tried_in_order(tmp_path):
    made = table({"A": [".1", ".2"]}, paths=["x/y", "."])
    own, shared = tmp_path / "own", tmp_path / "shared"
    own.mkdir()
    (shared / "x" / "y").mkdir(parents=True)
    assert found_path(made, [tmp_path / "none"], tmp_path) is None
    assert found_path(made, [own], shared) == own
    assert found_path(made, [], shared) == shared / "x" / "y"


@pytest.mark.parametrize(
    ("published", "computed", "verdict"),
    [
        (".550", 0.549922, "equal"),
        (".550", 0.5494, "differs"),
        ("-.04", -0.0401, "equal"),
        ("0", -0.3, "equal"),
        ("11,021", 11021, "equal"),
        ("11,021", 11022, "differs"),
        ("1e-5", 1.0000000001e-5, "equal"),
        (".5", math.nan, "not computed"),
    ],
)
def test_printed_digits_decide(published, computed, verdict):
    assert verdict_of(published, computed) == verdict


@settings(max_examples=15)
@given(st.integers(-10_000, 10_000), st.integers(0, 3), st.floats(-3, 3))
def test_equal_means_that_the_printed_texts_are_equal(number, decimals, shift):
    published = f"{number / 10**decimals:.{decimals}f}"
    computed = float(published) + shift / 10**decimals
    same = float(f"{computed:.{decimals}f}") == float(published)
    assert verdict_of(published, computed) == ("equal" if same else "differs")
    assert verdict_of(published, computed, WHY) == ("equal" if same else "known difference")


def test_a_reason_explains_differences_up_to_a_size():
    known = KnownDifference(reason="rounding", within=0.001)
    assert verdict_of(".50", 0.5009, known) == "equal"
    assert verdict_of(".500", 0.5009, known) == "known difference"
    assert verdict_of(".500", 0.5011, known) == "differs"
    assert verdict_of(".500", math.nan, known) == "known difference"
