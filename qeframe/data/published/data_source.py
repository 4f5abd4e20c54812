"""`DataSource`: where the files of a shared task are published, under which license, and how they are checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import attrs
from attrs import field, frozen

from qeframe.core.component import Component, as_names
from qeframe.core.errors import DataError, counted, did_you_mean

T = TypeVar("T")


def toml_tables(file: Traversable) -> dict[str, dict[str, Any]]:
    """Return the tables of a TOML file by name.

    Raises DataError if the file cannot be read, is no TOML, or has a key outside a table.
    """
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read as TOML: {error}", path=str(file)) from error
    for name, table in content.items():
        if not isinstance(table, dict):
            raise DataError(f"'{name}' is not a table", path=str(file), remedy=f"begin it with [{name}]")
    return content


def made_of(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    """Return the value of an attrs class whose fields are the keys of a table.

    Raises DataError for an unknown or missing key, or a value that the class refuses. `where` begins the message.
    """
    fields = {field.name: field for field in attrs.fields(kind)}  # type: ignore[arg-type]
    for key in table:
        if key not in fields:
            raise DataError(f"{where}: unknown key '{key}', {did_you_mean(key, fields)}")
    missing = [name for name, field in fields.items() if field.default is attrs.NOTHING and name not in table]
    if missing:
        raise DataError(f"{where}: the key '{missing[0]}' is missing")
    try:
        return kind(**table)
    except (DataError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{where}: {error}") from error


_DIGEST = re.compile(r"[0-9a-f]{64}")


def is_inside(path: str) -> bool:
    """Return whether a path, with slashes, leads to something inside the folder that it is relative to.

    False for an empty or an absolute path, a drive, ``..`` and a zero byte.
    """
    parts = path.replace("\\", "/").split("/")
    return bool(path) and "\0" not in path and not re.match("[A-Za-z]:", path) and ".." not in parts and parts[0] != ""


def _check_path(_: object, attribute: Any, value: str) -> None:
    if value and not is_inside(value):
        raise DataError(f"{attribute.name} '{value}' is not inside the folder of the data")


def _check_url(_: object, __: object, value: str) -> None:
    if not re.fullmatch(r"https?://[^\s/]+/\S+", value):
        raise DataError(f"the url '{value}' does not begin with https:// and a host")


def _check_digest(_: object, __: object, value: str) -> None:
    if value and not _DIGEST.fullmatch(value):
        raise DataError(f"sha256 '{value}' is not 64 digits in lower-case hexadecimal")


@frozen(kw_only=True)
class SourceFile:
    """One file to download.

    Parameters
    ----------
    url : str
        Begins with ``https://`` or ``http://``.
    path : str
        Where the file is kept, inside the folder of the data. Empty for an archive that is unpacked.
    sha256 : str
        The SHA-256 of the file as it is downloaded, 64 hexadecimal digits. Empty: it is not known, nothing is checked.
    size : int
        In bytes; 0: not known.
    unpack : bool
        Whether the file is an archive (tar, also compressed, or zip), of which only the content is kept.
    strip : int
        How many leading folders of the names in the archive are left out.
    only : tuple of str
        Folders of the archive, after `strip`; other members are not unpacked. Empty: all are.
    """

    url: str = field(validator=_check_url)
    path: str = field(default="", validator=_check_path)
    sha256: str = field(default="", validator=_check_digest)
    size: int = 0
    unpack: bool = False
    strip: int = 0
    only: tuple[str, ...] = field(default=(), converter=as_names)

    def __attrs_post_init__(self) -> None:
        if bool(self.path) == self.unpack:
            raise DataError(f"{self.url}: a file has a path, and an archive to unpack has none")


@frozen(kw_only=True)
class SourceUse:
    """A profile that runs on the data, the path inside their folder that it reads, and settings of the run.

    Parameters
    ----------
    profile : str
    path : str
        Inside the folder of the data; empty: the folder itself.
    settings : tuple of str
        Each is ``KEY=VALUE``, as for ``--set``.
    """

    profile: str
    path: str = field(default="", validator=_check_path)
    settings: tuple[str, ...] = field(default=(), converter=as_names)


def _files(files: Iterable[SourceFile | Mapping[str, Any]]) -> tuple[SourceFile, ...]:
    return tuple(file if isinstance(file, SourceFile) else made_of(SourceFile, file, "files") for file in files)


def _uses(uses: Iterable[SourceUse | Mapping[str, Any]]) -> tuple[SourceUse, ...]:
    return tuple(use if isinstance(use, SourceUse) else made_of(SourceUse, use, "uses") for use in uses)


@frozen(kw_only=True, repr=False)
class DataSource(Component):
    """The published files of a shared task, which ``qeframe fetch`` downloads. No data are part of a plugin.

    `summary` says which task the data are of, `source` where they are published.

    Parameters
    ----------
    files : sequence of SourceFile
        A mapping with the same keys is read too.
    license : str
        As the publisher states it; empty if none is stated.
    revision : str
        The commit or version that is downloaded. Empty: not pinned, what is there on the day is downloaded.
    checksums : file, optional
        Lines ``SHA-256, two blanks, path`` of files in the folder of the data, as ``sha256sum`` writes them. They are
        checked after everything was unpacked; other files are not checked.
    uses : sequence of SourceUse
        The profiles that read the data.
    """

    files: tuple[SourceFile, ...] = field(converter=_files)
    license: str = ""
    revision: str = ""
    checksums: Traversable | None = field(default=None, eq=False, repr=False)
    uses: tuple[SourceUse, ...] = field(default=(), converter=_uses)

    def __attrs_post_init__(self) -> None:
        if not self.files:
            raise DataError(f"the data source '{self.name}' has no files")

    @property
    def folder(self) -> str:
        """The name of the folder that holds the data: another revision has another folder."""
        return "-".join(filter(None, [self.name, re.sub("[^0-9A-Za-z.]", "_", self.revision)[:12]]))

    @property
    def size(self) -> int:
        """The number of bytes to download; 0 if the size of a file is not known."""
        return sum(file.size for file in self.files) if all(file.size for file in self.files) else 0

    @property
    def checked(self) -> str:
        """What of the data is checked, in words."""
        digests = sum(bool(file.sha256) for file in self.files)
        if digests == len(self.files):
            return "SHA-256"
        digests += len(self.member_digests())
        return f"SHA-256 of {counted(digests, 'file')}" if digests else "not verified"

    def member_digests(self) -> dict[str, str]:
        """Return the SHA-256 of the files that `checksums` lists, by path.

        Raises
        ------
        DataError
            If a line has another form.
        """
        if self.checksums is None:
            return {}
        digests = {}
        for number, line in enumerate(self.checksums.read_text(encoding="utf-8").splitlines(), 1):
            digest, _, path = line.partition("  ")
            if not (_DIGEST.fullmatch(digest) and is_inside(path)):
                raise DataError("is not a line of sha256sum", path=str(self.checksums), line=number)
            digests[path] = digest
        return digests


def data_sources_from_toml(folder: Traversable, name: str) -> list[DataSource]:
    """Return the data sources of a TOML file, one for each table.

    Files of checksums are in its folder too: the value of the key `checksums` is their name. Raises DataError if the
    file cannot be read, or a table is no data source.
    """
    sources = []
    for key, table in toml_tables(folder.joinpath(name)).items():
        beside = {"checksums": folder.joinpath(table["checksums"])} if "checksums" in table else {}
        sources.append(made_of(DataSource, {"name": key, **table, **beside}, f"{name}: {key}"))
    return sources
