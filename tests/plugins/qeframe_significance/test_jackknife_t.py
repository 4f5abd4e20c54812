"""The jackknife t(nu) test and interval: checked cases and degenerate cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qeframe
from qeframe.core.components.comparable import Pairwise
from qeframe.statistics.jackknife_variance import jackknife_variance
from qeframe_significance.jackknife_t import jackknife

NEAR = {"rel": 1e-9, "abs": 1e-12}


@pytest.fixture(scope="session")
def checked() -> dict[str, Any]:
    """Read the checked cases of inference."""
    path = Path(__file__).parents[2] / "golden_inference.json"
    cases: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return cases


def test_mean(checked: dict[str, Any]) -> None:
    case = checked["jackknife_t_nu_of_a_mean"]
    differences = np.array(case["differences"])
    left_out = (differences.sum() - differences) / (len(differences) - 1)
    found = jackknife_variance(left_out[:, None])
    assert found.error[0] == pytest.approx(case["se"], **NEAR)
    assert found.freedom[0] == pytest.approx(case["nu"], **NEAR)
    pair = qeframe.compare(
        "mean", None, {"A": differences.tolist(), "B": [0.0] * len(differences)}, test="jackknife", correction="none"
    )
    assert pair[0].p == pytest.approx(case["p"], **NEAR)


def test_difference_of_correlations(checked: dict[str, Any]) -> None:
    case = checked["pearson_difference"]
    data = case["data"]
    pair = qeframe.compare("pearson", data["gold"], {"A": data["A"], "B": data["B"]}, test="jackknife")[0]
    assert pair.difference == pytest.approx(case["difference"], **NEAR)
    assert pair.p == pytest.approx(case["p_two_sided_t_nu"], **NEAR)
    one = qeframe.compare("pearson", data["gold"], {"A": data["A"], "B": data["B"]}, test="jackknife", sided="one")[0]
    assert min(1.0, 2 * one.p) == pytest.approx(case["p_leader_corrected"], **NEAR)


def test_interval_of_a_correlation(checked: dict[str, Any]) -> None:
    case = checked["pearson_interval_jackknife_z"]
    comparable = _comparable("pearson", case["data"]["gold"], {"A": case["data"]["A"]})
    assert jackknife.interval is not None
    low, high, draws = jackknife.interval(comparable, case["confidence"])
    assert (low[0], high[0]) == pytest.approx((case["low"], case["high"]), **NEAR)
    assert draws.shape == (0, 1)


def test_equal_submissions_have_p_1_and_no_variance_is_undefined() -> None:
    gold, a = [1.0, 2, 3, 4, 5, 6, 7, 8], [1.0, 3, 2, 4, 6, 5, 8, 7]
    same = _run("mae", gold, {"A": a, "B": a})
    assert same.p.tolist() == [1.0]
    assert list(same.reasons) == [""]
    shifted = _run("mae", gold, {"A": gold, "B": [value + 1 for value in gold]})
    assert np.isnan(shifted.p).all()
    assert "whichever unit is left out" in shifted.reasons[0]


def test_perfect_correlation_is_undefined_with_the_reason() -> None:
    gold = [1.0, 2, 3, 4, 5, 6, 7, 8]
    found = _run("pearson", gold, {"A": gold, "B": [1.0, 3, 2, 4, 6, 5, 8, 7]})
    assert np.isnan(found.p).all()
    assert "perfect" in found.reasons[0]


def test_six_units_are_enumerated(checked: dict[str, Any]) -> None:
    case = checked["exact_exchange_of_means"]
    differences = case["differences"]
    found = _run("mean", None, {"A": differences, "B": [0.0] * len(differences)})
    assert found.p.tolist() == pytest.approx([case["p"]])
    assert jackknife.remarks is not None
    remarks = jackknife.remarks(_comparable("mean", None, {"A": differences, "B": [0.0] * len(differences)}), "two")
    assert "enumerated" in remarks[0]
    two = _run("mae", [0.0, 0.0], {"A": [0.0, 0.0], "B": [1.0, 1.0]})
    assert two.p.tolist() == [case["two_units"]["p"]]


def test_tasks_are_independent_samples() -> None:
    """The error of a mean over tasks is that of both tasks together."""
    from qeframe.core.evaluation.comparable_across_tasks import ComparableAcrossTasks

    rng = np.random.default_rng(3)
    tasks = []
    for n in (12, 20):
        gold = rng.normal(size=n)
        tasks.append(_comparable("mae", gold, {name: gold + rng.normal(size=n) for name in "AB"}))
    mean = qeframe.load().get(qeframe.plugin.Aggregation, "mean")
    both = ComparableAcrossTasks(
        comparables=tuple(tasks),
        positions=(np.arange(2), np.arange(2)),
        submissions=2,
        aggregation=mean,
        weights=np.ones(2),
    )
    errors = [jackknife_variance(one.jackknife()[:, :1] - one.jackknife()[:, 1:]).error[0] for one in tasks]
    found = jackknife.run(both, "two")
    assert found.statistic is not None
    difference = abs(both.oriented[0] - both.oriented[1])
    assert abs(found.statistic[0]) == pytest.approx(difference / (np.hypot(*errors) / 2), rel=1e-9)


def _comparable(metric: str, gold: Any, submissions: dict[str, Any]) -> Any:
    from qeframe.core.components.metric import Metric
    from qeframe.core.evaluation.comparable_in_task import ComparableInTask
    from qeframe.core.evaluation.scored_task import ScoredTask

    chosen = qeframe.load().get(Metric, metric)
    batches = tuple(chosen.kind.from_plain(gold, answers) for answers in submissions.values())
    return ComparableInTask(ScoredTask(metrics=(chosen,), batches=batches, key=(1,)))


def _run(metric: str, gold: Any, submissions: dict[str, Any]) -> Pairwise:
    return jackknife.run(_comparable(metric, gold, submissions), "two")
