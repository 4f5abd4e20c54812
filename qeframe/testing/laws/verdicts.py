"""Verdicts: what of all claims a metric keeps, whether it makes them or not."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.components.metric import CLAIMS, Claim, Metric
from qeframe.testing.kinds.materials import Material, material_of
from qeframe.testing.laws.checks import TRIES
from qeframe.testing.laws.claim import CLAIM_LAWS
from qeframe.testing.laws.law import search

__all__ = ["Verdict", "verdicts_on"]


@frozen(kw_only=True)
class Verdict:
    """Whether a metric keeps a claim.

    Parameters
    ----------
    metric : str
    claim : str
    claimed : bool
        Whether the metric makes the claim.
    holds : bool or None
        False if a counterexample was found, True if none was; None if there is no such law for its kind of batch.
    exact : bool
        Whether all cases were computed, so that True means proved.
    tries : int
        How many examples were tried; 1 where all cases were computed.
    what : str
        What is wrong, in one line; empty if nothing is.
    counterexample : mapping of str to object
        The smallest example that breaks the claim, in lists, strings and numbers.
    exploit : str
        How it would be exploited, in one sentence; empty if nothing was found.
    """

    metric: str
    claim: Claim
    claimed: bool
    holds: bool | None
    exact: bool = False
    tries: int = 0
    what: str = ""
    counterexample: Mapping[str, Any] = field(factory=dict)
    exploit: str = ""

    @property
    def broken(self) -> bool:
        """Whether the metric claims what it does not keep, or what has no law."""
        return self.claimed and not self.holds

    @property
    def standing(self) -> str:
        """The verdict in a few words, without the counterexample."""
        made = "claimed" if self.claimed else "not claimed"
        if self.holds is None:
            return f"{made}, and there is no such law for its kind of batch" if self.claimed else "does not apply"
        if not self.holds:
            return f"{made}, {'but' if self.claimed else 'and'} broken"
        return f"{made}, {'all cases computed' if self.exact else f'no counterexample in {self.tries} tries'}"

    def __str__(self) -> str:
        """Return the verdict in words, with the counterexample."""
        if self.holds is not False:
            return self.standing
        example = ", ".join(f"{name} {value}" for name, value in self.counterexample.items())
        return f"{self.standing} by {example}: {self.what}"


def verdicts_on(
    metric: Metric,
    *,
    material: Material | None = None,
    tries: int = TRIES,
    seconds: float = np.inf,
    unclaimed: bool = False,
) -> list[Verdict]:
    """Try all claims on a metric, those that it makes and those that it does not.

    Parameters
    ----------
    material : Material, optional
        What it is tried on; by default that of its kind of batch.
    tries : int
        How many examples of each claim; a fifth of it where an example takes long.
    seconds : float
        After which no more is tried, for all claims together; what could not be tried has 0 tries.
    unclaimed : bool
        Whether the claims that the metric makes are left out.

    Returns
    -------
    list of Verdict
        One for each claim, in the order of `qeframe.components.metric.CLAIMS`.
    """
    material = material_of(metric.kind) if material is None else material
    until = monotonic() + seconds
    verdicts = []
    claims = [claim for claim in CLAIMS if not (unclaimed and claim in metric.claims)]
    for place, claim in enumerate(claims):
        share = (until - monotonic()) / (len(claims) - place)
        verdicts.append(_verdict(metric, claim, material, tries, max(0.0, share)))
    return verdicts


def _verdict(metric: Metric, claim: Claim, material: Material, tries: int, seconds: float) -> Verdict:
    (law,) = (law for law in CLAIM_LAWS if law.name == claim)
    claimed = claim in metric.claims
    if not law.fits(material):
        return Verdict(metric=metric.name, claim=claim, claimed=claimed, holds=None)
    result = search(law, metric, material, tries=tries, seconds=seconds)
    found = result.found
    return Verdict(
        metric=metric.name,
        claim=claim,
        claimed=claimed,
        holds=found is None,
        exact=law.exact,
        tries=result.tries,
        what=found.what if found else "",
        counterexample=found.values if found else {},
        exploit=found.exploit if found else "",
    )
