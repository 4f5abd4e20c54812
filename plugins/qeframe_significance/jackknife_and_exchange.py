"""The larger p of two tests, the default of qeframe: the jackknife asks about scores, the exchange about answers.

The jackknife asks whether two scores differ. It errs where the sample of a submission does not show its outliers. The
exchange asks whether the answers of two submissions follow one law. It sees the outliers of both, and errs where the
laws differ. The larger p is valid wherever one of them is (Berger, 1982).
"""

import attrs
import numpy as np

from qeframe.plugin import CapabilityError, Contest, Correction, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import Swap
from qeframe_significance.components import Draws, first_draws, on_grids, randomization, with_more
from qeframe_significance.corrections import adjust_holm
from qeframe_significance.difference_intervals import Ends, around, by_exchange, by_jackknife, half_by_exchange
from qeframe_significance.families.max_t import max_t
from qeframe_significance.families.romano_wolf import remarks_on_few_units, romano_wolf_of_defined
from qeframe_significance.families.step_down import at_least_single
from qeframe_significance.jackknife_intervals import interval_by_scale, on_intervals_by_scale
from qeframe_significance.jackknife_t import jackknife

BY_EXCHANGE = "by the exchange of answers alone: "
"""How the reason of a pair begins that the jackknife could not test."""

BY_JACKKNIFE = "by the jackknife alone: "
"""How the reason of a pair begins whose answers were not exchanged."""

_AS_NEEDED = Swap(standardize="as_needed")
"""What is swapped: the units that are resampled, on the scale that the metric needs."""

_TAKES_LONG = "the metric would be bound again for each exchange of answers; the test 'exchange' does so, which is slow"


def exchange(*, draws: Draws = "adaptive") -> SignificanceTest:
    """Exchange of the answers of two submissions, on the scale that the metric needs.

    The answers of a pair to each unit are swapped with probability one half. All pairs of submissions share the draws.

    Parameters
    ----------
    draws : int or "adaptive"
        How many exchanges are drawn. adaptive: 1,000, and 10,000 for a family in which an adjusted p lies within .6 and
        1.4 alpha, if the correction is adaptive too and there are at most a million answers (units times
        submissions); a number that is named is never changed. In a single task all 2**n are enumerated if there are not
        more than that: p is exact for exchangeable answers.

    Returns
    -------
    SignificanceTest
        p is (1 + c) / (1 + draws), or c / 2**n if all exchanges are enumerated. Here c counts the exchanges at least as
        extreme as the observed difference of the scores, with a tolerance of 1e-12; one under which a score is
        undefined counts. It is defined for perfect submissions and for those without an error.

    Notes
    -----
    For a metric that does not depend on location and scale, answers are first set to one scale: less their median,
    divided by the standard deviation of the winsorized answers, so that an outlier does not set the scale. Ranks are
    swapped, not ranked again. Grids are exchanged by segments, standardized over all cells, so that p is for new
    segments of these systems. Other answers are swapped as they are.

    The null hypothesis is that the answers to a unit are exchangeable, not that two scores are equal: two submissions
    of equal score and unlike errors can differ significantly.

    References
    ----------
    Fisher (1935); Pitman (1937).
    """
    swapped = randomization(draws=first_draws(draws))

    def run(contest: Contest, sided: Sided) -> Pairwise:
        return swapped.run(_exchanging(contest), sided)

    return SignificanceTest(
        name="exchange",
        summary="Exchange of the answers of two submissions, on one scale where the score does not depend on it",
        source="Fisher (1935); Pitman (1937)",
        needs="exchange",
        run=run,
        null="exchangeable answers",
        on_differences=lambda contest, level: by_exchange(_exchanging(contest), level, first_draws(draws)),
        swap=_AS_NEEDED,
        least_p=swapped.least_p,
        more=with_more(draws, lambda draws: exchange(draws=draws)),
        remarks=_remarks,
        measured="false-positive rate .03 to .07 at .05 for submissions with errors of one distribution, also with "
        "gross errors; up to .16 where equal correlations have residuals of different distributions; up to .72 on "
        "grids whose metrics have effects of their own on systems, since its p is for new segments of these systems",
    )


def _remarks(contest: Contest, sided: Sided) -> list[str]:
    return on_grids(contest)


def _exchanging(contest: Contest) -> Contest:
    return contest.along(_AS_NEEDED.unit, standardize=_AS_NEEDED.standardize)


def _quickly_exchanging(contest: Contest) -> Contest | str:
    """Return the submissions with an exchange; why not, where there is none or the metric is bound again for each."""
    try:
        exchanging = _exchanging(contest)
        return _TAKES_LONG if exchanging.recomputes else exchanging
    except CapabilityError as error:
        return str(error)


def jackknife_and_exchange(*, draws: Draws = "adaptive") -> SignificanceTest:
    """Return the test whose p is the larger one of `jackknife` and `exchange`.

    Parameters
    ----------
    draws : int or "adaptive"
        How many exchanges are drawn. adaptive: 1,000, and 10,000 for a family in which an adjusted p lies within .6 and
        1.4 alpha, if the correction is adaptive too and there are at most a million answers (units times
        submissions); a number that is named is never changed.

    Returns
    -------
    SignificanceTest
        Of scores that are smooth in the weights of units. Where the jackknife is undefined, as for a perfect
        submission, p is that of the exchange. It is that of the jackknife alone where units cannot be exchanged, and
        where every exchange would bind the metric again, as for `tau_b`, `tau_c` and `segment_spearman` of grids:
        `exchange` by name does so. The reason of the pair says which. Intervals are those of the jackknife on
        the interval scale of the metric, and for correlations their hull with Hall's.

    References
    ----------
    Berger (1982), Multiparameter hypothesis testing and acceptance sampling.
    """
    swapped = randomization(draws=first_draws(draws))

    def run(contest: Contest, sided: Sided) -> Pairwise:
        smooth = jackknife.run(contest, sided)
        exchanging = _quickly_exchanging(contest)
        whys = smooth.reasons or [""] * len(smooth.p)
        if isinstance(exchanging, str):
            none = np.full(len(smooth.p), np.nan)
            said = BY_JACKKNIFE + exchanging
            reasons = [why or ("" if np.isnan(p) else said) for why, p in zip(whys, smooth.p, strict=True)]
            # p of the jackknife has no bound, that of the test is one of exchanges
            return attrs.evolve(smooth, least_p=0.0, reasons=reasons, p_of={"jackknife": smooth.p, "exchange": none})
        by_exchange = swapped.run(exchanging, sided)
        alone = np.isnan(smooth.p) & ~np.isnan(by_exchange.p)
        reasons = [f"{BY_EXCHANGE}{why}" if is_alone else why for why, is_alone in zip(whys, alone, strict=True)]
        return Pairwise(
            p=np.fmax(smooth.p, by_exchange.p),
            statistic=smooth.statistic,
            least_p=by_exchange.least_p,
            reasons=reasons,
            p_of={"jackknife": smooth.p, "exchange": by_exchange.p},
        )

    def on_differences(contest: Contest, level: float) -> Ends:
        low, high, _ = by_jackknife(contest, level)
        exchanging = _quickly_exchanging(contest)
        if isinstance(exchanging, str):
            return low, high, ""
        # the larger p is below the level where both are: the wider interval has no 0 then
        return around(contest, np.fmax((high - low) / 2, half_by_exchange(exchanging, level, first_draws(draws))))

    return SignificanceTest(
        name="jackknife_and_exchange",
        summary="The larger p of the jackknife and of the exchange: for scores that are smooth in the weights",
        source="Berger (1982); measured against its two tests",
        needs="smooth",
        run=run,
        null="equal scores or exchangeable answers",
        least_p=swapped.least_p,
        more=with_more(draws, lambda draws: jackknife_and_exchange(draws=draws)),
        interval=interval_by_scale,
        on_intervals=on_intervals_by_scale,
        on_differences=on_differences,
        remarks=jackknife.remarks,
        on_significant=jackknife.on_significant,
        measured="false-positive rate .01 to .05 at .05 for submissions with errors of one distribution, also with "
        "gross errors; up to .13 where equal correlations have residuals of different distributions",
    )


def romano_wolf_and_max_t(*, draws: Draws = "adaptive") -> Correction:
    """Return the correction whose adjusted p is the larger one of `romano_wolf` and `max_t`.

    Parameters
    ----------
    draws : int or "adaptive"
        How many samples, and how many exchanges, are drawn. adaptive: as in `jackknife_and_exchange`.

    Returns
    -------
    Correction
        Romano and Wolf's step-down takes the draws in which all scores are defined; if these are fewer than half, its
        place is taken by Holm's correction of the p-values of the jackknife. A pair that the jackknife cannot test has
        the adjusted p of the exchange alone. The adjusted p of a pair is not below its p.

    References
    ----------
    Romano and Wolf (2005); Westfall and Young (1993).
    """
    count = first_draws(draws)
    exchanged = max_t(draws=count).adjust_jointly
    assert exchanged is not None

    def adjust_jointly(contest: Contest, pairwise: Pairwise, sided: Sided) -> FloatArray:
        smooth = jackknife.run(contest, sided)
        adjusted = romano_wolf_of_defined(contest, smooth.p, count)
        if not isinstance(exchanging := _quickly_exchanging(contest), str):
            adjusted = np.fmax(adjusted, exchanged(exchanging, pairwise, sided))
        return at_least_single(adjusted, contest, pairwise.p)

    return Correction(
        name="romano_wolf_and_max_t",
        summary="The larger adjusted p of Romano and Wolf's step-down and of that over exchanges",
        source="Romano and Wolf (2005); Westfall and Young (1993)",
        adjust=adjust_holm,
        adjust_jointly=adjust_jointly,
        least_p=1 / (1 + count),
        more=with_more(draws, lambda draws: romano_wolf_and_max_t(draws=draws)),
        controls_any_error=True,
        remarks=remarks_on_few_units,
        measured="any false claim among 10 equal submissions at .05: up to .05 of data sets of 30 units or more with "
        "errors of one distribution, also with gross errors; up to .08 where every second one has skewed residuals, "
        "up to .21 where it has t3 residuals",
    )
