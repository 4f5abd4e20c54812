"""A run that goes on where it was stopped: it begins to keep its blocks when it has lasted a while.

Most runs end before. They import nothing of the other modules of this package, look for one folder, and write nothing.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qeframe.core.errors import DataError
from qeframe.core.resampling.parallel import Blocks, Compute, Results

if TYPE_CHECKING:
    from qeframe.execution.block_store import KeptBlocks

DELAY = 10.0
"""Seconds of computation after which a run begins to keep its blocks; what it computed before is computed again."""
ROOT = "QEFRAME_WORK"
"""The environment variable that names the folder of work folders."""


def default_folder(request: Mapping[str, Any]) -> Path:
    """Return the work folder of a request to evaluate, below QEFRAME_WORK or the user's cache. It need not exist."""
    root = os.environ.get(ROOT)
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    below = Path(root) if root else Path(cache).expanduser() / "qeframe" / "work"
    described = json.dumps([os.getcwd(), dict(request)], sort_keys=True)
    return below / hashlib.blake2b(described.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


class Resumed:
    """A whole evaluation that keeps its blocks until it succeeds, and begins with those that are kept.

    `request`: what was asked for: profile, path, settings, seed and options, as values of JSON. `fresh`: whether blocks
    of an earlier run are removed.
    """

    def __init__(self, request: Mapping[str, Any], fresh: bool = False) -> None:
        self._path, self._fresh = default_folder(request), fresh
        self._late: _LateBlocks | None = None

    @property
    def is_whole(self) -> bool:
        """Whether all blocks are computed: no earlier run has kept any that are used."""
        return self._fresh or not self._path.exists()

    def blocks(self, describe: Callable[[], Mapping[str, Any]], on_notice: Callable[[str], None]) -> Blocks:
        """Return the blocks for a runner; `describe` gives the `description` of the evaluation."""
        if self._path.exists():
            self._check(describe, on_notice)

        def keep() -> "KeptBlocks":
            from qeframe.execution.block_store import KeptBlocks
            from qeframe.execution.work_folder import WorkFolder

            folder = WorkFolder(self._path)
            folder.remove_old_neighbors()
            return KeptBlocks(folder, describe, on_notice=on_notice)

        self._late = _LateBlocks(keep, at_once=self._path.exists())
        return self._late

    def finish(self) -> None:
        """Remove the work folder: the evaluation has succeeded."""
        if self._late is not None and self._late.kept is not None:
            from qeframe.execution.work_folder import WorkFolder

            WorkFolder(self._path).remove()

    def _check(self, describe: Callable[[], Mapping[str, Any]], on_notice: Callable[[str], None]) -> None:
        """Remove blocks of an earlier run that cannot be used, and say what is done."""
        from qeframe.execution.shards import differences
        from qeframe.execution.work_folder import WorkFolder

        folder = WorkFolder(self._path)
        if self._fresh:
            folder.remove()
            return
        try:
            manifest = folder.manifest()
            if manifest is not None and (others := differences(manifest, describe())):
                raise DataError(f"kept blocks differ in {others}", path=folder.path)
        except DataError as error:
            on_notice(f"{error.path}: {error.what}; all blocks are computed again")
            folder.remove()
            return
        if manifest is not None:
            on_notice(f"going on with the blocks in {folder.path}; --fresh computes them again")


class _LateBlocks:
    """Blocks that are kept once the computation has lasted a while.

    `keep`: makes what keeps blocks. `at_once`: whether it is made now: there are blocks to begin with.
    """

    stands_in = False
    rows = 0

    def __init__(self, keep: "Callable[[], KeptBlocks]", *, at_once: bool) -> None:
        self._keep, self._begun = keep, time.monotonic()
        self.kept = keep() if at_once else None

    def __call__(self, work: Callable[[Any], Any], items: Sequence[Any], compute: Compute) -> Results:
        """Yield the results of all items, in their order."""
        if self.kept is not None:
            yield from self.kept(work, items, compute)
            return
        results, waited = compute(work, items), 0.0
        for done, item in enumerate(items, start=1):
            begun = time.monotonic()
            result = next(results)
            waited += time.monotonic() - begun
            self._add(work, item, result, waited / done)
            yield result

    def _add(self, work: Callable[[Any], Any], item: Any, result: Any, seconds: float) -> None:
        if self.kept is None and time.monotonic() - self._begun >= DELAY:
            self.kept = self._keep()
        if self.kept is not None:
            self.kept.keep(work, item, result, seconds)
