"""The scores of a contest with their intervals, and the signature of what they depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.core import metric_calls as checked
from qeframe.core.batch import FloatArray
from qeframe.core.contest import Contest
from qeframe.core.pair import canonical_json
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile
from qeframe.core.result import Result, Signature
from qeframe.core.significance import MOST_UNDEFINED, SignificanceTest, interval, interval_details
from qeframe.core.task import Task


@frozen(kw_only=True, eq=False)
class Scored:
    """The scores of all submissions of a contest.

    `values`, `low`, `high` (S,): not oriented; NaN where there is no score or no interval.
    `details`: of each score.
    `draws` (B, S): the oriented scores in the draws of the intervals; None without intervals.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray
    details: Sequence[Mapping[str, Any]]
    draws: FloatArray | None

    @property
    def results(self) -> list[Result]:
        """A value for each score."""
        columns = zip(self.values.tolist(), self.low.tolist(), self.high.tolist(), self.details, strict=True)
        return [Result(value=value, low=low, high=high, details=details) for value, low, high, details in columns]


def details_of(contest: Contest) -> list[dict[str, Any]]:
    """Return what the metric reports of each submission of a single task; nothing of a score over several."""
    if not contest.is_single:
        return [{} for _ in contest.oriented]
    (term,) = contest.terms
    return [dict(checked.details(term.metric, batch)) for batch in term.sample.batches]


def undefined_details(score: float, undefined: int, draws: int) -> dict[str, Any]:
    """Return the details of a score that is undefined in some of its draws: of too many there is no interval."""
    if not undefined:
        return {}
    many = undefined > MOST_UNDEFINED * draws and not np.isnan(score)
    why = {"no_interval": f"the score is undefined in {undefined} of {draws} draws"} if many else {}
    return {"undefined_draws": undefined, **why}


def score_contest(
    contest: Contest, test: SignificanceTest | None, confidence: float, details: Sequence[Mapping[str, Any]] = ()
) -> Scored:
    """Return the scores of a contest.

    `test`: gives the intervals; None for none. `details`: of each score, to which those of intervals are added.
    """
    values, ends, draws = contest.sign * contest.oriented, np.full((2, len(contest.oriented)), np.nan), None
    if test is not None and test.interval is not None:
        low, high, draws = interval(test, contest, confidence)
        ends = contest.sign * np.stack([low, high] if contest.sign > 0 else [high, low]) + 0.0  # no zero is -0
        ends[:, np.isnan(values)] = np.nan  # draws can be defined where the score is not
    limits = interval_details(test, contest)
    undefined = np.zeros(len(values)) if draws is None else np.isnan(draws).sum(axis=0)
    total = 0 if draws is None else len(draws)
    lost = [undefined_details(score, int(count), total) for score, count in zip(values, undefined, strict=True)]
    stated = details or [{}] * len(values)
    merged = [{**own, **limit, **more} for own, limit, more in zip(stated, limits, lost, strict=True)]
    return Scored(values=values, low=ends[0], high=ends[1], details=merged, draws=draws)


def make_signature(resolved: ResolvedProfile, tasks: Sequence[Task], seed: int, registry: Registry) -> Signature:
    """Return the signature of an evaluation of tasks by a profile, with a seed and the plugins of a registry.

    Where qeframe chooses a test, an interval or a correction, the rules name the component that was chosen. Tasks that
    were aligned under another rule for missing units than the profile's change this rule.
    """
    profile = resolved.profile
    missing = _missing(profile.missing, tasks)
    rules = {"name": profile.name, **profile.rules, "interval": _intervals(resolved), "missing": missing}
    ordered = [*(task.name for task in tasks), *profile.weights]  # as in all tables
    rules["weights"] = {name: profile.weights[name] for name in ordered if name in profile.weights}
    return Signature(
        qeframe=version("qeframe"),
        versions={**{name: version(name) for name in ("numpy", "scipy")}, **_programs(tasks)},
        plugins={p.origin.plugin: f"{p.origin.distribution} {p.origin.version}".strip() for p in registry.plugins},
        blocked=registry.blocked,
        rules=rules,
        changed={**profile.changed, **({} if missing == profile.missing else {"missing": missing})},
        seed=seed,
        units={_name(task): f"{task.units} x {task.unit}" for task in tasks},
        inputs=tuple(dict.fromkeys(file for task in tasks for file in task.inputs)),
        draws=resolved.draws,
        digest=hashlib.sha256(canonical_json(rules).encode("utf-8", "surrogatepass")).hexdigest()[:12],
    )


def _intervals(resolved: ResolvedProfile) -> str:
    """Return the test of the intervals; where qeframe chooses, with that of the scores that are not smooth."""
    smooth, otherwise = resolved.interval, resolved.interval_otherwise
    if smooth is None or otherwise is None or smooth.name == otherwise.name:
        return resolved.profile.interval
    rough = [metric.name for metric in resolved.metrics if not metric.smooth]
    rough += [] if resolved.across.linear else [resolved.across.name]
    return smooth.name if not rough else f"{smooth.name}; {otherwise.name} of {', '.join(rough)}"


def _missing(stated: str, tasks: Sequence[Task]) -> str:
    """Return the rule for missing units by which the tasks were aligned; if they differ, each with its tasks."""
    rules: dict[str, list[str]] = {}
    for task in tasks:
        rules.setdefault(task.missing or stated, []).append(_name(task))
    if len(rules) < 2:
        return next(iter(rules), stated)
    return "; ".join(f"{rule} of {', '.join(names)}" for rule, names in rules.items())


def _name(task: Task) -> str:
    return f"{task.name} ({task.selection})" if task.selection else task.name


def _programs(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the versions of the programs that computed scores, by submission; all versions if tasks differ."""
    versions: dict[str, list[str]] = {}
    for task in tasks:
        for name, program in task.versions.items():
            versions.setdefault(name, []).append(program)
    return {name: "; ".join(dict.fromkeys(programs)) for name, programs in versions.items()}
