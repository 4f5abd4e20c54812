"""Blocks that are kept in a work folder, found there, and divided among shards."""

import hashlib
import pickle
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen

from qeframe.core.errors import DataError
from qeframe.core.resampling.parallel import Compute, Results
from qeframe.execution.placeholders import FEW, draws_of, placeholder
from qeframe.execution.work_folder import WorkFolder


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
        for source in files:
            digest.update(f"{package}/{source.relative_to(folder).as_posix()}\0".encode())
            digest.update(source.read_bytes())
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
    return frozenset(name for name, value in attributes if isinstance(value, cached_property))


def _made(kind: type, content: Any) -> None:
    """Stand for an instance of a class."""


@frozen
class Share:
    """The part of all blocks that a shard computes.

    `number`: from 1 to `count`.
    """

    number: int
    count: int

    def owns(self, block: int) -> bool:
        """Return whether the shard computes a block; blocks are numbered over the whole evaluation."""
        return block % self.count == self.number - 1


@frozen
class _Step:
    """One work, and the digests of its blocks."""

    work: Callable[[Any], Any]
    _digests: dict[str, str | None] = field(factory=dict, init=False)

    def key(self, item: Any) -> str | None:
        """Return the name of a block; None if it cannot be kept."""
        if "" not in self._digests:
            self._digests[""] = digest_of(self.work)
        work = self._digests[""]
        return None if work is None else digest_of((work, item))


_LARGE = 2**20
"""A block of more bytes is kept only if it was waited for long enough: see `_BYTES_A_SECOND`."""

_BYTES_A_SECOND = 4e7
"""So many bytes of a large block are worth a second of waiting for it, five times as long as to write them.

With several workers it is waited for less long than it takes: a run that goes on would wait as long.
"""


class KeptBlocks:
    """Blocks that are found in folders, or computed and kept.

    `folder`: where new blocks are kept; None keeps none.
    `manifest`: Returns what the folder says about itself; called when it is made.
    `found_in`: more folders with finished blocks.
    `share`: the part that is computed. Steps of draws have a few draws in place of their results: nothing that is made
      from them is to be used. Items that are no draws are computed by every shard.
    `on_notice`: called with one line of text if blocks can no longer be kept.
    """

    def __init__(
        self,
        folder: WorkFolder | None,
        manifest: Callable[[], Mapping[str, Any]] = dict,
        *,
        found_in: Sequence[WorkFolder] = (),
        share: Share | None = None,
        on_notice: Callable[[str], None] = lambda _text: None,
    ) -> None:
        self._folder, self._manifest, self._share, self._on_notice = folder, manifest, share, on_notice
        self._folders = [*found_in, *([] if folder is None else [folder])]
        self._active = bool(found_in) or (folder is not None and folder.manifest() is not None)
        self._step: _Step | None = None
        self._numbered = 0
        self.found = self.computed = 0
        if share is not None:
            self._activate()

    @property
    def stands_in(self) -> bool:
        """Whether results of draws are placeholders."""
        return self._share is not None

    @property
    def rows(self) -> int:
        """The rows of the results of any number of draws in a shard; 0 if they have a row for each draw."""
        return FEW if self.stands_in else 0

    def __call__(self, work: Callable[[Any], Any], items: Sequence[Any], compute: Compute) -> Results:
        """Yield the results of all items, in their order."""
        step = _Step(work)
        places = [self._find(step, item) for item in items]
        first, self._numbered = self._numbered, self._numbered + len(items)
        stand_in = self._standing(work, items)
        others = set()
        if stand_in is not None and self._share is not None:
            others = {n for n, place in enumerate(places) if place is None and not self._share.owns(first + n)}
        missing = [item for nth, item in enumerate(items) if places[nth] is None and nth not in others]
        results, waited, computed = compute(work, missing), 0.0, self.computed
        for nth, item in enumerate(items):
            place = places[nth]
            result = place[0].read(place[1]) if place is not None else None
            if result is not None:
                self.found += 1
            elif nth not in others:
                begun = time.monotonic()
                result = next(results) if place is None else next(compute(work, [item]))
                waited += time.monotonic() - begun
                self.computed += 1
                self._keep(step, item, result, waited / (self.computed - computed))
            yield result if stand_in is None else stand_in(0 if nth else FEW)

    def _find(self, step: _Step, item: Any) -> tuple[WorkFolder, str] | None:
        if not self._active:
            return None
        key = step.key(item)
        return None if key is None else next(((f, key) for f in self._folders if f.has(key)), None)

    def _standing(self, work: Callable[[Any], Any], items: Sequence[Any]) -> Callable[[int], Any] | None:
        """Return what a shard goes on with in place of a step of draws: a few of them, whichever blocks are its own."""
        if self._share is None or not items or any(draws_of(item) is None for item in items):
            return None
        return placeholder(work, items[0])

    def keep(self, work: Callable[[Any], Any], item: Any, result: Any, seconds: float) -> None:
        """Keep the result of a block that was computed elsewhere; `seconds`: how long it was waited for."""
        if self._step is None or self._step.work is not work:
            self._step = _Step(work)
        self._keep(self._step, item, result, seconds)

    def _keep(self, step: _Step, item: Any, result: Any, seconds: float) -> None:
        if self._folder is None or not isinstance(result, np.ndarray) or result.dtype.hasobject:
            return
        if self._share is None and result.nbytes > max(_LARGE, seconds * _BYTES_A_SECOND):
            return  # soon computed again
        try:
            if not self._active:
                self._activate()
            if (key := step.key(item)) is not None:
                self._folder.write(key, result)
        except DataError as error:
            if self._share is not None:
                raise
            self._on_notice(f"{error}; the run goes on, but could not be resumed from here")
            self._folder = None

    def _activate(self) -> None:
        assert self._folder is not None
        self._folder.write_manifest(self._manifest())
        self._active = True
