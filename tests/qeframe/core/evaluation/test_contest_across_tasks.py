"""Submissions of several tasks under one metric: every draw, jackknife and exchange is aggregated."""

from typing import Any

import attrs
import numpy as np
import pytest

from qeframe.core import swaps
from qeframe.core.contest import Contest
from qeframe.core.registry import Registry
from qeframe.core.sample import Sample
from qeframe.plugin import Aggregation, CapabilityError, Grid, Metric, Scores
from tests.qeframe.core.evaluation.made_contests import submissions

KEY = (1, 2)


def across(registry: Registry, metric: str = "mae", aggregation: str = "mean", **options: Any) -> Contest:
    rule = registry.get(Aggregation, aggregation)
    measure = registry.get(Metric, metric)
    contests = tuple(
        Contest.of(Sample(metrics=(measure,), batches=submissions(2, units, seed), key=(seed,)))
        for seed, units in ((1, 8), (2, 5))
    )
    positions = options.pop("positions", (np.array([0, 1]), np.array([0, 1])))
    weights = options.pop("weights", np.array([1.0, 3.0]))
    return Contest.across([each.terms[0] for each in contests], positions, aggregation=rule, weights=weights, **options)


def test_across_tasks_every_draw_is_aggregated(registry: Registry) -> None:
    contest = across(registry, submissions=2)
    first, second = (of for of, _ in contest.by_task())
    assert contest.oriented == pytest.approx((first.oriented + 3 * second.oriented) / 4)
    assert contest.resample(20) == pytest.approx((first.resample(20) + 3 * second.resample(20)) / 4)
    left_out = contest.jackknife()
    assert left_out.shape == (13, 2)
    assert left_out[9] == pytest.approx((first.oriented + 3 * second.jackknife()[1]) / 4)
    assert contest.covariances(5) == pytest.approx((first.covariances(5) + 9 * second.covariances(5)) / 16)


def test_exchanges_across_tasks_add_up(registry: Registry) -> None:
    contest = across(registry, submissions=2)
    differences = [t.exchanged_differences(30, contest.pairs) for t, _ in contest.by_task()]
    joint = (differences[0] + 3 * differences[1]) / 4
    counts, total, exhaustive = contest.count_exchanges(30, lambda d, _part: d > 0.1)
    assert counts == pytest.approx((joint > 0.1).sum(axis=0))
    assert (total, exhaustive) == (30, False)


@pytest.mark.parametrize("metric", ["mae", "pearson"])
def test_tasks_are_not_exchanged_again_for_their_aggregate(
    metric: str, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken of a task before its memory was freed is what would be computed again, bit by bit."""
    computed: list[int] = []
    of_task = swaps.compute_differences
    monkeypatch.setattr(swaps, "compute_differences", lambda *a, **o: computed.append(1) or of_task(*a, **o))
    taken, anew = (across(registry, metric, submissions=2) for _ in range(2))
    for task, (contest, _) in enumerate(taken.by_task()):
        contest.along("", standardize="as_needed").count_exchanges(30, lambda d, _part: d > 0)
        taken.collect(task)
        contest.release_exchanges()
    assert len(computed) == 2
    moved = taken.along("", standardize="as_needed")
    found = moved.exchanged_differences(30, moved.pairs)
    assert len(computed) == 2
    moved = anew.along("", standardize="as_needed")
    assert found.tolist() == moved.exchanged_differences(30, moved.pairs).tolist()
    assert len(computed) == 4
    # exchanges of another kind are not mixed up with those: answers are on one scale where the metric needs it
    assert (taken.exchanged_differences(30, moved.pairs) == found).all() is np.bool_(metric == "mae")
    assert taken.exchanged_differences(30, moved.pairs).tolist() == anew.exchanged_differences(30, moved.pairs).tolist()


@pytest.mark.parametrize("changed", [{"as_given": True}, {"compared_with_all": 1}, {"weights": np.array([3.0, 1.0])}])
def test_exchanges_of_other_pairs_or_weights_are_not_those_that_were_kept(
    changed: dict[str, Any], registry: Registry
) -> None:
    contest = across(registry, submissions=2)
    assert contest.pairs[0].tolist() == [1]
    contest.exchanged_differences(30, contest.pairs)
    found, expected = attrs.evolve(contest, **changed), across(registry, submissions=2, **changed)
    np.testing.assert_array_equal(
        found.exchanged_differences(30, found.pairs), expected.exchanged_differences(30, expected.pairs)
    )


def test_one_submission_is_compared_with_all_others(registry: Registry) -> None:
    contest = across(registry, submissions=3, positions=(np.array([0, 1]), np.array([0, 2])), compared_with_all=2)
    assert sorted(map(set, zip(*(side.tolist() for side in contest.pairs), strict=True)), key=sorted) == [
        {0, 2},
        {1, 2},
    ]
    assert [contest.only(np.array(chosen)).compared_with_all for chosen in ([0, 2], [0, 1])] == [1, None]


def test_an_exchange_of_tasks_computes_scores_again_if_that_of_one_does(registry: Registry) -> None:
    batches, positions = submissions(2), [np.arange(2)] * 2
    names = ("mae", "delta_avg")
    mae, again = (Contest.of(Sample(metrics=(registry.get(Metric, n),), batches=batches, key=KEY)) for n in names)
    found = [Contest.across(terms, positions, submissions=2).recomputes for terms in ([mae, mae], [mae, again])]
    assert found == [False, True]


def test_a_submission_that_a_task_lacks_is_undefined(registry: Registry) -> None:
    contest = across(registry, submissions=3, positions=(np.array([0, 1]), np.array([0, 2])))
    assert np.isnan(contest.oriented).tolist() == [False, True, True]
    counts, _, _ = contest.count_exchanges(10, lambda d, _part: np.isnan(d))
    assert counts.tolist() == [10, 10, 10]


def test_weights_of_all_tasks_follow_each_other(registry: Registry) -> None:
    contest = across(registry, submissions=2)
    units = sum(contest.sizes)
    assert contest.weighted(np.ones(units)) == pytest.approx(contest.oriented, abs=1e-12)
    assert contest.weighted(1 - np.eye(units)) == pytest.approx(contest.jackknife(), abs=1e-12)
    ranks = across(registry, aggregation="average_rank", submissions=2)
    assert ranks.weighted(np.ones(units)).tolist() == ranks.oriented.tolist()


def test_average_ranks_have_no_differences(registry: Registry) -> None:
    contest = across(registry, aggregation="average_rank", submissions=2)
    assert contest.sign == -1.0
    assert sorted(contest.oriented) == sorted(-np.array([1 + 3 * k for k in _ranks(contest)]) / 4 * 1.0)
    with pytest.raises(CapabilityError, match="'average_rank' over tasks are not sums"):
        contest.count_exchanges(10, lambda d, _part: d > 0)
    assert across(registry, metric="pearson", aggregation="average_rank", submissions=2).sign == -1.0
    for ask in (contest.vectors, contest.per_unit):
        with pytest.raises(CapabilityError, match="aggregate over several tasks"):
            ask()


def _ranks(contest: Contest) -> list[float]:
    """Return what x in (1 + 3 x) / 4 gives the mean rank of each submission, weights 1 and 3."""
    ranks = [1 + (t.oriented[::-1] > t.oriented) for t, _ in contest.by_task()]
    return [(float(ranks[0][i]) + 3 * float(ranks[1][i]) - 1) / 3 for i in range(2)]


def test_grids_are_left_out_task_by_task(registry: Registry) -> None:
    rng = np.random.default_rng(4)
    metric, contests = registry.get(Metric, "segment_pearson"), []
    for systems in (4, 3):
        gold = rng.normal(size=(6, systems))
        batches = tuple(Grid.from_plain(gold, gold + rng.normal(size=gold.shape)) for _ in range(2))
        contests.append(Contest.of(Sample(metrics=(metric,), batches=batches, key=(1,))))
    whole = Contest.across(
        [each.terms[0] for each in contests],
        (np.array([0, 1]), np.array([0, 1])),
        submissions=2,
        aggregation=registry.get(Aggregation, "mean"),
        weights=np.array([1.0, 3.0]),
    )
    first, second = whole.left_out_of_grids()
    (own,) = contests[1].left_out_of_grids()
    assert (len(first.systems), len(second.systems)) == (4, 3)
    assert second.cells == pytest.approx((contests[0].oriented + 3 * own.cells) / 4)
    assert second.cell_factor == own.cell_factor


@pytest.mark.parametrize(
    "aggregation", ["mean", "mean(undefined=drop)", "weighted", "average_rank", "share_better", "autorank"]
)
@pytest.mark.parametrize("metric", ["mae", "pearson"])
@pytest.mark.parametrize("everywhere", [True, False], ids=["all in all tasks", "unequal sets"])
def test_one_task_is_replaced_as_if_all_were_aggregated_anew(
    registry: Registry, aggregation: str, metric: str, everywhere: bool
) -> None:
    """Constant answers without one unit make a correlation undefined, and so a task for one submission."""
    measure = registry.get(Metric, metric)
    contests = []
    for seed, units in enumerate((6, 9, 4)):
        gold = np.random.default_rng(seed).normal(size=units)
        constant = Scores.from_plain(gold, np.arange(units) == 0)
        batches = (*submissions(3, units, seed), constant if seed == 1 else submissions(1, units, 9 + seed)[0])
        batches = tuple(Scores.from_plain(gold, batch.predicted) for batch in batches)
        contests.append(Contest.of(Sample(metrics=(measure,), batches=batches, key=(seed,))))
    positions = [np.arange(4)] * 3 if everywhere else [np.arange(4), np.array([0, 2, 3, 4]), np.arange(4)]
    fast = Contest.across(
        [each.terms[0] for each in contests],
        tuple(positions),
        submissions=5 - everywhere,
        aggregation=registry.get(Aggregation, aggregation),
        weights=np.array([2.0, 1.0, 0.0 if metric == "mae" else 0.5]),
    )
    slow = attrs.evolve(fast, aggregation=attrs.evolve(fast.aggregation, part=None))
    np.testing.assert_allclose(fast.jackknife(), slow.jackknife(), rtol=0, atol=5e-15)
    (left_out, sizes), (wanted, _) = fast.without_groups(4, 3), slow.without_groups(4, 3)
    assert sizes == (3, 3, 3)
    np.testing.assert_allclose(left_out, wanted, rtol=0, atol=5e-15)


def of_grids(registry: Registry, metric: str, systems: int = 3, **rules: Any) -> Contest:
    """Return three submissions on two tasks of grids, whose scores have other scales."""
    chosen, rng = registry.get(Metric, metric), np.random.default_rng(2)
    terms = []
    for nth in range(2):
        gold = rng.normal(size=(8, systems))
        batches = [Grid.from_plain(gold, gold + (1 + 9 * nth) * rng.normal(size=gold.shape)) for _ in range(3)]
        terms.append(Contest.of(Sample(metrics=(chosen,), batches=tuple(batches), key=(nth,))))
    mean = registry.get(Aggregation, "mean")
    everywhere = [np.arange(3)] * 2
    return Contest.across(terms, everywhere, aggregation=mean, weights=np.ones(2), submissions=3, **rules)


@pytest.mark.parametrize("together", [True, False])
def test_scores_are_standardized_over_all_tasks_only_where_rules_say_so(registry: Registry, together: bool) -> None:
    contest = of_grids(registry, "segment_pearson", together=together)
    moved = contest.along("cell", standardize=True)
    pairs = contest.pairs
    each = [term.along("cell", standardize=True).exchanged_differences(20, pairs) for term in contest.terms]
    assert np.allclose(moved.exchanged_differences(20, pairs), sum(each) / 2) is not together


def test_exchanges_along_axes_of_equally_many_cells_have_draws_of_their_own(registry: Registry) -> None:
    term = of_grids(registry, "pairwise_accuracy").terms[0]  # three systems are three pairs of systems
    keys = [swaps.key_of(term.along(axis)) for axis in ("system", "pair")]
    assert swaps.exchange_of(term.along("system")).cells == swaps.exchange_of(term.along("pair")).cells
    assert keys[0] != keys[1]


def test_a_stream_has_draws_of_its_own(registry: Registry) -> None:
    term = of_grids(registry, "segment_pearson").terms[0]
    drawn = [attrs.evolve(term, stream=name).exchanged_differences(20, term.pairs) for name in ("", "a", "a", "b")]
    assert np.array_equal(drawn[1], drawn[2])
    assert not any(np.array_equal(drawn[1], other) for other in (drawn[0], drawn[3]))


def test_weights_of_tasks_without_the_chosen_submissions_leave(registry: Registry) -> None:
    mae, mean = registry.get(Metric, "mae"), registry.get(Aggregation, "mean")
    samples = [Sample(metrics=(mae,), batches=submissions(count, 6, count), key=(count,)) for count in (1, 2, 3)]
    positions = (np.array([0]), np.array([0, 1]), np.array([0, 1, 2]))
    whole = Contest.across(
        list(map(Contest.of, samples)), positions, aggregation=mean, weights=np.array([1.0, 3.0, 5.0]), submissions=3
    )
    assert whole.only(np.array([1, 2])).weights.tolist() == [3.0, 5.0]
