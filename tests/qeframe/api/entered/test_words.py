"""Sentences on an entered submission."""

import math

import attrs
import pytest

from qeframe.api.entered.words import place_in_words
from qeframe.core.components.supplement import Unit
from qeframe.core.evaluation.result import AttackGain, Comparison, Entered, InfluentialUnit, ValidPlace


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
    assert place_in_words(entered)[0] == (
        "mine takes rank 2 of 4; by the tests its rank is 2 to 3. It beats 1 (B) and is beaten by 1 (A); "
        "no difference from 1 (C) was found. By part: x beats 1, is beaten by 0."
    )
    one = Entered(name="mine", rank=1, of=1, rank_set=(1, 1), comparisons=(comparison("mine", "B"),), ranks={"x": 1})
    assert place_in_words(one)[0] == (
        "mine takes rank 1 of 2; by the tests its rank is 1. It beats 1 (B) and is beaten by none; "
        "it was told apart from all. By part: x rank 1."
    )
    partial = Entered(name="mine", rank=4, of=3, absent=("y",), comparisons=entered.comparisons[3:], ranks={"x": 1})
    assert place_in_words(partial)[0] == (
        "mine is not in y, so that it is listed apart over all tasks. By part: x rank 1, beats 1, is beaten by 0."
    )


def test_many_names_are_counted():
    pairs = tuple(comparison("mine", f"S{number}") for number in range(12))
    assert (
        "12 (S0, S1, S2, S3, S4, S5, S6, S7 and 4 more)"
        in place_in_words(Entered(name="mine", rank=1, of=12, comparisons=pairs))[0]
    )


@pytest.mark.parametrize("pairs", [(), (comparison("mine", "A", p=math.nan, significant=False),)])
def test_without_a_test(pairs):
    assert place_in_words(Entered(name="mine", rank=1, of=2, comparisons=pairs)) == (
        "mine takes rank 1 of 3; no difference was tested.",
    )


def test_more_sentences():
    unit = InfluentialUnit(unit=Unit(task="en-de", name="7"), score=0.25, rank=3)
    gain = AttackGain(attack="shrink", summary="s", setting="factor=0.5", score=0.5, gain=0.25, rank=1)
    valid = ValidPlace(test="t", sided="two", correction="c", rank_set=(1, 2), beats=("A",))
    place = Entered(name="mine", rank=2, of=3, valid=valid, influential=(unit,), unit="segment", gains=(gain,))
    assert place_in_words(place)[1:] == (
        "By rules that limit the chance of a false claim (t, two-sided, correction c) it beats 1 and is beaten by 0; "
        "by the tests its rank is 1 to 2.",
        "No single segment changes its rank; without segment 7 of en-de, which moves its score most, the score is "
        "0.25.",
        "By one of 1 known transformations of its answers (shrink, factor=0.5) it would gain 0.25 and take rank 1.",
    )
    changing = place_in_words(attrs.evolve(place, changing=4, gains=(attrs.evolve(gain, gain=0.0),)))[1:]
    assert changing[1] == "Without any one of 4 segments, such as segment 7 of en-de, it would take another rank (3)."
    assert changing[2].endswith("which add no information, would gain anything.")
    assert len(place_in_words(Entered(name="mine", rank=1, of=2))) == 1
