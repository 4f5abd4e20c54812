"""The table of data sources."""

import pytest

from qeframe.components.published.data_source import DataSource, SourceFile
from qeframe.report.layouts.terminal import as_text
from qeframe.report.tables.data_sources import data_source_table, size_in_words


@pytest.mark.parametrize(
    ("size", "words"),
    [(0, "not stated"), (999, "999 bytes"), (95_685, "95.7 kB"), (123_456_789, "123 MB"), (2_000_000_000, "2.0 GB")],
)
def test_sizes(size, words):
    assert size_in_words(size) == words


def test_what_is_not_known_is_said():
    file = SourceFile(url="https://example.org/a", path="a")
    text = as_text(data_source_table([DataSource(name="made", summary="task 1", source="example.org", files=[file])]))
    (row,) = [line for line in text.splitlines() if line.startswith("made")]
    assert [cell.strip() for cell in row.split("  ") if cell.strip()] == [
        "made", "task 1", "not stated", "none stated", "example.org", "not pinned", "not verified",
    ]  # fmt: skip
