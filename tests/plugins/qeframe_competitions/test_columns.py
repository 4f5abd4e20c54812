"""The columns of a leaderboard."""

import pytest

from qeframe.api.read import choose_profile
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.profiles.resolved import resolve
from qeframe_competitions.columns import is_of_one, score_columns


def columns(registry, tasks, *settings, profile="wmt22_qe_sentence_da"):
    return score_columns(resolve(choose_profile(profile, settings, registry), registry), tasks)


def test_one_task_has_its_metrics_alone(registry):
    found = columns(registry, ["en-de"])
    assert [(c.key, c.title, c.task, c.primary) for c in found] == [
        ("spearman", "spearman", "", True),
        ("pearson", "pearson", "", False),
        ("mae", "mae", "", False),
        ("rmse", "rmse", "", False),
    ]
    assert [c.higher_is_better for c in found] == [True, True, False, False]


def test_several_tasks_have_the_scores_over_all_first(registry):
    found = columns(registry, ["en-de", "en-cs"])
    assert [c.key for c in found[:4]] == ["spearman", "pearson", "mae", "rmse"]
    assert [c.key for c in found[4:6]] == ["en_de_spearman", "en_de_pearson"]
    assert (found[-1].key, found[-1].title, found[-1].task) == ("en_cs_rmse", "en-cs rmse", "en-cs")


def test_an_average_rank_is_no_score_of_one_submission(registry):
    found = columns(registry, ["en-de", "en-cs"], "across=average_rank")
    assert {c.task for c in found} == {"en-de", "en-cs"}


def test_which_aggregations_are_of_one_submission(registry):
    rules = {a.name: is_of_one(a) for a in registry.all(Aggregation) if a.name in {"mean", "average_rank", "weighted"}}
    assert rules == {"mean": True, "weighted": True, "average_rank": False}


@pytest.mark.parametrize("tasks", [["en-de", "en_de", "EN DE"], ["<b>", "&", "ü"]])
def test_keys_differ_and_are_plain(registry, tasks):
    keys = [c.key for c in columns(registry, tasks)]
    assert len(set(keys)) == len(keys)
    assert all(key.replace("_", "a").isascii() and key.replace("_", "a").isalnum() for key in keys)
