"""One pair of submissions that was compared, what it shares with an evaluation, and the rank sets of all pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.batches.base import BoolArray, IntArray
from qeframe.core.components.significance import Sided
from qeframe.core.evaluation.canonical_json import plain_values
from qeframe.core.short_repr import Brief


def plain_details(value: Any) -> Any:
    """Return details as they are after JSON: plain values, and NaN for what is undefined."""
    match plain_values(value):
        case None:
            return math.nan
        case dict(items):
            return {key: plain_details(item) for key, item in items.items()}
        case list(items):
            return [plain_details(item) for item in items]
        case plain:
            return plain


def plain_supplements(supplements: Mapping[str, Any]) -> dict[str, Any]:
    """Return supplements whose values are frozen ones, or values as they are after JSON."""
    return {name: value if attrs.has(type(value)) else plain_details(value) for name, value in supplements.items()}


def of_class(value: Any) -> Any:
    """Return a frozen value; None for values of JSON, whose class no plugin that is in use brings."""
    return value if attrs.has(type(value)) else None


PAIR_KEYS = ("equivalence",)
"""The supplements of pairs that have keys of their own in JSON."""


def by_key(supplements: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return supplements as values of JSON: some under keys of their own, the others under "supplements"."""
    values = {name: plain_values(value) for name, value in supplements.items()}
    others = {name: value for name, value in values.items() if name not in keys}
    with_keys = {name: value for name, value in values.items() if name in keys}
    return {**with_keys, **({"supplements": others} if others else {})}


@frozen(kw_only=True, repr=False)
class Comparison(Brief):
    """One pair of submissions compared under one metric.

    Parameters
    ----------
    a, b : str
        `a` is the submission with the better score.
    metric, task : str
        `task` is empty for all tasks together, also if there is only one.
    test, sided : str
        If `sided` is "one", p is for the claim that a is better than b.
    difference : float
        The score of a minus the score of b, not oriented: at most 0 if lower is better.
    p, p_adjusted : float
        Before and after the correction; NaN if the pair could not be tested.
    significant : bool
        Whether the adjusted p is below alpha; where the profile is not `strict`, also equal to it.
    least_p : float
        The smallest p that the test can give for this number of units and draws. An example: 4 units have 16 exchanges,
        and the smallest two-sided p is 1/8. 0 means that there is no bound.
    reason : str
        Why p is undefined, or that of one test alone; else empty, and where the test gives no reason.
    p_of : mapping of str to float
        By the tests of which p is the largest, the p of each; NaN where it is undefined. Empty for a test of one p.
    supplements : mapping of str to value
        What supplements found for the pair, by their names.

    Examples
    --------
    >>> import qeframe
    >>> answers = {"good": [1, 2, 3, 5, 4, 6, 8, 7], "poor": [3, 1, 2, 4, 8, 7, 5, 6]}
    >>> pairs = qeframe.compare("pearson", range(8), answers)
    >>> [pair] = pairs
    >>> pair.a, pair.b, pair.test, round(pair.difference, 2)
    ('good', 'poor', 'jackknife_and_exchange', 0.24)
    """

    a: str
    b: str
    metric: str
    task: str = ""
    test: str
    sided: Sided
    difference: float
    p: float
    p_adjusted: float
    significant: bool
    least_p: float = 0.0
    reason: str = ""
    p_of: Mapping[str, float] = field(factory=dict)
    supplements: Mapping[str, Any] = field(factory=dict, converter=plain_supplements)

    @property
    def by(self) -> str:
        """Which of the tests of `p_of` gave p: its name, with "alone" if it alone is defined; "both" if they agree."""
        defined = {name: p for name, p in self.p_of.items() if not math.isnan(p)}
        most = max(defined.values(), default=0.0)
        largest = [name for name, p in defined.items() if p == most]
        if not largest:
            return ""
        return "both" if len(largest) > 1 else largest[0] + (" alone" if len(defined) < len(self.p_of) else "")

    @property
    def equivalence(self) -> Any:
        """Whether the difference is smaller than matters, a `PairEquivalence`; None if that was not asked for."""
        return of_class(self.supplements.get("equivalence"))

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON; `p_of` and `by` where there are some, equivalence also where it is None."""
        values = {name: plain_values(getattr(self, name)) for name in _FIELDS}
        values |= {"p_of": plain_values(self.p_of), "by": self.by} if self.p_of else {}
        return {**values, **dict.fromkeys(PAIR_KEYS), **by_key(self.supplements, PAIR_KEYS)}


_FIELDS = tuple(a.name for a in attrs.fields(Comparison) if a.name not in {"p_of", "supplements"})


def rank_sets(better: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the first and the last rank that each submission can have if all significant differences hold.

    `better` (S, S): ``better[i, j]``: i is significantly better than j. Returns `low, high`: low = 1 + the number of
    submissions that are better; high = S less the number of submissions that are worse. If the differences hold
    together with confidence 1 - alpha, so do all ranks.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), Inference for ranks with applications to mobility across neighbourhoods
    and academic achievement across countries.
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
