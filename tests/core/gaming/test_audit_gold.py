"""The golds that attacks are tried on."""

import numpy as np
import pytest

from qeframe.batches.scores import Scores, Values
from qeframe.components.metric import Metric
from qeframe.errors import DataError
from qeframe.gaming.audit_gold import QUALITIES, AuditGold, audit_golds_of, generated_audit_gold, generator
from qeframe.tasks.task import Submission, Task


def test_sizes_grow_fourfold_up_to_all_units():
    batch = Scores.from_plain(np.arange(100.0), np.arange(100.0))
    assert AuditGold(name="a", description="", batch=batch).sizes() == [100]
    gold = AuditGold(name="a", description="", batch=batch, least=7)
    assert gold.sizes() == [7, 28, 100]
    assert len(gold.first(7)) == 7
    assert gold.first(100) is batch
    assert [len(each) for each in gold.honest(28, 0)] == [28] * len(QUALITIES)


def test_a_generator_depends_on_the_seed_and_the_names():
    assert generator(1, "a", "b").random() == generator(1, "a", "b").random()
    assert len({generator(1, "a").random(), generator(2, "a").random(), generator(1, "b").random()}) == 3


def test_the_generated_gold_has_a_description():
    gold = generated_audit_gold(Scores, 0)
    assert (gold.name, gold.description) == ("generated Scores", "8000 scores from beta(1.2, 3.2), low is good")
    with pytest.raises(DataError, match="there is no generated gold for metrics on Values"):
        generated_audit_gold(Values, 0)


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
