"""Parts of a `BatchKind`: its plain file, and the answers that the gaming audit measures attacks by."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch, IntArray
from qeframe.core.display import Brief
from qeframe.core.reading import TextFile, UnitValues


def _nothing_to_check(_gold: Any, _others: Any) -> None:
    pass


def _no_ids(_file: TextFile) -> bool:
    return False


@frozen(kw_only=True, repr=False)
class PlainFormat(Brief):
    """The plain file of one kind of batch: what `qeframe score` reads.

    Parameters
    ----------
    parse : callable
        From a `TextFile` to the ids of its units, (n,) int64, and one value for each unit; NaN is no answer to a unit
        that has an id. Unit i is on line i + 1.
    one_number : bool
        Whether each side of a batch is one number a unit, (n,) float64, which arrays and columns of numbers hold too.
    empty_end : bool
        Whether an empty line at the end of a file is a unit.
    holds_texts : bool
        Whether a file has texts, which keep byte-order marks within them.
    has_ids : callable
        From a `TextFile` to whether it states the ids of its units. Other units are identified by their lines.
    check_files : callable
        From the gold's file and the other files; raises a `DataError` if they do not belong together.
    check_sides : callable
        From the gold and one other `UnitValues`; raises a `DataError` if they do not belong together.
    join_references : callable, optional
        From the gold and further references to one gold. Without it, the kind of batch has one reference.
    groups : callable, optional
        From the gold's file to the groups of its units by name.
    """

    parse: Callable[[TextFile], tuple[IntArray, Any]]
    one_number: bool = False
    empty_end: bool = False
    holds_texts: bool = False
    has_ids: Callable[[TextFile], bool] = _no_ids
    check_files: Callable[[TextFile, Sequence[TextFile]], None] = _nothing_to_check
    check_sides: Callable[[UnitValues, UnitValues], None] = _nothing_to_check
    join_references: Callable[[UnitValues, Sequence[UnitValues]], UnitValues] | None = None
    groups: Callable[[TextFile], Mapping[str, Sequence[str]]] | None = None


@frozen(eq=False)
class GeneratedGold:
    """A generated gold of the gaming audit, which draws many of them.

    Parameters
    ----------
    batch : Batch
        The gold, handed in as the submission.
    description : str
        The distributions that it is drawn from, in one line.
    """

    batch: Batch
    description: str


@frozen(kw_only=True, repr=False)
class AuditAnswers(Brief):
    """The answers that the gaming audit measures attacks by, for one kind of batch.

    Parameters
    ----------
    perfect : callable
        From a batch to the batch with the gold handed in as the submission.
    rearranged : callable
        From a batch and a generator to the batch with the gold's own answers given to other units at random. Their
        expected score is honest chance.
    honest : callable
        From a batch, a quality in [0, 1] and a generator to the batch with a submission of that quality.
    mirrored : callable, optional
        From a batch to the batch with the same answers given to the opposite units; see `qeframe.gaming.audit_gold`.
    generate : callable, optional
        From a generator to a `GeneratedGold`. Without it, the kind is audited on real gold only.
    """

    perfect: Callable[[Any], Any]
    rearranged: Callable[[Any, np.random.Generator], Any]
    honest: Callable[[Any, float, np.random.Generator], Any]
    mirrored: Callable[[Any], Any] | None = None
    generate: Callable[[np.random.Generator], GeneratedGold] | None = None
