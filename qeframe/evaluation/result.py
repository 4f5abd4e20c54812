"""The result of an evaluation: frozen values, and their canonical JSON.

The JSON has sorted keys, undefined numbers as null, no time stamp and no absolute path. Equal inputs, rules, plugins
and seeds therefore give equal bytes on one machine.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from qeframe.components.significance import Sided
from qeframe.tasks.task import Dropped, Input, SubmissionKind

__all__ = ["Comparison", "Evaluation", "Result", "ScoredSubmission", "Signature", "canonical_json"]


@frozen(kw_only=True)
class Result:
    """One score of a submission, with its interval.

    Parameters
    ----------
    value : float
        NaN if undefined.
    low, high : float
        The ends of the interval; NaN without one.
    details : mapping
        Other values that the metric reports, and the explanation of a primary score.
    tasks : mapping of str to Result
        For an aggregate over several tasks: the result of each task.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    details: Mapping[str, Any] = field(factory=dict)
    tasks: Mapping[str, Result] = field(factory=dict)


@frozen(kw_only=True)
class ScoredSubmission:
    """One submission: its scores, and its rank under the primary metric.

    Parameters
    ----------
    name : str
    kind : {"real", "baseline", "attack"}
    scores : mapping of str to Result
        By metric.
    rank : int
        From 1 by score. Equal scores share a rank; undefined scores are last.
    cluster : int or None
        1 for the winners. None if nothing was tested or the score is undefined.
    rank_shares : tuple of float
        The share of the bootstrap draws in which the submission has rank 1, 2, ...; empty without draws.
    """

    name: str
    kind: SubmissionKind
    scores: Mapping[str, Result]
    rank: int
    cluster: int | None = None
    rank_shares: tuple[float, ...] = ()

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
        The name of the profile, and all of its rules.
    changed : mapping of str to str
        Rules that were changed by settings.
    seed : int
    units : mapping of str to str
        By task, the number and kind of its units.
    inputs : tuple of Input
        The files that were read, with their digests.
    """

    qeframe: str
    versions: Mapping[str, str]
    plugins: Mapping[str, str]
    blocked: tuple[str, ...]
    rules: Mapping[str, Any]
    changed: Mapping[str, str]
    seed: int
    units: Mapping[str, str]
    inputs: tuple[Input, ...]

    @property
    def text(self) -> str:
        """The signature as one line, for the foot of a table."""
        rules = self.rules
        parts = [f"qeframe:{self.qeframe}", f"profile:{rules['name']}"]
        parts += [f"{key}:{rules[key]}" for key in ("primary", "test", "correction", "ranking", "resample")]
        parts += [f"set:{key}={value}" for key, value in self.changed.items()]
        parts += [f"blocked:{','.join(self.blocked)}"] if self.blocked else []
        return "|".join([*parts, f"seed:{self.seed}"])


@frozen(kw_only=True)
class Evaluation:
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

    def to_json(self) -> str:
        """Return canonical JSON: the text of ``evaluation.json``."""
        return canonical_json(
            {
                "profile": self.profile,
                "title": self.title,
                "primary": self.primary,
                "metrics": self.metrics,
                "higher_is_better": self.higher_is_better,
                "higher_in_tasks": self.higher_in_tasks,
                "signature": {**_plain(self.signature), "text": self.signature.text},
                "submissions": [{**_plain(s), "winner": s.winner} for s in self.submissions],
                "comparisons": self.comparisons,
                "tasks": self.tasks,
                "dropped": self.dropped,
                "warnings": self.warnings,
            }
        )


def _plain(value: Any) -> Any:
    """Return frozen values, arrays and NaN as values of JSON."""
    if hasattr(value, "__attrs_attrs__"):
        return {a.name.lstrip("_"): _plain(getattr(value, a.name)) for a in value.__attrs_attrs__}
    match value:
        case Mapping():
            return {str(k): _plain(v) for k, v in value.items()}
        case float():
            return value if math.isfinite(value) else None
        case str() | bool() | int() | None:
            return value
        case frozenset() | set():
            return sorted(map(_plain, value))
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return [_plain(item) for item in value]


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys and an indent of two spaces; undefined and infinite numbers are null."""
    return json.dumps(_plain(value), sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
