from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from qeframe.batches.base import BoolArray, FloatArray
from qeframe.batches.scores import Scores, Values
from qeframe.components.aggregation import Aggregation
from qeframe.components.comparable import ordered_pairs, over_pairs
from qeframe.components.metric import Metric
from qeframe.components.registry import Registry
from qeframe.errors import CapabilityError, DataError
from qeframe.evaluation.comparable_across_tasks import ComparableAcrossTasks
from qeframe.evaluation.comparable_in_task import ComparableInTask
from qeframe.evaluation.scored_task import ScoredTask
from qeframe.resampling.draws import all_masks, bootstrap_counts, draw_blocks, poisson_counts
from qeframe.resampling.parallel import Runner

KEY = (1, 2)


def submissions(count: int = 3, units: int = 12, seed: int = 0) -> tuple[Scores, ...]:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    return tuple(Scores.from_plain(gold, gold + rng.normal(size=units)) for _ in range(count))


def scored_task(registry: Registry, *names: str, **options: Any) -> ScoredTask:
    batches = options.pop("batches", None) or submissions()
    return ScoredTask(metrics=tuple(registry.get(Metric, n) for n in names), batches=batches, key=KEY, **options)


def test_pairs_are_unordered_and_the_better_comes_first() -> None:
    first, second = ordered_pairs(np.array([0.1, np.nan, 0.3, 0.1]))
    assert list(zip(first, second, strict=True)) == [(2, 0), (2, 3), (2, 1), (0, 3), (0, 1), (3, 1)]
    first, second = ordered_pairs(np.array([0.1, 0.2]), as_given=True)
    assert (list(first), list(second)) == ([0], [1])
    assert ordered_pairs(np.array([0.5]))[0].shape == (0,)


def test_differences_go_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = np.random.default_rng(0).normal(size=(5, 4))
    pairs = ordered_pairs(np.arange(4.0))
    whole = over_pairs(draws, pairs, lambda d, part: d.sum(axis=0) + np.arange(6)[part])
    monkeypatch.setattr("qeframe.resampling.memory.MOST_CELLS", 10)
    assert (over_pairs(draws, pairs, lambda d, part: d.sum(axis=0) + np.arange(6)[part]) == whole).all()
    assert over_pairs(draws, (pairs[0][:0], pairs[1][:0]), lambda d, part: d.sum(axis=0)).shape == (0,)


def test_goodness_is_turned_where_lower_is_better(registry: Registry) -> None:
    both = scored_task(registry, "mae", "pearson")
    assert both.scores.shape == (2, 3)
    assert (ComparableInTask(both, 0).oriented == -both.scores[0]).all()
    assert (ComparableInTask(both, 1).oriented == both.scores[1]).all()
    assert (ComparableInTask(both, 0).per_unit().mean(axis=1)) == pytest.approx(ComparableInTask(both, 0).oriented)
    gold, predicted = ComparableInTask(both, 1).vectors()
    assert np.corrcoef(gold, predicted[2])[0, 1] == pytest.approx(ComparableInTask(both, 1).oriented[2])


def test_one_draw_is_shared_by_all_submissions_and_metrics(registry: Registry) -> None:
    """Every comparison is paired: each row of scores is of one vector of counts."""
    batches = submissions()
    found = scored_task(registry, "mae", "spearman", batches=batches).resampled(300, "multinomial")
    counts = np.concatenate([bootstrap_counts(block, 12) for block in draw_blocks((*KEY, 1), 300, 12)])
    for m, name in enumerate(("mae", "spearman")):
        for s, batch in enumerate(batches):
            alone = registry.get(Metric, name).bind(batch)(counts.astype(float))
            assert found[:, m, s] == pytest.approx(alone, abs=1e-12, nan_ok=True)


def test_variants_of_one_metric_are_computed_together_as_apart(registry: Registry) -> None:
    """Ties in gold and answers, where the variants differ."""
    rng = np.random.default_rng(7)
    gold = rng.integers(0, 4, 12) / 2
    batches = tuple(Scores.from_plain(gold, rng.integers(0, 4, 12) / 2) for _ in range(3))
    names = (
        "spearman",
        "spearman(ties=ordinal)",
        "delta_avg",
        "delta_avg(ties=input)",
        "delta_avg(signed=raw)",
        "rmse",
    )
    together = scored_task(registry, *names, batches=batches)
    apart = [scored_task(registry, name, batches=batches) for name in names]
    assert (together.scores == np.concatenate([each.scores for each in apart])).all()
    assert len({tuple(scores) for scores in together.scores}) == len(names)
    drawn = np.concatenate([each.resampled(60, "multinomial") for each in apart], axis=1)
    assert together.resampled(60, "multinomial") == pytest.approx(drawn, abs=1e-14, nan_ok=True)
    left_out = np.concatenate([each.left_out for each in apart], axis=1)
    assert together.left_out == pytest.approx(left_out, abs=1e-14, nan_ok=True)


def test_draws_are_kept(registry: Registry) -> None:
    comparable = ComparableInTask(scored_task(registry, "mae"))
    assert (comparable.resample(50) == comparable.resample(50)).all()
    assert (comparable.resample(50) != comparable.resample(50, "poisson")).any()


def test_workers_give_the_same_bits(registry: Registry) -> None:
    alone = scored_task(registry, "pearson", "delta_avg")
    seen: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        shared = scored_task(registry, "pearson", "delta_avg", runner=Runner(executor, lambda *p: seen.append(p)))
        assert (shared.resampled(1000, "multinomial") == alone.resampled(1000, "multinomial")).all()
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("workers", [1, 3])
def test_processes_give_the_same_bits(workers: int, registry: Registry) -> None:
    alone = scored_task(registry, "pearson", "spearman")
    with ProcessPoolExecutor(workers) as executor:
        shared = scored_task(registry, "pearson", "spearman", runner=Runner(executor))
        assert (shared.resampled(600, "poisson") == alone.resampled(600, "poisson")).all()
        counted = ComparableInTask(shared, 0).count_exchanges(600, _above_0)
    assert (counted[0] == ComparableInTask(alone, 0).count_exchanges(600, _above_0)[0]).all()


def _above_0(differences: FloatArray, _part: slice) -> BoolArray:
    return np.asarray(differences > 0)


def test_the_jackknife(registry: Registry) -> None:
    batches = submissions(2)
    left_out = ComparableInTask(scored_task(registry, "rmse", batches=batches)).jackknife()
    assert left_out.shape == (12, 2)
    rest = batches[1].take(np.arange(12) != 4)
    assert left_out[4, 1] == pytest.approx(-float(registry.get(Metric, "rmse").bind(rest)(np.ones(11))))


@pytest.mark.parametrize("name", ["pearson", "mae", "spearman"])
def test_few_exchanges_are_enumerated(name: str, registry: Registry) -> None:
    batches = submissions(2, units=5)
    comparable = ComparableInTask(scored_task(registry, name, batches=batches))
    counts, total, exhaustive = comparable.count_exchanges(32, lambda d, _part: d >= 0)
    assert (total, exhaustive) == (32, True)
    metric = registry.get(Metric, name)
    sign = 1 if metric.higher_is_better else -1
    a, b = (batches[i] for i in (int(comparable.pairs[0][0]), int(comparable.pairs[1][0])))
    expected = 0
    for mask in all_masks(5, 0, 32).astype(bool):
        one, other = (float(metric.bind(batch)(np.ones(5))) for batch in a.swap_answers(b, mask))
        expected += sign * (one - other) >= 0
    assert counts[0] == expected
    _, total, exhaustive = comparable.count_exchanges(31, lambda d, _part: d >= 0)
    assert (total, exhaustive) == (31, False)


def test_groups_are_resampled_whole(registry: Registry) -> None:
    """Two documents: every draw is one document twice or both once."""
    batches = submissions(1, units=6)
    groups = {"document": ["a", "a", "b", "b", "b", "a"]}
    found = scored_task(registry, "mae", batches=batches, groups=groups, resample="document").resampled(
        200, "multinomial"
    )
    errors = np.abs(batches[0].gold - batches[0].predicted)
    in_a = np.array([True, True, False, False, False, True])
    possible = {round(float(v), 12) for v in (errors[in_a].mean(), errors[~in_a].mean(), errors.mean())}
    assert {round(float(v), 12) for v in found.ravel()} == possible


@pytest.mark.parametrize("name", ["mae", "spearman"])
def test_groups_are_exchanged_whole(name: str, registry: Registry) -> None:
    groups = {"document": [f"d{i % 3}" for i in range(12)]}
    comparable = ComparableInTask(scored_task(registry, name, groups=groups, resample="document"))
    _, total, exhaustive = comparable.count_exchanges(8, lambda d, _part: d >= 0)
    assert (total, exhaustive) == (8, True)
    assert comparable.jackknife().shape == (3, 3)
    for ask in (comparable.vectors, comparable.per_unit):
        with pytest.raises(CapabilityError, match="over groups of units"):
            ask()


def test_poisson_draws_of_groups_follow_their_labels(registry: Registry) -> None:
    labels = ["x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "y", "z"]
    one = ComparableInTask(scored_task(registry, "mae", groups={"g": labels}, resample="g")).resample(40, "poisson")
    order = np.argsort(labels, kind="stable")
    turned = tuple(batch.take(order[::-1]) for batch in submissions())
    labels_turned = [labels[i] for i in order[::-1]]
    other = ComparableInTask(scored_task(registry, "mae", batches=turned, groups={"g": labels_turned}, resample="g"))
    assert other.resample(40, "poisson") == pytest.approx(one, abs=1e-12, nan_ok=True)


def test_poisson_draws_of_a_group_do_not_depend_on_the_other_groups(registry: Registry) -> None:
    """Two shards, whole groups each, draw what the whole would have drawn for them: their sums add up."""
    labels = np.array(["x", "y", "z", "w"] * 3)
    (batch,) = submissions(1)
    sums = {}
    for shard in ("xyzw", "xz", "yw"):
        units = np.flatnonzero(np.isin(labels, list(shard)))
        part = scored_task(
            registry, "mae", batches=(batch.take(units),), groups={"g": list(labels[units])}, resample="g"
        )
        rows = part.stack.statistics[0].rows  # type: ignore[attr-defined]
        counts = np.concatenate(
            [poisson_counts(b, part._stream_ids()) for b in draw_blocks((*KEY, 1), 40, part.stack.units)]
        )
        sums[shard] = counts @ rows
        shown = np.divide(sums[shard][:, 1], sums[shard][:, 0], out=np.full(40, np.nan), where=sums[shard][:, 0] > 0)
        assert part.resampled(40, "poisson")[:, 0, 0] == pytest.approx(shown, nan_ok=True)
    assert sums["xz"] + sums["yw"] == pytest.approx(sums["xyzw"])


def test_the_name_of_the_unit_is_a_grouping_of_its_own(registry: Registry) -> None:
    assert scored_task(registry, "mae", resample="segment").grouping is None
    with pytest.raises(DataError, match="no grouping 'domain' of the units; choose one of: segment, document"):
        _ = scored_task(registry, "mae", groups={"document": ["a"] * 12}, resample="domain").stack


def test_within_a_task_groups_are_averaged(registry: Registry) -> None:
    batches = submissions(2)
    labels = ["a"] * 3 + ["b"] * 9
    macro = registry.get(Aggregation, "macro(by=document)")
    comparable = ComparableInTask(
        scored_task(registry, "mae", batches=batches, groups={"document": labels}, within=macro)
    )
    errors = np.abs(batches[1].gold - batches[1].predicted)
    assert comparable.oriented[1] == pytest.approx(-(errors[:3].mean() + errors[3:].mean()) / 2)
    counts, total, _ = comparable.count_exchanges(64, lambda d, _part: d >= 0)
    assert (counts.shape, total) == ((1,), 64)


@pytest.mark.parametrize("name", ["pearson", "rmse", "spearman"])
@pytest.mark.parametrize("resample", ["document", "domain"])
def test_parts_that_are_drawn_whole_keep_their_scores(name: str, resample: str, registry: Registry) -> None:
    """Drawing documents, or domains of documents, and averaging documents: repeated literally it is the same."""
    batches = submissions(2, units=20)
    documents = [f"d{i % 5}" for i in range(20)]
    groups = {"document": documents, "domain": ["news" if d in {"d1", "d3", "d4"} else "chat" for d in documents]}
    macro, metric = registry.get(Aggregation, "macro(by=document)"), registry.get(Metric, name)
    drawn = scored_task(registry, name, batches=batches, groups=groups, within=macro, resample=resample)
    labels = np.array(groups[resample])
    names = list(dict.fromkeys(groups[resample]))
    counts = np.random.default_rng(3).integers(0, 3, size=(6, len(names)))
    counts[0], counts[1] = 1, np.eye(len(names))[0]
    for weights, scores in zip(counts, drawn.stack(counts), strict=True):
        repeated = [
            (document, units)
            for group, times in zip(names, weights, strict=True)
            for _ in range(times)
            for document in dict.fromkeys(np.array(documents)[labels == group])
            for units in [np.flatnonzero(np.array(documents) == document)]
        ]
        for batch, found in zip(batches, scores, strict=True):
            apart = [float(metric.bind(batch.take(units))(np.ones(len(units)))) for _, units in repeated]
            assert found == pytest.approx(np.mean(apart) if apart else np.nan, nan_ok=True)
    assert drawn.stack.jackknife() == pytest.approx(drawn.stack(1.0 - np.eye(len(names))), nan_ok=True)
    assert np.isfinite(drawn.resampled(50, "multinomial")).all()


def test_parts_across_what_is_drawn_are_scored_anew(registry: Registry) -> None:
    """Judges draw units of every document: a document's score is of the units that were drawn."""
    batches = submissions(1, units=12)
    groups = {"document": [f"d{i % 2}" for i in range(12)], "judge": [f"j{i // 4}" for i in range(12)]}
    macro = registry.get(Aggregation, "macro(by=document)")
    drawn = scored_task(registry, "mae", batches=batches, groups=groups, within=macro, resample="judge")
    weights = np.array([0, 2, 1])[np.arange(12) // 4]
    errors, even = np.abs(batches[0].gold - batches[0].predicted), np.arange(12) % 2 == 0
    expected = np.mean([np.average(errors[of], weights=weights[of]) for of in (even, ~even)])
    assert float(drawn.stack(np.array([0, 2, 1]))[0]) == pytest.approx(expected)


def test_a_metric_on_the_wrong_kind_is_refused(registry: Registry) -> None:
    with pytest.raises(DataError, match="metric 'mae' works on Scores, not on Values"):
        scored_task(registry, "mae", batches=(Values.from_plain(None, [1.0]),))


def test_capabilities_are_named(registry: Registry) -> None:
    with pytest.raises(CapabilityError, match="'mae' is not a correlation"):
        ComparableInTask(scored_task(registry, "mae")).vectors()
    with pytest.raises(CapabilityError, match="'pearson' is not a mean"):
        ComparableInTask(scored_task(registry, "pearson")).per_unit()


def across(registry: Registry, metric: str = "mae", aggregation: str = "mean", **options: Any) -> ComparableAcrossTasks:
    rule = registry.get(Aggregation, aggregation)
    measure = registry.get(Metric, metric)
    comparables = tuple(
        ComparableInTask(ScoredTask(metrics=(measure,), batches=submissions(2, units, seed), key=(seed,)))
        for seed, units in ((1, 8), (2, 5))
    )
    positions = options.pop("positions", (np.array([0, 1]), np.array([0, 1])))
    weights = options.pop("weights", np.array([1.0, 3.0]))
    return ComparableAcrossTasks(
        comparables=comparables, positions=positions, aggregation=rule, weights=weights, **options
    )


def test_across_tasks_every_draw_is_aggregated(registry: Registry) -> None:
    comparable = across(registry, submissions=2)
    first, second = comparable.comparables
    assert comparable.oriented == pytest.approx((first.oriented + 3 * second.oriented) / 4)
    assert comparable.resample(20) == pytest.approx((first.resample(20) + 3 * second.resample(20)) / 4)
    left_out = comparable.jackknife()
    assert left_out.shape == (13, 2)
    assert left_out[9] == pytest.approx((first.oriented + 3 * second.jackknife()[1]) / 4)


def test_exchanges_across_tasks_add_up(registry: Registry) -> None:
    comparable = across(registry, submissions=2)
    differences = [t.exchanged_differences(30, comparable.pairs) for t in comparable.comparables]
    joint = (differences[0] + 3 * differences[1]) / 4
    counts, total, exhaustive = comparable.count_exchanges(30, lambda d, _part: d > 0.1)
    assert counts == pytest.approx((joint > 0.1).sum(axis=0))
    assert (total, exhaustive) == (30, False)


def test_a_submission_that_a_task_lacks_is_undefined(registry: Registry) -> None:
    comparable = across(registry, submissions=3, positions=(np.array([0, 1]), np.array([0, 2])))
    assert np.isnan(comparable.oriented).tolist() == [False, True, True]
    counts, _, _ = comparable.count_exchanges(10, lambda d, _part: np.isnan(d))
    assert counts.tolist() == [10, 10, 10]


def test_average_ranks_have_no_differences(registry: Registry) -> None:
    comparable = across(registry, aggregation="average_rank", submissions=2)
    assert (comparable.higher_is_better, comparable.sign) == (False, -1.0)
    assert sorted(comparable.oriented) == sorted(-np.array([1 + 3 * k for k in _ranks(comparable)]) / 4 * 1.0)
    with pytest.raises(CapabilityError, match="'average_rank' over tasks are not sums"):
        comparable.count_exchanges(10, lambda d, _part: d > 0)
    for ask in (comparable.vectors, comparable.per_unit):
        with pytest.raises(CapabilityError, match="aggregate over several tasks"):
            ask()


def test_average_ranks_by_hand(registry: Registry) -> None:
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


def _ranks(comparable: ComparableAcrossTasks) -> list[float]:
    """Return what x in (1 + 3 x) / 4 gives the mean rank of each submission, weights 1 and 3."""
    ranks = [1 + (t.oriented[::-1] > t.oriented) for t in comparable.comparables]
    return [(float(ranks[0][i]) + 3 * float(ranks[1][i]) - 1) / 3 for i in range(2)]
