"""The folder of ``--out``, taken before the computation and given free when the command ends, however it ends."""

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.report.folders.result_folder import ResultFolder


def take_out(out: "Path | None", *inputs: "Path") -> "ResultFolder | None":
    """Take the folder that results are written into; None takes none.

    Parameters
    ----------
    out : Path or None
    *inputs : Path
        Files and folders that the command reads: the results would replace what is inside `out`.

    Raises
    ------
    DataError
        If results cannot be written to `out`, if another run writes them there, or if the input is in it.
    """
    if out is None:
        return None
    from pathlib import Path

    from qeframe.core.errors import DataError
    from qeframe.core.process_signals import undisturbed
    from qeframe.report.folders.result_folder import ResultFolder

    with undisturbed():
        folder = ResultFolder.take(out)
        if context := click.get_current_context(silent=True):
            context.call_on_close(folder.close)
    for path in inputs:
        real = Path(os.path.realpath(path))  # a link that leads back to itself is refused when it is read
        if real.is_relative_to(folder.target):
            folder.close()
            what = f"holds the input {path}, which the results would replace"
            raise DataError(what, path=out, remedy="name another folder for --out")
    return folder
