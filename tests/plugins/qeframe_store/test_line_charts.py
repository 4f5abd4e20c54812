"""Line charts: a dot for every defined score, a line between neighbors, dashed where they do not compare."""

import math
import re

import pytest

from qeframe.core.evaluation.result import Result
from qeframe_store.histories import History, Moment
from qeframe_store.line_charts import axis_of, history_chart


def line(*values, name="A", at=None):
    moments = [
        Moment(at=nth, result=value if isinstance(value, Result) else Result(value=value))
        for nth, value in zip(at or range(len(values)), values, strict=True)
    ]
    return History(submission=name, metric="m", task="", moments=tuple(moments))


def drawn(history, runs=3, joined=(True, True), axis=(0.0, 1.0)):
    return history_chart(history, [f"run {n}, <b>" for n in range(1, runs + 1)], joined, axis, 2)


def test_the_axis_holds_scores_and_finite_ends_of_intervals():
    results = [Result(value=0.5, low=0.25, high=0.75), Result(value=0.125), Result(value=1.0, low=-math.inf)]
    assert axis_of([line(*results), line(math.nan)]) == (0.125, 1.0)
    assert axis_of([line(2.0)]) == (1.9, 2.1)
    assert axis_of([line(0.0)]) == (-0.5, 0.5)
    assert axis_of([line(math.nan)]) is None
    assert axis_of([]) is None


def test_neighbors_are_joined_and_others_by_dashes():
    assert drawn(line(0.1, 0.2, 0.3)).count('class="trend"') == 2
    assert drawn(line(0.1, 0.2, 0.3), joined=(True, False)).count('class="trend other"') == 1
    apart = drawn(line(0.1, 0.3, at=[0, 2]))
    assert apart.count('class="trend other"') == 1
    assert apart.count('class="trend"') == 0
    undefined = drawn(line(0.1, math.nan, 0.3))
    assert undefined.count('class="dot"') == 2
    assert undefined.count('class="trend other"') == 1


def test_higher_scores_are_higher_and_later_ones_to_the_right():
    places = [tuple(map(float, found)) for found in re.findall(r"M([.0-9]+) ([.0-9]+)h", drawn(line(0.0, 1.0)))]
    (x1, low), (x2, high) = places
    assert x1 < x2
    assert low > high
    assert re.search("M110 ", drawn(line(0.5), runs=1, joined=()))  # a single run is in the middle


def test_texts_are_escaped_and_name_the_run():
    picture = drawn(line(Result(value=0.5, low=0.25, high=0.75), 0.75, name="<i>"))
    assert "<title>run 1, &lt;b&gt;: 0.50 (0.25 to 0.75)</title>" in picture
    assert "m of &lt;i&gt;: run 1, &lt;b&gt;: 0.50 (0.25 to 0.75); run 2, &lt;b&gt;: 0.75" in picture
    assert picture.count('class="interval"') == 1


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_without_a_defined_score_there_is_no_dot(value):
    assert 'class="dot"' not in drawn(line(value))
