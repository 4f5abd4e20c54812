"""What an evaluation has besides scores, comparisons and ranks."""

import attrs
import numpy as np

import qeframe
from qeframe.additions.added import on_untested_winners, with_additions
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
    rng = np.random.default_rng(1)
    gold = rng.normal(size=60)
    noise = {"first": 0.5, "near": 0.51, "far": 3.0}
    batches = {Submission(n): Scores.from_plain(gold, gold + sd * rng.normal(size=60)) for n, sd in noise.items()}
    found = qeframe.evaluate("qe_sentence", Task(name="t", batches=batches), settings=["interval="])
    assert {each.name for each in found.submissions if each.winner} == {"first", "near"}
    assert not list(on_untested_winners(found.submissions, found.comparisons)), "a test did not tell them apart"
    untested = [attrs.evolve(each, p=np.nan, reason="no error") for each in found.comparisons]
    (warning,) = on_untested_winners(found.submissions, untested)
    assert warning == "among the winners only because the difference could not be tested: near; no error"
