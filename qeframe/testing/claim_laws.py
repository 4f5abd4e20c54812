"""The laws behind a metric's claims: a metric that cannot keep a claim must not make it.

Checked here are `constant_proof`, `location_scale_invariant` and `monotone`. The claim `blind_proof` is about
expectations over all strategies that ignore the gold; no enumeration of examples proves it, and no law here tries.
"""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from qeframe.batch import Batch
from qeframe.components import Claim, Metric
from qeframe.testing.law import Law, agree
from qeframe.testing.materials import Material
from qeframe.testing.metric_laws import score

__all__ = ["CLAIM_LAWS"]

_SLACK = 1e-9
_WIDE = 1e-6
"""After a shift by a million, numbers are known to fewer digits."""


def _single(_metric: Metric, material: Material) -> SearchStrategy[tuple[Any, ...]]:
    return material.panels(submissions=1, min_units=2, max_units=5)


@st.composite
def _rescaled(draw: DrawFn, material: Material) -> tuple[Batch, float, int]:
    (batch,) = draw(material.panels(submissions=1, min_units=2))
    exponent = draw(st.integers(-6, 6))
    return batch, draw(st.sampled_from((1.0, -1.0))) * 10.0**exponent, draw(st.integers(-(10**6), 10**6))


def _rescaled_examples(_metric: Metric, material: Material) -> SearchStrategy[tuple[Any, ...]]:
    return _rescaled(material)


@st.composite
def _unit_of(draw: DrawFn, material: Material) -> tuple[Batch, int]:
    (batch,) = draw(material.panels(submissions=1))
    return batch, draw(st.integers(0, len(batch) - 1))


def _unit_examples(_metric: Metric, material: Material) -> SearchStrategy[tuple[Any, ...]]:
    return _unit_of(material)


F = TypeVar("F")


def _able(function: F | None) -> F:
    if function is None:
        raise AssertionError("the material of this kind of batch lacks what the claim is about")
    return function


def goodness(metric: Metric, batch: Batch) -> float:
    """Return the score, turned so that higher is better."""
    return score(metric, batch) if metric.higher_is_better else -score(metric, batch)


def honest_chance(metric: Metric, material: Material, batch: Batch) -> float:
    """Return the mean goodness of the gold's own answers over all ways to give them to the units.

    Returns
    -------
    float
        Over the defined ones; NaN if there is none.
    """
    answer, rearranged = _able(material.answer), _able(material.rearranged)
    chances = [goodness(metric, answer(batch, answers)) for answers in rearranged(batch)]
    defined = [chance for chance in chances if not np.isnan(chance)]
    return float(np.mean(defined)) if defined else np.nan


def _constant_proof(metric: Metric, material: Material, batch: Batch) -> None:
    answer, constants = _able(material.answer), _able(material.constants)
    chance = honest_chance(metric, material, batch)
    for answers in constants(batch):
        constant = goodness(metric, answer(batch, answers))
        assert not constant > chance + _SLACK, f"a constant is as good as {constant}, honest chance {chance}: {answers}"


def _location_scale_invariant(metric: Metric, material: Material, batch: Batch, scale: float, shift: int) -> None:
    answer = _able(material.answer)
    predicted = batch.predicted  # type: ignore[attr-defined]  # the claim is about numbers only
    changed = score(metric, answer(batch, scale * (predicted + shift)))
    what = f"the score of {scale} (y + {shift})"
    agree(changed, np.sign(scale) * score(metric, batch), what, within=_WIDE)


def _monotone(metric: Metric, material: Material, batch: Batch, unit: int) -> None:
    answer, corrected = _able(material.answer), _able(material.corrected)
    before = goodness(metric, batch)
    after = goodness(metric, answer(batch, corrected(batch, unit)))
    assert not after < before - _SLACK, f"setting unit {unit} right lowers the goodness from {before} to {after}"


def _claims(claim: Claim, metric: Metric) -> bool:
    return claim in metric.claims


CLAIM_LAWS: tuple[Law[Metric], ...] = (
    Law(
        name="constant_proof",
        states="no constant submission scores above honest chance",
        examples=_single,
        holds=_constant_proof,
        concerns=partial(_claims, "constant_proof"),
        costly=True,
    ),
    Law(
        name="location_scale_invariant",
        states="a shift or a positive scale leaves the score, a negative scale negates it",
        examples=_rescaled_examples,
        holds=_location_scale_invariant,
        concerns=partial(_claims, "location_scale_invariant"),
    ),
    Law(
        name="monotone",
        states="setting one answer right does not lower the score",
        examples=_unit_examples,
        holds=_monotone,
        concerns=partial(_claims, "monotone"),
    ),
)
"""What a metric keeps if it claims it."""
