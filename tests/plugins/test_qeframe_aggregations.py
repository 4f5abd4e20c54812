"""Aggregation within a task: weighted means with undefined parts, and groups of units."""

import statistics

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.profile_files import find_profile
from qeframe.core.ranking import Aggregation
from qeframe.core.task import Submission, Task
from qeframe.kinds.grid.batch import Grid
from qeframe_aggregations.aggregations import autorank, macro, micro, share_better, weighted_mean

NAN = np.nan


def slow_mean(scores, weights, undefined):
    """Average the parts of one row, one after the other."""
    total = share = 0.0
    for score, weight in zip(scores, weights, strict=True):
        if np.isnan(score) and undefined == "drop":
            continue
        if np.isnan(score) and undefined == "propagate" and weight > 0:
            return NAN
        total, share = total + weight * np.nan_to_num(score), share + weight
    return total / share if share > 0 else NAN


@pytest.mark.parametrize("undefined", ["propagate", "drop", "zero"])
def test_weighted_means_against_a_loop(undefined):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 4))
    scores[rng.random(scores.shape) < 0.3] = NAN
    for weights in np.array([[1, 1, 1, 1], [3, 0, 1, 0.5], [0, 0, 0, 0]]):
        expected = [slow_mean(row, weights, undefined) for row in scores]
        assert weighted_mean(scores, weights, undefined=undefined) == pytest.approx(expected, nan_ok=True)


def test_macro_weighs_all_groups_alike():
    rule = macro(by="domain")
    assert rule.by == "domain"
    assert rule.aggregate(np.array([0.2, 0.8]), np.array([1.0, 1.0]), True) == pytest.approx(0.5)
    scores, weights = np.array([0.2, NAN]), np.ones(2)
    values = [macro(undefined=each).aggregate(scores, weights, True) for each in ("propagate", "drop", "zero")]
    assert values == pytest.approx([NAN, 0.2, 0.1], nan_ok=True)


def test_macro_needs_a_grouping():
    with pytest.raises(DataError, match="parameter by must name a grouping, such as document"):
        macro(by="")


def test_micro_pools_all_units():
    assert micro.pools
    assert micro.aggregate(np.array([0.4]), np.ones(1), True) == pytest.approx(0.4)


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


def evaluate(tasks, registry, profile="wmt21_metrics_system", **rules):
    profile = attrs.evolve(find_profile(profile, registry), **{"interval": "", "test": "", **rules})
    return qeframe.evaluate(profile, tasks, registry=registry)


def evaluate_segments(tasks, registry, draws, across):
    rules = {"interval": f"bootstrap(draws={draws})", "primary": "segment_pearson", "secondary": (), "across": across}
    return evaluate(tasks, registry, "wmt23_metrics_segment", **rules).submissions


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
    joint, replicated = (
        evaluate_segments(tasks, registry, 200, across) for across in ("mean", "mean(replicate=mean_of_half_widths)")
    )
    for one, other in zip(joint, replicated, strict=True):
        exact, printed = one.scores["segment_pearson"], other.scores["segment_pearson"]
        half = np.mean([(t.high - t.low) / 2 for t in printed.tasks.values()])
        assert printed.tasks == exact.tasks
        assert (printed.high - printed.value, printed.value - printed.low) == (pytest.approx(half), pytest.approx(half))
        assert 1.3 < (printed.high - printed.low) / (exact.high - exact.low) < 2.3  # about the root of three


def test_tasks_without_a_say_do_not_widen_it(registry):
    tasks = [task(name, 4, {"a": 1.0}, items=30) for name in ("en-de", "zh-en")]
    across = 'mean(exclude=["zh-en"], replicate=mean_of_half_widths)'
    (scored,) = evaluate_segments(tasks, registry, 50, across)
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
    (scored,) = evaluate_segments(tasks, registry, 50, "mean(undefined=drop, replicate=mean_of_half_widths)")
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


def test_counting():
    scores = np.array([[3.0, 1.0, np.nan], [2.0, 1.0, 5.0], [1.0, 4.0, 4.0], [np.nan, 0.0, np.nan]])
    expected = [(0 / 3 + 1 / 4) / 2, (1 / 3 + 1 / 4 + 0) / 3, (2 / 3 + 0 + 1 / 2) / 3, 3 / 4]
    assert share_better.aggregate(scores, np.ones(3), True) == pytest.approx(expected)


def test_lower_is_better_and_weight_zero():
    scores = np.array([[3.0, 9.0], [2.0, 1.0]])
    assert share_better.aggregate(scores, np.array([1.0, 0.0]), False).tolist() == [0.5, 0.0]
    assert share_better.higher_is_better is False
    assert np.isnan(share_better.aggregate(np.full((2, 1), np.nan), np.ones(1), True)).all()


EN_AR = """
1.0 .658 76.3 75.0 -5.7 .388|2.5 .650 79.2 73.3 -6.4 .337|2.6 .645 80.0 73.9 -6.5 .328
3.4 .644 73.0 69.6 -6.0 .345|4.0 .621 77.8 75.4 -7.0 .311|4.1 .637 74.4 73.4 -7.1 .325
5.4 .658 67.8 63.9 -6.6 .323|5.6 .552 79.5 84.5 -7.6 .267|6.4 .627 70.4 67.4 -7.1 .288
6.5 .534 78.4 84.1 -7.8 .265|6.9 .573 74.2 75.7 -7.7 .273|7.5 .586 71.7 71.0 -7.8 .274
7.6 .552 76.5 80.0 -8.5 .246|7.9 .641 65.7 61.7 -7.8 .286|8.3 .533 75.8 80.0 -8.5 .238
8.4 .585 70.7 68.8 -8.1 .261|9.0 .607 67.7 64.0 -8.2 .258|9.7 .596 66.1 61.6 -8.2 .259
10.7 .571 66.1 64.1 -8.7 .247|10.7 .549 64.8 63.3 -8.6 .281|10.7 .592 64.0 60.5 -8.5 .246
10.8 .532 69.0 67.5 -8.5 .236|11.1 .526 67.9 70.0 -8.8 .234|11.3 .543 66.0 64.2 -8.7 .247
11.3 .588 62.7 59.0 -8.8 .248|11.7 .529 67.9 67.6 -9.0 .220|14.0 .548 58.7 54.5 -9.3 .233
15.5 .534 58.2 54.0 -10.5 .224|15.8 .501 59.0 57.4 -9.9 .200|16.9 .488 58.5 56.1 -10.4 .194
18.0 .499 53.9 51.2 -10.8 .201|20.1 .492 50.0 44.4 -11.4 .195|22.6 .445 53.5 48.3 -13.5 .152
22.8 .458 45.5 41.8 -12.3 .180|24.0 .436 44.5 39.3 -12.6 .176|31.9 .337 31.1 26.9 -15.2 .162
37.0 .262 27.9 23.2 -18.4 .157
"""
"""WMT25 English-Egyptian Arabic: AutoRank, CometKiwi-XL, both GEMBA-ESA, MetricX-24-Hybrid-XL (negated), XCOMET-XL."""
EN_BHO = """
1.0 40.6|2.5 38.9|2.8 38.6|4.1 37.1|4.4 36.9|4.5 36.7|5.1 36.0|5.5 35.6|5.6 35.4|6.2 34.8|6.5 34.4|6.5 34.4
6.6 34.3|8.3 32.4|8.8 31.8|8.9 31.8|9.0 31.6|11.1 29.2|11.4 28.9|11.4 28.9|11.5 28.8|11.9 28.3|12.1 28.2|12.3 27.9
12.7 27.4|12.8 27.3|13.6 26.4|14.7 25.2|15.9 23.9|16.7 22.9|16.7 22.9|17.7 21.8|20.9 18.2|28.4 9.7|35.0 2.3
"""
"""WMT25 English-Bhojpuri: AutoRank and chrF++."""


@pytest.mark.parametrize(("table", "systems"), [(EN_AR, 37), (EN_BHO, 35)], ids=["en-ar", "en-bho"])
def test_the_published_tables_of_2025(table, systems):
    rows = np.array([row.split() for row in table.strip().replace("\n", "|").split("|")], dtype=float)
    assert len(rows) == systems
    found = autorank().aggregate(rows[:, 1:], np.ones(rows.shape[1] - 1), True)
    assert found == pytest.approx(rows[:, 0], abs=0.15)
    assert found.min() == 1
    assert found.max() == systems


def plain(scores, scaling):
    """Compute AutoRank by loops; no score is missing."""
    systems, metrics = len(scores), len(scores[0])
    columns = [[row[task] for row in scores] for task in range(metrics)]

    def placed(values, last):
        high, low = max(values), min(values)
        return [1 + (high - value) / (high - low) * (last - 1) if high > low else 1.0 for value in values]

    if scaling == "range":
        places = [placed(column, systems + 1) for column in columns]
        return [sum(column[i] for column in places) / metrics for i in range(systems)]
    scaled = []
    for column in columns:
        ordered = sorted(column)
        at = (systems - 1) / 4
        below = int(at)
        quarter = ordered[below] + (at - below) * (ordered[min(below + 1, systems - 1)] - ordered[below])
        scaled.append([(value - statistics.median(column)) / max(2.0**-52, max(column) - quarter) for value in column])
    return placed([sum(column[i] for column in scaled) / metrics for i in range(systems)], systems)


@pytest.mark.parametrize("scaling", ["interquantile", "range"])
@given(st.integers(1, 6), st.integers(1, 3), st.data())
def test_agrees_with_loops(scaling, systems, metrics, data):
    scores = data.draw(
        st.lists(st.lists(st.integers(0, 9), min_size=metrics, max_size=metrics), min_size=systems, max_size=systems)
    )
    values = np.array(scores, dtype=float)
    found = autorank(scaling=scaling).aggregate(values, np.ones(metrics), True)
    assert found == pytest.approx(plain(scores, scaling), rel=1e-9)
    assert autorank(scaling=scaling).aggregate(-values, np.ones(metrics), False) == pytest.approx(found)


@pytest.mark.parametrize("scaling", ["interquantile", "range"])
def test_a_system_without_a_score_is_not_counted(scaling):
    scores = np.array([[3.0, 1.0], [2.0, np.nan], [1.0, 0.0]])
    of_others = autorank(scaling=scaling).aggregate(scores[[0, 2]], np.ones(2), True)
    found = autorank(scaling=scaling).aggregate(scores, np.ones(2), True)
    assert found[[0, 2]] == pytest.approx(of_others)
    assert np.isnan(found[1])
    assert autorank(scaling=scaling).aggregate(scores, np.array([1.0, 0.0]), True)[1] > 1
    assert np.isnan(autorank(scaling=scaling).aggregate(np.full((2, 1), np.nan), np.ones(1), True)).all()
