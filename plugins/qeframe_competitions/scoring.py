"""One submission of a competition, scored: its files are put beside the gold, read, checked and evaluated.

What an author is told is about the submission. A mistake in the gold is none of the author's, and no message of it is
passed on: it could quote the gold.
"""

import math
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import attrs
from attrs import field, frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import QeframeError, counted, one_line
from qeframe.plugin.competitions import Profile, Registry, check_units, evaluate, temporary_folder, validate_submission
from qeframe.plugin.readers import Reading, Submitted, Task
from qeframe.plugin.results import ScoredSubmission, align, read_readings, resolve
from qeframe_competitions.settings import Competition, competition_rules, place
from qeframe_competitions.submission_files import file_of_each, files_of_all, missing_tasks, read_handed_in

INPUTS = "inputs"  # the folder beside the scoring program with the public input of tasks


class RefusedError(QeframeError):
    """A submission that cannot be scored; the message is one line for its author."""


class UnusableReferenceError(QeframeError):
    """A gold that cannot be used; the message is one line that says nothing of what it holds."""


@frozen(kw_only=True)
class Scored:
    """The scores of a submission, and what was found in it."""

    scores: Mapping[str, float]  # by key of the column, not rounded; without scores that are undefined
    undefined: tuple[str, ...] = ()  # the keys of columns without a score
    parts: tuple[Submitted, ...] = ()  # what was read
    # answers that the rules of the task filled in or left out, and files that were not read
    notes: tuple[str, ...] = ()
    shares: Mapping[str, float] = field(factory=dict)  # by task, its share of the scores over all tasks


def score_submission(
    competition: Competition, program: Path, reference: Path, submission: Path, registry: Registry
) -> Scored:
    """Score the files of a submission, which must answer all tasks and have a defined primary score.

    `program` is the folder of the scoring program, with a profile and inputs of the organizers, `reference` the one
    that has the gold, and `submission` the one that has what was handed in.
    """
    rules = competition_rules(competition, program, registry)
    with temporary_folder() as folder:
        root = folder.resolve() / "data"
        names = Names(root, program, {})
        try:
            chosen, left_out = chosen_files(competition, submission)
            shutil.copytree(reference, root)
            placed = place(competition.layout, {where: path for where, (_, path) in chosen.items()}, root)
            names = Names(root, program, {path: chosen[where][0] for path, where in placed.items()})
            parts = _validated(competition, rules, program, placed, registry)
            tasks = [_aligned(reading, rules) for reading in _answered(competition, rules, root, registry)]
            return _scored(competition, rules, tasks, registry, names.in_parts(parts), left_out)
        except DataError as error:
            raise names.refused(error) from error


def chosen_files(competition: Competition, folder: Path) -> tuple[dict[str, tuple[str, Path]], tuple[str, ...]]:
    """Return the name and the path of each file by its place, and the names of those that have none."""
    layout = competition.layout
    known = layout.folders or competition.tasks
    handed_in = read_handed_in(folder, known=known, largest=competition.largest)
    chosen = files_of_all(handed_in) if layout.shared else file_of_each(handed_in, layout.folders)
    unread = sorted({*handed_in.files} - {*chosen.values()})
    return {where: (name, handed_in.files[name]) for where, name in chosen.items()}, (*handed_in.left_out, *unread)


def _validated(
    competition: Competition, rules: Profile, program: Path, placed: Mapping[Path, str], registry: Registry
) -> list[Submitted]:
    """Check each file alone, against the public input of its task if there is one: as `qeframe validate` does."""
    reader = resolve(rules, registry).reader
    assert reader is not None
    inputs = {path.stem: path for path in sorted((program / INPUTS).glob("*"))} if competition.inputs else {}
    return [part for path, name in placed.items() for part in validate_submission(reader, path, inputs.get(name))]


def _answered(competition: Competition, rules: Profile, root: Path, registry: Registry) -> list[Reading]:
    """Read gold and submission, and check that every task is answered, by one submission."""
    readings = {reading.name: reading for reading in read_readings(rules, root, registry)}
    if not competition.tried and not {*competition.tasks} <= {*readings}:
        what = "its tasks have other names than their folders; make the bundle with a submission beside the gold"
        raise UnusableReferenceError(_tell(what))
    answered = {
        name: [side for side in reading.submissions if side.kind != "human"] for name, reading in readings.items()
    }
    missing = [name for name in competition.tasks if not answered.get(name)]
    if missing:
        raise missing_tasks(missing, len(competition.tasks), "hand in its answers too")
    submitted = list(dict.fromkeys(side.name for name in competition.tasks for side in answered[name]))
    if len(submitted) > 1:
        what = f"a submission has the scores of one metric, these are of {submitted[0]} and {submitted[1]}"
        raise DataError(what, remedy="hand in each by itself")
    return [
        attrs.evolve(readings[name], submissions=(attrs.evolve(answered[name][0], kind="real"),))
        for name in competition.tasks
    ]


def _aligned(reading: Reading, rules: Profile) -> Task:
    if rules.missing == "error":
        check_units(reading.submissions[0], attrs.evolve(reading.gold, path="the task", lines=None))
    return align(reading, missing=rules.missing)


def _scored(
    competition: Competition,
    rules: Profile,
    tasks: Sequence[Task],
    registry: Registry,
    parts: Sequence[Submitted],
    left_out: Sequence[str],
) -> Scored:
    try:
        evaluation = evaluate(rules, tasks, registry=registry)
    except QeframeError as error:  # it may be about the gold, and quote it
        what = f"the answers cannot be evaluated ({type(error).__name__}); tell the organizers"
        raise UnusableReferenceError(what) from error
    (scored,) = evaluation.submissions
    values = {column.key: _value(scored, column.metric, column.task) for column in competition.columns}
    undefined = tuple(key for key, value in values.items() if math.isnan(value))
    wrong = next((c for c in competition.columns if c.primary and c.key in undefined), None)
    if wrong:
        what = f"{wrong.title} is undefined for these answers"
        raise DataError(what, remedy="check that they are not all the same")
    changed = [note for note in evaluation.dropped if note.what == "answer"]
    notes = [f"{note.task}: {counted(note.count, note.what)}, {note.reason}" for note in changed]
    notes += [f"not read: {name}" for name in left_out]
    scores = {key: value for key, value in values.items() if key not in undefined}
    return Scored(scores=scores, undefined=undefined, parts=tuple(parts), notes=tuple(notes), shares=evaluation.shares)


def _value(scored: ScoredSubmission, metric: str, task: str) -> float:
    result = scored.scores[metric]
    return (result.tasks[task] if task else result).value


def _tell(what: str) -> str:
    return f"the reference data of the competition cannot be used: {what} (this is no mistake of the submission)"


@frozen
class Names:
    """The names that an author knows, in place of the paths of copies."""

    root: Path  # the folder of the copies
    program: Path  # the folder of the scoring program
    handed_in: Mapping[Path, str]  # the name of each file of the submission, by the path of its copy

    def in_parts(self, parts: Sequence[Submitted]) -> list[Submitted]:
        """Return parts named by the files that were handed in."""
        return [
            attrs.evolve(part, answers=attrs.evolve(part.answers, name=self.handed_in.get(Path(part.answers.path), "")))
            for part in parts
        ]

    def refused(self, error: DataError) -> QeframeError:
        """Return what an author is told of an error, or the error of a gold that cannot be used."""
        path = None if error.path is None else Path(error.path)
        for folder in (self.root, self.program):
            if path is not None and path.is_relative_to(folder) and path not in self.handed_in and path.is_file():
                line = f":{error.line}" if error.line else ""
                return UnusableReferenceError(_tell(f"{path.relative_to(folder)}{line}; tell the organizers"))
        where = ""
        if path is not None and path != self.root:
            name = self.handed_in.get(path, str(path))
            where = f"{name}:{error.line}: " if error.line else f"{name}: "
        said = where + error.what + (f"; {error.remedy}" if error.remedy else "")
        for copy, name in self.handed_in.items():
            said = said.replace(str(copy), name)
        for folder in {self.root, self.program} - {Path()}:
            said = said.replace(f"{folder}{os.sep}", "").replace(str(folder), "the submission")
        return RefusedError(one_line(said))
