"""Panels: what is shown where."""

from qeframe.report.html.facts import PageFacts, page_facts
from qeframe.report.html.panels import panels


def test_a_single_task_has_everything_in_one_panel(evaluation, task):
    (panel,), others = panels(evaluation, page_facts(evaluation, [task]))
    assert others == []
    assert panel["forest"]["rows"][0]["name"] == "first"
    assert panel["matrix"]["data"]["names"] == ["first", "second", "third"]
    assert [one["name"] for one in panel["histograms"]["pictures"]] == ["first", "second", "third"]
    assert panel["disagreements"].columns[0].title == "segment"
    assert panel["best"] == "first (0.750)"


def test_units_of_several_tasks_are_in_their_panels(over_tasks, task_of):
    tasks = [task_of({"a": [1.0, 2], "b": [2.0, 1]}, [1.0, 2], name) for name in ("en-de", "de-en")]
    shown, others = panels(over_tasks, page_facts(over_tasks, tasks))
    assert others == []
    assert [panel["title"] for panel in shown] == ["All tasks", "en-de", "de-en", "cs-en"]
    assert [panel["histograms"] is not None for panel in shown] == [False, True, True, False]
    assert shown[3]["forest"] is None


def test_units_that_belong_to_no_panel_have_their_own(evaluation, task, task_of):
    both = page_facts(evaluation, [task, task_of({"first": [1.0, 2]}, [1.0, 2], "other")])
    (panel,), others = panels(evaluation, both)
    assert panel["histograms"] is None
    assert [one["title"] for one in others] == ["en-de", "other"]
    assert others[1]["note"] == "2 segments"


def test_without_facts_there_are_scores_and_significance(evaluation):
    (panel,), others = panels(evaluation, PageFacts())
    assert panel["forest"] is not None
    assert panel["histograms"] is None
    assert others == []
