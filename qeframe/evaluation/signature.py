"""The signature of an evaluation: everything that its numbers depend on."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from qeframe.components.registry import Registry
from qeframe.evaluation.result import Signature
from qeframe.profiles.schema import RULE_KEYS, Profile
from qeframe.tasks.task import Task

__all__ = ["make_signature"]


def make_signature(profile: Profile, tasks: Sequence[Task], seed: int, registry: Registry) -> Signature:
    """Return the signature of an evaluation of tasks by a profile, with a seed and the plugins of a registry."""
    return Signature(
        qeframe=version("qeframe"),
        versions={**{name: version(name) for name in ("numpy", "scipy")}, **_programs(tasks)},
        plugins={p.origin.plugin: f"{p.origin.distribution} {p.origin.version}".strip() for p in registry.plugins},
        blocked=registry.blocked,
        rules={"name": profile.name, **{key: getattr(profile, key) for key in RULE_KEYS}},
        changed=dict(profile.changed),
        seed=seed,
        units={task.name: f"{task.units} x {task.unit}" for task in tasks},
        inputs=tuple(dict.fromkeys(file for task in tasks for file in task.inputs)),
    )


def _programs(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the versions of the programs that computed scores, by submission; all versions if tasks differ."""
    versions: dict[str, list[str]] = {}
    for task in tasks:
        for name, program in task.versions.items():
            versions.setdefault(name, []).append(program)
    return {name: "; ".join(dict.fromkeys(programs)) for name, programs in versions.items()}
