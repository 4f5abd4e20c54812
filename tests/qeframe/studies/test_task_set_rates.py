"""The error rate of the overall test of a task set."""

import warnings

import numpy as np
import pytest
from attrs import evolve

import qeframe
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.profiles.load import profile_from_toml
from qeframe.extensions.null_model import NullModel
from qeframe.studies.task_set_rates import TaskSetSimulation, task_set_rate

RULES = """
reader = "mtme"
best = "high"
test = "permutation(draws=99, unit=segment)"
interval = ""
sided = "two"
correction = "none"
strict = false
ranking = "clusters"
overall = "mean"
exchanges = "joint"
[[parts]]
metric = "segment_pearson"
pairs = ["en-de", "cs-uk"]
[[parts]]
metric = "system_pearson"
"""


def simulation(registry, rules=RULES, **changed):
    profile = profile_from_toml(rules, "made.toml", "made", registry)
    sizes = {"units": 8, "runs": 6, "seed": 3, **changed}
    null = registry.get(NullModel, "equal_metrics(systems=3)")
    return TaskSetSimulation(**{"profile": profile, "null": null, **sizes})


def test_all_parts_of_a_language_pair_score_the_same_data(registry):
    tasks = simulation(registry).tasks(0, registry)
    assert {task.name for task in tasks} == {"en-de", "cs-uk", "he-en", "zh-en"}
    of_pair = [task for task in tasks if task.name == "en-de"]
    assert len({id(batch) for task in of_pair for batch in task.batches.values()}) == 2
    again, other = (simulation(registry).tasks(number, registry)[0] for number in (0, 1))
    drawn = [next(iter(task.batches.values())).predicted for task in (tasks[0], again, other)]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])


def test_the_rate_is_that_of_evaluations_one_by_one(registry):
    study = simulation(registry)
    rejected = 0
    for number in range(study.runs):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = qeframe.evaluate(study.profile, study.tasks(number, registry), seed=number, registry=registry)
        (pair,) = [comparison for comparison in found.comparisons if not comparison.task]
        rejected += pair.p <= 0.4
    rate = task_set_rate(study, registry, alpha=0.4)
    assert rate.rejected.value == pytest.approx(rejected / study.runs)
    assert 0 < rejected < study.runs
    assert rate.undefined == 0


def test_mistakes(registry):
    study = simulation(registry)
    with pytest.raises(DataError, match="alpha must lie between 0 and 1"):
        task_set_rate(study, registry, alpha=0)
    with pytest.raises(DataError, match="has no parts"):
        task_set_rate(evolve(study, profile=qeframe.choose_profile("wmt23_metrics_segment", (), registry)), registry)
    with pytest.raises(DataError, match="draws Values; the part 'segment_pearson' scores Grid"):
        task_set_rate(evolve(study, null=registry.get(NullModel, "independent_values")), registry)
    with pytest.raises(CapabilityError, match="has no test of its overall score"):
        task_set_rate(evolve(study, profile=qeframe.choose_profile(study.profile, ["test="], registry)), registry)
