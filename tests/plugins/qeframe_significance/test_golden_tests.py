"""The significance tests of the checked cases, and numbers checked by hand."""

from typing import Any

import numpy as np
import pytest

import qeframe
from qeframe.core.registry import Registry
from qeframe.core.significance import Correction, SignificanceTest
from qeframe_significance import bootstrap, randomization, t_test, williams

NEAR = {"rel": 1e-9, "abs": 1e-12, "nan_ok": True}


def numbers(values: list[Any]) -> list[float]:
    return [float(value) for value in values]


def test_williams(cases_of) -> None:
    for case in cases_of("williams"):
        r_a, r_b, r_ab = (float(case["input"][key]) for key in ("r12", "r13", "r23"))
        found = williams(r_a, r_b, r_ab, case["input"]["n"])
        expected = {key: float(value) for key, value in case["expected"]["value"].items()}
        assert found.t == pytest.approx(expected["t"], **NEAR), case["id"]
        assert found.p_one == pytest.approx(expected["p_one"], **NEAR), case["id"]
        assert found.p_two == pytest.approx(expected["p_two"], **NEAR), case["id"]
        if r_a >= r_b:
            assert found.p_one == pytest.approx(expected["p_psych"], **NEAR), case["id"]


def test_bootstrap(cases_of) -> None:
    for case in cases_of("paired_bootstrap"):
        expected = case["expected"]["value"]
        found = bootstrap(case["input"]["a"], case["input"]["b"], draws=case["input"]["samples"])
        assert found.difference == pytest.approx(expected["delta"], **NEAR)
        assert found.differences == pytest.approx(expected["deltas"], **NEAR)
        assert (found.wins_a, found.wins_b, found.ties) == tuple(expected[k] for k in ("wins_a", "wins_b", "ties"))
        assert found.p_koehn == pytest.approx(expected["p_koehn"], **NEAR)
        assert found.p_centered == pytest.approx(expected["p_centred"], **NEAR)
        assert (found.low, found.high) == pytest.approx(tuple(expected["ci"]), **NEAR)


def test_approximate_randomization(cases_of) -> None:
    for case in cases_of("approx_randomisation"):
        expected = case["expected"]["value"]
        found = randomization(case["input"]["a"], case["input"]["b"], draws=case["input"]["masks"])
        assert found.difference == pytest.approx(expected["stat"], **NEAR)
        assert found.count == expected["nge"]
        assert found.p == pytest.approx(expected["p"], **NEAR)
        assert not found.exhaustive


def test_exact_randomization(cases_of) -> None:
    (case,) = cases_of("exact_randomisation")
    expected, (a, b) = case["expected"]["value"], (case["input"]["a"], case["input"]["b"])
    found = randomization(a, b)
    assert (found.difference, found.count, found.p) == pytest.approx((expected["stat"], expected["nge"], expected["p"]))
    assert found.exhaustive
    assert found.total == 2 ** len(a)
    (pair,) = qeframe.compare("mean", None, {"A": a, "B": b}, test="randomization")
    assert (pair.a, pair.difference, pair.p) == ("A", pytest.approx(expected["stat"]), pytest.approx(expected["p"]))


def test_bonferroni(cases_of, registry: Registry) -> None:
    (case,) = cases_of("bonferroni")
    expected = case["expected"]["value"]
    adjusted = registry.get(Correction, "bonferroni").adjust(np.array(numbers(case["input"]["p"])))
    assert adjusted == pytest.approx(numbers(expected["adjusted"]), **NEAR)
    assert list(adjusted < case["input"]["alpha"]) == expected["significant"]


def test_t_test(cases_of) -> None:
    for case in cases_of("t_test_ind"):
        expected = case["expected"]["value"]
        a, b = case["input"]["a"], case["input"]["b"]
        by_kind = expected if isinstance(expected, dict) else {"student": expected, "welch": expected}
        for kind, (t, p) in by_kind.items():
            found = t_test(a, b, welch=kind == "welch")
            assert (found.statistic, found.p) == pytest.approx((t, p), **NEAR), (case["id"], kind)


# --- numbers that stand in the sources, checked by hand -------------------------------------------------------------


@pytest.mark.parametrize(
    ("r_a", "r_b", "r_ab", "n", "t", "p"),
    [
        (0.65, 0.55, 0.30, 50, 0.816078, 0.209286),
        (0.595, 0.451, 0.70, 500, 5.137168, 2.0066e-07),
        (0.9, 0.1, 0.2, 4, 1.394972, 0.197974),
    ],
)
def test_williams_by_hand(r_a: float, r_b: float, r_ab: float, n: int, t: float, p: float) -> None:
    """n - 3 degrees of freedom; with n - 2 the first p would be .209243, with other readings of the formula t would
    be .5817 or .7703."""
    found = williams(r_a, r_b, r_ab, n)
    assert found.t == pytest.approx(t, abs=5e-7)
    assert found.p_one == pytest.approx(p, rel=5e-5)
    assert found.p_two == pytest.approx(2 * p, rel=5e-5)
    assert found.degrees_of_freedom == n - 3


@pytest.mark.parametrize("n", [1, 2, 3])
def test_williams_needs_four_units(n: int) -> None:
    assert np.isnan(williams(0.9, 0.1, 0.2, n).t)
    assert np.isnan(williams(0.9, 0.1, 0.2, n).p_two)


def test_perfectly_correlated_submissions_do_not_differ() -> None:
    found = williams(0.5, 0.5, 1.0, 50)
    assert (found.t, found.p_one, found.p_two) == (0.0, 0.5, 1.0)


def test_scaled_copies_do_not_differ_through_compare() -> None:
    rng = np.random.default_rng(1)
    gold, a = rng.normal(size=(2, 40))
    (pair,) = qeframe.compare("pearson", gold, {"A": a, "B": 3 * a + 7}, test="williams")
    assert (pair.difference, pair.p) == (pytest.approx(0, abs=1e-15), pytest.approx(1, abs=1e-6))


def test_exact_randomization_by_hand() -> None:
    """Differences 1, 1, 1: of the eight sign patterns two have a sum as large as 3."""
    assert randomization([1, 1, 1], [0, 0, 0]).p == 2 / 8
    assert randomization([1, 1, 1], [0, 0, 0], sided="one").p == 1 / 8


def test_a_submission_against_itself(registry: Registry) -> None:
    rng = np.random.default_rng(3)
    gold, a = rng.normal(size=(2, 30))
    for test in registry.names(SignificanceTest):
        needs = registry.get(SignificanceTest, test).needs
        if needs == "grid":
            continue
        metric = {"vectors": "pearson", "per_unit": "mae", "outcomes": "mae"}.get(needs, "rmse")
        (pair,) = qeframe.compare(metric, gold, {"A": a, "B": a.copy()}, test=test)
        assert (pair.p, pair.p_adjusted, pair.significant) == (1.0, 1.0, False), test
