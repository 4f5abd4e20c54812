"""The signature of an evaluation: everything that its numbers depend on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import version

from qeframe.core.components.loading.registry import Registry
from qeframe.core.evaluation.canonical_json import canonical_json
from qeframe.core.evaluation.result import Signature
from qeframe.core.profiles.resolved import ResolvedProfile
from qeframe.core.tasks.task import Task


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
