"""One value per unit, such as the absolute errors or the segment scores of each submission."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

import numpy as np

from qeframe.plugin import DataError, FloatArray, Values
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


def _in_documents(length: int, share: float, rng: Rng, units: int, submissions: int) -> Sequence[Values]:
    document = np.arange(units) // length
    effects = rng.normal(size=(submissions, document[-1] + 1 if units else 0))[:, document]
    own = rng.normal(size=(submissions, units))
    return [Values.from_plain(None, values) for values in np.sqrt(share) * effects + np.sqrt(1 - share) * own]


def _documents(length: int, units: int) -> Mapping[str, Sequence[str]]:
    return {"document": [f"document {unit // length + 1}" for unit in range(units)]}


def values_in_documents(*, length: int = 20, share: float = 0.3) -> NullModel:
    """Values of segments in documents, on which each submission has an effect of its own.

    Parameters
    ----------
    length : int
        How many segments a document has.
    share : float
        The share of the variance that lies between documents, from 0 to 1.
    """
    if length < 1 or not 0 <= share <= 1:
        raise DataError("length must be at least 1, and share from 0 to 1")
    return NullModel(
        name="values_in_documents",
        summary="Values of segments in documents, on which each submission has an effect of its own",
        kind=Values,
        draw=partial(_in_documents, length, share),
        groups=partial(_documents, length),
        true_scores={"mean": 0.0},
    )
