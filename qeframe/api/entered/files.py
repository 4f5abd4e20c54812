"""Files of submissions in the format of the task: the reader finds them beside those of participants."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.batch import Batch
from qeframe.core.errors import DataError
from qeframe.core.reader import SubmissionFormat
from qeframe.core.reading import Reading, UnitValues
from qeframe.core.task import Dropped, Input, MissingPolicy, Submission, Task, is_pair
from qeframe.core.temporary_folders import temporary_folder
from qeframe.data.align import align
from qeframe.data.all_mistakes import submitted_files
from qeframe.data.folders import added, visible

_FOLDER = "give a folder with a file TASK.* for each"


@frozen(eq=False)
class EnteredFiles:
    """The files that the user enters, by the name of the submission: each a file, or a folder with one for each task.

    `given`: by the folder in PATH that a part of the profile reads, "" where it reads PATH itself, the file or folder.
    """

    given: Mapping[str, Mapping[str, Path]]
    _files: dict[Path, tuple[str, Path]] = field(factory=dict, init=False)
    """By the copy that the reader reads, the name of the submission and the file of the user that it is made of."""
    _of_user: dict[Input, dict[tuple[str, Input], None]] = field(factory=dict, init=False)
    """By what the reader records of copies, the submissions and the records of the user's files; often one."""
    _in_every_task: set[str] = field(factory=set, init=False)
    """The submissions of which one file was put into the folders of several tasks."""

    @contextmanager
    def in_folders(self, forms: Mapping[str, SubmissionFormat | None], root: Path) -> Iterator[None]:
        """Let readers find copies of the files beside those of participants, so that they read them as these.

        `forms` are the formats of submissions by the folders that are read.
        """
        if not self.given:
            yield
            return
        with temporary_folder() as temporary:
            try:
                with added(self._copies(forms, root, temporary)):
                    yield
            except DataError as error:
                raise self._at_given_file(error, temporary) from None

    def _copies(
        self, forms: Mapping[str, SubmissionFormat | None], root: Path, temporary: Path
    ) -> dict[Path, list[Path]]:
        """Copy the files into a temporary folder; return the copies by the folder that they are seen in."""
        by_folder: dict[Path, list[Path]] = {}
        sources = [(name, level, source) for name, by_level in self.given.items() for level, source in by_level.items()]
        for number, (name, level, source) in enumerate(sources):
            form = forms[level]
            if form is not None and form.enter is not None:
                places = dict(form.enter(name, source, root / level))
            else:
                places = files_beside(name, source, root / level, form)
                if len(places) > 1 and source.is_file():
                    self._in_every_task.add(name)
            whole = source.parents[len(Path(level).parts) - 1] if level else source
            for nth, (place, (file, content)) in enumerate(places.items()):
                folder = place.parent
                copied = temporary / str(number) / str(nth) / place.name
                if folder.name == name and not folder.exists():  # its own folder, which is seen as a whole
                    folder, copied = folder.parent, copied.parent / name / place.name
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(content)
                by_folder.setdefault(folder, []).append(copied if folder == place.parent else copied.parent)
                self._files[copied] = name, file
                of_user = Input(
                    file.relative_to(whole).as_posix() if whole.is_dir() else file.name, _sha256(file_content(file))
                )
                self._of_user.setdefault(Input(copied.name, _sha256(content)), {})[name, of_user] = None
        return by_folder

    def _at_given_file(self, error: DataError, temporary: Path) -> DataError:
        """Return an error at the file that the user gave, in the place of its copy."""
        path = None if error.path is None else Path(error.path)
        if path is None or temporary not in path.parents:
            return error
        copy = next(copy for copy in self._files if path == copy or path in copy.parents)
        name, file = self._files[copy]
        remedy = f"{error.remedy}; for several tasks {_FOLDER}" if name in self._in_every_task else error.remedy
        same = path == copy and file_content(file) == path.read_bytes()
        return DataError(error.what, path=file, line=error.line if same else None, remedy=remedy)

    def apart(self, reading: Reading) -> tuple[Reading, tuple[UnitValues, ...]]:
        """Return a reading without the entered submissions, and these, under the names that the user gave.

        The inputs of the reading are the files of the user in the place of copies.
        """
        others, own = list[UnitValues](), dict[str, list[UnitValues]]()
        for answers in reading.submissions:
            name, _ = self._files.get(Path(answers.path), (None, None))
            (others if name is None else own.setdefault(name, [])).append(answers)
        entered = tuple(
            attrs.evolve(_of_name(name, in_file), name=name, kind="entered") for name, in_file in own.items()
        )
        inputs = dict.fromkeys(own for i in reading.inputs for _, own in self._of_user.get(i, {("", i): None}))
        return attrs.evolve(reading, submissions=tuple(others), inputs=tuple(inputs)), entered

    def named(self, inputs: Sequence[Input]) -> dict[str, tuple[str, ...]]:
        """Return the files of the user by submission, from what the reader recorded of their copies."""
        names: dict[str, dict[str, None]] = {}
        for name, of_user in (own for i in inputs for own in self._of_user.get(i, ())):
            names.setdefault(name, {})[of_user.path] = None
        return {name: tuple(paths) for name, paths in names.items()}


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
        raise DataError(f"'{name}' cannot be the name of a file", remedy="enter it under another name")
    places: dict[Path, Path] = {}
    folder = "" if form is None else form.folder
    for submitted in submitted_files(root, folder):
        places.setdefault(submitted.path.parent, submitted.path)
    if not places and folder:  # no metric has scores yet, or none of this level
        places[root / folder] = root / folder / name
    if not places:
        what = f"'{name}' cannot be entered as a file: no submission lies in a folder of submissions"
        raise DataError(what, path=root, remedy=_TABLES)
    by_task = {file.name.partition(".")[0]: file for file in visible(source)} if source.is_dir() else {"": source}
    if not by_task:
        raise DataError("no file is here", path=source, remedy="give a file named after each task")
    contents: dict[Path, tuple[Path, bytes]] = {}
    for task, file in by_task.items():
        contents |= _in_folders_of(file, _folders_of(task, file, places, root, form), name)
    if not contents:
        what = f"no task of {root} is named {', '.join(map(repr, by_task))}"
        raise DataError(what, path=source, remedy="name each file of the folder after its task")
    return contents


_TABLES = "give a table with a first line 'segment, score' (and 'system' for metrics), or evaluate in Python"


def _folders_of(
    task: str, file: Path, places: Mapping[Path, Path], root: Path, form: SubmissionFormat | None
) -> dict[Path, Path]:
    """Return the folders of submissions of a task, or of the language pairs that a file states; else all."""
    pairs = {task} if task else _pairs_in(file, form)
    below = {folder: {*(root.resolve() / folder.relative_to(root)).parts} for folder in places}
    of_pairs = {folder: places[folder] for folder, parts in below.items() if pairs & parts}
    return of_pairs if task or of_pairs else dict(places)


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
            raise DataError(f"a submission has the name '{name}'", path=folder, remedy="enter it under another name")
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


def align_apart(
    task: Task,
    own: tuple[UnitValues, ...],
    reading: Reading,
    missing: MissingPolicy,
    files: Mapping[str, tuple[str, ...]],
) -> Task:
    """Return a task with entered submissions, aligned by themselves: they drop no unit of the others.

    `files`: those of the user, by submission. Under "drop_for_all" they must answer every unit. Answers to units that
    the gold lacks are left out and counted.
    """
    if not own:
        return task
    rule: MissingPolicy = "score_as_worst" if missing == "score_as_worst" else "error"
    notes = list[Dropped]()
    for answers in own:
        if extra := int((~np.isin(answers.ids, reading.gold.ids)).sum()):
            notes.append(Dropped(reading.name, "answer", extra, f"extra in {answers.name}, not in the gold"))
    aligned = tuple(values.take(np.flatnonzero(np.isin(values.ids, reading.gold.ids))) for values in own)
    entered = align(attrs.evolve(reading, submissions=aligned), missing=rule)
    ids = next((batch.ids for batch in task.batches.values()), None)
    if ids is None:
        note = Dropped(task.name, "submission", len(own), f"entered where there is no other: {own[0].name}")
        return attrs.evolve(task, dropped=(*task.dropped, note))
    batches: dict[Submission, Batch] = dict(task.batches)
    for submission, batch in entered.batches.items():
        order = np.argsort(batch.ids, kind="stable")
        batches[submission] = batch.take(order[np.searchsorted(batch.ids[order], ids)])
    notes += [entry for entry in entered.dropped if entry not in reading.dropped]
    return attrs.evolve(
        task,
        batches=batches,
        dropped=(*task.dropped, *notes),
        stated={**task.stated, **entered.stated},
        files={**task.files, **{values.name: files[values.name] for values in own if values.name in files}},
    )


def file_content(path: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", path=path, remedy="give one readable file") from None


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
