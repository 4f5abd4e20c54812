"""What the winner of an evaluation could have gained without being better."""

import functools

import attrs
import numpy as np
import pytest

from qeframe.api.evaluate import evaluate
from qeframe.api.read import choose_profile
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task
from qeframe.gaming.winner import winner_audit
from qeframe.kinds.scores.batch import Scores


def made_task(name, seed, *, spread):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=400)
    answers = {"wide": spread * (gold + rng.normal(0, 0.8, 400)), "poor": rng.normal(0, 5, 400)}
    return Task(name=name, batches={Submission(who): Scores.from_plain(gold, each) for who, each in answers.items()})


def audited(tasks, registry, *settings):
    rules = choose_profile("qe_sentence", ["interval=", "test=", *settings], registry)
    evaluation = evaluate(rules, tasks, registry=registry)
    scored = functools.partial(evaluate, registry=registry)
    return evaluation, winner_audit(rules, tasks, evaluation, scored, seed=0, registry=registry)


def test_answers_that_are_too_wide_gain_by_shrinking_under_mae_alone(registry):
    tasks = [made_task("a", 1, spread=2), made_task("b", 2, spread=2)]
    evaluation, found = audited(tasks, registry, "primary=mae", "best=high")
    assert (found["winner"], found["second"], found["of"]) == ("wide", "poor", 2)
    assert found["score"] == next(s for s in evaluation.submissions if s.name == "wide").scores["mae"].value
    best = found["attacks"][0]
    assert best["manner"] == "cosmetic"
    assert best["gain"] == pytest.approx(found["score"] - best["score"])
    assert best["gain"] > 0.3
    by_name = {each["attack"]: each for each in found["attacks"]}
    assert by_name["constant_median"]["rank"] == 1  # better than answers that are twice too wide
    _, pearson = audited(tasks, registry, "primary=pearson")
    assert all(each["gain"] < 0.01 for each in pearson["attacks"])
    assert "constant_median" in pearson["failed"]
    assert {each["attack"]: each["rank"] for each in pearson["attacks"]}["reversed_ranking"] == 3


def test_attacks_and_partial_submissions_are_no_winners(registry):
    task = made_task("a", 1, spread=1)
    exact = Scores.from_plain(task.batches[Submission("wide")].gold, task.batches[Submission("wide")].gold)
    attacked = attrs.evolve(task, batches={**task.batches, Submission("oracle", "attack"): exact})
    partial = attrs.evolve(task, name="b")
    both = [attrs.evolve(attacked, batches={**attacked.batches, Submission("half"): exact}), partial]
    _, found = audited(both, registry, "primary=pearson")
    assert found["winner"] == "wide"
    assert found["of"] == 2
    assert found["lead"] > 0


def test_a_task_set_and_a_result_without_ranks_are_refused(registry):
    parts = choose_profile("wmt23_metrics", (), registry)
    task = made_task("a", 1, spread=1)
    rules = choose_profile("qe_sentence", ["interval=", "test="], registry)
    with pytest.raises(DataError, match="is a task set"):
        winner_audit(parts, [], evaluate(rules, [task], registry=registry), evaluate, seed=0, registry=registry)
    gold = task.batches[Submission("wide")].gold
    flat = attrs.evolve(task, batches={Submission("flat"): Scores.from_plain(gold, np.ones(400))})
    with pytest.raises(DataError, match="no submission is ranked"):
        audited([flat], registry)
