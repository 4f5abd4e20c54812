"""What an entered submission would gain by known transformations of its answers."""

import attrs
import numpy as np
import pytest

import qeframe
from tests.qeframe.api.entered.test_places import GOLD, MINE, OTHERS, made


def test_gains_are_those_of_transformed_answers():
    """Under the mean absolute error answers that are too wide gain by shrinking: the slow way is to shrink them."""
    _, found = made("test=", "primary=mae")
    (place,) = found.entered
    best = place.gains[0]
    assert best.attack in {"shrink", "shift_and_scale"}
    own = np.abs(GOLD - MINE).mean()
    for each in (each for each in place.gains if each.attack == "shrink"):
        factors = [float(setting.partition("=")[2]) for setting in each.setting.split(" or ")]
        errors = [np.abs(GOLD - (MINE.mean() + factor * (MINE - MINE.mean()))).mean() for factor in factors]
        assert each.score == pytest.approx(max(errors))
        assert each.gain == pytest.approx(own - max(errors))
        assert each.rank == 1 + sum(np.abs(GOLD - other).mean() < max(errors) for other in OTHERS.values())
    assert list(place.gains) == sorted(place.gains, key=lambda each: (-each.gain, each.attack))
    assert [gain.gain for gain in made("test=", "primary=pearson")[1].entered[0].gains if gain.attack == "shrink"] == [
        0
    ]


def test_a_task_without_submissions_changes_nothing():
    task, found = made("test=", "primary=mae")
    empty = attrs.evolve(task, name="u", batches={})
    enter = {"mine": {"t": MINE}}
    both = qeframe.evaluate("qe_sentence", [task, empty], settings=["interval=", "test=", "primary=mae"], enter=enter)
    assert both.entered[0].gains == found.entered[0].gains
    assert both.entered[0].absent == ()
