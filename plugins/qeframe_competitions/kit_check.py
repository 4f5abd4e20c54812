"""A submission checked by a starting kit before it is handed in: what the platform refuses, without the gold."""

import stat
import zipfile
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from qeframe.plugin import DataError
from qeframe.plugin.competitions import Profile, Registry, check_defined, temporary_folder, validate_submission
from qeframe.plugin.readers import Reader, Submitted
from qeframe.plugin.results import resolve
from qeframe_competitions.scoring import Names, chosen_files
from qeframe_competitions.settings import Competition, competition_rules, place, read_competition
from qeframe_competitions.submission_files import missing_tasks

EXAMPLE = "example"  # the folder of the kit with a whole submission


def check_handed_in(kit: Path, submission: Path, registry: Registry) -> list[Submitted]:
    """Check what would be handed in, a zip archive or a folder, by a starting kit: without the gold.

    Raises RefusedError with the line that the platform would give.
    """
    competition = read_competition(kit)
    rules = competition_rules(competition, kit, registry)
    resolved = resolve(rules, registry)
    reader = resolved.reader
    assert reader is not None
    with temporary_folder() as folder:
        root = folder.resolve() / "data"
        names = Names(root, kit, {})
        try:
            chosen, _ = chosen_files(competition, _unpacked(submission, folder.resolve() / "unpacked"))
            placed = place(competition.layout, {where: path for where, (_, path) in chosen.items()}, root)
            names = Names(root, kit, {path: chosen[where][0] for path, where in placed.items()})
            parts = []
            for path, where in placed.items():
                of_file = _check_alone(rules, reader, path, _example_of(competition, kit, where))
                check_defined(reader, resolved.metrics[0], of_file)
                parts += of_file
            _check_tasks(competition, kit, list(placed.values()))
            return names.in_parts(parts)
        except DataError as error:
            raise names.refused(error) from error


def _unpacked(submission: Path, folder: Path) -> Path:
    """Return the folder of what is handed in; an archive is unpacked, without following its links."""
    if submission.is_dir():
        return submission
    folder.mkdir()
    try:
        with zipfile.ZipFile(submission) as archive:
            for entry in archive.infolist():
                if stat.S_ISLNK(entry.external_attr >> 16):
                    raise DataError("this is a link", path=entry.filename, remedy="hand in the file itself")
            archive.extractall(folder)  # it makes paths safe
    except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        remedy = "give a zip archive, or the folder that becomes one"
        raise DataError(f"{submission.name} is no zip archive: {error}", remedy=remedy) from error
    return folder


def _example_of(competition: Competition, kit: Path, where: str) -> Path | None:
    """Return the file of the example in the place of a file that is handed in."""
    shared = competition.layout.shared
    folder = kit / EXAMPLE / PurePosixPath(where).parent if shared else kit / EXAMPLE
    files = sorted(path for path in folder.glob("*") if path.is_file()) if folder.is_dir() else []
    return next((path for path in files if shared or path.stem == where), None)


def _check_alone(rules: Profile, reader: Reader, path: Path, example: Path | None) -> list[Submitted]:
    """Check a file against the example; where the worst answer is filled in, its language pair alone."""
    if example is None or rules.missing != "score_as_worst":
        return validate_submission(reader, path, example)
    parts, known = validate_submission(reader, path), validate_submission(reader, example)
    wrong = next((part for part in parts if part.part not in {known_part.part for known_part in known}), None)
    if wrong is not None:
        raise DataError(f"'{wrong.part}' is not in the task", path=path, remedy=f"the task has '{known[0].part}'")
    return parts


def _check_tasks(competition: Competition, kit: Path, places: Sequence[str]) -> None:
    """Raise a `DataError` if tasks that share a folder lack an answer, or several metrics are handed in."""
    if not competition.layout.shared:
        return
    root = kit / EXAMPLE
    wanted = {path.relative_to(root).parent.as_posix() for path in root.rglob("*") if path.is_file()}
    missing = sorted(wanted - {PurePosixPath(place).parent.as_posix() for place in places})
    if missing:
        raise missing_tasks(missing, len(wanted), "hand in its answers too")
    names = list(dict.fromkeys(_metric_of(place) for place in places))
    if len(names) > 1:
        what = f"a submission has the scores of one metric, these are of {names[0]} and {names[1]}"
        raise DataError(what, remedy="hand in each by itself")


def _metric_of(place: str) -> str:
    """Return the name of a metric in the name of its file, before what it compares with and the level."""
    name = PurePosixPath(place).name
    return name.rpartition("-")[0] or name.partition(".")[0]
