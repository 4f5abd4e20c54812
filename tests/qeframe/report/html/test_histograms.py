"""Pictures of distributions."""

import re

from qeframe.report.html.histograms import histograms

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
