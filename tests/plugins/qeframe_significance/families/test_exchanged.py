"""`max_t` against its definition, exchange by exchange."""

import numpy as np
import pytest

from qeframe.api.arrays.binding import bind_submissions
from qeframe.core.evaluation.comparison import compare_pairs
from qeframe.core.evaluation.comparison_rules import ComparisonRules
from qeframe.plugin import Correction, Metric, SignificanceTest


def test_it_is_the_step_down_over_the_exchanges(registry):
    rng = np.random.default_rng(3)
    gold = rng.normal(size=60)
    submissions = {name: gold + noise * rng.normal(size=60) for name, noise in [("A", 0.9), ("B", 1.2), ("C", 4.0)]}
    metric, test, correction = (
        registry.get(kind, name)
        for kind, name in [
            (Metric, "mae"),
            (SignificanceTest, "permutation(draws=99, unit=segment)"),
            (Correction, "max_t(draws=99, unit=segment)"),
        ]
    )
    comparable = bind_submissions(metric, gold, submissions, seed=1)
    rules = ComparisonRules(test=test, sided="two", correction=correction)
    found = {(c.a, c.b): c for c in compare_pairs(comparable, list(submissions), rules, metric="mae")}
    drawn = comparable.along("segment").exchanged_differences(99, comparable.pairs)
    scale = np.sqrt((drawn**2).mean(axis=0))
    observed = np.abs([c.difference for c in found.values()]) / scale
    expected, largest = {}, 0.0
    for nth in np.argsort(-observed):
        rest = observed <= observed[nth]
        largest = max(largest, (1 + (np.abs(drawn / scale)[:, rest].max(axis=1) >= observed[nth] - 1e-12).sum()) / 100)
        expected[list(found)[nth]] = largest
    assert {pair: c.p_adjusted for pair, c in found.items()} == pytest.approx(
        {pair: max(expected[pair], c.p) for pair, c in found.items()}
    )
    again = bind_submissions(metric, gold, {"A": submissions["A"], "B": submissions["A"]})
    assert compare_pairs(again, ["A", "B"], rules, metric="mae")[0].p_adjusted == 1.0
    undefined = {**submissions, "constant": np.zeros(60)}
    of_r = registry.get(Metric, "pearson")
    compared = compare_pairs(bind_submissions(of_r, gold, undefined), list(undefined), rules, metric="pearson")
    assert {c.b for c in compared if np.isnan(c.p_adjusted)} == {"constant"}
