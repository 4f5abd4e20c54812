"""The page of a store: runs, changes, histories; runs of other profiles are kept apart."""

import math
import re

import attrs
import pytest

from qeframe.core.evaluation.result import Result
from qeframe_store.histories import History, Moment
from qeframe_store.store_page import axis_of, history_chart, store_page
from tests.plugins.qeframe_store.test_changes import OLD, evaluation, signature, submission
from tests.plugins.qeframe_store.test_histories import stored

LATER = evaluation(submission("B", 0.6, 1), submission("<img src=x>", 0.5, 2), signature=signature(seed=1))


def texts(page):
    """Return the texts of the cells of every table, by the id of its panel or section."""
    found = {}
    for key, inside in re.findall(r'<section[^>]* id="([^"]+)"(.*?)</table>', page, flags=re.DOTALL):
        rows = re.findall("<tr>(.*?)</tr>", inside.partition("<tbody>")[2], flags=re.DOTALL)
        found[key] = [[re.sub("<[^>]*>", "", c) for c in re.findall("<t[dh].*?</t[dh]>", row)] for row in rows]
    return found


def test_runs_changes_and_histories(tmp_path):
    page = store_page(stored(tmp_path, OLD, LATER), "store", command="qeframe store page x")
    assert "2 runs of 3 submissions, added on 2" in page
    tables = texts(page)
    assert tables["changes"] == [["1 to 2", "week 1", "seed", "seed", "0", "1"]]
    assert texts("<section" + page.partition('id="metrics"')[2].partition("<section")[2])["metric-0"] == [
        ["B", "0.300", "0.600", "0.300"],
        ["&lt;img src=x&gt;", "", "0.500", ""],
        ["A", "0.500", "", ""],
    ]
    assert "qeframe store page x" in page
    assert "<img" not in page


def test_other_profiles_are_other_histories(tmp_path):
    other = attrs.evolve(LATER, profile="q")
    page = store_page(stored(tmp_path, OLD, other), "store")
    assert "What changed between runs" not in page
    assert 'id="metric-1-title">m (q)</h3>' in page


def test_tasks_of_runs_that_have_several(tmp_path):
    several = attrs.evolve(OLD, tasks={"de": {"segments": 3}, "fr": {"segments": 2}})
    page = store_page(stored(tmp_path, several), "store")
    assert re.findall(r'id="task-\d-title">(.*?)</h3>', page) == ["de", "fr"]


def test_tasks_of_runs_of_one_task_are_not_repeated(tmp_path):
    single = attrs.evolve(OLD, tasks={"de": {"segments": 3}})
    assert 'id="tasks"' not in store_page(stored(tmp_path, single), "store")


def test_another_name_of_a_single_task_is_no_change(tmp_path):
    runs = [
        attrs.evolve(OLD, tasks={name: {"segments": 3}}, signature=signature(units={name: "3 x segment"}, seed=seed))
        for name, seed in (("task", 0), ("T2", 1))
    ]
    page = store_page(stored(tmp_path, *runs), "store")
    assert texts(page)["changes"] == [["1 to 2", "week 1", "seed", "seed", "0", "1"]]


def test_an_empty_store():
    assert "The store is empty." in store_page([], "store")


def test_runs_without_a_change(tmp_path):
    page = store_page(stored(tmp_path, OLD, attrs.evolve(OLD, title="T")), "store")
    assert "are the same in all runs of a profile" in page


def test_digests_are_short(tmp_path):
    digests = [attrs.evolve(OLD.signature.inputs[0], sha256=digit * 64) for digit in "ab"]
    runs = [attrs.evolve(OLD, signature=signature(inputs=(one,))) for one in digests]
    page = store_page(stored(tmp_path, *runs), "store")
    assert texts(page)["changes"] == [["1 to 2", "week 1", "data", "gold", "a" * 12, "b" * 12]]


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
