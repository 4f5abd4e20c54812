"""Verdicts: which of all claims a metric keeps, whether it makes them or not."""

from collections.abc import Mapping
from time import monotonic
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.core.batch_kind import BatchKind
from qeframe.core.display import Brief, beginning_of
from qeframe.core.metric import CLAIMS, Claim, Metric
from qeframe.kinds.registered import kind_of
from qeframe.testing.laws.checks import TRIES, Given, given_component
from qeframe.testing.laws.claim import CLAIM_LAWS
from qeframe.testing.laws.law import check_drawable, search


@frozen(kw_only=True, repr=False)
class Verdict(Brief):
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
        The error, in one line; empty without one.
    counterexample : mapping of str to object
        The smallest example that breaks the claim, in lists, strings and numbers.
    exploit : str
        How it would be exploited, in one sentence; empty if nothing was found.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> from qeframe.testing import verdicts_on
    >>> verdict = verdicts_on(qeframe.load().get(Metric, "mae"), tries=3)[0]
    >>> verdict.claim, verdict.claimed
    ('constant_proof', False)
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
        """Whether the metric makes a claim that it does not keep, or that has no law."""
        return self.claimed and not self.holds

    @property
    def in_words(self) -> str:
        """The verdict in a few words, without the counterexample."""
        claim = "claimed" if self.claimed else "not claimed"
        if self.holds is None:
            return f"{claim}, and there is no such law for its kind of batch" if self.claimed else "does not apply"
        if not self.holds:
            return f"{claim}, refuted"
        return f"{claim}, {'all cases computed' if self.exact else f'no counterexample in {self.tries} tries'}"

    def __str__(self) -> str:
        """Return the verdict in words, with the beginning of the counterexample."""
        if self.holds is not False:
            return self.in_words
        example = ", ".join(f"{name} {beginning_of(value, str)}" for name, value in self.counterexample.items())
        return f"{self.in_words} by {example}: {self.what}"


def verdicts_on(
    metric: Given[Metric],
    *,
    kind: BatchKind | None = None,
    tries: int = TRIES,
    seconds: float = np.inf,
    unclaimed: bool = False,
) -> list[Verdict]:
    """Try all claims on a metric, also those that it does not make.

    Parameters
    ----------
    metric : Metric, Parametric, or function that returns one
        A `Parametric` or a function is tried with its default parameters.
    kind : BatchKind, optional
        In place of the registered kind of its batches.
    tries : int
        How many examples of each claim; a fifth of it where an example takes long.
    seconds : float
        After so long no more examples are tried, for all claims together. A claim without any has 0 tries.
    unclaimed : bool
        Whether to leave out the claims that the metric makes.

    Returns
    -------
    list of Verdict
        One for each claim, in the order of `qeframe.core.metric.CLAIMS`.

    Raises
    ------
    DataError
        If what is given is or returns no metric, or its kind of batch has no strategy of submissions.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> from qeframe.testing import verdicts_on
    >>> claims = {verdict.claim: verdict.holds for verdict in verdicts_on(qeframe.load().get(Metric, "mae"), tries=3)}
    >>> claims["monotone"]
    True
    """
    metric = given_component(metric, Metric)
    kind = kind_of(metric.kind) if kind is None else kind
    check_drawable(kind)
    until = monotonic() + seconds
    verdicts = []
    claims = [claim for claim in CLAIMS if not (unclaimed and claim in metric.claims)]
    for number, claim in enumerate(claims):
        share = (until - monotonic()) / (len(claims) - number)
        verdicts.append(_verdict(metric, claim, kind, tries, max(0.0, share)))
    return verdicts


def _verdict(metric: Metric, claim: Claim, kind: BatchKind, tries: int, seconds: float) -> Verdict:
    (law,) = (law for law in CLAIM_LAWS if law.name == claim)
    claimed = claim in metric.claims
    if not law.fits(kind):
        return Verdict(metric=metric.name, claim=claim, claimed=claimed, holds=None)
    result = search(law, metric, kind, tries=tries, seconds=seconds)
    example = result.found
    return Verdict(
        metric=metric.name,
        claim=claim,
        claimed=claimed,
        holds=example is None,
        exact=law.exact,
        tries=result.tries,
        what=example.what if example else "",
        counterexample=example.values if example else {},
        exploit=example.exploit if example else "",
    )
