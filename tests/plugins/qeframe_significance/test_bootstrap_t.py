"""The symmetric bootstrap-t: the slow definition, and what is undefined."""

from typing import Any

import numpy as np
import pytest

import qeframe
from qeframe.core.contest import Contest
from qeframe.core.draws import bootstrap_counts, draw_blocks, grouped_counts
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.standard_errors import covariance_by_influence
from qeframe.core.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe_significance.bootstrap_t import _share_of_other_sign, bootstrap_t
from tests.plugins.contests import contest

DRAWS = 39


def drawn(metric: str, units: int = 30, seed: int = 1) -> Contest:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    answers = [gold + noise * rng.normal(size=units) for noise in (0.6, 0.9, 1.2)]
    return contest(metric, gold, answers, as_given=False)


def p_of(observed: float, draws: list[float]) -> float:
    extreme = sum(not abs(one) < abs(observed) - 1e-12 for one in draws)
    return (1 + extreme) / (1 + len(draws))


@pytest.mark.parametrize("errors", ["influence", "groups"])
@pytest.mark.parametrize("metric", ["pearson", "mae"])
def test_the_definition(metric: str, errors: Any) -> None:
    """One pair, one draw, one group at a time."""
    given, groups = drawn(metric), 6
    stack, scale = given.terms[0].sample.stack, np.arctanh if metric == "pearson" else (lambda x: x)
    slope = (lambda r: 1 / (1 - r**2)) if metric == "pearson" else np.ones_like

    def difference_and_error(counts: Any, dealt: Any, a: int, b: int) -> tuple[float, float]:
        scores = stack(counts[None])[0]
        difference = given.sign * float(scale(scores[a]) - scale(scores[b]))
        if errors == "influence":
            by = slope(scores)
            covariance = covariance_by_influence(stack, counts[None])[0] * np.outer(by, by)
            return difference, float(np.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]))
        left = np.array([scale(stack((counts - part)[None])[0]) for part in dealt])
        away = (left[:, a] - left[:, b]) - (left[:, a] - left[:, b]).mean()
        return difference, float(np.sqrt((groups - 1) / groups * (away**2).sum()))

    found = bootstrap_t(draws=DRAWS, groups=groups, errors=errors).run(given, "two")
    ones = np.ones(30, dtype=np.int64)
    dealt = (np.arange(groups)[:, None] == np.arange(30) % groups).astype(np.int64)
    blocks = list(draw_blocks((1, 1), DRAWS, 30))
    counts = np.concatenate([bootstrap_counts(block, 30) for block in blocks])
    parts = np.concatenate([grouped_counts(block, 30, groups) for block in blocks])
    for pair, (a, b) in enumerate(zip(*given.pairs, strict=True)):
        d, s = difference_and_error(ones, dealt, a, b)
        redrawn = [difference_and_error(*one, a, b) for one in zip(counts, parts, strict=True)]
        assert found.p[pair] == pytest.approx(p_of(d / s, [(each - d) / error for each, error in redrawn]))
        assert found.statistic is not None
        assert found.statistic[pair] == pytest.approx(d / s)


def test_metrics_that_are_not_sums_need_groups() -> None:
    assert not np.isnan(bootstrap_t(draws=19).run(drawn("delta_avg"), "two").p).any()
    with pytest.raises(CapabilityError, match="not smooth functions of sums"):
        bootstrap_t(draws=19, errors="influence").run(drawn("delta_avg"), "two")


def test_tasks_add_their_variances() -> None:
    """The covariance of a mean over tasks, and groups that are left out of one task at a time."""
    one, other = drawn("mae", 20, 2), drawn("mae", 30, 3)
    both = Contest.across(
        [each.terms[0] for each in (one, other)],
        (np.arange(3), np.arange(3)),
        submissions=3,
        aggregation=qeframe.load().get(qeframe.plugin.Aggregation, "mean"),
        weights=np.ones(2),
    )
    assert both.covariances(9) == pytest.approx((one.covariances(9) + other.covariances(9)) / 4)
    left_out, sizes = both.without_groups(9, 5)
    assert sizes == (5, 5)
    assert left_out[0, 0] == pytest.approx((one.without_groups(9, 5)[0][0, 0] + other.oriented) / 2)
    assert left_out[0, 5] == pytest.approx((one.oriented + other.without_groups(9, 5)[0][0, 0]) / 2)
    assert not np.isnan(bootstrap_t(draws=19).run(both, "two").p).any()


def test_equal_submissions_and_no_variance() -> None:
    gold = np.arange(10.0)
    same = qeframe.compare("mae", gold, {"A": gold + 1, "B": gold + 1}, test="bootstrap_t")[0]
    assert (same.p, same.p_adjusted, same.reason) == (1.0, 1.0, "")
    shifted = qeframe.compare("mae", gold, {"A": gold, "B": gold + 1}, test="bootstrap_t")[0]
    assert shifted.p == pytest.approx(2 / 1001), "no draw has the other sign"
    assert shifted.significant
    assert "by the draws alone" in shifted.reason
    perfect = qeframe.compare("pearson", gold, {"A": gold, "B": gold[::-1] + gold % 3}, test="bootstrap_t")[0]
    assert np.isnan(perfect.p)
    assert perfect.reason


def test_six_units_are_enumerated() -> None:
    pair = qeframe.compare("mae", [0.0, 0.0], {"A": [0.0, 0.0], "B": [1.0, 1.0]}, test="bootstrap_t")[0]
    assert pair.p == 0.5


def test_one_sided() -> None:
    given = drawn("pearson")
    one, two = (bootstrap_t(draws=199).run(given, side).p for side in ("one", "two"))  # type: ignore[arg-type]
    assert (one <= two + 1e-12).all()


@pytest.mark.parametrize("wrong", [{"draws": 0}, {"groups": 4}, {"groups": 201}, {"errors": "none"}])
def test_wrong_parameters(wrong: Any) -> None:
    with pytest.raises(DataError):
        bootstrap_t(**wrong)


def ranked_tasks(seed: int, shifts: tuple[float, ...], units: int = 80) -> list[Task]:
    """Three tasks; the larger a shift, the worse the submission, in all tasks."""
    rng = np.random.default_rng(seed)
    tasks = []
    for name in ("x", "y", "z"):
        gold = rng.normal(size=units)
        batches = {
            Submission(f"s{i}"): Scores.from_plain(gold, gold + shift * rng.normal(size=units))
            for i, shift in enumerate(shifts)
        }
        tasks.append(Task(name=name, batches=batches))
    return tasks


SETTINGS = ["across=average_rank", "test=bootstrap_t(draws=199)", "correction=romano_wolf(draws=199)", "interval="]


def test_ranks_that_no_group_changes_have_p_from_the_draws() -> None:
    found = qeframe.evaluate("qe_sentence", ranked_tasks(1, (0.2, 1.0, 6.0)), settings=SETTINGS)
    over_all = [each for each in found.comparisons if not each.task]
    assert {each.reason != "" for each in over_all} == {True}
    assert [each.p for each in over_all] == pytest.approx([2 / 200] * 3)
    assert all(each.significant for each in over_all)
    assert [each.name for each in found.submissions if each.winner] == ["s0"], (
        "the last is no winner for want of a test"
    )
    assert any("by the draws alone" in each for each in found.warnings)


def test_all_pairs_of_ranks_are_tested_by_the_draws() -> None:
    found = qeframe.evaluate("qe_sentence", ranked_tasks(1, (0.2, 1.0, 1.0, 1.0, 1.0)), settings=SETTINGS)
    first = [each for each in found.comparisons if not each.task and each.a == "s0"]
    assert [each.p for each in first] == pytest.approx([2 / 200] * 4), (
        "also where a group changes the rank of the other"
    )


def test_p_from_the_draws_is_that_of_a_count_by_hand() -> None:
    difference = np.array(
        [[1.0, -2.0, 3.0, 1.0], [1.0, -2.0, 0.0, np.nan], [-1.0, -2.0, 3.0, 1.0], [0.5, 0.0, 3.0, 1.0]]
    )
    two, one = (_share_of_other_sign(difference, side, 100) for side in ("two", "one"))
    for pair, column in enumerate(difference.T):
        lost = sum(not (draw * column[0] > 0) for draw in column[1:])
        assert two[pair] == pytest.approx(min(1, 2 * (1 + lost) / 4))
        assert one[pair] == (pytest.approx((1 + lost) / 4) if column[0] > 0 else 1)
    assert _share_of_other_sign(np.ones((1000, 1)), "two", 7) == pytest.approx(2 / 2**7)


@pytest.mark.slow
def test_equal_submissions_are_rarely_told_apart_by_their_ranks() -> None:
    rejected = []
    for seed in range(40):
        tasks = ranked_tasks(seed, (1.0, 1.0, 1.0), units=60)
        found = qeframe.evaluate("qe_sentence", tasks, settings=[*SETTINGS[:2], "correction=none", "interval="])
        rejected += [each.p < 0.05 for each in found.comparisons if not each.task]
    assert np.mean(rejected) < 0.075
