"""Panels: what is shown where."""

import math
import re

from qeframe.report.html.facts import PageFacts, page_facts
from qeframe.report.html.panel_scores import Ranked, Scores
from qeframe.report.html.panels import forest, histograms, panels


def test_a_single_task_has_everything_in_one_panel(evaluation, task):
    (panel,), others = panels(evaluation, page_facts([task]))
    assert others == []
    assert panel["forest"]["rows"][0]["name"] == "first"
    assert panel["matrix"]["data"]["names"] == ["first", "second", "third"]
    assert [one["name"] for one in panel["histograms"]["pictures"]] == ["first", "second", "third"]
    assert panel["disagreements"].columns[0].title == "segment"
    assert panel["best"] == "first (0.750)"


def test_units_of_several_tasks_are_in_their_panels(over_tasks, task_of):
    tasks = [task_of({"a": [1.0, 2], "b": [2.0, 1]}, [1.0, 2], name) for name in ("en-de", "de-en")]
    shown, others = panels(over_tasks, page_facts(tasks))
    assert others == []
    assert [panel["title"] for panel in shown] == ["All tasks", "en-de", "de-en", "cs-en"]
    assert [panel["histograms"] is not None for panel in shown] == [False, True, True, False]
    assert shown[3]["forest"] is None


def test_units_that_belong_to_no_panel_have_their_own(evaluation, task, task_of):
    both = page_facts([task, task_of({"first": [1.0, 2]}, [1.0, 2], "other")])
    (panel,), others = panels(evaluation, both)
    assert panel["histograms"] is None
    assert [one["title"] for one in others] == ["en-de", "other"]
    assert others[1]["note"] == "2 segments"


def test_without_facts_there_are_scores_and_significance(evaluation):
    (panel,), others = panels(evaluation, PageFacts())
    assert panel["forest"] is not None
    assert panel["histograms"] is None
    assert others == []


def test_a_text_that_is_not_that_of_the_unit_is_named(evaluation, task):
    shown = page_facts([task])
    (facts,) = shown.units.values()
    for row in facts["disagreements"]:
        row["text"] = "OK BAD"
    notes = []
    for side in ("text", "gold"):
        facts["text_of"] = side
        (panel,), _ = panels(evaluation, shown)
        notes.append(panel["disagreements"].notes[-1])
    assert notes[0].startswith("gold, lowest, highest: ")
    assert notes[1] == "text: what the gold holds"


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


def test_undefined_scores_have_no_row():
    found = plot(Ranked(name="a", value=0.5), Ranked(name="b", value=math.nan))
    assert [row["name"] for row in found["rows"]] == ["a"]
    assert found["without"] == ["b"]
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


FLAT = [100 / 30] * 30


def facts(gold, **submissions):
    found = {name: {"bins": bins, "outside": out, "mean": mean} for name, (bins, out, mean) in submissions.items()}
    return {"gold": gold, "submissions": found, "low": 0.0, "high": 2.0, "values": "value", "unit": "segment"}


def test_pictures_come_in_the_order_that_is_given():
    found = histograms(facts(FLAT, a=(FLAT, 0, 1.0), b=(FLAT, 2, 0.5)), ["b", "a"])
    assert [one["name"] for one in found["pictures"]] == ["b", "a"]
    assert [one["note"] for one in found["pictures"]] == ["2 outside", ""]
    assert (found["low"], found["high"], found["gold"], found["scale"]) == ("0.000", "2.000", True, "value")


def test_a_picture_says_what_it_shows():
    (one,) = histograms(facts(FLAT, **{"<a>": (FLAT, 0, 1.0)}), ["<a>"])["pictures"]
    assert "<title>Distribution of &lt;a&gt;: value, mean 1.000, peak 3 %</title>" in one["svg"]
    assert re.search(r'd="M90 0V70" class="mean"', one["svg"])
    assert one["svg"].count('class="gold"') == 1


def test_high_bars_are_cut_and_counted():
    peak = [100.0] + [0.0] * 29
    (one,) = histograms(facts(FLAT, a=(peak, 0, 0.0)), ["a"])["pictures"]
    assert one["note"] == "peak 100 %"


def test_a_mean_that_is_outside_or_undefined_has_no_line():
    found = histograms(facts(None, a=(FLAT, 1, 5.0), b=([0.0] * 30, 0, None)), ["a", "b"])
    assert not any("mean" in re.findall(r'class="(\w+)"', one["svg"]) for one in found["pictures"])
    assert "mean undefined" in found["pictures"][1]["svg"]
    assert not found["gold"]
