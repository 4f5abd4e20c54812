"""The signature of an evaluation: all that made it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from qeframe.components.registry import Registry
from qeframe.evaluation.result import Signature
from qeframe.profiles.schema import RULE_KEYS, Profile
from qeframe.tasks.task import Task

__all__ = ["sign"]


def sign(rules: Profile, tasks: Sequence[Task], seed: int, registry: Registry) -> Signature:
    """Return the signature of an evaluation of tasks by rules."""
    return Signature(
        qeframe=version("qeframe"),
        versions={**{name: version(name) for name in ("numpy", "scipy")}, **_programs(tasks)},
        plugins={p.origin.plugin: f"{p.origin.distribution} {p.origin.version}".strip() for p in registry.plugins},
        blocked=registry.blocked,
        rules={"name": rules.name, **{key: getattr(rules, key) for key in RULE_KEYS}},
        changed=dict(rules.changed),
        seed=seed,
        units={task.name: f"{task.units} x {task.unit}" for task in tasks},
        inputs=tuple(dict.fromkeys(file for task in tasks for file in task.inputs)),
    )


def _programs(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the versions of programs that answered, by submission: all of them where tasks differ."""
    told: dict[str, list[str]] = {}
    for task in tasks:
        for name, words in task.versions.items():
            told.setdefault(name, []).append(words)
    return {name: "; ".join(dict.fromkeys(words)) for name, words in told.items()}
