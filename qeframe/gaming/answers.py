"""The answers that attacks are measured by: the gold handed in, honest ones, and ones that ignore the gold."""

from __future__ import annotations

from typing import Any

import numpy as np

from qeframe.core.batches.base import Batch
from qeframe.core.components.batch_kind import AuditAnswers
from qeframe.core.errors import DataError
from qeframe.kinds.registered import find_kind


def _answers(batch: Batch) -> AuditAnswers:
    kind = find_kind(type(batch))
    if kind is None or kind.audit is None:
        raise DataError(f"a batch of {type(batch).__name__} has no gold side that an attack could be measured by")
    return kind.audit


def perfect(batch: Batch) -> Any:
    """Return the batch with the gold handed in as the submission.

    Raises
    ------
    DataError
        If the kind of batch has no gold, or its `BatchKind` has no answers for the audit.
    """
    return _answers(batch).perfect(batch)


def rearranged(batch: Batch, rng: np.random.Generator) -> Any:
    """Return the batch with the gold's own answers given to other units, at random.

    Sentences are shuffled, their tags joined and cut again; scores, judgments and preferences are permuted; an item of
    a grid gets the row of another item with its systems shuffled; a segment gets the reference of another, or its spans
    stretched to the length of the text.

    Raises
    ------
    DataError
        If the kind of batch has no gold, or its `BatchKind` has no answers for the audit.
    """
    return _answers(batch).rearranged(batch, rng)


def honest(batch: Batch, quality: float, rng: np.random.Generator) -> Any:
    """Return the batch with a submission of a stated quality.

    Parameters
    ----------
    quality : float
        From 0 to 1. For scores and grids it is the correlation with the gold; mean and deviation are the gold's. For
        judgments it is the correlation of the variables that underlie the relations; there are as many ties as in the
        gold. For tags, texts, spans and preferences it is the share that is copied from the gold; the rest is drawn
        from elsewhere.

    Raises
    ------
    DataError
        If the kind of batch has no gold, or its `BatchKind` has no answers for the audit.
    """
    return _answers(batch).honest(batch, quality, rng)


def mirrored(batch: Batch) -> Any:
    """Return the same answers given to the opposite units, or None where the kind of batch has no such way.

    In a grid the best system by its mean answer is exchanged with the worst, the second best with the second worst, and
    so on, and the items likewise. Without the gold neither batch is preferable, and the mean of both scores has less
    noise than the mean of two independent ones.
    """
    kind = find_kind(type(batch))
    if kind is None or kind.audit is None or kind.audit.mirrored is None:
        return None
    return kind.audit.mirrored(batch)
