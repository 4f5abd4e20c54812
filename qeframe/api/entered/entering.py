"""What the user enters: files in the format of the task, and values for its units, by name.

The reader reads the files as those of participants: it finds them among these.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
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
from qeframe.core.task import Dropped, MissingPolicy, Submission, Task, is_pair
from qeframe.data.align import align
from qeframe.data.all_mistakes import submitted_files
from qeframe.data.file_bytes import status_of
from qeframe.data.folders import added, has_file, visible

_WITHOUT_READER = (
    "give evaluate the path of the data, so that its reader reads the file too; or enter a table with a first line "
    "'segment, score' (and system), a data frame, or the answers in the order of the units"
)
_RENAME = "enter it under another name"


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
    _places: dict[Path, list[str]] = field(factory=dict, init=False)  # the names under which a file is entered

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
        """Let readers find the files among those of participants, so that they read them as these."""
        forms: dict[str, SubmissionFormat | None] = {}
        for reader in readers:
            forms[reader.folder] = forms.get(reader.folder) or reader.submission
        by_folder: dict[Path, list[Path]] = {}
        for name, by_level in self.files.items():
            for level, source in by_level.items():
                for folder, place in places_among(name, source, root / level, forms[level]).items():
                    self._places.setdefault(place, []).append(name)
                    if place not in by_folder.setdefault(folder, []):
                        by_folder[folder].append(place)
        with added(by_folder):
            yield

    def align(self, reading: Reading, missing: MissingPolicy, baselines: Sequence[str]) -> Task:
        """Return the task of a reading; what is entered is aligned by itself, so that it drops no unit of the others.

        Under "drop_for_all" it must answer every unit. Answers to units that the gold lacks are left out and counted.
        """
        others, in_files = list[UnitValues](), dict[str, list[UnitValues]]()
        for answers in reading.submissions:
            path = Path(answers.path)
            names = [name for place in (path, path.parent) for name in self._places.get(place, ())]
            for name in names:
                in_files.setdefault(name, []).append(answers)
            others += [] if names else [answers]
        task = align(attrs.evolve(reading, submissions=tuple(others)), missing=missing, baselines=baselines)
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
        return attrs.evolve(
            task,
            batches=batches,
            dropped=(*task.dropped, *notes),
            stated={**task.stated, **entered.stated},
            files={**task.files, **entered.files},
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
            if {"", ".sys"} & given.by_task.keys() and len(set(map(pair_of, names))) > 1:
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
            others = [key for key in by_task if not known.issuperset(key.removesuffix(".sys").split("/"))]
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


def places_among(name: str, source: Path, root: Path, form: SubmissionFormat | None = None) -> dict[Path, Path]:
    """Return which file, or folder with the files of a submission, is entered in each folder of submissions.

    A file that states its language pairs is entered in the folders of these pairs.

    `source`: one file or the folder of one submission; or a folder with one of them for each task, ``TASK.*``, of
      which those of other tasks are left out.
    `root`: the path that is read.

    Raises DataError if there is no submission beside which it could lie, or no file of the folder belongs to a task.
    """
    beside: dict[Path, Path] = {}
    for submitted in submitted_files(root, "" if form is None else form.folder):
        beside.setdefault(submitted.path.parent, submitted.path)
    if not beside:
        what = f"'{name}' cannot be entered as a file: no submission lies in a folder of submissions"
        remedy = "give a table with a first line 'segment, score' (and 'system' for metrics), or evaluate in Python"
        raise DataError(what, path=root, remedy=remedy)
    inside = {path.name for other in beside.values() if other.is_dir() for path in visible(other) if path.is_file()}
    if source.is_file() and inside:
        if source.name not in inside:
            remedy = "give the file that the task evaluates, under the name that the task gives it"
            raise DataError(f"submissions have the files {', '.join(sorted(inside))}", path=source, remedy=remedy)
        source = source.parent
    is_one = source.is_file() or any((source / file).is_file() for file in inside)
    by_task = {"": source} if is_one else {file.name.partition(".")[0]: file for file in visible(source)}
    if not by_task:
        raise DataError("no file is here", path=source, remedy="give a file named after each task")
    below = {folder: {*(root.resolve() / folder.relative_to(root)).parts} for folder in beside}
    places: dict[Path, Path] = {}
    for task, place in by_task.items():
        pairs = {task} if task else _pairs_in(place, form)
        of_pairs = [folder for folder, parts in below.items() if pairs & parts]
        if not (pairs or len(beside) == 1):
            what = f"'{name}' does not say to which of {counted(len(beside), 'task')} it belongs"
            raise DataError(what, path=place, remedy="give a folder with a file TASK.* for each")
        places |= dict.fromkeys(of_pairs if task or of_pairs else beside, place)
    if not places:
        what = f"no task of {root} is named {', '.join(map(repr, by_task))}"
        raise DataError(what, path=source, remedy="name each file of the folder after its task")
    for folder, place in places.items():
        if place.resolve().parent == folder.resolve():
            raise DataError(f"'{name}' is a submission of the task already", path=place, remedy="enter another file")
    return places


def _pairs_in(file: Path, form: SubmissionFormat | None) -> set[str]:
    """Return the language pairs that a file in the format of the task states; empty for one with mistakes."""
    try:
        return set() if form is None else {part.part for part in form.read(file) if is_pair(part.part)}
    except DataError:  # the reader reports it
        return set()
