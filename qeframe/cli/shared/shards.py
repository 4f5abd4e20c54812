"""What ``qeframe run --shard`` and ``qeframe merge`` share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pathlib import Path


def given(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request as arguments of `evaluate_path`."""
    from pathlib import Path

    return {**request, "path": Path(request["path"])}


def compute_shard(
    request: Mapping[str, Any],
    out: "Path | None",
    shard: tuple[int, int],
    *,
    fresh: bool,
    workers: int,
    executor: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compute a shard into a folder.

    Raises DataError if the folder is not named, or holds something else; if JSON is asked for, which no shard has.
    """
    from qeframe.cli.shared.evaluations import evaluate_path
    from qeframe.core.errors import DataError, one_line
    from qeframe.execution.block_store import Share
    from qeframe.execution.shards import Shard

    name = f"{shard[0]}/{shard[1]}"
    if out is None:
        raise DataError(f"shard {name} needs a folder", remedy="name one with --out")
    if as_json:
        raise DataError(
            "a shard has no result that could be printed", remedy="leave --json and --jsonl out; give --json to merge"
        )
    portion = Shard(out, Share(*shard), request, fresh)
    evaluate_path(**given(request), workers=workers, quiet=quiet, executor=executor, portion=portion)
    if not quiet:
        click.echo(f"qeframe: shard {name} written to {one_line(str(out))}", err=True)
