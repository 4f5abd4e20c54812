"""The tests as components: each uses one capability of a `Contest` and computes p for all pairs at once."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal, TypeVar

import attrs
import numpy as np

from qeframe.plugin import BoolArray, CapabilityError, Contest, DataError, FloatArray, Pairwise, Sided, SignificanceTest
from qeframe.plugin.resampling import Swap, over_pairs, slack_of_pairs
from qeframe_significance import as_sacrebleu
from qeframe_significance.correlations.correlation_exchange import CorrelationExchange
from qeframe_significance.difference_intervals import Ends, around, critical, default_intervals, half_by_exchange
from qeframe_significance.p_values import at_least, least_share, share
from qeframe_significance.paired_bootstrap import (
    at_levels,
    bca_levels,
    low_end,
    mean_of_defined,
    p_of_differences,
    p_of_overlap,
    quantiles,
)
from qeframe_significance.t_and_wilcoxon import (
    check_variant,
    half_of_paired_t,
    half_of_t,
    over_units,
    paired_t,
    sample_moments,
    t_of_moments,
    wilcoxon_of_pairs,
)

Draws = int | Literal["adaptive"]
"""A number of draws; adaptive: 1,000, 10,000 in a family with an adjusted p near alpha, 100,000 for a tiny alpha."""
FIRST_DRAWS, MORE_DRAWS, LAST_DRAWS = 1_000, 10_000, 100_000

T = TypeVar("T", bound=Any)

Replicate = Literal["none", "sacrebleu"]
"""The program whose paired test is computed on its own draws."""

MOST_DRAWS = 1_000_000
"""The most draws of a test: more do not fit into memory, and p-values need no more digits."""


def bootstrap(
    *,
    draws: int = 1000,
    p: Literal["centered", "percentile", "koehn", "overlap"] = "centered",
    interval: Literal["percentile", "bca"] = "percentile",
    scheme: Literal["multinomial", "poisson"] = "multinomial",
    replicate: Replicate = "none",
) -> SignificanceTest:
    """Paired bootstrap: units are drawn with replacement, the same units for all submissions.

    Parameters
    ----------
    draws : int
        How many samples are drawn.
    p : {"centered", "percentile", "koehn", "overlap"}
        centered: the share of draws at least as far from their mean as the observed difference is from 0. percentile:
        p is below alpha only if the percentile interval of the difference does not contain 0. koehn: the share of draws
        in which the better one is not better; one-sided, for replication. overlap: p is below alpha only if the
        percentile intervals of the two scores do not overlap; two-sided, for replication: it asks for larger
        differences than a paired test.
    interval : {"percentile", "bca"}
        How intervals of scores are computed from the draws. bca corrects for bias and skewness by the jackknife.
    scheme : {"multinomial", "poisson"}
        poisson: counts that depend only on the seed and the unit's id, so that sums over parts of the
        units make the whole.
    replicate : {"none", "sacrebleu"}
        sacrebleu: the paired bootstrap of sacrebleu, on the draws of its seed 12345, whatever the seed of the run; of
        one task. p is the share of draws whose absolute difference less the mean of all is larger than the observed
        one; the interval is the mean of the draws and half the width of the percentiles on either side.

    Returns
    -------
    SignificanceTest
        A draw in which a score is undefined counts as extreme in p and is left out of the interval. p is never 0
        (except koehn); two equal submissions have p 1.

    References
    ----------
    Efron and Tibshirani (1993); Koehn (2004); QE tasks 2012-15, metrics tasks 2014-20 (2017-20: overlap).
    """
    check_draws(draws)
    if replicate == "sacrebleu":
        as_sacrebleu.check_rules(p, scheme, interval)

    def run(contest: Contest, sided: Sided) -> Pairwise:
        if replicate == "sacrebleu":
            return as_sacrebleu.bootstrap_p(contest, draws)
        drawn, oriented, (first, second) = contest.resample(draws, scheme), contest.oriented, contest.pairs
        if p == "overlap":
            return Pairwise(p=p_of_overlap(drawn, oriented, contest.pairs))
        observed, slack = oriented[first] - oriented[second], slack_of_pairs(contest)

        def p_of_part(differences: FloatArray, part: slice) -> FloatArray:
            return p_of_differences(differences, observed[part], p, sided, slack[part])

        return Pairwise(p=over_pairs(drawn, contest.pairs, p_of_part))

    def ends(contest: Contest, confidence: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        if replicate == "sacrebleu":
            return as_sacrebleu.interval(contest, draws, confidence)
        drawn = contest.resample(draws, scheme)
        if interval == "percentile":
            return (*quantiles(drawn, confidence), drawn)
        levels = bca_levels(drawn, contest.oriented, contest.jackknife(), confidence, sizes=contest.sizes)
        return (*at_levels(drawn, *levels), drawn)

    def on_differences(contest: Contest, level: float) -> Ends:
        if replicate == "sacrebleu":
            return default_intervals()(contest, level)
        drawn = contest.resample(draws, scheme)
        if p in ("centered", "overlap"):
            half = over_pairs(drawn, contest.pairs, lambda d, _: critical(np.abs(d - mean_of_defined(d)), level))
            return around(contest, half)
        # p is twice the share of draws on the other side of 0, by Koehn's definition without adding 1
        low, high = (
            sign * over_pairs(sign * drawn, contest.pairs, lambda d, _: low_end(d, level / 2, adds=p != "koehn"))
            for sign in (1.0, -1.0)
        )
        return low, high, ""

    return SignificanceTest(
        name="bootstrap",
        summary="Paired bootstrap of units: intervals, and p centered, percentile or as in Koehn (2004)",
        source="Efron and Tibshirani (1993); Koehn (2004); QE tasks 2012-15, metrics tasks 2014-20",
        needs="bind",
        run=run,
        null="equal scores",
        sides=("two",) if replicate == "sacrebleu" else _SIDES.get(p, ("one", "two")),
        interval=ends,
        on_differences=on_differences,
        least_p=0.0 if p == "koehn" else 1 / (1 + draws),
        left_out={"never_zero": "Koehn (2004) counts the draws alone"} if p == "koehn" else {},
        measured="p=centered: false-positive rate .03 to .07 at .05 of normal scores, .05 to .10 with long "
        "tails, up to .13 for 20 units; 95 % percentile intervals of correlations cover .82 to .96",
    )


_SIDES: Mapping[str, tuple[Sided, ...]] = {"koehn": ("one",), "overlap": ("two",)}
"""By p, what it is; one-sided or two-sided for the others."""


def randomization(
    *, draws: int = 1000, standardize: bool = False, studentize: bool = False, replicate: Replicate = "none"
) -> SignificanceTest:
    """Approximate randomization (Yeh 2000): swap the outputs of two submissions unit by unit.

    Parameters
    ----------
    draws : int
        How many exchanges are drawn. In a single task all 2**n are enumerated if there are not more than that, and p is
        exact.
    standardize : bool
        Whether predictions are set to mean 0 and deviation 1 before they are swapped: for correlations. The ranks of
        Spearman's correlation are swapped, not ranked again.
    studentize : bool
        Whether the difference of Fisher's z after each exchange is divided by its standard error, which also
        standardizes: for correlations of submissions whose errors follow different laws.
    replicate : {"none", "sacrebleu"}
        sacrebleu: the paired approximate randomization of sacrebleu, on the draws of its seed 12345, whatever the seed
        of the run; of one task. p counts the exchanges whose absolute difference is larger than the observed one, and
        not those that equal it. sacrebleu takes ``draws=10000``.

    Returns
    -------
    SignificanceTest
        p is (1 + c) / (1 + draws), or c / 2**n if all exchanges are enumerated. An exchange under which a score is
        undefined counts as extreme. Answers are swapped as they are, so the test assumes that both submissions have the
        same scale. A correlation does not depend on the scale, but this test of it does: it can distinguish two
        submissions that have the same information on different scales.

    References
    ----------
    Noreen (1989); Yeh (2000); QE word level 2015-, Logacheva et al. (2016).
    """
    check_draws(draws)
    if replicate == "sacrebleu" and (standardize or studentize):
        raise DataError("sacrebleu exchanges answers as they are", remedy="leave standardize and studentize out")

    def run(contest: Contest, sided: Sided) -> Pairwise:
        if replicate == "sacrebleu":
            return as_sacrebleu.randomization_p(contest, draws)
        first, second = contest.pairs
        observed, slack = contest.unexchanged((first, second)), slack_of_pairs(contest)
        if standardize or studentize:
            exchange = CorrelationExchange(*contest.vectors(), studentize)
            observed = exchange(np.zeros((1, exchange.cells)), first, second)[0]
            contest = contest.exchanging(exchange)
        extreme = partial(_extreme, observed=observed, sided=sided, slack=slack)
        counts, total, exhaustive = contest.count_exchanges(draws, extreme)
        p = share(counts, total, observed, exhaustive=exhaustive)
        return Pairwise(p=p, least_p=least_share(total, sided) if exhaustive else None)

    return SignificanceTest(
        name="randomization",
        summary="Approximate randomization of units, exact where the answers of both to a unit are exchangeable",
        source="Noreen (1989); Yeh (2000); QE word level 2015-",
        needs="vectors" if standardize or studentize else "exchange",
        run=run,
        swap=None if standardize or studentize or replicate == "sacrebleu" else Swap(),
        null="equal scores" if studentize else "exchangeable answers",
        sides=("two",) if replicate == "sacrebleu" else ("one", "two"),
        on_differences=default_intervals(lambda contest, level: half_by_exchange(contest, level, draws)),
        least_p=1 / (1 + draws),
        measured=_STUDENTIZED if studentize else _STANDARDIZED if standardize else _EXCHANGED,
    )


_EXCHANGED = (
    "false-positive rate .03 to .06 at .05; .01 to .05 if one submission has another scale; up to .08 if "
    "only one has residuals that grow with the gold"
)
_STANDARDIZED = "false-positive rate .03 to .07 at .05 for 50 units or more, up to .15 for 20"
_STUDENTIZED = "false-positive rate .03 to .07 at .05 for 50 units or more, up to .11 for 20"


def _extreme(
    differences: FloatArray, part: slice, *, observed: FloatArray, sided: Sided, slack: FloatArray
) -> BoolArray:
    return at_least(differences, observed[part], sided, slack[part])


def t_test(*, welch: bool = False, paired: bool = False) -> SignificanceTest:
    """Student's or Welch's t-test on one value per unit.

    Parameters
    ----------
    welch : bool
        Whether the variances may differ (Welch's test).
    paired : bool
        Whether the differences on units that both have are tested, as the answers of two submissions to the same units
        demand.

    Returns
    -------
    SignificanceTest
        Without `paired` for independent results, such as those of repeated sampling; on the same units it has less
        power than a paired test. p is NaN for fewer than two values, 1 where no value differs, and 0 where all units
        have one difference.

    Raises
    ------
    DataError
        If `welch` and `paired` are both set.

    References
    ----------
    Student (1908); Welch (1947); Logacheva et al. (2016), section 4.
    """
    check_variant(welch=welch, paired=paired)
    if paired:
        return _paired_t_test

    def run(contest: Contest, sided: Sided) -> Pairwise:
        moments, (first, second) = sample_moments(contest.per_unit()), contest.pairs
        t, p = t_of_moments(moments.take(first), moments.take(second), welch=welch, sided=sided)
        return Pairwise(p=p, statistic=t)

    def on_differences(contest: Contest, level: float) -> Ends:
        moments, (first, second) = sample_moments(contest.per_unit()), contest.pairs
        return around(contest, half_of_t(moments.take(first), moments.take(second), level, welch=welch))

    return SignificanceTest(
        name="t_test",
        summary="Student's t-test on one value per unit: of independent values, also Welch's, or of paired ones",
        source="Student (1908); Welch (1947); Logacheva et al. (2016)",
        needs="per_unit",
        run=run,
        null="equal scores",
        on_differences=on_differences,
        measured="false-positive rate .01 at .05 of values that share half of their variance: the test is "
        "for independent results",
    )


def _run_paired(contest: Contest, sided: Sided) -> Pairwise:
    t, p = over_units(contest, partial(paired_t, sided=sided))
    return Pairwise(p=p, statistic=t)


def _on_paired(contest: Contest, level: float) -> Ends:
    mean, half = over_units(contest, partial(half_of_paired_t, level=level))
    return mean - half, mean + half, ""


_paired_t_test = SignificanceTest(
    name="t_test",
    summary="Student's t-test of the differences on single units",
    source="Student (1908)",
    needs="per_unit",
    run=_run_paired,
    null="equal scores",
    on_differences=_on_paired,
    measured="false-positive rate .04 to .06 at .05 of values of the same units",
)


def _run_wilcoxon(contest: Contest, sided: Sided) -> Pairwise:
    statistic, p = wilcoxon_of_pairs(contest.per_unit(), *contest.pairs, sided)
    return Pairwise(p=p, statistic=statistic)


wilcoxon = SignificanceTest(
    name="wilcoxon",
    summary="Wilcoxon's signed ranks on one value per unit that both have",
    source="Wilcoxon (1945); Turian et al. (2003)",
    needs="per_unit",
    run=_run_wilcoxon,
    null="exchangeable answers",
    on_differences=default_intervals(),
    measured="false-positive rate .05 to .06 at .05; .11 where two units are annotations of one segment "
    "that share half of their variance",
)


def first_draws(draws: Draws) -> int:
    """Return how many draws are drawn first; refuse a number out of range."""
    if draws == "adaptive":
        return FIRST_DRAWS
    check_draws(draws)
    return draws


def with_more(draws: Draws, make: Callable[[int], T]) -> T | None:
    """Return the same component with more draws, which has one with the most; None where their number is named."""
    return attrs.evolve(make(MORE_DRAWS), more=make(LAST_DRAWS)) if draws == "adaptive" else None


def check_draws(draws: int) -> None:
    """Refuse a number of draws out of range."""
    if not 1 <= draws <= MOST_DRAWS:
        raise DataError(f"draws must be at least 1 and at most {MOST_DRAWS}, not {draws}")


def on_grids(contest: Contest) -> list[str]:
    """Return to what a test that takes the segments of grids as a sample applies; nothing of other batches."""
    try:
        tasks = contest.by_task()
    except CapabilityError:
        return []
    kinds = [task.metric.kind for task, _ in tasks if hasattr(task, "metric")]
    return [_OF_THESE_SYSTEMS] if any(kind.crossed for kind in kinds) else []


_OF_THESE_SYSTEMS = (
    "a difference is one on new segments of these systems, not on new systems; choose "
    "'permutation(unit=system)' for these, or 'two_way_jackknife' if the score is smooth"
)
