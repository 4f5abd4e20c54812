"""Made campaigns with planted damage, from the files to the results of the ranking and of all three tasks."""

import pytest

import qeframe
from qeframe.core.components.reader import Reader
from qeframe.data.validate import validate_submission
from tests.plugins.qeframe_wmt.made_campaigns import write

pytestmark = pytest.mark.filterwarnings("ignore::qeframe.errors.ResultWarning")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write(folder, pairs=3, items=180, systems=6, submissions=2)
    return folder


def reasons(evaluation, task):
    return [(each.what, each.reason.partition(":")[0], each.count) for each in evaluation.dropped if each.task == task]


def test_the_damage_is_found(made):
    found = qeframe.evaluate("wmt26_systems", made / "annotations.json")
    rankings = found.supplements["wmt26_rankings"]
    clicks = next(each for each in found.dropped if each.task == "eng_Latn-deu_Latn" and "probability" in each.reason)
    assert "user11" in clicks.reason
    assert any(why == "before a reset" for _, why, _ in reasons(found, "eng_Latn-isl_Latn"))
    assert {row["system"]: row["language_pairs"] for row in rankings["global_order"]}["System 05"] == 2
    assert rankings["global_order"][0]["system"] == "Human (postediting)"
    assert "System 05" not in [row["system"] for row in rankings["pairs"]["eng_Latn-isl_Latn"]]
    assert any(each.reason == "no screen with scores" for each in found.dropped)


@pytest.mark.parametrize("profile", ["wmt26_task1", "wmt26_task2", "wmt26_task3", "wmt26_tasks"])
def test_the_better_metric_is_first(made, profile):
    found = qeframe.evaluate(profile, made, settings=["test=", "interval="])
    assert [each.name for each in found.submissions] == ["metric1", "metric2"]
    assert any(each.reason.startswith("no gold, in metric1") for each in found.dropped)


@pytest.mark.parametrize("task", [1, 2, 3])
def test_submissions_are_valid_for_the_input(made, task):
    registry = qeframe.load()
    reader = registry.get(Reader, qeframe.choose_profile(f"wmt26_task{task}", registry=registry).reader)
    parts = validate_submission(reader, made / "submissions" / "metric1.jsonl", made / "input.jsonl")
    assert [each.part for each in parts] == ["eng_Latn-deu_Latn", "eng_Latn-isl_Latn", "eng_Latn-jpn_Latn"]
    assert sum(len(each.answers.ids) for each in parts) == 60 * 6 + 60 * 5 + 60 * 6
