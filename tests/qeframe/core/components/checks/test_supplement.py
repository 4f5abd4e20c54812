"""What a supplement returns: what is no answer is refused by its name."""

import pytest

from qeframe.core.components.checks.supplement import tables
from qeframe.core.errors import PluginError
from qeframe.report.layouts.table import Table
from tests.qeframe.core.components.test_supplement import Gap, covered, evaluated, supplement


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        (
            supplement(of_pairs=lambda *_: 1),
            "of_pairs returned int 1, expected a sequence with one value for each pair",
        ),
        (supplement(of_pairs=lambda *_: [1]), "of_pairs returned 1 values, expected 3, one for each pair"),
        (supplement(of_pairs=lambda *_: [1] * 3, value=Gap), "of_pairs returned int 1, expected a Gap"),
        (supplement(of_scores=lambda _: []), "of_scores returned 0 values, expected 3, one for each submission"),
        (
            supplement(of_scores=lambda _: [1] * 3),
            "of_scores returned int 1, expected a mapping to values of JSON for each submission",
        ),
        (supplement(of_evaluation=lambda _: 1, value=Gap), "of_evaluation returned int 1, expected a Gap"),
        (supplement(of_evaluation=lambda _: 1 / 0), "failed in of_evaluation: ZeroDivisionError"),
        (supplement(of_evaluation=lambda _: {1: object()}), "of_evaluation returned dict {1: <object"),
    ],
)
def test_what_is_no_answer_is_refused_by_name(wrong, line):
    with pytest.raises(PluginError) as raised:
        evaluated(wrong)
    assert str(raised.value).startswith("supplement 'own' (given)")
    assert line in str(raised.value)


def test_tables_are_tables():
    wrong = supplement(of_evaluation=covered, tables=lambda value, evaluation: [value])
    with pytest.raises(PluginError, match=r"tables returned list .*, expected a sequence of Table"):
        tables(wrong, 1, None, Table)
    assert tables(supplement(of_evaluation=covered), 1, None, Table) == []
