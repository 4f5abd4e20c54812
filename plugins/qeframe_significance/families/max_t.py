"""Step-down over the exchanges that all pairs of submissions share."""

import numpy as np

from qeframe.plugin import Contest, Correction, DataError, FloatArray, Pairwise, Sided
from qeframe.plugin.resampling import Standardize, bounded_slices
from qeframe_significance.components import Draws, first_draws, with_more
from qeframe_significance.corrections import adjust_holm
from qeframe_significance.exchange_of_differences import SLACK, studentized_differences
from qeframe_significance.families.step_down import at_least_single, step_down

_CELLS = 2**18
"""How many differences are worked on at once: they stay in the cache."""

_LARGE = 1e3
"""A studentized difference counts in the root mean square with this size at most: one without an error is no scale."""


def max_t(
    *, draws: Draws = "adaptive", unit: str = "", standardize: Standardize = False, studentize: bool = False
) -> Correction:
    """Step-down of the largest standardized difference over exchanges (Westfall and Young, 1993).

    Parameters
    ----------
    draws : int or "adaptive"
        How many exchanges are drawn, the same for all pairs; adaptive: as in `exchange`. They are those of
        ``permutation(draws=...)``. In a single task all 2**n are enumerated if there are not more than that.
    unit, standardize
        What is exchanged, as in `permutation`; an empty unit is that of the metric. standardize=as_needed: on the scale
        that the metric needs, as in `exchange`.
    studentize : bool
        Whether differences are measured in their standard error after each exchange, as in `studentized_exchange`,
        which has its own scale of answers.

    Returns
    -------
    Correction
        The adjusted p of a pair is two-sided, and not below the p of the test. No p is below 1 / (1 + draws), for any
        number of pairs, so that a family needs no more draws than a pair. Equal scores have adjusted p 1.

    Notes
    -----
    The statistic of a pair is its difference over the root of the mean square of its differences in all exchanges, and
    is compared with the largest one of the pairs that are not more significant. A pair that no exchange changes has
    none, and no adjusted p. A studentized difference is divided by this root only where it is larger than 1. The
    chance of any false claim is controlled where the answers of all submissions can be exchanged.

    References
    ----------
    Westfall and Young (1993), Resampling-based multiple testing.
    """
    count = first_draws(draws)
    if studentize and (unit or standardize):
        raise DataError(
            "studentized differences have their own unit and scale", remedy="leave unit and standardize out"
        )

    def adjust_jointly(contest: Contest, pairwise: Pairwise, sided: Sided) -> FloatArray:
        if studentize:
            observed, differences, exhaustive, _ = studentized_differences(contest, count)
        else:
            exchanging = contest.along(unit, standardize=standardize) if unit or standardize else contest
            differences = exchanging.exchanged_differences(count, exchanging.pairs, enumerable=True)
            observed, exhaustive = exchanging.unexchanged(contest.pairs), exchanging.enumerates(count)
        parts = bounded_slices(len(differences), max(1, len(observed)), most=_CELLS)
        with np.errstate(divide="ignore", invalid="ignore"):
            squares, defined = np.zeros((2, len(observed)))
            for part in parts:
                is_defined = ~np.isnan(differences[part])
                drawn = np.where(is_defined, differences[part], 0.0)
                squares += np.square(np.clip(drawn, -_LARGE, _LARGE) if studentize else drawn).sum(axis=0)
                defined += is_defined.sum(axis=0)
            # exchanges are symmetric around 0, so that the root mean square is the deviation
            scale = np.sqrt(squares / defined)
            if studentize:
                scale = np.maximum(scale, 1.0)
            observed = np.where(scale > 0, np.abs(observed) / scale * (1 - SLACK if studentize else 1.0), np.nan)
            blocks = (np.abs(differences[part]) / scale for part in parts)
            adjusted = step_down(observed, blocks, exhaustive=exhaustive)
        return at_least_single(adjusted, contest, pairwise.p)

    return Correction(
        name="max_t",
        summary="Step-down of the largest standardized difference, over exchanges that all pairs share",
        source="Westfall and Young (1993)",
        adjust=adjust_holm,
        adjust_jointly=adjust_jointly,
        least_p=1 / (1 + count),
        more=with_more(
            draws, lambda draws: max_t(draws=draws, unit=unit, standardize=standardize, studentize=studentize)
        ),
        controls_any_error=True,
    )
