"""What the kinds of batch share."""

import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import find, given

from qeframe.core.batch import Batch
from qeframe.core.batch_kind import REGISTERED
from qeframe.core.errors import PluginError
from qeframe.kinds.answers import correlated, gold_handed_in, rescaled, with_predicted, with_worst_answer
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.drawing import few, fixed_numbers, numbers, rows_of, whole, whole_numbers
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.hooks import qeframe_kinds
from qeframe.kinds.rare_classes import rare_class_warning
from qeframe.kinds.registered import kind_of, registered_kinds
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.testing.laws.metric import score
from tests.outcome import failure
from tests.qeframe.core.components.made_plugins import empty_but, plugin

BATCH = Scores.from_plain([0.0, 1.0, 4.0], [1.0, 2.0, 3.0])


def test_other_answers_on_the_same_gold():
    assert with_predicted(BATCH, np.zeros(3)).predicted.tolist() == [0, 0, 0]
    assert gold_handed_in(BATCH).predicted.tolist() == [0, 1, 4]
    assert rescaled(BATCH, -2.0, 1.0).tolist() == [-4, -6, -8]
    assert BATCH.predicted.tolist() == [1, 2, 3]


def test_the_worst_answer_is_within_the_range_of_the_others():
    assert with_worst_answer(2, BATCH, BATCH.gold).tolist() == [1, 2, 1]
    assert with_worst_answer(0, BATCH, BATCH.gold).tolist() == [3, 2, 3]


@pytest.mark.parametrize("quality", [0.0, 0.6, 1.0])
def test_answers_of_a_quality_correlate_that_much(quality):
    rng = np.random.default_rng(1)
    gold = rng.normal(size=20_000)
    answers = correlated(Scores.from_plain(gold, gold), quality, rng).predicted
    assert np.corrcoef(gold, answers)[0, 1] == pytest.approx(quality, abs=0.02)


def test_missing_cells_stay_missing():
    cells = np.array([[1.0, np.nan], [2.0, 3.0]])
    answers = correlated(Grid.from_plain(cells, cells), 0.5, np.random.default_rng(1)).predicted
    assert np.isnan(answers).tolist() == [[False, True], [False, False]]


def test_fixed_numbers_are_eighths_within_their_ends_and_always_the_same():
    drawn = fixed_numbers(Random("x"), 200, low=-8, high=24)
    assert drawn == fixed_numbers(Random("x"), 200, low=-8, high=24)
    assert (min(drawn), max(drawn)) == (-1.0, 3.0)
    assert all(float(8 * number).is_integer() for number in drawn)


def test_whole_numbers_reach_both_ends():
    rng = Random(1)
    assert {whole(rng, 2, 4) for _ in range(100)} == {2, 3, 4}


@given(numbers(4, ties=False))
def test_numbers_without_ties(drawn):
    assert len(set(drawn.tolist())) == 4


@given(numbers(3, constant=False))
def test_numbers_that_are_not_constant(drawn):
    assert drawn.min() < drawn.max()


@given(rows_of([2, 0, 3], -2, 3))
def test_rows_have_their_lengths(drawn):
    assert [len(row) for row in drawn] == [2, 0, 3]
    assert {number for row in drawn for number in row} <= set(range(-2, 4))


def test_what_is_drawn_has_both_ends_and_ties_and_shrinks_to_zero():
    assert find(rows_of([], 0, 1), lambda drawn: True) == []
    assert find(few(1), lambda drawn: drawn[0] == 3) == 3
    assert find(numbers(2), lambda drawn: drawn[0] == drawn[1]).shape == (2,)
    assert find(whole_numbers(2, -80, 80), lambda drawn: drawn[0] == -80).tolist() == [-80, 0]
    assert find(whole_numbers(2, -80, 80), lambda drawn: drawn[1] > 7).tolist() == [0, 8]
    assert find(whole_numbers(2, 1, 3), lambda drawn: drawn[1] == 3).tolist() == [1, 3]


# The kinds of batch that come with qeframe.
def test_each_class_has_one_kind(registry):
    kinds = [entry.component for entry in registry.kinds.values()]
    assert len({kind.batch for kind in kinds}) == len(kinds) == len(qeframe_kinds()) == 11
    assert all(registry.kind_of(kind.batch) is kind for kind in kinds)
    assert registry.find_kind(Batch) is None
    assert set(kinds) <= set(registered_kinds())


def test_a_kind_is_imported_when_its_batches_are_used():
    code = (
        "import sys, qeframe\n"
        "qeframe.score('mae', [1, 2, 3], [1, 2, 4])\n"
        "kinds = {name for name in sys.modules if name.startswith('qeframe.kinds.') and name.count('.') > 2}\n"
        "assert kinds == {'qeframe.kinds.scores.batch'}, kinds\n"
        "qeframe.audit('mae', claims=False, attacks=['constant_mean'])\n"
        "assert 'qeframe.kinds.scores.kind' in sys.modules\n"
        "assert not {'qeframe.kinds.texts.batch', 'qeframe.kinds.spans.kind'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_place_that_has_no_such_kind_is_refused_when_it_is_used(registry, monkeypatch):
    monkeypatch.setitem(REGISTERED, "Batch", [])  # the kinds of other tests stay as they are
    for place, said in {
        "Batch = qeframe.kinds.scores.kind:KIND": "names the place of 'Batch', and what is there has the name 'Scores'",
        "Batch = qeframe.kinds.scores.kind:_plain": "hook qeframe_kinds must return values of type BatchKind, not",
        "Batch = qeframe.kinds.nowhere:KIND": "cannot be imported: ModuleNotFoundError",
    }.items():
        line = failure(PluginError, empty_but(own=plugin(qeframe_kinds=[place])).find_kind, Batch)
        assert line.startswith("plugin 'own' of distribution '(given)'")
        assert said in line


# The probe metrics of kinds of numbers, against numpy.
def test_the_probes_are_a_mean_and_a_correlation():
    mean, correlation = (kind_of(kind).probe for kind in (Values, Scores))
    gold, predicted = [1.0, 2.0, 4.0], [0.0, 2.0, 1.0]
    assert score(mean, Values.from_plain(None, predicted)) == 1.0
    assert score(correlation, Scores.from_plain(gold, predicted)) == pytest.approx(np.corrcoef(gold, predicted)[0, 1])
    assert np.isnan(score(correlation, Scores.from_plain(gold, [1.0, 1.0, 1.0])))


# What is said of scores of a class that few units have.
@pytest.mark.parametrize(
    ("members", "total", "units", "warned"),
    [(2, 100, 49, True), (2, 100, 50, False), (5, 100, 49, False), (4, 100, 10, True)],
)
def test_rare_classes_in_few_units(members, total, units, warned):
    remark = rare_class_warning("tags are BAD", members, total, units)
    assert remark.startswith(f"{members:.1f} % of the tags are BAD, in {units} units") is warned
    assert bool(remark) is warned


def test_tags_and_detections_with_a_rare_class():
    few = [["OK"] * 20] * 9 + [["OK"] * 19 + ["BAD"]]
    assert "tags are BAD" in Tags.from_plain(few, few).gold_warning()
    assert Tags.from_plain(few * 5, few * 5).gold_warning() == ""
    rare = [1] + [0] * 30
    assert "units are positive" in Detections.from_plain(rare, rare).gold_warning()


# Shares of tokens and characters that are marked as errors, against counting by hand.
def shares(batch):
    numbers = batch.unit_numbers()
    return numbers.gold, numbers.answers, numbers.gaps


def test_tags():
    batch = Tags.from_plain([["OK", "BAD", "BAD", "OK"], ["OK"]], [["OK", "OK", "BAD", "BAD"], ["BAD"]])
    gold, predicted, gaps = shares(batch)
    assert gold.tolist() == [50.0, 0.0]
    assert predicted.tolist() == [50.0, 100.0]
    assert gaps.tolist() == [50.0, 100.0]


def by_hand(spans, length):
    marked = [any(start <= at < end for start, end, *_ in spans) for at in range(length)]
    return np.array(marked, dtype=bool)


def test_spans_that_overlap_touch_repeat_or_are_empty():
    gold = [[(0, 2, "minor"), (1, 4, "major")], [], [(2, 2, "minor"), (3, 5, "minor"), (3, 5, "minor")]]
    predicted = [[(2, 6, "major")], [(0, 3, "minor")], []]
    lengths = [10, 3, 5]
    found = shares(Spans.from_plain(gold, predicted, text=lengths))
    sides = [[by_hand(row, n) for row, n in zip(side, lengths, strict=True)] for side in (gold, predicted)]
    assert found[0] == pytest.approx([100 * each.mean() for each in sides[0]])
    assert found[1] == pytest.approx([100 * each.mean() for each in sides[1]])
    assert found[2] == pytest.approx([100 * (a != b).mean() for a, b in zip(*sides, strict=True)])


def test_empty_segments_and_texts_of_unknown_lengths_have_no_shares():
    gold, predicted, gaps = shares(Spans.from_plain([[], []], [[], []], text=[0, 4]))
    assert np.isnan([gold[0], predicted[0], gaps[0]]).all()
    assert [gold[1], predicted[1], gaps[1]] == [0.0, 0.0, 0.0]
    assert Spans.from_plain([[(0, 1, "minor")]], [[]]).unit_numbers() is None
