"""Which submissions of a path are read: all, without those that are excluded or broken; and checks of them alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

import attrs
from attrs import field, frozen

from qeframe.core.batch import Best, FloatArray
from qeframe.core.errors import DataError, ProfileError, UnknownNameError
from qeframe.core.loader import load
from qeframe.core.profile import Profile
from qeframe.core.reader import Reader
from qeframe.core.reading import Reading, Submitted
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.core.task import LeftOut, Task
from qeframe.data.align import align
from qeframe.data.all_mistakes import (
    Mistake,
    SubmittedFile,
    all_at_once,
    files_beside,
    in_one_pass,
    submitted_file,
    submitted_files,
)
from qeframe.data.file_bytes import status_of
from qeframe.data.folders import has_file, set_aside, visible
from qeframe.data.reader_checks import read
from qeframe.data.validate import check_defined, validate_submission

NO_READER = "the profile was resolved without its reader; resolve it with reads=True"


@frozen(eq=False)
class SharedReading:
    """What several profiles read of one path: each reader reads once, and each metric is computed once of its texts."""

    _readings: dict[tuple[str, str, Best], list[Reading]] = field(factory=dict, init=False)
    scores: dict[tuple[int, str], FloatArray] = field(factory=dict, init=False)

    def read(self, reader: Reader, path: Path, best: Best) -> list[Reading]:
        """Return what a reader reads, now or before."""
        key = (reader.name, reader.folder, best)
        if key not in self._readings:
            self._readings[key] = read(reader, path, best)
        return self._readings[key]

    def check(
        self, profile: Profile, path: str | PathLike[str], registry: Registry, chosen: Chosen | None = None
    ) -> None:
        """Raise a `DataError` if a profile cannot read the files, or align what they hold; compute no metric."""
        resolved, choice = resolve(profile, registry), chosen or Chosen()
        try:
            with set_aside(choice.aside):
                readers = readers_of(resolved, Path(path)).values()
                readings = [
                    of_reader for reader in readers for of_reader in self.read(reader, Path(path), profile.best)
                ]
            for reading in map(choice.kept, readings):
                align(reading, missing=profile.missing, baselines=profile.baselines)
        except DataError as error:
            if chosen is None:
                raise_all(resolved, path, error)
            raise


def readers_of(resolved: ResolvedProfile, path: Path) -> Mapping[str, Reader]:
    """Return the reader of each selection, once it is known that there is something to read."""
    if resolved.reader is None:
        raise ProfileError(NO_READER)
    if not has_file(path):
        raise DataError("there is no such file or folder", path=path, remedy="check the path")
    status_of(path, pipe=True)
    return resolved.selections or {"": resolved.reader}


@frozen(kw_only=True)
class Chosen:
    """Which submissions of a path are read, by `choose_submissions`.

    `left_out`: who is left out, why and by whom.
    `aside`: the files and folders that no reader sees.
    `names`: submissions that are parts of a file which others need too.
    `mistakes`: those of all submissions that were not excluded by name.
    `tasks`: what could be read, without metrics that are computed from texts; empty if nothing was left.
    `valid`: the submissions that can be evaluated, by task, or by ``FOLDER/TASK`` where parts have folders of their
      own; of files that were read without a gold by folder.
    """

    left_out: tuple[LeftOut, ...] = ()
    aside: frozenset[Path] = frozenset()
    names: frozenset[str] = frozenset()
    mistakes: tuple[Mistake, ...] = ()
    tasks: Sequence[Task] = ()
    valid: Mapping[str, tuple[str, ...]] = field(factory=dict)

    def kept(self, reading: Reading) -> Reading:
        """Return a reading without the submissions that are left out by name."""
        if not self.names:
            return reading
        kept = tuple(submission for submission in reading.submissions if submission.name not in self.names)
        return attrs.evolve(reading, submissions=kept)


def choose_submissions(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    exclude: Mapping[str, str] | Iterable[str] = (),
) -> Chosen:
    """Read all submissions in one pass, and list every file that cannot be used.

    `path`: a file or folder, as the reader expects.
    `registry`: by default all installed plugins.
    `exclude`: submissions that are not read, with the reasons. A name is that of the submission, of its file or its
      folder.

    Result: leaves out the excluded submissions, and the files with mistakes. Raises UnknownNameError if nothing has the
    name that is excluded. Raises DataError for a mistake outside of the submissions.
    """
    resolved = resolve(profile, registry or load()) if isinstance(profile, Profile) else profile
    root = Path(path)
    forms = [reader.submission for reader in readers_of(resolved, root).values()]
    folder = next((form.folder for form in forms if form is not None and form.folder), "")
    known_as = next((form.known_as for form in forms if form is not None and form.known_as), None)
    reasons = dict(exclude) if isinstance(exclude, Mapping) else dict.fromkeys(exclude, "")
    places = submitted_files(root, folder) if reasons and root.is_dir() else []
    aside = {
        file: name
        for place in places
        for name in _names(place, root, known_as)
        if name in reasons
        for file in files_beside(place.path)
    }

    read_all = partial(_read_and_align, resolved, root)
    aligned, mistakes, hidden = in_one_pass(read_all, root, folder, aside)
    named = {
        (submission.name, submission.path) for _, reading, _ in aligned or () for submission in reading.submissions
    }
    names = set()
    for name, file in sorted(named):
        if name in reasons:
            own_file = submitted_file(Path(file), root, folder) if file else None
            if own_file is None:
                names.add(name)
            else:
                aside |= dict.fromkeys(files_beside(own_file.path), name)
    unknown = [name for name in reasons if name not in names and name not in aside.values()]
    if unknown:
        known = {name for name, _ in named} | {mistake.submission for mistake in mistakes}
        raise UnknownNameError("submission", unknown[0], known)
    evaluated = {name for name, _ in named}
    spelled = partial(_known_as, known_as=known_as, evaluated=evaluated)
    mistakes = [attrs.evolve(mistake, submission=spelled(mistake.submission)) for mistake in mistakes]
    of_files: dict[str, set[str]] = {}  # the submissions of what is excluded, by the name or path that was given
    for place in places:
        if place.path in aside:
            of_files.setdefault(aside[place.path], set()).add(spelled(place.submission))
    left_out = (*_excluded(reasons, of_files, aside, root), *_broken(mistakes, root))
    return Chosen(
        left_out=left_out,
        aside=hidden | frozenset(aside),
        names=frozenset(names),
        mistakes=tuple(mistakes),
        tasks=[task for _, _, task in aligned or ()],
        valid={
            f"{level}/{task.name}" if level else task.name: tuple(submission.name for submission in task.batches)
            for level, _, task in aligned or ()
        },
    )


def _read_and_align(resolved: ResolvedProfile, root: Path) -> list[tuple[str, Reading, Task]]:
    """Read all selections of a path; each reading with the folder of its reader, and aligned."""
    rules, once = resolved.profile, SharedReading()
    return [
        (reader.folder, reading, align(reading, missing=rules.missing, baselines=rules.baselines))
        for reader in readers_of(resolved, root).values()
        for reading in once.read(reader, root, rules.best)
    ]


def _excluded(
    reasons: Mapping[str, str], of_files: Mapping[str, Collection[str]], aside: Mapping[Path, str], root: Path
) -> Iterator[LeftOut]:
    """Yield who is left out by name; by the name of its file if that is known, with all files that are not read."""
    for name, reason in reasons.items():
        submissions = of_files.get(name, ())
        yield LeftOut(
            submission=next(iter(submissions)) if len(submissions) == 1 else name,
            files=tuple(sorted(_below(file, root) for file, excluded in aside.items() if excluded == name)),
            reason=reason,
            by="exclude",
        )


def _broken(mistakes: Sequence[Mistake], root: Path) -> Iterator[LeftOut]:
    """Yield who is left out for the mistakes in a file."""
    for mistake in mistakes:
        yield LeftOut(
            submission=mistake.submission,
            files=tuple(_below(file, root) for file in files_beside(mistake.place)),
            reason=mistake.short,
            by="skip_invalid",
        )


def raise_all(resolved: ResolvedProfile, path: str | PathLike[str], error: DataError) -> None:
    """Raise a `SubmissionsError` with the mistakes of all submissions in a path, if it is in one of them."""
    if error.path is not None and (chosen := choose_submissions(resolved, path)).mistakes:
        raise all_at_once(chosen.mistakes, none_left=not chosen.tasks) from error


def _names(file: SubmittedFile, root: Path, known_as: Callable[[str], str] | None) -> list[str]:
    """Return the names by which a file can be excluded: of the submission, of the file, and its path.

    A folder of a submission that holds a single file has the paths of both.
    """
    other = [] if known_as is None else [known_as(file.submission)]
    inside = [entry for entry in visible(file.path) if entry.is_file()] if file.path.is_dir() else []
    paths = [file.path, *(inside if len(inside) == 1 else [])]
    spelled = (name for path in paths for name in (_below(path, root), str(path)))
    return [file.submission, *filter(None, other), file.path.name, *spelled]


def _known_as(name: str, known_as: Callable[[str], str] | None, evaluated: Collection[str]) -> str:
    """Return the name under which other files of a submission are evaluated; that of the file if none is."""
    other = name if known_as is None else known_as(name)
    return other if name not in evaluated and other in evaluated else name


def leave_out(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    exclude: Mapping[str, str] | Iterable[str] = (),
    skip_invalid: bool = False,
) -> Chosen | None:
    """Return which submissions an evaluation reads; None for all of them.

    Raises UnknownNameError, DataError as `choose_submissions`; and if files with mistakes are not to be skipped, or
    nothing is left without them.
    """
    if not (exclude or skip_invalid):
        return None
    chosen = choose_submissions(profile, path, registry, exclude=exclude)
    if chosen.mistakes and not (skip_invalid and chosen.tasks):
        raise all_at_once(chosen.mistakes, none_left=not chosen.tasks)
    return chosen


def _below(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def validate_folder(
    profile: Profile | ResolvedProfile,
    path: str | PathLike[str],
    registry: Registry | None = None,
    *,
    like: Path | None = None,
) -> Chosen:
    """Check all submissions in a folder: with its gold as an evaluation reads them, without a gold each file alone.

    `path`: what an evaluation reads; or a folder of files as participants hand them in, or with such a folder
      ``submissions``.
    `registry`: by default all installed plugins.
    `like`: the public input of the task, with which each file alone is compared.

    Raises DataError for a mistake outside of the submissions.
    """
    resolved = resolve(profile, registry or load()) if isinstance(profile, Profile) else profile
    root = Path(path)
    readers = {reader.folder: reader for reader in readers_of(resolved, root).values()}
    if like is None:
        try:
            return choose_submissions(resolved, path)
        except DataError:
            golds = [_may_have_gold(root / level) for level in readers if (root / level).is_dir()]
            if any(reader.submission is None for reader in readers.values()) or any(golds) or not golds:
                raise
    elif len(readers) > 1:
        raise DataError(f"--like is the input of one of {', '.join(readers)}", path=path, remedy=_CHECK_EACH)
    mistakes, valid = list[Mistake](), {level: list[str]() for level in readers}
    for level, reader in readers.items():
        for file in visible(root / level / "submissions" if (root / level / "submissions").is_dir() else root / level):
            try:
                check_submission(resolved, reader, file, like)
                valid[level].append(file.stem)
            except DataError as error:
                mistakes.append(Mistake(submission=file.stem, place=file, error=error))
    return Chosen(mistakes=tuple(mistakes), valid={level: tuple(names) for level, names in valid.items()})


_CHECK_EACH = "check each file by itself, with --level"


def reader_of_file(resolved: ResolvedProfile, path: Path, level: str = "") -> Reader:
    """Return the reader that one file of a submission is for, where parts of a profile have readers of their own.

    `path`: the file, whose path may have the folder of the parts in it, as in ``word/en-de.txt``. `level`: the folder
    or the level of the parts. Empty: the path says it. Raises DataError if several readers are possible, or none is.
    """
    if resolved.reader is None:
        raise ProfileError(NO_READER)
    of_parts: dict[str, Reader] = {}
    for part in resolved.parts if any(part.rule.folder or part.rule.reader for part in resolved.parts) else ():
        name = part.rule.level or part.rule.folder or part.rule.reader
        of_parts.setdefault(name, resolved.selections[part.rule.selection])
    readers = of_parts or {"": resolved.reader}
    folders = path.absolute().parts
    named = {level: readers[level]} if level in readers else {}
    named = named or {name: reader for name, reader in readers.items() if not level and reader.folder in folders}
    chosen = list((named or ({} if level else readers)).values())
    if len(chosen) == 1:
        return chosen[0]
    if not of_parts:
        raise DataError(f"the profile has no level '{level}'", path=path, remedy="leave out --level")
    what = f"there is no level '{level}'" if level else "the profile reads several levels, and the path names none"
    raise DataError(what, path=path, remedy=f"give --level: {', '.join(readers)}")


def check_submission(
    resolved: ResolvedProfile, reader: Reader, path: Path, like: Path | None = None
) -> list[Submitted]:
    """Read one file of a submission without the gold; refuse it as a platform does that scores it by the profile.

    `reader`: by `reader_of_file`. `like`: the public input of the task. Raises DataError as `validate_submission`; and
    for answers that have no primary score, whatever the gold is.
    """
    parts = validate_submission(reader, path, like)
    of_parts = [part.metric for part in resolved.parts if part.rule.weight and part.rule.folder == reader.folder]
    for metric in dict.fromkeys(of_parts) if resolved.parts else resolved.metrics[:1]:
        if issubclass(reader.kind, metric.kind):
            check_defined(reader, metric, parts)
    return parts


def _may_have_gold(root: Path) -> bool:
    """Return whether a folder holds more than submissions: a gold, or folders of tasks."""
    return any(path.name.startswith("gold") or (path.is_dir() and path.name != "submissions") for path in visible(root))
