"""`Reader`: a format of shared-task files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from qeframe.batches.base import Batch, Best
from qeframe.components.component import Component

if TYPE_CHECKING:
    from qeframe.tasks.reading import Reading


__all__ = ["Reader"]


@frozen(kw_only=True)
class Reader(Component):
    """A format of shared-task files.

    Parameters
    ----------
    kind : type
        The kind of batch in the tasks that it reads.
    read : callable
        From a path and the better end of the gold scale ("low" or "high") to one `Reading` for each task.
    """

    kind: type[Batch]
    read: Callable[[Path, Best], Sequence[Reading]]
