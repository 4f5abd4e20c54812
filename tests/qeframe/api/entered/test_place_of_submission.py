"""Which place an entered submission takes, in numbers and in words."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.saved import evaluation_from_json
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores

UNITS = 60
RNG = np.random.default_rng(8)
GOLD = RNG.normal(size=UNITS).round(6)
OTHERS = {f"S{nth}": GOLD + (nth + 1) / 3 * RNG.normal(size=UNITS) for nth in range(4)}
MINE = (1.3 * (GOLD + 0.8 * RNG.normal(size=UNITS))).round(6)


def made(*settings, mine=MINE, **more):
    batches = {Submission(name): Scores.from_plain(GOLD, answers) for name, answers in OTHERS.items()}
    task = Task(name="t", batches=batches, numbered_from=1)
    return task, qeframe.evaluate("qe_sentence", task, settings=["interval=", *settings], enter={"mine": mine}, **more)


def test_influential_units_are_those_of_scores_without_each():
    """The slow way: every unit is taken out of every submission, and the ranks are counted."""
    _, found = made("test=")
    (place,) = found.entered
    scores, ranks = [], []
    for unit in range(UNITS):
        kept = np.delete(np.arange(UNITS), unit)
        r = {name: np.corrcoef(GOLD[kept], answers[kept])[0, 1] for name, answers in {**OTHERS, "mine": MINE}.items()}
        scores.append(r["mine"])
        ranks.append(1 + sum(r[name] > r["mine"] for name in OTHERS))
    changes = np.array(ranks) != place.rank
    moves = np.abs(np.array(scores) - np.corrcoef(GOLD, MINE)[0, 1])
    order = sorted(range(UNITS), key=lambda unit: (not changes[unit], -moves[unit]))[:5]
    assert place.changing == changes.sum()
    assert [each.unit.name for each in place.influential] == [str(unit + 1) for unit in order]
    assert [each.rank for each in place.influential] == [ranks[unit] for unit in order]
    assert [each.score for each in place.influential] == pytest.approx([scores[unit] for unit in order])


def test_the_valid_rules_give_a_rank_set_where_those_of_the_profile_do_not():
    """The slow way: the profile with the valid rules."""
    _, found = made("test=jackknife", "sided=two", "correction=none")
    (place,) = found.entered
    assert place.rank_set is None
    _, valid = made("test=valid")
    (by_valid,) = valid.entered
    assert by_valid.valid is None
    assert (place.valid.rank_set, place.valid.beats, place.valid.beaten_by) == (
        by_valid.rank_set,
        *(tuple(names) for names in by_valid.standing()[:2]),
    )
    assert place.valid.test == by_valid.comparisons[0].test


def test_copies_are_noticed():
    for mine, said in ((GOLD, "t: mine equals the gold in all 60 values"), (OTHERS["S2"], "t: mine equals S2 in all")):
        _, found = made(mine=mine)
        assert [text for text in found.warnings if text.startswith(said)] != []
    task, found = made()
    assert found.warnings == qeframe.evaluate("qe_sentence", task, settings=["interval="]).warnings


def test_ranks_by_task_and_a_submission_that_lacks_one():
    task, _ = made("test=")
    tasks = [task, attrs.evolve(task, name="u")]
    both = qeframe.evaluate(
        "qe_sentence", tasks, settings=["test=", "interval="], enter={"mine": {"t": MINE, "u": GOLD}}
    )
    assert both.entered[0].ranks == {"t": both.entered[0].ranks["t"], "u": 1}
    half = qeframe.evaluate("qe_sentence", tasks, settings=["interval="], enter={"mine": {"u": GOLD}})
    (place,) = half.entered
    assert (place.absent, place.ranks, place.gains) == (("t",), {"u": 1}, ())
    assert {pair.task for pair in place.comparisons} == {"u"}
    (scored,) = [each for each in half.submissions if each.name == "mine"]
    assert scored.absent == ("t",)
    ranked = [each for each in half.submissions if each.kind != "entered"]
    assert repr(ranked) == repr(list(qeframe.evaluate("qe_sentence", tasks, settings=["interval="]).submissions))


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
