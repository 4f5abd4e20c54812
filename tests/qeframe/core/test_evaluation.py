"""Parts of an evaluation with few tests."""

import itertools
import json
import math

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.components.checks.significance import adjust
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.components.supplement import Supplement
from qeframe.core.errors import DataError
from qeframe.core.evaluation.canonical_json import canonical_json, plain_values
from qeframe.core.evaluation.compared_pair import rank_sets
from qeframe.core.evaluation.comparison_rules import ComparisonRules, comparison_rules
from qeframe.core.evaluation.one_scale import on_one_scale, winsorized
from qeframe.core.profiles.resolved import resolve
from qeframe.plugin import PostEdits, Scores, Tags
from qeframe.plugin.readers import Submission, Task
from tests.qeframe.core.evaluation.made_comparables import profile

# Attacks that are entered from Python: a word alone or a number is refused.
TASK = Task(name="t", batches={Submission("a"): Scores.from_plain([0.1, 0.5, 0.3, 0.9], [0.2, 0.4, 0.3, 0.8])})


@pytest.mark.parametrize("attacks", ["constant_median", 3, {"constant_median": 1}.items])
def test_what_is_no_list_of_attacks_is_refused(attacks):
    with pytest.raises(DataError, match=r"attacks cannot be .*; give True, or a list of names or of attacks"):
        qeframe.evaluate("qe_sentence", TASK, attacks=attacks)


def test_names_enter_attacks():
    found = qeframe.evaluate("qe_sentence", TASK, settings=["test=", "interval="], attacks=["constant_median"])
    assert [s.name for s in found.submissions if s.kind == "attack"] == ["constant_median"]


# Canonical JSON: sorted keys, undefined numbers as null, frozen values as tables.
@frozen
class _Pair:
    b: float
    _a: tuple[int, ...]


def test_frozen_values_arrays_and_sets_become_plain() -> None:
    assert plain_values(_Pair(math.inf, (1, 2))) == {"b": None, "a": [1, 2]}
    assert plain_values(np.array([[1.5, math.nan]])) == [[1.5, None]]
    assert plain_values({"x": frozenset({2, 1}), 3: True}) == {"x": [1, 2], "3": True}


def test_keys_are_sorted_and_text_ends_with_a_line_end() -> None:
    assert canonical_json({"b": 1, "a": "\u00e9"}) == '{\n  "a": "\u00e9",\n  "b": 1\n}\n'


NUMBERS = st.integers() | st.floats() | st.booleans() | st.none()
VALUES = st.recursive(
    NUMBERS | st.text(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)


@settings(max_examples=40)
@given(VALUES)
def test_the_text_is_that_of_the_standard_library(value) -> None:
    plain = plain_values(value)
    assert canonical_json(value) == json.dumps(plain, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


# Rules of comparison: the level of a single difference, and what equivalence needs.
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


# Answers on one scale: their spread is that of winsorized answers, and nothing but scale and location changes.
def scores(values):
    return Scores.from_plain(range(len(values)), values)


def test_a_gross_error_does_not_set_the_scale():
    values = np.arange(40.0)
    usual, gross = on_one_scale([scores(values), scores([*values[:-1], 1e6])], Scores)
    assert gross.predicted[:-1] == pytest.approx(usual.predicted[:-1], rel=0.1)
    assert (np.median(usual.predicted), winsorized(usual.predicted[None]).std()) == pytest.approx((0, 1))
    assert usual.gold.tolist() == list(range(40))


def test_answers_that_are_nearly_all_equal_take_their_plain_spread():
    sparse = [0.0] * 39 + [5.0]
    varied = np.arange(40.0)
    first, second = on_one_scale([scores(sparse), scores(varied)], Scores)
    assert (first.predicted.std(), second.predicted.std()) == pytest.approx((1, 1))


def test_constant_answers_and_other_kinds_stay():
    (constant,) = on_one_scale([scores([3.0, 3.0, 3.0])], Scores)
    assert constant.predicted.tolist() == [0, 0, 0]
    tags = Tags.from_plain([["OK"]], [["BAD"]])
    assert on_one_scale([tags], Tags)[0] is tags


def test_batches_with_further_parts_are_scaled_as_those_of_the_metric():
    edits = [PostEdits.from_plain([(i, "a") for i in range(9)], [(k * i % 7, "b") for i in range(9)]) for k in (1, 2)]
    first, second = on_one_scale(edits, Scores)
    assert (np.median(first.predicted), np.median(second.predicted)) == (0, 0)


# Ranks that claims allow.
@given(st.lists(st.integers(0, 3), min_size=1, max_size=5), st.integers(1, 3))
def test_they_hold_the_ranks_of_all_orders_in_which_the_claims_are_true(levels, step):
    """Claims: who is at least `step` levels above is better."""
    level = np.array(levels)
    better = level[:, None] - level >= step
    allowed = [
        order
        for order in itertools.permutations(range(len(level)))
        if all(order.index(i) < order.index(j) for i, j in zip(*np.nonzero(better), strict=True))
    ]
    ranks = np.array([[order.index(i) + 1 for i in range(len(level))] for order in allowed])
    low, high = rank_sets(better)
    np.testing.assert_array_equal(low, ranks.min(axis=0))
    np.testing.assert_array_equal(high, ranks.max(axis=0))
