"""Submissions of one task under one metric: draws, exchanges, groups of units, and capabilities."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np
import pytest

from qeframe import Registry, Runner
from qeframe.core import swaps
from qeframe.core.contest import Contest
from qeframe.core.draws import all_masks, bootstrap_counts, draw_blocks, drawn_masks, joint_units, poisson_counts
from qeframe.core.sample import Sample
from qeframe.plugin import Aggregation, BoolArray, CapabilityError, DataError, FloatArray, Metric, Scores, Values
from tests.qeframe.core.evaluation.made_contests import resampled, submissions

KEY = (1, 2)


def sample(registry: Registry, *names: str, **options: Any) -> Sample:
    batches = options.pop("batches", None) or submissions()
    return Sample(metrics=tuple(registry.get(Metric, n) for n in names), batches=batches, key=KEY, **options)


def test_oriented_scores_are_negated_where_lower_is_better(registry: Registry) -> None:
    both = sample(registry, "mae", "pearson")
    assert both.scores.shape == (2, 3)
    assert (Contest.of(both, 0).oriented == -both.scores[0]).all()
    assert (Contest.of(both, 1).oriented == both.scores[1]).all()
    assert (Contest.of(both, 0).per_unit().mean(axis=1)) == pytest.approx(Contest.of(both, 0).oriented)
    gold, predicted = Contest.of(both, 1).vectors()
    assert np.corrcoef(gold, predicted[2])[0, 1] == pytest.approx(Contest.of(both, 1).oriented[2])


def test_only_a_mean_of_groups_is_smooth_and_has_the_scale_of_its_metric(registry: Registry) -> None:
    macro = registry.get(Aggregation, "macro(by=document)")
    for within in (macro, attrs.evolve(macro, linear=False)):
        of_groups = Contest.of(sample(registry, "pearson", within=within, groups={"document": [*"aaaabbbbcccc"]}))
        assert (of_groups.smooth, of_groups.working_scale == "arctanh") == (within.linear, within.linear)


def test_one_draw_is_shared_by_all_submissions_and_metrics(registry: Registry) -> None:
    """Every comparison is paired: each row of scores is of one vector of counts."""
    batches = submissions()
    found = resampled(sample(registry, "mae", "spearman", batches=batches), 300, "multinomial")
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
        "spearman", "spearman(ties=ordinal)", "delta_avg", "delta_avg(ties=input)", "delta_avg(signed=raw)", "rmse",
    )  # fmt: skip
    together = sample(registry, *names, batches=batches)
    apart = [sample(registry, name, batches=batches) for name in names]
    assert (together.scores == np.concatenate([each.scores for each in apart])).all()
    assert len({tuple(scores) for scores in together.scores}) == len(names)
    drawn = np.concatenate([resampled(each, 60, "multinomial") for each in apart], axis=1)
    assert resampled(together, 60, "multinomial") == pytest.approx(drawn, abs=1e-14, nan_ok=True)
    left_out = np.stack([each.left_out(0) for each in apart])
    each_metric = np.stack([together.left_out(nth) for nth in range(len(names))])
    assert each_metric == pytest.approx(left_out, abs=1e-14, nan_ok=True)


def test_draws_are_kept(registry: Registry) -> None:
    contest = Contest.of(sample(registry, "mae"))
    assert (contest.resample(50) == contest.resample(50)).all()
    assert (contest.resample(50) != contest.resample(50, "poisson")).any()


def test_workers_give_the_same_bits(registry: Registry) -> None:
    alone = sample(registry, "pearson", "delta_avg")
    seen: list[tuple[int, int]] = []
    with ThreadPoolExecutor(2) as executor:
        shared = sample(registry, "pearson", "delta_avg", runner=Runner(executor, lambda *p: seen.append(p)))
        assert (resampled(shared, 1000, "multinomial") == resampled(alone, 1000, "multinomial")).all()
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(("workers", "kept"), [(1, 0), (3, 0), (2, 10_000)])
def test_processes_give_the_same_bits(
    workers: int, kept: int, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swaps, "MOST_KEPT_OF_TASK", kept)
    alone = sample(registry, "pearson", "spearman")
    with ProcessPoolExecutor(workers) as executor:
        shared = sample(registry, "pearson", "spearman", runner=Runner(executor))
        assert (resampled(shared, 600, "poisson") == resampled(alone, 600, "poisson")).all()
        counted = Contest.of(shared, 0).count_exchanges(600, _above_0)
    assert (counted[0] == Contest.of(alone, 0).count_exchanges(600, _above_0)[0]).all()


def _above_0(differences: FloatArray, _part: slice) -> BoolArray:
    return np.asarray(differences > 0)


@pytest.mark.parametrize("name", ["pearson", "mae", "spearman"])
@pytest.mark.parametrize("draws", [8, 40, 5000])
def test_exchanges_are_the_same_whether_they_are_kept(
    name: str, draws: int, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after they were freed, in another order of the pairs, and where all 2**5 are enumerated."""
    batches = submissions(4, units=5)
    kept = Contest.of(sample(registry, name, batches=batches)).along("", standardize="as_needed")
    counted = kept.count_exchanges(draws, _above_0)
    asked = kept.pairs[1][::-1], kept.pairs[0][::-1]
    in_order, turned = (kept.exchanged_differences(draws, of, enumerable=True) for of in (kept.pairs, asked))
    assert turned.tolist() == (-in_order[:, ::-1]).tolist()
    assert len(list(kept.exchanged)) == 1
    kept.release_exchanges()
    monkeypatch.setattr(swaps, "MOST_KEPT_OF_TASK", 0)
    again = kept.count_exchanges(draws, _above_0)
    assert (counted[0].tolist(), *counted[1:]) == (again[0].tolist(), *again[1:])
    assert kept.exchanged_differences(draws, kept.pairs, enumerable=True).tolist() == in_order.tolist()
    assert not list(kept.exchanged)


def test_all_exchanges_of_a_task_are_bounded_together(registry: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swaps, "MOST_KEPT_OF_TASK", 500)
    compared, alone = (Contest.of(sample(registry, "mae", batches=submissions(4))) for _ in range(2))
    pairs = compared.pairs  # six
    first = compared.exchanged_differences(40, pairs)
    beyond = compared.exchanged_differences(60, pairs)
    assert [draws for draws, _ in compared.exchanged] == [40]
    assert beyond.tolist() == alone.exchanged_differences(60, pairs).tolist()
    assert compared.exchanged_differences(40, pairs).tolist() == first.tolist()
    assert [draws for draws, _ in alone.exchanged] == [60]


def test_the_jackknife(registry: Registry) -> None:
    batches = submissions(2)
    left_out = Contest.of(sample(registry, "rmse", batches=batches)).jackknife()
    assert left_out.shape == (12, 2)
    rest = batches[1].take(np.arange(12) != 4)
    assert left_out[4, 1] == pytest.approx(-float(registry.get(Metric, "rmse").bind(rest)(np.ones(11))))


@pytest.mark.parametrize("name", ["pearson", "mae", "spearman"])
def test_few_exchanges_are_enumerated(name: str, registry: Registry) -> None:
    batches = submissions(2, units=5)
    contest = Contest.of(sample(registry, name, batches=batches))
    counts, total, exhaustive = contest.count_exchanges(32, lambda d, _part: d >= 0)
    assert (total, exhaustive) == (32, True)
    metric = registry.get(Metric, name)
    sign = 1 if metric.higher_is_better else -1
    a, b = (batches[i] for i in (int(contest.pairs[0][0]), int(contest.pairs[1][0])))
    expected = 0
    for mask in all_masks(5, 0, 32).astype(bool):
        one, other = (float(metric.bind(batch)(np.ones(5))) for batch in a.swap_answers(b, mask))
        expected += sign * (one - other) >= 0
    assert counts[0] == expected
    _, total, exhaustive = contest.count_exchanges(31, lambda d, _part: d >= 0)
    assert (total, exhaustive) == (31, False)


def test_groups_are_resampled_whole(registry: Registry) -> None:
    """Two documents: every draw is one document twice or both once."""
    batches = submissions(1, units=6)
    groups = {"document": ["a", "a", "b", "b", "b", "a"]}
    found = resampled(sample(registry, "mae", batches=batches, groups=groups, resample="document"), 200, "multinomial")
    errors = np.abs(batches[0].gold - batches[0].predicted)
    in_a = np.array([True, True, False, False, False, True])
    possible = {round(float(v), 12) for v in (errors[in_a].mean(), errors[~in_a].mean(), errors.mean())}
    assert {round(float(v), 12) for v in found.ravel()} == possible


@pytest.mark.parametrize("name", ["mae", "spearman"])
def test_groups_are_exchanged_whole(name: str, registry: Registry) -> None:
    groups = {"document": [f"d{i % 3}" for i in range(12)]}
    contest = Contest.of(sample(registry, name, groups=groups, resample="document"))
    _, total, exhaustive = contest.count_exchanges(8, lambda d, _part: d >= 0)
    assert (total, exhaustive) == (8, True)
    assert contest.jackknife().shape == (3, 3)
    for ask in (contest.vectors, contest.per_unit):
        with pytest.raises(CapabilityError, match="over groups of units"):
            ask()


def test_poisson_draws_of_groups_follow_their_labels(registry: Registry) -> None:
    labels = ["x", "y", "z", "x", "y", "z", "x", "y", "z", "x", "y", "z"]
    one = Contest.of(sample(registry, "mae", groups={"g": labels}, resample="g")).resample(40, "poisson")
    order = np.argsort(labels, kind="stable")
    turned = tuple(batch.take(order[::-1]) for batch in submissions())
    labels_turned = [labels[i] for i in order[::-1]]
    other = Contest.of(sample(registry, "mae", batches=turned, groups={"g": labels_turned}, resample="g"))
    assert other.resample(40, "poisson") == pytest.approx(one, abs=1e-12, nan_ok=True)


def test_poisson_draws_of_a_group_do_not_depend_on_the_other_groups(registry: Registry) -> None:
    """Two shards, whole groups each, draw what the whole would have drawn for them: their sums add up."""
    labels = np.array(["x", "y", "z", "w"] * 3)
    (batch,) = submissions(1)
    sums = {}
    for shard in ("xyzw", "xz", "yw"):
        units = np.flatnonzero(np.isin(labels, list(shard)))
        part = sample(registry, "mae", batches=(batch.take(units),), groups={"g": list(labels[units])}, resample="g")
        rows = part.stack.statistics[0].rows  # type: ignore[attr-defined]
        counts = np.concatenate(
            [poisson_counts(b, part.unit_ids) for b in draw_blocks((*KEY, 1), 40, part.stack.units)]
        )
        sums[shard] = counts @ rows
        shown = np.divide(sums[shard][:, 1], sums[shard][:, 0], out=np.full(40, np.nan), where=sums[shard][:, 0] > 0)
        assert resampled(part, 40, "poisson")[:, 0, 0] == pytest.approx(shown, nan_ok=True)
    assert sums["xz"] + sums["yw"] == pytest.approx(sums["xyzw"])


def test_the_name_of_the_unit_is_a_grouping_of_its_own(registry: Registry) -> None:
    assert sample(registry, "mae", resample="segment").grouping is None
    with pytest.raises(DataError, match="no grouping 'domain' of the units; choose one of: segment, document"):
        _ = sample(registry, "mae", groups={"document": ["a"] * 12}, resample="domain").stack


def test_within_a_task_groups_are_averaged(registry: Registry) -> None:
    batches = submissions(2)
    labels = ["a"] * 3 + ["b"] * 9
    macro = registry.get(Aggregation, "macro(by=document)")
    contest = Contest.of(sample(registry, "mae", batches=batches, groups={"document": labels}, within=macro))
    errors = np.abs(batches[1].gold - batches[1].predicted)
    assert contest.oriented[1] == pytest.approx(-(errors[:3].mean() + errors[3:].mean()) / 2)
    counts, total, _ = contest.count_exchanges(64, lambda d, _part: d >= 0)
    assert (counts.shape, total) == ((1,), 64)


@pytest.mark.parametrize("name", ["pearson", "rmse", "spearman"])
@pytest.mark.parametrize("resample", ["document", "domain"])
def test_parts_that_are_drawn_whole_keep_their_scores(name: str, resample: str, registry: Registry) -> None:
    """Drawing documents, or domains of documents, and averaging documents: repeated literally it is the same."""
    batches = submissions(2, units=20)
    documents = [f"d{i % 5}" for i in range(20)]
    groups = {"document": documents, "domain": ["news" if d in {"d1", "d3", "d4"} else "chat" for d in documents]}
    macro, metric = registry.get(Aggregation, "macro(by=document)"), registry.get(Metric, name)
    drawn = sample(registry, name, batches=batches, groups=groups, within=macro, resample=resample)
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
    assert np.isfinite(resampled(drawn, 50, "multinomial")).all()


def test_parts_across_what_is_drawn_are_scored_anew(registry: Registry) -> None:
    """Judges draw units of every document: a document's score is of the units that were drawn."""
    batches = submissions(1, units=12)
    groups = {"document": [f"d{i % 2}" for i in range(12)], "judge": [f"j{i // 4}" for i in range(12)]}
    macro = registry.get(Aggregation, "macro(by=document)")
    drawn = sample(registry, "mae", batches=batches, groups=groups, within=macro, resample="judge")
    weights = np.array([0, 2, 1])[np.arange(12) // 4]
    errors, even = np.abs(batches[0].gold - batches[0].predicted), np.arange(12) % 2 == 0
    expected = np.mean([np.average(errors[of], weights=weights[of]) for of in (even, ~even)])
    assert float(drawn.stack(np.array([0, 2, 1]))[0]) == pytest.approx(expected)


def test_a_metric_on_the_wrong_kind_is_refused(registry: Registry) -> None:
    with pytest.raises(DataError, match="metric 'mae' works on Scores, not on Values"):
        sample(registry, "mae", batches=(Values.from_plain(None, [1.0]),))


def test_capabilities_are_named(registry: Registry) -> None:
    with pytest.raises(CapabilityError, match="'mae' is not a correlation"):
        Contest.of(sample(registry, "mae")).vectors()
    with pytest.raises(CapabilityError, match="'pearson' is not a mean"):
        Contest.of(sample(registry, "pearson")).per_unit()


def test_scores_under_any_weights_are_those_of_the_metric(registry: Registry) -> None:
    contest = Contest.of(sample(registry, "spearman", "mae"), 1)
    weights = np.random.default_rng(4).integers(0, 3, size=(5, 12))
    alone = [registry.get(Metric, "mae").bind(batch)(weights.astype(float)) for batch in submissions()]
    assert contest.weighted(weights) == pytest.approx(-np.stack(alone, axis=-1), abs=1e-12)
    assert contest.weighted(np.ones(12)) == pytest.approx(contest.oriented, abs=1e-12)
    assert contest.weighted(1 - np.eye(12)) == pytest.approx(contest.jackknife(), abs=1e-12)


def test_readings_of_different_size_are_exchanged_in_the_same_blocks(registry):
    """The size of a block depends on the number of units, so that it must be that of all units together."""
    units, few = np.arange(1500), np.arange(0, 1500, 15)
    rng = np.random.default_rng(5)
    gold, noise = rng.normal(size=1500), rng.normal(size=(2, 1500))
    whole = tuple(attrs.evolve(Scores.from_plain(gold, gold + of), ids=units) for of in noise)
    readings = [whole, tuple(batch.take(few) for batch in whole)]
    drawn = []
    for batches, joint in zip(readings, joint_units([units, few]), strict=True):
        made = Sample(metrics=(registry.get(Metric, "mae"),), batches=batches, key=(3,), joint=joint)
        blocks, _, _ = swaps.blocks_of(Contest.of(made), 300, enumerable=False)
        drawn.append(drawn_masks(swaps.drawn_cells(Contest.of(made)), len(batches[0]), blocks))
    assert (drawn[0][:, few] == drawn[1]).all()
