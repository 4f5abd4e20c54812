"""Published tables: what their author writes, and what is refused."""

import pytest

from qeframe.core.errors import DataError
from qeframe.extensions.published.published_table import (
    KnownDifference,
    PublishedColumn,
    PublishedTable,
    published_tables_from_toml,
)
from tests.qeframe.core.components.made_plugins import failure

COLUMNS = [{"title": "r", "metric": "pearson"}, {"title": "MAE", "metric": "mae"}]


def table(**given):
    base = {"name": "made", "summary": "", "paths": ["."], "columns": COLUMNS, "rows": {"A": [".5", ""]}}
    return PublishedTable(**{**base, "profile": "p", **given})


def test_from_toml(tmp_path):
    (tmp_path / "made.toml").write_text(
        '[made]\nsummary = "s"\nsource = "paper"\ndata = "d"\npaths = ["a", "b"]\nprofile = "p"\n'
        'columns = [{ title = "r", metric = "pearson", task = "en-de" }]\nknown = [{ reason = "why", row = "A" }]\n'
        '[made.names]\nA = "a"\n[made.rows]\nA = [".550"]\n'
    )
    (made,) = published_tables_from_toml(tmp_path / "made.toml")
    assert made.columns == (PublishedColumn(title="r", metric="pearson", task="en-de"),)
    assert made.rows == {"A": (".550",)}
    assert made.known == (KnownDifference(reason="why", row="A"),)


def test_a_reason_is_of_a_cell_a_row_a_column_or_the_table():
    made = table(known=[{"reason": "cell", "row": "A", "column": "r"}, {"reason": "column", "column": "MAE"}])
    found = [made.known_difference(row, column) for row, column in (("A", "r"), ("B", "r"), ("B", "MAE"))]
    assert [known and known.reason for known in found] == ["cell", None, "column"]
    assert table(known=[{"reason": "all"}]).known_difference("B", "r") == KnownDifference(reason="all")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rows": {"A": [".5"]}}, "row 'A' of 'made' has 1 values for 2 columns"),
        ({"rows": {"A": [".5", "five"]}}, "'five' is not a number in quotes"),
        ({"rows": {"A": [".5", 0.5]}}, "'0.5' is not a number in quotes"),
        ({"columns": [COLUMNS[0], COLUMNS[0]]}, "two columns of 'made' have one title"),
        ({"profile": ""}, "needs a profile or a function"),
        ({"compute": dict}, "needs a profile or a function"),
        ({"columns": [{"name": "r"}]}, "columns: unknown key 'name'"),
    ],
)
def test_a_table_that_is_refused(given, said):
    assert said in failure(DataError, table, **given)
