"""Digests of what is computed: of work, of blocks, of the sources of qeframe and its plugins."""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import attrs


def digest_of(value: Any) -> str | None:
    """Return a digest of the content of a value; None if it cannot be pickled.

    Equal values have equal digests in all processes, whatever they share or have cached: of attrs classes only the
    fields count, of other classes all attributes but the values of cached properties. A set of strings may have several
    digests, since its order differs from process to process.
    """
    hasher = _Hasher()
    pickler = _ByContent(hasher, protocol=5)
    pickler.fast = True
    try:
        pickler.dump(value)
    except (pickle.PicklingError, AttributeError, TypeError, ValueError, RecursionError):
        return None
    return hasher.digest.hexdigest()


def digest_of_sources(plugins: Iterable[str]) -> str:
    """Return a digest of the Python and TOML files of qeframe and of the packages of plugins."""
    digest = hashlib.blake2b(digest_size=16)
    for package in sorted({"qeframe", *(module.partition(".")[0] for module in plugins)}):
        file = getattr(sys.modules.get(package), "__file__", None)
        if file is None:
            continue
        folder = Path(file).parent
        files = [Path(file)] if Path(file).name != "__init__.py" else sorted(folder.rglob("*.py"))
        files += sorted(folder.rglob("*.toml")) if len(files) > 1 else []
        for one in files:
            digest.update(f"{package}/{one.relative_to(folder).as_posix()}\0".encode())
            digest.update(one.read_bytes())
    return digest.hexdigest()


class _Hasher:
    """A file that keeps nothing but the digest of what is written."""

    def __init__(self) -> None:
        self.digest = hashlib.blake2b(digest_size=16)

    def write(self, written: Any) -> int:
        with memoryview(written) as view:
            self.digest.update(view)
            return view.nbytes


class _ByContent(pickle.Pickler):
    """A pickler that sees no cached values; what it writes is not read."""

    def reducer_override(self, value: Any) -> Any:
        kind: Any = type(value)
        if isinstance(value, type):
            return NotImplemented
        if attrs.has(kind):
            return _made, (kind, tuple(getattr(value, field.name) for field in attrs.fields(kind)))
        cached = _cached_properties(kind)
        if not cached or kind.__reduce_ex__ is not object.__reduce_ex__ or kind.__reduce__ is not object.__reduce__:
            return NotImplemented
        return _made, (kind, {name: held for name, held in vars(value).items() if name not in cached})


@cache
def _cached_properties(kind: Any) -> frozenset[str]:
    """Return the names of the cached properties of a class; none if its instances have no attributes of their own."""
    if not kind.__dictoffset__:
        return frozenset()
    attributes = (attribute for base in kind.__mro__ for attribute in vars(base).items())
    return frozenset(name for name, held in attributes if isinstance(held, cached_property))


def _made(kind: type, content: Any) -> None:
    """Stand for an instance of a class."""
