import numpy as np
import pytest

from qeframe.core.components.aggregation import Aggregation
from qeframe.core.components.ranking import Ranking, RankingRule
from qeframe.core.components.significance import Correction
from qeframe.testing import checks_of


def broken(component, law):
    (check,) = [check for check in checks_of(component, tries=4) if check.law.name == law]
    found = check.search().found
    return "" if found is None else found.what


@pytest.mark.parametrize(
    ("law", "aggregate", "what"),
    [
        ("shape", lambda s, w, high: s.mean(), "it returns float64 of shape () instead of float64 of shape (3, "),
        ("shape", lambda s, w, high: s.mean(axis=-1).tolist(), "it returns list instead of float64 of shape (3, "),
        ("input", lambda s, w, high: np.nan_to_num(s, copy=False).mean(axis=-1), "it "),
        ("defined", lambda s, w, high: s.mean(axis=-1) * np.nan, "scores that are all defined have the aggregates "),
    ],
)
def test_a_wrong_aggregation_is_found_out(law, aggregate, what):
    assert broken(Aggregation(name="wrong", summary="", aggregate=aggregate), law).startswith(what)


def test_a_part_of_which_the_aggregate_is_no_mean_is_found_out():
    wrong = Aggregation(name="wrong", summary="", aggregate=lambda s, w, high: s @ w / w.sum(), part=lambda s, high: -s)
    assert broken(wrong, "mean_of_parts").startswith("the aggregate instead of the mean of its parts")


@pytest.mark.parametrize(
    ("law", "adjust", "what"),
    [
        ("shape", lambda p: float(p.max()), "it returns float64 of shape () instead of float64 of shape ("),
        ("input", lambda p: np.multiply(p, 2, out=p), "it "),
        ("determinism", lambda p: p + np.random.default_rng().random(), "the same input gives "),
    ],
)
def test_a_wrong_correction_is_found_out(law, adjust, what):
    assert broken(Correction(name="wrong", summary="", adjust=adjust), law).startswith(what)


@pytest.mark.parametrize(
    ("rank", "what"),
    [
        (lambda given: given.oriented, "it returns ndarray instead of a Ranking"),
        (
            lambda given: Ranking(rank=given.oriented * 1.0, cluster=np.ones(len(given.oriented), dtype=np.int64)),
            "its 'rank' is float64 of shape (1,) instead of int64 of shape (1,)",
        ),
    ],
)
def test_a_wrong_ranking_rule_is_found_out(rank, what):
    assert broken(RankingRule(name="wrong", summary="", rank=rank), "shape") == what
