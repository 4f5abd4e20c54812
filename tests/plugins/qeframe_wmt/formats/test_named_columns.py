"""Columns found by the names in the first line."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.data.text_lines import TextFile
from qeframe_wmt.formats.named_columns import columns_by_name


def columns(*lines, separator="\t"):
    return columns_by_name(TextFile(Path("a"), lines, ""), ("A", "B"), separator=separator, remedy="name A and B")


def test_columns_in_any_order_with_others():
    assert columns("B\tC\tA", "1\t2 3\t", "4\t5\t6") == {"B": ["1", "4"], "C": ["2 3", "5"], "A": ["", "6"]}
    assert columns("A  B", "1 2", separator=None) == {"A": ["1"], "B": ["2"]}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("A\tC", "1\t2"), "a:1: the column is missing: B; name A and B"),
        (("C\tD", "1\t2"), "a:1: the columns are missing: A, B; name A and B"),
        (("A\tB\tA", "1\t2\t3"), "a:1: a column is named twice; name A and B"),
        (("A\tB", "1"), "a:2: 1 column instead of 2 columns by tabs (A B); repair or remove the line"),
    ],
)
def test_broken_columns(lines, message):
    with pytest.raises(DataError) as caught:
        columns(*lines)
    assert str(caught.value) == message
