"""Columns of data frames in one order: by label, by position only where there are no labels, else refused."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.api.frames.labeled import by_name, groups_in_order, in_one_order
from qeframe.core.errors import DataError
from tests.outcome import failure

GOLD = pandas.Series([1.0, 2.0, 3.0], index=["a", "b", "c"])


@pytest.mark.parametrize(
    ("submissions", "said"),
    [
        ([[1, 2], [2, 1]], 'type list; give a dict from name to scores: {"A": [...], "B": [...]}'),
        (np.ones((2, 2)), 'type ndarray; give a dict from name to scores: {"A": [...], "B": [...]}'),
        (polars.DataFrame({"A": [1]}),
         "type DataFrame; give a dict from name to scores: {name: frame[name] for name in"),
        (pyarrow.table({"A": [1]}),
         "type Table; give a dict from name to scores: {name: frame[name] for name in [...]}"),
        (None, "the submissions have no names: they are of type NoneType"),
    ],
    ids=["list", "array", "polars", "pyarrow", "none"],
)  # fmt: skip
def test_submissions_without_names_are_refused(submissions, said):
    assert said in failure(DataError, by_name, submissions)
    assert "the submissions have no names" in failure(DataError, qeframe.compare, "pearson", [1, 2], submissions)


def test_a_frame_of_pandas_has_the_names_of_its_columns():
    frame = pandas.DataFrame({"A": [1.0, 2.0, 4.0], "B": [2.0, 1.0, 3.0]})
    assert list(by_name(frame)) == ["A", "B"]
    named = {name: frame[name] for name in frame}
    assert qeframe.compare("mae", [1, 2, 3], frame) == qeframe.compare("mae", [1, 2, 3], named)


def test_plain_values_are_returned_as_they_are():
    gold, answer = [1, 2], np.array([3, 4])
    found, answers = in_one_order(gold, {"A": answer})
    assert found is gold
    assert answers["A"] is answer
    assert in_one_order(None, {}) == (None, {})


@settings(max_examples=20)
@given(st.permutations(range(6)))
def test_a_shuffled_column_is_put_into_the_order_of_the_gold(order):
    gold = pandas.Series([0.1, 0.9, 0.4, 0.3, 0.8, 0.2], index=list("uvwxyz"))
    answer = pandas.Series([0.3, 0.7, 0.5, 0.1, 0.6, 0.4], index=list("uvwxyz"))
    _, answers = in_one_order(gold, {"A": answer.iloc[list(order)]})
    assert answers["A"].tolist() == answer.tolist()
    assert qeframe.score("pearson", gold, answer.iloc[list(order)]) == qeframe.score(
        "pearson", list(gold), list(answer)
    )


def test_texts_are_put_into_order_too():
    tags = pandas.Series([["OK"], ["BAD", "OK"], ["BAD"]], index=["b", "c", "a"])
    _, answers = in_one_order(GOLD, {"A": tags})
    assert answers["A"] == [["BAD"], ["OK"], ["BAD", "OK"]]


def test_the_first_submission_gives_the_order_where_there_is_no_gold():
    gold, answers = in_one_order(None, {"A": GOLD, "B": GOLD[::-1]})
    assert gold is None
    assert answers["B"].tolist() == [1, 2, 3]


def test_columns_without_labels_are_in_the_order_of_the_rows():
    sides = {"p": polars.Series([3, 4, 5]), "a": pyarrow.chunked_array([[3, 4, 5]]), "b": pyarrow.array([3, 4, 5])}
    _, answers = in_one_order(polars.Series([1.0, None, 3.0]), sides)
    assert all(list(values) == [3, 4, 5] for values in answers.values())
    gold, _ = in_one_order(polars.Series([1.0, None, 3.0]), sides)
    assert np.isnan(gold[1])


def test_a_column_with_the_default_index_fits_plain_values():
    _, answers = in_one_order([1, 2, 3], {"A": pandas.Series([4, 5, 6])})
    assert answers["A"].tolist() == [4, 5, 6]
    gold, answers = in_one_order(pandas.Series([4, 5, 6]), {"A": [1, 2, 3]})
    assert (gold.tolist(), answers["A"]) == ([4, 5, 6], [1, 2, 3])


@pytest.mark.parametrize(
    ("gold", "answer", "said"),
    [
        (GOLD, GOLD.drop("b"),
         "the index of the gold has the label 'b', that of submission 'A' has not; select the same"),
        (GOLD.drop("b"), GOLD, "the index of submission 'A' has the label 'b', that of the gold has not"),
        (GOLD, [1, 2, 3], "the gold has an index of its own, and submission 'A' has none; give both"),
        ([1, 2, 3], GOLD, "submission 'A' has an index of its own, and the gold has none"),
        (polars.Series([1, 2, 3]), GOLD, "submission 'A' has an index of its own, and the gold has none"),
        (pandas.Series([1, 2, 3]), pandas.Series([1, 2, 3], index=[5, 6, 7]),
         "has the label 0, that of submission 'A'"),
        (GOLD.to_frame("a").assign(b=1.0), GOLD, "the gold is a data frame; give one of its columns: a, b"),
        (polars.LazyFrame({"a": [1], "b": [2]}), [1], "the gold is a data frame"),
        (GOLD.rename({"b": "a"}), GOLD.rename({"b": "a"})[::-1], "the index of submission 'A' has the label 'a' twice"),
    ],
)  # fmt: skip
def test_labels_that_do_not_match_are_refused(gold, answer, said):
    assert said in failure(DataError, in_one_order, gold, {"A": answer})


def test_a_repeated_index_in_the_same_order_is_accepted():
    twice = GOLD.rename({"b": "a"})
    assert in_one_order(twice, {"A": twice})[1]["A"].tolist() == [1, 2, 3]


def test_missing_numbers_are_refused_by_score_as_in_lists():
    with pytest.raises(DataError, match="predicted"):
        qeframe.score("pearson", polars.Series([1, 2, 3]), polars.Series([1, None, 3]))


def test_compare_takes_the_columns_of_a_frame():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(40, 3)), columns=["gold", "A", "B"])
    submissions = {name: frame[name].sample(frac=1, random_state=1) for name in "AB"}
    (found,) = qeframe.compare("pearson", frame["gold"], submissions, test="williams")
    (plain,) = qeframe.compare("pearson", list(frame["gold"]), {n: list(frame[n]) for n in "AB"}, test="williams")
    assert found == plain


numbers = st.floats(-9, 9).map(lambda x: round(x, 3))
labels = st.lists(st.one_of(st.integers(-9, 9), st.text("abc", max_size=2)), min_size=2, max_size=8, unique=True)


@settings(max_examples=40)
@given(st.data())
def test_a_side_is_joined_by_label_or_refused(data):
    """The oracle is a dictionary: every label has one value on each side, or the sides do not fit."""
    index = data.draw(labels)
    values = [data.draw(st.lists(numbers, min_size=len(index), max_size=len(index))) for _ in range(2)]
    other = data.draw(st.one_of(st.permutations(index), labels))
    order = [index.index(label) if label in index else 0 for label in other]
    gold = pandas.Series(values[0], index=pandas.Index(index, dtype=object))
    answer = pandas.Series([values[1][i] for i in order], index=pandas.Index(other, dtype=object))
    if set(index) != set(other):
        assert "has the label" in failure(DataError, in_one_order, gold, {"A": answer})
        return
    by_label = dict(zip(other, answer, strict=True))
    _, answers = in_one_order(gold, {"A": answer})
    assert answers["A"].tolist() == [by_label[label] for label in index]


@settings(max_examples=12)
@given(st.lists(numbers, min_size=3, max_size=8).filter(lambda v: len(set(v)) > 1), st.data())
def test_every_library_and_type_gives_the_score_of_the_lists(gold, data):
    answer = data.draw(st.lists(st.integers(-9, 9), min_size=len(gold), max_size=len(gold)))
    plain = qeframe.score("mae", gold, answer)
    pandas_types = ["int64", "Int64", "Float64", "int8", "object", "category", "int64[pyarrow]"]
    columns = [
        *(pandas.Series(answer).astype(name) for name in pandas_types),
        polars.Series(answer),
        polars.Series(answer, dtype=polars.Int8),
        polars.Series(answer).cast(polars.Decimal(10, 2)),
        pyarrow.array(answer),
        pyarrow.chunked_array([answer[:1], answer[1:]]),
        pyarrow.array(answer).dictionary_encode(),
    ]
    for column in columns:
        assert qeframe.score("mae", gold, column) == plain
        assert qeframe.score("mae", pandas.Series(gold), column) == plain


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "float64", "category", "object", "int64[pyarrow]"])
def test_missing_values_of_every_type_are_refused(dtype):
    answer = pandas.Series([1, None, 3], dtype=dtype)
    with pytest.raises(DataError):
        qeframe.score("mae", [1.0, 2.0, 3.0], answer)
    frame = pandas.DataFrame({"gold": [1.0, 2.0, 3.0], "A": answer.astype("Float64")})
    assert "is missing in A" in failure(DataError, qeframe.tasks_from_frame, frame, submissions=["A"])


def test_an_index_of_several_levels_and_of_dates():
    levels = pandas.MultiIndex.from_product([["de", "fr"], [1, 2]])
    for index in (levels, pandas.date_range("2026-01-01", periods=4)):
        gold, answer = (pandas.Series(v, index=index) for v in ([1.0, 2.0, 4.0, 3.0], [1.0, 3.0, 2.0, 4.0]))
        assert qeframe.score("pearson", gold, answer[::-1]) == qeframe.score("pearson", list(gold), list(answer))


def test_groups_are_texts_in_the_order_of_the_gold():
    groups = pandas.Series([1, 2, 1], index=["c", "a", "b"])
    assert groups_in_order(GOLD, groups) == ["2", "1", "1"]
    assert groups_in_order([1, 2], ["x", 7]) == ["x", "7"]
    assert groups_in_order([1, 2], polars.Series(["x", "y"])) == ["x", "y"]
    assert groups_in_order(GOLD, groups.astype("category")) == ["2", "1", "1"]


@pytest.mark.parametrize(
    ("first", "groups", "said"),
    [
        (GOLD, pandas.Series(["x", "y"], index=["a", "b"]), "the gold has the label 'c', that of 'groups' has not"),
        (GOLD, ["x", "y", "z"], "the gold has an index of its own, and 'groups' has none"),
        ([1, 2], pandas.Series(["x", None]), "'groups' has a missing label"),
        ([1, 2], pandas.Series([1, None], dtype="Int64"), "'groups' has a missing label"),
        ([1, 2], pandas.Series(["x", pandas.NA], dtype="string"), "'groups' has a missing label"),
        ([1, 2], polars.Series(["x", None]), "'groups' has a missing label"),
        ([1, 2], GOLD.to_frame("a").assign(b=1.0), "'groups' is a data frame; give one of its columns"),
        ([1, 2], "doc", "'groups' is the text 'doc', and neither a task nor a data frame is given"),
    ],
)
def test_groups_that_do_not_match_are_refused(first, groups, said):
    assert said in failure(DataError, groups_in_order, first, groups)
