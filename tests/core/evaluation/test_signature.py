"""The signature holds everything that the numbers depend on."""

from importlib.metadata import version

import numpy as np

from qeframe.batches.scores import Scores
from qeframe.evaluation.signature import make_signature
from qeframe.evaluation.submissions.read import choose_profile
from qeframe.profiles.resolved import resolve
from qeframe.profiles.schema import RULE_KEYS
from qeframe.tasks.task import Input, Submission, Task


def task(name, versions, *inputs):
    batch = Scores.from_plain(np.arange(3.0), np.arange(3.0))
    return Task(name=name, batches={Submission("A"): batch}, versions=versions, inputs=inputs)


def test_signature(registry):
    resolved = resolve(choose_profile("qe_sentence", ["alpha=0.01"], registry), registry)
    profile = resolved.profile
    gold = Input("gold.txt", "00")
    tasks = [task("x", {"bleu": "one 1"}, gold), task("y", {"bleu": "one 2"}, gold, Input("b", "11"))]
    signature = make_signature(resolved, tasks, 7, registry)
    assert signature.versions == {
        "numpy": version("numpy"),
        "scipy": version("scipy"),
        "bleu": "one 1; one 2",
    }
    assert signature.rules == {"name": profile.name, **{key: getattr(profile, key) for key in RULE_KEYS}}
    assert dict(signature.changed) == dict(profile.changed)
    assert signature.units == {"x": "3 x segment", "y": "3 x segment"}
    assert signature.inputs == (gold, Input("b", "11")), "a file that several tasks share occurs once"
    assert signature.text.endswith("|seed:7")
    assert set(signature.plugins) == {plugin.origin.plugin for plugin in registry.plugins}


def test_rules_that_qeframe_chooses_are_named_by_what_was_chosen(registry):
    for settings, test, interval, correction in (
        ([], "jackknife", "jackknife", "romano_wolf"),
        (["primary=delta_avg"], "bootstrap_t", "jackknife; bootstrap of delta_avg", "romano_wolf"),
        (["test=williams"], "williams", "jackknife", "holm"),
        (["interval=bootstrap(draws=9)"], "jackknife", "bootstrap(draws=9)", "romano_wolf"),
        (["across=average_rank"], "bootstrap_t", "jackknife; bootstrap of average_rank", "romano_wolf"),
    ):
        resolved = resolve(choose_profile("qe_sentence", settings, registry), registry)
        rules = make_signature(resolved, [task("x", {})], 7, registry).rules
        assert (rules["test"], rules["interval"], rules["correction"]) == (test, interval, correction)
