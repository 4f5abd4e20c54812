"""One side of a batch, read from its plain file as `plain_reading` reads all of them."""

from pathlib import Path

from qeframe.core.batch import Batch
from qeframe.data.reading import UnitValues
from qeframe.kinds.plain_files import _lines, parse_plain


def read_plain(kind: type[Batch], path: Path, *, name: str = "gold") -> UnitValues:
    return parse_plain(kind, _lines(kind, path), name=name)
