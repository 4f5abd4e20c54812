"""The result of an evaluation: frozen values, and their canonical JSON.

The JSON has sorted keys, undefined numbers as null, no time stamp and no absolute path. Equal inputs, rules, plugins
and seeds therefore give equal bytes on one machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.components.significance import Sided
from qeframe.core.components.supplement import Unit
from qeframe.core.display import Drawn, Shown
from qeframe.core.evaluation.canonical_json import canonical_json, plain_values
from qeframe.core.tasks.task import Dropped, Input, LeftOut, SubmissionKind


def _plain_details(value: Any) -> Any:
    """Return details as they are after JSON: plain values, and NaN for what is undefined."""
    match plain_values(value):
        case None:
            return math.nan
        case dict(items):
            return {key: _plain_details(item) for key, item in items.items()}
        case list(items):
            return [_plain_details(item) for item in items]
        case plain:
            return plain


def _plain_supplements(supplements: Mapping[str, Any]) -> dict[str, Any]:
    """Return supplements whose values are frozen ones, or values as they are after JSON."""
    return {name: value if attrs.has(type(value)) else _plain_details(value) for name, value in supplements.items()}


def _of_class(value: Any) -> Any:
    """Return a frozen value; None for values of JSON, whose class no plugin that is in use brings."""
    return value if attrs.has(type(value)) else None


@frozen(kw_only=True)
class Result(Shown):
    """One score of a submission, with its interval.

    Parameters
    ----------
    value : float
        NaN if undefined.
    low, high : float
        The ends of the interval; NaN without one, and where the value is undefined.
    details : mapping
        Other values that the metric reports, and the explanation of a primary score if it was asked for. They are kept
        as values of JSON, so that a result that was written and read has the same details: keys are texts, and arrays,
        tuples and sets are lists. None, NaN and infinite numbers, at any depth, all become NaN, since JSON has one null
        for them; a metric that must tell them apart reports a text.
    tasks : mapping of str to Result
        For an aggregate over several tasks: the result of each task.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    details: Mapping[str, Any] = field(factory=dict, converter=_plain_details)
    tasks: Mapping[str, Result] = field(factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits a score that `score` returned: ``warnings`` of its details; an evaluation has its own."""
        return tuple(self.details.get("warnings", ()))


@frozen(kw_only=True)
class ScoredSubmission:
    """One submission: its scores, and its rank under the primary metric.

    Parameters
    ----------
    name : str
    kind : {"real", "baseline", "unofficial", "human", "attack", "entered"}
    scores : mapping of str to Result
        By metric.
    rank : int
        From 1 by score. Equal scores share a rank; undefined scores are last.
    cluster : int or None
        1 for the winners. None if nothing was tested or the score is undefined.
    rank_shares : tuple of float
        The share of the bootstrap draws in which the submission has rank 1, 2, ...; empty without draws.
    rank_set : (int, int) or None
        The first and the last rank that the submission can have if all significant differences are true. The sets of
        all submissions hold together with confidence 1 - alpha where the test and its correction hold. None where the
        family of comparisons is not controlled: no test, a correction that allows false claims, or a one-sided test.
    rank_range : (int, int) or None
        The first and the last rank by the ranking rule; they need not hold with any confidence. None for a rule without
        ranges, or if nothing was tested.
    stated : mapping of str to (mapping of str to float)
        By task, the numbers that the submission states about itself, such as its size in bytes.
    absent : tuple of str
        The tasks that it took no part in, while others took part in all: it is then listed apart over all tasks.
    """

    name: str
    kind: SubmissionKind
    scores: Mapping[str, Result]
    rank: int
    cluster: int | None = None
    rank_shares: tuple[float, ...] = ()
    rank_set: tuple[int, int] | None = None
    rank_range: tuple[int, int] | None = None
    stated: Mapping[str, Mapping[str, float]] = field(factory=dict)
    absent: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON; `absent` only where there is something."""
        values = {a.name: plain_values(getattr(self, a.name)) for a in attrs.fields(ScoredSubmission)[:-1]}
        return {**values, **({"absent": list(self.absent)} if self.absent else {})}

    @property
    def winner(self) -> bool:
        """Whether the submission is a winner by the ranking rule."""
        return self.cluster == 1


@frozen(kw_only=True)
class Comparison:
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
        Whether the adjusted p is below alpha.
    least_p : float
        The smallest p that the test can give for this number of units and draws. An example: 4 units have 16 exchanges,
        and the smallest two-sided p is 1/8. 0 means that there is no bound.
    reason : str
        Why p is undefined; empty where it is defined, and where the test gives no reason.
    p_of : mapping of str to float
        By the tests of which p is the largest, the p of each; NaN where it is undefined. Empty for a test of one p.
    supplements : mapping of str to value
        What supplements found for the pair, by their names.
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
    supplements: Mapping[str, Any] = field(factory=dict, converter=_plain_supplements)

    @property
    def by(self) -> str:
        """Which of the tests of `p_of` gave p: its name, with "alone" if it alone is defined; "both" if they agree."""
        defined = {name: p for name, p in self.p_of.items() if not math.isnan(p)}
        largest = [name for name, p in defined.items() if p == max(defined.values())]
        if not largest:
            return ""
        return "both" if len(largest) > 1 else largest[0] + (" alone" if len(defined) < len(self.p_of) else "")

    @property
    def equivalence(self) -> Any:
        """Whether the difference is smaller than matters, a `PairEquivalence`; None if that was not asked for."""
        return _of_class(self.supplements.get("equivalence"))

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON; `p_of` and `by` where there are some, equivalence also where it is None."""
        values = {a.name: plain_values(getattr(self, a.name)) for a in attrs.fields(Comparison)[:-2]}
        values |= {"p_of": plain_values(self.p_of), "by": self.by} if self.p_of else {}
        return {**values, **dict.fromkeys(PAIR_KEYS), **_by_key(self.supplements, PAIR_KEYS)}


@frozen(kw_only=True)
class ValidClusters:
    """The clusters by rules that control the chance of any false claim, where those of the profile do not.

    `test`, `sided`, `correction`, `ranking`: the rules: what the setting ``test=valid`` makes the rules of the profile.
    `clusters`: by submission.
    """

    test: str
    sided: Sided
    correction: str
    ranking: str
    clusters: Mapping[str, int | None]


@frozen(kw_only=True)
class PartScore:
    """The score of a submission in one part of a task set, with its rank and cluster among the submissions there."""

    value: float
    low: float = math.nan
    high: float = math.nan
    rank: int
    cluster: int | None = None


@frozen(kw_only=True)
class ScoredPart:
    """One part of a task set.

    `metric`: with its parameters.
    `pairs`: the language pairs.
    `level`: as the profile describes it: "system", "segment".
    `selection`: the folder and the reader of the part, and the parameters of the reader that it replaces.
    `weight`: the weights of all parts sum to 1.
    `scale` (float, float): the worst and the best score, which become 0 and 1 in the overall score.
    `test`: empty if the part was not tested.
    `samples`: for each language pair, the sample of units that is resampled; parts with the same are resampled
      together.
    `submissions`: by name; only those that the part has.
    """

    name: str
    metric: str
    pairs: tuple[str, ...]
    level: str = ""
    selection: str = ""
    weight: float
    scale: tuple[float, float]
    higher_is_better: bool = True
    test: str = ""
    samples: tuple[str, ...] = ()
    submissions: Mapping[str, PartScore]


@frozen(kw_only=True)
class Signature:
    """Everything that a result depends on: versions, plugins, rules, seed and inputs.

    Parameters
    ----------
    qeframe : str
        The version of qeframe.
    versions : mapping of str to str
        Of libraries, and of programs that computed scores.
    plugins : mapping of str to str
        By plugin, its distribution and version.
    blocked : tuple of str
        Plugins that were not loaded.
    rules : mapping
        The name of the profile, and all of its rules, as values of JSON.
    changed : mapping of str to str
        Rules that were changed by settings.
    seed : int
    units : mapping of str to str
        By task, the number and kind of its units.
    inputs : tuple of Input
        The files that were read, with their digests.
    digest : str
        The beginning of the SHA-256 of the rules as JSON; empty in results of releases before 0.2.
    left_out : str
        How many submissions were left out on request, and the beginning of the SHA-256 of which; empty for none.
    draws : str
        How many draws test and correction have, first and in families near alpha: "1000+10000". Empty: as named.
    """

    qeframe: str
    versions: Mapping[str, str]
    plugins: Mapping[str, str]
    blocked: tuple[str, ...]
    rules: Mapping[str, Any] = field(converter=plain_values)
    changed: Mapping[str, str]
    seed: int
    units: Mapping[str, str]
    inputs: tuple[Input, ...]
    digest: str = ""
    left_out: str = ""
    draws: str = ""

    @property
    def text(self) -> str:
        """The signature as one line, for the foot of a table: what had nothing to decide is not in it."""
        rules = self.rules
        several = ("across", "weights", "partial") if len(self.units) > 1 else ()
        over_tasks = ("overall", "partial") if rules.get("parts") else several
        parts = [f"qeframe:{self.qeframe}", f"profile:{rules['name']}"]
        parts += _stated(rules, ("primary", "secondary", *over_tasks, "test", "correction"))
        parts += [f"draws:{self.draws}"] if self.draws else []
        parts += _stated(rules, ("ranking", "resample"))
        parts += [f"set:{key}={value}" for key, value in sorted(self.changed.items())]
        parts += [f"blocked:{','.join(self.blocked)}"] if self.blocked else []
        parts += [f"left_out:{self.left_out}"] if self.left_out else []
        parts += [f"rules:{self.digest}"] if self.digest else []
        return "|".join([*parts, f"seed:{self.seed}"])

    def __repr__(self) -> str:
        return f"<Signature {self.text}>"


def _stated(rules: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    """Return the rules with these keys, each as "key:value"; empty lists and tables are left out."""
    values = {key: rules[key] for key in keys if rules.get(key, {}) not in ({}, [])}
    for key, value in values.items():
        items = [f"{name}={weight:g}" for name, weight in value.items()] if isinstance(value, Mapping) else value
        values[key] = ",".join(items) if isinstance(items, list) else items
    return [f"{key}:{value}" for key, value in values.items()]


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


@frozen(kw_only=True)
class InfluentialUnit:
    """A unit that moves the score of an entered submission, or the rank that it takes.

    `score`: its score without the unit. `rank`: the rank that it takes without the unit, which the others lack too.
    """

    unit: Unit
    score: float
    rank: int


@frozen(kw_only=True)
class AttackGain:
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


FORMAT = 1
"""The version of ``evaluation.json``: a key that goes or gets another meaning raises it, a new key does not."""
_WHERE_THERE_IS = ("unconfirmed", "parts", "valid_clusters", "left_out", "files", "shares", "entered")
PAIR_KEYS, EVALUATION_KEYS = ("equivalence",), ("detectable", "influence")
"""The supplements of pairs, and those of evaluations, that have keys of their own in JSON."""


def _by_key(supplements: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """Return supplements as values of JSON: some under keys of their own, the others under "supplements"."""
    values = {name: plain_values(value) for name, value in supplements.items()}
    others = {name: value for name, value in values.items() if name not in keys}
    with_keys = {name: value for name, value in values.items() if name in keys}
    return {**with_keys, **({"supplements": others} if others else {})}


@frozen(kw_only=True, repr=False)
class Evaluation(Drawn):
    """The result of a profile on its tasks.

    Parameters
    ----------
    profile, title : str
    primary : str
        The metric by which submissions are ranked and compared.
    metrics : tuple of str
        The primary metric first.
    higher_is_better : mapping of str to bool
        By metric, for its value over all tasks: a lower average rank is better.
    higher_in_tasks : mapping of str to bool
        By metric, for its value in a single task.
    signature : Signature
    submissions : tuple of ScoredSubmission
        In the order of their ranks.
    comparisons : tuple of Comparison
    tasks : mapping of str to mapping of str to int
        By task, in order, also tasks without submissions: what the reader counted.
    dropped : tuple of Dropped
        What was left out, with the reason.
    warnings : tuple of str
        What limits the results.
    unconfirmed : tuple of str
        The keys of the profile's rules that no source confirms.
    parts : tuple of ScoredPart
        Of a task set, whose primary metric is then "overall"; their names are those of the tasks in results.
    valid_clusters : ValidClusters or None
        Clusters by other rules, where those of the profile control no error.
    supplements : mapping of str to value
        What supplements found, by their names.
    left_out : tuple of LeftOut
        The submissions that were left out because the organizer or a rule asked for it.
    files : mapping of str to tuple of str
        By submission, the paths of its files among the inputs, where they are known.
    shares : mapping of str to float
        By task, its share of the aggregate over several tasks; the shares sum to 1. Those of parts are their weights.
    entered : tuple of Entered
        The places of the submissions that the user entered, each alone.
    """

    profile: str
    title: str
    primary: str
    metrics: tuple[str, ...]
    higher_is_better: Mapping[str, bool]
    higher_in_tasks: Mapping[str, bool] = field(factory=dict)
    signature: Signature
    submissions: tuple[ScoredSubmission, ...]
    comparisons: tuple[Comparison, ...]
    tasks: Mapping[str, Mapping[str, int]] = field(factory=dict)
    dropped: tuple[Dropped, ...] = ()
    warnings: tuple[str, ...] = ()
    unconfirmed: tuple[str, ...] = ()
    parts: tuple[ScoredPart, ...] = ()
    valid_clusters: ValidClusters | None = None
    supplements: Mapping[str, Any] = field(factory=dict, converter=_plain_supplements)
    left_out: tuple[LeftOut, ...] = ()
    files: Mapping[str, tuple[str, ...]] = field(factory=dict)
    shares: Mapping[str, float] = field(factory=dict)
    entered: tuple[Entered, ...] = ()

    @property
    def detectable(self) -> Any:
        """The smallest differences that could have been detected, a `Detectable`; None if not asked for."""
        return _of_class(self.supplements.get("detectable"))

    @property
    def influence(self) -> Any:
        """Influential units, an `Influence`; None if not asked for."""
        return _of_class(self.supplements.get("influence"))

    def to_json(self) -> str:
        """Return canonical JSON: the text of ``evaluation.json``."""
        return canonical_json(
            {
                "format": FORMAT,
                "profile": self.profile,
                "title": self.title,
                "primary": self.primary,
                "metrics": self.metrics,
                "higher_is_better": self.higher_is_better,
                "higher_in_tasks": self.higher_in_tasks,
                "signature": {**plain_values(self.signature), "text": self.signature.text},
                "submissions": [{**plain_values(s), "winner": s.winner} for s in self.submissions],
                "comparisons": self.comparisons,
                "tasks": self.tasks,
                **({"task_order": list(self.tasks)} if len(self.tasks) > 1 else {}),
                "dropped": self.dropped,
                "warnings": self.warnings,
                **{key: value for key in _WHERE_THERE_IS if (value := getattr(self, key))},
                **_by_key(self.supplements, EVALUATION_KEYS),
            }
        )
