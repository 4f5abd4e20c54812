"""The tables of influential units."""

import math

import attrs
import pytest

from qeframe.evaluation.supplements.influence import FewestUnits, Influence, MovedScore, Unit, WinnerWithout
from qeframe.report import as_latex, as_markdown, as_text, as_tsv, influence_tables

FIRST = Unit(task="en-de", name="12", texts={"reference": "the  cat " + "x" * 80, "a": "a cat", "b": "cat"})
SECOND = Unit(task="en-ru", name="7", texts={"reference": "dog", "a": "dogs", "b": "dig"})
FOUND = Influence(
    metric="bleu",
    units=300,
    unit="segment",
    leaders=("a",),
    changing=3,
    winners_without=(
        WinnerWithout(unit=FIRST, leaders=("b",), lead=0.25),
        WinnerWithout(unit=SECOND, leaders=("a", "b"), lead=0),
    ),
    fewest=FewestUnits(count=1, share=1 / 300, challenger="b", units=(FIRST,)),
    moved={
        "a": (MovedScore(unit=SECOND, influence=0.5, without=30.0),),
        "b": (
            MovedScore(unit=FIRST, influence=-0.125, without=29.0),
            MovedScore(unit=SECOND, influence=math.nan, without=math.nan),
        ),
    },
)


def texts(table, title):
    position = [column.title for column in table.columns].index(title)
    return [row[position].text for row in table.rows]


@pytest.fixture
def tables_of(evaluation_of, scored):
    """Return the tables of influences on two submissions, b ranked first."""
    made = evaluation_of([scored("b", 1, {"pearson": 0.5, "mae": 1.0}), scored("a", 2, {"pearson": 0.25, "mae": 1.0})])
    return lambda found: influence_tables(attrs.evolve(made, influence=found))


def test_units_that_change_the_winner_and_units_that_move_scores(tables_of):
    winners, moved = tables_of(FOUND)
    assert texts(winners, "segment") == ["12", "7"]
    assert texts(winners, "best without it") == ["b", "a, b"]
    assert texts(winners, "lead") == ["0.250", "0.000"]
    assert winners.notes == (
        "best with all: a; 3 of 300 segments alone can be left out to change that; the first 2 are shown",
        "without 1 segment (0.33 %), b is better than a",
    )
    assert texts(moved, "submission") == ["b", "b", "a"]
    assert texts(moved, "answer") == ["cat", "dig", "dogs"]
    assert texts(moved, "influence") == ["-0.125", "undefined without it", "+0.500"]
    assert texts(moved, "task") == ["en-de", "en-ru", "en-ru"]
    assert texts(moved, "reference")[0].startswith("the cat xxx")
    assert len(texts(moved, "reference")[0]) == 60
    assert moved.notes[0] == "influence: the score less the score without the segment"
    assert moved.notes[1] == "segment: its name or number in the files; without one its line, from 1"
    assert moved.notes[2].startswith("qeframe:9.9|")


def test_a_set_of_units_that_changes_the_winner(tables_of):
    few = FewestUnits(count=9, share=0.03, challenger="b", units=(FIRST,))
    none_alone = attrs.evolve(FOUND, changing=0, winners_without=(), fewest=few)
    winners, _ = tables_of(none_alone)
    assert texts(winners, "segment") == ["12"]
    assert winners.notes == (
        "best with all: a; no single segment alone can be left out to change that",
        "without 9 segments (3 %), b is better than a; the most influential 1 are shown",
    )
    (moved,) = tables_of(attrs.evolve(none_alone, fewest=None))
    assert moved.notes[1] == "leaving out up to half of the segments does not change the leader, a"


def test_what_was_not_computed_says_why(tables_of):
    (table,) = tables_of(Influence(metric="m", units=9, unit="segment", reason="too much"))
    assert texts(table, "m") == ["not computed"]
    assert table.notes[0] == "too much"


@pytest.mark.parametrize("layout", [as_text, as_markdown, as_latex, as_tsv])
def test_every_layout_has_the_influence(layout, tables_of):
    for table in tables_of(FOUND):
        assert "12" in layout(table)
