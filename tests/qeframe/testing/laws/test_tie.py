import pytest

from qeframe.core.components.metric import TiePolicy
from qeframe.testing import checks_of

NONE = (None, None, None)


@pytest.mark.parametrize(
    ("law", "table", "what"),
    [
        ("defined", (NONE, (1.0, 1.0, 1.0), NONE), "where the human relation is '<', no pair counts"),
        ("finite", ((1.0, float("nan"), 0.0), NONE, (0.0, 0.0, 1.0)), "the row of '<' has nan"),
        ("mirrored", ((1.0, 0.0, 0.0), NONE, (0.0, 0.5, 1.0)), "the table changes if left and right are exchanged"),
        ("right_is_best", ((0.0, 1.0, 0.0), NONE, (0.0, 1.0, 0.0)), "another relation counts more than agreement"),
    ],
)
def test_a_wrong_table_is_found_out(law, table, what):
    (check,) = [c for c in checks_of(TiePolicy(name="wrong", summary="", table=table)) if c.law.name == law]
    assert what in check.search().found.what
