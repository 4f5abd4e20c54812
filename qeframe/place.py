"""From a profile's name and a place on disk to rules and tasks: the only steps of a run that read files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qeframe.components import Reader
from qeframe.errors import DataError
from qeframe.files import read_text_lines
from qeframe.profile import Profile, find_profile, profile_from_toml
from qeframe.registry import Registry
from qeframe.task import Task, align
from qeframe.what_if import change_profile

__all__ = ["choose_rules", "read_tasks"]


def choose_rules(profile: str, settings: Sequence[str], registry: Registry) -> Profile:
    """Return the rules of a registered profile or of a TOML file, with settings ``KEY=VALUE`` changed.

    Raises
    ------
    UnknownNameError, ProfileError, DataError
        If there is no such profile, or its rules do not hold together.
    """
    if profile.endswith(".toml"):
        text = "\n".join(read_text_lines(Path(profile)).lines)
        rules = profile_from_toml(text, profile, Path(profile).stem, registry)
    else:
        rules = find_profile(profile, registry)
    return change_profile(rules, settings, registry)


def read_tasks(rules: Profile, path: Path, registry: Registry) -> list[Task]:
    """Read and align the tasks in a place by a profile's reader and policy for missing units.

    Raises
    ------
    DataError
        If a file cannot be used.
    """
    if not path.exists():
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    readings = registry.get(Reader, rules.reader).read(path, rules.best)
    return [align(reading, missing=rules.missing, baselines=rules.baselines) for reading in readings]
