"""The portions of an evaluation that are computed apart: shards, and the merge of all of them."""

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

from attrs import define, field

from qeframe.core.components.loading.hookspecs import PREFIX
from qeframe.core.errors import DataError
from qeframe.core.evaluation.canonical_json import plain_values
from qeframe.core.evaluation.result import Signature
from qeframe.core.resampling.parallel import Blocks
from qeframe.execution.block_store import KeptBlocks, Share, digest_of_sources
from qeframe.execution.work_folder import WorkFolder

Describe = Callable[[], Mapping[str, Any]]
Notice = Callable[[str], None]


class Portion(Protocol):
    """What is computed of an evaluation, and what is done with its blocks."""

    @property
    def is_whole(self) -> bool:
        """Whether all blocks are computed: none is there, and none is left to others."""

    def blocks(self, describe: Describe, on_notice: Notice) -> Blocks:
        """Return the blocks for a runner; `describe` gives the `description` of the evaluation."""

    def finish(self) -> None:
        """Do what is left after the evaluation succeeded."""


def description(signature: Signature) -> Mapping[str, Any]:
    """Return everything that the blocks of an evaluation depend on, as values of JSON."""
    groups = [group for group in entry_points().groups if group.startswith(PREFIX)]
    plugins = [point.module for group in groups for point in entry_points(group=group)]
    return {"signature": plain_values(signature), "sources": digest_of_sources(plugins)}


@define
class Shard:
    """A part of the blocks of an evaluation, in a folder of its own.

    `request`: what was asked for: profile, path, settings, seed and options, as values of JSON. `fresh`: whether blocks
    of an earlier run of this shard are removed.
    """

    path: Path
    share: Share
    request: Mapping[str, Any]
    fresh: bool = False
    _described: dict[str, Any] = field(factory=dict, init=False)

    @property
    def is_whole(self) -> bool:
        """False: the others are computed elsewhere."""
        return False

    def blocks(self, describe: Describe, on_notice: Notice) -> KeptBlocks:
        """Return the blocks.

        Raises DataError if the folder holds something else than an earlier run of this shard.
        """
        folder = WorkFolder(self.path)
        own = {"shard": [self.share.number, self.share.count], "request": dict(self.request)}
        self._described = {**describe(), **own, "finished": False}
        manifest = folder.manifest()
        if manifest is not None and self.fresh:
            folder.remove()
        elif manifest is not None and (others := differences(manifest, self._described)):
            raise DataError(f"holds a shard that differs in {others}", path=self.path, remedy="name another folder")
        return KeptBlocks(folder, lambda: self._described, share=self.share, on_notice=on_notice)

    def finish(self) -> None:
        WorkFolder(self.path).write_manifest({**self._described, "finished": True})


@define
class Merged:
    """All shards of an evaluation.

    `paths`: the folders of all shards, in any order. Raises DataError if a folder is no shard, a shard is missing, not
    finished or there twice, or shards are of different runs.
    """

    paths: Sequence[Path]
    _manifest: Mapping[str, Any] = field(factory=dict, init=False)
    kept: KeptBlocks | None = field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        manifests = [self._read(path) for path in self.paths]
        first = self._manifest = manifests[0]
        count = first["shard"][1]
        places: dict[int, Path] = {}
        for path, manifest in zip(self.paths, manifests, strict=True):
            if others := differences(manifest, first, ("shard", "nodes", "widths")):
                what = f"is a shard of another run than {self.paths[0]}: it differs in {others}"
                raise DataError(what, path=path, remedy="give the shards of one run")
            number, its_count = manifest["shard"]
            if its_count != count:
                what = f"is one of {its_count} shards, {self.paths[0]} one of {count}"
                raise DataError(what, path=path, remedy="give the shards of one run")
            if number in places:
                raise DataError(f"is shard {number}/{count}, as is {places[number]}", path=path, remedy="leave one out")
            if not manifest.get("finished"):
                remedy = "run it again: it goes on where it was stopped"
                raise DataError(f"shard {number}/{count} is not finished", path=path, remedy=remedy)
            places[number] = path
        if missing := [f"{number}/{count}" for number in range(1, count + 1) if number not in places]:
            raise DataError(f"shard {', '.join(missing)} is missing", remedy="run it with --shard, or add its folder")

    @property
    def is_whole(self) -> bool:
        """False: the blocks are there."""
        return False

    @property
    def request(self) -> Mapping[str, Any]:
        """What was asked for when the shards were computed."""
        request: Mapping[str, Any] = self._manifest["request"]
        return request

    def blocks(self, describe: Describe, on_notice: Notice) -> KeptBlocks:
        """Return the blocks.

        Raises DataError if the data, the rules or a version have changed since.
        """
        self.check(describe())
        self.kept = KeptBlocks(None, found_in=[WorkFolder(path) for path in self.paths], on_notice=on_notice)
        return self.kept

    def check(self, described: Mapping[str, Any]) -> None:
        """Raise a `DataError` if the data, the rules or a version have changed since."""
        if others := differences(described, self._manifest, ("shard", "request", "nodes", "widths")):
            what = f"the shards were computed under another {others}"
            raise DataError(what, path=self.paths[0], remedy="compute them again, or merge where they were computed")

    def by_number(self) -> list[tuple[Path, Mapping[str, Any]]]:
        """Return the folders and their manifests in the order of the shards."""
        return sorted(((path, self._read(path)) for path in self.paths), key=lambda read: read[1]["shard"])

    def finish(self) -> None:
        """Keep the shards: they may be merged again."""

    @staticmethod
    def _read(path: Path) -> Mapping[str, Any]:
        manifest = WorkFolder(path).manifest()
        if manifest is None or "shard" not in manifest:
            raise DataError("is not a shard", path=path, remedy="shards are written by run --shard I/N --out FOLDER")
        return manifest


def differences(first: Mapping[str, Any], other: Mapping[str, Any], besides: Sequence[str] = ()) -> str:
    """Return in what two descriptions differ, as words of the signature; empty if they are equal."""
    besides = (*besides, "format", "finished", "signature")
    mine, theirs = first.get("signature") or {}, other.get("signature") or {}
    keys = [key for key in {**mine, **theirs} if mine.get(key) != theirs.get(key)]
    keys += [key for key in {**first, **other} if key not in besides and first.get(key) != other.get(key)]
    names = {"sources": "the code of qeframe or a plugin", "inputs": "input files", "qeframe": "version of qeframe"}
    return ", ".join(names.get(key, key) for key in keys)
