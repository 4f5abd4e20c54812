"""What an evaluation in chunks states of itself."""

import json

import numpy as np

from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import Profile
from qeframe.streaming.assembly import rules_of
from qeframe.streaming.second_pass import Drawing
from qeframe.streaming.stream import stream


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
