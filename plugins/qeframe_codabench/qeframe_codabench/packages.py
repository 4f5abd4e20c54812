"""The packages of a bundle, from what is installed: the scoring program has exactly the code that made the bundle."""

import base64
import hashlib
import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from qeframe.plugin import DataError
from qeframe.plugin.results import load

_OF_INSTALLATION = frozenset({"RECORD", "INSTALLER", "REQUESTED", "direct_url.json", "uv_cache.json"})
"""Files of metadata that an installer adds; one of them may name a folder of this machine."""
_DOWNLOAD = "pip install --target FOLDER --only-binary :all: --platform manylinux_2_28_x86_64 --python-version 3.11"


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of files by their paths, with slashes; equal files give equal bytes with one zlib."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name)  # of 1980, the first year that the format has
            entry.create_system, entry.external_attr = 3, 0o644 << 16  # Unix, on every machine
            entry.compress_type = zipfile.ZIP_STORED if name.endswith((".whl", ".png")) else zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return stream.getvalue()


def own_distributions() -> list[str]:
    """Return the names of the distributions of qeframe, of its loaded plugins and of this package, in order."""
    named = {plugin.origin.distribution for plugin in load().plugins}
    return sorted({"qeframe", "qeframe-codabench", *(name for name in named if not name.startswith("("))})


def dependencies_of(names: Iterable[str]) -> list[str]:
    """Return the names of all distributions that these need, in order, without themselves and without extras.

    A requirement with another condition than an extra counts if it is installed.
    """
    given = {_plain(name) for name in names}
    seen, pending = {*given}, [*given]
    while pending:
        for line in distribution(name := pending.pop()).requires or ():
            match = re.match(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)[^;]*(;?)(.*)", line)
            needed = _plain(match[1]) if match else ""
            if not match or needed in seen or re.search(r"\bextra\s*==", match[3]):
                continue
            try:
                distribution(needed)
            except PackageNotFoundError:
                if not match[2]:
                    what = f"'{needed}', which '{name}' needs, is not installed"
                    raise DataError(what, remedy=f"pip install {needed}") from None
                continue
            seen.add(needed)
            pending.append(needed)
    return sorted(seen - given)


def files_of(name: str) -> dict[str, bytes]:
    """Return the installed files of a distribution by their paths in a folder of packages."""
    dist = distribution(name)
    for line in (dist.read_text("WHEEL") or "").splitlines():
        if line.startswith("Tag:") and not re.search("-any$|linux.*x86_64", line):
            what = f"the installed '{name}' is for {line.rpartition('-')[2]}, and a platform runs Linux on x86-64"
            raise DataError(what, remedy=f"'{_DOWNLOAD} numpy scipy ...', then give FOLDER to --packages")
    recorded = {str(path).replace("\\", "/"): Path(str(path.locate())) for path in dist.files or ()}
    about = {path: file for path, file in recorded.items() if ".dist-info/" in path}
    if not about:
        raise DataError(f"the files of the installed '{name}' are not known", remedy="install it from a wheel with pip")
    editable = json.loads(dist.read_text("direct_url.json") or "{}").get("dir_info", {}).get("editable")
    code = dict(_sources(dist)) if editable else {path: recorded[path] for path in recorded.keys() - about}
    kept = {path: file for path, file in about.items() if path.rpartition("/")[2] not in _OF_INSTALLATION} | code
    left_out = re.compile(r"\.\..*|.*__pycache__.*|.*\.(pyc|pth)")
    return {path: file.read_bytes() for path, file in kept.items() if not left_out.fullmatch(path)}


def _sources(dist: Distribution) -> Iterator[tuple[str, Path]]:
    """Yield the files of the packages of an editable installation: those that its entry points name."""
    for package in sorted({point.module.partition(".")[0] for point in dist.entry_points}):
        spec = find_spec(package)
        for location in (spec.submodule_search_locations or ()) if spec else ():
            files = (path for path in Path(location).rglob("*") if path.is_file())
            yield from ((path.relative_to(Path(location).parent).as_posix(), path) for path in files)
        if spec and spec.origin and not spec.submodule_search_locations:
            yield Path(spec.origin).name, Path(spec.origin)


def wheel_of(name: str) -> tuple[str, bytes]:
    """Return the name and the bytes of a wheel with the installed files of a distribution in Python alone."""
    files = files_of(name)
    info = next(path.rpartition("/")[0] for path in files if path.endswith(".dist-info/METADATA"))
    record = "".join(f"{path},sha256={_hash(content)},{len(content)}\n" for path, content in sorted(files.items()))
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return f"{info.removesuffix('.dist-info')}-py3-none-any.whl", zip_bytes(files)


def _plain(name: str) -> str:
    return re.sub("[-_.]+", "-", name).lower()


def _hash(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
