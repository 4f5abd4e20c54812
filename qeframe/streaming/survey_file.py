"""What the first pass over a corpus found, in a file: the index with which shards read their own bytes."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Input
from qeframe.streaming.first_pass import Survey
from qeframe.streaming.noticed import noticed_of, plain_noticed
from qeframe.streaming.sides import Sides

_FORMAT = 1
_REMEDY = "remove it, and make it again with 'qeframe stream --index'"


def write_survey(path: Path, found: Survey, sides: Sides) -> None:
    """Write what the first pass found, in one step.

    Raises DataError if the file cannot be written.
    """
    facts = {
        "format": _FORMAT,
        "corpus": _described(sides),
        "units": found.units,
        "centers": found.centers,
        "gold_warning": found.gold_warning,
        "inputs": [[file.path, file.sha256] for file in found.inputs],
        "noticed": {name: plain_noticed(noticed) for name, noticed in found.noticed.items()},
    }
    arrays = {f"offsets{nth}": np.array(offsets, dtype=np.int64) for nth, offsets in enumerate(found.offsets)}
    text = np.frombuffer(json.dumps(facts).encode(), dtype=np.uint8)
    stored = io.BytesIO()
    np.savez(stored, facts=text, digests=found.chunk_digests, **arrays)  # type: ignore[arg-type]
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
