"""`BatchKind`: all that plain files, laws, locks and the audit need to know of one kind of batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch, FloatArray, IntArray
from qeframe.core.display import Brief
from qeframe.core.reading import TextFile, UnitValues

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from qeframe.core.metric import Metric


Submissions = Callable[..., "SearchStrategy[tuple[Any, ...]]"]
"""From the keywords `submissions`, `min_units` and `max_units` to a strategy of tuples of batches on the same units."""

Relations = tuple[tuple[str, str], ...]
"""For each pair of translations the relation that the human gave, and the relation of the metric's scores."""


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
