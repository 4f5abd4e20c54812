"""The components that plugins bring: frozen values, one class for each hook.

A component has a name and a one-line summary. Where it has parameters, the plugin brings a `Parametric`: a documented
function from keyword parameters to the component, with which ``f_beta(beta=2)`` is found, checked and printed back.
"""

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
        The kind of batch it yields.
    read : callable
        From a path and the good end of the gold scale ("low" or "high") to one `Reading` a task.
    """

    kind: type[Batch]
    read: Callable[[Path, Best], Sequence[Reading]]
