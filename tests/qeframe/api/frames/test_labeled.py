"""Frames of segments by systems: by their labels in every form and order, or refused."""

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.api.frames.labeled import in_one_order, labeled
from qeframe.core.errors import DataError

SYSTEMS = ["A", "B", "C"]
SEGMENTS = ["1", "10", "100", "2"]
RNG = np.random.default_rng(3)
GOLD, ANSWERS = RNG.normal(size=(2, 4, 3)).round(3)


def wide(cells, segments=SEGMENTS, systems=SYSTEMS):
    return pandas.DataFrame(cells, index=pandas.Index(segments, name="segment"), columns=systems)


def long(cells, segments=SEGMENTS):
    frame = wide(cells, segments).rename_axis(columns="system").stack().rename("score").reset_index()
    return frame.sample(frac=1, random_state=1)


def forms(cells, rows, columns):
    """Return one grid as frames in other orders: wide with an index or a column, long, a pivot, and those of polars."""
    shuffled = wide(cells).iloc[list(rows), list(columns)]
    numbers = wide(cells, [int(segment) for segment in SEGMENTS]).iloc[list(rows)]
    return {
        "index": shuffled,
        "column": shuffled.reset_index(),
        "long": long(cells),
        "pivot of texts": long(cells).pivot(index="segment", columns="system", values="score"),
        "series": long(cells).set_index(["system", "segment"])["score"],
        "whole numbers": numbers,
        "unnamed index": shuffled.rename_axis(index=None),
        "polars": polars.from_pandas(shuffled.reset_index()),
        "polars long": polars.from_pandas(long(cells)).rename({"segment": "SegID", "system": "System"}),
        "lazy": polars.from_pandas(shuffled.reset_index()).lazy(),
    }


@settings(max_examples=5)
@given(st.permutations(range(4)), st.permutations(range(3)), st.permutations(range(4)))
def test_every_form_in_every_order_is_the_grid(rows, columns, gold_rows):
    """The oracle is a dictionary from segment and system to the cell."""
    oracle = {(a, b): ANSWERS[i, j] for i, a in enumerate(SEGMENTS) for j, b in enumerate(SYSTEMS)}
    gold = wide(GOLD).iloc[list(gold_rows)]
    for form, frame in forms(ANSWERS, rows, columns).items():
        truth, found = in_one_order(gold, {"a": frame}, crossed=True)
        wanted = [[oracle[segment, system] for system in gold.columns] for segment in gold.index]
        assert found["a"].tolist() == wanted, form
        assert truth.tolist() == gold.to_numpy().tolist()


def test_scores_and_comparisons_of_frames_are_those_of_arrays():
    score = qeframe.score("segment_pearson", GOLD, ANSWERS)
    for frame in forms(ANSWERS, [2, 0, 3, 1], [1, 2, 0]).values():
        assert qeframe.score("segment_pearson", wide(GOLD), frame) == pytest.approx(score, abs=1e-12)
    others = {"a": ANSWERS, "b": ANSWERS[::-1].copy()}
    rules = {"test": "randomization", "correction": "holm"}
    (of_arrays,) = qeframe.compare("acc_eq", GOLD, others, **rules)
    (of_frames,) = qeframe.compare("acc_eq", long(GOLD), {name: wide(cells) for name, cells in others.items()}, **rules)
    assert (of_frames.a, of_frames.difference) == (of_arrays.a, pytest.approx(of_arrays.difference))


def test_cells_that_a_long_frame_lacks_are_missing():
    frame = long(GOLD)
    side = labeled("x", frame[(frame.segment != "10") | (frame.system != "B")])
    assert np.isnan(side.values[side.rows.index("10"), side.columns.index("B")])
    assert int(np.isnan(side.values).sum()) == 1


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (wide(ANSWERS).drop(columns="B"), "'a' has no scores of system 'B'; complete it, or leave the system out"),
        (wide(ANSWERS).assign(B=np.nan), "'a' has no scores of system 'B'; complete it, .* systems=\\[...\\]"),
        (wide(ANSWERS).assign(D=1.0), "the gold has no system 'D', submission 'a' has; select the same systems"),
        (wide(ANSWERS).drop(index="10"), "the gold has the label '10', that of submission 'a' has not"),
        (wide(ANSWERS, ["1", "10", "100", "3"]), "the gold has the label '2', that of submission 'a' has not"),
        (wide(ANSWERS, ["1", "10", "100", "1"]), "has the label '2'"),
        (wide(ANSWERS)[["A", "B", "C"]].iloc[[0, 1, 2, 3, 3]], "the label '2' twice"),
        (pandas.concat([long(ANSWERS)] * 2), "submission 'a' has unit .* twice; keep one row for each score"),
        (ANSWERS, "the gold has an index of its own, and submission 'a' has none"),
        (wide(ANSWERS).assign(note="x"), "a data frame with the columns segment, A, B, C, note; name them"),
        (
            wide(ANSWERS).assign(note="x").reset_index(drop=True),
            "a data frame with the columns A, B, C, note; name them",
        ),
        (long(ANSWERS).drop(columns="system"), "the label '10' twice"),
    ],
)
def test_what_does_not_match_is_refused(frame, said):
    with pytest.raises(DataError, match=said):
        in_one_order(wide(GOLD), {"a": frame}, crossed=True)


def test_rows_without_labels_are_taken_in_order_from_both_sides_alone():
    plain = pandas.DataFrame(GOLD, columns=SYSTEMS)
    _, found = in_one_order(plain, {"a": polars.DataFrame(ANSWERS, schema=SYSTEMS)}, crossed=True)
    assert found["a"].tolist() == ANSWERS.tolist()
    with pytest.raises(DataError, match="has the label"):
        in_one_order(wide(GOLD), {"a": plain}, crossed=True)


def test_a_column_of_segments_beside_one_of_values():
    gold = pandas.DataFrame({"segment": [3, 1, 2], "score": [0.3, 0.1, 0.2]})
    answers = polars.DataFrame({"seg": ["1", "2", "3"], "score": [1.0, 2.0, 3.0]})
    truth, found = in_one_order(gold, {"a": answers})
    assert (truth.tolist(), found["a"].tolist()) == ([0.3, 0.1, 0.2], [3.0, 1.0, 2.0])


def test_a_text_names_a_column_of_groups():
    documents = {segment: f"d{nth % 2}" for nth, segment in enumerate(SEGMENTS)}
    by_name = {"interval": "bootstrap(draws=20)", "groups": "doc"}
    by_list = {**by_name, "groups": [documents[segment] for segment in SEGMENTS]}
    wanted = qeframe.score("segment_pearson", GOLD, ANSWERS, **by_list)
    for gold in (
        wide(GOLD),
        long(GOLD).sort_values(["segment", "system"], key=lambda of: of.map(lambda x: (SEGMENTS + SYSTEMS).index(x))),
    ):
        gold = gold.reset_index(drop="segment" in gold.columns)
        grouped = gold.assign(doc=gold["segment"].map(documents))
        assert qeframe.score("segment_pearson", grouped, wide(ANSWERS), **by_name) == wanted
    with pytest.raises(DataError, match="the gold has no column 'docs'; did you mean 'doc'"):
        qeframe.score("segment_pearson", grouped, wide(ANSWERS), interval="default", groups="docs")
    with pytest.raises(DataError, match="unit 1 of the gold has two labels in 'doc'"):
        qeframe.score("segment_pearson", grouped.assign(doc=range(12)), wide(ANSWERS), interval="default", groups="doc")
