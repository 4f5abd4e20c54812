"""Read profiles and tasks: the steps of an evaluation that open files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import attrs

from qeframe.api.computed import add_computed_metrics
from qeframe.api.entered.entering import Entering
from qeframe.api.overrides import change_profile, check_settings
from qeframe.api.submissions import Chosen, SharedReading, raise_all, readers_of
from qeframe.core.batch import IntArray
from qeframe.core.errors import DataError, did_you_mean
from qeframe.core.loader import load
from qeframe.core.profile import Profile
from qeframe.core.profile_files import find_profile, profile_from_toml
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, refuse_absent, resolve
from qeframe.core.runner import Runner
from qeframe.core.task import Dropped, Task, check_task_names
from qeframe.data.folders import set_aside
from qeframe.data.reading import Reading
from qeframe.data.text_lines import read_text_lines


def names_profile(word: str, registry: Registry) -> bool:
    """Return whether a word is what `choose_profile` takes for a profile: a registered name, or the path of a file.

    Parameters
    ----------
    word : str
    registry : Registry

    Returns
    -------
    bool
    """
    return _is_file(word) or word in registry.profiles


def _is_file(profile: str) -> bool:
    return profile.endswith(".toml")


def choose_profile(
    profile: str | PathLike[str] | Profile, settings: Sequence[str] = (), registry: Registry | None = None
) -> Profile:
    """Return a registered profile or the profile of a TOML file, with rules changed by settings.

    Parameters
    ----------
    profile : str, path or Profile
        A registered name, the path of a file that ends in ``.toml``, or a profile to change.
    settings : sequence of str
        Each is ``KEY=VALUE``; the key is a key of the profile, or a parameter of its primary metric.
    registry : Registry, optional
        By default all installed plugins.

    Returns
    -------
    Profile
        Its attribute `changed` has the rules that settings changed.

    Raises
    ------
    UnknownNameError, ProfileError, DataError
        If there is no such profile, a file or setting cannot be read, or rules contradict each other.

    Examples
    --------
    >>> import qeframe
    >>> qeframe.choose_profile("wmt22_qe_sentence", ["primary=pearson"]).primary
    'pearson'
    """
    loaded = registry or load()
    check_settings(settings)
    if isinstance(profile, Profile):
        return change_profile(profile, settings, loaded)
    if isinstance(profile, PathLike):
        profile = str(profile)
    if not isinstance(profile, str):
        what = f"a value of type {type(profile).__name__} is not a profile"
        raise DataError(what, remedy="give a name, a .toml file, or a Profile")
    if _is_file(profile):
        text = "\n".join(read_text_lines(Path(profile), pipe=True).lines)
        chosen = profile_from_toml(text, profile, Path(profile).stem, loaded)
    else:
        chosen = find_profile(profile, loaded)
    return change_profile(chosen, settings, loaded)


def read_tasks(
    profile: str | PathLike[str] | Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    runner: Runner | None = None,
    shared: SharedReading | None = None,
    chosen: Chosen | None = None,
    enter: Mapping[str, Any] | None = None,
) -> list[Task]:
    """Read the tasks at a path by the reader of a profile, and align their submissions with the gold.

    Metrics that the profile computes from texts become submissions of the kind "baseline", in tasks that have texts.

    Parameters
    ----------
    profile : str, path, Profile or ResolvedProfile
        Gives the reader, the policy for missing units and the computed metrics; a name or a file as in `evaluate`.
    path : path
        A file or folder, as the reader expects.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Runs the computed metrics and reports their progress.
    shared : SharedReading, optional
        What other profiles have read of this path, and will.
    chosen : Chosen, optional
        Which submissions are read; by default all.
    enter : mapping of str to object, optional
        Submissions of the user's own, which become submissions of the kind "entered": see `evaluate`.

    Returns
    -------
    list of Task

    Raises
    ------
    ProfileError
        If the rules of the profile contradict each other.
    DataError
        If a file cannot be used, two tasks have one name, or a computed metric needs a package that is not installed.
        A `SubmissionsError` for several mistakes, in files of submissions or in one file: it lists all of them.

    Examples
    --------
    >>> import qeframe
    >>> import tempfile
    >>> from pathlib import Path
    >>> from qeframe.plugin.readers import Reader
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = qeframe.load().get(Reader, qeframe.choose_profile("qe_sentence").reader).write_example(Path(folder))
    ...     [task] = qeframe.read_tasks("qe_sentence", path)
    >>> task.units
    12
    """
    loaded = registry or load()
    if not isinstance(profile, ResolvedProfile):
        profile = resolve(choose_profile(profile, (), loaded), loaded)
    resolved = profile
    rules, choice = resolved.profile, chosen or Chosen()
    baselines = (*rules.baselines, *(metric.name for metric in resolved.computed))
    readers = list(readers_of(resolved, Path(path)).values())
    entering = Entering.of(enter or {}, loaded, readers)

    def task_of(selection: str, read: Reading) -> tuple[Task, IntArray]:
        task = entering.align(choice.kept(read), rules.missing, baselines)
        return attrs.evolve(task, selection=selection), read.gold.ids

    try:
        with set_aside(choice.aside), entering.in_folders(readers, Path(path)):
            read = [task_of(*files_of_task) for files_of_task in _read(resolved, Path(path), runner, shared)]
        tasks = (
            entering.in_tasks([task for task, _ in read], [ids for _, ids in read]) if enter else [t for t, _ in read]
        )
    except DataError as error:
        if chosen is None:
            raise_all(resolved, path, error)
        raise
    check_task_names(tasks)
    left_out = {exclusion.submission for exclusion in choice.left_out}
    named = attrs.evolve(rules, baselines=tuple(name for name in rules.baselines if name not in left_out))
    return with_names_of_submissions(named, in_task_order(rules, tasks))


def in_task_order(profile: Profile, tasks: Sequence[Task]) -> list[Task]:
    """Return tasks in the order of the profile: that of `task_order`, then of its weights; others as they are.

    Raises DataError if the user set `task_order`, and one of its names is that of no task.
    """
    names = [task.name for task in tasks]
    unknown = [name for name in profile.task_order if name not in names]
    if unknown and profile.set_by_user("task_order"):
        what = f"task_order: there is no task '{unknown[0]}'"
        raise DataError(what, path=profile.file_of("task_order"), remedy=did_you_mean(unknown[0], names))
    order = list(dict.fromkeys([*profile.task_order, *profile.weights, *names]))
    return sorted(tasks, key=lambda task: order.index(task.name))


def read_readings(
    profile: Profile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    runner: Runner | None = None,
    chosen: Chosen | None = None,
) -> list[Reading]:
    """Read the tasks at a path as `read_tasks` does, without aligning them.

    Parameters
    ----------
    profile : Profile
    path : str or path
    registry, runner, chosen : optional
        As for `read_tasks`.

    Returns
    -------
    list of Reading
        With the computed metrics. A task set reads a task once for each of its selections.
    """
    choice, resolved = chosen or Chosen(), resolve(profile, registry or load())
    with set_aside(choice.aside):
        return [choice.kept(reading) for _, reading in _read(resolved, Path(path), runner)]


def _read(
    resolved: ResolvedProfile, path: Path, runner: Runner | None, shared: SharedReading | None = None
) -> Iterator[tuple[str, Reading]]:
    """Read the tasks of every selection and add the computed metrics; yield each with its selection."""
    chosen, once = resolved.profile, shared or SharedReading()
    for selection, reader in readers_of(resolved, path).items():
        for reading in with_names_in_readings(chosen, once.read(reader, path, chosen.best), path):
            yield selection, add_computed_metrics(reading, resolved.computed, runner, once.scores)


def check_answered(tasks: Sequence[Task], path: str | PathLike[str]) -> None:
    """Raise a `DataError` if no task that was read at a path has a submission, or counts of its gold to report."""
    if not any(task.batches or task.counts for task in tasks):
        remedy = "give files of submissions, or texts from which metrics are computed"
        raise DataError("there is no submission to evaluate", path=path, remedy=remedy)


def as_tasks(value: object) -> list[Task]:
    """Return a task, or several, as a list; raise a `DataError` for any other value."""
    if isinstance(value, Task):
        return [value]
    if hasattr(value, "columns") or hasattr(value, "to_frame"):
        what = f"a value of type {type(value).__name__} is not a task"
        raise DataError(what, remedy="make tasks of a data frame with qeframe.tasks_from_frame")
    if isinstance(value, Iterable):
        tasks = list(value)
        wrong = next((item for item in tasks if not isinstance(item, Task)), None)
        if wrong is None:
            return tasks
        value = wrong
    remedy = "give the path of a folder or file, a Task, or a list of Tasks"
    raise DataError(f"a value of type {type(value).__name__} is not a task", remedy=remedy)


def with_names_in_readings(
    profile: Profile, readings: Sequence[Reading], path: str | PathLike[str] | None = None
) -> list[Reading]:
    """Return readings that count the computed metrics without texts, and the reader's names that no reading has.

    `path`: what was read, for messages. Raises DataError if the user set these names: if no reading has texts, or a
    name in the reader's parameters is in none of them.
    """
    counted = [_with_note(reading, _without_texts(profile, reading)) for reading in readings]
    if not readings:
        return counted
    if profile.computed and profile.set_by_user("computed") and all(reading.texts is None for reading in readings):
        what = f"computed: there are no texts from which {', '.join(profile.computed)} could be computed"
        raise DataError(what, path=path, remedy="give the texts of the systems and references, or set computed=[]")
    absent = _absent_everywhere(profile, readings)
    reason = f"named by the profile's reader, in no file: {', '.join(absent)}"
    return [*counted[:-1], _with_note(counted[-1], Dropped("", "name", len(absent), reason))]


def with_names_of_submissions(profile: Profile, tasks: Sequence[Task]) -> list[Task]:
    """Return tasks; the last one counts the baselines that no task has. Raise a `DataError` if the user set them."""
    names = {submission.name for task in tasks for submission in task.batches}
    absent = [name for name in dict.fromkeys(profile.baselines) if name not in names]
    if not (tasks and absent):
        return list(tasks)
    refuse_absent(profile, "baselines", absent, names, "the name of no submission")
    reason = f"listed by the profile but of no submission: {', '.join(absent)}"
    last = tasks[-1]
    note = Dropped("", "baseline name", len(absent), reason)
    return [*tasks[:-1], attrs.evolve(last, dropped=(*last.dropped, note))]


def _absent_everywhere(profile: Profile, readings: Sequence[Reading]) -> list[str]:
    """Return the names in the reader's parameters that no reading has. Raise a `DataError` if the user set them."""
    absent_names: list[str] = []
    for parameter, names in readings[0].unmatched.items():
        absent = [name for name in names if all(name in reading.unmatched.get(parameter, ()) for reading in readings)]
        if absent and profile.set_by_user("reader"):
            present = {name for reading in readings for name in reading.known.get(parameter, ())}
            what = f"{parameter}: '{absent[0]}' is in no file of scores or judgments"
            raise DataError(what, path=profile.file_of("reader"), remedy=did_you_mean(absent[0], present))
        absent_names += absent
    return list(dict.fromkeys(absent_names))


def _without_texts(profile: Profile, reading: Reading) -> Dropped:
    metrics = profile.computed if reading.texts is None else ()
    return Dropped(reading.name, "computed metric", len(metrics), f"no texts: {', '.join(metrics)}")


def _with_note(reading: Reading, note: Dropped) -> Reading:
    return attrs.evolve(reading, dropped=(*reading.dropped, note)) if note.count else reading
