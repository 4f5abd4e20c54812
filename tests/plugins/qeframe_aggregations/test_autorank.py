"""AutoRank: against plain formulas, and against published tables whose metrics are rounded."""

import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe_aggregations.autorank import autorank

EN_AR = """
1.0 .658 76.3 75.0 -5.7 .388|2.5 .650 79.2 73.3 -6.4 .337|2.6 .645 80.0 73.9 -6.5 .328
3.4 .644 73.0 69.6 -6.0 .345|4.0 .621 77.8 75.4 -7.0 .311|4.1 .637 74.4 73.4 -7.1 .325
5.4 .658 67.8 63.9 -6.6 .323|5.6 .552 79.5 84.5 -7.6 .267|6.4 .627 70.4 67.4 -7.1 .288
6.5 .534 78.4 84.1 -7.8 .265|6.9 .573 74.2 75.7 -7.7 .273|7.5 .586 71.7 71.0 -7.8 .274
7.6 .552 76.5 80.0 -8.5 .246|7.9 .641 65.7 61.7 -7.8 .286|8.3 .533 75.8 80.0 -8.5 .238
8.4 .585 70.7 68.8 -8.1 .261|9.0 .607 67.7 64.0 -8.2 .258|9.7 .596 66.1 61.6 -8.2 .259
10.7 .571 66.1 64.1 -8.7 .247|10.7 .549 64.8 63.3 -8.6 .281|10.7 .592 64.0 60.5 -8.5 .246
10.8 .532 69.0 67.5 -8.5 .236|11.1 .526 67.9 70.0 -8.8 .234|11.3 .543 66.0 64.2 -8.7 .247
11.3 .588 62.7 59.0 -8.8 .248|11.7 .529 67.9 67.6 -9.0 .220|14.0 .548 58.7 54.5 -9.3 .233
15.5 .534 58.2 54.0 -10.5 .224|15.8 .501 59.0 57.4 -9.9 .200|16.9 .488 58.5 56.1 -10.4 .194
18.0 .499 53.9 51.2 -10.8 .201|20.1 .492 50.0 44.4 -11.4 .195|22.6 .445 53.5 48.3 -13.5 .152
22.8 .458 45.5 41.8 -12.3 .180|24.0 .436 44.5 39.3 -12.6 .176|31.9 .337 31.1 26.9 -15.2 .162
37.0 .262 27.9 23.2 -18.4 .157
"""
"""WMT25 English-Egyptian Arabic: AutoRank, CometKiwi-XL, both GEMBA-ESA, MetricX-24-Hybrid-XL (negated), XCOMET-XL."""
EN_BHO = """
1.0 40.6|2.5 38.9|2.8 38.6|4.1 37.1|4.4 36.9|4.5 36.7|5.1 36.0|5.5 35.6|5.6 35.4|6.2 34.8|6.5 34.4|6.5 34.4
6.6 34.3|8.3 32.4|8.8 31.8|8.9 31.8|9.0 31.6|11.1 29.2|11.4 28.9|11.4 28.9|11.5 28.8|11.9 28.3|12.1 28.2|12.3 27.9
12.7 27.4|12.8 27.3|13.6 26.4|14.7 25.2|15.9 23.9|16.7 22.9|16.7 22.9|17.7 21.8|20.9 18.2|28.4 9.7|35.0 2.3
"""
"""WMT25 English-Bhojpuri: AutoRank and chrF++."""


@pytest.mark.parametrize(("table", "systems"), [(EN_AR, 37), (EN_BHO, 35)], ids=["en-ar", "en-bho"])
def test_the_published_tables_of_2025(table, systems):
    rows = np.array([row.split() for row in table.strip().replace("\n", "|").split("|")], dtype=float)
    assert len(rows) == systems
    found = autorank().aggregate(rows[:, 1:], np.ones(rows.shape[1] - 1), True)
    assert found == pytest.approx(rows[:, 0], abs=0.15)
    assert found.min() == 1
    assert found.max() == systems


def plain(scores, scaling):
    """Compute AutoRank by loops; no score is missing."""
    systems, metrics = len(scores), len(scores[0])
    columns = [[row[task] for row in scores] for task in range(metrics)]

    def placed(values, last):
        high, low = max(values), min(values)
        return [1 + (high - value) / (high - low) * (last - 1) if high > low else 1.0 for value in values]

    if scaling == "range":
        places = [placed(column, systems + 1) for column in columns]
        return [sum(column[i] for column in places) / metrics for i in range(systems)]
    scaled = []
    for column in columns:
        ordered = sorted(column)
        at = (systems - 1) / 4
        below = int(at)
        quarter = ordered[below] + (at - below) * (ordered[min(below + 1, systems - 1)] - ordered[below])
        scaled.append([(value - statistics.median(column)) / max(2.0**-52, max(column) - quarter) for value in column])
    return placed([sum(column[i] for column in scaled) / metrics for i in range(systems)], systems)


@pytest.mark.parametrize("scaling", ["interquantile", "range"])
@given(st.integers(1, 6), st.integers(1, 3), st.data())
def test_agrees_with_loops(scaling, systems, metrics, data):
    scores = data.draw(
        st.lists(st.lists(st.integers(0, 9), min_size=metrics, max_size=metrics), min_size=systems, max_size=systems)
    )
    values = np.array(scores, dtype=float)
    found = autorank(scaling=scaling).aggregate(values, np.ones(metrics), True)
    assert found == pytest.approx(plain(scores, scaling), rel=1e-9)
    assert autorank(scaling=scaling).aggregate(-values, np.ones(metrics), False) == pytest.approx(found)
    draws = np.stack([values, values[::-1]])
    assert autorank(scaling=scaling).aggregate(draws, np.ones(metrics), True)[1] == pytest.approx(found[::-1])


@pytest.mark.parametrize("scaling", ["interquantile", "range"])
def test_a_system_without_a_score_is_not_counted(scaling):
    scores = np.array([[3.0, 1.0], [2.0, np.nan], [1.0, 0.0]])
    of_others = autorank(scaling=scaling).aggregate(scores[[0, 2]], np.ones(2), True)
    found = autorank(scaling=scaling).aggregate(scores, np.ones(2), True)
    assert found[[0, 2]] == pytest.approx(of_others)
    assert np.isnan(found[1])
    assert autorank(scaling=scaling).aggregate(scores, np.array([1.0, 0.0]), True)[1] > 1
    assert np.isnan(autorank(scaling=scaling).aggregate(np.full((2, 1), np.nan), np.ones(1), True)).all()
