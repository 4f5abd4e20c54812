"""The tables of influential units, against a reviewed snapshot."""

import math

import attrs

from qeframe.core.findings import FewestUnits, Influence, MovedScore, Unit, WinnerWithout
from qeframe.core.result import Result, ScoredSubmission
from qeframe.report import as_text, supplement_tables
from qeframe.report.tables.influence import influence_tables
from tests.qeframe.core.evaluation.test_result import EVALUATION

RANKED = attrs.evolve(
    EVALUATION,
    submissions=tuple(
        ScoredSubmission(name=name, kind="real", rank=rank, scores={EVALUATION.primary: Result(value=1.0 / rank)})
        for rank, name in enumerate("ba", 1)
    ),
)
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


def test_influence(snapshot):
    few = FewestUnits(count=9, share=0.03, challenger="b", units=(FIRST,))
    none_alone = attrs.evolve(FOUND, changing=0, winners_without=(), fewest=few)
    cases = {
        "units that change the winner": FOUND,
        "a set of units that changes the winner": none_alone,
        "no set": attrs.evolve(none_alone, fewest=None),
        "not computed": Influence(metric="m", units=9, unit="segment", reason="too much"),
    }
    shown = []
    for what, found in cases.items():
        made = attrs.evolve(RANKED, influence=found)
        tables = influence_tables(made)
        assert tables == supplement_tables(made)
        shown += [f"#### {what}, {number}\n\n{as_text(table)}" for number, table in enumerate(tables, 1)]
    snapshot("influence.txt", "\n".join(shown))
    assert influence_tables(RANKED) == supplement_tables(RANKED) == []
