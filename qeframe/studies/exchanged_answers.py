"""A null model from real data: submissions whose answers are exchanged at random do not differ."""

from collections.abc import Sequence
from functools import partial

import attrs
import numpy as np

from qeframe.core.batches.base import Batch
from qeframe.core.errors import DataError
from qeframe.extensions.null_model import NullModel


def exchanged_answers(batches: Sequence[Batch], name: str) -> NullModel:
    """Return a null model that draws units of real data, and exchanges the answers of submissions to each unit.

    `batches`: submissions on the same units; at least two. Each data set has some of them, chosen at random. `name`:
    the name of the null model. Result: units are drawn with replacement. The answers to each unit are given to the
    submissions in random order, so that the submissions can be exchanged. Each data set has a true score of its own,
    that of the chosen submissions. Raises DataError if there are fewer than two submissions, or more are drawn than
    there are.
    """
    if len(batches) < 2:
        raise DataError(f"{name}: answers of fewer than two submissions cannot be exchanged")
    return NullModel(
        name=name,
        summary="Answers of real submissions, exchanged at random unit by unit",
        kind=type(batches[0]),
        draw=partial(_exchanged, tuple(batches), name),
        one_truth=False,
    )


def _exchanged(
    batches: Sequence[Batch], name: str, rng: np.random.Generator, units: int, submissions: int
) -> Sequence[Batch]:
    if submissions > len(batches):
        raise DataError(f"{name} has {len(batches)} submissions, not {submissions}", remedy="ask for a smaller family")
    taken, ids = rng.integers(len(batches[0]), size=units), np.arange(units)
    chosen = rng.choice(len(batches), size=submissions, replace=False)
    drawn = [attrs.evolve(batches[i].take(taken), ids=ids) for i in chosen]
    for i in range(submissions - 1):  # the shuffle of Fisher and Yates, for all units at once
        partner = rng.integers(i, submissions, size=units)
        for j in range(i + 1, submissions):
            drawn[i], drawn[j] = drawn[i].swap_answers(drawn[j], partner == j)
    return drawn
