"""Which rules ask for an assembler."""

import pytest

from qeframe.plugin.evaluation import Assembler

SETS = Assembler(name="sets", summary="", key="sets", evaluate=lambda *_: None)


@pytest.mark.parametrize(
    ("rules", "asked"),
    [({}, False), ({"sets": ()}, False), ({"sets": []}, False), ({"sets": {}}, True), ({"sets": [{}]}, True)],
)
def test_its_key_asks_for_it_unless_it_is_an_empty_list(rules, asked):
    assert SETS.asked_for(rules) is asked


def test_only_the_key_and_the_evaluation_are_needed():
    assert SETS.wrong({}) == SETS.incompatible(None, None, True) == SETS.rules(None) == []
    assert Assembler(name="one", summary="", key="one", replaces="primary", evaluate=max).replaces == ("primary",)
