"""The page of a store: runs, changes, histories; runs of other profiles are kept apart."""

import re

import attrs

from qeframe_store.store_page import store_page
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
