"""Values of a result that are shown alone: a compared pair, the place of an entered submission; and their JSON."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.batch import BoolArray, IntArray
from qeframe.core.display import Brief
from qeframe.core.significance import Sided
from qeframe.core.supplements import PairEquivalence, Unit


def plain_values(value: Any) -> Any:
    """Return frozen values, arrays and NaN as values of JSON.

    Parameters
    ----------
    value : object
        A value of attrs, an array, a number, a text, or a mapping or sequence of such. A class with a method
        ``to_plain`` decides for itself.

    Returns
    -------
    object
        Of dict, list, str, int, float, bool and None alone; NaN and infinite numbers are None.
    """
    if type(value) in _PLAIN or (type(value) is float and math.isfinite(value)):
        return value
    if hasattr(value, "to_plain"):
        return value.to_plain()
    if hasattr(value, "__attrs_attrs__"):
        return {a.name.lstrip("_"): plain_values(getattr(value, a.name)) for a in value.__attrs_attrs__}
    match value:
        case Mapping():
            return {str(k): plain_values(v) for k, v in value.items()}
        case float():
            return value if math.isfinite(value) else None
        case str() | bool() | int() | None:
            return value
        case frozenset() | set():
            return sorted(map(plain_values, value))
    if hasattr(value, "tolist"):
        return plain_values(value.tolist())
    return [plain_values(item) for item in value]


def with_sorted_keys(value: Any) -> Any:
    """Return frozen values as they are after JSON: mappings in the order of their keys, infinite numbers as NaN.

    What is so already is returned as it is.
    """
    if isinstance(value, Mapping):
        ordered = {key: with_sorted_keys(value[key]) for key in sorted(value, key=str)}
        same = list(ordered) == list(value) and all(ordered[key] is value[key] for key in ordered)
        return value if same else ordered
    if isinstance(value, (list, tuple)):
        items = [with_sorted_keys(item) for item in value]
        return value if all(map(operator.is_, items, value)) else type(value)(items)
    if isinstance(value, float):
        return value if math.isfinite(value) else math.nan
    fields = {a.name: getattr(value, a.name) for a in getattr(value, "__attrs_attrs__", ())}
    changed = {name: new for name, old in fields.items() if (new := with_sorted_keys(old)) is not old}
    return attrs.evolve(value, **changed) if changed else value


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and an indent of two spaces; undefined and infinite numbers are null.

    The text is that of ``json.dumps(plain_values(value), sort_keys=True, indent=2, ensure_ascii=False)`` and a line
    feed, in a third of the time.

    Parameters
    ----------
    value : object
        As for `plain_values`.

    Returns
    -------
    str
        Ends with a line feed.
    """
    return _text(plain_values(value), "\n") + "\n"


def _text(value: Any, line: str) -> str:
    """Return the JSON of a plain value; `line` is a line feed and the indent of the line that begins it."""
    if isinstance(value, str):
        return _quoted(value)
    if (type(value) is float and math.isfinite(value)) or type(value) is int:
        return repr(value)
    if value is None:
        return "null"
    inside = line + "  "
    if isinstance(value, dict) and value:
        items = [f"{_quoted(key)}: {_text(value[key], inside)}" for key in sorted(value)]
        return f"{{{inside}{f',{inside}'.join(items)}{line}}}"
    if isinstance(value, list) and value:
        return f"[{inside}{f',{inside}'.join([_text(item, inside) for item in value])}{line}]"
    return _scalar(value)


_PLAIN = frozenset({str, int, bool, type(None)})
_quoted = json.encoder.encode_basestring
_scalar = json.JSONEncoder(allow_nan=False).encode


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
    score_a, score_b : float
        The two scores.
    low, high : float
        The ends of the interval of the difference, of the pair alone: with confidence 1 - alpha, and 1 - 2 alpha if
        the test is one-sided. NaN without one.
    interval : str
        The test that the interval belongs to: where it is `test`, an interval of a pair with p below alpha has no 0.
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
    equivalence : PairEquivalence or None
        Whether the difference is smaller than matters; None if that was not asked for.

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
    score_a: float = math.nan
    score_b: float = math.nan
    low: float = math.nan
    high: float = math.nan
    interval: str = ""
    p: float
    p_adjusted: float
    significant: bool
    least_p: float = 0.0
    reason: str = ""
    p_of: Mapping[str, float] = field(factory=dict)
    equivalence: PairEquivalence | None = None

    @property
    def by(self) -> str:
        """Which of the tests of `p_of` gave p: its name, with "alone" if it alone is defined; "both" if they agree."""
        defined = {name: p for name, p in self.p_of.items() if not math.isnan(p)}
        most = max(defined.values(), default=0.0)
        largest = [name for name, p in defined.items() if p == most]
        if not largest:
            return ""
        return "both" if len(largest) > 1 else largest[0] + (" alone" if len(defined) < len(self.p_of) else "")

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON; `p_of` and `by` where there are some, equivalence also where it is None."""
        values = {name: plain_values(getattr(self, name)) for name in _FIELDS}
        return values | ({"p_of": plain_values(self.p_of), "by": self.by} if self.p_of else {})


_FIELDS = tuple(a.name for a in attrs.fields(Comparison) if a.name != "p_of")


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


@frozen(kw_only=True)
class ValidPlace:
    """Where a submission is by rules that limit the chance of any false claim, where those of the profile do not.

    `rank_set` (int, int): as in `Entered`. `beats`, `beaten_by`: over all tasks.
    """

    test: str
    sided: Sided
    correction: str
    rank_set: tuple[int, int] | None = None
    beats: tuple[str, ...] = ()
    beaten_by: tuple[str, ...] = ()


@frozen(kw_only=True, repr=False)
class InfluentialUnit(Brief):
    """A unit that moves the score of an entered submission, or the rank that it takes.

    `score`: its score without the unit. `rank`: the rank that it takes without the unit, which the others lack too.
    """

    unit: Unit
    score: float
    rank: int


@frozen(kw_only=True, repr=False)
class AttackGain(Brief):
    """What an entered submission would gain by a transformation of its answers that adds no information.

    `setting`: chosen on other units than it is scored on; where halves of the units choose two, the worse one counts.
    `gain`: by how much the score is better than its own; below 0 it is worse.
    `rank`: the rank that the transformed answers would take.
    """

    attack: str
    summary: str
    setting: str = ""
    score: float
    gain: float
    rank: int


@frozen(kw_only=True, repr=False)
class Entered:
    """The place of a submission that the user entered alone among the ranked ones.

    `rank`: the rank that its score takes.
    `of`: how many submissions are ranked over all tasks, without it.
    `rank_set` (int, int): the first and the last rank that all significant differences allow. None where the family is
      not controlled.
    `comparisons`: with each ranked submission, over all tasks and in each: families of its own. Empty without a test.
    `absent`: the tasks that it lacks: it has no rank over all tasks, unless the profile's rule `partial` gives one.
    `ranks`: by task, where there are several, the rank that its score takes there.
    `valid`: its place by the profile's valid rules, where its own rules do not limit the chance of a false claim.
    `influential`: single units without which it takes another rank, then those that move its score most, at most five.
    `changing`: how many single units there are without which it takes another rank.
    `unit`: what these units are: "segment", "document".
    `gains`: by known transformations of its answers, the largest gain first.
    """

    name: str
    rank: int
    of: int
    rank_set: tuple[int, int] | None = None
    comparisons: tuple[Comparison, ...] = ()
    absent: tuple[str, ...] = ()
    ranks: Mapping[str, int] = field(factory=dict)
    valid: ValidPlace | None = None
    influential: tuple[InfluentialUnit, ...] = ()
    changing: int = 0
    unit: str = "unit"
    gains: tuple[AttackGain, ...] = ()

    def standing(self, task: str = "") -> tuple[list[str], list[str], list[str]]:
        """Return whom it beats, who beats it, and from whom it cannot be told apart, over all tasks or in one."""
        beaten, better, not_told_apart = list[str](), list[str](), list[str]()
        for pair in (pair for pair in self.comparisons if pair.task == task):
            other = pair.b if pair.a == self.name else pair.a
            where = not_told_apart if not pair.significant else beaten if pair.a == self.name else better
            where.append(other)
        return beaten, better, not_told_apart

    def __repr__(self) -> str:
        return f"<Entered {self.name}: rank {self.rank} of {self.of + 1}>"
