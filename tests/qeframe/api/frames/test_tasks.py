"""Tasks of data frames: wide and long, of three libraries, are the same; what cannot be a task is refused."""

import warnings

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.api.frames.tasks import tasks_from_frame
from qeframe.core.errors import DataError, FrameWarning, UnknownNameError
from qeframe.plugin import Detections, Grid, Spans, Tags, Texts
from tests.outcome import failure

pytestmark = pytest.mark.filterwarnings("ignore:no submissions are named:qeframe.core.errors.FrameWarning")

WIDE = {
    "seg": [11, 12, 13, 11, 12],
    "lp": ["de", "de", "de", "fr", "fr"],
    "doc": ["x", "x", "y", "x", "y"],
    "gold": [0.1, 0.2, 0.3, 0.4, 0.5],
    "A": [1.0, 2.0, 4.0, 5.0, 3.0],
    "B": [2.0, 1.0, 0.0, 3.0, 7.0],
}
LONG = pandas.DataFrame(WIDE).melt(["seg", "lp", "doc", "gold"], var_name="name", value_name="value")
LIBRARIES = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "lazy": polars.LazyFrame, "pyarrow": pyarrow.table}


def content(tasks):
    """Return tasks as plain values: by task and submission, gold and answer of every unit by its name."""
    return {
        task.name: {
            submission.name: {
                task.names.get(int(unit), str(unit)): (gold, answer)
                for unit, gold, answer in zip(batch.ids, batch.gold.tolist(), batch.predicted.tolist(), strict=True)
            }
            for submission, batch in task.batches.items()
        }
        for task in tasks
    }


EXPECTED = {
    "de": {
        "A": {"11": (0.1, 1), "12": (0.2, 2), "13": (0.3, 4)},
        "B": {"11": (0.1, 2), "12": (0.2, 1), "13": (0.3, 0)},
    },
    "fr": {"A": {"11": (0.4, 5), "12": (0.5, 3)}, "B": {"11": (0.4, 3), "12": (0.5, 7)}},
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_wide_frame_of_every_library(library):
    tasks = tasks_from_frame(LIBRARIES[library](WIDE), unit="seg", task="lp", groups=["doc"])
    assert content(tasks) == EXPECTED
    assert [dict(task.groups) for task in tasks] == [{"doc": ("x", "x", "y")}, {"doc": ("x", "y")}]


def test_groups_may_name_a_single_column():
    one, several = (
        tasks_from_frame(LIBRARIES["pandas"](WIDE), unit="seg", task="lp", groups=g) for g in ("doc", ["doc"])
    )
    assert [dict(task.groups) for task in one] == [dict(task.groups) for task in several]
    assert not tasks_from_frame(LIBRARIES["pandas"](WIDE), unit="seg", submissions=["A"], system="lp", groups="")[
        0
    ].groups
    with pytest.raises(DataError, match="has no column 'dok'; did you mean 'doc'"):
        tasks_from_frame(LIBRARIES["pandas"](WIDE), unit="seg", task="lp", groups="dok")


@pytest.mark.parametrize("library", LIBRARIES)
@settings(max_examples=10)
@given(order=st.permutations(range(10)))
def test_a_long_frame_in_any_order(library, order):
    frame = LIBRARIES[library](LONG.iloc[list(order)].to_dict("list"))
    tasks = tasks_from_frame(frame, unit="seg", task="lp", submission="name", score="value", groups=["doc"])
    assert content(tasks) == EXPECTED
    for task in tasks:
        documents = {"de": {"11": "x", "12": "x", "13": "y"}, "fr": {"11": "x", "12": "y"}}[task.name]
        ids = next(iter(task.batches.values())).ids
        assert task.groups["doc"] == tuple(documents[task.names[int(unit)]] for unit in ids)


def test_without_a_column_of_units_a_row_is_a_unit_numbered_from_1_in_the_frame():
    (task,) = tasks_from_frame(pandas.DataFrame(WIDE), submissions=["A"])
    assert (task.name, task.units, [s.name for s in task.batches]) == ("task", 5, ["A"])
    frame = pandas.DataFrame({"gold": [1.0, 2.0, 3.0, 4.0], "lp": ["a", "b", "a", "b"], "A": [1.0, 2.0, 3.0, 4.0]})
    first, second = tasks_from_frame(frame, task="lp")
    assert [[task.unit_name(i) for i in (0, 1)] for task in (first, second)] == [["1", "3"], ["2", "4"]]


def test_a_frame_and_the_same_lists_have_equal_results():
    (task,) = tasks_from_frame(polars.DataFrame(WIDE), submissions=["A", "B"], baselines=["B"])
    found = qeframe.evaluate("qe_sentence", task, settings=["interval=", "test="])
    assert {s.name: s.scores["pearson"].value for s in found.submissions} == {
        name: qeframe.score("pearson", WIDE["gold"], WIDE[name]) for name in "AB"
    }
    assert [s.kind for s in found.submissions if s.name == "B"] == ["baseline"]


def test_grids_of_segments_by_systems():
    rows = [(s, m, s + 0.1 * i, -s - i) for s in range(3) for i, m in enumerate(("X", "Y"))]
    frame = pandas.DataFrame(rows, columns=["seg", "system", "gold", "metric"]).sample(frac=1, random_state=3)
    (task,) = tasks_from_frame(frame, unit="seg", system="system")
    ((submission, grid),) = task.batches.items()
    assert submission.name == "metric"
    assert isinstance(grid, Grid)
    by_hand = frame.pivot(index="seg", columns="system", values="metric")
    assert sorted(map(sorted, grid.predicted.tolist())) == sorted(map(sorted, by_hand.to_numpy().tolist()))
    assert qeframe.score("acc_eq", grid, None) == qeframe.score(
        "acc_eq", frame.pivot(index="seg", columns="system", values="gold").to_numpy(), by_hand.to_numpy()
    )


def test_a_long_frame_of_grids_with_a_missing_cell():
    rows = [(s, x, m, 1.0 * s, 2.0 + s) for s in range(3) for x in "XY" for m in ("m", "n") if (s, x) != (0, "X")]
    frame = pandas.DataFrame(rows, columns=["seg", "system", "metric", "human", "score"])
    (task,) = tasks_from_frame(frame, gold="human", unit="seg", system="system", submission="metric", score="score")
    for grid in task.batches.values():
        assert np.isnan(grid.gold).sum() == 1
        assert (np.isnan(grid.gold) == np.isnan(grid.predicted)).all()


def test_units_without_gold_are_left_out_and_counted():
    (task,) = tasks_from_frame(pandas.DataFrame({"gold": [1.0, None, 3.0], "A": [1.0, 2.0, 3.0]}))
    assert task.units == 2
    assert [(d.count, d.what, d.reason) for d in task.dropped] == [(1, "unit", "no gold score")]


def test_missing_answers_follow_the_policy():
    frame = pandas.DataFrame({"gold": [1.0, 2.0, 3.0], "A": [1.0, None, 3.0], "B": [1.0, 2.0, 3.0]})
    assert "missing" in failure(DataError, tasks_from_frame, frame)
    (task,) = tasks_from_frame(frame, missing="drop_for_all")
    assert task.units == 2


def test_a_system_that_a_submission_lacks_is_left_out_for_all():
    rows = [(seg, system, name) for seg in (1, 2) for system in "ABC" for name in "xy" if (system, name) != ("B", "y")]
    frame = pandas.DataFrame(rows, columns=["seg", "system", "name"]).assign(gold=1.0, score=2.0)
    columns = {"unit": "seg", "system": "system", "submission": "name", "score": "score"}
    with pytest.raises(
        DataError, match=r"y has no score of system B; .* leave the system out for all: systems=\['A', 'C'\]"
    ):
        tasks_from_frame(frame, **columns)
    (task,) = tasks_from_frame(frame, **columns, systems=["A", "C"])
    assert [batch.gold.shape for batch in task.batches.values()] == [(2, 2), (2, 2)]
    assert "has no system 'D'; known: A, B, C" in failure(DataError, tasks_from_frame, frame, **columns, systems=["D"])
    with pytest.raises(DataError, match="'systems' needs 'system'"):
        tasks_from_frame(frame, unit="seg", submission="name", score="score", systems=["A"])


def test_a_named_index_is_a_column():
    assert tasks_from_frame(pandas.DataFrame(WIDE).set_index("seg"), unit="seg", system="lp", submissions=["A"])
    levels = pandas.DataFrame(WIDE).set_index(["seg", "lp"])
    assert tasks_from_frame(levels, unit="seg", system="lp", submissions=["A"])


def test_missing_scores_of_systems_follow_the_policy():
    rows = [(f"s{s}", x, s + i, None if (s, x) == (1, "Y") else s - i) for s in range(4) for i, x in enumerate("XY")]
    frame = pandas.DataFrame(rows, columns=["seg", "system", "gold", "m"])
    assert failure(DataError, tasks_from_frame, frame, unit="seg", system="system") == (
        "the data frame: segment s1 of system Y is missing in m; complete the scores, or give "
        'missing="score_as_worst" or give missing="drop_for_all" to go on without it'
    )
    (task,) = tasks_from_frame(frame, unit="seg", system="system", missing="drop_for_all")
    assert (task.units, task.dropped[0].count) == (3, 1)
    (task,) = tasks_from_frame(frame, unit="seg", system="system", missing="score_as_worst")
    (grid,) = task.batches.values()
    assert (task.units, grid.unanswered, task.dropped[0].what) == (4, 0, "score")
    assert grid.predicted[1].tolist() == [1, -1], "the better system has the lowest score of all"


def broken(**columns):
    return pandas.DataFrame({"seg": [1, 2], "gold": [0.0, 1.0], "A": [1.0, 2.0]} | columns)


LONG_NAMES = {"unit": "seg", "submission": "name", "score": "A"}


@pytest.mark.parametrize(
    ("frame", "named", "said"),
    [
        ([1, 2], {}, "list is not a data frame; give one of pandas, Polars or PyArrow"),
        (broken()[:0], {}, "the data frame: has no rows"),
        (broken(), {"gold": "golt"}, "has no column 'golt'; did you mean 'gold'?"),
        (broken(), {"submissions": ["Z"]}, "has no column 'Z'"),
        (broken(), {"submission": "A"}, "a long frame needs both 'submission' and 'score'"),
        (broken(name="x"), {"submission": "name", "score": "A"}, "a long frame needs 'unit'"),
        (broken(system="x"), {"system": "system"}, "'system' needs 'unit'"),
        (broken(), {"unit": "seg", "task": "seg"}, "column 'seg' is named for two things"),
        (broken(), {"unit": "seg", "submissions": ["seg"]}, "column 'seg' is named as a submission too"),
        (broken(A=["x", "y"]), {"submissions": ["A"]}, "column 'A' is not of numbers"),
        (broken(A=[1.0, float("inf")]), {}, "column 'A' has an infinite number"),
        (broken(A=[1.0, 1e300]), {}, "column 'A' has the number 1e+300, which is too large to compute with"),
        (polars.LazyFrame({"gold": [1.0]}).select("A"), {}, "the lazy frame cannot be computed: ColumnNotFoundError"),
        (broken(seg=["a", " "]), {"unit": "seg"}, "column 'seg' has an empty label"),
        (broken(seg=[1, 1]), {"unit": "seg"}, "unit 1 has 2 rows; keep one, or name the column that tells them apart"),
        (broken(seg=[1.5, 2]), {"unit": "seg"}, "labels that are neither texts nor whole numbers"),
        (broken(seg=["a", None]), {"unit": "seg"}, "column 'seg' has a missing label"),
        (broken(seg=[1, 1], name=["x", "x"]), LONG_NAMES | {"gold": "gold"}, "the gold scores of unit 1 differ"),
        (broken(seg=[1, 1], gold=[1, 1], name=["x", "x"]), LONG_NAMES, "unit 1 has 2 rows of submission 'x'"),
        (broken(name=["x", "x"]), LONG_NAMES | {"submissions": ["y"]}, "has no submission 'y'"),
        (broken(seg=[1, 1], gold=[1, 1], name=["x", "y"], doc=["p", "q"]), LONG_NAMES | {"groups": ["doc"]},
         "unit 1 has two labels in 'doc'"),
        (broken(seg=[1, 1], gold=[1, 1], name=["x", "x"], system=["s", "s"]), LONG_NAMES | {"system": "system"},
         "submission 'x' has unit 1 of system s twice"),
        (broken(gold=[None, None]), {}, "column 'gold' is not of numbers"),
        (broken(gold=[float("nan")] * 2), {}, "no unit that can be scored"),
        (broken(), {"missing": "drop"}, "unknown choice of 'missing' 'drop'; known: drop_for_all, error"),
        (broken(), {"best": "LOW"}, "unknown choice of 'best' 'LOW'"),
        (broken(), {"baselines": ["Z"]}, "unknown submission among the baselines 'Z'; known: A"),
        (broken(), {"submissions": "A"}, "submissions are the text 'A'; give a list: ['A']"),
        (broken(), {"baselines": "A"}, "baselines are the text 'A'"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_task_is_refused_in_one_line(frame, named, said):
    assert said in failure((DataError, UnknownNameError), tasks_from_frame, frame, **named)


def test_columns_that_enter_without_a_name_are_told():
    frame = pandas.DataFrame({"gold": [1.0, 2.0, 3.0], "A": [1.0, 2.0, 4.0], "length": [9, 7, 8]})
    told = "no submissions are named: all other columns enter as submissions: 'A', 'length'; name them in submissions="
    with pytest.warns(FrameWarning, match=told) as warned:
        (task,) = tasks_from_frame(frame)
    assert [submission.name for submission in task.batches] == ["A", "length"]
    assert warned[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tasks_from_frame(frame, submissions=["A"])
        tasks_from_frame(
            pandas.DataFrame({"gold": [1.0, 2.0], "s": ["A", "A"], "u": [1, 2], "v": [1.0, 2.0]}),
            unit="u",
            submission="s",
            score="v",
        )


def _wide(columns, library):
    if library == "nullable":
        return pandas.DataFrame(columns).convert_dtypes()
    if library == "categorical":
        return pandas.DataFrame(columns).astype({"seg": str}).astype({"seg": "category"})
    return LIBRARIES[library](columns)


@pytest.mark.parametrize("library", [*LIBRARIES, "nullable", "categorical"])
@settings(max_examples=15)
@given(data=st.data())
def test_wide_and_long_are_the_same_in_every_library(library, data):
    units = data.draw(st.lists(st.text("abc", min_size=1, max_size=3), min_size=2, max_size=6, unique=True))
    numbers = st.lists(st.integers(-9, 9).map(lambda n: n / 4), min_size=len(units), max_size=len(units))
    columns = {"seg": units, **{name: data.draw(numbers) for name in ("gold", "A", "B")}}
    wide = tasks_from_frame(_wide(columns, library), unit="seg")
    long = pandas.DataFrame(columns).melt(["seg", "gold"], var_name="name", value_name="value")
    order = data.draw(st.permutations(range(len(long))))
    of_long = _wide(long.iloc[list(order)].to_dict("list"), library)
    assert content(tasks_from_frame(of_long, unit="seg", submission="name", score="value")) == content(wide)
    assert content(wide) == {
        "task": {
            name: {
                unit: (gold, answer) for unit, gold, answer in zip(units, columns["gold"], columns[name], strict=True)
            }
            for name in "AB"
        }
    }


@settings(max_examples=8)
@given(st.permutations(range(5)))
def test_shuffled_rows_give_the_same_evaluation(order):
    rows = pandas.DataFrame(WIDE).assign(seg=list("abcde")).drop(columns=["lp", "doc"])
    settings = ["interval=", "test=williams"]
    expected, found = (
        qeframe.evaluate("qe_sentence", tasks_from_frame(frame, unit="seg"), settings=settings)
        for frame in (rows, rows.iloc[list(order)])
    )
    for one, other in zip(expected.submissions, found.submissions, strict=True):
        assert one.name == other.name
        assert other.scores["pearson"].value == pytest.approx(one.scores["pearson"].value, abs=1e-12)


TWICE = [[1, 0.1, 2.0, 4.0], [2, 0.2, 3.0, 1.0]]


@pytest.mark.parametrize(
    "frame",
    [
        pandas.DataFrame(TWICE, columns=["seg", "gold", "A", "A"]),
        pyarrow.table([list(column) for column in zip(*TWICE, strict=True)], names=["seg", "gold", "A", "A"]),
    ],
    ids=["pandas", "pyarrow"],
)
def test_two_columns_of_one_name_are_refused_in_one_line(frame):
    said = "^the data frame: two columns are named 'A'; give every column a name of its own$"
    for call in (
        lambda: tasks_from_frame(frame, unit="seg", submissions=["A"]),
        lambda: qeframe.compare("pearson", [1.0, 2.0], frame),
        lambda: qeframe.score("pearson", [1.0, 2.0], frame),
    ):
        with pytest.raises(DataError, match=said):
            call()


@pytest.mark.parametrize("name", ["column_names", "columns", "collect", "items"])
def test_columns_that_are_called_as_attributes_of_frames(name):
    frame = pandas.DataFrame({"seg": [1, 2, 3], "gold": [1.0, 2.0, 3.0], name: [1.0, 3.0, 2.0]})
    (task,) = tasks_from_frame(frame, unit="seg")
    assert [submission.name for submission in task.batches] == [name]
    assert qeframe.compare("pearson", frame["gold"], frame[[name, "seg"]])
    with pytest.raises(DataError, match="two columns are named"):
        tasks_from_frame(frame[["seg", "gold", name, name]], unit="seg")


def test_a_column_whose_name_is_no_text():
    with pytest.raises(
        DataError, match=r"^the data frame: a column is named 1, which is no text; make the names texts"
    ):
        tasks_from_frame(pandas.DataFrame({1: [1.0], "gold": [1.0]}))


# --- other kinds of batch -------------------------------------------------------------------------------------------


TAGS = {"gold": ["OK BAD", "BAD", "OK OK BAD"], "A": ["OK OK", "BAD", "OK BAD BAD"]}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("listed", [False, True])
def test_a_cell_is_a_line_of_the_plain_file_or_a_list_of_its_words(library, listed):
    columns = {name: [cell.split() for cell in cells] for name, cells in TAGS.items()} if listed else TAGS
    (task,) = tasks_from_frame(LIBRARIES[library](columns), kind=Tags, submissions=["A"])
    (batch,) = task.batches.values()
    assert batch.contents(2) == {"gold": "OK OK BAD", "predicted": "OK BAD BAD"}
    assert qeframe.score("mcc", batch, None) == qeframe.score("mcc", *(list(map(str.split, TAGS[n])) for n in TAGS))


def test_long_frames_of_tags_with_a_missing_answer():
    names = {"unit": "seg", "submission": "name", "score": "tags", "kind": Tags}
    frame = pandas.DataFrame(
        {
            "seg": [7, 7, 9, 9],
            "gold": ["OK BAD", "OK BAD", "BAD", "BAD"],
            "name": ["A", "B", "B", "A"],
            "tags": ["OK OK", "BAD OK", "OK", None],
        }
    )
    (task,) = tasks_from_frame(frame, missing="score_as_worst", **names)
    assert task.contents(1) == {"gold": "BAD", "A": "OK", "B": "OK"}
    assert "segment 9 is missing in A" in failure(DataError, tasks_from_frame, frame, **names)
    frame.loc[1, "gold"] = "OK OK"
    with pytest.raises(DataError, match="the gold scores of unit 7 differ"):
        tasks_from_frame(frame, missing="score_as_worst", **names)


def test_classes_may_be_numbers_or_names():
    named = tasks_from_frame(
        polars.DataFrame({"gold": ["OK", "BAD"], "A": ["BAD", "BAD"]}), kind=Detections, submissions=["A"]
    )
    numbers = tasks_from_frame(polars.DataFrame({"gold": [0, 1], "A": [1, 1]}), kind=Detections, submissions=["A"])
    assert content(named) == content(numbers)
    with pytest.raises(DataError, match="gold value 2 is neither 0 nor 1"):
        tasks_from_frame(polars.DataFrame({"gold": [0, 2], "A": [1, 1]}), kind=Detections, submissions=["A"])


def test_texts_of_one_line():
    (task,) = tasks_from_frame(polars.DataFrame({"gold": ["a b", "c"], "A": ["a", ""]}), kind=Texts, submissions=["A"])
    assert task.contents(1) == {"reference": "c", "A": ""}


@pytest.mark.parametrize(
    ("column", "kind", "more", "said"),
    [
        (["OK", "BAD OKAY"], Tags, {}, "column 'A', row 2, unknown tag 'OKAY', word 2 of the line"),
        (["OK", "BAD\nOK"], Tags, {}, "the cell of column 'A' in row 2 has a line end"),
        (["OK", "BAD OK"], Tags, {}, "2 tags in sentence 2, the gold has 1"),
        ([["a"], ["b"]], Texts, {}, "the cell of column 'A' in row 1 is a list of texts"),
        (["OK", "BAD"], Spans, {}, "a column cannot hold units of Spans, which has no plain file of lines"),
        (["OK", "BAD"], Grid, {}, "a batch of Grid needs a column of systems"),
        (["OK", "BAD"], Tags, {"system": "name", "unit": "unit"}, "a batch of Tags has no column of systems"),
    ],
)
def test_what_a_column_cannot_hold_is_refused(column, kind, more, said):
    frame = pandas.DataFrame({"gold": ["OK", "BAD"], "A": column, "unit": [1, 2], "name": ["x", "x"]})
    assert said in failure(DataError, tasks_from_frame, frame, kind=kind, submissions=["A"], **more)
