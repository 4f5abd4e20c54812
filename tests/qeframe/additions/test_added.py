"""What an evaluation has besides scores, comparisons and ranks."""

import attrs
import numpy as np

import qeframe
from qeframe.additions.added import with_additions
from qeframe.core.evaluation.run import EvaluationRequest, evaluate_tasks
from qeframe.core.profiles.resolved import resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores


def test_additions_change_no_score_comparison_or_rank(registry):
    rules = Profile(
        reader="none", primary="pearson", secondary=("mae",), test="williams", sided="one", columns=("pearson", "mae")
    )
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    batches = {Submission(name): Scores.from_plain(gold, gold + rng.normal(size=40)) for name in "AB"}
    task = Task(name="t", batches={**batches, Submission("a"): batches[Submission("A")]})
    request = EvaluationRequest(seed=0, registry=registry, additions=lambda evaluation, _: evaluation)
    plain = evaluate_tasks(resolve(rules, registry, reads=False), [task], request)
    whole = qeframe.evaluate(rules, task, registry=registry)
    assert (plain.warnings, plain.valid_clusters, plain.metrics) == ((), None, ("pearson", "mae"))
    assert any("look alike" in warning for warning in whole.warnings)
    assert whole.valid_clusters is not None
    assert whole.metrics == (*plain.metrics, "average_rank")
    taken_back = [
        attrs.evolve(each, scores={name: each.scores[name] for name in plain.metrics}) for each in whole.submissions
    ]
    assert tuple(taken_back) == plain.submissions
    assert whole.comparisons == plain.comparisons
    again = evaluate_tasks(
        resolve(rules, registry, reads=False), [task], attrs.evolve(request, additions=with_additions)
    )
    assert again.to_json() == whole.to_json()


def test_winners_for_want_of_a_test_are_named():
    gold = np.random.default_rng(1).normal(size=40)
    worse = gold + np.random.default_rng(2).normal(size=40)
    batches = {Submission("perfect"): gold, Submission("worse"): worse}
    task = Task(name="t", batches={each: Scores.from_plain(gold, values) for each, values in batches.items()})
    settings = ["test=bootstrap_t(draws=99)", "correction=none", "interval="]
    found = qeframe.evaluate("qe_sentence", task, settings=settings)
    assert all(each.winner for each in found.submissions)
    warnings = [each for each in found.warnings if each.startswith("among the winners only because")]
    assert len(warnings) == 1
    assert "could not be tested: worse; a score is undefined, or perfect" in warnings[0]
    tested = qeframe.evaluate("qe_sentence", task, settings=["correction=none", "interval="])
    assert not any("among the winners" in each for each in tested.warnings)
