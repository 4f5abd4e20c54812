"""The rank that a submission takes when it is entered alone."""

import numpy as np
import pytest

import qeframe
from qeframe import Result, Submission, Task
from qeframe.assembly.places import enter_alone
from qeframe.plugin import Scores


@pytest.mark.parametrize(("oriented", "rank"), [(4.0, 1), (3.0, 1), (2.5, 2), (1.0, 2), (0.0, 3), (np.nan, 3)], ids=str)
def test_only_better_scores_are_ahead_and_all_defined_ones_of_an_undefined_score(oriented, rank):
    others = np.array([3.0, 1.0, np.nan])
    scores = {"m": Result(value=oriented)}
    scored = enter_alone(Submission("thief", "attack"), scores, oriented, others)
    assert (scored.name, scored.kind, scored.rank, scored.cluster) == ("thief", "attack", rank, None)
    assert scored.scores == scores


def test_a_score_that_is_equal_but_for_rounding_is_not_ahead():
    others = np.array([0.5 + 1e-16, 0.5, 0.7])
    assert enter_alone(Submission("h", "human"), {}, 0.5 - 1e-16, others).rank == 2


def test_only_the_tasks_of_the_ranked_submissions_count():
    """A human translation that is nearly perfect in a task of its own is last in the task of the others."""
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 40))
    human = Submission("h", "human")

    def batch(gold, sigma):
        return Scores.from_plain(gold, gold + sigma * rng.normal(size=40))

    shared = {Submission("a"): batch(first, 0.3), Submission("b"): batch(first, 0.5), human: batch(first, 9)}
    tasks = [Task(name="en-de", batches=shared), Task(name="en-fr", batches={human: batch(second, 0.01)})]
    scored = {each.name: each for each in qeframe.evaluate("qe_sentence", tasks).submissions}
    result = scored["h"].scores["pearson"]
    assert scored["h"].rank == 3
    assert result.value == result.tasks["en-de"].value < result.tasks["en-fr"].value
