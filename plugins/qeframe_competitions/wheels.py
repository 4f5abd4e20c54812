"""Wheels of what is installed: qeframe, its plugins, and what they depend on.

They are made from the installed files, so that a scoring program has exactly the code that made the bundle, also code
that is in no package index.
"""

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

from qeframe.plugin import DataError
from qeframe.plugin.competitions import COMMAND_GROUP, GROUP, Registry

_PROJECT = "qeframe"

_PACKED = (".whl", ".zip", ".gz", ".png")  # endings of files that are compressed already


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of files by their paths, with slashes; equal files give equal bytes with one zlib."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # of 1980, the first year that the format has
            entry.create_system = 3  # Unix, on every machine
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_STORED if name.endswith(_PACKED) else zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return stream.getvalue()


_OF_INSTALLATION = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"})
"""Files that an installer adds to those of a wheel; one of them may name a folder of this machine."""
_DOWNLOAD = (
    "pip download --dest FOLDER --only-binary :all: --platform manylinux2014_x86_64 --platform manylinux_2_28_x86_64 "
    "--python-version 3.11"
)


def own_distributions(registry: Registry) -> list[str]:
    """Return the names of the distributions of qeframe and of its loaded plugins, in order."""
    named = {plugin.origin.distribution for plugin in registry.plugins}
    return sorted({_PROJECT, *(name for name in named if not name.startswith("("))})


def dependencies_of(names: Iterable[str]) -> list[str]:
    """Return the names of all distributions that these need, in order, without themselves and without extras.

    A requirement with another condition than an extra counts if it is installed.
    """
    given = {_plain(name) for name in names}
    seen = dict.fromkeys(given)
    pending = list(given)
    while pending:
        name = pending.pop()
        for needed, certain in _requirements(name):
            if needed in seen:
                continue
            try:
                distribution(needed)
            except PackageNotFoundError:
                if certain:
                    what = f"'{needed}', which '{name}' needs, is not installed"
                    raise DataError(what, remedy=f"pip install {needed}") from None
                continue
            seen[needed] = None
            pending.append(needed)
    return sorted({*seen} - given)


def _requirements(name: str) -> Iterator[tuple[str, bool]]:
    """Yield what a distribution requires, and whether it does so without a condition."""
    for line in distribution(name).requires or ():
        needed, _, condition = line.partition(";")
        match = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)", needed)
        if match and not re.search(r"\bextra\s*==", condition):
            yield _plain(match[1]), not condition.strip()


def installed_wheel(name: str) -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel with the installed files of a distribution."""
    dist = distribution(name)
    files = dict(_files(dist))
    info = f"{_spelled(dist)}-{dist.version}.dist-info"
    tag = _tag(dist)
    if not (re.search("-any$|linux.*x86_64", tag)):
        what = f"the installed '{name}' is for {tag.rpartition('-')[2]}, and a platform runs Linux on x86-64"
        raise DataError(what, remedy=f"'{_DOWNLOAD} {name}', then give FOLDER to --wheels")
    record = "".join(f"{path},sha256={_hash(content)},{len(content)}\n" for path, content in sorted(files.items()))
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return f"{_plain(name).replace('-', '_')}-{dist.version}-{tag}.whl", zip_bytes(files)


def _files(dist: Distribution) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a wheel by their paths in it."""
    info = f"{_spelled(dist)}-{dist.version}.dist-info/"
    recorded = [(str(path).replace("\\", "/"), Path(str(path.locate()))) for path in dist.files or ()]
    about = [(name, path) for name, path in recorded if name.startswith(info)]
    if not any(name == f"{info}WHEEL" for name, _ in about):
        what = f"the files of the installed '{dist.name}' are not known: it was not installed from a wheel"
        raise DataError(what, remedy=f"install it with pip, or '{_DOWNLOAD} {dist.name}' and give FOLDER to --wheels")
    for name, path in about:
        if name.removeprefix(info) not in _OF_INSTALLATION:
            yield name, path.read_bytes()
    origin = json.loads(dist.read_text("direct_url.json") or "{}")
    code = (
        _sources(dist)
        if origin.get("dir_info", {}).get("editable")
        else [file for file in recorded if file not in about]
    )
    for name, path in code:
        if not (name.startswith("..") or "__pycache__" in name or name.endswith((".pyc", ".pth"))):
            yield name, path.read_bytes()


def _sources(dist: Distribution) -> Iterator[tuple[str, Path]]:
    """Yield the files of the packages of an editable installation: those of plugins and commands, and the project."""
    named = [point for group in (GROUP, COMMAND_GROUP) for point in entry_points(group=group)]
    points = [point for point in named if point.dist and point.dist.name == dist.name]
    packages = {point.module.partition(".")[0] for point in points} | ({_PROJECT} if dist.name == _PROJECT else set())
    if not packages:
        what = f"'{dist.name}' is installed in editable mode, and it is not known which files it has"
        raise DataError(what, remedy="install it with 'pip install' without -e, or give a wheel of it in --wheels")
    for package in sorted(packages):
        spec = find_spec(package)
        assert spec is not None
        for location in spec.submodule_search_locations or ():
            above = Path(location).parent
            files = sorted(path for path in Path(location).rglob("*") if path.is_file())
            yield from ((path.relative_to(above).as_posix(), path) for path in files)
        if not spec.submodule_search_locations and spec.origin:
            yield Path(spec.origin).name, Path(spec.origin)


def _tag(dist: Distribution) -> str:
    """Return the tag in the name of a wheel: Python, ABI and platform, each with all that the wheel states."""
    lines = (dist.read_text("WHEEL") or "").splitlines()
    tags = [line.partition(":")[2].strip().split("-") for line in lines if line.startswith("Tag:")]
    return "-".join(".".join(dict.fromkeys(parts)) for parts in zip(*tags, strict=True))


def given_wheels(folder: Path, *, own: Iterable[str], needed: Iterable[str]) -> dict[str, bytes]:
    """Return the wheels in a folder by their names: all that are `needed`, and none of those that are made here."""
    if not folder.is_dir():
        raise DataError("there is no such folder", path=folder, remedy=f"make it with '{_DOWNLOAD} numpy scipy ...'")
    paths = sorted(folder.glob("*.whl"))
    wheels = {_plain(path.name.partition("-")[0]): path for path in paths}
    twice = next((name for name in map(_plain, own) if name in wheels), None)
    if twice:
        what = f"the wheel of {twice} is made from what is installed"
        raise DataError(what, path=wheels[twice], remedy="remove it from the folder")
    missing = [name for name in needed if _plain(name) not in wheels]
    if missing:
        what = f"no wheel of {', '.join(missing)} is here"
        raise DataError(what, path=folder, remedy=f"'{_DOWNLOAD} {' '.join(missing)}'")
    return {path.name: path.read_bytes() for path in paths}


def _plain(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def _spelled(dist: Distribution) -> str:
    """Return the name of a distribution as in the name of its folder of metadata."""
    suffix = f"-{dist.version}.dist-info/WHEEL"
    names = [str(path).replace("\\", "/") for path in dist.files or ()]
    return next((name.removesuffix(suffix) for name in names if name.endswith(suffix)), dist.name.replace("-", "_"))


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
