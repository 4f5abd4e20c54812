"""Parts of a corpus that are summed apart by an index of the first pass, and the merge of their sums to one result."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qeframe.core.errors import DataError
from qeframe.core.evaluation.result import Evaluation
from qeframe.core.resampling.parallel import Runner
from qeframe.core.tasks.task import Input
from qeframe.execution.shards import Merged, description
from qeframe.execution.work_folder import WorkFolder
from qeframe.streaming.assembly import signature_of
from qeframe.streaming.chunk_counts import UNITS_IN_CHUNK
from qeframe.streaming.first_pass import Survey, noticed_of, plain_noticed, survey
from qeframe.streaming.second_pass import Node, Sums, SumTree
from qeframe.streaming.sides import Sides
from qeframe.streaming.stream import Plan, begin, planned

_FORMAT = 1
_REMEDY = "remove it, and make it again with 'qeframe stream --index'"


def write_survey(path: Path, survey: Survey, sides: Sides) -> None:
    """Write what the first pass found, in one step.

    Raises DataError if the file cannot be written.
    """
    facts = {
        "format": _FORMAT,
        "corpus": _described(sides),
        "units": survey.units,
        "centers": survey.centers,
        "gold_warning": survey.gold_warning,
        "inputs": [[file.path, file.sha256] for file in survey.inputs],
        "noticed": {name: plain_noticed(noticed) for name, noticed in survey.noticed.items()},
    }
    arrays = {f"offsets{nth}": np.array(offsets, dtype=np.int64) for nth, offsets in enumerate(survey.offsets)}
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    stored = io.BytesIO()
    np.savez(stored, facts=text, digests=survey.chunk_digests, **arrays)  # type: ignore[arg-type]
    beside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        beside.write_bytes(stored.getvalue())
        os.replace(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise DataError(f"the index cannot be written: {error.strerror}", path=path, remedy="name another") from error


def read_survey(path: Path, sides: Sides) -> Survey:
    """Return what the first pass over a corpus found.

    Raises DataError if the file is no index, or one of another corpus, or a file of the corpus has another size.
    """
    try:
        with np.load(path, allow_pickle=False) as stored:
            arrays: dict[str, NDArray[Any]] = dict(stored)
        facts = json.loads(arrays["facts"].tobytes())
        if facts["format"] != _FORMAT:
            raise ValueError
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise DataError("is not an index of this version of qeframe", path=path, remedy=_REMEDY) from error
    described = _described(sides)
    if others := [key for key, value in described.items() if facts["corpus"].get(key) != value]:
        raise DataError(f"is the index of another corpus: it differs in {', '.join(others)}", path=path, remedy=_REMEDY)
    return Survey(
        units=facts["units"],
        centers=tuple(facts["centers"]),
        chunk_digests=arrays["digests"],
        offsets=tuple(tuple(arrays[f"offsets{nth}"].tolist()) for nth in range(len(sides.sources))),
        inputs=tuple(Input(*values) for values in facts["inputs"]),
        stamps=(),
        gold_warning=facts["gold_warning"],
        noticed={name: noticed_of(plain) for name, plain in facts["noticed"].items()},
    )


def _described(sides: Sides) -> dict[str, Any]:
    """Return what an index depends on, as far as it is known without reading the files."""
    files = [Path(source.path) for source in sides.sources]
    return {
        "kind of batch": sides.kind.__name__,
        "best": sides.best,
        "submissions": list(sides.submissions),
        "sizes of files": [file.stat().st_size if file.is_file() else None for file in files],
    }


STREAM = "stream"
"""The key of a request that says that shards are those of a stream."""


def make_index(request: Mapping[str, Any], path: Path, runner: Runner) -> Survey:
    """Make the first pass over a corpus, and write what it found.

    `request`: arguments of `stream`. Raises QeframeError as `stream` does in its first pass; if the file cannot be
    written.
    """
    plan = planned(**request)
    begin(plan, runner)
    return _indexed(plan, path, runner)


def _indexed(plan: Plan, path: Path, runner: Runner) -> Survey:
    expected = -(-plan.sides.gold.expected_units() // UNITS_IN_CHUNK)
    surveyed = survey(plan.sides, lambda done: runner.on_progress(min(done, expected), expected))
    write_survey(path, surveyed, plan.sides)
    return surveyed


def stream_shard(
    request: Mapping[str, Any], index: Path, shard: tuple[int, int], out: Path, runner: Runner, *, fresh: bool = False
) -> None:
    """Sum a part of the chunks into a folder; nothing is done if they are there.

    `request`: arguments of `stream`.
    `index`: what `make_index` wrote; it is made if it is not there.
    `shard`: the number of the part, from 1, and how many there are. A part may have no chunk.
    `fresh`: whether they are summed again.

    Raises QeframeError if the folder holds something else; if a file has changed since the index was made; as `stream`.
    """
    plan = planned(**request)
    rows, _ = begin(plan, runner)
    surveyed = read_survey(index, plan.sides) if index.exists() else _indexed(plan, index, runner)
    folder, stated = WorkFolder(out), _manifest(request, plan, surveyed, shard, index)
    present = folder.manifest()
    if present is not None and not fresh:
        if {**present, "finished": True} != {**present, **stated, "finished": True}:
            raise DataError("holds another shard", path=out, remedy="name another folder, or give --fresh")
        if present["finished"]:
            return
    folder.remove()
    number, count = shard
    chunks = surveyed.chunk_digests.shape[1]
    part = chunks * (number - 1) // count, chunks * number // count
    folder.write_manifest({**stated, "finished": False})
    tree = plan.sums(rows, surveyed, runner, lambda done: runner.on_progress(done, part[1] - part[0]), part)
    nodes = tree.nodes
    if nodes:
        folder.write("totals", np.stack([np.concatenate(node.sums.totals) for node in nodes]))
    for nth, drawing in enumerate(plan.rules.drawings if nodes else ()):
        folder.write(f"draws-{nth}", np.stack([np.concatenate(node.sums.drawn[drawing], axis=1) for node in nodes]))
    stored = {
        "nodes": [[node.height, node.index, node.sums.units] for node in nodes],
        "widths": [len(totals) for totals in nodes[0].sums.totals] if nodes else [],
    }
    folder.write_manifest({**stated, **stored, "finished": True})


def merge_streams(merged: Merged) -> Evaluation:
    """Return the evaluation of a corpus from the sums of all its shards.

    The first units of the corpus are read, which tell the functions from sums to scores, and the index.

    Raises QeframeError if the sums are damaged, or were computed from other data, rules or code.
    """
    request = dict(merged.request)
    index = Path(request.pop(STREAM))
    plan = planned(**request)
    rows, _ = begin(plan, Runner())
    surveyed = read_survey(index, plan.sides)
    merged.check(_description(plan, surveyed))
    tree = SumTree[Sums]()
    for path, manifest in merged.by_number():
        tree.add(_nodes(WorkFolder(path), manifest, plan))
    return plan.assembled(rows, surveyed, tree.whole())


def _nodes(folder: WorkFolder, manifest: Mapping[str, Any], plan: Plan) -> Sequence[Node[Sums]]:
    """Return the sums of a shard."""
    if not manifest["nodes"]:
        return ()
    ends = np.cumsum(manifest["widths"])[:-1]
    arrays = [folder.read(name) for name in ("totals", *(f"draws-{n}" for n in range(len(plan.rules.drawings))))]
    if any(array is None for array in arrays):
        raise DataError("the sums are damaged", path=folder.path, remedy="compute this shard again, with --fresh")
    totals, *drawn = (np.asarray(array) for array in arrays)
    return [
        Node(
            height,
            index,
            Sums(
                units,
                tuple(np.split(totals[nth], ends)),
                {
                    drawing: tuple(map(np.ascontiguousarray, np.split(draws[nth], ends, axis=1)))
                    for drawing, draws in zip(plan.rules.drawings, drawn, strict=True)
                },
            ),
        )
        for nth, (height, index, units) in enumerate(manifest["nodes"])
    ]


def _manifest(
    request: Mapping[str, Any], plan: Plan, survey: Survey, shard: tuple[int, int], index: Path
) -> dict[str, Any]:
    return {**_description(plan, survey), "shard": list(shard), "request": {**request, STREAM: str(index)}}


def _description(plan: Plan, survey: Survey) -> dict[str, Any]:
    """Return what the sums of a corpus depend on."""
    described = description(signature_of(plan.sides, plan.rules, survey, plan.name, plan.seed, plan.registry))
    return {**described, "values": list(survey.digests)}
