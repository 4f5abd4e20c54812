"""The input of one metric: the files and options of ``qeframe score`` and ``qeframe compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import click

from qeframe.cli.shared.options import path_type
from qeframe.cli.shared.standard_streams import say

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.core.batches.base import Batch
    from qeframe.core.components.loading.registry import Registry
    from qeframe.core.components.metric import Metric
    from qeframe.core.tasks.task import MissingPolicy

best_option = click.option(
    "--best",
    type=click.Choice(["low", "high"]),
    default="low",
    show_default=True,
    help="Which end of the gold scale is good.",
)
missing_option = click.option(
    "--missing",
    type=click.Choice(["error", "score_as_worst", "drop_for_all"]),
    default="error",
    show_default=True,
    help="How units without an answer count.",
)
reference_option = click.option(
    "--reference",
    "references",
    multiple=True,
    metavar="FILE",
    type=path_type,
    help="For texts: another reference in addition to GOLD; repeatable.",
)


def read_metric_input(
    metric: str,
    gold: Path,
    submissions: Sequence[Path],
    best: str,
    missing: str,
    references: Sequence[Path],
    *,
    quiet: bool = False,
) -> tuple[Metric, dict[str, Batch], Mapping[str, Sequence[str]]]:
    """Read gold and submissions for a metric, and print a warning for everything that was left out unless `quiet`.

    Returns the batch of every submission, by its name. For each grouping, the group of every unit. Raises QeframeError
    if there is no such metric, or the files cannot be read or aligned.
    """
    from qeframe.core.components.loading.loader import load
    from qeframe.core.components.metric import Metric
    from qeframe.core.errors import counted
    from qeframe.data.align import align
    from qeframe.kinds.plain_files import plain_reading

    registry: Registry = load()
    chosen = registry.get(Metric, metric)
    reading = plain_reading(
        chosen.kind, gold, submissions, best="high" if best == "high" else "low", references=references
    )
    task = align(reading, missing=cast("MissingPolicy", missing), choice="give --missing {}")
    remark = next(iter(task.batches.values())).gold_warning()
    dropped = [f"{counted(entry.count, entry.what)}: {entry.reason}" for entry in task.dropped]
    say(*(f"warning: {note}" for note in (remark, *dropped) if note), quiet=quiet)
    return chosen, {submission.name: batch for submission, batch in task.batches.items()}, task.groups
