"""Results as data frames: the same in every library, and the same as the files of a result."""

import csv
import math

import attrs
import narwhals.stable.v2 as nw
import pytest

from qeframe import Comparisons, ComparisonsByMetric, Result
from qeframe.core.findings import PairEquivalence
from qeframe.report import Cell, Column, Table, as_tsv, comparison_records, score_records

LIBRARIES = ["pandas", "polars", "pyarrow"]


def records_of(result, library):
    """Return the rows of a frame, missing values as None."""
    table = nw.from_native(result.to_frame(library))
    columns = {
        column.name: [None if gone else value for value, gone in zip(column.to_list(), column.is_null(), strict=True)]
        for column in table.iter_columns()
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def read_back(table):
    """Return the rows of a table of records, each text as the value that it was."""
    return [
        {name: _value(text) for name, text in row.items()}
        for row in csv.DictReader(as_tsv(table).splitlines(), delimiter="\t")
    ]


def _value(text):
    try:
        return float(text)
    except ValueError:
        return {"true": True, "false": False}.get(text, text)


def with_empty_texts(records, reference):
    """Return records with None where a text of the reference is empty."""
    return [
        {name: "" if value is None else value for name, value in row.items()}
        for row, _ in zip(records, reference, strict=True)
    ]


@pytest.mark.parametrize("library", LIBRARIES)
def test_frames_hold_what_the_files_hold(evaluation, library):
    scores = read_back(score_records(evaluation))
    assert with_empty_texts(records_of(evaluation, library), scores) == scores
    pairs = read_back(comparison_records(evaluation))
    assert with_empty_texts(records_of(Comparisons(evaluation.comparisons), library), pairs) == pairs


def test_scores_of_tasks_follow_those_over_all(over_tasks):
    rows = records_of(over_tasks, "polars")
    assert [row["task"] for row in rows if (row["submission"], row["metric"]) == ("a", "pearson")] == [
        "",
        "en-de",
        "de-en",
    ]
    assert next(row for row in rows if row["task"] == "en-de" and row["submission"] == "a")["value"] == 0.75


@pytest.mark.parametrize("library", LIBRARIES)
def test_comparisons_of_several_metrics_are_one_frame(evaluation, library):
    block = Comparisons(evaluation.comparisons)
    assert records_of(ComparisonsByMetric([block, block]), library) == records_of(block, library) * 2


def test_equivalence_adds_columns(pair):
    found = PairEquivalence(delta=0.1, low=-0.05, high=0.02, p=0.01, p_adjusted=0.02, verdict="equivalent")
    rows = records_of(Comparisons([pair("a", "b", 0.5, equivalence=found), pair("a", "c", 0.5)]), "polars")
    assert rows[0]["verdict"] == "equivalent"
    assert (rows[0]["delta"], rows[0]["equivalence_p_adjusted"]) == (0.1, 0.02)
    assert (rows[1]["delta"], rows[1]["verdict"]) == (None, None)


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_audit_has_a_row_for_each_attack(audit, library, attacked):
    searched = attrs.evolve(audit.metrics[0], finds=(attacked("found(x=1)", "blind", 0.4),))
    rows = records_of(attrs.evolve(audit, metrics=(searched, *audit.metrics[1:])), library)
    assert [(row["metric"], row["attack"], row["searched"]) for row in rows] == [
        ("weak", "all_bad", False),
        ("weak", "shift", False),
        ("weak", "most", False),
        ("weak", "found(x=1)", True),
        ("safe", "all_bad", False),
        ("safe", "shift", False),
        ("safe", "most", False),
        ("other", "flat", False),
    ]
    assert [row["counts"] for row in rows[:3]] == [True, True, False]
    assert rows[-1]["index"] is None
    assert {row["rank"] for row in rows} == {None}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_has_its_texts_under_different_names(library):
    titles = ["a", "", "a", "a 3", ""]
    table = Table(title="T", columns=tuple(map(Column, titles)), rows=(tuple(map(Cell, "vwxyz")),))
    (row,) = records_of(table, library)
    assert list(row) == ["a", "column 2", "a 3 3", "a 3", "column 5"]
    assert "".join(row.values()) == "vwxyz"


def test_results_without_rows_have_their_columns(evaluation_of):
    assert list(evaluation_of([]).to_frame().columns) == [
        "submission", "kind", "metric", "task", "value", "low", "high",
    ]  # fmt: skip
    assert list(Comparisons().to_frame().columns)[:2] == ["a", "b"]


def test_infinite_numbers_stay(evaluation_of, scored):
    assert records_of(evaluation_of([scored("a", 1, {"pearson": math.inf})]), "pandas")[0]["value"] == math.inf


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_result_is_a_frame_with_a_row_for_each_task(library):
    part = Result(value=0.25)
    rows = records_of(Result(value=0.5, low=0.25, high=0.75, tasks={"de": part}), library)
    assert [row["task"] or "" for row in rows] == ["", "de"]
    assert [row["value"] for row in rows] == [0.5, 0.25]
    assert (rows[0]["low"], rows[0]["high"], rows[1]["low"]) == (0.25, 0.75, None)
