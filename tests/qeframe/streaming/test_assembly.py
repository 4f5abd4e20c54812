"""What an evaluation in chunks states of itself."""

import json

import numpy as np
import pytest

from qeframe import Profile, stream
from qeframe.core.evaluation.comparison_rules import ComparisonRules
from qeframe.core.profiles.resolved import resolve
from qeframe.plugin import CapabilityError, Comparable, Correction, Metric, SignificanceTest
from qeframe.streaming.assembly import StreamedComparable, drawings_asked_for, rules_of
from qeframe.streaming.second_pass import Drawing


def resolved(registry, **rules):
    return resolve(Profile(name="p", reader="", primary="mae", **rules), registry, reads=False)


def test_rules_ask_for_draws_once(registry):
    rules = rules_of(resolved(registry, test="bootstrap(draws=9)", interval="bootstrap(draws=9)"), 2)
    assert rules.drawings == (Drawing(9),)
    alone = rules_of(resolved(registry, test="bootstrap(draws=9)", interval=""), 1)
    assert (alone.comparison, alone.intervals, alone.drawings) == (None, None, ())


def test_the_signature_says_how_counts_were_drawn():
    gold = np.arange(30.0)
    submissions = {"a": gold + 1, "b": gold[::-1]}
    found = stream(["mae", "pearson"], gold, submissions, test="bootstrap(draws=20)", seed=3)
    assert found.signature.rules["chunks"] == "counts of chunks of 16384 units, whose totals are multinomial"
    assert found.signature.units == {"gold": "30 x segment"}
    assert found.signature.seed == 3
    poisson = stream("mae", gold, submissions, test="bootstrap(draws=20, scheme=poisson)")
    assert poisson.signature.rules["chunks"] == "Poisson counts by the ids of units"
    assert stream("mae", gold, submissions, test="", interval="").signature.rules["chunks"] == ""
    written = json.loads(found.to_json())
    assert [submission["name"] for submission in written["submissions"]] == ["a", "b"]
    assert written["comparisons"][0]["metric"] == "mae"


def test_negative_correlations_are_remarked():
    gold = np.arange(30.0)
    found = stream("pearson", gold, {"a": -gold + np.sin(gold), "b": gold})
    assert any(warning.startswith("a correlates negatively with the gold") for warning in found.warnings)


@pytest.fixture
def comparable(registry):
    draws = np.arange(6.0).reshape(3, 2)
    return StreamedComparable(
        metric=registry.get(Metric, "mae"), oriented=np.array([-2.0, -1.0]), units=9, drawn={Drawing(3): draws}
    )


def test_scores_pairs_and_draws(comparable):
    assert (comparable.sign, comparable.smooth, comparable.working_scale) == (-1.0, True, "identity")
    assert [side.tolist() for side in comparable.pairs] == [[1], [0]]
    assert comparable.sizes == (9,)
    assert comparable.resample(3).shape == (3, 2)


REFUSED = {
    "covariances": (3,), "without_groups": (3, 2), "jackknife": (), "left_out_of_grids": (), "outcomes": (),
    "count_exchanges": (3, None), "exchanged_differences": (3, None), "weighted": (None,),
    "exchanged_by": (None, None),
    "along": ("cell",), "exchanging": (None,), "vectors": (), "per_unit": (), "by_task": (),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_all_units_is_refused(comparable, name):
    with pytest.raises(CapabilityError, match="cannot be computed in chunks; as test and interval, 'bootstrap"):
        getattr(comparable, name)(*REFUSED[name])


def test_everything_of_a_comparable_is_given_or_refused():
    of_scores = {"oriented", "sign", "pairs", "smooth", "working_scale", "interval_scale", "resample", "sizes"}
    given = {*of_scores, "unexchanged", "recomputes", "enumerates", "lacking", "whole", "remedy"}
    assert {name for name in vars(Comparable) if not name.startswith("_")} == given | set(REFUSED)


def test_the_draws_that_are_asked_for(registry):
    test = registry.get(SignificanceTest, "bootstrap(draws=40, scheme=poisson)")
    intervals = registry.get(SignificanceTest, "bootstrap(draws=30)")
    rules = ComparisonRules(test=test, correction=registry.get(Correction, "holm"))
    metrics = [registry.get(Metric, "mae"), registry.get(Metric, "pearson")]
    assert drawings_asked_for(metrics, rules, intervals, 0.95) == (Drawing(40, "poisson"), Drawing(30))
    assert drawings_asked_for(metrics, None, intervals, 0.95) == (Drawing(30),)
    assert drawings_asked_for(metrics, None, None, 0.95) == ()
