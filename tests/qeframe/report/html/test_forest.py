"""Forest plots."""

import math
import re

from qeframe.report.html.forest import forest
from qeframe.report.html.scores import Ranked, Scores


def plot(*rows):
    return forest(Scores(name="", metric="m", higher_is_better=True, rows=rows))


def xs(bar, kind):
    return [float(x) for x in re.findall(rf'd="M([-\d.]+) [^"]*" class="{kind}"', bar)]


def test_positions_are_linear_in_the_score():
    low, middle, high = (Ranked(name=str(v), value=v, low=v - 1, high=v + 1) for v in (1.0, 2.0, 3.0))
    found = plot(low, middle, high)
    dots = [xs(row["bar"], "dot")[0] for row in found["rows"]]
    assert dots[1] == 500.0
    assert dots[1] - dots[0] == dots[2] - dots[1] > 0
    ends = xs(found["rows"][1]["bar"], "interval")
    assert ends[0] == ends[1] == dots[0]
    assert ends[2] == dots[2]
    assert found["rows"][0]["interval"] == "0.000 to 2.000"
    assert found["intervals"]


def test_rank_bars_have_a_cell_for_each_rank():
    rows = [Ranked(name=str(i), value=-i, ranks=(i, min(i + 1, 4))) for i in range(1, 5)]
    found = plot(*rows)
    assert [row["ranks"] for row in found["rows"]] == ["1–2", "2–3", "3–4", "4"]
    bars = [re.search(r'x="([\d.]+)".*width="([\d.]+)"', row["rank_bar"]).groups() for row in found["rows"]]
    assert bars == [("0", "500"), ("250", "500"), ("500", "500"), ("750", "250")]


def test_undefined_scores_have_no_dot():
    found = plot(Ranked(name="a", value=0.5), Ranked(name="b", value=math.nan))
    assert not xs(found["rows"][1]["bar"], "dot")
    assert found["rows"][1]["value"] == "n/a"
    assert not found["intervals"]
    assert not found["clusters"]
    assert not found["ranked"]


def test_without_a_defined_score_there_is_no_plot():
    assert plot() is None
    assert plot(Ranked(name="a", value=math.nan)) is None


def test_equal_and_extreme_scores_have_an_axis():
    for value in (0.0, 0.5, -3.0, 1e9, 1e-9):
        found = plot(Ranked(name="a", value=value), Ranked(name="b", value=value))
        assert xs(found["rows"][0]["bar"], "dot") == [500.0]
        assert found["ticks"]
