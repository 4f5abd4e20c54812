"""How many pairs of submissions a test tells apart, from so many draws that none of them decides."""

from collections.abc import Sequence
from typing import TypeVar

import attrs
import numpy as np
from attrs import frozen

from qeframe.assembly.scoreboard import scoreboard_of
from qeframe.core.batch import BoolArray, FloatArray
from qeframe.core.calls import Call, parse_call
from qeframe.core.comparison import ComparisonRules, adjusted_pairs, check_capability, comparison_rules, run_on_pairs
from qeframe.core.component import Component
from qeframe.core.display import Brief
from qeframe.core.draws import named_key
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.runner import Runner
from qeframe.core.significance import Correction, SignificanceTest
from qeframe.core.task import Task

C = TypeVar("C", bound=Component)

VERDICT_SEED = 0
"""The draws of verdicts are always the same ones, so that no seed can be chosen for what it says of a pair."""
ROUNDS = 16
"""How often all pairs are tested at most, each time with new draws."""
_LOOKS = (4, 8, ROUNDS)
"""After so many rounds it is looked whether all pairs are decided."""
DRAWS, DRAWS_OF_OTHERS = 10_000, 2_000
"""Draws of a round, of metrics that are smooth in the weights of units, and of others, whose draws take much longer."""
_TAIL = 0.00135
"""A mean p decides nothing if it is nearer to alpha than its Monte Carlo error in 99.73 % of cases: three standard
errors, by Student's law for the number of rounds."""


@frozen(kw_only=True, repr=False)
class Verdicts(Brief):
    """What a test says of all pairs of submissions.

    Parameters
    ----------
    separated, undecided, pairs : int
        Of all pairs: those that differ significantly, and those whose p is too near to alpha to tell.
    test, correction : str
    draws : int
        Of each test, over all rounds.
    reason : str
        Why nothing was tested; empty if it was.
    """

    separated: int = 0
    undecided: int = 0
    pairs: int = 0
    test: str = ""
    correction: str = ""
    draws: int = 0
    reason: str = ""


def tell_apart(
    valid: ResolvedProfile,
    tasks: Sequence[Task],
    registry: Registry,
    *,
    seed: int = VERDICT_SEED,
    draws: int = 0,
    runner: Runner,
) -> Verdicts:
    """Test all pairs again and again with new draws, until each is decided or `ROUNDS` is reached.

    `valid`: its test and correction control the chance of any false claim.
    `draws`: of each round; 0 for what `DRAWS` says of the metric.

    Notes
    -----
    The p of a pair is its mean over the rounds. Its standard error is estimated from the rounds, by one factor for all
    pairs: p (1 - p) times the mean share of the variance between rounds. Adjusted p vary more than shares of as many
    draws do, since what they are standardized by is estimated from the draws too. All pairs share their draws, so that
    the factor has no more degrees of freedom than there are rounds less one.
    """
    rules = _repeated_rules(valid, registry, draws)
    if rules is None:
        return Verdicts(reason="there is no test")
    named = Verdicts(test=valid.test.name if valid.test else "", correction=valid.correction.name)
    adjusted: list[FloatArray] = []
    try:
        check_capability(valid.metrics[0], rules.test)
        for number in range(ROUNDS):
            adjusted.append(_test_once(valid, tasks, rules, named_key(seed, "verdicts", number)[0], runner))
            if len(adjusted) in _LOOKS:
                separated, possibly = decide(np.stack(adjusted), rules)
                if (separated == possibly).all():
                    break
    except CapabilityError as error:
        return attrs.evolve(named, reason=str(error))
    return attrs.evolve(
        named,
        separated=int(separated.sum()),
        undecided=int((possibly & ~separated).sum()),
        pairs=len(separated),
        draws=len(adjusted) * int(parse_call(rules.test.name).parameters.get("draws", 0)),
    )


def _repeated_rules(valid: ResolvedProfile, registry: Registry, draws: int) -> ComparisonRules | None:
    """Return the rules of a round, with so many draws or those that fit the metric; None without a test."""
    rules = comparison_rules(valid, valid.test)
    if rules is None:
        return None
    many = draws or (DRAWS if valid.metrics[0].smooth else DRAWS_OF_OTHERS)
    return attrs.evolve(
        rules,
        test=_with_draws(SignificanceTest, rules.test, many, registry),
        correction=_with_draws(Correction, rules.correction, many, registry),
    )


def _test_once(
    valid: ResolvedProfile, tasks: Sequence[Task], rules: ComparisonRules, seed: int, runner: Runner
) -> FloatArray:
    """Return the adjusted p of all pairs, (pairs,)."""
    board = scoreboard_of(valid, tasks, seed, runner)
    assert board is not None, "some task has submissions"
    contest = board.contests[0]
    return adjusted_pairs(contest, run_on_pairs(contest, rules), rules)


def decide(adjusted: FloatArray, rules: ComparisonRules) -> tuple[BoolArray, BoolArray]:
    """Return which pairs are significant, and which may be, from the adjusted p of some rounds (rounds, pairs)."""
    from scipy.special import stdtrit

    mean, variance = adjusted.mean(axis=0), adjusted.var(axis=0, ddof=1)
    spread = mean * (1 - mean)
    telling = (mean > rules.alpha / 10) & (mean < 0.5)  # the p that tell how p vary near alpha
    factor = variance[telling].sum() / spread[telling].sum() if telling.any() else 0.0
    error = float(stdtrit(len(adjusted) - 1, 1 - _TAIL)) * np.sqrt(factor * spread / len(adjusted))
    return rules.significant(mean + error), rules.significant(mean - error)


def _with_draws(kind: type[C], component: C, draws: int, registry: Registry) -> C:
    call = parse_call(component.name)
    try:
        return registry.get(kind, Call(call.name, {**call.parameters, "draws": draws}))
    except DataError:  # it has no draws
        return component
