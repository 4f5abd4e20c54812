"""The signature of an evaluation: all that made it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

import qeframe
from qeframe.evaluation import Signature
from qeframe.profile import RULES, Profile
from qeframe.registry import Registry
from qeframe.task import Task

__all__ = ["sign"]


def sign(rules: Profile, tasks: Sequence[Task], seed: int, registry: Registry) -> Signature:
    """Return the signature of an evaluation of tasks by rules."""
    return Signature(
        qeframe=qeframe.__version__,
        versions={name: version(name) for name in ("numpy", "scipy")},
        plugins={p.origin.plugin: f"{p.origin.distribution} {p.origin.version}".strip() for p in registry.plugins},
        blocked=registry.blocked,
        rules={"name": rules.name, **{key: getattr(rules, key) for key in RULES}},
        changed=dict(rules.changed),
        seed=seed,
        units={task.name: f"{task.units} x {task.unit}" for task in tasks},
        inputs=tuple(dict.fromkeys(file for task in tasks for file in task.inputs)),
    )
