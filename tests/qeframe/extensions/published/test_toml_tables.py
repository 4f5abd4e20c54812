"""Values from tables of TOML."""

import pytest
from attrs import field, frozen

from qeframe.core.errors import DataError
from qeframe.extensions.published.toml_tables import made_of, toml_tables
from tests.qeframe.core.components.made_plugins import failure


@frozen
class Thing:
    name: str
    size: int = 0
    parts: tuple[str, ...] = field(default=(), converter=tuple)


@pytest.mark.parametrize(
    ("text", "said"),
    [("a = 1", "'a' is not a table"), ("[a", "cannot be read as TOML"), ("\udcff", "cannot be read as TOML")],
)
def test_a_file_that_is_no_tables(tmp_path, text, said):
    file = tmp_path / "made.toml"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    line = failure(DataError, toml_tables, file)
    assert line.startswith(str(file))
    assert said in line


def test_a_missing_file(tmp_path):
    assert "cannot be read" in failure(DataError, toml_tables, tmp_path / "none.toml")


def test_tables_become_values(tmp_path):
    (tmp_path / "made.toml").write_text('[one]\nsize = 2\nparts = ["a"]\n')
    ((name, table),) = toml_tables(tmp_path / "made.toml").items()
    assert made_of(Thing, {"name": name, **table}, "made.toml: one") == Thing("one", 2, ("a",))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"name": "a", "sizes": 1}, "unknown key 'sizes', did you mean 'size'?"),
        ({"size": 1}, "the key 'name' is missing"),
        ({"name": "a", "parts": 1}, "'int' object is not iterable"),
    ],
)
def test_a_table_that_is_no_value(table, said):
    assert failure(DataError, made_of, Thing, table, "here") == f"here: {said}"
