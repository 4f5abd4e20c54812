"""How pairs of submissions are compared: the test, its side, the correction, and what is significant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batches.base import BoolArray, FloatArray
from qeframe.core.components.checks.significance import adjust
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, Sided, SignificanceTest
from qeframe.core.components.supplement import Supplement
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.profiles.check import missing_capability
from qeframe.core.profiles.resolved import ResolvedProfile

if TYPE_CHECKING:
    from qeframe.core.evaluation.contest import Contest

_SMALL = 1e-9
"""A p-value so small that its adjusted value is below 1."""
_NEAR = (0.6, 1.4)
"""The shares of alpha between which p is near it: of 1,000 draws, p = .05 has a standard error of .007."""
MOST_ANSWERS = 1_000_000
"""Of all submissions to all units of all tasks: with more of them, 10,000 draws take minutes, and nothing draws on."""


@frozen(kw_only=True)
class ComparisonRules:
    """How pairs of submissions are compared.

    `sided`: empty: two-sided if the test can be.
    `alpha`: in (0, 1).
    `strict`: whether significant means adjusted p < alpha; otherwise it means p <= alpha.
    `supplements`: what is computed for every pair besides.
    `adaptive`: whether a family with an adjusted p near alpha gets more draws, where test and correction have some.
    """

    test: SignificanceTest
    sided: Sided | Literal[""] = ""
    correction: Correction
    alpha: float = 0.05
    strict: bool = True
    supplements: tuple[Supplement, ...] = ()
    adaptive: bool = True

    @property
    def with_more_draws(self) -> ComparisonRules | None:
        """The same rules with more draws; None where their number is fixed."""
        test, correction = self.test.more, self.correction.more
        if not self.adaptive or test is None or correction is None:
            return None
        return attrs.evolve(
            self,
            test=attrs.evolve(test, name=self.test.name, origin=self.test.origin),
            correction=attrs.evolve(correction, name=self.correction.name, origin=self.correction.origin),
        )

    def is_near(self, adjusted: FloatArray) -> bool:
        """Return whether an adjusted p is so near alpha that few draws may decide, within .6 and 1.4 alpha."""
        low, high = (share * self.alpha for share in _NEAR)
        return bool(((low <= adjusted) & (adjusted <= high)).any())

    @property
    def side(self) -> Sided:
        """The kind of p-value: `sided`, or the default of the test."""
        if not self.sided:
            return "two" if "two" in self.test.sides else "one"
        if self.sided not in self.test.sides:
            sides = " or ".join(sorted(self.test.sides))
            raise CapabilityError(f"test '{self.test.name}' is {sides}-sided, not {self.sided}-sided")
        return self.sided

    @property
    def controls_any_error(self) -> bool:
        """Whether all significant differences hold together with confidence 1 - alpha, where the p-values hold."""
        return self.correction.controls_any_error and self.side == "two"

    def works_on(self, contest: Contest) -> bool:
        """Return whether the test can be run on a contest, of one task or of an aggregate over several."""
        needs = self.test.needs
        if contest.is_single or self.test.combines_tasks or needs in {"bind", "smooth", "grid"}:
            return True
        return needs == "exchange" and contest.linear

    def level_of_one(self, pairs: int) -> float:
        """Return the p-value of a single difference among so many pairs that is significant if no other one is.

        Of a correction with joint draws it is the level of its adjustment of p-values alone: the joint one asks for no
        smaller p, since it knows how much the differences depend on each other.
        """
        p = np.ones(pairs)
        p[:1] = _SMALL
        return float(self.alpha * _SMALL / adjust(self.correction, p)[0]) if pairs else self.alpha

    def significant(self, adjusted: FloatArray) -> BoolArray:
        """Return which adjusted p-values are significant; NaN is not."""
        return adjusted < self.alpha if self.strict else adjusted <= self.alpha


def check_capability(metric: Metric, test: SignificanceTest) -> None:
    """Raise a `CapabilityError` with the reason if a test cannot be run on a metric."""
    if why := missing_capability(metric, test):
        raise CapabilityError(f"test {why}")


def comparison_rules(
    resolved: ResolvedProfile, test: SignificanceTest | None, *, supplements: Sequence[Supplement] = ()
) -> ComparisonRules | None:
    """Return how a profile compares pairs by a test, None without a test.

    Raises DataError if there are supplements of pairs without a test: nothing would be found to be different.
    """
    rules = resolved.profile
    if test is None:
        if supplements:
            what = f"{supplements[0].key} needs a significance test"
            raise DataError(what, remedy="set one, such as --set test=jackknife")
        return None
    return ComparisonRules(
        test=test,
        sided=rules.sided,
        correction=resolved.correction,
        alpha=rules.alpha,
        strict=rules.strict,
        supplements=tuple(supplements),
        adaptive=resolved.adaptive,
    )
