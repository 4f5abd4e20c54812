"""The table of ``qeframe fetch``: every data source with its license and what is checked."""

from collections.abc import Sequence

from qeframe.plugin.data import DataSource
from qeframe.plugin.report import Cell, Column, Table


def data_source_table(sources: Sequence[DataSource]) -> Table:
    """Return a row for each data source."""
    columns = [
        (Column("name", "left", key=True), [source.name for source in sources]),
        (Column("data of", "left"), [source.summary for source in sources]),
        (Column("size"), [size_in_words(source.size) for source in sources]),
        (Column("license", "left"), [source.license or "none stated" for source in sources]),
        (Column("published at", "left"), [source.source for source in sources]),
        (Column("revision", "left"), [source.revision[:12] or "not pinned" for source in sources]),
        (Column("checked", "left"), [source.checked for source in sources]),
    ]
    notes = ["'qeframe fetch NAME' downloads the data. They belong to their publishers, whose terms apply."]
    cells = [(column, [Cell(text) for text in texts]) for column, texts in columns]
    return Table.from_columns("Data of shared tasks", cells, notes=notes)


def size_in_words(size: int) -> str:
    """Return a number of bytes with a unit; "not stated" for 0."""
    if size < 1000:
        return f"{size} bytes" if size else "not stated"
    power, unit = next((p, u) for p, u in ((3, "GB"), (2, "MB"), (1, "kB")) if size >= 1000**p)
    value = size / 1000**power
    return f"{value:.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"
