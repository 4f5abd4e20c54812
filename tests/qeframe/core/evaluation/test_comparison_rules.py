"""Rules of comparison: the level of a single difference, and what equivalence needs."""

import numpy as np
import pytest

from qeframe.core.components.checks.significance import adjust
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.components.supplement import Supplement
from qeframe.core.errors import DataError
from qeframe.core.evaluation.comparison_rules import ComparisonRules, comparison_rules
from qeframe.core.profiles.resolved import resolve
from tests.qeframe.core.evaluation.made_comparables import profile


@pytest.mark.parametrize(
    ("correction", "share"), [("none", 1), ("bonferroni", 10), ("holm", 10), ("bh", 10), ("romano_wolf", 10)]
)
def test_the_level_of_one_is_the_largest_p_that_is_significant_alone(registry, correction, share):
    chosen = registry.get(Correction, correction)
    rules = ComparisonRules(test=registry.get(SignificanceTest, "jackknife"), correction=chosen, alpha=0.05)
    level = rules.level_of_one(10)
    assert level == pytest.approx(0.05 / share)
    p = np.ones(10)
    for value, significant in ((0.999 * level, True), (1.001 * level, False)):
        p[4] = value
        assert rules.significant(adjust(chosen, p))[4] == significant
    assert rules.level_of_one(0) == 0.05


def test_equivalence_needs_a_test(registry):
    resolved = resolve(profile("mae"), registry, reads=False)
    asked = [registry.get(Supplement, "equivalence(delta=0.1)")]
    made = comparison_rules(resolved, resolved.test, supplements=asked)
    assert made is not None
    assert made.supplements == tuple(asked)
    assert comparison_rules(resolved, None) is None
    with pytest.raises(DataError, match="equivalence needs a significance test"):
        comparison_rules(resolved, None, supplements=asked)
