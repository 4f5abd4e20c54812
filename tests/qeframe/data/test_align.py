from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.data.align import align, check_units
from qeframe.plugin import DataError, Grid, Scores
from qeframe.plugin.readers import Dropped, Input, Reading, Submission, UnitValues
from tests.outcome import failure


def side(name: str, ids: list[int], values: list[float], *, lines: bool = True) -> UnitValues:
    numbered = np.arange(1, len(ids) + 1) if lines else None
    path = f"{name}.txt" if lines else ""
    return UnitValues(name=name, ids=np.array(ids), values=np.array(values, dtype=float), path=path, lines=numbered)


def reading(*submissions: UnitValues, **options: Any) -> Reading:
    gold = options.pop("gold", side("gold", [1, 2, 3], [0.1, 0.2, 0.9]))
    return Reading(name="en-de", kind=Scores, gold=gold, submissions=submissions, **options)


def only(task: Any, name: str = "A") -> Scores:
    batch = task.batches[Submission(name)]
    assert isinstance(batch, Scores)
    return batch


def test_sides_are_joined_on_ids_never_on_order() -> None:
    task = align(reading(side("A", [3, 1, 2], [30, 10, 20])))
    assert list(only(task).predicted) == [10, 20, 30]
    assert list(only(task).gold) == [0.1, 0.2, 0.9]
    assert list(only(task).ids) == [1, 2, 3]
    assert (task.units, task.unit, task.dropped) == (3, "segment", ())


def test_what_the_reading_says_is_kept() -> None:
    told = Dropped("en-de", "submission", 1, "empty")
    given = reading(
        side("A", [1, 2, 3], [1, 2, 3]), side("B", [1, 2, 3], [3, 2, 1]), best="high",
        groups={"domain": ["x", "y", "x"]}, dropped=(told,), inputs=(Input("a", "00"),),
    )  # fmt: skip
    task = align(given, baselines=["B", "C"])
    assert [(s.name, s.kind) for s in task.batches] == [("A", "real"), ("B", "baseline")]
    assert only(task).best == "high"
    assert task.groups == {"domain": ("x", "y", "x")}
    assert (task.dropped, task.inputs) == ((told,), (Input("a", "00"),))


def test_a_reader_says_the_kind_of_a_submission_and_the_profile_which_are_baselines() -> None:
    sides = [attrs.evolve(side(name, [1, 2, 3], [1, 2, 3]), kind="unofficial") for name in "AB"]
    task = align(reading(*sides), baselines=["B"])
    assert [(s.name, s.kind) for s in task.batches] == [("A", "unofficial"), ("B", "baseline")]


def test_a_submission_may_have_a_gold_of_its_own() -> None:
    own = attrs.evolve(side("A", [3, 1, 2], [30, 10, 20]), gold=np.array([7.0, 5.0, 6.0]))
    task = align(reading(own, side("B", [1, 2, 3], [1, 2, 3])))
    assert list(only(task).gold) == [5, 6, 7]
    assert list(only(task, "B").gold) == [0.1, 0.2, 0.9]
    assert list(own.take(np.array([1])).gold) == [5]


def test_a_missing_unit_is_an_error_by_default() -> None:
    assert failure(DataError, align, reading(side("A", [2], [1]))) == (
        "A.txt: segment 1 is missing in A (and 1 more): 1 of 3 segments are there; complete the file, or set "
        "missing=score_as_worst or set missing=drop_for_all to go on without it"
    )


def test_an_extra_unit_is_an_error_by_default() -> None:
    assert failure(DataError, align, reading(side("A", [1, 9, 2, 3], [1, 9, 2, 3]))) == (
        "A.txt:2: segment 9 of A is not in the gold; remove it, or set missing=score_as_worst or set "
        "missing=drop_for_all to go on without it"
    )


@pytest.mark.parametrize("missing", ["error", "score_as_worst", "drop_for_all"])
def test_an_id_that_occurs_twice_is_always_an_error(missing: Any) -> None:
    with pytest.raises(DataError, match=r"^A.txt:3: segment 2 of A occurs twice, first seen on line 2; keep one line"):
        align(reading(side("A", [1, 2, 2], [1, 2, 3])), missing=missing)
    twice = side("gold", [5, 5], [1, 2], lines=False)
    with pytest.raises(DataError, match=r"^segment 5 of gold occurs twice; keep one line"):
        align(reading(side("A", [5], [1]), gold=twice), missing=missing)


def test_scored_as_worst_takes_the_far_end_of_the_own_range() -> None:
    task = align(reading(side("A", [2, 9], [0.4, 7]), side("B", [3, 1, 2], [3, 1, 2])), missing="score_as_worst")
    assert list(only(task).predicted) == [0.4, 0.4, 0.4]
    assert list(only(task, "B").predicted) == [1, 2, 3]
    assert [(d.what, d.count, d.reason) for d in task.dropped] == [
        ("answer", 1, "extra in A, not in the gold"),
        ("answer", 2, "missing in A, scored as worst"),
    ]
    wide = align(reading(side("A", [3, 2], [0.0, 1.0])), missing="score_as_worst")
    assert list(only(wide).predicted) == [1.0, 1.0, 0.0]


def test_dropped_for_all_leaves_the_common_units() -> None:
    given = reading(side("A", [1, 3], [1, 3]), side("B", [3, 2, 1], [3, 2, 1]), groups={"document": ["x", "y", "z"]})
    task = align(given, missing="drop_for_all")
    assert [list(only(task, name).predicted) for name in "AB"] == [[1, 3], [1, 3]]
    assert task.groups == {"document": ("x", "z")}
    assert task.dropped == (Dropped("en-de", "unit", 1, "not answered by every submission"),)


def test_nothing_left_is_an_error() -> None:
    halves = side("A", [1], [1]), side("B", [2], [2])
    with pytest.raises(DataError, match="task 'en-de' has no unit that can be scored"):
        align(reading(*halves, gold=side("gold", [1, 2], [1, 2])), missing="drop_for_all")
    assert "gold.txt: no submission was found" in failure(DataError, align, reading())


POLICIES = ("error", "score_as_worst", "drop_for_all")
LINES = ("line", "line_number")


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("gold", ["id", *LINES])
@pytest.mark.parametrize("answers", ["id", "line"])
@pytest.mark.parametrize("ids", [[1, 2, 3], [1, 2], [1, 2, 3, 4], [2, 3, 4], [7, 8, 9]], ids=str)
def test_no_policy_joins_what_does_not_belong_together(missing: Any, gold: Any, answers: Any, ids: Any) -> None:
    """The slow definition of what may be joined, for every combination of how units are known."""
    sides = attrs.evolve(side("A", ids, ids), known_by=answers)
    known = attrs.evolve(side("gold", [1, 2, 3], [1, 2, 3]), known_by=gold)
    if answers == "line":
        ids = list(range(1, len(ids) + 1))
        sides = attrs.evolve(sides, ids=np.array(ids))
        fits = gold != "id" and len(ids) == 3
    else:
        fits = {"id": not {1, 2, 3}.isdisjoint(ids), "line": False, "line_number": {*ids} <= {1, 2, 3}}[gold]
    complete = ids == [1, 2, 3]
    if fits and (complete or missing != "error"):
        assert align(reading(sides, gold=known), missing=missing).units >= 2
    else:
        with pytest.raises(DataError, match=r"^A.txt:") as caught:
            align(reading(sides, gold=known), missing=missing)
        assert fits or "missing=" not in str(caught.value)


def test_each_mismatch_says_why() -> None:
    for answers, gold, ids, said in (
        ("id", "line", [1, 2, 3], "A.txt: A has ids, but gold.txt has lines only, and line numbers are no ids; give"),
        ("line", "id", [0, 1, 2], "A.txt: A has lines only, but gold.txt has ids, and line numbers are no ids; give"),
        (
            "line",
            "line",
            [0, 1],
            "A.txt: 2 lines, the gold has 3 (gold.txt); give one line for each unit, in the order",
        ),
        ("id", "id", [7, 8, 9], "A.txt:1: the segment ids of A are not those of the gold: 3 of 3 are not in"),
        ("id", "id", [7, 8, 1], "A.txt:1: the segment ids of A are not those of the gold: 2 of 3 are not in"),
        (
            "id",
            "line_number",
            [3, 7, 9],
            "A.txt:2: segment 7 of A is not in the gold (and 1 more); number the segments",
        ),
    ):
        sides = attrs.evolve(side("A", ids, ids), known_by=answers)  # type: ignore[arg-type]
        known = attrs.evolve(side("gold", [1, 2, 3], [1, 2, 3]), known_by=gold)
        assert failure(DataError, align, reading(sides, gold=known)).startswith(said)


@pytest.mark.parametrize(("answered", "refused"), [(4, True), (5, False), (9, False)])
def test_few_answers_are_not_dropped_for_all(answered: int, refused: bool) -> None:
    gold, whole = (side(name, list(range(10)), list(range(10))) for name in ("gold", "A"))
    given = reading(whole, side("B", list(range(answered)), list(range(answered))), gold=gold)
    assert len(align(given, missing="score_as_worst").batches) == 2
    if refused:
        with pytest.raises(DataError, match=r"^B.txt: B lacks an answer to 6 of 10 segments, more than half; complete"):
            align(given, missing="drop_for_all")
    else:
        assert align(given, missing="drop_for_all").units == answered


def test_a_submission_has_a_name_of_its_own() -> None:
    with pytest.raises(DataError, match=r"two submissions are named 'A', the other is A.txt; rename one"):
        align(reading(side("A", [1, 2, 3], [1, 2, 3]), side("A", [1, 2, 3], [1, 2, 3])))
    with pytest.raises(DataError, match=r"^ .txt: a submission has the name ' '; give every submission a name"):
        align(reading(side(" ", [1, 2, 3], [1, 2, 3])))


def test_a_task_may_wait_for_submissions() -> None:
    task = align(reading(may_be_unanswered=True, counts={"systems": 2}, groups={"document": ["x", "y", "z"]}))
    assert (task.batches, task.units, task.unit, task.counts) == ({}, 3, "segment", {"systems": 2})
    answered = align(reading(side("A", [1, 2, 3], [1, 2, 3]), may_be_unanswered=True))
    assert (len(answered.batches), answered.units, answered.unit) == (1, 3, "segment")


NAN = np.nan


def grids(*submissions: UnitValues, systems: tuple[str, ...] = ("X", "Y", "Z")) -> Reading:
    gold = side("gold", [1, 2, 3], [[0, 1, 2], [2, NAN, 0], [1, 2, 4]])  # type: ignore[list-item]
    return Reading(name="en-de", kind=Grid, gold=gold, submissions=submissions, systems=systems, best="high")


def cells_of(task: Any, name: str) -> list[list[float]]:
    return list(np.nan_to_num(task.batches[Submission(name)].predicted, nan=-1).tolist())


PARTLY = side("A", [3, 1, 2], [[1, 2, 3], [5, NAN, NAN], [4, NAN, 0]], lines=False)  # type: ignore[list-item]
WHOLE = side("B", [1, 2, 3], [[0, 1, 2], [3, 4, 5], [6, 7, 8]])  # type: ignore[list-item]


def test_a_missing_score_of_a_system_is_named_and_the_remedy_is_spelled_as_asked() -> None:
    assert failure(DataError, align, grids(WHOLE, PARTLY), choice="--missing {}") == (
        "segment 1 of system Y is missing in A (and 1 more); complete the scores, or --missing score_as_worst or "
        "--missing drop_for_all to go on without it"
    )
    with pytest.raises(DataError, match=r"^segment 1 of the system in column 2 is missing in A"):
        align(grids(WHOLE, PARTLY, systems=()))


def test_a_segment_that_lacks_the_score_of_a_system_is_dropped_for_all() -> None:
    task = align(grids(WHOLE, PARTLY), missing="drop_for_all")
    assert cells_of(task, "A") == [[4, -1, 0], [1, 2, 3]], "a cell without gold needs no score"
    assert cells_of(task, "B") == [[3, 4, 5], [6, 7, 8]]
    assert [(d.what, d.count, d.reason) for d in task.dropped] == [("unit", 1, "not answered by every submission")]


def test_a_missing_score_of_a_system_gets_the_worst_score() -> None:
    task = align(grids(WHOLE, PARTLY), missing="score_as_worst")
    assert cells_of(task, "A") == [[5, 2.5, 0], [4, -1, 0], [1, 2, 3]], "reversed within the range of A, 0 to 5"
    assert cells_of(task, "B") == WHOLE.values.tolist()
    assert [(d.what, d.count, d.reason) for d in task.dropped] == [("score", 2, "missing in A, scored as worst")]


def test_whole_segments_and_single_scores_may_both_be_missing() -> None:
    partly = side("A", [2, 3], [[4, NAN, 0], [NAN, 1, 2]])  # type: ignore[list-item]
    task = align(grids(partly), missing="score_as_worst")
    assert cells_of(task, "A") == [[4, 2, 0], [4, -1, 0], [4, 1, 2]]
    assert [(d.what, d.count) for d in task.dropped] == [("answer", 1), ("score", 1)]
    assert cells_of(align(grids(partly), missing="drop_for_all"), "A") == [[4, -1, 0]]


def units(ids, path="a.tsv", names=None):
    ids = np.array(ids, np.int64)
    named = {} if names is None else dict(zip(ids.tolist(), names, strict=True))
    return UnitValues(name="a", ids=ids, values=ids, path=path, lines=np.arange(1, len(ids) + 1), names=named)


def test_the_order_does_not_matter():
    check_units(units([2, 0, 1]), units([0, 1, 2]))


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 5, 1, 2, 7], "a.tsv:2: segment 5 is not in in.txt (and 1 more)"),
        ([0, 2], "a.tsv: segment 1 of in.txt:2 is missing: 2 of 3 segments are there; answer every segment"),
        ([], "a.tsv: segment 0 of in.txt:1 is missing (and 2 more): 0 of 3 segments"),
    ],
)
def test_other_units(ids, message):
    assert failure(DataError, check_units, units(ids), units([0, 1, 2], "in.txt")).startswith(message)


def test_of_lines_by_position_the_number_is_wrong():
    lines = [
        attrs.evolve(units(ids, path), known_by="line") for ids, path in (([0, 1], "a.tsv"), ([0, 1, 2], "in.txt"))
    ]
    assert failure(DataError, check_units, *lines).startswith("a.tsv: 2 lines, a has 3 (in.txt); give one")


def test_named_units_are_compared_by_name():
    check_units(units([0, 1], names=["d/2", "d/1"]), units([0, 1], names=["d/1", "d/2"]))
    with pytest.raises(DataError, match=r"segment d/3 is not in in\.txt"):
        check_units(units([0, 1], names=["d/3", "d/1"]), units([0, 1], "in.txt", names=["d/1", "d/2"]))
    check_units(units([4], names=["7"]), units([7]))


ids_of = st.lists(st.integers(0, 6), unique=True)


@given(ids_of, ids_of, st.booleans())
def test_only_equal_sets_pass(theirs, ours, named):
    sides = [units(ids, names=[f"n{i}" for i in ids] if named else None) for ids in (theirs, ours)]
    if set(theirs) == set(ours):
        check_units(*sides)
    else:
        with pytest.raises(DataError):
            check_units(*sides)
