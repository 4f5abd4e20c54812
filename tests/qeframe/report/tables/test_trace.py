"""A trace of a number: what it adds up to, and what set the rank."""

import math
import re

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import Submission, Task, profile_from_toml
from qeframe.kinds.scores.batch import Scores
from qeframe.report.tables.trace import trace, trace_lines


@pytest.fixture(scope="module")
def evaluation():
    rng = np.random.default_rng(4)
    tasks = []
    for name in ("en-de", "ro-en", "si-en"):
        gold = rng.normal(size=70)
        answers = {each: gold + sigma * rng.normal(size=70) for each, sigma in (("a", 0.2), ("b", 0.6), ("c", 0.7))}
        batches = {Submission(each): Scores.from_plain(gold, values) for each, values in answers.items()}
        tasks.append(Task(name=name, batches=batches))
    return qeframe.evaluate("qe_sentence", tasks)


def test_the_shares_and_scores_add_up(evaluation):
    for name in ("a", "b", "c"):
        for metric in evaluation.metrics:
            traced = trace(evaluation, name, metric)
            assert traced.sum == pytest.approx(traced.result.value)
            assert sum(task.share for task in traced.tasks) == pytest.approx(1)


def test_the_rank_set_follows_from_the_comparisons(evaluation):
    for name in ("a", "b", "c"):
        traced = trace(evaluation, name)
        worse = sum(pair.significant and pair.b == name for pair in traced.comparisons)
        better = sum(pair.significant and pair.a == name for pair in traced.comparisons)
        assert traced.scored.rank_set == (1 + worse, traced.ranked - better)
        assert len(traced.comparisons) == 2
        assert len(traced.ahead) == traced.scored.rank - 1


def test_without_a_correction_no_p_is_adjusted(evaluation):
    assert any(
        line.endswith("significant: adjusted p < 0.05") for line in trace_lines(trace(evaluation, "a"), evaluation)
    )
    rules = {**evaluation.signature.rules, "correction": "none"}
    plain = attrs.evolve(evaluation, signature=attrs.evolve(evaluation.signature, rules=rules))
    lines = trace_lines(trace(plain, "a"), plain)
    assert any(line.endswith("correction none; significant: p < 0.05") for line in lines)
    assert not any("adjusted" in line for line in lines)


def test_an_aggregate_that_is_no_sum(evaluation):
    rng = np.random.default_rng(5)
    gold = rng.normal(size=50)
    batches = {Submission(str(i)): Scores.from_plain(gold, gold + i * rng.normal(size=50)) for i in (1, 2)}
    tasks = [Task(name=name, batches=batches) for name in ("x", "y")]
    found = qeframe.evaluate("qe_sentence", tasks, settings=["across=average_rank"])
    assert math.isnan(trace(found, "1").sum)
    assert any("average_rank = 1" in line for line in trace_lines(trace(found, "1"), found))


def test_tasks_made_by_hand_have_no_files(evaluation):
    traced = trace(evaluation, "a")
    assert (traced.own, traced.others) == ((), ())
    assert any("the result names none" in line for line in trace_lines(traced, evaluation))


def test_a_pair_that_the_exchange_alone_tested_has_its_p():
    gold = np.arange(20.0)
    noisy = gold + np.random.default_rng(1).normal(size=20) * 5
    batches = {Submission(n): Scores.from_plain(gold, of) for n, of in (("perfect", 2 * gold), ("noisy", noisy))}
    found = qeframe.evaluate("qe_sentence", Task(name="t", batches=batches), settings=["interval="])
    lines = "\n".join(trace_lines(trace(found, "perfect"), found))
    assert re.search(r"p [.<\d]+, adjusted [.<\d]+, by the exchange of answers alone: ", lines), lines
    (warning,) = [each for each in found.warnings if "exchange of answers alone" in each]
    assert "cannot be tested" not in warning


def test_a_part_says_how_it_is_scaled(registry):
    rng = np.random.default_rng(6)
    gold = rng.normal(size=40)
    batches = {Submission(str(i)): Scores.from_plain(gold, gold + i * rng.normal(size=40)) for i in (1, 2)}
    text = '[[parts]]\nmetric = "pearson"\n[[parts]]\nmetric = "mae"\nscale = [4, 0]\n'
    text = f'title = "t"\nreader = "qe_sentence"\nbest = "high"\ntest = ""\n{text}'
    rules = profile_from_toml(text, "own.toml", "own", registry)
    found = qeframe.evaluate(rules, Task(name="en-de", batches=batches))
    traced = trace(found, "1")
    assert [task.scale for task in traced.tasks] == [(-1.0, 1.0), (4.0, 0.0)]
    for task in traced.tasks:
        worst, best = task.scale
        assert task.scaled == pytest.approx((task.result.value - worst) / (best - worst))
    lines = "\n".join(trace_lines(traced, found))
    assert "scaled from -1..1 to 0..1: " in lines
    assert "scaled from 4..0 to 0..1: " in lines
