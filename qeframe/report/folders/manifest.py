"""The manifest of a result: the names and hashes of its files. No run removes what it does not list."""

import errno
import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

MANIFEST = ".qeframe.json"


def write_result(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write a new folder: the manifest first, so that the rest can be told from other files at any moment.

    `folder`: a folder that does not exist; its parent does. `files`: the contents by name; ``a/b`` is the file b in the
    folder a.
    """
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    folder.mkdir()
    (folder / MANIFEST).write_text(json.dumps({"files": listed}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def has_manifest(folder: Path) -> bool:
    """Return whether a folder has a complete manifest."""
    return _listed(folder) is not None


def listed_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a result that are still there, by name; empty for a folder without a manifest."""
    return {name: (folder / name).read_bytes() for name in listed_names(folder) if (folder / name).exists()}


def listed_names(folder: Path) -> list[str]:
    """Return the names of the files of a result; empty for a folder without a manifest."""
    return list(_listed(folder) or {})


def foreign_files(folder: Path) -> list[str]:
    """Return the names of what no run wrote into a folder, or what was changed since; empty for an empty folder."""
    listed = _listed(folder) or {}
    known = {MANIFEST} if listed else set()
    parents = {str(parent) for name in listed for parent in PurePosixPath(name).parents}
    foreign = []
    for root, folders, files in os.walk(folder, onerror=_raise):
        for path in [Path(root, name) for name in [*folders, *files]]:
            name = path.relative_to(folder).as_posix()
            if path.is_dir() and not path.is_symlink():
                ours = name in parents
            else:
                ours = name in known or _hash(path) == listed.get(name, "none")
            if not ours:
                foreign.append(name)
    return sorted(foreign)


def remove_result(folder: Path) -> None:
    """Remove the files that the manifest lists, then the manifest, then the folder.

    Raises OSError if something else is in the folder; that stays, and the manifest too.
    """
    names = list(_listed(folder) or {})
    parents = {folder / parent for name in names for parent in PurePosixPath(name).parents}
    for name in names:
        (folder / name).unlink(missing_ok=True)
    for parent in sorted(parents - {folder}, key=lambda path: -len(path.parts)):
        with suppress(OSError):
            parent.rmdir()
    if others := sorted(set(os.listdir(folder)) - {MANIFEST}):
        raise OSError(errno.ENOTEMPTY, f"it holds '{others[0]}', which no run wrote", str(folder))
    (folder / MANIFEST).unlink(missing_ok=True)
    folder.rmdir()


def _listed(folder: Path) -> dict[str, str] | None:
    """Return the hashes by name, or None without a complete manifest of names below the folder."""
    path = folder / MANIFEST
    try:
        if path.is_symlink():
            return None
        listed = json.loads(path.read_bytes())["files"]
        names = [PurePosixPath(name) for name in listed]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not isinstance(listed, dict) or any(name.is_absolute() or ".." in name.parts for name in names):
        return None
    return {str(name): str(digest) for name, digest in listed.items()}


def _hash(path: Path) -> str:
    """Return the hash of a regular file, or an empty text for anything else."""
    if path.is_symlink() or not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _raise(error: OSError) -> None:
    raise error
