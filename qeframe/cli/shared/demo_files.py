"""The files of ``qeframe demo``: a task that the reader of a profile generates, without a download."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from qeframe.core.errors import DataError

_MOST = 99
"""More submissions than any reader generates."""


class _Demo(NamedTuple):
    """A profile, and a task that shows its rules: units of each pair, and pairs."""

    profile: str
    units: int
    pairs: int = 1


DEMOS: Mapping[str, _Demo] = {
    "sentence": _Demo("qe_sentence", 500),
    "word": _Demo("qe_word", 600),
    **{task: _Demo(task, 32, 3) for task in ("wmt26_task1", "wmt26_task2", "wmt26_task3")},
}


def write_demo(task: str, out: Path, seed: int) -> tuple[str, Path]:
    """Write the files of a generated task.

    `task`: a name that ``qeframe demo --help`` lists.
    `out`: the files are written into the folder ``task`` in it.
    `seed`: equal seeds give equal files.

    Returns `profile`: the name of the profile to evaluate the files with. `folder`: the folder of the files. Raises
    DataError if the folder cannot be written to.
    """
    from qeframe.core.loader import load
    from qeframe.core.profile_files import find_profile
    from qeframe.core.reader import ExampleRequest, Reader

    demo, folder, registry = DEMOS[task], out / "task", load()
    request = ExampleRequest(seed=seed, units=demo.units, pairs=demo.pairs, submissions=_MOST, baselines=("baseline",))
    reader = registry.get(Reader, find_profile(demo.profile, registry).reader)
    try:
        folder.mkdir(parents=True, exist_ok=True)  # here, so that a folder that cannot be made is no fault of a reader
        reader.write_example(folder, request)
    except OSError as error:
        remedy = "name another folder for --out"
        raise DataError(f"cannot be written: {error.strerror}", path=folder, remedy=remedy) from error
    return demo.profile, folder
