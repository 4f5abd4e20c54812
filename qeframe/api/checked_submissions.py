"""Check submissions without evaluating them: all of a folder, or one file by itself."""

from functools import partial
from os import PathLike
from pathlib import Path

from qeframe.api.submissions import NO_READER, Chosen, choose_submissions, readers_of
from qeframe.core.errors import DataError, ProfileError
from qeframe.core.loader import load
from qeframe.core.profile import Profile
from qeframe.core.reader import Reader
from qeframe.core.reading import Submitted
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.data.all_mistakes import Mistake, mistakes_of_file
from qeframe.data.folders import visible
from qeframe.data.validate import check_defined, validate_submission


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
            in_file = mistakes_in_file(resolved, reader, file, like)
            mistakes += in_file
            valid[level] += [] if in_file else [file.stem]
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


def mistakes_in_file(resolved: ResolvedProfile, reader: Reader, path: Path, like: Path | None = None) -> list[Mistake]:
    """Return all mistakes of a file for which `check_submission` refuses it; the arguments are the same."""
    check = partial(check_submission, resolved, reader, path, like)
    return mistakes_of_file(path, check, partial(validate_submission, reader, path))


def _may_have_gold(root: Path) -> bool:
    """Return whether a folder holds more than submissions: a gold, or folders of tasks."""
    return any(path.name.startswith("gold") or (path.is_dir() and path.name != "submissions") for path in visible(root))
