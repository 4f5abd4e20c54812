"""The tables of power studies."""

import math

import numpy as np
import pytest

from qeframe.report import (
    as_latex,
    as_markdown,
    as_text,
    as_tsv,
)
from qeframe.studies import (
    PowerCurve,
    PowerInDraws,
    PowerStudy,
    curve_records,
    power_records,
    power_table,
)


def curve(worse, **numbers):
    given = {
        "difference": 0.1, "error": 0.05, "freedom": 30.0, "power": 0.5, "needed": 412.0, "needed_low": 150.0,
        "needed_high": 12345.0, "detectable": 0.14, "at": np.array([0.25, 0.5]), "low": np.array([0.1, 0.2]),
        "high": np.array([0.5, 0.75]), "in_draws": (PowerInDraws(size=200, power=0.48, error=0.02),),
    }  # fmt: skip
    return PowerCurve(better="a", worse=worse, **{**given, **numbers})


NAN = math.nan
STUDY = PowerStudy(
    profile="p", metric="pearson", unit="segment", units=200, tasks=1, alpha=0.05, target=0.8, confidence=0.95,
    draws=500, seed=3, sizes=np.array([100, 200]),
    curves=(
        curve("b"),
        curve("c", power=0.9, needed_high=math.inf),
        curve("d", difference=NAN, power=NAN, needed=NAN, needed_low=NAN, needed_high=NAN, detectable=NAN),
    ),
)  # fmt: skip


def texts(table, title):
    return [row[[column.title for column in table.columns].index(title)].text for row in table.rows]


def test_the_table():
    table = power_table(STUDY, "title")
    assert texts(table, "worse") == ["b", "c", "d"]
    assert texts(table, "power") == ["0.500", "0.900", "n/a"]
    assert texts(table, "in draws") == ["0.480", "0.480", "n/a"]
    assert texts(table, "segments for 80 %") == ["412", "412", "n/a"]
    assert texts(table, "95 % interval") == ["150 to 12,300", "150 to no bound", "n/a"]
    assert [row[4].strong for row in table.rows] == [False, True, False]
    assert table.notes[-1] == "profile:p|metric:pearson|alpha:0.05|power:0.8|draws:500|seed:3"


def test_what_was_not_asked_for_has_no_column():
    import attrs

    table = power_table(attrs.evolve(STUDY, draws=0, tasks=2), "title")
    assert "in draws" not in [column.title for column in table.columns]
    assert "2 tasks: all grow by the same factor" in table.notes


def test_records_are_exact():
    table = power_records(STUDY)
    assert texts(table, "needed") == ["412.0", "412.0", ""]
    assert texts(table, "needed_high") == ["12345.0", "inf", ""]
    points = curve_records(STUDY)
    assert texts(points, "units")[:3] == ["100", "200", "200"]
    assert texts(points, "power")[:3] == ["0.25", "0.5", ""]
    assert texts(points, "in_draws")[:3] == ["", "", "0.48"]


@pytest.mark.parametrize("layout", [as_text, as_markdown, as_latex, as_tsv])
def test_every_layout(layout):
    assert "412" in layout(power_table(STUDY, "title"))
