"""One value per unit, such as the absolute errors or the segment scores of each submission."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import numpy as np

from qeframe.plugin import DataError, FloatArray, IntArray, Values
from qeframe.plugin.audit import NullModel

Law = Literal["normal", "lognormal"]
Rng = np.random.Generator


def _values(rng: Rng, size: tuple[int, ...], law: Law) -> FloatArray:
    return rng.normal(size=size) if law == "normal" else rng.lognormal(size=size)


def _independent(law: Law, rng: Rng, units: int, submissions: int) -> Sequence[Values]:
    shared = _values(rng, (units,), law)
    return [Values.from_plain(None, shared + own) for own in _values(rng, (submissions, units), law)]


def independent_values(*, law: Law = "normal") -> NullModel:
    """Values of independent units; half of the variance of a unit is shared by all submissions.

    Parameters
    ----------
    law : {"normal", "lognormal"}
        The law of the values.
    """
    if law not in {"normal", "lognormal"}:
        raise DataError(f"unknown law '{law}'", remedy="give normal or lognormal")
    return NullModel(
        name="independent_values",
        summary="Values of independent units with a part that all submissions share",
        kind=Values,
        draw=partial(_independent, law),
        true_scores={"mean": 0.0 if law == "normal" else 2 * math.exp(0.5)},
    )


UNEQUAL = (0.2, 0.4, 0.8, 1.2, 2.4)
"""Lengths of successive documents of unequal size, in mean lengths."""


def document_of(length: int, unequal: bool, units: int) -> IntArray:
    """Return the number of the document of each unit: documents of one length, or of the lengths of `UNEQUAL`."""
    if not unequal:
        return np.arange(units, dtype=np.int64) // length
    lengths = np.maximum(1, np.rint(length * np.array(UNEQUAL))).astype(np.int64)
    rounds = units // int(lengths.sum()) + 1
    return np.repeat(np.arange(rounds * len(lengths)), np.tile(lengths, rounds))[:units]


def documents(length: int, unequal: bool, units: int) -> Mapping[str, Sequence[str]]:
    """Return the grouping of units by document."""
    return {"document": [f"document {number + 1}" for number in document_of(length, unequal, units)]}


def in_documents(length: int, share: float, unequal: bool, rng: Rng, shape: tuple[int, int]) -> FloatArray:
    """Draw normal values of unit variance, of which a share lies between documents; each row has its own effects."""
    document = document_of(length, unequal, shape[1])
    effects = rng.normal(size=(shape[0], document[-1] + 1 if shape[1] else 0))[:, document]
    return np.sqrt(share) * effects + np.sqrt(1 - share) * rng.normal(size=shape)


def check_documents(length: int, share: float) -> None:
    """Raise a `DataError` if a parameter is out of range."""
    if length < 1 or not 0 <= share <= 1:
        raise DataError("length must be at least 1, and share from 0 to 1")


def _values_in_documents(
    length: int, share: float, unequal: bool, rng: Rng, units: int, submissions: int
) -> Sequence[Values]:
    drawn = in_documents(length, share, unequal, rng, (submissions, units))
    return [Values.from_plain(None, values) for values in drawn]


def values_in_documents(*, length: int = 20, share: float = 0.3, unequal: bool = False) -> NullModel:
    """Values of segments in documents, on which each submission has an effect of its own.

    Parameters
    ----------
    length : int
        How many segments a document has.
    share : float
        The share of the variance that lies between documents, from 0 to 1.
    unequal : bool
        Whether documents have .2, .4, .8, 1.2 and 2.4 times this length, in turn.
    """
    check_documents(length, share)
    return NullModel(
        name="values_in_documents",
        summary="Values of segments in documents, on which each submission has an effect of its own",
        kind=Values,
        draw=partial(_values_in_documents, length, share, unequal),
        groups=partial(documents, length, unequal),
        true_scores={"mean": 0.0},
    )
