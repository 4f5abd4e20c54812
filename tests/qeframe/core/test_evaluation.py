"""Parts of an evaluation with few tests."""

import itertools
import json
import math
from importlib.metadata import version

import attrs
import numpy as np
import pandas
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.comparison import ComparisonRules, comparison_rules
from qeframe.core.display import canonical_json, plain_values
from qeframe.core.exchange import on_one_scale, winsorized
from qeframe.core.findings import rank_sets
from qeframe.core.profile import RULE_KEYS
from qeframe.core.resolve import make_signature
from qeframe.core.result import Signature
from qeframe.core.significance import adjust
from qeframe.plugin import Correction, DataError, PostEdits, Scores, SignificanceTest, Tags
from qeframe.plugin.readers import Input, Submission, Task
from qeframe.plugin.results import choose_profile, resolve
from qeframe.supplements.differences import equivalence, level_of_one
from tests.qeframe.core.evaluation.made_contests import profile

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


def test_values_become_plain_and_keys_are_sorted() -> None:
    assert plain_values(_Pair(math.inf, (1, 2))) == {"b": None, "a": [1, 2]}
    assert plain_values(np.array([[1.5, math.nan]])) == [[1.5, None]]
    assert plain_values({"x": frozenset({2, 1}), 3: True}) == {"x": [1, 2], "3": True}
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
    level = level_of_one(rules, 10)
    assert level == pytest.approx(0.05 / share)
    p = np.ones(10)
    for value, significant in ((0.999 * level, True), (1.001 * level, False)):
        p[4] = value
        assert rules.significant(adjust(chosen, p))[4] == significant
    assert level_of_one(rules, 0) == 0.05


def test_equivalence_needs_a_test(registry):
    resolved = resolve(profile("mae"), registry, reads=False)
    asked = equivalence(0.1)
    made = comparison_rules(resolved, resolved.test, equivalence=asked)
    assert made is not None
    assert made.equivalence is asked
    assert comparison_rules(resolved, None) is None
    with pytest.raises(DataError, match="equivalence needs a significance test"):
        comparison_rules(resolved, None, equivalence=asked)


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


def task(name, versions, *inputs, **options):
    batch = Scores.from_plain(np.arange(3.0), np.arange(3.0))
    return Task(name=name, batches={Submission("A"): batch}, versions=versions, inputs=inputs, **options)


def test_signature(registry):
    resolved = resolve(choose_profile("qe_sentence", ["alpha=0.01"], registry), registry)
    profile = resolved.profile
    gold = Input("gold.txt", "00")
    tasks = [task("x", {"bleu": "one 1"}, gold), task("y", {"bleu": "one 2"}, gold, Input("b", "11"))]
    signature = make_signature(resolved, tasks, 7, registry)
    assert signature.versions == {"numpy": version("numpy"), "scipy": version("scipy"), "bleu": "one 1; one 2"}
    rules = {"name": profile.name, **{key: getattr(profile, key) for key in RULE_KEYS}}
    assert signature.rules == plain_values(rules)
    assert dict(signature.changed) == dict(profile.changed)
    assert signature.units == {"x": "3 x segment", "y": "3 x segment"}
    assert signature.inputs == (gold, Input("b", "11")), "a file that several tasks share occurs once"
    assert signature.text.endswith("|seed:7")
    assert set(signature.plugins) == {plugin.origin.plugin for plugin in registry.plugins}


def test_rules_that_qeframe_chooses_are_named_by_what_was_chosen(registry):
    for changes, test, interval, correction in (
        ([], "jackknife_and_exchange", "jackknife_and_exchange", "romano_wolf_and_max_t"),
        (["primary=delta_avg"], "bootstrap_t", "jackknife_and_exchange; bootstrap of delta_avg", "romano_wolf"),
        (["test=williams"], "williams", "jackknife_and_exchange", "holm"),
        (["interval=bootstrap(draws=9)"], "jackknife_and_exchange", "bootstrap(draws=9)", "romano_wolf_and_max_t"),
        (["across=average_rank"], "bootstrap_t", "jackknife_and_exchange; bootstrap of average_rank", "romano_wolf"),
    ):
        resolved = resolve(choose_profile("qe_sentence", changes, registry), registry)
        rules = make_signature(resolved, [task("x", {})], 7, registry).rules
        assert (rules["test"], rules["interval"], rules["correction"]) == (test, interval, correction)


@pytest.mark.parametrize(
    ("aligned", "recorded"),
    [
        ([], "error"),
        ([""], "error"),
        (["error", ""], "error"),
        (["drop_for_all", "drop_for_all"], "drop_for_all"),
        (["score_as_worst", "error", "score_as_worst"], "score_as_worst of t0, t2; error of t1"),
    ],
)
def test_the_rule_for_missing_units_is_that_of_the_tasks(registry, aligned, recorded):
    resolved = resolve(choose_profile("qe_sentence", [], registry), registry)
    tasks = [task(f"t{i}", {}, missing=missing) for i, missing in enumerate(aligned)]
    signature = make_signature(resolved, tasks, 7, registry)
    assert signature.rules["missing"] == recorded
    assert dict(signature.changed) == ({} if recorded == "error" else {"missing": recorded})
    assert ("|set:missing=" in signature.text) == (recorded != "error")


@pytest.mark.parametrize("missing", ["score_as_worst", "drop_for_all"])
def test_an_evaluation_of_a_frame_records_its_rule_for_missing_scores(missing):
    frame = pandas.DataFrame({"gold": [1.0, 2.0, 3.0, 5.0], "a": [1.0, None, 2.0, 3.0], "b": [2.0, 1.0, 0.0, 4.0]})
    tasks = qeframe.tasks_from_frame(frame, submissions=["a", "b"], missing=missing)
    signature = qeframe.evaluate("qe_sentence", tasks).signature
    assert signature.rules["missing"] == missing
    assert f"|set:missing={missing}|" in signature.text


def test_the_text_names_what_decides_over_all_tasks(registry):
    settings = ["across=weighted", "weights={y=2,x=0.5}", "secondary=[mae,rmse]"]
    resolved = resolve(choose_profile("qe_sentence", settings, registry), registry)
    whole = make_signature(resolved, [task("x", {}), task("y", {})], 7, registry)
    assert "|primary:pearson|secondary:mae,rmse|across:weighted|weights:x=0.5,y=2|partial:apart|test:" in whole.text
    single = make_signature(resolved, [task("x", {})], 7, registry)
    assert "|secondary:mae,rmse|test:" in single.text
    bare = resolve(choose_profile("qe_sentence", ["secondary=[]"], registry), registry)
    assert (
        "|primary:pearson|across:mean|partial:"
        in make_signature(bare, [task("x", {}), task("y", {})], 7, registry).text
    )
    assert "|left_out:2:ab12|rules:" in attrs.evolve(whole, left_out="2:ab12").text


def test_the_text_of_earlier_results_has_what_they_have():
    rules = {"name": "p", "primary": "m", "test": "", "correction": "holm", "ranking": "r", "resample": "unit"}
    empty = {"versions": {}, "plugins": {}, "blocked": (), "changed": {}, "inputs": ()}
    old = Signature(qeframe="0.1", rules=rules, seed=3, units={"x": "", "y": ""}, **empty)
    assert old.text == "qeframe:0.1|profile:p|primary:m|test:|correction:holm|ranking:r|resample:unit|seed:3"
