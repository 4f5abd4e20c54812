"""The warnings of a task set."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import Task
from tests.qeframe.assembly.made_sets import profile, task


def constant(made):
    batches = dict(made.batches)
    first = next(iter(batches))
    batches[first] = attrs.evolve(batches[first], predicted=np.ones_like(batches[first].predicted))
    return attrs.evolve(made, batches=batches)


def test_a_score_that_is_undefined_and_a_test_that_is_left_out(registry):
    parts = '[[parts]]\nmetric = "segment_pearson"\n[[parts]]\nmetric = "acc_eq"\ntest = ""'
    evaluation = qeframe.evaluate(profile(registry, parts), [constant(task("en-de"))], registry=registry)
    text = "\n".join(evaluation.warnings)
    assert "m0 has no overall score: its score is undefined in en-de segment_pearson" in text
    assert "the overall scores are not compared: there is no test of en-de acc_eq" in text
    assert not [c for c in evaluation.comparisons if not c.task]


def test_too_few_draws_are_said_of_each_part(registry):
    rules = profile(registry, '[[parts]]\nmetric = "segment_pearson"', correction='"bonferroni"', alpha="0.001")
    warnings = qeframe.evaluate(rules, [task("en-de")], registry=registry).warnings
    assert any("no difference can be significant" in warning for warning in warnings)


def test_the_gold(registry):
    made = task("en-de", systems=1)
    assert isinstance(made, Task)
    rules = profile(registry, '[[parts]]\nmetric = "segment_pearson"', test='""')
    assert "en-de: there is only one system" in qeframe.evaluate(rules, [made], registry=registry).warnings[0]


def test_claims_of_pairs_whose_error_few_units_decide_are_told_of_parts_and_of_the_overall_score(registry):
    made = task("en-de", segments=120, submissions=2)
    second = next(each for each in made.batches if each.name == "m1")
    batch, pulled = made.batches[second], made.batches[second].predicted.copy()
    pulled[:2] += [[30.0, -30.0, 20.0, -20.0], [-25.0, 25.0, -30.0, 30.0]]
    data = attrs.evolve(made, batches={**made.batches, second: attrs.evolve(batch, predicted=pulled)})
    rules = profile(registry, '[[parts]]\nmetric = "segment_pearson"', test='"jackknife"', sided='"two"')
    warnings = qeframe.evaluate(rules, [data], registry=registry).warnings
    told = [warning for warning in warnings if "m0 and m1: few units decide the error" in warning]
    assert [warning.partition("'")[0] for warning in told] == ["", "en-de segment_pearson: "]


def levels(first, second, lines=False):
    """Return one pair of two levels whose units have these ids."""
    tasks = []
    for seed, ids, folder in ((1, first, "one"), (2, second, "other")):
        made = task("en-de", seed, segments=len(ids), selection=folder)
        batches = {s: attrs.evolve(batch, ids=np.array(ids)) for s, batch in made.batches.items()}
        tasks.append(attrs.evolve(made, batches=batches, numbered_from=int(lines)))
    return tasks


@pytest.mark.parametrize(
    ("first", "second", "lines", "said"),
    [
        (range(6), range(6), False, ""),
        (range(6), range(4), False, ""),
        (range(6), range(10, 14), False, ""),
        (range(6), range(1, 7), False, "have 5 ids of 6 and 6 units in common: parts are resampled together"),
        (range(6), range(10, 16), False, "have 6 units each and no id in common: parts are resampled"),
        (range(6), range(4), True, "have 4 ids of 6 and 4 units in common, by the numbers of lines: parts"),
    ],
)
def test_levels_that_may_number_the_same_units_differently(registry, first, second, lines, said):
    parts = '[[parts]]\nmetric = "segment_pearson"\nfolder = "one"\n[[parts]]\nmetric = "acc_eq"\nfolder = "other"\n'
    rules = profile(registry, parts, test='""')
    warnings = qeframe.evaluate(rules, levels(first, second, lines), registry=registry).warnings
    expected = [f"en-de: one and other {said}"] if said else []
    assert [each[: len(expected[0])] if said else each for each in warnings if " in common" in each] == expected
