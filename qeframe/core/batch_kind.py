"""`BatchKind`: all that plain files, laws, locks and the audit need to know of one kind of batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch, FloatArray, IntArray
from qeframe.core.display import Brief
from qeframe.core.kind_parts import AuditAnswers, PlainFormat

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from qeframe.core.metric import Metric


Submissions = Callable[..., "SearchStrategy[tuple[Any, ...]]"]
"""From the keywords `submissions`, `min_units` and `max_units` to a strategy of tuples of batches on the same units."""

Relations = tuple[tuple[str, str], ...]
"""For each pair of translations the relation that the human gave, and the relation of the metric's scores."""


@frozen(kw_only=True, repr=False)
class BatchKind(Brief):
    """All that the framework needs to know of one kind of batch, beside the class itself.

    Every part but `batch` is optional. Without a part, what needs it does not exist for this kind: no plain file, no
    audit, no law for a claim. "Answers" are what the field `predicted` of a batch holds.

    Parameters
    ----------
    batch : type
        The class. A subclass without a kind of its own has the kind of its nearest ancestor.
    plain_format : PlainFormat, optional
        What `qeframe score` reads.
    audit : AuditAnswers, optional
        What the gaming audit measures attacks by.
    fixed_submissions : callable, optional
        From a `random.Random` and a number of units to three batches with the same gold, for locked numbers.
    off_grid : callable, optional
        From a `random.Random` to three large batches with the same gold, for locked numbers: a changed threshold,
        comparison or choice changes a score of them. Their numbers are on and beside usual thresholds.
    ordinary : callable, optional
        From a `random.Random` and a number of units to a batch of ordinary data: many units, no ties but those that
        people give, no constant side. Every score should be defined on it. By default the first of `fixed_submissions`.
    regular : callable, optional
        From a generator and a number of units to a batch of continuous data with light tails, which the law of smooth
        scores is tried on.
    submissions : callable, optional
        What the laws are tried on: with the keywords `submissions`, `min_units` and `max_units`, to a Hypothesis
        strategy of tuples of batches on the same units.
    complete : callable, optional
        The same without missing cells, for claims; by default `submissions`.
    plain : callable, optional
        From a batch to plain values by name, "gold" and "predicted" among them.
    sides : callable, optional
        From a batch to its gold and its answers as `Batch.from_plain` takes them, where `plain` writes them otherwise.
    with_answers : callable, optional
        From a batch and answers to the batch with those, as if they had been handed in.
    gold_answers : callable, optional
        From a batch to the gold's own answers.
    anonymous : callable, optional
        From a batch, and from a function of a number of values to the positions that they are taken from, to the batch
        with a gold of which only lengths, and the values that were taken, are left. With a permutation it is what a
        blind attack may know; of texts also how many have each word.
    constants : callable, optional
        From a batch to the likely answers that are the same for every unit.
    rearrangements : callable, optional
        From a batch and answers to all ways to give the answers to the units, in which every unit gets each answer
        equally often. The mean score of the gold's own answers over them is exactly honest chance.
    corrections : callable, optional
        From a batch and a unit to answers with something of this unit corrected, one thing at a time.
    rescaled : callable, optional
        From a batch, a scale and a shift to the answers shifted and then scaled.
    without_answer : callable, optional
        From a batch and a unit to the answers where the submission has none for this unit.
    may_abstain : bool
        Whether `without_answer` stays within the batch. Otherwise it gives the worst answer, as the policy
        `score_as_worst` fills in missing units.
    padded : callable, optional
        From a batch and a unit to answers with words appended that are in no reference.
    probe : Metric, optional
        The simplest metric on this kind: the laws of significance tests are tried under it, on answers that are arrays.
    from_relations : callable, optional
        From relations of pairs of translations, the human's and the metric's, to a batch with one pair in each unit.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Tags
    >>> kind = qeframe.load().kind_of(Tags)
    >>> kind.batch is Tags, kind.audit is not None
    (True, True)
    """

    batch: type[Batch]
    plain_format: PlainFormat | None = None
    audit: AuditAnswers | None = None
    fixed_submissions: Callable[[Random, int], Sequence[Any]] | None = None
    off_grid: Callable[[Random], Sequence[Any]] | None = None
    ordinary: Callable[[Random, int], Any] | None = None
    regular: Callable[[np.random.Generator, int], Any] | None = None
    submissions: Submissions | None = None
    complete: Submissions | None = None
    plain: Callable[[Any], Mapping[str, Any]] | None = None
    sides: Callable[[Any], tuple[Any, Any]] | None = None
    with_answers: Callable[[Any, Any], Any] | None = None
    gold_answers: Callable[[Any], Any] | None = None
    anonymous: Callable[[Any, Callable[[int], IntArray]], Any] | None = None
    constants: Callable[[Any], Sequence[Any]] | None = None
    rearrangements: Callable[[Any, Any], Iterable[Any]] | None = None
    corrections: Callable[[Any, int], Iterable[Any]] | None = None
    rescaled: Callable[[Any, float, float], FloatArray] | None = None
    without_answer: Callable[[Any, int], Any] | None = None
    may_abstain: bool = False
    padded: Callable[[Any, int], Iterable[Any]] | None = None
    probe: Metric | None = None
    from_relations: Callable[[Relations], Any] | None = None


REGISTERED: dict[str, list[Callable[[], BatchKind]]] = {}
"""By the name of a class, kinds of plugins that are not installed but given to `load`."""
