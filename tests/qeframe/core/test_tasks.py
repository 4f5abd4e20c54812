"""Scores of judges: standardized for each judge, and in pairs of judges."""

import pickle

import numpy as np
import pytest
from scipy import stats

from qeframe.core.profile_files import find_profile
from qeframe.core.task import Submission, Task, check_task_names
from qeframe.data.reading import Assessments, Reading, UnitValues, z_scores
from qeframe.plugin import DataError, Metric, Ragged, Scores, Tags, Texts, Values

NAN = float("nan")


def assessments(values: list[list[float]], judges: tuple[str, ...], segments: list[int]) -> Assessments:
    systems = tuple("ABC"[: len(values[0])])
    return Assessments(
        scale="adequacy", systems=systems, segments=np.array(segments), judges=judges, values=np.array(values)
    )


def test_missing_scores_stay_missing_unless_nothing_was_judged() -> None:
    with pytest.raises(DataError, match=r"^no translation was judged on the scale 'adequacy'$"):
        assessments([[NAN, NAN]], ("x",), [1])
    z = assessments([[1.0, NAN], [3.0, 2.0]], ("x", "x"), [1, 2]).standardized()
    np.testing.assert_allclose(z, np.array([[-1.0, NAN], [1.0, 0.0]]) * np.sqrt(1.5))


@pytest.mark.parametrize("ddof", [0, 1])
def test_z_scores_of_each_judge(ddof: int) -> None:
    values, judges = np.array([1.0, 5.0, 4.0, 2.0, 6.0]), ["x", "y", "x", "x", "y"]
    z = z_scores(values, judges, ddof=ddof, constant=0.0)
    for judge in "xy":
        rows = [i for i, each in enumerate(judges) if each == judge]
        np.testing.assert_allclose(z[rows], stats.zscore(values[rows], ddof=ddof))


@pytest.mark.parametrize("values", [[0.1, 0.1, 0.1], [1e9, 1e9 + 1e-6, 1e9]])
def test_a_judge_whose_scores_are_equal(values: list[float]) -> None:
    assert z_scores(np.array(values), ["x"] * 3, ddof=1, constant=-2.0).tolist() == [-2.0] * 3


def test_a_judge_with_a_single_score() -> None:
    assert z_scores(np.array([0.1, 1.0, 2.0]), ["x", "y", "y"], ddof=1, constant=0.0)[0] == 0.0


def test_pairs_of_judges_of_a_segment() -> None:
    looks = assessments([[1.0], [2.0], [3.0], [4.0], [5.0]], ("x", "x", "y", "z", "x"), [1, 2, 1, 1, 1])
    first, second = looks.pairs()
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 2), (0, 3), (2, 3), (2, 4), (3, 4)]
    first, second = assessments([[1.0], [2.0]], ("x", "y"), [1, 2]).pairs()
    assert (first.shape, second.shape) == ((0,), (0,))


def test_lines_and_names() -> None:
    values = UnitValues(
        name="A", ids=np.array([7, 8]), values=np.array([0.5, 1.0]), lines=np.array([3, 5]), names={8: "2.1"}
    )
    assert [values.line(0), values.line(1)] == [3, 5]
    assert [values.unit_name(7), values.unit_name(8)] == ["7", "2.1"]


def test_units_in_another_order() -> None:
    values = UnitValues(name="A", ids=np.array([7, 8, 9]), values=np.array([0.5, 1.0, 2.0]), lines=np.array([3, 5, 6]))
    taken = values.take(np.array([2, 0]))
    assert taken.lines is not None
    assert (taken.name, taken.ids.tolist(), taken.values.tolist()) == ("A", [9, 7], [2.0, 0.5])
    assert taken.lines.tolist() == [6, 3]


def test_ragged_values_without_lines() -> None:
    ragged = Ragged.from_lengths(np.array([1, 2, 3]), np.array([2, 0, 1]))
    taken = UnitValues(name="A", ids=np.arange(3), values=ragged).take(np.array([2, 1]))
    assert [row.tolist() for row in taken.values] == [[3], []]
    assert (taken.lines, taken.line(0)) == (None, None)


def test_a_reading_has_nothing_but_its_values_by_default() -> None:
    gold = UnitValues(name="gold", ids=np.arange(1), values=np.zeros(1))
    reading = Reading(name="en-de", kind=Scores, gold=gold, submissions=())
    assert (reading.best, reading.groups, reading.dropped, reading.inputs) == ("low", {}, (), ())
    assert (reading.texts, reading.assessments, reading.may_be_unanswered) == (None, (), False)


def task(name: str = "en-de", **options: object) -> Task:
    batch = Scores.from_plain([1.0, 2.0, 3.0], [1.0, 3.0, 2.0])
    submissions = {Submission("A"): batch, Submission("B", "baseline"): batch}
    return Task(name=name, batches=submissions, **options)  # type: ignore[arg-type]


def test_the_size_is_that_of_the_batches_if_there_are_any() -> None:
    assert (task().units, task().unit) == (3, "segment")
    empty = Task(name="en-de", batches={}, unanswered=(5, "judgment"))
    assert (empty.units, empty.unit) == (5, "judgment")


def test_chosen_submissions() -> None:
    chosen = task(counts={"segments": 3}).only(lambda submission: submission.kind == "real")
    assert list(chosen.batches) == [Submission("A")]
    assert (chosen.name, chosen.counts) == ("en-de", {"segments": 3})


def test_names_of_tasks() -> None:
    check_task_names([task("en-de"), task("en-cs")])
    with pytest.raises(DataError, match=r"^two tasks are named 'en-de'; name every task differently$"):
        check_task_names([task("en-de"), task("en-cs"), task("en-de")])


def test_nothing_in_a_task_can_be_changed():
    labels = ["a", "b"]
    counts = {"systems": 2}
    task = Task(name="t", batches={}, groups={"document": labels}, counts=counts)
    labels[0], counts["systems"] = "changed", 3
    assert (task.groups, task.counts) == ({"document": ("a", "b")}, {"systems": 2})
    for mapping in (task.batches, task.groups, task.counts, task.versions, task.names):
        with pytest.raises(TypeError):
            mapping["x"] = 1
    again = pickle.loads(pickle.dumps(task))
    assert (again.groups, repr(again.counts)) == (task.groups, "{'systems': 2}")


def contents(*batches, position):
    return Task(name="t", batches={Submission(f"s{i}"): batch for i, batch in enumerate(batches)}).contents(position)


def test_what_a_unit_holds():
    numbers = (Scores.from_plain([1, 2], [0.5, 0.25]), Scores.from_plain([1, 2], [3, 4]))
    assert contents(*numbers, position=1) == {"gold": "2", "s0": "0.25", "s1": "4"}
    assert contents(Texts.from_plain(["a b", "c"], ["x", "y z"]), position=1) == {"reference": "c", "s0": "y z"}
    two = Texts.from_plain([["a b", "a"], ["c", "d"]], ["x", "y z"])
    assert contents(two, position=0) == {"reference 1": "a b", "reference 2": "a", "s0": "x"}
    tags = Tags.from_plain([["OK", "BAD"], []], [["OK", "OK"], []])
    assert contents(tags, position=0) == {"gold": "OK BAD", "s0": "OK OK"}
    assert contents(tags, position=1) == {"gold": "", "s0": ""}
    assert contents(Values.from_plain(None, [0.2, 0.4]), position=0) == {}


def test_public_values_are_told_in_one_line(registry) -> None:
    batch = Scores.from_plain(np.arange(500), np.arange(500))
    task = Task(name="en-de", batches={Submission("a"): batch})
    assert repr(batch) == "<Scores of 500 segments>"
    assert repr(task) == "<Task en-de: 1 submission on 500 segments>"
    assert repr(registry.get(Metric, "pearson")) == "<Metric pearson on Scores>"
    assert repr(find_profile("qe_word", registry)).startswith("<Profile qe_word: ")
    assert repr(registry).startswith("<Registry of ")
