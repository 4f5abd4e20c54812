"""The permutation test of two metrics: which of their scores are exchanged is a parameter."""

from __future__ import annotations

from qeframe.plugin import Comparable, DataError, Pairwise, Sided, SignificanceTest
from qeframe_significance.components import randomisation

__all__ = ["permutation"]


def permutation(*, draws: int = 1000, unit: str = "segment", standardise: bool = False) -> SignificanceTest:
    """Permutation test: two submissions exchange their scores, whole segments or parts of them.

    Parameters
    ----------
    draws : int
        How many exchanges; in a single task all 2**n are enumerated, and p is exact, where that is not more.
    unit : str
        What is exchanged independently. segment: all scores of an item. cell: the score of one system's translation
        of one item (PERM-BOTH). system: all scores of a system. pair: instead of scores, whether a metric is right
        about two systems' translations of one item. Or the batch's own unit, or a grouping of units: document, judge.
    standardise : bool
        Each submission's scores are set to mean 0 and standard deviation 1 before parts of them are mixed. Scores of
        two metrics that stand side by side after an exchange are comparable only then.

    Returns
    -------
    SignificanceTest
        (1 + c) / (1 + draws), or c / 2**n enumerated, with c the exchanges at least as extreme as the observed
        difference, by a tolerance of 1e-12. An exchange under which a score is undefined counts as extreme. A metric
        that cannot exchange what is asked for is a `CapabilityError`.

    References
    ----------
    Deutsch, Dror and Roth (2021), A statistical analysis of summarization evaluation metrics using resampling methods;
    metrics tasks 2021-25 (by cells, standardised; acc_eq by pairs; both without adding 1).
    """
    exchange = randomisation(draws=draws)
    if not unit:
        raise DataError("permutation: unit must say what is exchanged", remedy="use segment, cell, system or pair")

    def run(comparable: Comparable, sided: Sided) -> Pairwise:
        return exchange.run(comparable.along(unit, standardise=standardise), sided)

    return SignificanceTest(
        name="permutation",
        summary="Permutation test by segments, cells, systems or pairs, exact where all exchanges can be enumerated",
        source="Deutsch, Dror and Roth (2021); metrics tasks 2021-25",
        needs="exchange",
        run=run,
        least_p=exchange.least_p,
    )
