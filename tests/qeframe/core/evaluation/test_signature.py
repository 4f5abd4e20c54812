"""The signature holds everything that the numbers depend on."""

from importlib.metadata import version

import attrs
import numpy as np
import pandas
import pytest

import qeframe
from qeframe.api.read import choose_profile
from qeframe.core.evaluation.canonical_json import plain_values
from qeframe.core.evaluation.result import Signature
from qeframe.core.evaluation.signature import make_signature
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import RULE_KEYS
from qeframe.core.tasks.task import Input, Submission, Task
from qeframe.kinds.scores.batch import Scores


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
    for settings, test, interval, correction in (
        ([], "jackknife_and_exchange", "jackknife_and_exchange", "romano_wolf_and_max_t"),
        (["primary=delta_avg"], "bootstrap_t", "jackknife_and_exchange; bootstrap of delta_avg", "romano_wolf"),
        (["test=williams"], "williams", "jackknife_and_exchange", "holm"),
        (["interval=bootstrap(draws=9)"], "jackknife_and_exchange", "bootstrap(draws=9)", "romano_wolf_and_max_t"),
        (["across=average_rank"], "bootstrap_t", "jackknife_and_exchange; bootstrap of average_rank", "romano_wolf"),
    ):
        resolved = resolve(choose_profile("qe_sentence", settings, registry), registry)
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
