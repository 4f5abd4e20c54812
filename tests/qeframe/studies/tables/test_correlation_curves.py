"""The table of correlations by size, and its record."""

import numpy as np
import pytest

from qeframe.report.layouts.terminal import as_text
from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve
from qeframe.studies.tables.correlation_curves import curve_record, curve_table

NAN = float("nan")


def curve(name, values, references=1, scale="rank"):
    return AgreementCurve(
        name=name, scale=scale, references=references, sizes=(1, 10), values=np.array(values, dtype=float)
    )


CURVES = [
    curve("bleu", [[0.2, NAN, 0.4], [0.6, 0.6, 0.6]]),
    curve("gtm_f", [[0.1, NAN, 0.3], [0.9, 0.7, 0.8]], references=2),
    curve(BETWEEN_JUDGES, [[NAN, 1, 0], [1, 1, 1]], references=0),
]


def test_table():
    text = as_text(curve_table(CURVES, "a title", signature="seed:0")).splitlines()
    assert text[0] == "a title"
    assert [line.split()[-2:] for line in text[4:7]] == [["0.300*", "0.600"], ["0.200", "0.800*"], ["0.500", "1.000"]]
    assert text[5].startswith("gtm_f, 2 references")
    assert "standard deviation over documents 0.71, 0.00" in "\n".join(text)
    assert "documents left out, for in them the judges tell no systems apart: n = 1: 33.3 %" in text
    assert text[-1] == "seed:0"


def test_scales_are_a_column_and_have_their_own_best():
    other = [curve("bleu", [[0.1] * 3] * 2, scale="fluency")]
    text = as_text(curve_table([*CURVES[:2], *other], "t"))
    assert "scale" in text.splitlines()[2]
    assert text.count("*") == 1 + 2 + 2
    assert "between judges" not in text


def test_record():
    record = curve_record(CURVES, {"rank": []}, {"seed": 0})
    assert (record["seed"], record["sizes"], record["comparisons"]) == (0, [1, 10], {"rank": []})
    assert record["curves"][0]["mean"] == pytest.approx([0.3, 0.6])
    assert record["curves"][1]["undefined"] == pytest.approx([1 / 3, 0])
