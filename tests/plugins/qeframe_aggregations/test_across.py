"""Aggregations over tasks: what is dropped, pooled and replicated."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.profiles.load import find_profile
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.grid.batch import Grid

RNG = np.random.default_rng(5)


def task(name: str, systems: int, answers: dict[str, float], *, items: int = 1) -> Task:
    """Make a task of a grid in which a submission is the gold plus noise of the given size."""
    gold = RNG.normal(size=(items, systems))
    batches = {
        Submission(submission): Grid.from_plain(gold, gold + noise * RNG.normal(size=gold.shape))
        for submission, noise in answers.items()
    }
    pairs = systems * (systems - 1) // 2
    return Task(name=name, batches=batches, counts={"systems": systems, "system_pairs": pairs})


def evaluate(tasks, registry, **rules):
    profile = attrs.evolve(find_profile("wmt21_metrics_system", registry), interval="", test="", **rules)
    return qeframe.evaluate(profile, tasks, registry=registry)


def test_pooled_accuracy_is_the_share_over_all_pairs(registry):
    tasks = [task("en-de", 5, {"a": 1.0, "b": 0.3}), task("zh-en", 12, {"a": 0.5, "b": 2.0})]
    result = evaluate(tasks, registry)
    assert result.signature.rules["across"] == "pooled"
    details = registry.get(Metric, "pairwise_accuracy").details
    for scored in result.submissions:
        told = [details(t.batches[Submission(scored.name)]) for t in tasks]
        share = sum(each["right"] for each in told) / sum(each["pairs"] for each in told)
        assert scored.scores["pairwise_accuracy"].value == pytest.approx(share, abs=1e-15)


def test_pooling_by_something_that_was_not_counted(registry):
    tasks = [attrs.evolve(task(name, 3, {"a": 1.0}), counts={"systems": 3}) for name in ("en-de", "de-en")]
    message = r"^'pooled' weights tasks by 'system_pairs', which task 'en-de' does not count; did you mean 'systems'"
    with pytest.raises(DataError, match=message):
        evaluate(tasks, registry)
    assert evaluate(tasks, registry, across="pooled(count=systems)").submissions


def test_a_task_without_a_score_is_left_out_on_request_only(registry):
    tasks = [task("en-de", 6, {"a": 1.0, "b": 0.3}), task("zh-en", 6, {"a": 0.5})]
    strict, lenient = (
        {s.name: s.scores["pairwise_accuracy"] for s in evaluate(tasks, registry, across=across).submissions}
        for across in ("mean", "mean(undefined=drop)")
    )
    assert np.isnan(strict["b"].value)
    assert lenient["b"].value == lenient["b"].tasks["en-de"].value
    assert lenient["a"].value == strict["a"].value == np.mean([t.value for t in strict["a"].tasks.values()])
    aggregation = registry.get(Aggregation, "mean(undefined=drop)")
    assert not aggregation.linear
    assert np.isnan(aggregation.aggregate(np.full((1, 2), np.nan), np.ones(2), True)).all()


def test_the_interval_of_the_papers_is_the_mean_of_the_half_widths(registry):
    tasks = [task(name, 4, {"a": 1.0, "b": 0.3}, items=30) for name in ("en-de", "zh-en", "he-en")]
    rules = {"interval": "bootstrap(draws=200)", "primary": "segment_pearson", "secondary": (), "test": ""}
    profile = attrs.evolve(find_profile("wmt23_metrics_segment", registry), **rules)
    joint, replicated = (
        qeframe.evaluate(attrs.evolve(profile, across=across), tasks, registry=registry)
        for across in ("mean", "mean(replicate=mean_of_half_widths)")
    )
    for one, other in zip(joint.submissions, replicated.submissions, strict=True):
        exact, printed = one.scores["segment_pearson"], other.scores["segment_pearson"]
        half = np.mean([(t.high - t.low) / 2 for t in printed.tasks.values()])
        assert printed.tasks == exact.tasks
        assert (printed.high - printed.value, printed.value - printed.low) == (pytest.approx(half), pytest.approx(half))
        assert 1.3 < (printed.high - printed.low) / (exact.high - exact.low) < 2.3  # about the root of three


def test_tasks_without_a_say_do_not_widen_it(registry):
    tasks = [task(name, 4, {"a": 1.0}, items=30) for name in ("en-de", "zh-en")]
    rules = {"interval": "bootstrap(draws=50)", "primary": "segment_pearson", "secondary": (), "test": ""}
    across = 'mean(exclude=["zh-en"], replicate=mean_of_half_widths)'
    profile = attrs.evolve(find_profile("wmt23_metrics_segment", registry), across=across, **rules)
    (scored,) = qeframe.evaluate(profile, tasks, registry=registry).submissions
    score = scored.scores["segment_pearson"]
    one = score.tasks["en-de"]
    assert score.value == one.value
    assert score.high - score.low == pytest.approx(one.high - one.low)


def test_tasks_that_are_dropped_do_not_widen_it(registry):
    """A constant answer is undefined in one task, and left out of the mean as of its width."""
    tasks = [task(name, 4, {"a": 1.0}, items=30) for name in ("en-de", "zh-en")]
    ((submission, grid),) = tasks[1].batches.items()
    constant = Grid.from_plain(grid.gold, np.zeros_like(grid.gold))
    tasks[1] = attrs.evolve(tasks[1], batches={submission: constant})
    rules = {"interval": "bootstrap(draws=50)", "primary": "segment_pearson", "secondary": (), "test": ""}
    across = "mean(undefined=drop, replicate=mean_of_half_widths)"
    profile = attrs.evolve(find_profile("wmt23_metrics_segment", registry), across=across, **rules)
    (scored,) = qeframe.evaluate(profile, tasks, registry=registry).submissions
    score = scored.scores["segment_pearson"]
    one = score.tasks["en-de"]
    assert (np.isnan(score.tasks["zh-en"].value), score.value) == (True, one.value)
    assert score.high - score.low == pytest.approx(one.high - one.low)


def test_average_ranks_of_scores_that_differ_by_rounding_are_shared(registry):
    rule = registry.get(Aggregation, "average_rank")
    assert rule.aggregate(np.array([[0.1 + 0.2], [0.3]]), np.ones(1), True).tolist() == [1.5, 1.5]


def test_average_ranks_by_hand(registry):
    """Ties share their mean rank, tasks have weights, and who lacks a score that counts has no average rank."""
    rule = registry.get(Aggregation, "average_rank")
    scores = np.array([[0.9, 0.1], [0.5, 0.3], [0.5, 0.3], [np.nan, 0.2]])
    found = rule.aggregate(scores, np.array([1.0, 3.0]), True)
    assert found == pytest.approx([(1 + 3 * 4) / 4, (2.5 + 3 * 1.5) / 4, (2.5 + 3 * 1.5) / 4, np.nan], nan_ok=True)
    assert rule.aggregate(scores, np.array([0.0, 2.0]), True) == pytest.approx([4.0, 1.5, 1.5, 3.0])
    lower_is_better = rule.aggregate(scores[:3], np.array([1.0, 3.0]), False)
    assert lower_is_better == pytest.approx([(3 + 3 * 1) / 4, (1.5 + 3 * 2.5) / 4, (1.5 + 3 * 2.5) / 4])
    stacked = rule.aggregate(np.stack([scores, scores[::-1]]), np.array([1.0, 3.0]), True)
    assert stacked == pytest.approx(np.stack([found, found[::-1]]), nan_ok=True)
