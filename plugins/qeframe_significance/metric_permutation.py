"""The permutation test of two metrics; a parameter states which of their scores are exchanged."""

from collections.abc import Sequence
from functools import partial

from qeframe.plugin import Contest, DataError, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import Swap
from qeframe_significance.components import on_grids, randomization
from qeframe_significance.difference_intervals import default_intervals, half_by_exchange


def permutation(*, draws: int = 1000, unit: str = "segment", standardize: bool = False) -> SignificanceTest:
    """Permutation test: two submissions exchange their scores, whole segments or parts of them.

    Parameters
    ----------
    draws : int
        How many exchanges are drawn. In a single task all 2**n are enumerated if there are not more than that, and p is
        exact.
    unit : str
        What is exchanged independently. segment: all scores of an item. cell: the score of one system's translation
        of one item (PERM-BOTH). system: all scores of a system. pair: not scores, but whether a metric is right about
        two systems' translations of one item. It may also be the batch's own unit, or a grouping of units: document,
        judge.
    standardize : bool
        Whether each submission's scores are first set to mean 0 and standard deviation 1. Without it, scores of two
        metrics are not comparable when an exchange mixes them.

    Returns
    -------
    SignificanceTest
        p is (1 + c) / (1 + draws), or c / 2**n if all exchanges are enumerated. Here c counts the exchanges at least as
        extreme as the observed difference, with a tolerance of 1e-12. An exchange under which a score is undefined
        counts as extreme. If the metric cannot exchange this unit, the test raises a `CapabilityError`.

    References
    ----------
    Deutsch, Dror and Roth (2021), A statistical analysis of summarization evaluation metrics using resampling methods;
    metrics tasks 2021-25 (by cells, standardized; acc_eq by pairs; both without adding 1).
    """
    exchange = randomization(draws=draws)
    if not unit:
        raise DataError("permutation: unit must say what is exchanged", remedy="use segment, cell, system or pair")

    swap = Swap(unit, standardize)

    def run(contest: Contest, sided: Sided) -> Pairwise:
        return exchange.run(contest.along(swap.unit, standardize=swap.standardize), sided)

    return SignificanceTest(
        name="permutation",
        summary="Permutation test by segments, cells, systems or pairs, exact where what it swaps is exchangeable",
        source="Deutsch, Dror and Roth (2021); metrics tasks 2021-25",
        needs="exchange",
        run=run,
        null="exchangeable answers",
        on_differences=default_intervals(
            lambda contest, level: half_by_exchange(
                contest.along(swap.unit, standardize=swap.standardize), level, draws
            )
        ),
        swap=swap,
        least_p=exchange.least_p,
        remarks=partial(_remarks, unit),
        measured=_RATES.get(unit, ""),
    )


_RATES = {
    "segment": "false-positive rate .02 to .05 at .05 on grids, up to .63 where metrics have effects of "
    "their own on systems",
    "cell": "false-positive rate .05 to .08 at .05 on grids, up to .15 where metrics have effects of their "
    "own on segments, up to .39 where on systems",
    "system": "false-positive rate .04 to .05 at .05 on grids, up to .15 where metrics have effects of "
    "their own on segments",
    "pair": "false-positive rate .14 at .05 (50 segments)",
}
"""What was measured with ten systems, by what is exchanged."""

OF_PAIRS = (
    "the outcomes of the pairs of an item are exchanged as if they were independent: the "
    "false-positive rate is .14, not .05 (50 segments, 10 systems); 'permutation(unit=segment)' exchanges whole "
    "segments"
)
"""What is known of the exchange of the outcomes of pairs."""

_OF_CELLS = (
    "single cells are exchanged: where metrics have effects of their own on segments or on systems, the "
    "false-positive rate is .15 to .39, not .05"
)


_OF_SYSTEMS = (
    "whole systems are exchanged: a difference is one on new systems, on these segments; with ten systems the "
    "false-positive rate at .05 is .01 to .04 for pairwise_accuracy and .02 to .08 for spa; of "
    "segment_pearson up to .15 where metrics have effects of their own on segments"
)


def _remarks(unit: str, contest: Contest, sided: Sided) -> Sequence[str]:
    if unit == "segment":
        return on_grids(contest)
    return {"pair": [OF_PAIRS], "cell": [_OF_CELLS], "system": [_OF_SYSTEMS]}.get(unit, [])
