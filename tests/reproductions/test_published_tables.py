"""Every published table whose data are at hand is reproduced, and the table of the documentation is that of today."""

import csv
import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest

from qeframe.cli import main
from qeframe.data.published.beside_profiles import find_published_tables

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
COMMAND = "qeframe reproduce --data DIR --format tsv"

SINGLE = "wmt24_metrics_rules_on_wmt23"
"""The one table with values of SPA as the official program rounds them, in single precision. Which draws reach the
observed difference is a matter of the last bit there, so that the kernels of BLAS that a machine has give values up to
.001 apart. The table says that this much is known."""


def values(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


STORED = values((REFERENCE / "reproductions.tsv").read_text(encoding="utf-8"))


def apart_from_rounding(rows: list[dict[str, str]], registry) -> list[dict[str, str]]:
    """Return the rows; of values that may be rounded in single precision, only what was published.

    What they are apart may be no more than what is known: else the verdict is "differs".
    """
    table = find_published_tables(registry)[SINGLE]
    published = ("table", "row", "column", "published")
    return [
        {name: row[name] for name in published}
        if row["table"] == SINGLE and table.known_difference(row["row"], row["column"])
        else row
        for row in rows
    ]


def test_published_values_are_in_the_stored_table(registry):
    """This needs no data: a value that is added or changed makes the table stale."""
    stored = {(row["table"], row["row"], row["column"]): row["published"] for row in STORED}
    tables = find_published_tables(registry)
    assert {name for name, _, _ in stored} == tables.keys()
    for name, table in tables.items():
        for row, texts in table.rows.items():
            for column, text in zip(table.columns, texts, strict=True):
                assert not text or stored[name, row, column.title] == text, (name, row, column.title)


def test_the_page_counts_the_values_of_the_stored_table():
    page = (REFERENCE / "reproductions.md").read_text(encoding="utf-8")
    counts = Counter(row["verdict"] for row in STORED)
    assert f"computed {len(STORED)} values of {len({row['table'] for row in STORED})} tables" in page.replace("\n", " ")
    numbers = [[int(cell) for cell in re.findall(r" (\d+) (?=\|)", line)[-4:]] for line in page.splitlines()]
    sums = [sum(column) for column in zip(*(row for row in numbers if len(row) == 4), strict=True)]
    assert sums == [len(STORED), *(counts[verdict] for verdict in ("equal", "known difference", "not in the data"))]
    assert f"**Known difference**, {counts['known difference']} values" in page
    assert set(counts) == {"equal", "known difference", "not in the data"}


@pytest.mark.slow
def test_every_table_is_reproduced_and_the_stored_one_is_up_to_date(shared_data, registry, capsys):
    data = shared_data("README.md").parent
    main(["reproduce", "--data", str(data), "--format", "tsv", "--quiet"])
    made = values(capsys.readouterr().out)
    assert not [row for row in made if row["verdict"] == "differs"]
    remedy = f"make the table again: {COMMAND} > docs/reference/reproductions.tsv"
    assert apart_from_rounding(made, registry) == apart_from_rounding(STORED, registry), remedy
