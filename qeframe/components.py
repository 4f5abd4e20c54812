"""The components that plugins bring: frozen values, one class for each hook.

A component has a name and a one-line summary. Where it has parameters, the plugin brings a `Family`: a documented
function from keyword parameters to the component, with which ``f_beta(beta=2)`` is found, checked and printed back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

import numpy as np
from attrs import field, frozen

from qeframe.alignment import Alignment
from qeframe.batch import Batch, Best, BoolArray, FloatArray
from qeframe.errors import DataError
from qeframe.exchange import Exchange
from qeframe.family import Component, Family
from qeframe.statistic import Statistic

if TYPE_CHECKING:
    from qeframe.task import Reading
    from qeframe.trial import Pairwise, Trial

__all__ = [
    "CLAIMS",
    "Aggregation",
    "Attack",
    "Claim",
    "Component",
    "Correction",
    "Family",
    "Metric",
    "Ranking",
    "RankingRule",
    "Reader",
    "Sided",
    "SignificanceTest",
    "Standing",
    "TiePolicy",
]

Sided = Literal["one", "two"]
Claim = Literal[
    "constant_proof",
    "blind_proof",
    "tie_neutral",
    "location_scale_invariant",
    "abstention_proof",
    "padding_proof",
    "monotone",
]


CLAIMS: tuple[Claim, ...] = get_args(Claim)
"""Every claim that there is a law for; `qeframe.testing` holds a component to those that it makes."""


def _claims(claims: Iterable[Claim]) -> frozenset[Claim]:
    """Return claims, or refuse one for which no law exists; a word alone is one claim: ``("monotone")`` is no tuple."""
    made = frozenset([cast("Claim", claims)] if isinstance(claims, str) else claims)
    for claim in sorted(made - set(CLAIMS)):
        raise DataError(f"there is no law for the claim '{claim}'", remedy=f"the claims are {', '.join(CLAIMS)}")
    return made


def _sides(sides: Iterable[Sided]) -> frozenset[Sided]:
    return frozenset(sides)


@frozen(kw_only=True)
class Metric(Component):
    """An evaluation measure: maps (gold, submission) to a number.

    Parameters
    ----------
    kind : type
        The kind of batch it works on; subclasses of it are welcome too.
    bind : callable
        From a batch to a `Statistic`: the primitive. See `qeframe.statistic.additive`.
    exchange : callable, optional
        From batches to an `Exchange`. None: units are swapped, through rows where the metric is additive.
    vectors : callable, optional
        For correlations: from a batch to (gold, predicted), (n,) each, whose Pearson correlation is the score.
    per_unit : callable, optional
        For means: from a batch to the (n,) values whose mean is the score.
    outcomes : callable, optional
        From a batch to the (m,) outcomes that a sign test counts, those of pairs or of judgments; without them it
        counts the values per unit.
    details : callable, optional
        From a batch to what else there is to tell, numbers or tables of numbers by name: counts, precision, epsilon.
    alignments : callable, optional
        For metrics that match words: from a batch to an `Alignment` for each unit.
    bounds : (float, float)
        No score lies outside.
    higher_is_better : bool
    degenerate : float
        The value where the score is undefined, NaN or a convention that the docstring states.
    claims : set of str
        Properties that the laws hold the metric to.
    """

    kind: type[Batch]
    bind: Callable[[Any], Statistic]
    exchange: Callable[[Sequence[Any]], Exchange] | None = None
    vectors: Callable[[Any], tuple[FloatArray, FloatArray]] | None = None
    per_unit: Callable[[Any], FloatArray] | None = None
    outcomes: Callable[[Any], FloatArray] | None = None
    details: Callable[[Any], Mapping[str, Any]] | None = None
    alignments: Callable[[Any], Sequence[Alignment]] | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    higher_is_better: bool = True
    degenerate: float = np.nan
    claims: frozenset[Claim] = field(default=(), converter=_claims)


@frozen(kw_only=True)
class TiePolicy(Component):
    """How ties count: coefficients for human relation (<, =, >) by metric relation (<, =, >).

    Parameters
    ----------
    table : 3 x 3 of float or None
        Rows are human relations, columns metric relations, ``<`` = the left one is better; None excludes the pairs of
        that cell from numerator and denominator.
    claims : set of str
        Properties that the laws hold the table to: ``tie_neutral`` or none.
    """

    table: tuple[tuple[float | None, ...], ...]
    claims: frozenset[Claim] = field(default=(), converter=_claims)

    def __attrs_post_init__(self) -> None:
        if len(self.table) != 3 or any(len(row) != 3 for row in self.table):
            raise DataError(f"tie policy '{self.name}' needs a table of 3 x 3 coefficients")


@frozen(kw_only=True)
class Aggregation(Component):
    """How scores combine, within a task (over groups of units) or across tasks (over language pairs).

    Parameters
    ----------
    aggregate : callable
        From scores (..., submissions, parts) and weights (parts,), none negative, to (..., submissions). It acts on
        every draw alike; a part of weight 0 has no say. Within a task whose parts are resampled the weights are those
        of every draw, (..., 1, parts). An undefined part (NaN) makes the result undefined unless the
        component says otherwise.
    by : str
        Within a task: the grouping whose groups are the parts ("document"); empty for none.
    pools : bool
        Within a task: whether all units are scored at once, so that there are no parts and `aggregate` is not called.
    exclude : tuple of str
        Across tasks: parts that get weight 0.
    weighting : {"equal", "declared", "counted"}
        Across tasks: every part weighs 1, or as the profile declares (its number of units where it is silent), or what
        its reader counted under `count`.
    count : str
        Which count of the readers weighs; empty unless `weighting` is "counted".
    interval : {"joint", "mean_of_half_widths"}
        Across tasks: intervals of the aggregate over joint draws; or, for replication, the aggregate plus and minus the
        mean of half the widths of the intervals of the parts that weigh.
    linear : bool
        Whether the result is a weighted mean of the parts, so that differences aggregate like scores.
    higher_is_better : bool or None
        None: as the metric; average ranks are better when lower.
    """

    aggregate: Callable[[FloatArray, FloatArray, bool], FloatArray]
    by: str = ""
    pools: bool = False
    exclude: tuple[str, ...] = ()
    weighting: Literal["equal", "declared", "counted"] = "equal"
    count: str = ""
    interval: Literal["joint", "mean_of_half_widths"] = "joint"
    linear: bool = True
    higher_is_better: bool | None = None


@frozen(kw_only=True)
class SignificanceTest(Component):
    """A test comparing submissions.

    Parameters
    ----------
    needs : {"bind", "exchange", "outcomes", "vectors", "per_unit"}
        The capability that it asks a metric for; it never asks for a metric's name.
    run : callable
        From a `Trial` and "one" or "two" (sided) to a `Pairwise`, for all pairs at once.
    sides : set of {"one", "two"}
        The kinds of p-value it can give.
    interval : callable, optional
        From a `Trial`, draws and a level to (low, high), (S,) each, and the draws (B, S) they were read from.
    least_p : float
        Below this its p never is, on any data: 1 / (1 + draws) of a test by draws. 0: there is no such bound.
    """

    needs: Literal["bind", "exchange", "outcomes", "vectors", "per_unit"]
    run: Callable[[Trial, Sided], Pairwise]
    sides: frozenset[Sided] = field(default=("one", "two"), converter=_sides)
    interval: Callable[[Trial, float], tuple[FloatArray, FloatArray, FloatArray]] | None = None
    least_p: float = 0.0


@frozen(kw_only=True)
class Correction(Component):
    """An adjustment of a family of p-values.

    Parameters
    ----------
    adjust : callable
        From p (m,) to adjusted p (m,), at most 1. NaN stays NaN and counts in m.
    """

    adjust: Callable[[FloatArray], FloatArray]


@frozen(kw_only=True, eq=False)
class Standing:
    """What a ranking rule is given.

    Parameters
    ----------
    goodness : (S,) float64
        Scores turned so that higher is better; NaN where undefined.
    better : (S, S) bool
        ``better[i, j]``: i is significantly better than j.
    draws : (B, S) float64, optional
        Goodness in every bootstrap draw.
    """

    goodness: FloatArray
    better: BoolArray
    draws: FloatArray | None = None


@frozen(kw_only=True, eq=False)
class Ranking:
    """What a ranking rule returns, all arrays in the order of the submissions.

    Parameters
    ----------
    rank : (S,) int64
        From 1, equal scores share the smaller number, undefined last.
    cluster : (S,) int64
        From 1; cluster 1 are the winners. Winner rules know clusters 1 and 2 only. 0 where the score is undefined.
    shares : (S, S) float64, optional
        The share of draws in which a submission took each rank.
    """

    rank: np.ndarray[Any, np.dtype[np.int64]]
    cluster: np.ndarray[Any, np.dtype[np.int64]]
    shares: FloatArray | None = None


@frozen(kw_only=True)
class RankingRule(Component):
    """How scores and comparisons become ranks, winners, clusters."""

    rank: Callable[[Standing], Ranking]


@frozen(kw_only=True)
class Attack(Component):
    """A strategy that raises a score without being better.

    Parameters
    ----------
    kind : type
        The kind of batch it attacks.
    manner : {"blind", "cosmetic", "informed", "selection"}
    knowledge : str
        What it knows, in words.
    answer : callable
        From a batch and a generator to the attacking batch. Its submission is what a cosmetic attack transforms; its
        gold is there for lengths and frequencies, and for informed attacks.
    settings : mapping of str to callable
        Further ways to answer, by the parameters that name them ("rate=0.4"): the audit takes the one that scores best
        on one half of the gold and scores it on the other. Empty: there is `answer` alone.
    tries : int
        Selection attacks hand in this many answers and keep the best.
    refutes : str, optional
        The claim of a metric that is refuted if the attack succeeds.
    """

    kind: type[Batch]
    manner: Literal["blind", "cosmetic", "informed", "selection"]
    knowledge: str
    answer: Callable[[Any, np.random.Generator], Batch]
    settings: Mapping[str, Callable[[Any, np.random.Generator], Batch]] = field(factory=dict)
    tries: int = 1
    refutes: Claim | None = None


@frozen(kw_only=True)
class Reader(Component):
    """A format of shared-task files.

    Parameters
    ----------
    kind : type
        The kind of batch it yields.
    read : callable
        From a path and the good end of the gold scale ("low" or "high") to one `Reading` a task.
    """

    kind: type[Batch]
    read: Callable[[Path, Best], Sequence[Reading]]
