"""`Writer`: a format in which tasks are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from qeframe.core.batches.base import Batch, read_only_mapping
from qeframe.core.components.component import Component
from qeframe.core.errors import DataError
from qeframe.core.resampling.return_checks import describe

if TYPE_CHECKING:
    from qeframe.core.tasks.reading import Reading
    from qeframe.core.tasks.task import Dropped


@frozen(kw_only=True)
class Written:
    """What a writer makes of tasks.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of each file by its path inside the folder, with slashes.
    dropped : tuple of Dropped
        What of the tasks is in no file, or not as it was read, with counts and reasons.
    """

    files: Mapping[str, bytes] = field(converter=read_only_mapping, repr=False)
    dropped: tuple[Dropped, ...] = ()


@frozen(kw_only=True)
class Writer(Component):
    """A format in which tasks are written, such as the layout of a published data set.

    Parameters
    ----------
    kinds : tuple of type
        The kinds of batch that it can write.
    write : callable
        From the readings of all tasks, each of one of `kinds`, to `Written`. Submissions that were computed from texts
        are in the readings. It raises a `DataError` for a task that the format cannot hold.
    """

    kinds: tuple[type[Batch], ...]
    write: Callable[[Sequence[Reading]], Written]

    def __attrs_post_init__(self) -> None:
        if not (isinstance(self.kinds, tuple) and self.kinds and all(map(_is_kind, self.kinds))):
            raise DataError(f"writer '{self.name}': kinds is {describe(self.kinds)}, not a tuple of classes of batches")
        if not callable(self.write):
            raise DataError(f"writer '{self.name}': write is {describe(self.write)}, not a function of readings")


def _is_kind(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Batch)
