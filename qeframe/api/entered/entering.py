"""What the user enters: files in the format of the task, and values for its units, by name.

The reader reads the files as those of participants: it finds copies of them beside these.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.api.entered.answers import Answering
from qeframe.api.entered.given import GivenValues, given_values, pair_of, values_at
from qeframe.core.batch import IntArray
from qeframe.core.errors import DataError, counted
from qeframe.core.reader import Reader
from qeframe.core.reading import Reading, UnitValues
from qeframe.core.registry import Registry
from qeframe.core.submission_format import SubmissionFormat
from qeframe.core.task import Dropped, Input, MissingPolicy, Submission, Task, is_pair
from qeframe.data.align import align
from qeframe.data.all_mistakes import submitted_files
from qeframe.data.file_bytes import status_of
from qeframe.data.folders import added, has_file, visible

_WITHOUT_READER = (
    "give evaluate the path of the data, so that its reader reads the file too; or enter a table with a first line "
    "'segment, score' (and system), a data frame, or the answers in the order of the units"
)
_FOLDER = "give a folder with a file TASK.* for each"
_RENAME = "enter it under another name"


@frozen(kw_only=True)
class _Copy:
    """A copy that the reader reads: of which submission, of which file of the user, and the records of both.

    `everywhere`: whether one file was put into the folders of several tasks.
    """

    name: str
    file: Path
    record: Input
    of_user: Input
    everywhere: bool


@frozen(kw_only=True, eq=False)
class Entering:
    """The submissions that the user enters: see `evaluate`.

    `files`: those that the reader reads, by the folder in PATH that a part of the profile reads, "" where it reads PATH
      itself: each a file, or a folder with one for each task.
    """

    names: tuple[str, ...]
    files: Mapping[str, Mapping[str, Path]]
    values: Mapping[str, GivenValues]
    registry: Registry
    _copies: dict[Path, _Copy] = field(factory=dict, init=False)

    @classmethod
    def of(cls, given: Mapping[str, Any], registry: Registry, readers: Sequence[Reader] = ()) -> Entering:
        """Return what is entered among the tasks of readers; without readers, among tasks that were read before.

        Raises DataError if a value is none that can be entered.
        """
        files, values = dict[str, dict[str, Path]](), dict[str, GivenValues]()
        by_level: dict[str, list[Reader]] = {} if readers else {"": []}
        for reader in readers:
            by_level.setdefault(reader.folder, []).append(reader)
        for name, value in given.items():
            if not isinstance(value, (str, PathLike)):
                values[name] = given_values(name, value)
                continue
            path = Path(value)
            if not has_file(path):
                raise DataError(
                    "there is no such file or folder", path=path, remedy="check the path of what is entered"
                )
            status_of(path)
            sides = {level: values_at(name, path, level, of, registry) for level, of in by_level.items()}
            in_tables = [side for side in sides.values() if side is not None]
            if in_tables:
                by_task = {key: side for table in in_tables for key, side in table.by_task.items()}
                values[name] = GivenValues(by_task=by_task, inputs=tuple(i for side in in_tables for i in side.inputs))
            if len(in_tables) == len(sides):
                continue
            if not readers:
                raise DataError(f"'{name}' is a file, and tasks were read before", path=value, remedy=_WITHOUT_READER)
            files[name] = {level: path / level for level, side in sides.items() if side is None}
        return cls(names=tuple(given), files=files, values=values, registry=registry)

    @contextmanager
    def in_folders(self, readers: Sequence[Reader], root: Path) -> Iterator[None]:
        """Let readers find copies of the files beside those of participants, so that they read them as these."""
        if not self.files:
            yield
            return
        forms: dict[str, SubmissionFormat | None] = {}
        for reader in readers:
            forms[reader.folder] = forms.get(reader.folder) or reader.submission
        with TemporaryDirectory(prefix="qeframe-", ignore_cleanup_errors=True) as name:
            temporary = Path(name)
            try:
                with added(self._copy(forms, root, temporary)):
                    yield
            except DataError as error:
                raise self._at_given_file(error, temporary) from None

    def _copy(
        self, forms: Mapping[str, SubmissionFormat | None], root: Path, temporary: Path
    ) -> dict[Path, list[Path]]:
        """Copy the files into a temporary folder; return the copies by the folder that they are seen in."""
        by_folder: dict[Path, list[Path]] = {}
        sources = [(name, level, source) for name, by_level in self.files.items() for level, source in by_level.items()]
        for number, (name, level, source) in enumerate(sources):
            form = forms[level]
            enter = None if form is None else form.enter
            places = (
                dict(enter(name, source, root / level)) if enter else files_beside(name, source, root / level, form)
            )
            whole = source.parents[len(Path(level).parts) - 1] if level else source
            for nth, (place, (file, content)) in enumerate(places.items()):
                folder = place.parent
                copied = temporary / str(number) / str(nth) / place.name
                if folder.name == name and not folder.exists():  # its own folder, which is seen as a whole
                    folder, copied = folder.parent, copied.parent / name / place.name
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(content)
                by_folder.setdefault(folder, []).append(copied if folder == place.parent else copied.parent)
                path = file.relative_to(whole).as_posix() if whole.is_dir() else file.name
                self._copies[copied] = _Copy(
                    name=name,
                    file=file,
                    record=Input(copied.name, _sha256(content)),
                    of_user=Input(path, _sha256(file_content(file))),
                    everywhere=enter is None and len(places) > 1 and source.is_file(),
                )
        return by_folder

    def _at_given_file(self, error: DataError, temporary: Path) -> DataError:
        """Return an error at the file that the user gave, in the place of its copy."""
        path = None if error.path is None else Path(error.path)
        if path is None or temporary not in path.parents:
            return error
        copy = next(copy for copied, copy in self._copies.items() if path == copied or path in copied.parents)
        same = path.is_file() and file_content(copy.file) == path.read_bytes()
        remedy = f"{error.remedy}; for several tasks {_FOLDER}" if copy.everywhere else error.remedy
        return DataError(error.what, path=copy.file, line=error.line if same else None, remedy=remedy)

    def align(self, reading: Reading, missing: MissingPolicy, baselines: Sequence[str]) -> Task:
        """Return the task of a reading; what is entered is aligned by itself, so that it drops no unit of the others.

        Under "drop_for_all" it must answer every unit. Answers to units that the gold lacks are left out and counted.
        The inputs of the task are the files of the user in the place of copies.
        """
        others, in_files = list[UnitValues](), dict[str, list[UnitValues]]()
        for answers in reading.submissions:
            copy = self._copies.get(Path(answers.path))
            (others if copy is None else in_files.setdefault(copy.name, [])).append(answers)
        of_user: dict[Input, dict[tuple[str, Input], None]] = {}
        for copy in self._copies.values():
            of_user.setdefault(copy.record, {})[copy.name, copy.of_user] = None
        given = [own for i in reading.inputs for own in of_user.get(i, {("", i): None})]
        inputs = tuple(dict.fromkeys(file for _, file in given))
        reading = attrs.evolve(reading, submissions=tuple(others), inputs=inputs)
        task = align(reading, missing=missing, baselines=baselines)
        if not in_files:
            return task
        if not task.batches:
            first = next(iter(in_files))
            note = Dropped(task.name, "submission", len(in_files), f"entered where there is no other: {first}")
            return attrs.evolve(task, dropped=(*task.dropped, note))
        own, notes = list[UnitValues](), list[Dropped]()
        for name, in_file in in_files.items():
            answers = attrs.evolve(_of_name(name, in_file), name=name, kind="entered")
            is_known = np.isin(answers.ids, reading.gold.ids)
            own.append(answers.take(np.flatnonzero(is_known)))
            if extra := int((~is_known).sum()):
                notes.append(Dropped(reading.name, "answer", extra, f"extra in {name}, not in the gold"))
        rule: MissingPolicy = "score_as_worst" if missing == "score_as_worst" else "error"
        entered = align(attrs.evolve(reading, submissions=tuple(own)), missing=rule)
        ids, batches = next(iter(task.batches.values())).ids, dict(task.batches)
        for submission, batch in entered.batches.items():
            order = np.argsort(batch.ids, kind="stable")
            batches[submission] = batch.take(order[np.searchsorted(batch.ids[order], ids)])
        notes += [entry for entry in entered.dropped if entry not in reading.dropped]
        files = {name: tuple(dict.fromkeys(file.path for who, file in given if who == name)) for name in in_files}
        return attrs.evolve(
            task,
            batches=batches,
            dropped=(*task.dropped, *notes),
            stated={**task.stated, **entered.stated},
            files={**task.files, **{name: of_name for name, of_name in files.items() if of_name}},
        )

    def in_tasks(self, tasks: Sequence[Task], order: Sequence[IntArray] = ()) -> list[Task]:
        """Return tasks with the submissions that are entered by values, and notes on what was given for other tasks.

        A submission that is entered in some tasks takes no part in the others, as a ranked one may.

        `tasks`: those of files are in them. `order` (n,): for each task, its units in the order in which answers
        without labels are given; by default its own. Raises DataError if a name is taken, a submission answers no task,
        or values without the name of a task are given where there are several.
        """
        answered = [task for task in tasks if task.batches]
        names = list(dict.fromkeys(task.name for task in answered))
        if self.names and not answered:
            what = f"no task has a submission beside '{self.names[0]}'"
            raise DataError(what, remedy="give submissions that it can be compared with")
        for task in answered:
            taken = {submission.name for submission in task.batches if submission.kind != "entered"}
            for name in self.names:
                if name in taken:
                    raise DataError(f"a submission of task '{task.name}' has the name '{name}'", remedy=_RENAME)
        for name, given in self.values.items():
            if "" in given.by_task and len(set(map(pair_of, names))) > 1:
                what = f"'{name}' does not say to which of {counted(len(names), 'task')} it belongs: {', '.join(names)}"
                remedy = "give a column pair, a mapping from tasks, or a folder with a file for each"
                raise DataError(what, remedy=remedy)
        ids = order or [next((batch.ids for batch in task.batches.values()), np.empty(0, np.int64)) for task in tasks]
        entered = [self._with_values(task, of_task) for task, of_task in zip(tasks, ids, strict=True)]
        notes = self._unused(entered, names)
        return [attrs.evolve(entered[0], dropped=(*entered[0].dropped, *notes)), *entered[1:]] if notes else entered

    def _with_values(self, task: Task, ids: IntArray) -> Task:
        """Return a task with the values that are given for it."""
        for name, given in self.values.items() if task.batches else ():
            side = given.of_task(task)
            if side is not None:
                answering = Answering(task=task, ids=ids, registry=self.registry)
                batch, notes = answering.batch(side, fill=task.missing == "score_as_worst")
                task = attrs.evolve(
                    task,
                    batches={**task.batches, Submission(name, "entered"): batch},
                    dropped=(*task.dropped, *notes),
                    inputs=tuple(dict.fromkeys([*task.inputs, *given.inputs])),
                    files={**task.files, name: tuple(file.path for file in given.inputs)},
                )
        return task

    def _unused(self, tasks: Sequence[Task], names: Sequence[str]) -> list[Dropped]:
        """Return notes on values for tasks that are not there; refuse a submission that is entered in no task."""
        notes = []
        for name in self.names if names else ():
            own = [task for task in tasks if Submission(name, "entered") in task.batches]
            given = self.values.get(name)
            by_task = {} if given is None or (own and given.is_by_system(own[0])) else given.by_task
            levels = (level for task in own for level in task.selection.split(", "))
            known = {*names, *map(pair_of, names), "", *levels}
            others = [key for key in by_task if not known.issuperset(key.split("/"))]
            if not own:
                has = f"has answers to {', '.join(others)}" if others else "answers no task"
                remedy = "name the tasks in a column pair, by keys, or by the names of files"
                raise DataError(f"'{name}' {has}, the tasks are {', '.join(names)}", remedy=remedy)
            if others:
                reason = f"of {name}, which no task has: {', '.join(others)}"
                notes.append(Dropped(own[0].name, "language pair", len(others), reason))
        return notes


def _of_name(name: str, in_file: Sequence[UnitValues]) -> UnitValues:
    """Return the submission in a file; of several, the one with the name under which the file was entered."""
    named = [answers for answers in in_file if answers.name == name] if len(in_file) > 1 else in_file
    if len(named) != 1:
        what = f"the file of '{name}' holds {', '.join(answers.name for answers in in_file)}"
        raise DataError(what, path=in_file[0].path, remedy="enter it under the name of one of them")
    return named[0]


def files_beside(
    name: str, source: Path, root: Path, form: SubmissionFormat | None = None
) -> dict[Path, tuple[Path, bytes]]:
    """Return the files of a submission as they would lie beside those of participants, as `SubmissionFormat.enter`.

    A file that states its language pairs lies in the folders of these pairs.

    `source`: one file; or a folder with a file ``TASK.*`` for each task, of which those of other tasks are left out.
    `root`: the path that is read. Raises DataError if there is no submission beside which it could lie, or no file of
    the folder belongs to a task.
    """
    if Path(name).name != name:
        raise DataError(f"'{name}' cannot be the name of a file", remedy=_RENAME)
    folder = "" if form is None else form.folder
    beside: dict[Path, Path] = {}
    for submitted in submitted_files(root, folder):
        beside.setdefault(submitted.path.parent, submitted.path)
    if not beside and folder:  # no metric has scores yet, or none of this level
        beside[root / folder] = root / folder / name
    if not beside:
        what = f"'{name}' cannot be entered as a file: no submission lies in a folder of submissions"
        remedy = "give a table with a first line 'segment, score' (and 'system' for metrics), or evaluate in Python"
        raise DataError(what, path=root, remedy=remedy)
    by_task = {file.name.partition(".")[0]: file for file in visible(source)} if source.is_dir() else {"": source}
    if not by_task:
        raise DataError("no file is here", path=source, remedy="give a file named after each task")
    below = {folder: {*(root.resolve() / folder.relative_to(root)).parts} for folder in beside}
    contents: dict[Path, tuple[Path, bytes]] = {}
    for task, file in by_task.items():
        pairs = {task} if task else _pairs_in(file, form)
        of_pairs = {folder: beside[folder] for folder, parts in below.items() if pairs & parts}
        contents |= _in_folders_of(file, of_pairs if task or of_pairs else beside, name)
    if not contents:
        what = f"no task of {root} is named {', '.join(map(repr, by_task))}"
        raise DataError(what, path=source, remedy="name each file of the folder after its task")
    return contents


def _pairs_in(file: Path, form: SubmissionFormat | None) -> set[str]:
    """Return the language pairs that a file in the format of the task states; empty for one with mistakes."""
    try:
        return set() if form is None else {part.part for part in form.read(file) if is_pair(part.part)}
    except DataError:  # the reader reports it
        return set()


def _in_folders_of(file: Path, places: Mapping[Path, Path], name: str) -> dict[Path, tuple[Path, bytes]]:
    """Return a file as it would lie in folders of submissions: beside files, or in its own folder beside folders."""
    contents: dict[Path, tuple[Path, bytes]] = {}
    others = set[str]()
    for folder, beside in places.items():
        if not beside.is_dir():
            contents[folder / f"{name}{_ending(file, beside)}"] = file, file_content(file)
            continue
        if (folder / name).exists():
            raise DataError(f"a submission has the name '{name}'", path=folder, remedy=_RENAME)
        names = sorted({path.name for path in visible(beside) if path.is_file()})
        if len(names) == 1 or file.name in names:
            contents[folder / name / (file.name if file.name in names else names[0])] = file, file_content(file)
        others.update(names)
    if places and not contents:
        remedy = "give the file that the task evaluates, under the name that the task gives it"
        raise DataError(f"submissions have the files {', '.join(sorted(others))}", path=file, remedy=remedy)
    return contents


def _ending(file: Path, beside: Path) -> str:
    """Return the end of the name of a copy: with the level, seg or sys, that a reader finds in names of files."""
    of_file, of_other = _LEVEL.search(file.name), _LEVEL.search(beside.name)
    if of_file is None and of_other is not None and file.suffix != ".gz":
        return of_other[0].removesuffix(".gz")
    return of_file[0] if of_file else "".join(file.suffixes[-2 if file.suffix == ".gz" else -1 :])


_LEVEL = re.compile(r"\.(seg|sys)\..*$")


def file_content(path: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, remedy="give one readable file") from None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
