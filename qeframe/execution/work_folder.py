"""A folder of finished blocks: each a file, named by the digest of what it holds the result of.

Files are written beside their place and moved there, and hold a digest of their content: a block that was cut off by a
kill, or damaged since, is not there. Nothing that is read is run.
"""

import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from qeframe.core.errors import DataError
from qeframe.core.temporary_folders import remove_old

FORMAT = 1
"""The version of the format of work folders."""
MANIFEST = "manifest.json"
MOST_BYTES = 4 * 2**30
"""The most that a work folder holds."""
MOST_DAYS = 14
"""After so many days without a new block a work folder in the user's cache is removed."""

_DIGEST = 16


class WorkFolder:
    """Finished blocks in a folder."""

    def __init__(self, path: Path) -> None:
        self.path, self._bytes = path, 0

    def manifest(self) -> dict[str, Any] | None:
        """Return what the folder says about itself; None if there is no such folder.

        Raises DataError if it is not a work folder, or one of another format.
        """
        try:
            manifest = json.loads((self.path / MANIFEST).read_text(encoding="utf-8"))
        except FileNotFoundError:
            if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
                raise DataError("is not a work folder of qeframe", path=self.path, remedy="name another") from None
            return None
        except (OSError, ValueError) as error:
            raise DataError(f"{MANIFEST} cannot be read", path=self.path, remedy="remove the folder") from error
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            version = manifest.get("format") if isinstance(manifest, dict) else None
            what = f"the work folder has format {version}, this version of qeframe reads {FORMAT}"
            raise DataError(what, path=self.path, remedy="compute it again, or use the version that wrote it")
        return manifest

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Make the folder and write what it is, in one step; remove what a killed process left in it."""
        remove_old(self.path, "*.new")
        text = json.dumps({"format": FORMAT, **manifest}, sort_keys=True, indent=2) + "\n"
        self._write(MANIFEST, text.encode("utf-8", "surrogatepass"))
        self._bytes = sum(file.stat().st_size for file in self.path.iterdir())

    def has(self, key: str) -> bool:
        """Return whether there is a file of a block."""
        return (self.path / key).exists()

    def read(self, key: str) -> np.ndarray[Any, Any] | None:
        """Return the result of a block; None if there is none, or if its file is damaged."""
        try:
            content = (self.path / key).read_bytes()
        except OSError:
            return None
        digest, stored = content[:_DIGEST], content[_DIGEST:]
        if hashlib.blake2b(stored, digest_size=_DIGEST).digest() != digest:
            return None
        array: np.ndarray[Any, Any] = np.load(io.BytesIO(stored), allow_pickle=False)
        return array

    def write(self, key: str, result: np.ndarray[Any, Any]) -> None:
        """Keep the result of a block.

        Raises DataError if it cannot be written, as when the disk or the folder is full.
        """
        stored = io.BytesIO()
        np.save(stored, result, allow_pickle=False)
        content = stored.getvalue()
        if self._bytes + len(content) > MOST_BYTES:
            raise DataError(f"the work folder is full: it holds at most {MOST_BYTES // 2**30} GB", path=self.path)
        self._write(key, hashlib.blake2b(content, digest_size=_DIGEST).digest() + content)
        self._bytes += len(content)

    def remove(self) -> None:
        """Remove the folder and what it holds."""
        shutil.rmtree(self.path, ignore_errors=True)

    def remove_old_neighbors(self) -> None:
        """Remove work folders beside this one that were not written to for long."""
        before = time.time() - MOST_DAYS * 86400
        for folder in self.path.parent.glob("*/"):
            try:
                if folder != self.path and (folder / MANIFEST).exists() and folder.stat().st_mtime < before:
                    shutil.rmtree(folder, ignore_errors=True)
            except OSError:
                continue

    def _write(self, name: str, content: bytes) -> None:
        beside = self.path / f"{name}.{os.getpid()}.new"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                beside.write_bytes(content)
                os.replace(beside, self.path / name)
            finally:
                with suppress(OSError):
                    beside.unlink(missing_ok=True)
        except OSError as error:
            what = f"blocks cannot be kept: {error.strerror or error}"
            raise DataError(what, path=self.path, remedy="free space, or name another folder") from error
