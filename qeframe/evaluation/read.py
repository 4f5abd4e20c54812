"""From the name of a profile and a path to rules and tasks: the steps of an evaluation that read files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from qeframe.components.loader import load
from qeframe.components.registry import Registry
from qeframe.errors import DataError, ProfileError
from qeframe.evaluation.computed import add_computed_metrics
from qeframe.profiles.load import find_profile, profile_from_toml
from qeframe.profiles.overrides import change_profile
from qeframe.profiles.resolved import ResolvedProfile, resolve
from qeframe.profiles.schema import Profile
from qeframe.resampling.parallel import Runner
from qeframe.tasks.align import align
from qeframe.tasks.files import read_text_lines
from qeframe.tasks.task import Task, check_task_names

__all__ = ["as_tasks", "choose_profile", "read_tasks"]


def choose_profile(
    profile: str | PathLike[str] | Profile, settings: Sequence[str] = (), registry: Registry | None = None
) -> Profile:
    """Return the rules of a registered profile or of a TOML file, with settings ``KEY=VALUE`` changed.

    Parameters
    ----------
    profile : str, path or Profile
        A registered name, the path of a file that ends in ``.toml``, or a profile to be changed.
    settings : sequence of str
        Each ``KEY=VALUE``: a key of the profile, or a parameter of its primary metric.
    registry : Registry, optional
        By default all installed plugins.

    Raises
    ------
    UnknownNameError, ProfileError, DataError
        If there is no such profile, or its rules do not hold together.
    """
    known = registry or load()
    if isinstance(settings, str):
        raise DataError(f"the settings are the word '{settings}'", remedy="give a list of KEY=VALUE")
    if isinstance(profile, Profile):
        return change_profile(profile, settings, known)
    if isinstance(profile, PathLike):
        profile = str(profile)
    if not isinstance(profile, str):
        raise DataError(f"a profile is no {type(profile).__name__}", remedy="give a name, a .toml file, or a Profile")
    if profile.endswith(".toml"):
        text = "\n".join(read_text_lines(Path(profile)).lines)
        rules = profile_from_toml(text, profile, Path(profile).stem, known)
    else:
        rules = find_profile(profile, known)
    return change_profile(rules, settings, known)


def read_tasks(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    runner: Runner | None = None,
) -> list[Task]:
    """Read and align the tasks in a place by a profile's reader and policy for missing units.

    The metrics that the profile computes from texts are submissions of the kind "baseline", in tasks that have texts;
    `runner` is told of the progress.

    Raises
    ------
    ProfileError
        If the rules of the profile do not hold together.
    DataError
        If a file cannot be used, two tasks have one name, or a metric to be computed needs a package that is not there.
    """
    resolved = resolve(profile, registry or load()) if isinstance(profile, Profile) else profile
    if resolved.reader is None:
        raise ProfileError("the profile was resolved without its reader; resolve it with reads=True")
    path = Path(path)
    if not path.exists():
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    rules, computed = resolved.profile, resolved.computed
    baselines = (*rules.baselines, *(metric.name for metric in computed))
    tasks = [
        align(add_computed_metrics(reading, computed, runner), missing=rules.missing, baselines=baselines)
        for reading in resolved.reader.read(path, rules.best)
    ]
    check_task_names(tasks)
    return tasks


def as_tasks(given: object) -> list[Task]:
    """Return tasks that were given as one or as several, or say what was given instead."""
    if isinstance(given, Task):
        return [given]
    if isinstance(given, Iterable):
        tasks = list(given)
        wrong = next((each for each in tasks if not isinstance(each, Task)), None)
        if wrong is None:
            return tasks
        given = wrong
    remedy = "give the path of a folder or file, a Task, or a list of Tasks"
    raise DataError(f"a task is no {type(given).__name__}", remedy=remedy)
