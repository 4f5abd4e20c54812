"""The frozen result of a profile on a task, with its signature; canonical JSON.

The JSON has sorted keys, undefined numbers as null, no time stamp and no absolute path: equal inputs, rules, plugins
and seed give equal bytes on one machine.
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
    """One score: its value (NaN if undefined), the ends of its interval, and what else the metric can tell."""

    value: float
    low: float = math.nan
    high: float = math.nan
    details: Mapping[str, Any] = field(factory=dict)
    tasks: Mapping[str, Result] = field(factory=dict)
    """For the aggregate over several tasks: the result of each."""


@frozen(kw_only=True)
class ScoredSubmission:
    """One submission: its scores, and its place under the primary metric.

    Parameters
    ----------
    rank : int
        From 1 by score; equal scores share a rank, undefined ones are last.
    cluster : int or None
        1 for the winners; None where nothing was tested or the score is undefined.
    rank_shares : tuple of float
        The share of bootstrap draws at rank 1, 2, ...; empty without draws.
    """

    name: str
    kind: SubmissionKind
    scores: Mapping[str, Result]
    rank: int
    cluster: int | None = None
    rank_shares: tuple[float, ...] = ()

    @property
    def winner(self) -> bool:
        """Whether the ranking rule counts it among the winners."""
        return self.cluster == 1


@frozen(kw_only=True)
class Comparison:
    """One pair of submissions under one metric.

    Parameters
    ----------
    a, b : str
        The better one by score is `a`.
    metric, task : str
        `task` is empty for all tasks together, be they one or several.
    test, sided : str
        With sided "one", p is for the claim that a is better than b.
    difference : float
        Score of a minus score of b, in the metric's own units: negative where lower is better.
    p, p_adjusted : float
    significant : bool
        Whether the adjusted p is below alpha.
    least_p : float
        The smallest p that the test could have given, on any data: of 4 units whose 16 exchanges are enumerated 1/8,
        two-sided. 0: there is no such bound.
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
    """All that made a result: versions, plugins, rules, seed and inputs."""

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
        """One line to put below a table."""
        rules = self.rules
        parts = [f"qeframe:{self.qeframe}", f"profile:{rules['name']}"]
        parts += [f"{key}:{rules[key]}" for key in ("primary", "test", "correction", "ranking", "resample")]
        parts += [f"set:{key}={value}" for key, value in self.changed.items()]
        parts += [f"blocked:{','.join(self.blocked)}"] if self.blocked else []
        return "|".join([*parts, f"seed:{self.seed}"])


@frozen(kw_only=True)
class Evaluation:
    """A profile's verdict on a task. Submissions are in order of rank."""

    profile: str
    title: str
    primary: str
    metrics: tuple[str, ...]
    higher_is_better: Mapping[str, bool]
    """By metric, of its value over all tasks: an average rank is better when lower."""
    higher_in_tasks: Mapping[str, bool] = field(factory=dict)
    """By metric, of its value in a single task."""
    signature: Signature
    submissions: tuple[ScoredSubmission, ...]
    comparisons: tuple[Comparison, ...]
    tasks: Mapping[str, Mapping[str, int]] = field(factory=dict)
    """By task, in order, also of tasks without submissions: what its reader counted."""
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
    """Turn frozen values, arrays and NaN into what JSON has."""
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
    """Return JSON with sorted keys and two spaces of indent, undefined and infinite numbers as null."""
    return json.dumps(_plain(value), sort_keys=True, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
