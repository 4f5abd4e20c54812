"""`Metric` and `TiePolicy` with their claims, scores of units and groups; and `Attack`, against metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast, get_args

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch, FloatArray, read_only_mapping
from qeframe.core.component import Component, check_field, check_functions, check_words, refuse
from qeframe.core.draws import bounded_slices
from qeframe.core.errors import DataError
from qeframe.core.exchange import Exchange
from qeframe.core.standard_errors import RANGE_OF_SCALE, IntervalScale, WorkingScale
from qeframe.core.statistic import Additive, Statistic

_FUNCTIONS = ("exchange", "vectors", "per_unit", "outcomes", "details", "bind_parts", "alignments", "undefined")
_LARGEST_INDEX = 11
"""No attack gains so much: an index that is declared to be larger is taken for a percentage."""
_ARRAYS_OF_WEIGHTS = 2
"""How many arrays of one number a unit and weight live at once: the weights, and the statistic's copy of them."""

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
"""Every claim of metrics for which there is a law. `qeframe.testing` checks the claims that a component makes."""
TieClaim = Literal["tie_neutral", "right_is_best"]
W = TypeVar("W", bound=str)


def _claims(claims: Iterable[Claim]) -> frozenset[Claim]:
    return _lawful(claims, CLAIMS)


def _tie_claims(claims: Iterable[TieClaim]) -> frozenset[TieClaim]:
    return _lawful(claims, get_args(TieClaim))


def _lawful(claims: Iterable[W], words: tuple[W, ...]) -> frozenset[W]:
    """Return a set of claims, refused without a law; one string is one claim, for ``("monotone")`` is not a tuple."""
    stated = frozenset([cast("W", claims)] if isinstance(claims, str) else claims)
    if unknown := sorted(stated - set(words)):
        raise DataError(f"there is no law for the claim '{unknown[0]}'", remedy=f"the claims are {', '.join(words)}")
    return stated


@frozen(kw_only=True, repr=False)
class Metric(Component):
    """An evaluation measure: maps (gold, submission) to a number.

    Parameters
    ----------
    kind : type
        The kind of batch that it scores; batches of a subclass are scored too.
    bind : callable
        From a batch to a `Statistic`: the primitive. See `qeframe.core.statistic.additive`.
    exchange : callable, optional
        From the batches of all submissions to an `Exchange`. None: units are swapped; where the metric is additive, by
        their rows.
    vectors : callable, optional
        For correlations: from a batch to (gold, predicted), (n,) each, whose Pearson correlation is the score.
    per_unit : callable, optional
        For means: from a batch to the (n,) values whose mean is the score.
    outcomes : callable, optional
        From a batch to the (m,) outcomes of pairs or of judgments that a sign test counts. None: it counts the values
        per unit.
    details : callable, optional
        From a batch to further results by name, numbers or tables of numbers: counts, precision, epsilon.
    bind_parts : callable, optional
        For grids: from a batch to the function that binds the same batch with cells missing. What was estimated from
        all cells, such as a threshold, is held; the statistic is additive wherever that is possible. None: `bind`.
    alignments : callable, optional
        For metrics that match words: from a batch to an `Alignment` for each unit.
    bounds : (float, float)
        The smallest and the largest possible score. By default there is no end, and no law checks one.
    higher_is_better : bool
    working_scale : {"identity", "arctanh"}
        The scale on which tests by the jackknife work: arctanh for correlations.
    interval_scale : {"identity", "arctanh", "logit", "log"}, optional
        The scale of intervals alone: logit for shares, log for positive errors. None: the working scale. A law checks
        that it has a value for every score.
    smooth : bool
        Whether the score changes little when the weight of one unit changes little, as sums, ratios and correlations of
        units do. A threshold that is chosen, a count of pairs of systems, and quantiles of units are not smooth. Tests
        by the jackknife need it; a metric that does not state it is tested by the bootstrap. A law checks it.
    degenerate : float
        The value of `bind` where the score is undefined: NaN, or a convention that the docstring states. Only laws
        read it: `bind` itself gives the value.
    undefined : callable, optional
        For metrics that mean to be undefined on ordinary data: from a batch to whether the score is undefined on it.
        The law "defined" holds a metric to a score everywhere else.
    claims : set of str
        Properties that the laws check. ``location_scale_invariant`` also decides how the default test computes p:
        answers are set to one scale before they are exchanged, see `Swap`.
    known_weaknesses : mapping of str to float
        The attacks that the metric is known to reward, by name, or all ``"blind"`` or ``"cosmetic"`` ones: the largest
        gaming index that each may have. A gate against gaming fails beyond that.
    formula : str
        What the metric computes, in LaTeX without delimiters; each line is a formula of its own, and so is what a wide
        space (qquad) separates. Where parameters change its form, that of the default parameters. Only the page of the
        metric shows it.
    symbols : str
        What the symbols mean, in a few sentences; LaTeX between dollar signs, code between back quotes. By custom y is
        the gold, x the submission, and n the number of units.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric
    >>> mae = qeframe.load().get(Metric, "mae")
    >>> mae.name, mae.higher_is_better, mae.smooth
    ('mae', False, True)
    """

    kind: type[Batch]
    bind: Callable[[Any], Statistic]
    exchange: Callable[[Sequence[Any]], Exchange] | None = None
    vectors: Callable[[Any], tuple[FloatArray, FloatArray]] | None = None
    per_unit: Callable[[Any], FloatArray] | None = None
    outcomes: Callable[[Any], FloatArray] | None = None
    details: Callable[[Any], Mapping[str, Any]] | None = None
    bind_parts: Callable[[Any], Callable[[Any], Statistic]] | None = None
    alignments: Callable[[Any], Sequence[Any]] | None = None
    bounds: tuple[float, float] = (-np.inf, np.inf)
    higher_is_better: bool = True
    working_scale: WorkingScale = "identity"
    interval_scale: IntervalScale | None = None
    smooth: bool = False
    degenerate: float = field(default=np.nan, eq=str)  # NaN equals NaN
    undefined: Callable[[Any], bool] | None = None
    claims: frozenset[Claim] = field(default=(), converter=_claims)
    known_weaknesses: Mapping[str, float] = field(factory=dict, hash=False)
    formula: str = ""
    symbols: str = ""

    def __attrs_post_init__(self) -> None:
        is_batch = isinstance(self.kind, type) and issubclass(self.kind, Batch)
        check_field(self, "kind", is_batch, "a class of batches")
        check_field(self, "bind", callable(self.bind), "a function of a batch")
        check_functions(self, *_FUNCTIONS)
        for key in ("formula", "symbols"):
            check_field(self, key, isinstance(getattr(self, key), str), "a text")
        for key in ("higher_is_better", "smooth"):
            if not isinstance(getattr(self, key), (bool, np.bool_)):
                refuse(self, key, getattr(self, key), "give True or False")
        check_words(self, "working_scale", get_args(WorkingScale))
        if self.interval_scale is not None:
            check_words(self, "interval_scale", tuple(RANGE_OF_SCALE))
        if not isinstance(self.degenerate, (int, float, np.number)):
            refuse(self, "degenerate", self.degenerate, "give a number, or NaN")
        weaknesses: Any = self.known_weaknesses
        if not isinstance(weaknesses, Mapping) or not all(
            isinstance(name, str) and isinstance(bound, (int, float, np.number)) and 0 < bound < _LARGEST_INDEX
            for name, bound in weaknesses.items()
        ):
            remedy = "give for each attack by name the largest index that it may have, above 0: .3, not 30 %"
            refuse(self, "known_weaknesses", weaknesses, remedy, "are")
        bounds: Any = self.bounds
        numbers = isinstance(bounds, tuple) and all(isinstance(end, (int, float, np.number)) for end in bounds)
        if not (numbers and len(bounds) == 2 and bounds[0] < bounds[1]):
            refuse(self, "bounds", bounds, "give two numbers, the smaller one first", "are")

    def __repr__(self) -> str:
        return f"<Metric {self.name} on {self.kind.__name__}>"


@frozen(kw_only=True, repr=False)
class TiePolicy(Component):
    """How ties count: coefficients for human relation (<, =, >) by metric relation (<, =, >).

    Parameters
    ----------
    table : 3 x 3 of float or None
        Rows are human relations, columns metric relations; ``<`` means that the left one is better. None excludes the
        pairs of a cell from numerator and denominator.
    claims : set of str
        Properties that the laws check: ``tie_neutral``, a tie counts the mean of both orders; ``right_is_best``, in
        each row the relation that the human gave counts most.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import TiePolicy
    >>> qeframe.load().get(TiePolicy, "wmt14").table
    ((1.0, 0.0, -1.0), (None, None, None), (-1.0, 0.0, 1.0))
    """

    table: tuple[tuple[float | None, ...], ...]
    claims: frozenset[TieClaim] = field(default=(), converter=_tie_claims)

    def __attrs_post_init__(self) -> None:
        if len(self.table) != 3 or any(len(row) != 3 for row in self.table):
            raise DataError(f"tie policy '{self.name}' needs a table of 3 x 3 coefficients")


def segment_scores(metric: Metric, batch: Batch) -> FloatArray:
    """Return the score of each unit alone: the segment level of a corpus metric.

    Returns
    -------
    (n,) float64
        Where the score of a unit is undefined, NaN or the metric's `degenerate` value. Empty for an empty batch.

    Examples
    --------
    >>> import qeframe
    >>> from qeframe.plugin import Metric, Scores, segment_scores
    >>> mae = qeframe.load().get(Metric, "mae")
    >>> segment_scores(mae, Scores.from_plain([1, 2], [1, 4])).tolist()
    [0.0, 2.0]
    """
    return bound_segment_scores(metric.bind(batch))


def bound_segment_scores(statistic: Statistic) -> FloatArray:
    """Return the score of each unit alone under a bound metric, (n,): see `segment_scores`."""
    if isinstance(statistic, Additive):
        return statistic.unit_scores()
    units = statistic.units
    parts = bounded_slices(units, _ARRAYS_OF_WEIGHTS * units)
    scores = [np.array(statistic(np.eye(len(range(units)[part]), units, k=part.start))) for part in parts]
    return np.concatenate([np.empty(0), *scores])


@frozen(kw_only=True, repr=False)
class Attack(Component):
    """A strategy that raises a score without being better.

    Parameters
    ----------
    kind : type
        The kind of batch it attacks.
    manner : {"blind", "cosmetic", "informed", "selection"}
        blind: the attack knows only what every participant knows. cosmetic: it transforms an honest submission without
        adding information. informed: it knows a stated part of the gold. selection: it keeps the best of many answers.
    knowledge : str
        What the attack knows, in words.
    answer : callable
        From a batch and a generator to the attacking batch. A cosmetic attack transforms the submission in the batch.
        The gold in the batch provides lengths and frequencies; only informed attacks may read more of it.
    settings : mapping of str to callable
        More ways to answer, by their parameters ("rate=0.4"). The audit chooses the one with the best score on other
        gold than it is measured on. Empty: only `answer`.
    space : mapping of str to sequence
        The values of each parameter that ``qeframe audit --search`` may try, for an attack that a `Parametric` makes:
        numbers in ascending order, or words. Empty: the attack is not searched.
    tries : int
        How many answers a selection attack makes; it keeps the best.
    refutes : str, optional
        The claim of a metric that is refuted if the attack succeeds.
    """

    kind: type[Batch]
    manner: Literal["blind", "cosmetic", "informed", "selection"]
    knowledge: str
    answer: Callable[[Any, np.random.Generator], Batch]
    settings: Mapping[str, Callable[[Any, np.random.Generator], Batch]] = field(
        factory=dict, converter=read_only_mapping
    )
    space: Mapping[str, Sequence[Any]] = field(factory=dict, converter=read_only_mapping)
    tries: int = 1
    refutes: Claim | None = None

    def changes_all_of(self, kind: type[Batch]) -> bool:
        """Return whether this is an attack on a kind of batch: its own, or a subclass with no further part of answers.

        An attack on `Scores` that changed the scores of `PostEdits` would leave their texts as they are.
        """
        return issubclass(kind, self.kind) and _parts_of_answers(kind) <= _parts_of_answers(self.kind)


def _parts_of_answers(kind: type[Batch]) -> set[str]:
    return {attribute.name for attribute in attrs.fields(kind) if attribute.metadata.get("answer")}
