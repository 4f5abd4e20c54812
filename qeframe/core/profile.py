"""The rules of a shared task: their keys, what the values are, and how a profile is written."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any, Literal

import attrs
from attrs import field, frozen

from qeframe.core.batch import Best
from qeframe.core.calls import format_call
from qeframe.core.display import Brief
from qeframe.core.task import MissingPolicy

Certainty = Literal["read", "inferred", "unconfirmed", "chosen"]
"""How certain a rule is: read in the named source; inferred from a script or a data file; stated from general knowledge
and not confirmed; or chosen by the author of the profile, because the shared task states no rule."""

Partial = Literal["apart", "last", "mean_of_own"]
"""What submissions to some of several tasks have over all of them."""

CERTAINTIES: tuple[Certainty, ...] = typing.get_args(Certainty)


DEFAULT = "default"
"""The value of a rule that qeframe chooses by the metric and by the test: see `qeframe.core.profile_checks`."""

OVERALL = "overall"
"""What a profile with parts has in the place of a primary metric: the score over all of them."""

VALID = "valid"
"""The value of `test` that makes the rules in `Profile.valid` those of the profile."""


@frozen(kw_only=True, repr=False)
class Provenance(Brief):
    """The origin of a rule, and how certain it is.

    Examples
    --------
    >>> import qeframe
    >>> qeframe.choose_profile("wmt22_qe_sentence").provenance["primary"].certainty
    'read'
    """

    certainty: Certainty = "read"
    source: str = ""
    note: str = ""


@frozen(kw_only=True)
class PartRule:
    """A part of a task set, or one for each language pair.

    Parameters
    ----------
    metric : str
        With its parameters.
    read : mapping
        Parameters of the reader that replace those of the profile.
    reader : str
        The reader of the part, with its parameters; empty for that of the profile.
    folder : str
        The folder in PATH that it reads; empty for PATH.
    level : str
        A description: "system", "segment".
    pairs : tuple of str
        The language pairs; empty for all that there are.
    pool : bool
        Whether all language pairs are one part together.
    weight : float or "pairs"
        pairs: the number of language pairs in the part.
    scale : (float, float), optional
        The worst and the best score; None: those of the metric.
    test : str, optional
        The test of the part; None: that of the profile.
    labels : mapping of str to str
        What tells the part from others: metric, level, and the parameters of metric and reader. Language pairs are
        not among them.
    table : int
        The number of its table among those of the profile, from 1.
    """

    metric: str
    read: Mapping[str, Any] = field(factory=dict)
    reader: str = ""
    folder: str = ""
    level: str = ""
    pairs: tuple[str, ...] = ()
    pool: bool = False
    weight: float | Literal["pairs"] = 1.0
    scale: tuple[float, float] | None = None
    test: str | None = None
    labels: Mapping[str, str] = field(factory=dict)
    table: int = field(default=0, eq=False)

    @property
    def selection(self) -> str:
        """Folder, reader and its parameters as text: equal for parts that are computed from one reading."""
        return ", ".join(filter(None, (self.folder, self.reader, selection_of(self.read))))


def selection_of(read: Mapping[str, Any]) -> str:
    """Return parameters of a reader as text, in the order of their names; empty without parameters."""
    return format_call("", dict(sorted(read.items())))[1:-1]


@frozen(kw_only=True, repr=False)
class Profile:
    """The rules of one shared task.

    Parameters
    ----------
    name, title, year, level, gold
        A description of the profile; `gold` describes the gold values in words.
    best : {"low", "high"}
        Which end of the gold scale is good.
    reader : str
        The `Reader` of the task's files, with its parameters.
    missing : {"error", "score_as_worst", "drop_for_all"}
        The treatment of units that are missing from a submission.
    baselines : list of str
        Names of the organizers' own submissions.
    computed : list of str
        Metrics on texts that are added as baselines under their own names, in tasks whose reader finds texts.
    primary, secondary : str, list of str
        The metric that ranks the submissions, and the metrics that are reported beside it.
    within, across : str
        The `Aggregation` over groups of units, and over tasks (language pairs).
    weights : table of numbers
        Weights of tasks, for an `across` that uses them. Tables have the tasks in the order of the weights.
    task_order : list of str
        The order of tasks in all tables. Tasks that it does not name follow, in the order of the weights, then of the
        files.
    partial : {"apart", "last", "mean_of_own"}
        What a submission to some tasks has over all of them. apart: no rank, it is listed below the ranking. last: the
        rank after all others. mean_of_own: the aggregate of its own tasks, with the rank that it would take alone. In
        no case does it change the rank, the rank set or the cluster of another submission over all tasks, or is it
        compared there; in its own tasks it is one of the family.
    columns : list of str
        The columns of a result page whose ranks are averaged in each task: metrics of the profile, and numbers that
        submissions state about themselves, of which lower ones are better. Empty: there is no such average.
    across_columns : str
        The `Aggregation` over these columns; its name is the name of the average.
    resample : str
        What is resampled and exchanged: "unit", the unit's own name, or a grouping such as "document".
    interval, confidence : str, float
        The `SignificanceTest` whose intervals are shown (empty: none) and their confidence level. "default": the
        jackknife for scores that are smooth in the weights of units, the bootstrap for the others.
    test, sided, correction, alpha, strict
        The test of the primary metric over all pairs (empty: none), its sidedness ("" as the test prefers), the
        correction of the family of p-values, and the threshold: p < alpha if strict, else p <= alpha. "default" as test
        and as correction: see `qeframe.core.profile_checks`.
    ranking : str
        The `RankingRule`.
    valid : table
        `test` and `correction` by which a result also shows clusters, two-sided, where the rules of the profile control
        no error ("default" without them), and `shown`: false shows none, where they take minutes. The setting
        ``test=valid`` makes them the rules.
    supplements : list of str
        What every evaluation by this profile computes besides: ``wmt26_rankings``, with its parameters.
    parts : array of tables
        The parts of a task set: see `qeframe.core.profile_tables`. A profile with parts has no metrics, aggregations
        and weights of tasks of its own; its `primary` is "overall".
    overall : {"mean", "cluster_ranks"}
        What the parts have in common: the weighted mean of their scaled scores, or of their cluster ranks.
    divide : list of str
        What the weight 1 is divided by, one level after the other, equally at each: labels of parts such as "pair" and
        "metric". Empty: the parts state their weights.
    exchanges : {"joint", "official"}
        Whether parts of one language pair that exchange the same cells are tested by the same draws, or every part by
        draws of its own and as its table `official` says.
    source : str
        Where the rules were read, unless `provenance` names another source.
    provenance : mapping of str to Provenance
        The origin of each key that a file states, and of further keys that a file explains without stating them.
    stated : set of str
        The keys that the file, or a profile that it extends, states. The other keys have qeframe's defaults.
    changed : mapping of str to str
        The settings that changed the profile for one run: keys and values as given.
    adjusted : set of str
        The keys whose component has a parameter that a setting changed for one run.
    own : set of str
        The keys that a file of the user states, not one of an installed distribution.
    file : str
        This file of the user, for messages; empty if there is none.

    Examples
    --------
    >>> import qeframe
    >>> profile = qeframe.choose_profile("wmt22_qe_sentence")
    >>> profile.primary, profile.secondary
    ('spearman', ('pearson', 'mae', 'rmse'))
    """

    name: str = ""
    title: str = ""
    year: int = 0
    level: str = ""
    gold: str = ""
    best: Best = "low"
    reader: str
    missing: MissingPolicy = "error"
    baselines: tuple[str, ...] = ()
    computed: tuple[str, ...] = ()
    primary: str
    secondary: tuple[str, ...] = ()
    within: str = "micro"
    across: str = "mean"
    weights: Mapping[str, float] = field(factory=dict)
    task_order: tuple[str, ...] = ()
    partial: Partial = "apart"
    columns: tuple[str, ...] = ()
    across_columns: str = "average_rank"
    resample: str = "unit"
    interval: str = DEFAULT
    confidence: float = 0.95
    test: str = DEFAULT
    sided: Literal["", "one", "two"] = ""
    correction: str = DEFAULT
    alpha: float = 0.05
    strict: bool = True
    ranking: str = "not_worse_than_best"
    valid: Mapping[str, Any] = field(factory=dict)
    supplements: tuple[str, ...] = ()
    parts: tuple[Mapping[str, Any], ...] = ()
    overall: Literal["mean", "cluster_ranks"] = "mean"
    divide: tuple[str, ...] = ()
    exchanges: Literal["joint", "official"] = "joint"
    source: str = ""
    provenance: Mapping[str, Provenance] = field(factory=dict)
    stated: frozenset[str] = frozenset()
    changed: Mapping[str, str] = field(factory=dict)
    adjusted: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    file: str = field(default="", eq=False, repr=False)

    def __repr__(self) -> str:
        return f"<Profile {self.name}: {self.title}>"

    @property
    def rules(self) -> dict[str, Any]:
        """The values of all keys that state a rule or describe the profile."""
        supplements = {SUPPLEMENTS: self.supplements} if self.supplements else {}  # they change no score
        return {**{key: getattr(self, key) for key in RULE_KEYS}, **supplements}

    @property
    def metrics(self) -> tuple[str, ...]:
        """The primary metric, then the secondary ones."""
        return (self.primary, *self.secondary)

    def set_by_user(self, key: str) -> bool:
        """Return whether the user set a rule: for this run, in a file, or in a profile that was made in Python."""
        return key in self.changed or key in self.adjusted or key in self.own or not self.stated

    def file_of(self, key: str) -> str | None:
        """Return the file of the user that states a rule, None if no file does or the rule was changed for this run."""
        for_this_run = key in self.changed or key in self.adjusted
        return self.file if self.file and key in self.own and not for_this_run else None

    def certainty(self, key: str) -> Provenance:
        """Return the provenance of one rule."""
        if key in self.changed or key in self.adjusted:
            return Provenance(certainty="chosen", source="changed for this run")
        return self.provenance.get(key, _DEFAULT)

    @property
    def unconfirmed(self) -> tuple[str, ...]:
        """The keys of the rules that no source confirms; without a test, not those that describe it."""
        idle = frozenset[str]() if self.test or self.parts else _OF_TESTS
        return tuple(key for key in self.rules if key not in idle and self.certainty(key).certainty == "unconfirmed")


_DEFAULT = Provenance(certainty="chosen", source="qeframe's default")

_OF_TESTS = frozenset({"sided", "correction", "alpha", "strict", "ranking"})
"""The keys that have no effect without a test."""

SUPPLEMENTS = "supplements"
_NO_RULES = frozenset({"stated", "changed", "adjusted", "own", "file", "provenance", "name", SUPPLEMENTS})
RULE_KEYS = tuple(f.name for f in attrs.fields(Profile) if f.name not in _NO_RULES)
"""The keys of a profile that state a rule or describe it."""

KNOWN_KEYS = frozenset({*RULE_KEYS, SUPPLEMENTS, "provenance"})
"""What the table of a file may have."""
REQUIRED_KEYS = tuple(f.name for f in attrs.fields(Profile) if f.default is attrs.NOTHING)
"""The keys without a default."""


def as_profile(values: Mapping[str, Any]) -> Profile:
    """Return the profile with these values of TOML, whose types were checked; lists become tuples."""
    return Profile(**{key: _converted(key, value) for key, value in values.items() if key in {*RULE_KEYS, SUPPLEMENTS}})


def _converted(key: str, value: Any) -> Any:
    if key in ("confidence", "alpha"):
        return float(value)
    if key == "weights":
        return {task: float(weight) for task, weight in value.items()}
    return tuple(value) if isinstance(value, list) else value


RESOLVED = "resolved"
"""The table of a written profile that says what it was before: its name, and what the user and settings changed."""


def as_it_was(profile: Profile, facts: Mapping[str, Any]) -> Profile:
    """Return a profile that was read from such a file with the name and the history that it had."""
    return attrs.evolve(
        profile,
        name=facts.get("name", profile.name),
        changed=dict(facts.get("changed", {})),
        adjusted=frozenset(facts.get("adjusted", ())),
        own=frozenset(facts.get("own", ())),
        stated=frozenset(facts.get("stated", profile.stated)),
    )
