"""How many units would tell two submissions apart: the power of the jackknife t-test by the number of units."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from attrs import frozen

from qeframe.core.batch import FloatArray, IntArray
from qeframe.core.contest import Contest
from qeframe.core.draws import checked_seed, named_key
from qeframe.core.errors import CapabilityError, DataError, counted, did_you_mean
from qeframe.core.profile import Profile
from qeframe.core.registry import Registry
from qeframe.core.runner import Runner
from qeframe.core.task import Task
from qeframe.statistics.differences_of_pairs import jackknife_of_pairs
from qeframe.statistics.power_and_units_needed import (
    ends_of_planned_difference,
    in_units_of_score,
    minimum_detectable_difference,
    no_error,
    power_at,
    predictive_probability,
    units_needed,
)
from qeframe.statistics.scale_transforms import on_working_scale
from qeframe.studies.power.nested_draws import PowerInDraws, nested_scores, ranked_scoreboard, share_above

Pairs = Literal["leader", "adjacent", "all"]
PAIRS: tuple[Pairs, ...] = ("leader", "adjacent", "all")


def chosen_pairs(contest: Contest, submissions: Sequence[str], pairs: Pairs | Sequence[tuple[str, str]]) -> IntArray:
    """Return the positions of chosen pairs among the pairs of a contest, which are ordered by score.

    `submissions`: their names. `pairs` (str, str): See `power_curves`. Raises DataError if a name is not there, or is
    compared with itself.
    """
    first, second = contest.pairs
    order = list(dict.fromkeys([*first.tolist(), *second.tolist()]))
    places = np.argsort(order)
    if isinstance(pairs, str):
        if pairs not in PAIRS:
            raise DataError(f"unknown pairs '{pairs}'", remedy=f"choose one of: {', '.join(PAIRS)}")
        wanted = {
            "leader": places[first] == 0,
            "adjacent": places[second] == places[first] + 1,
            "all": np.ones(len(first), dtype=np.bool_),
        }[pairs]
        return np.flatnonzero(wanted)
    position = {frozenset(pair): i for i, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    pairs_found = []
    for names in pairs:
        for name in names:
            if name not in submissions:
                raise DataError(f"there is no submission '{name}'", remedy=did_you_mean(name, submissions))
        both = frozenset(submissions.index(name) for name in names)
        if len(both) < 2:
            raise DataError(f"'{names[0]}' cannot be compared with itself", remedy="name two submissions")
        pairs_found.append(position[both])
    return np.array(pairs_found, dtype=np.int64)


_POINTS = 61
_FEWEST_SHARE, _MOST_SHARE = 0.1, 30.0
_WIDEST_BY_DEFAULT = 4.0
_CHECKED_SHARES = (0.25, 0.5, 1.0, 2.0)


@frozen(kw_only=True, eq=False)
class PowerCurve:
    """The power of the comparison of one pair, by the number of units.

    Parameters
    ----------
    better, worse : str
    difference : float
        The score of `better` less that of `worse`, not oriented; NaN if a score is undefined.
    error, freedom : float
        The jackknife standard error of the difference on the working scale, and its degrees of freedom; NaN if they are
        undefined, error 0 if no unit changes the difference.
    power : float
        With the units that there are, if the true difference is the observed one; NaN if it is undefined.
    predicted : float
        The predictive probability: the chance that as many new units show a significant difference, the error of the
        observed difference counted; NaN if it is undefined.
    needed : float
        The number of units with which the target is reached: infinite for equal scores, 2 if no unit changes the
        difference, NaN if it is undefined, as for equal submissions.
    needed_low, needed_high : float
        Both ends of its interval, by the interval of the ratio of difference and standard error; `needed_high` is
        infinite if that holds 0.
    detectable : float
        The smallest difference that the units which there are detect with the target, in units of the metric; NaN
        without a positive standard error.
    at : (k,) float64
        The power with each number of units of the study.
    low, high : (k,) float64
        The same for both ends of the interval of the ratio.
    predicted_at : (k,) float64
        The predictive probability with each number of new units.
    in_draws : tuple of PowerInDraws
        The power in samples of the units, drawn with replacement; empty if they were not asked for.
    """

    better: str
    worse: str
    difference: float
    error: float
    freedom: float
    power: float
    predicted: float
    needed: float
    needed_low: float
    needed_high: float
    detectable: float
    at: FloatArray
    low: FloatArray
    high: FloatArray
    predicted_at: FloatArray
    in_draws: tuple[PowerInDraws, ...] = ()


@frozen(kw_only=True, eq=False)
class PowerStudy:
    """The power of comparisons under the rules of a profile.

    Parameters
    ----------
    profile, metric : str
    unit : str
        What is counted: "segment", "document".
    units : int
        How many there are, over all tasks.
    tasks : int
    alpha, target, confidence : float
        The level of the two-sided test of one pair, the power that is asked for, the level of the intervals.
    draws, seed : int
        Of the samples in which the power was counted.
    sizes : (k,) int64
        The numbers of units of the curves.
    curves : tuple of PowerCurve
    """

    profile: str
    metric: str
    unit: str
    units: int
    tasks: int
    alpha: float
    target: float
    confidence: float
    draws: int
    seed: int
    sizes: IntArray
    curves: tuple[PowerCurve, ...]


def power_curves(
    profile: Profile,
    tasks: Sequence[Task],
    registry: Registry,
    *,
    pairs: Pairs | Sequence[tuple[str, str]] = "leader",
    target: float = 0.8,
    alpha: float | None = None,
    draws: int = 500,
    seed: int = 0,
    runner: Runner | None = None,
) -> PowerStudy:
    """Return how many units would tell submissions apart under the primary metric of a profile.

    Parameters
    ----------
    profile : Profile
        Gives the metric, the aggregations, the unit of resampling, the confidence, and alpha.
    tasks : sequence of Task
        Several tasks, or the tasks of a task set, are taken to grow together, each by the same factor.
    registry : Registry
    pairs : {"leader", "adjacent", "all"} or sequence of (str, str)
        leader: the submission with the best score against every other one. adjacent: every submission against the next
        one by score.
    target : float
        In (0, 1): the power that is asked for.
    alpha : float, optional
        In (0, 1): the level of the two-sided test of each pair by itself. By default that of the profile. For a family
        of m pairs, alpha / m is a safe choice.
    draws : int
        How many samples are drawn for each of four sizes, to check the curves; 0 draws none. Overall scores of task
        sets are not checked in draws.
    seed : int
        Equal seeds give equal results.
    runner : Runner, optional
        Runs the draws and reports their progress.

    Returns
    -------
    PowerStudy

    Raises
    ------
    DataError
        If there are fewer than two submissions, a named one is not there, or a number is out of range.
    CapabilityError
        If the score is not smooth in the weights of units or there are fewer than 7 units.

    Notes
    -----
    With d the observed difference on the working scale, s its jackknife error at n units, and F the distribution of
    Student's t with the degrees of freedom of s, the power at m units is F(d / (s sqrt(n / m)) - t), t the quantile of
    F at 1 - alpha / 2. It assumes that more units are like those that there are, and that the true difference is the
    observed one. Observed differences are too large on average, most of all small ones, and so is this power: see
    `predictive_probability` for the chance that counts their error. The number of units for the power P is
    n ((z + z') s / d)^2, with the quantiles z and z' of the normal distribution at 1 - alpha / 2 and at P, since the
    degrees of freedom grow with the units. Its interval, and the band, have both ends of `ends_of_planned_difference`
    in place of d. Where the lower end is 0, no number of units is known to suffice.

    References
    ----------
    Hoenig and Heisey (2001), The abuse of power: the pervasive fallacy of power calculations for data analysis;
    Spiegelhalter, Freedman and Blackburn (1986), Monitoring clinical trials: conditional or predictive power?; Card et
    al. (2020), With little power comes great responsibility.
    """
    level = profile.alpha if alpha is None else alpha
    for name, value in (("the target", target), ("alpha", level)):
        if not 0 < value < 1:
            raise DataError(f"{name} must lie between 0 and 1, not {value}")
    if target <= level:
        what = f"the target, {target:g}, is not above alpha, {level:g}: a test without any difference has that power"
        raise DataError(what, remedy="ask for a power such as 0.8")
    if draws < 0:
        raise DataError(f"the number of draws must not be negative, it is {draws}")
    runner = runner or Runner()
    seed = checked_seed(seed)
    board = ranked_scoreboard(profile, tasks, registry, seed=seed, runner=runner)
    contest, names = board.contests[0], board.names
    if len(names) < 2:
        raise DataError(f"{counted(len(names), 'submission')} cannot be compared", remedy="at least two are needed")
    if why := no_error(contest):
        raise CapabilityError(f"no power can be computed: {why}{_smooth_alone(contest)}")
    chosen = chosen_pairs(contest, names, pairs)
    differences = jackknife_of_pairs(contest)
    difference, error, freedom = (
        values[chosen] for values in (differences.difference, differences.error, differences.freedom)
    )
    units = sum(contest.sizes)
    low, high = ends_of_planned_difference(difference, error, freedom, confidence=profile.confidence)
    needed = [units_needed(size, error, units, alpha=level, power=target) for size in (difference, high, low)]
    varying = np.where(error > 0, error, np.nan)
    least = minimum_detectable_difference(varying, freedom, alpha=level, power=target)
    first, second = (positions[chosen] for positions in contest.pairs)
    sizes = _sizes(units, needed[0])
    at, at_low, at_high = (
        power_at(size[:, None], error[:, None], sizes / units, freedom[:, None], alpha=level)
        for size in (difference, low, high)
    )
    predicted = predictive_probability(
        difference[:, None], error[:, None], np.append(1.0, sizes / units), freedom[:, None], units, alpha=level
    )
    draws = 0 if contest.is_sum else draws  # parts share units
    checked = _checked(contest, chosen, error, freedom, level=level, draws=draws, seed=seed, runner=runner)
    scores = contest.sign * contest.oriented
    detectable = in_units_of_score(contest, first, least)
    return PowerStudy(
        profile=profile.name,
        metric=board.scores[0],
        unit="unit" if contest.is_sum else board.samples[0].stack.unit,
        units=units,
        tasks=len(contest.sizes),
        alpha=level,
        target=target,
        confidence=profile.confidence,
        draws=draws,
        seed=seed,
        sizes=sizes,
        curves=tuple(
            PowerCurve(
                better=names[first[i]],
                worse=names[second[i]],
                difference=float(scores[first[i]] - scores[second[i]]),
                error=float(error[i]),
                freedom=float(freedom[i]),
                power=float(power_at(difference[i], error[i], 1.0, freedom[i], alpha=level)),
                predicted=float(predicted[i, 0]),
                needed=float(needed[0][i]),
                needed_low=float(needed[1][i]),
                needed_high=float(needed[2][i]),
                detectable=float(detectable[i]),
                at=at[i],
                low=at_low[i],
                high=at_high[i],
                predicted_at=predicted[i, 1:],
                in_draws=tuple(counts[i] for counts in checked),
            )
            for i in range(len(chosen))
        ),
    )


def _smooth_alone(contest: Contest) -> str:
    """Return how to leave out what is not smooth, as the end of a message; empty text where all is smooth."""
    if contest.smooth:
        return ""
    if not contest.is_sum:
        return "; name a metric that is smooth: --set primary=METRIC"
    smooth = dict.fromkeys(part.of.metric.name for part in contest.parts if part.of.smooth)
    keep = f"keep only the parts that are: {', '.join(smooth)}" if smooth else "no part is: name others"
    return f"; {keep}, by --set 'parts=[{{metric=\"NAME\"}}]' with the other keys of the profile"


def _sizes(units: int, needed: FloatArray) -> IntArray:
    """Return numbers of units at equal ratios, up to four times those that there are, or to what the pairs need."""
    most = max(needed[np.isfinite(needed)], default=0.0) * 1.5 / units
    widest = min(max(most, _WIDEST_BY_DEFAULT), _MOST_SHARE)
    ends = max(2.0, _FEWEST_SHARE * units), widest * units
    return np.unique(np.rint(np.geomspace(*ends, _POINTS)).astype(np.int64))


def _checked(
    contest: Contest,
    chosen: IntArray,
    error: FloatArray,
    freedom: FloatArray,
    *,
    level: float,
    draws: int,
    seed: int,
    runner: Runner,
) -> list[list[PowerInDraws]]:
    """Return the power of the chosen pairs in draws of each checked size."""
    if not draws:
        return []
    from scipy.special import stdtrit

    first, second = (positions[chosen] for positions in contest.pairs)
    sizes, scale = contest.sizes, contest.working_scale
    checks = []
    for share in _CHECKED_SHARES:
        drawn = [max(2, round(share * size)) for size in sizes]
        key = named_key(seed, "power", sum(drawn))
        scores = nested_scores(contest.weighted, sizes, drawn, draws=draws, key=key, runner=runner)
        values = on_working_scale(scores, scale)
        with np.errstate(invalid="ignore"):
            differences = values[:, first] - values[:, second]
        thresholds = stdtrit(freedom, 1 - level / 2) * error / np.sqrt(sum(drawn) / sum(sizes))
        checks.append(share_above(differences, thresholds, sum(drawn)))
    return checks
