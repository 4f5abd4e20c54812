"""`SignificanceTest` compares submissions; `Correction` adjusts a family of p-values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

from attrs import field, frozen

from qeframe.core.batches.base import FloatArray, IntArray
from qeframe.core.components.component import Component, as_names, check_functions, check_least_p, check_words, refuse

if TYPE_CHECKING:
    from qeframe.core.components.pairs import Pairwise
    from qeframe.core.evaluation.contest import Contest
    from qeframe.core.resampling.exchange import Swap


Needs = Literal["bind", "smooth", "grid", "exchange", "outcomes", "vectors", "per_unit"]
Sided = Literal["one", "two"]
Null = Literal["", "equal scores", "exchangeable answers", "equal scores or exchangeable answers"]


def _sides(sides: Iterable[Sided]) -> frozenset[Any]:
    return frozenset(as_names(sides))  # one word is one side


@frozen(kw_only=True, repr=False)
class SignificanceTest(Component):
    """A test comparing submissions.

    Parameters
    ----------
    needs : {"bind", "smooth", "grid", "exchange", "outcomes", "vectors", "per_unit"}
        The capability that the metric must have; smooth: `bind`, with scores that change little with the weight of a
        unit; grid: smooth, on grids of segments and systems. A test depends on capabilities, never on the names of
        metrics.
    run : callable
        From a `Contest` and "one" or "two" (sided) to a `Pairwise`, for all pairs at once.
    sides : set of {"one", "two"}
        The p-values that it can compute, one-sided or two-sided.
    interval : callable, optional
        From a `Contest` and a confidence level to the ends of the intervals of all scores, low and high, (S,) each,
        and the draws (B, S) that they were computed from.
    on_intervals : callable, optional
        From a `Contest` to details of each score, (S,) mappings, that say what its interval does not promise: as
        ``no_interval`` why it has none. They become details of the results.
    least_p : float
        A lower bound of p on any data: 1 / (1 + draws) for a test by draws. 0 if there is no such bound.
    more : SignificanceTest, optional
        The same test with more draws, which takes its place in a family with an adjusted p near alpha, if the
        correction has more draws too. None: the number of draws is fixed.
    remarks : callable, optional
        From a `Contest` and "one" or "two" to sentences on what limits the p-values on these data. They become
        warnings of the result.
    on_significant : callable, optional
        From a `Contest` and the positions of its significant pairs, (m,) int64, to a sentence by position: why the
        difference is less certain than its p says. They become warnings that name the pair.
    null : {"", "equal scores", "exchangeable answers", "equal scores or exchangeable answers"}
        What "equal" means in the null hypothesis: the scores in the population of the units are equal; or the answers
        of both to a unit can be exchanged, since they follow one law. Both, where the larger p of two tests counts:
        exchangeable answers have equal scores, and the level holds where one of the tests holds. Empty: not stated.
    measured : str
        A sentence on the error rates that were measured: how many true null hypotheses the test rejects at .05.
    over_seeds : callable, optional
        From a `Contest` and a number of seeds to the p of all pairs under each of them, (seeds, pairs): for a test
        whose program has no seed.
    swap : Swap, optional
        What the exchanges that it counts swap, of a test that needs "exchange", and so what a sum over the parts of a
        task set swaps in a part with this test: the exchanges of ``contest.along(swap.unit,
        standardize=swap.standardize)``. None: not stated; a sum with a part with such a test has no exchanges.
    combines_tasks : bool
        Whether the test asks for the submissions of each task, and so compares aggregates over tasks whatever it needs.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import SignificanceTest
    >>> test = qeframe.load().get(SignificanceTest, "randomization(draws=500)")
    >>> test.needs, sorted(test.sides)
    ('exchange', ['one', 'two'])
    """

    needs: Needs
    run: Callable[[Contest, Sided], Pairwise]
    sides: frozenset[Sided] = field(default=("one", "two"), converter=_sides)
    interval: Callable[[Contest, float], tuple[FloatArray, FloatArray, FloatArray]] | None = None
    on_intervals: Callable[[Contest], Sequence[Mapping[str, Any]]] | None = None
    least_p: float = 0.0
    more: SignificanceTest | None = None
    remarks: Callable[[Contest, Sided], Sequence[str]] | None = None
    on_significant: Callable[[Contest, IntArray], Mapping[int, str]] | None = None
    null: Null = ""
    measured: str = ""
    over_seeds: Callable[[Contest, int], FloatArray] | None = None
    swap: Swap | None = None
    combines_tasks: bool = False

    def __attrs_post_init__(self) -> None:
        check_words(self, "needs", get_args(Needs))
        if not self.sides or self.sides - {"one", "two"}:
            refuse(self, "sides", [*self.sides], "give 'one', 'two' or both")
        check_words(self, "null", get_args(Null))
        if self.swap is not None and self.needs != "exchange":
            refuse(self, "swap", self.swap, "leave it out, or state needs='exchange'")
        check_least_p(self, self.least_p)
        check_functions(self, "run", "interval", "on_intervals", "remarks", "on_significant", "over_seeds")


@frozen(kw_only=True, repr=False)
class Correction(Component):
    """An adjustment of a family of p-values.

    Parameters
    ----------
    adjust : callable
        From p (m,) to adjusted p (m,), at most 1. NaN stays NaN and counts in m.
    adjust_jointly : callable, optional
        For a correction that uses the joint distribution of all differences: from a `Contest`, the `Pairwise` of the
        test and "one" or "two" (sided) to adjusted p (pairs,). It is used instead of `adjust` wherever the submissions
        can be resampled.
    least_p : float
        A lower bound of what `adjust_jointly` returns on any data: 1 / (1 + draws).
    more : Correction, optional
        The same correction with more draws: as in `SignificanceTest`.
    controls_any_error : bool
        Whether it limits the chance of any false claim in the family to alpha where the p-values, or the joint draws,
        hold on the data. The ranks that follow from the significant differences then hold together.
    remarks : callable, optional
        From a `Contest` to sentences on what limits the adjusted p-values on these data.
    measured : str
        A sentence on the error rates that were measured: how many families of true null hypotheses have a false claim.

    Examples
    --------
    >>> import numpy as np
    >>> import qeframe
    >>> from qeframe.plugin import Correction
    >>> qeframe.load().get(Correction, "holm").adjust(np.array([0.01, 0.04])).round(3).tolist()
    [0.02, 0.04]
    """

    adjust: Callable[[FloatArray], FloatArray]
    adjust_jointly: Callable[[Contest, Pairwise, Sided], FloatArray] | None = None
    least_p: float = 0.0
    more: Correction | None = None
    controls_any_error: bool = False
    remarks: Callable[[Contest], Sequence[str]] | None = None
    measured: str = ""

    def __attrs_post_init__(self) -> None:
        check_least_p(self, self.least_p)
        check_functions(self, "adjust", "adjust_jointly", "remarks")
