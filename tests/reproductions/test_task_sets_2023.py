"""The official overall rankings of the metrics tasks, on two of the language pairs of WMT23.

The values of the official program lie beside the data; names in them end in [noref] where no reference is used.
"""

import json
from collections import Counter

import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks

OFFICIAL = {("sys", "accuracy"): "pairwise_accuracy", ("sys", "pearson"): "system_pearson"}
OFFICIAL |= {("seg", "pearson"): "segment_pearson", ("seg", "KendallWithTiesOpt"): "acc_eq"}
OFFICIAL |= {("sys", "pce"): "spa(replicate=official)"}


@pytest.fixture(scope="module")
def data(shared_data):
    return shared_data("wmt23-metrics-pairs")


@pytest.fixture(scope="module")
def official(data):
    values = data.parents[1] / "golden" / "task_sets.json"
    if not values.is_file():
        pytest.skip("the values of the official program are not here: golden/task_sets.json beside the data")
    return json.loads(values.read_text(encoding="utf-8"))


def evaluated(data, name, *settings):
    rules = choose_profile(name, settings)
    return qeframe.evaluate(rules, read_tasks(rules, data))


def check(evaluation, official, soft):
    """Compare every part and the overall scores; `soft` is the tolerance of soft pairwise accuracy."""
    parts = {(part.metric, ",".join(part.pairs)): part for part in evaluation.parts}
    assert len(parts) == len(official["tasks"])
    for task, scores in zip(official["tasks"], official["scores"], strict=True):
        metric = OFFICIAL[task["level"], task["corr_fcn"]]
        part = parts[metric, task["lang"]]
        assert part.weight == pytest.approx(task["weight"])
        expected = {name.removesuffix("[noref]"): value for name, value in scores.items()}
        tolerance = soft if task["corr_fcn"] == "pce" else 1e-9
        assert {name: s.value for name, s in part.submissions.items()} == pytest.approx(expected, abs=tolerance)
    overall = {s.name: s.scores["overall"].value for s in evaluation.submissions}
    average = {name.removesuffix("[noref]"): value for name, value in official["average"].items()}
    assert overall == pytest.approx(average, abs=soft)
    assert len(overall) == 32


@pytest.mark.slow
def test_the_rules_of_2023(data, official):
    """Two of the three language pairs, hence clusters of their own; of all three they are those of the task."""
    evaluation = evaluated(data, "wmt23_metrics")
    check(evaluation, official["wmt23"], 1e-9)
    assert "units=systems" in evaluation.parts[0].selection
    assert len([c for c in evaluation.comparisons if not c.task]) == 496
    assert evaluation.submissions[0].name == "XCOMET-Ensemble"
    assert [s.name for s in evaluation.submissions if s.winner] == ["XCOMET-Ensemble"]
    assert list(Counter(s.cluster for s in evaluation.submissions).values()) == [1, 4, 7, 6, 6, 6, 2]


@pytest.mark.slow
def test_parts_that_exchange_the_same_cells(data, official):
    evaluation = evaluated(data, "wmt23_metrics", "exchanges=joint")
    check(evaluation, official["wmt23"], 1e-9)
    acc_eq = 'parts=[{metric = "acc_eq", read = {level = "seg"}}]'
    alone = evaluated(data, "wmt23_metrics", "exchanges=joint", acc_eq, "test=permutation(unit=pair)")
    p = {(c.a, c.b): c.p for c in evaluation.comparisons if c.task == "he-en acc_eq"}
    assert p == {(c.a, c.b): c.p for c in alone.comparisons if c.task == "he-en acc_eq"}


def test_the_rules_of_2024_on_the_selection_of_2023(data, official):
    evaluation = evaluated(data, "wmt24_metrics", "selection=wmt23", "test=")
    check(evaluation, official["wmt24_rules"], 1e-3)
