"""From a profile's name and a place on disk to rules, tasks and an evaluation: the steps of a run that read files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path

from qeframe.components import Metric, Reader
from qeframe.computed import with_computed
from qeframe.errors import DataError
from qeframe.evaluation import Evaluation
from qeframe.evaluator import evaluate as evaluate_tasks
from qeframe.files import read_text_lines
from qeframe.parallel import Runner
from qeframe.profile import Profile, find_profile, profile_from_toml
from qeframe.registry import Registry, load
from qeframe.task import Task, align, check_task_names
from qeframe.what_if import change_profile

__all__ = ["choose_rules", "evaluate", "read_tasks"]

Place = str | PathLike[str]


def evaluate(
    profile: Place | Profile,
    task: Place | Task | Sequence[Task],
    *,
    settings: Sequence[str] = (),
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
) -> Evaluation:
    """Evaluate all submissions of a shared task by the rules of a profile.

    Parameters
    ----------
    profile : str, path or Profile
        A registered name, the path of a TOML file, or a profile made by hand.
    task : path, Task, or sequence of Task
        Where the files are that the profile's reader expects; or tasks that were read (`read_tasks`) or made by hand.
        Several tasks (language pairs) are evaluated apart and combined.
    settings : sequence of str
        Rules that are changed, ``KEY=VALUE`` each, as by ``--set``.
    seed : int
        Equal seeds give equal evaluations, whatever the number of workers.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Where blocks of draws are computed, and who is told of the progress.

    Returns
    -------
    Evaluation
        Attacks among the submissions are scored and given the rank that each would have taken by itself; they do not
        change the ranks, comparisons and clusters of the others, nor each other's.

    Raises
    ------
    UnknownNameError, ProfileError
        If there is no such profile, or its rules do not hold together.
    DataError, CapabilityError
        If a file or a value cannot be used, or the rules do not fit the task.
    """
    known = registry or load()
    rules = choose_rules(profile, settings, known)
    if isinstance(task, (str, PathLike)):
        tasks = read_tasks(rules, task, known, runner=runner)
    else:
        tasks = [task] if isinstance(task, Task) else _tasks(task)
    return evaluate_tasks(rules, tasks, seed=seed, registry=known, runner=runner)


def _tasks(given: object) -> list[Task]:
    if isinstance(given, Iterable):
        tasks = list(given)
        wrong = next((each for each in tasks if not isinstance(each, Task)), None)
        if wrong is None:
            return tasks
        given = wrong
    remedy = "give the path of a folder or file, a Task, or a list of Tasks"
    raise DataError(f"a task is no {type(given).__name__}", remedy=remedy)


def choose_rules(profile: Place | Profile, settings: Sequence[str], registry: Registry) -> Profile:
    """Return the rules of a registered profile or of a TOML file, with settings ``KEY=VALUE`` changed.

    Parameters
    ----------
    profile : str, path or Profile
        A registered name, the path of a file that ends in ``.toml``, or a profile to be changed.
    settings : sequence of str
        Each ``KEY=VALUE``: a key of the profile, or a parameter of its primary metric.

    Raises
    ------
    UnknownNameError, ProfileError, DataError
        If there is no such profile, or its rules do not hold together.
    """
    if isinstance(settings, str):
        raise DataError(f"the settings are the word '{settings}'", remedy="give a list of KEY=VALUE")
    if isinstance(profile, Profile):
        return change_profile(profile, settings, registry)
    if isinstance(profile, PathLike):
        profile = str(profile)
    if not isinstance(profile, str):
        raise DataError(f"a profile is no {type(profile).__name__}", remedy="give a name, a .toml file, or a Profile")
    if profile.endswith(".toml"):
        text = "\n".join(read_text_lines(Path(profile)).lines)
        rules = profile_from_toml(text, profile, Path(profile).stem, registry)
    else:
        rules = find_profile(profile, registry)
    return change_profile(rules, settings, registry)


def read_tasks(rules: Profile, path: Place, registry: Registry, *, runner: Runner | None = None) -> list[Task]:
    """Read and align the tasks in a place by a profile's reader and policy for missing units.

    The metrics that the profile computes from texts are submissions of the kind "baseline", in tasks that have texts;
    `runner` is told of the progress.

    Raises
    ------
    DataError
        If a file cannot be used, two tasks have one name, or a metric to be computed needs a package that is not there.
    """
    path = Path(path)
    if not path.exists():
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    readings = registry.get(Reader, rules.reader).read(path, rules.best)
    computed = [registry.get(Metric, name) for name in dict.fromkeys(rules.computed)]
    baselines = (*rules.baselines, *(metric.name for metric in computed))
    tasks = [
        align(with_computed(reading, computed, runner), missing=rules.missing, baselines=baselines)
        for reading in readings
    ]
    check_task_names(tasks)
    return tasks
