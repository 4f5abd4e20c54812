"""The domain and the document of every segment, and the scores of systems within one domain."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.plugin import BoolArray, IntArray
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import TextFile, has_file, split_columns
from qeframe_wmt.readers.metrics.mtme.score_files import text_file
from qeframe_wmt.readers.metrics.system_columns import SystemColumns


@frozen(eq=False)
class SegmentLabels:
    """The labels of the segments of a language pair: for "domain" and "document", that of every segment."""

    file: TextFile
    labels: Mapping[str, list[str]] = field(repr=False)

    def inside(self, domain: str) -> BoolArray:
        """Return which segments are of a domain, (segments,) bool."""
        return np.array([label == domain for label in self.labels["domain"]], dtype=np.bool_)

    def of(self, rows: IntArray) -> dict[str, list[str]]:
        """Return the labels of some segments."""
        return {name: [labels[row] for row in rows] for name, labels in self.labels.items()}

    def check_length(self, table: SystemColumns) -> None:
        """Raise a `DataError` if a file of scores has another number of segments."""
        given = len(self.labels["domain"])
        if given != len(table.cells):
            what = f"{counted(given, 'line')} for {counted(len(table.cells), 'segment')} in {table.file.path}"
            raise self.file.error(what, remedy="give one line a segment")


def read_labels(root: Path, pair: str) -> SegmentLabels | None:
    """Return the labels in ``documents/LP.docs``, None if there is no such file."""
    plain = root / "documents" / f"{pair}.docs"
    packed = plain.with_name(f"{plain.name}.gz")
    path = next((path for path in (plain, packed) if has_file(path)), None)
    if path is None:
        return None
    file = text_file(path, holds="DOMAIN and DOCUMENT, one line a segment")
    domains, documents = split_columns(file, ("DOMAIN", "DOCUMENT"))
    return SegmentLabels(file, {"domain": domains, "document": documents})


def of_domain(table: SystemColumns, domain: str) -> SystemColumns | None:
    """Return the row of one domain of a file of domain scores, None if it has no such domain."""
    if domain not in table.rows:
        return None
    position = table.rows.index(domain)
    row = slice(position, position + 1)
    return attrs.evolve(table, cells=table.cells[row], lines=table.lines[row], rows=())


def mean_in_domain(table: SystemColumns, labels: SegmentLabels, domain: str) -> SystemColumns:
    """Return a row of the means of the segments of a domain that have a score, NaN for a system without any."""
    labels.check_length(table)
    cells = table.cells[labels.inside(domain)]
    present = ~np.isnan(cells)
    count = present.sum(axis=0)
    sums = np.where(present, cells, 0.0).sum(axis=0)
    means = np.divide(sums, count, out=np.full(len(table.systems), np.nan), where=count > 0)
    return attrs.evolve(table, cells=means[None], lines=table.lines[:1])
