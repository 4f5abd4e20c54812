"""The long tables for programs."""

import csv
import math

from qeframe.core.evaluation.result import Result
from qeframe.report import (
    as_tsv,
    comparison_records,
    score_records,
)


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
