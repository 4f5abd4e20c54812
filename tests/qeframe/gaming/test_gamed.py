"""How far a metric can be gamed on given tasks, in few words."""

import numpy as np
import pytest

from qeframe.core.tasks.task import Submission, Task
from qeframe.gaming.audit import Audit, AuditedMetric, audit
from qeframe.gaming.gamed import gamed_on_tasks
from qeframe.gaming.index import Attacked
from qeframe.kinds.scores.batch import Scores, Values


def task(units=60):
    rng = np.random.default_rng(0)
    gold = rng.normal(size=units)
    answers = {f"S{i}": gold + noise * rng.normal(size=units) for i, noise in enumerate((0.5, 1.0, 3.0))}
    return Task(name="t", batches={Submission(name): Scores.from_plain(gold, each) for name, each in answers.items()})


def attacked(name, index, *, kind="blind", error=0.01, rank=2):
    return Attacked(
        attack=name, kind=kind, knowledge="", score=0, base=0, perfect=1, index=index, error=error, rank=rank
    )


@pytest.fixture
def found(monkeypatch):
    """Return what is found of an audit with these attacks."""

    def of(*attacks, low=0.1, index=0.2):
        audited = AuditedMetric(metric="m", gaming_index=index, low=low, high=0.3, attacks=attacks)
        monkeypatch.setattr("qeframe.gaming.gamed.audit", lambda *_, **__: Audit(gold={}, metrics=(audited,)))
        return gamed_on_tasks("m", [task()])

    return of


def test_worthless_answers_have_an_index_an_attack_and_a_rank():
    found = gamed_on_tasks("mae", [task()])
    (audited,) = audit("mae", task(), claims=False).metrics
    assert (found.index, found.low, found.high) == (audited.gaming_index, audited.low, audited.high)
    assert "constant_median" in found.attacks
    assert (found.blind, found.rank, found.submissions) == (True, 2, 3)  # S2 errs more than a constant


def test_attacks_as_good_as_the_best_one_are_named_in_order_and_the_best_rank_counts(found):
    alike = [attacked("b", 0.2, rank=4), attacked("a", 0.19, rank=3), attacked("c", 0.1), attacked("d", np.nan)]
    told = found(*alike)
    assert (told.attacks, told.rank) == (("a", "b"), 3)
    assert found(*alike[::-1]) == told


def test_an_index_that_may_be_0_names_no_attack_and_no_rank(found):
    told = found(attacked("a", 0.2), low=0.0)
    assert (told.index, told.attacks, told.rank, told.blind) == (0.2, (), None, False)


def test_what_transforms_the_best_submission_has_no_rank_of_worthless_answers(found):
    told = found(attacked("a", 0.2, kind="cosmetic", rank=1), attacked("i", 0.9, kind="informed"))
    assert (told.attacks, told.rank, told.blind) == (("a",), None, False)


def test_a_metric_without_a_gold_side_or_an_index_cannot_be_gamed(found):
    values = Task(name="t", batches={Submission(name): Values.from_plain(None, [0.1, 0.2, 0.4]) for name in "ab"})
    assert gamed_on_tasks("mean", [values]) is None
    assert found(attacked("a", np.nan), index=np.nan) is None
