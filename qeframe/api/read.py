"""Read profiles and tasks: the steps of an evaluation that open files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batches.base import Best, FloatArray, IntArray
from qeframe.core.batches.ragged import Ragged
from qeframe.core.components.checks import metric as checked
from qeframe.core.components.loading.loader import load
from qeframe.core.components.loading.registry import Registry
from qeframe.core.components.metric import Metric
from qeframe.core.components.reader import Reader
from qeframe.core.errors import DataError, ProfileError, UnknownNameError
from qeframe.core.profiles.absent_names import with_names_in_readings, with_names_of_submissions
from qeframe.core.profiles.load import find_profile, profile_from_toml
from qeframe.core.profiles.overrides import change_profile
from qeframe.core.profiles.resolved import ResolvedProfile, resolve
from qeframe.core.profiles.schema import Profile
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.reading import Reading, TextFiles, UnitValues
from qeframe.core.tasks.task import LeftOut, Task, check_task_names
from qeframe.data.align import align
from qeframe.data.file_bytes import status_of
from qeframe.data.folders import has_file, set_aside, visible
from qeframe.data.one_pass import (
    Mistake,
    SubmittedFile,
    all_at_once,
    in_one_pass,
    mistake_of,
    submitted_file,
    submitted_files,
)
from qeframe.data.reader_checks import read
from qeframe.data.text_lines import read_text_lines
from qeframe.data.translations import SegmentTexts, read_texts
from qeframe.data.validate import validate_submission
from qeframe.kinds.texts.batch import Texts, text_array

_BLOCK = 2048
"""The number of translations that are scored at once."""


def add_computed_metrics(
    reading: Reading,
    metrics: Sequence[Metric],
    runner: Runner | None = None,
    scores: dict[tuple[int, str], FloatArray] | None = None,
) -> Reading:
    """Return the reading with one more submission for each metric, under the name of the metric.

    Parameters
    ----------
    reading : Reading
        Returned unchanged if it has no texts, or if there is no metric.
    metrics : sequence of Metric
        On `Texts`. Scores of which lower is better (TER, WER) are negated, since higher scores of a submission are
        better.
    runner : Runner, optional
        Scores blocks of translations and reports the progress.
    scores : dict, optional
        The scores that were computed of texts before, by the texts' identity and the metric; new ones are added. The
        readings whose texts were scored must live as long as it does.

    Returns
    -------
    Reading
        Its inputs include the files of the texts; its versions include those of the programs that metrics call.

    Raises
    ------
    DataError
        If a file of texts cannot be used, a metric needs a package that is not installed, or a metric has no score for
        a translation.
    """
    texts = reading.texts
    if texts is None or not metrics:
        return reading
    read = read_texts(texts)
    segments, systems = len(read.references[0]), len(texts.systems)
    cells = _all_cells(segments, systems) if texts.whole else _cells(texts)
    size = segments if texts.whole else _BLOCK
    blocks = [_batch(texts, read, cells[start : start + size]) for start in range(0, len(cells), size)]
    known = {} if scores is None else scores
    new = [metric for metric in metrics if (id(texts), metric.name) not in known]
    if new:
        scored = (runner or Runner()).map(partial(_whole_scores if texts.whole else _scores, new), blocks)
        new_scores = np.full((len(new), segments, systems), np.nan)
        new_scores[:, cells[:, 0], cells[:, 1]] = np.concatenate([np.empty((len(new), 0)), *scored], axis=1)
        known |= {(id(texts), metric.name): one for metric, one in zip(new, new_scores, strict=True)}
    table = [known[id(texts), metric.name] for metric in metrics]
    folder = str(texts.references[0].parent)
    return attrs.evolve(
        reading,
        submissions=(
            *reading.submissions,
            *(
                UnitValues(
                    name=metric.name, ids=reading.gold.ids, values=_answers(metric, of_texts, texts), path=folder
                )
                for metric, of_texts in zip(metrics, table, strict=True)
            ),
        ),
        inputs=tuple(dict.fromkeys([*reading.inputs, *read.inputs])),
        versions={**reading.versions, **_versions(metrics, blocks)},
    )


def _cells(texts: TextFiles) -> IntArray:
    """Return the translations that the gold covers, each once: segment from 0, system, (cells, 2) int64."""
    systems = len(texts.systems)
    sides = np.arange(systems)[None, :] if texts.left_right is None else texts.left_right
    cells = np.unique((texts.segments - texts.first)[:, None] * systems + sides)
    return np.stack([cells // systems, cells % systems], axis=1)


def _all_cells(segments: int, systems: int) -> IntArray:
    """Return all translations, system after system: segment from 0, system, (cells, 2) int64."""
    return np.stack([np.tile(np.arange(segments), systems), np.repeat(np.arange(systems), segments)], axis=1)


def _batch(texts: TextFiles, read: SegmentTexts, cells: IntArray) -> Texts:
    """Return a batch of one unit for every translation."""
    translations = [read.systems[name] for name in texts.systems]
    references = text_array([text for row in zip(*read.references, strict=True) for text in row])
    numbers = np.full(len(read.references[0]), len(read.references), dtype=np.int64)
    return Texts(
        ids=np.arange(len(cells)),
        gold=Ragged.from_lengths(references, numbers).take(cells[:, 0]),
        predicted=text_array([translations[system][segment] for segment, system in cells.tolist()]),
    )


def _scores(metrics: Sequence[Metric], block: Texts) -> FloatArray:
    """Return the scores of single translations, (metrics, translations)."""
    return np.stack([checked.unit_scores(metric, block) for metric in metrics])


def _whole_scores(metrics: Sequence[Metric], system: Texts) -> FloatArray:
    """Return the score of a system for each of its translations, (metrics, translations): constant in a row."""
    ones = np.ones(len(system))
    return np.stack([np.full(len(system), checked.bind(metric, system)(ones)) for metric in metrics])


def _answers(metric: Metric, scores: FloatArray, texts: TextFiles) -> FloatArray:
    """Return the answers of a metric to the units of the gold, higher is better, from scores (segments, systems)."""
    answers = texts.answers(scores if metric.higher_is_better else 0.0 - scores)
    if not np.isfinite(answers).all():
        unit = int(np.argwhere(~np.isfinite(answers))[0][0])
        what = f"{metric.name} has no score for a translation of segment {texts.segments[unit]} of {texts.pair}"
        raise DataError(what, path=texts.root, remedy=f"remove {metric.name} from the rule 'computed'")
    return answers


def _versions(metrics: Sequence[Metric], blocks: Sequence[Texts]) -> dict[str, str]:
    """Return the versions of the programs that metrics call: those details that are text, not numbers."""
    details = {m.name: checked.details(m, block) for m in metrics for block in blocks[:1] if m.details is not None}
    versions = {
        name: ", ".join(f"{program} {version}" for program, version in values.items() if isinstance(version, str))
        for name, values in details.items()
    }
    return {name: version for name, version in versions.items() if version}


_NO_READER = "the profile was resolved without its reader; resolve it with reads=True"


@frozen(eq=False)
class SharedReading:
    """What several profiles read of one path: each reader reads once, and each metric is computed once of its texts."""

    _readings: dict[tuple[str, Best], list[Reading]] = field(factory=dict, init=False)
    scores: dict[tuple[int, str], FloatArray] = field(factory=dict, init=False)

    def read(self, reader: Reader, path: Path, best: Best) -> list[Reading]:
        """Return what a reader reads, now or before."""
        key = (reader.name, best)
        if key not in self._readings:
            self._readings[key] = read(reader, path, best)
        return self._readings[key]

    def check(self, profile: Profile, path: str | PathLike[str], registry: Registry) -> None:
        """Raise a `DataError` if a profile cannot read the files, or align what they hold; compute no metric."""
        resolved = resolve(profile, registry)
        for reader in _readers(resolved, Path(path)).values():
            for reading in self.read(reader, Path(path), profile.best):
                align(reading, missing=profile.missing, baselines=profile.baselines)


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
    """
    known = registry or load()
    if isinstance(settings, str):
        raise DataError(f"the settings are the string '{settings}'", remedy="give a list of KEY=VALUE")
    if isinstance(profile, Profile):
        return change_profile(profile, settings, known)
    if isinstance(profile, PathLike):
        profile = str(profile)
    if not isinstance(profile, str):
        what = f"a value of type {type(profile).__name__} is not a profile"
        raise DataError(what, remedy="give a name, a .toml file, or a Profile")
    if _is_file(profile):
        text = "\n".join(read_text_lines(Path(profile), pipe=True).lines)
        chosen = profile_from_toml(text, profile, Path(profile).stem, known)
    else:
        chosen = find_profile(profile, known)
    return change_profile(chosen, settings, known)


@frozen(kw_only=True)
class Chosen:
    """Which submissions of a path are read, by `choose_submissions`.

    Parameters
    ----------
    left_out : tuple of LeftOut
        Who is left out, why and by whom.
    aside : frozenset of Path
        The files and folders that no reader sees.
    names : frozenset of str
        Submissions that are parts of a file which others need too.
    mistakes : tuple of Mistake
        Those of all submissions that were not excluded by name.
    tasks : sequence of Task
        What could be read, without metrics that are computed from texts; empty if nothing was left.
    alone : tuple of str
        The submissions that were read without a gold.
    """

    left_out: tuple[LeftOut, ...] = ()
    aside: frozenset[Path] = frozenset()
    names: frozenset[str] = frozenset()
    mistakes: tuple[Mistake, ...] = ()
    tasks: Sequence[Task] = ()
    alone: tuple[str, ...] = ()

    def kept(self, reading: Reading) -> Reading:
        """Return a reading without the submissions that are left out by name."""
        if not self.names:
            return reading
        kept = tuple(each for each in reading.submissions if each.name not in self.names)
        return attrs.evolve(reading, submissions=kept)


def choose_submissions(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    exclude: Mapping[str, str] | Iterable[str] = (),
) -> Chosen:
    """Read all submissions in one pass, and list every file that cannot be used.

    Parameters
    ----------
    profile : Profile or ResolvedProfile
    path : path
        A file or folder, as the reader expects.
    registry : Registry, optional
        By default all installed plugins.
    exclude : mapping of str to str, or names
        Submissions that are not read, with the reasons. A name is that of the submission, of its file or its folder.

    Returns
    -------
    Chosen
        Leaves out the excluded submissions, and the files with mistakes.

    Raises
    ------
    UnknownNameError
        If nothing has the name that is excluded.
    DataError
        For a mistake outside of the submissions.
    """
    resolved = resolve(profile, registry or load()) if isinstance(profile, Profile) else profile
    root, rules = Path(path), resolved.profile
    form = resolved.reader.submission if resolved.reader is not None else None
    folder = "" if form is None else form.folder
    reasons = dict(exclude) if isinstance(exclude, Mapping) else dict.fromkeys(exclude, "")
    places = submitted_files(root, folder) if reasons and root.is_dir() else []
    aside = {
        each.path: name
        for each in places
        for name in (each.submission, each.path.name, each.path.relative_to(root).as_posix())
        if name in reasons
    }

    def read_all() -> list[tuple[Reading, Task]]:
        once = SharedReading()
        return [
            (reading, align(reading, missing=rules.missing, baselines=rules.baselines))
            for reader in _readers(resolved, root).values()
            for reading in once.read(reader, root, rules.best)
        ]

    found, mistakes = in_one_pass(read_all, root, folder, aside)
    named = {(each.name, each.path) for reading, _ in found or () for each in reading.submissions}
    names = set()
    for name, file in sorted(named):
        if name in reasons:
            place = submitted_file(Path(file), root, folder) if file else None
            if place is None:
                names.add(name)
            else:
                aside[place.path] = name
    unknown = [name for name in reasons if name not in names and name not in aside.values()]
    if unknown:
        known = {name for name, _ in named} | {each.submission for each in mistakes}
        raise UnknownNameError("submission", unknown[0], known)
    left_out = [
        LeftOut(
            submission=name,
            files=tuple(sorted(_below(place, root) for place, of in aside.items() if of == name)),
            reason=reason,
            by="exclude",
        )
        for name, reason in reasons.items()
    ]
    left_out += [
        LeftOut(submission=each.submission, files=(_below(each.place, root),), reason=each.short, by="skip_invalid")
        for each in mistakes
    ]
    return Chosen(
        left_out=tuple(left_out),
        aside=frozenset([*aside, *(each.place for each in mistakes)]),
        names=frozenset(names),
        mistakes=tuple(mistakes),
        tasks=[task for _, task in found or ()],
    )


def validate_folder(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    like: Path | None = None,
) -> Chosen:
    """Check all submissions in a folder: with its gold as an evaluation reads them, without a gold each file alone.

    Parameters
    ----------
    profile : Profile or ResolvedProfile
    path : path
        What an evaluation reads; or a folder of files as participants hand them in, or with such a folder
        ``submissions``.
    registry : Registry, optional
        By default all installed plugins.
    like : Path, optional
        The public input of the task, with which each file alone is compared.

    Raises
    ------
    DataError
        For a mistake outside of the submissions.
    """
    resolved = resolve(profile, registry or load()) if isinstance(profile, Profile) else profile
    root, reader = Path(path), resolved.reader
    if reader is None:
        raise ProfileError(_NO_READER)
    below = root / "submissions" if (root / "submissions").is_dir() else root
    if like is None:
        try:
            return choose_submissions(resolved, path)
        except DataError:
            if reader.submission is None or _may_have_gold(root):
                raise
    mistakes = []
    for file in visible(below):
        try:
            validate_submission(reader, file, like)
        except DataError as error:
            mistakes.append(mistake_of(error, SubmittedFile(submission=file.stem, path=file)))
    return Chosen(
        mistakes=tuple(mistakes),
        alone=tuple(file.stem for file in visible(below) if file not in {each.place for each in mistakes}),
    )


def _may_have_gold(root: Path) -> bool:
    """Return whether a folder holds more than submissions: a gold, or folders of tasks."""
    return any(each.name.startswith("gold") or (each.is_dir() and each.name != "submissions") for each in visible(root))


def leave_out(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    exclude: Mapping[str, str] | Iterable[str] = (),
    skip_invalid: bool = False,
) -> Chosen | None:
    """Return which submissions an evaluation reads; None for all of them.

    Raises
    ------
    UnknownNameError, DataError
        As `choose_submissions`; and if files with mistakes are not to be skipped, or nothing is left without them.
    """
    if not (exclude or skip_invalid):
        return None
    chosen = choose_submissions(profile, path, registry, exclude=exclude)
    if chosen.mistakes and not (skip_invalid and chosen.tasks):
        raise all_at_once(chosen.mistakes)
    return chosen


def _below(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def read_tasks(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    runner: Runner | None = None,
    shared: SharedReading | None = None,
    chosen: Chosen | None = None,
) -> list[Task]:
    """Read the tasks at a path by the reader of a profile, and align their submissions with the gold.

    Metrics that the profile computes from texts become submissions of the kind "baseline", in tasks that have texts.

    Parameters
    ----------
    profile : Profile or ResolvedProfile
        Gives the reader, the policy for missing units and the computed metrics.
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

    Returns
    -------
    list of Task

    Raises
    ------
    ProfileError
        If the rules of the profile contradict each other.
    DataError
        If a file cannot be used, two tasks have one name, or a computed metric needs a package that is not installed.
        A `SubmissionsError` if several files of submissions cannot be used: it lists all of them.
    """
    resolved = resolve(profile, registry or load()) if isinstance(profile, Profile) else profile
    rules, choice = resolved.profile, chosen or Chosen()
    baselines = (*rules.baselines, *(metric.name for metric in resolved.computed))
    try:
        with set_aside(choice.aside):
            tasks = [
                attrs.evolve(
                    align(choice.kept(reading), missing=rules.missing, baselines=baselines), selection=selection
                )
                for selection, reading in _read(resolved, Path(path), runner, shared)
            ]
    except DataError as error:
        mistakes = () if chosen or error.path is None else choose_submissions(resolved, path).mistakes
        if len(mistakes) > 1:
            raise all_at_once(mistakes) from error
        raise
    check_task_names(tasks)
    return with_names_of_submissions(rules, tasks)


def read_readings(
    profile: Profile, path: str | PathLike[str], registry: Registry | None = None, *, runner: Runner | None = None
) -> list[Reading]:
    """Read the tasks at a path as `read_tasks` does, without aligning them.

    Parameters
    ----------
    profile : Profile
    path : str or path
    registry, runner : optional
        As for `read_tasks`.

    Returns
    -------
    list of Reading
        With the computed metrics. A task set reads a task once for each of its selections.
    """
    return [reading for _, reading in _read(resolve(profile, registry or load()), Path(path), runner)]


def _read(
    resolved: ResolvedProfile, path: Path, runner: Runner | None, shared: SharedReading | None = None
) -> Iterator[tuple[str, Reading]]:
    """Read the tasks of every selection and add the computed metrics; yield each with its selection."""
    chosen, once = resolved.profile, shared or SharedReading()
    for selection, reader in _readers(resolved, path).items():
        for reading in with_names_in_readings(chosen, once.read(reader, path, chosen.best), path):
            yield selection, add_computed_metrics(reading, resolved.computed, runner, once.scores)


def _readers(resolved: ResolvedProfile, path: Path) -> Mapping[str, Reader]:
    """Return the reader of each selection, once it is known that there is something to read."""
    if resolved.reader is None:
        raise ProfileError(_NO_READER)
    if not has_file(path):
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    status_of(path, pipe=True)
    return resolved.selections or {"": resolved.reader}


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
