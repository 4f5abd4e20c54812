"""Values with labels as answers to units: by label or refused; missing ones are named, or filled as a rule says."""

import attrs
import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.api.entered.entering import Entering
from qeframe.core.task import Submission, Task
from qeframe.plugin import DataError, Detections, Grid, Judgments, Scores
from tests.registered import REGISTRY

MINE = Submission("mine", "entered")
NAMES = {0: "x", 1: "10", 2: "2", 3: "y"}
SYSTEMS = ("A", "B", "C")
RNG = np.random.default_rng(5)
CELLS = RNG.normal(size=(4, 3)).round(3)


def entered(task, value):
    (found,) = Entering.of({"mine": value}, REGISTRY).in_tasks([task])
    return found.batches[MINE].predicted


def scores(ids=(0, 1, 2, 3), **more):
    batch = attrs.evolve(Scores.from_plain([0.1, 0.4, 0.2, 0.9], [1, 2, 3, 4]).take(np.array(ids)), ids=np.array(ids))
    return Task(name="t", batches={Submission("S"): batch}, names=NAMES, **more)


def grid(**more):
    gold = CELLS[::-1].copy()
    gold[2, 1] = np.nan
    batch = Grid.from_plain(gold, CELLS)
    return Task(name="t", batches={Submission("S"): batch}, names=NAMES, systems=SYSTEMS, **more)


def labeled(values=(5.0, 6.0, 7.0, 8.0), names=("x", "10", "2", "y")):
    return pandas.DataFrame({"segment": names, "score": values})


@settings(max_examples=10)
@given(st.permutations(range(4)), st.permutations(range(4)))
def test_a_label_finds_its_unit_in_every_order(rows, units):
    """The oracle is a dictionary from the name of a unit to its answer."""
    frame = labeled().iloc[list(rows)]
    oracle = dict(zip(frame["segment"], frame["score"], strict=True))
    task = scores(units)
    wanted = [oracle[NAMES[unit]] for unit in units]
    indexed = frame.set_index("segment")["score"]
    for value in (frame, indexed, indexed.rename_axis(None), polars.from_pandas(frame), {"t": frame}):
        assert entered(task, value).tolist() == wanted


def test_answers_without_labels_are_in_the_order_of_the_units():
    for value in ([5, 6, 7, 8], np.arange(5, 9), polars.Series([5, 6, 7, 8]), pandas.Series([5, 6, 7, 8])):
        assert entered(scores(), value).tolist() == [5, 6, 7, 8]


def test_an_index_that_counts_rows_is_refused_where_it_may_name_units():
    task = attrs.evolve(scores(), names={0: "1", 1: "0", 2: "2", 3: "3"})
    with pytest.raises(DataError, match=r"the index of 'mine' is 0, 1, 2, .*: rows in order, or the units of task 't'"):
        entered(task, pandas.Series([5.0, 6, 7, 8]))
    assert entered(task, pandas.Series([5.0, 6, 7, 8]).rename_axis("segment")).tolist() == [6, 5, 7, 8]
    assert entered(task, pandas.Series([5.0, 6, 7, 8], index=[0, 1, 3, 2])).tolist() == [6, 5, 8, 7]


def test_lines_name_units_where_there_is_one_for_each_number():
    task = attrs.evolve(scores(), names={0: "1", 1: "3", 2: "4", 3: "6"})
    assert entered(task, [10, 20, 30, 40, 50, 60]).tolist() == [10, 30, 40, 60]
    with pytest.raises(DataError, match=r"'mine' has 5 answers, task 't' has 4 units; .* named 1, 3, 4, .* 6"):
        entered(task, [1, 2, 3, 4, 5])


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            labeled()[:3],
            "'mine' has no answer to segment y of task 't'; complete it; its segments are named x, 10, 2, ... y",
        ),
        (labeled((1, 2, np.nan, 4)), "'mine' has no answer to segment 2 of task 't'"),
        (labeled(names=("x", "10", "2", "z")), "no answer to segment y"),
        (labeled(names=("a", "b", "c", "d")), "no label of 'mine', such as 'a', is a unit of task 't'; its segments"),
        (labeled(names=("x", "10", "2", "2")), "'mine' has unit 2 twice"),
        ([1, 2, 3], "'mine' has 3 answers, task 't' has 4 units"),
        ([1, 2, 3, None], "'mine' has no answer to segment y of task 't'"),
        ([[1], [2], [3], [4]], "the answers of 'mine' cannot be used: predicted values must have one dimension"),
    ],
)
def test_what_does_not_fit_is_refused(value, said):
    with pytest.raises(DataError, match=said):
        entered(scores(), value)


def test_missing_answers_are_the_worst_under_the_rule_of_the_task():
    task = scores(missing="score_as_worst")
    (found,) = Entering.of({"mine": labeled((0.3, 0.8, 0.5, 0.0))[:3]}, REGISTRY).in_tasks([task])
    assert found.batches[MINE].predicted.tolist() == [0.3, 0.8, 0.5, 0.3]
    assert [(each.count, each.reason) for each in found.dropped] == [(1, "missing in 'mine', scored as worst")]
    cells = pandas.DataFrame(CELLS, index=["x", "10", "2", "y"], columns=SYSTEMS)
    cells.loc["10", "B"] = np.nan
    filled = entered(grid(missing="score_as_worst"), cells)
    assert filled[1, 1] == Grid.worst_answers(CELLS[::-1][[1]], cells.to_numpy())[0, 1]
    assert np.delete(filled.ravel(), 4).tolist() == np.delete(CELLS.ravel(), 4).tolist()


def test_answers_to_other_units_are_counted():
    (found,) = Entering.of({"mine": labeled((1, 2, 3, 4, 5), ("x", "10", "2", "y", "z"))}, REGISTRY).in_tasks(
        [scores()]
    )
    assert [(each.count, each.reason) for each in found.dropped] == [(1, "extra in 'mine', not in the gold")]


def test_grids_by_segment_and_system():
    frame = pandas.DataFrame(CELLS, index=pandas.Index(["x", "10", "2", "y"], name="seg"), columns=SYSTEMS)
    long = frame.rename_axis(columns="system").stack().rename("score").reset_index().sample(frac=1, random_state=1)
    more = frame.assign(D=1.0)[["D", "C", "A", "B"]]
    plain = frame.reset_index(drop=True)
    by_system = {name: frame[name].tolist() for name in "CAB"}
    for value in (frame.iloc[::-1], long, more, long.set_index(["system", "seg"])["score"], plain, CELLS, by_system):
        assert entered(grid(), value).tolist() == CELLS.tolist()
    without_gold = frame.copy()
    without_gold.loc["2", "B"] = np.nan
    assert np.isnan(entered(grid(), without_gold)[2, 1])
    for value, said in (
        (
            frame.drop(columns="B"),
            "'mine' has no scores of system 'B' in task 't'; complete it, or leave the system out",
        ),
        (long[:-1], "'mine' has no answer to segment . of system . of task 't'|'mine' has no answer to segment 10"),
        (
            frame.mean().rename_axis("system").rename("score").reset_index(),
            "has scores of systems alone, task 't' is about",
        ),
        (CELLS[:, :2], "cannot be used: length mismatch"),
        ([[1], [2, 3]], "'mine' are no rows of numbers of the same length"),
    ):
        with pytest.raises(DataError, match=said):
            entered(grid(), value)
    with pytest.raises(DataError, match="'mine' names systems, and task 't' does not; give an array"):
        entered(attrs.evolve(grid(), systems=()), frame)


def test_scores_of_systems_are_the_means_of_all_their_segments():
    names = {0: "2", 1: "4"}
    cells = pandas.DataFrame(CELLS, index=pandas.Index([1, 2, 3, 4], name="segment"), columns=SYSTEMS)
    one_row = Task(
        name="t", batches={Submission("S"): Grid.from_plain([[1.0, 2, 3]], [[1.0, 2, 3]])}, systems=SYSTEMS, level="sys"
    )
    means = CELLS.mean(axis=0)
    assert entered(one_row, cells.iloc[::-1]) == pytest.approx(means[None])
    of_systems = cells.mean().rename_axis("system").rename("score")
    for value in (of_systems, of_systems.reset_index(), means):
        assert entered(one_row, value) == pytest.approx(means[None])
    assert entered(attrs.evolve(one_row, averaged=("1", "3")), cells) == pytest.approx(CELLS[[0, 2]].mean(axis=0)[None])
    gold = np.array([[1.0, 2, np.nan], [2.0, 4, 1]])
    both = Task(
        name="t", batches={Submission("S"): Grid.from_plain(gold, gold)}, systems=SYSTEMS, level="sys", names=names
    )
    found = entered(both, cells)
    assert np.nanmean(np.where(np.isnan(gold), np.nan, found), axis=0) == pytest.approx(means)
    assert found[1] - found[0] == pytest.approx(CELLS[3] - CELLS[1])


def test_judgments_have_the_scores_of_both_systems():
    human = np.array([[1, 0, 1], [-1, 2, 0], [0, 1, 2]])
    batch = Judgments.pair(ids=np.arange(3), gold=human, predicted=np.zeros((3, 2)))
    task = Task(name="t", batches={Submission("S"): batch}, systems=SYSTEMS, groups={"segment": ["10", "x", "10"]})
    frame = pandas.DataFrame(CELLS[:2], index=pandas.Index(["x", "10"], name="segment"), columns=SYSTEMS)
    x, ten = CELLS[:2]
    assert entered(task, frame).tolist() == [[ten[0], ten[1]], [x[2], x[0]], [ten[1], ten[2]]]
    means = CELLS[:2].mean(axis=0)
    assert entered(attrs.evolve(task, level="sys"), frame) == pytest.approx(means[[[0, 1], [2, 0], [1, 2]]])
    assert entered(task, [0.5, -1, 2]).tolist() == [[0.5, 0], [-1, 0], [2, 0]]
    with pytest.raises(DataError, match=r"'mine' has no answer to segment 10 of task 't' \(and 1 more\); complete it"):
        entered(task, frame.drop(index="10"))


def test_probabilities_are_answers_to_a_gold_of_two_classes():
    task = Task(name="t", batches={Submission("S"): Detections.from_plain([0, 1, 1], [0, 1, 0])}, names={0: "a"})
    frame = pandas.DataFrame({"segment": ["2", "a", "1"], "score": [0.2, 0.5, 0.9]})
    assert entered(task, frame).tolist() == [0.5, 0.9, 0.2]
