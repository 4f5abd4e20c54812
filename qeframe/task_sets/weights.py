"""The weights of parts: as stated, by the number of language pairs, or divided level by level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from qeframe.core.batches.base import FloatArray
from qeframe.core.errors import DataError


def stated_weights(weights: Sequence[float | Literal["pairs"]], pairs: Sequence[int]) -> FloatArray:
    """Return weights that sum to 1, (parts,), from weights as stated and the number of language pairs of each part.

    Raises
    ------
    DataError
        If they sum to 0: the parts that are left have weight 0.
    """
    given = np.array(
        [count if weight == "pairs" else weight for weight, count in zip(weights, pairs, strict=True)], dtype=np.float64
    )
    if not given.sum() > 0:
        raise DataError("the weights of the parts sum to 0", remedy="give a part a positive weight")
    return np.asarray(given / given.sum())


def divided_weights(labels: Sequence[Mapping[str, str]], levels: Sequence[str]) -> FloatArray:
    """Return weights that sum to 1, (parts,): 1 is divided equally among the values of the first label, and so on.

    Parameters
    ----------
    labels : sequence of mapping
        Of each part. A part that lacks a label has the empty value.
    levels : sequence of str
        The labels in the order in which the weight is divided. Parts that are equal in all of them share equally.
    """
    weights = np.zeros(len(labels))
    _divide(weights, 1.0, list(range(len(labels))), labels, levels)
    return weights


def _divide(
    weights: FloatArray, mass: float, members: list[int], labels: Sequence[Mapping[str, str]], levels: Sequence[str]
) -> None:
    if not levels:
        weights[members] = mass / len(members)
        return
    groups: dict[str, list[int]] = {}
    for member in members:
        groups.setdefault(labels[member].get(levels[0], ""), []).append(member)
    for group in groups.values():
        _divide(weights, mass / len(groups), group, labels, levels[1:])
