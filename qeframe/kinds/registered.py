"""The registered kinds of batch: those of qeframe, and those that plugins add."""

from __future__ import annotations

from qeframe.batches.base import Batch
from qeframe.errors import DataError
from qeframe.kinds import grid, judgments, preferences, scores, spans, tags, texts, values
from qeframe.kinds.binary import detections, token_scores
from qeframe.kinds.kind import BatchKind

__all__ = ["find_kind", "kind_of", "register_kind", "registered_kinds"]

_KINDS: dict[type[Batch], BatchKind] = {
    module.KIND.batch: module.KIND
    for module in (values, scores, detections, tags, token_scores, judgments, grid, spans, texts, preferences)
}


def register_kind(kind: BatchKind) -> BatchKind:
    """Register a kind of batch that a plugin brings, and return it.

    Call it in the module that defines the class, so that every process that imports the class knows the kind.

    Raises
    ------
    DataError
        If another kind is registered for the same class.
    """
    if _KINDS.get(kind.batch, kind) != kind:
        what = f"a kind is registered for batches of {kind.batch.__name__}"
        raise DataError(what, remedy="define a subclass and register the kind for it")
    _KINDS[kind.batch] = kind
    return kind


def registered_kinds() -> tuple[BatchKind, ...]:
    """Return all registered kinds, those of qeframe first."""
    return tuple(_KINDS.values())


def find_kind(batch: type[Batch]) -> BatchKind | None:
    """Return the kind of a class of batches or of its nearest ancestor; None if no kind is registered for them."""
    return next((_KINDS[ancestor] for ancestor in batch.__mro__ if ancestor in _KINDS), None)


def kind_of(batch: type[Batch]) -> BatchKind:
    """Return the kind of a class of batches or of its nearest ancestor.

    Raises
    ------
    DataError
        If no kind is registered for them.
    """
    kind = find_kind(batch)
    if kind is None:
        remedy = "register one with qeframe.plugin.register_kind"
        raise DataError(f"no kind is registered for batches of {batch.__name__}", remedy=remedy)
    return kind
