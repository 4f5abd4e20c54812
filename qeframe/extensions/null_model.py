"""`NullModel`: a law of data under which all submissions are equally good."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import Batch
from qeframe.core.components.component import Component


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset([names] if isinstance(names, str) else names)


def _no_groups(units: int) -> Mapping[str, Sequence[str]]:
    """Return no grouping."""
    return {}


@frozen(kw_only=True, repr=False)
class NullModel(Component):
    """A law of data under which all submissions are equally good: what the error rate of a test is measured on.

    Parameters
    ----------
    kind : type
        The kind of batch that it draws.
    draw : callable
        From a generator, a number of units and a number of submissions to one batch for each submission, all on the
        same gold.
    groups : callable, optional
        From a number of units to the labels of groupings, such as documents.
    equal_under : set of str
        The metrics under which the submissions have equal true scores. Empty: all metrics, since the submissions can be
        exchanged.
    one_truth : bool
        Whether the true scores are the same in all data sets, so that the coverage of intervals can be measured.
    true_scores : mapping of str to float
        By metric: the true score, where it is known. Other true scores are estimated from a large data set, which takes
        long to come near where tails are heavy.
    """

    kind: type[Batch]
    draw: Callable[[np.random.Generator, int, int], Sequence[Batch]]
    groups: Callable[[int], Mapping[str, Sequence[str]]] = _no_groups
    equal_under: frozenset[str] = field(default=(), converter=_names)
    one_truth: bool = True
    true_scores: Mapping[str, float] = field(factory=dict, hash=False)
