"""``qeframe stream``: submissions of more units than memory holds, evaluated in chunks."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import click

import qeframe
from qeframe.cli.shared import options
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.standard_streams import say


@click.command()
@click.argument("gold")
@click.argument("submissions", nargs=-1, required=True)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    required=True,
    help="Additive metric, with parameters if needed; repeatable. The first one ranks.",
)
@click.option(
    "--test",
    default="bootstrap(draws=1000)",
    show_default=True,
    help="Significance test that needs nothing but draws; '' for none.",
)
@click.option(
    "--interval",
    default="default",
    show_default="those of the test",
    help="Test whose intervals are shown; '' for none.",
)
@options.correction_option("holm")
@options.alpha_option
@click.option(
    "--confidence", type=options.share_type, default=0.95, show_default=True, help="The level of the intervals."
)
@options.best_option
@options.seed_option
@options.workers_option
@click.option(
    "--index",
    type=options.path_type,
    metavar="FILE",
    help="The first pass in a file, where shards find their bytes. Without --shard, only make it.",
)
@click.option(
    "--shard",
    type=options.ShardNumber(),
    metavar="I/N",
    help="Sum only part I of N of the units into the folder of --out, by the index; 'qeframe merge' joins the parts.",
)
@click.option("--out", type=options.path_type, metavar="FOLDER", help="The folder of a shard.")
@click.option("--fresh", is_flag=True, help="Sum a part again whose folder is there.")
@options.json_option
@options.quiet_option
def stream(
    gold: str,
    submissions: tuple[str, ...],
    metrics: tuple[str, ...],
    test: str,
    interval: str,
    correction: str,
    alpha: float,
    confidence: float,
    best: Literal["low", "high"],
    seed: int,
    workers: int,
    index: Path | None,
    shard: tuple[int, int] | None,
    out: Path | None,
    fresh: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Evaluate SUBMISSIONS of more units than memory holds against GOLD.

    Files are read twice, in chunks of units: plain files, as for 'qeframe score', also compressed with gzip, or columns
    of Parquet files, FILE::COLUMN. All have the same units in the same order. The metrics must be functions of sums
    over units, such as pearson, mae, detection_mcc or f1_mult; for others, a line says how much memory they need.
    """
    from qeframe.cli.shared.evaluations import show_stream

    given: dict[str, Any] = {
        "metrics": list(metrics),
        "gold": gold,
        "submissions": list(submissions),
        "test": test,
        "interval": interval,
        "correction": correction,
        "alpha": alpha,
        "confidence": confidence,
        "best": best,
        "seed": seed,
    }
    if index is None and shard is None and out is None:
        with working("streaming", workers=workers, quiet=quiet) as runner:
            show_stream(qeframe.stream(**given, runner=runner), as_json=as_json, quiet=quiet)
        return
    if index is None or (shard is None) != (out is None):
        raise click.UsageError(
            "a shard needs --index FILE, --shard I/N and --out FOLDER; --index FILE alone makes the index"
        )
    from qeframe.streaming.stream_shards import make_index, stream_shard

    with working("streaming", workers=workers, quiet=quiet) as runner:
        if shard is None or out is None:
            make_index(given, index, runner)
            said = f"index written to {index}"
        else:
            stream_shard(given, index, shard, out, runner, fresh=fresh)
            said = f"shard {shard[0]}/{shard[1]} written to {out}"
    say(said, quiet=quiet)
