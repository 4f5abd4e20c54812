"""The kinds of batch that plugins bring, by the class of batches: for code that is given no registry."""

from __future__ import annotations

from qeframe.core.batch import Batch
from qeframe.core.batch_kind import REGISTERED, BatchKind
from qeframe.core.loader import load


def registered_kinds() -> tuple[BatchKind, ...]:
    """Return the kinds of all installed plugins, those of qeframe among them.

    Examples
    --------
    >>> from qeframe.testing import registered_kinds
    >>> "Tags" in [kind.batch.__name__ for kind in registered_kinds()]
    True
    """
    given = (find() for named in REGISTERED.values() for find in named)
    return (*(entry.component for entry in load().kinds.values()), *given)


def find_kind(batch: type[Batch]) -> BatchKind | None:
    """Return the kind of a class of batches or of its nearest ancestor; None if there is none."""
    return load().find_kind(batch)


def kind_named(name: str) -> BatchKind:
    """Return the kind of the class of batches of that name: for calls that name no kind."""
    return load().kinds[name].component


def kind_of(batch: type[Batch]) -> BatchKind:
    """Return the kind of a class of batches or of its nearest ancestor.

    Raises
    ------
    DataError
        If no installed plugin brings one.

    Examples
    --------
    >>> from qeframe.plugin import Tags
    >>> from qeframe.testing import kind_of
    >>> kind_of(Tags).batch.__name__
    'Tags'
    """
    return load().kind_of(batch)
