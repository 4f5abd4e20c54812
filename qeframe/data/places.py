"""Where fetched data are kept."""

import json
import os
from pathlib import Path

from qeframe.core.errors import DataError
from qeframe.data.published.data_source import DataSource

CACHE = "QEFRAME_CACHE"
"""The environment variable that names the folder of fetched data."""

RECORD = ".qeframe-source.json"
"""The file in a folder of fetched data that says what was downloaded. It is written last."""


def need_pooch() -> None:
    """Raise a `DataError` with the command that installs pooch, if it is not installed."""
    try:
        import pooch  # noqa: F401
    except ImportError as error:
        remedy = 'install it with: pip install "qeframe[fetch]"'
        raise DataError("downloads need the package pooch, which is not installed", remedy=remedy) from error


def data_folder(source: DataSource) -> Path:
    """Return the folder in which the data are kept where no other is named: below QEFRAME_CACHE, or the user's cache.

    Raises DataError if QEFRAME_CACHE is not set and pooch, which knows the user's cache, is not installed.
    """
    if named := os.environ.get(CACHE):
        return Path(named) / source.folder
    need_pooch()
    import pooch

    return Path(pooch.os_cache("qeframe")) / source.folder


def fetched_folder(source: DataSource) -> Path | None:
    """Return the folder of the fetched data, or None if they were not fetched."""
    try:
        folder = data_folder(source)
    except DataError:
        return None
    return folder if is_fetched(source, folder) else None


def is_fetched(source: DataSource, folder: Path) -> bool:
    """Return whether a folder holds exactly what the source describes today."""
    try:
        return (folder / RECORD).read_text(encoding="utf-8") == description(source)
    except (OSError, ValueError):
        return False


def description(source: DataSource) -> str:
    """Return the record of a source, as JSON: what is downloaded from where, and all that is checked."""
    files = [
        {"url": f.url, "path": f.path, "sha256": f.sha256, "strip": f.strip, "only": list(f.only)} for f in source.files
    ]
    record = {
        "name": source.name,
        "revision": source.revision,
        "license": source.license,
        "files": files,
        "checksums": source.member_digests(),
    }
    return json.dumps(record, indent=1, sort_keys=True) + "\n"
