"""The long tables for programs."""

import csv
import math

import numpy as np

from qeframe.core.batches.ragged import Ragged
from qeframe.core.evaluation.result import Result
from qeframe.core.tasks.reading import Submitted, UnitValues
from qeframe.core.tasks.task import Dropped
from qeframe.kinds.tags.batch import SentenceTags
from qeframe.report import as_tsv, comparison_records, score_records
from qeframe.report.layouts.terminal import print_table
from qeframe.report.tables.records import found_in, submitted_table


def test_records_read_back_to_the_last_bit(evaluation_of, scored, pair):
    third = Result(value=1 / 3, low=0.1 + 0.2, high=math.inf, tasks={"en-de": Result(value=2 / 3)})
    made = evaluation_of([scored("a", 1, {"pearson": third})], [pair("a", "b", 1 / 7)])
    rows = list(csv.DictReader(as_tsv(score_records(made)).splitlines(), delimiter="\t"))
    assert [row["task"] for row in rows] == ["", "en-de"]
    assert float(rows[0]["value"]) == 1 / 3
    assert float(rows[0]["low"]) == 0.1 + 0.2
    assert [rows[0]["high"], rows[1]["low"]] == ["", ""]
    (row,) = csv.DictReader(as_tsv(comparison_records(made)).splitlines(), delimiter="\t")
    assert float(row["p"]) == 1 / 7
    assert row["significant"] == "false"


def side(values, **more):
    return UnitValues(name="a", ids=np.arange(len(values)), values=values, **more)


def test_numbers():
    assert found_in(side(np.array([3.0, np.nan, -1.0]))) == {"segments": 3, "lowest": -1.0, "highest": 3.0}
    assert found_in(side(np.array([np.nan]))) == {"segments": 1}
    assert found_in(side(np.empty(0))) == {"segments": 0}


def test_ragged_values():
    offsets = np.array([0, 2, 3])
    tags = SentenceTags(np.array([0, 1, 0], np.int8), offsets)
    assert found_in(side(tags)) == {"segments": 2, "OK": 2, "BAD": 1}
    numbers = Ragged(np.array([0.5, 0.25, 1.0]), offsets)
    assert found_in(side(numbers)) == {"segments": 2, "tokens": 3, "lowest": 0.25, "highest": 1.0}
    assert found_in(side(Ragged(np.zeros((3, 3), np.int64), offsets))) == {"segments": 2, "spans": 3}
    assert found_in(side(Ragged(np.empty(0), np.array([0, 0])))) == {"segments": 1, "tokens": 0}


def test_a_table(capsys):
    note = Dropped("", "line", 2, "of another TYPE")
    stated = {"parameters": 560145557.0}
    parts = [
        Submitted(part="en-cs", answers=side(np.ones(2), stated=stated), dropped=(note,)),
        Submitted(answers=side(np.empty(0), stated=stated), dropped=(note,)),
    ]
    print_table(submitted_table(parts, "t", heading="language pair", checked="not compared"))
    printed = capsys.readouterr().out
    assert printed.count("stated: parameters 560145557\n") == 1
    assert printed.count("left out: 2 lines, of another TYPE\n") == 1
    assert "not named" in printed
    (table,) = [submitted_table(parts[1:], "t", heading="language pair", checked="")]
    assert [column.title for column in table.columns] == ["submission", "segments"]
