"""Where an entered submission stands, in words."""

import math

import pytest

import qeframe
from qeframe.api.saved import evaluation_from_json
from qeframe.core.evaluation.result import Comparison, Entered
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores


def comparison(a, b, task="", *, significant=True, p=0.01):
    return Comparison(
        a=a,
        b=b,
        metric="m",
        task=task,
        test="t",
        sided="two",
        difference=0.1,
        p=p,
        p_adjusted=p,
        significant=significant,
        least_p=0.0,
    )


def test_two_sentences_and_one_on_parts():
    pairs = [comparison("A", "mine"), comparison("mine", "B"), comparison("mine", "C", significant=False)]
    entered = Entered(name="mine", rank=2, of=3, rank_set=(2, 3), comparisons=(*pairs, comparison("mine", "A", "x")))
    assert entered.in_words == (
        "mine takes rank 2 among 3 others; by the tests its rank is 2 to 3. It beats 1 (B) and is beaten by 1 (A); "
        "no difference from 1 (C) was found. By part it beats, and is beaten by: x 1 and 0."
    )
    one = Entered(name="mine", rank=1, of=1, rank_set=(1, 1), comparisons=(comparison("mine", "B"),))
    assert "its rank is 1. It beats 1 (B) and is beaten by none; no difference from none was found." in one.in_words


def test_many_names_are_counted():
    pairs = tuple(comparison("mine", f"S{number}") for number in range(12))
    assert (
        "12 (S0, S1, S2, S3, S4, S5, S6, S7 and 4 more)"
        in Entered(name="mine", rank=1, of=12, comparisons=pairs).in_words
    )


@pytest.mark.parametrize("pairs", [(), (comparison("mine", "A", p=math.nan, significant=False),)])
def test_without_a_test(pairs):
    assert Entered(name="mine", rank=1, of=2, comparisons=pairs).in_words == (
        "mine takes rank 1 among 2 others; its differences were not tested."
    )


def test_a_result_that_was_written_is_read_again():
    gold = [0.1, 0.2, 0.4, 0.3, 0.6, 0.9]
    task = Task(
        name="t",
        batches={
            Submission("A"): Scores.from_plain(gold, [0.2, 0.1, 0.4, 0.5, 0.6, 0.7]),
            Submission("B"): Scores.from_plain(gold, [0.5, 0.1, 0.4, 0.2, 0.6, 0.3]),
        },
    )
    found = qeframe.evaluate("qe_sentence", task, enter={"mine": [0.1, 0.3, 0.2, 0.5, 0.4, 0.6]})
    assert evaluation_from_json(found.to_json()).entered == found.entered
    untested = qeframe.evaluate("qe_sentence", task, settings=["test="], enter={"mine": gold})
    assert untested.entered[0].comparisons == ()
