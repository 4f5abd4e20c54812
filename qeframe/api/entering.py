"""Submissions of the user's own among those of a task: read like them, entered alone, never ranked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.api.frames.score_tables import is_frame, score_table
from qeframe.core.batches.base import Batch
from qeframe.core.components.reader import Reader, SubmissionFormat
from qeframe.core.errors import DataError
from qeframe.core.tasks.reading import Reading, UnitValues
from qeframe.core.tasks.task import Dropped, MissingPolicy, Submission, Task
from qeframe.core.temporary_folders import temporary_folder
from qeframe.data.align import align
from qeframe.data.all_mistakes import submitted_files
from qeframe.data.file_bytes import status_of
from qeframe.data.folders import added, has_file, visible

_FILES = "give a folder with a file TASK.* for each"
_VALUES = "give a file, a data frame, or the answers to all units in the order of the task"


@frozen(eq=False)
class Entering:
    """The submissions that the user enters: see `evaluate`.

    Parameters
    ----------
    given : mapping of str to object
        By name: the path of a file or folder, a data frame, or the answers to all units.
    """

    given: Mapping[str, Any]
    _files: dict[str, tuple[Path, ...]] = field(factory=dict, init=False)
    _read: dict[str, set[Path]] = field(factory=dict, init=False)
    _split: set[str] = field(factory=set, init=False)

    @contextmanager
    def in_folders(self, readers: Sequence[Reader], root: Path) -> Iterator[None]:
        """Let readers find the entered files beside those of participants, so that they read them as these."""
        if not self.given:
            yield
            return
        forms: dict[str, SubmissionFormat | None] = {}
        for reader in readers:
            forms[reader.folder] = forms.get(reader.folder) or reader.submission
        with temporary_folder() as temporary:
            try:
                folders: dict[Path, list[Path]] = {}
                for level, form in forms.items():
                    folders |= self._in_folder(form, level, root / level, temporary)
                with added(folders):
                    yield
            except DataError as error:
                raise self._of_user(error, temporary) from None

    def _in_folder(
        self, form: SubmissionFormat | None, level: str, root: Path, temporary: Path
    ) -> dict[Path, list[Path]]:
        """Write the files of the entered submissions into a temporary folder; return them by the folder they enter.

        `level` is the folder in PATH that is `root`, and that of a submission's own folder in which its files are.
        """
        folder = "" if form is None else form.folder
        folders: dict[Path, list[Path]] = {}
        for number, (name, value) in enumerate(self.given.items()):
            if not (folder or isinstance(value, (str, PathLike))):
                continue  # answers to units, which are no file
            source = self._source(name, value, temporary / f"{number}-given") / level
            if not has_file(source):
                what = f"'{name}' has no folder '{level}', which parts of the profile read"
                raise DataError(what, path=value, remedy="give a folder with the folders that PATH has")
            made = form.enter(name, source, root) if form and form.enter else files_beside(name, source, root, folder)
            if len(made) > 1 and not (form and form.enter):
                self._split.add(name)
            for nth, (place, content) in enumerate(made.items()):
                below = place.parts[-2:] if isinstance(content, Inside) else place.parts[-1:]
                file = temporary.joinpath(str(number), level, str(nth), *below)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
                seen = file.parent if isinstance(content, Inside) else file
                folders.setdefault(place.parents[len(below) - 1], []).append(seen)
                self._files[name] = (*self._files.get(name, ()), file)
        return folders

    def _source(self, name: str, value: Any, place: Path) -> Path:
        """Return the file or folder of a submission; a data frame is written as a table."""
        if isinstance(value, (str, PathLike)):
            return _existing(Path(value))
        if not is_frame(value):
            what = f"the scores of '{name}' are a value of type {type(value).__name__}"
            raise DataError(what, remedy="give a file, or a data frame with the columns system, segment and score")
        place.mkdir()
        table = place / "table.tsv"
        table.write_text(score_table(value, name), encoding="utf-8")
        return table

    def _of_user(self, error: DataError, temporary: Path) -> DataError:
        """Return an error at the file that the user gave, in the place of the one that was made of it."""
        path = None if error.path is None else Path(error.path)
        if path is None or temporary not in path.parents:
            return error
        number = int(path.relative_to(temporary).parts[0].partition("-")[0])
        name, value = list(self.given.items())[number]
        source = value if isinstance(value, (str, PathLike)) else f"the scores of {name}"
        one = name in self._split and isinstance(value, (str, PathLike)) and Path(value).is_file()
        remedy = f"{error.remedy}; for several tasks {_FILES}" if one else error.remedy
        same = isinstance(value, (str, PathLike)) and Path(value).is_file() and _bytes(Path(value)) == path.read_bytes()
        return DataError(error.what, path=source, line=error.line if same else None, remedy=remedy)

    def apart(self, reading: Reading, reader: Reader) -> tuple[Reading, tuple[UnitValues, ...]]:
        """Return a reading without the entered submissions, and their answers to its units."""
        others, own = list[UnitValues](), dict[str, list[UnitValues]]()
        for each in reading.submissions:
            name = next((name for name, files in self._files.items() if Path(each.path) in files), None)
            (others if name is None else own.setdefault(name, [])).append(each)
        answers = [self._one(name, found) for name, found in own.items()]
        for each in answers:
            self._check_file(each)
        for name, value in self.given.items():
            if name not in self._files:
                answers.append(self._answers(name, value, reading, reader))
        taken = {each.name for each in others}
        for name in self.given:
            if name in taken:
                remedy = "enter it under another name"
                raise DataError(f"a submission of task '{reading.name}' has the name '{name}'", remedy=remedy)
            if name not in {each.name for each in answers}:
                what = f"'{name}' has no scores for task '{reading.name}'"
                raise DataError(what, remedy="give its scores for every task, under the name that its file states")
        kept = attrs.evolve(reading, submissions=tuple(others))
        return kept, tuple(attrs.evolve(each, kind="entered") for each in answers)

    def _check_file(self, answers: UnitValues) -> None:
        """Raise a `DataError` if one file without names of tasks was read for a second task."""
        files = self._read.setdefault(answers.name, set())
        files.add(Path(answers.path))
        given = self.given[answers.name]
        if (
            len(files) > 1
            and isinstance(given, (str, PathLike))
            and Path(given).is_file()
            and answers.name in self._split
        ):
            raise DataError("one file is given for several tasks", path=given, remedy=_FILES)

    def _one(self, name: str, found: Sequence[UnitValues]) -> UnitValues:
        """Return the submission in a file under the name that the user gave; of several, the one with this name."""
        named = [each for each in found if each.name == name] if len(found) > 1 else list(found)
        if len(named) != 1:
            what = f"the file of '{name}' holds {', '.join(each.name for each in found)}"
            raise DataError(what, path=found[0].path, remedy="enter it under the name of one of them")
        return attrs.evolve(named[0], name=name)

    def _answers(self, name: str, value: Any, reading: Reading, reader: Reader) -> UnitValues:
        """Return the answers of a submission to the units of a task."""
        of_level = value[reader.folder] if isinstance(value, Mapping) and reader.folder in value else value
        of_task = of_level[reading.name] if isinstance(of_level, Mapping) and reading.name in of_level else of_level
        if is_frame(of_task):
            what = f"'{name}' is a data frame, which names no units of '{reader.name}'"
            raise DataError(what, remedy="give the column of its answers, in the order of the task, or a file")
        answers = _plain_answers(reading.kind, of_task, name, len(reading.gold.ids))
        return attrs.evolve(reading.gold, name=name, values=answers, path="", more_paths=(), lines=None, gold=None)


class Inside(bytes):
    """The content of a file that lies in a folder of the submission's own."""


def files_beside(name: str, given: Path, root: Path, folder: str) -> dict[Path, bytes]:
    """Return the files of a submission as they would lie beside those of participants.

    Parameters
    ----------
    name : str
    given : Path
        One file; or a folder with a file ``TASK.*`` for each task.
    root : Path
        The path that is read.
    folder : str
        As in `SubmissionFormat`.

    Raises
    ------
    DataError
        If there is no submission beside which it could lie, or a file of the folder belongs to no task.
    """
    if Path(name).name != name:
        raise DataError(f"'{name}' cannot be the name of a file", remedy="enter it under another name")
    places: dict[Path, list[Path]] = {}
    for each in submitted_files(root, folder):
        places.setdefault(each.path.parent, []).append(each.path)
    if not places:
        what = f"'{name}' cannot be entered: no submission lies in a folder of submissions"
        raise DataError(what, path=root, remedy="evaluate in Python, and give its answers in the order of the units")
    made: dict[Path, bytes] = {}
    files = visible(given) if given.is_dir() else [given]
    if not files:
        raise DataError("no file is here", path=given, remedy="give a file named after each task")
    for file in files:
        task = file.name.partition(".")[0] if given.is_dir() else ""
        parents = [parent for parent in places if not task or task in (root.resolve() / parent.relative_to(root)).parts]
        if not parents:
            remedy = "name each file of the folder after its task"
            raise DataError(f"no task of {root} is named '{task}'", path=file, remedy=remedy)
        others, before = set[str](), len(made)
        for parent in parents:
            beside = places[parent][0]
            if beside.is_file():
                suffixes = file.suffixes[-2 if file.suffix == ".gz" else -1 :]
                made[parent / "".join([name, *suffixes])] = _bytes(file)
                continue
            names = sorted({each.name for each in visible(beside) if each.is_file()})
            if len(names) != 1 and file.name not in names:
                others.update(names)
                continue
            made[parent / name / (file.name if file.name in names else names[0])] = Inside(_bytes(file))
        if len(made) == before:
            remedy = "give the file that the task evaluates, under the name that the task gives it"
            raise DataError(f"submissions have the files {', '.join(sorted(others))}", path=file, remedy=remedy)
    return made


def align_apart(task: Task, own: tuple[UnitValues, ...], reading: Reading, missing: MissingPolicy) -> Task:
    """Return a task with entered submissions, aligned by themselves: they drop no unit of the others.

    Under "drop_for_all" they must answer every unit. Answers to units that the gold lacks are left out and counted.
    """
    if not own:
        return task
    rule: MissingPolicy = "score_as_worst" if missing == "score_as_worst" else "error"
    notes = list[Dropped]()
    for each in own:
        if extra := int((~np.isin(each.ids, reading.gold.ids)).sum()):
            notes.append(Dropped(reading.name, "answer", extra, f"extra in {each.name}, not in the gold"))
    known = tuple(each.take(np.flatnonzero(np.isin(each.ids, reading.gold.ids))) for each in own)
    alone = align(attrs.evolve(reading, submissions=known), missing=rule)
    ids = next((batch.ids for batch in task.batches.values()), None)
    if ids is None:
        raise DataError(f"task '{task.name}' has no submission beside the entered ones", remedy="give some to compare")
    batches: dict[Submission, Batch] = dict(task.batches)
    for submission, batch in alone.batches.items():
        order = np.argsort(batch.ids, kind="stable")
        batches[submission] = batch.take(order[np.searchsorted(batch.ids[order], ids)])
    notes += [each for each in alone.dropped if each not in reading.dropped]
    files = {**task.files, **{each.name: alone.files[each.name] for each in own if each.name in alone.files}}
    return attrs.evolve(task, batches=batches, dropped=(*task.dropped, *notes), files=files)


def enter(tasks: Sequence[Task], given: Mapping[str, Any]) -> list[Task]:
    """Return tasks made by hand with more submissions, of the kind "entered".

    Parameters
    ----------
    tasks : sequence of Task
    given : mapping of str to object
        By name, the answers to all units in the order of the task; for several tasks, a mapping from their names.

    Raises
    ------
    DataError
        If a name is taken, or the answers are not those of the units.
    """
    return [_with_entered(task, given) for task in tasks]


def _with_entered(task: Task, given: Mapping[str, Any]) -> Task:
    if not task.batches:
        return task
    like, batches = next(iter(task.batches.values())), dict(task.batches)
    for name, value in given.items():
        if name in {submission.name for submission in task.batches}:
            what = f"a submission of task '{task.name}' has the name '{name}'"
            raise DataError(what, remedy="enter it under another name")
        of_task = value[task.name] if isinstance(value, Mapping) and task.name in value else value
        if isinstance(of_task, (str, PathLike)) or is_frame(of_task):
            raise DataError(f"'{name}' is a {type(of_task).__name__}, which names no units of a task", remedy=_VALUES)
        answers = _plain_answers(type(like), of_task, name, len(like))
        batches[Submission(name, "entered")] = attrs.evolve(like, predicted=answers)  # type: ignore[call-arg]
    return attrs.evolve(task, batches=batches)


def _plain_answers(kind: type[Batch], answers: Any, name: str, units: int) -> Any:
    """Return answers as a batch of the kind holds them."""
    try:
        batch = kind.from_plain(answers, answers)
        predicted = batch.predicted  # type: ignore[attr-defined]
    except (AttributeError, DataError) as error:
        raise DataError(f"the answers of '{name}' cannot be used: {error}", remedy=_VALUES) from None
    if len(batch) != units:
        raise DataError(f"'{name}' has {len(batch)} answers, the task has {units} units", remedy=_VALUES)
    return predicted


def _existing(path: Path) -> Path:
    if not has_file(path):
        raise DataError("there is no such file or folder", path=path, remedy="check the path of what is entered")
    status_of(path)
    return path


def _below(folder: Path) -> list[Path]:
    return [file for each in visible(folder) for file in (_below(each) if each.is_dir() else [each])]


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, remedy="give one readable file") from None
