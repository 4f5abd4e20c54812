"""The golds that attacks are tried on."""

import numpy as np
import pytest

from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task
from qeframe.gaming.audit_gold import (
    QUALITIES,
    audit_golds_of,
    generate_gold,
    generated_batch,
    generator,
    honest_answers,
)
from qeframe.kinds.scores.batch import Scores, Values


def test_a_generator_depends_on_the_seed_and_the_names():
    assert generator(1, "a", "b").random() == generator(1, "a", "b").random()
    assert len({generator(1, "a").random(), generator(2, "a").random(), generator(1, "b").random()}) == 3


def test_the_generated_gold_has_a_description():
    assert generate_gold(Scores, 0).description == "2000 scores from beta(1.2, 3.2), low is good"
    with pytest.raises(DataError, match="there is no generated gold for metrics on Values"):
        generate_gold(Values, 0)


def test_generated_golds_depend_on_the_seed_and_the_name():
    first = generated_batch(Scores, 0, "measured 0")
    assert np.array_equal(first.gold, generated_batch(Scores, 0, "measured 0").gold)
    assert not np.array_equal(first.gold, generated_batch(Scores, 1, "measured 0").gold)
    assert not np.array_equal(first.gold, generated_batch(Scores, 0, "measured 1").gold)
    assert len(honest_answers(first, 0, "measured 0")) == len(QUALITIES)


def test_golds_of_tasks_and_plain_values(registry):
    mae = registry.get(Metric, "mae")
    (given,) = audit_golds_of([1.0, 2.0, 3.0], mae)
    assert (given.name, given.description, given.real) == ("given", "3 units given", {})
    assert given.batch.predicted.tolist() == [1.0, 2.0, 3.0]
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    task = Task(name="t", batches={Submission("x"): batch, Submission("y", "attack"): batch})
    (of_task,) = audit_golds_of(task, mae)
    assert list(of_task.real) == ["x"]
    assert of_task.batch.predicted.tolist() == [1.0, 2.0]
