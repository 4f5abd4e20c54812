"""The jackknife t(nu) test and interval: checked cases and degenerate cases."""

from typing import Any

import numpy as np
import pytest

import qeframe
from qeframe.core.significance import Pairwise
from qeframe.statistics.jackknife_variance import jackknife_variance
from qeframe_significance.jackknife_t import jackknife
from tests.plugins.contests import CASES, contest


def test_equal_submissions_have_p_1_and_no_variance_is_undefined() -> None:
    gold, a = [1.0, 2, 3, 4, 5, 6, 7, 8], [1.0, 3, 2, 4, 6, 5, 8, 7]
    same = _run("mae", gold, a, a)
    assert same.p.tolist() == [1.0]
    assert list(same.reasons) == [""]
    shifted = _run("mae", gold, gold, [value + 1 for value in gold])
    assert np.isnan(shifted.p).all()
    assert "whichever unit is left out" in shifted.reasons[0]


def test_perfect_correlation_is_undefined_with_the_reason() -> None:
    gold = [1.0, 2, 3, 4, 5, 6, 7, 8]
    found = _run("pearson", gold, gold, [1.0, 3, 2, 4, 6, 5, 8, 7])
    assert np.isnan(found.p).all()
    assert "perfect" in found.reasons[0]


def test_six_units_are_enumerated() -> None:
    case = CASES["exact_exchange_of_means"]
    differences = case["differences"]
    found = _run("mean", None, differences, [0.0] * len(differences))
    assert found.p.tolist() == pytest.approx([case["p"]])
    assert jackknife.remarks is not None
    remarks = jackknife.remarks(contest("mean", None, [differences, [0.0] * len(differences)]), "two")
    assert "enumerated" in remarks[0]
    two = _run("mae", [0.0, 0.0], [0.0, 0.0], [1.0, 1.0])
    assert two.p.tolist() == [case["two_units"]["p"]]


def test_tasks_are_independent_samples() -> None:
    """The error of a mean over tasks is that of both tasks together."""
    from qeframe.core.contest import Contest

    rng = np.random.default_rng(3)
    tasks = []
    for n in (12, 20):
        gold = rng.normal(size=n)
        tasks.append(contest("mae", gold, [gold + rng.normal(size=n) for _ in range(2)], as_given=False))
    mean = qeframe.load().get(qeframe.plugin.Aggregation, "mean")
    both = Contest.across(
        [each.terms[0] for each in tuple(tasks)],
        (np.arange(2), np.arange(2)),
        submissions=2,
        aggregation=mean,
        weights=np.ones(2),
    )
    errors = [jackknife_variance(one.jackknife()[:, :1] - one.jackknife()[:, 1:]).error[0] for one in tasks]
    found = jackknife.run(both, "two")
    assert found.statistic is not None
    difference = abs(both.oriented[0] - both.oriented[1])
    assert abs(found.statistic[0]) == pytest.approx(difference / (np.hypot(*errors) / 2), rel=1e-9)


def _run(metric: str, gold: Any, *submissions: Any) -> Pairwise:
    return jackknife.run(contest(metric, gold, submissions, as_given=False), "two")
