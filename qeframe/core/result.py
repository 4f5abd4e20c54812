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

from qeframe.core.display import Brief, Drawn, Shown, canonical_json, plain_details, plain_values
from qeframe.core.findings import Comparison, Detectable, Entered, Influence
from qeframe.core.significance import Sided
from qeframe.core.task import Dropped, Input, LeftOut, SubmissionKind


@frozen(kw_only=True, repr=False)
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

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> result = evaluation.submissions[0].scores["pearson"]
    >>> round(result.value, 3)
    0.983
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    details: Mapping[str, Any] = field(factory=dict, converter=plain_details)
    tasks: Mapping[str, Result] = field(factory=dict)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits a score that `score` returned: ``warnings`` of its details; an evaluation has its own."""
        return tuple(self.details.get("warnings", ()))


@frozen(kw_only=True, repr=False)
class ScoredSubmission(Brief):
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
        By the ranking rule: 1 for its winners. None if nothing was tested or the score is undefined.
    rank_shares : tuple of float
        The share of the bootstrap draws in which the submission has rank 1, 2, ...; empty without draws.
    rank_set : (int, int) or None
        The first and the last rank that the submission can have if all significant differences are true. The sets of
        all submissions hold together with confidence 1 - alpha where the test and its correction hold: those of the
        profile, or the `valid_rules` of the evaluation. None without a score, a rival, or a controlled family.
    rank_range : (int, int) or None
        The first and the last rank by the ranking rule; they need not hold with any confidence. None for a rule without
        ranges, or if nothing was tested.
    stated : mapping of str to (mapping of str to float)
        By task, the numbers that the submission states about itself, such as its size in bytes.
    absent : tuple of str
        The tasks that it took no part in, while others took part in all: it is then listed apart over all tasks.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> best = evaluation.submissions[0]
    >>> best.name, best.rank, sorted(best.scores)
    ('good', 1, ['mae', 'pearson', 'rmse', 'spearman'])
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
        values = {a.name: plain_values(getattr(self, a.name)) for a in attrs.fields(ScoredSubmission)}
        return {name: value for name, value in values.items() if name != "absent" or value}

    @property
    def winner(self) -> bool:
        """Whether the submission is an official winner: by the ranking rule."""
        return self.cluster == 1

    @property
    def may_be_best(self) -> bool | None:
        """Whether no one is significantly better, so that the rank set has rank 1; None without a rank set."""
        return None if self.rank_set is None else self.rank_set[0] == 1


@frozen(kw_only=True, repr=False)
class ValidRules(Brief):
    """The rules of the rank sets where those of the profile do not control the chance of any false claim.

    `test`, `sided`, `correction`: what the setting ``test=valid`` makes the rules of the profile.
    """

    test: str
    sided: Sided
    correction: str


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

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> evaluation.signature.seed, evaluation.signature.changed
    (0, {'test': '', 'interval': ''})
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
        return f"<Signature {self.text[:80]}...>"


def _stated(rules: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    """Return the rules with these keys, each as "key:value"; empty lists and tables are left out."""
    values = {key: rules[key] for key in keys if rules.get(key, {}) not in ({}, [])}
    for key, value in values.items():
        items = [f"{name}={weight:g}" for name, weight in value.items()] if isinstance(value, Mapping) else value
        values[key] = ",".join(items) if isinstance(items, list) else items
    return [f"{key}:{value}" for key, value in values.items()]


FORMAT = 1
"""The version of ``evaluation.json``: a key that goes or gets another meaning raises it, a new key does not."""
_WHERE_THERE_IS = (
    *("unconfirmed", "parts", "valid_rules", "detectable", "influence", "supplements", "left_out"),
    *("files", "shares", "entered"),
)


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
    valid_rules : ValidRules or None
        The rules of the rank sets, where those of the profile control no error.
    detectable : Detectable or None
        The smallest differences that could have been detected; None if not asked for.
    influence : Influence or None
        Influential units; None if not asked for.
    supplements : mapping of str to values of JSON
        What functions found that the profile names.
    left_out : tuple of LeftOut
        The submissions that were left out because the organizer or a rule asked for it.
    files : mapping of str to tuple of str
        By submission, the paths of its files among the inputs, where they are known.
    shares : mapping of str to float
        By task, its share of the aggregate over several tasks; the shares sum to 1. Those of parts are their weights.
    entered : tuple of Entered
        The places of the submissions that the user entered, each alone.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> evaluation.submissions[0].name, evaluation.primary
    ('good', 'pearson')
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
    valid_rules: ValidRules | None = None
    detectable: Detectable | None = None
    influence: Influence | None = None
    supplements: Mapping[str, Any] = field(factory=dict, converter=plain_details)
    left_out: tuple[LeftOut, ...] = ()
    files: Mapping[str, tuple[str, ...]] = field(factory=dict)
    shares: Mapping[str, float] = field(factory=dict)
    entered: tuple[Entered, ...] = ()

    def to_json(self) -> str:
        """Return canonical JSON: the text of ``evaluation.json``."""
        values = {a.name: getattr(self, a.name) for a in attrs.fields(Evaluation)}
        values = {key: value for key, value in values.items() if value or key not in _WHERE_THERE_IS}
        order = {"task_order": list(self.tasks)} if len(self.tasks) > 1 else {}
        signature = {**plain_values(self.signature), "text": self.signature.text}
        submissions = [{**plain_values(s), "may_be_best": s.may_be_best, "winner": s.winner} for s in self.submissions]
        more = {"format": FORMAT, "signature": signature, "submissions": submissions, **order}
        return canonical_json(values | more)
