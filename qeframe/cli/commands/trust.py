"""``qeframe trust``: which measures can be trusted on given data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import (
    WholeNumber,
    html_option,
    json_option,
    out_option,
    path_type,
    quiet_option,
    seed_option,
    set_option,
    workers_option,
)
from qeframe.cli.shared.pages import page_bytes, write_page
from qeframe.cli.shared.result_folder import take_out

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.core.components.loading.registry import Registry
    from qeframe.core.resampling.parallel import Runner
    from qeframe.core.tasks.task import Task
    from qeframe.studies.trust import TrustRow


@click.command()
@click.argument("profile", shell_complete=complete_name("profiles"))
@click.argument("paths", type=path_type, nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    shell_complete=complete_name("metrics"),
    help="A measure; repeatable. Default: the profile's metrics.",
)
@click.option(
    "--all-metrics", is_flag=True, help="Also every other metric of the registry for this kind of task that is defined."
)
@click.option("--splits", type=WholeNumber(min=1), default=200, show_default=True, help="Random halves of the units.")
@click.option(
    "--runs",
    type=WholeNumber(min=0),
    default=400,
    show_default=True,
    help="Data sets with exchanged answers, for the errors of the tests; 0 leaves them out.",
)
@click.option("--no-audit", is_flag=True, help="Leave out how the measures can be gamed.")
@out_option
@html_option
@set_option
@seed_option
@workers_option
@json_option
@quiet_option
def trust(
    profile: str,
    paths: tuple[Path, ...],
    metrics: tuple[str, ...],
    all_metrics: bool,
    splits: int,
    runs: int,
    no_audit: bool,
    out: Path | None,
    html: Path | None,
    settings: tuple[str, ...],
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say which measures can be trusted on the data in PATH.

    PROFILE and PATH are those of 'qeframe run'; each PATH has a table of its own. A measure is a row: who is first
    under it, who may be the best, which pairs a valid test separates, how stable its ranking is in halves of the units,
    how many units separate the first from the second, how often the test of the profile and the default test are wrong
    on these data, and how far the measure can be gamed.
    """
    from qeframe.api.read import check_answered, choose_profile, read_tasks
    from qeframe.cli.shared.progress import working
    from qeframe.core.components.loading.loader import load
    from qeframe.core.evaluation.canonical_json import canonical_json
    from qeframe.report import as_latex, as_markdown, print_table, write_files
    from qeframe.studies.tables.trust import trust_table
    from qeframe.studies.trust import trust as trust_tasks

    result_folder = take_out(out, *paths)
    registry = load()
    rules = choose_profile(profile, settings, registry)
    tables, records = [], list[dict[str, Any]]()
    for path in paths:
        with working("computing", quiet=quiet) as runner:
            tasks = read_tasks(rules, path, registry, runner=runner)
        check_answered(tasks, path)
        chosen = [
            *(metrics or rules.metrics),
            *(others(tasks, metrics or rules.metrics, registry) if all_metrics else ()),
        ]
        with working("drawing", workers=workers, quiet=quiet) as runner:
            rows = trust_tasks(
                rules,
                tasks,
                registry,
                metrics=chosen,
                splits=splits,
                runs=runs,
                gamed=None if no_audit else _gamed(registry, seed, runner),
                seed=seed,
                runner=runner,
            )
        title = f"{path.name}: {rules.title or rules.name}: which measures can be trusted"
        signature = f"profile:{rules.name}|splits:{splits}|runs:{runs}|seed:{seed}"
        tables.append(trust_table(rows, title, unit=tasks[0].unit, splits=splits, runs=runs, signature=signature))
        records.append({"data": path.name, "measures": [_record(row) for row in rows]})
    record = canonical_json({"profile": rules.name, "splits": splits, "runs": runs, "seed": seed, "data": records})
    if as_json:
        click.echo(record, nl=False)
    else:
        for nth, table in enumerate(tables):
            if nth:
                click.echo()
            print_table(table)
    page = page_bytes("Which measures can be trusted", tables) if result_folder or html else b""
    write_page(html, page, quiet=quiet)
    if result_folder is not None:
        files = {
            "report.html": page,
            "trust.md": "\n".join(map(as_markdown, tables)).encode("utf-8", "backslashreplace"),
            "trust.tex": "\n".join(map(as_latex, tables)).encode("utf-8", "backslashreplace"),
            "trust.json": record.encode(),
        }
        write_files(result_folder, files)
        if not quiet:
            click.echo(f"qeframe: {len(files)} files written to {out}", err=True)


def others(tasks: Sequence[Task], known: Sequence[str], registry: Registry) -> list[str]:
    """Return the other metrics that score the first submission of the first task."""
    import math

    from qeframe.api.arrays.scoring import score
    from qeframe.core.components.metric import Metric
    from qeframe.core.errors import QeframeError

    batch = next(batch for task in tasks for batch in task.batches.values())
    found = []
    for metric in registry.all(Metric):
        if metric.name in known or not isinstance(batch, metric.kind):
            continue
        try:
            value = score(metric, batch, None)
        except QeframeError:
            continue
        if math.isfinite(float(value)):
            found.append(metric.name)
    return found


def _gamed(registry: Registry, seed: int, runner: Runner) -> Any:
    """Return what measures how a metric can be gamed on tasks; nothing for one without a gold side."""
    from qeframe.core.errors import CapabilityError, DataError
    from qeframe.gaming.audit import audit

    def gamed(metric: str, tasks: Sequence[Task]) -> dict[str, Any]:
        try:
            (found,) = audit(metric, list(tasks), claims=False, seed=seed, registry=registry, runner=runner).metrics
        except (CapabilityError, DataError):
            return {}
        counted = [each for each in found.attacks if each.counts and each.index == each.index]
        best = max(counted, key=lambda each: each.index, default=None)
        return {
            "index": found.gaming_index,
            "low": found.low,
            "high": found.high,
            "attack": "none" if best is None or best.index < 0.005 else best.attack,
            "rank": None if best is None or best.index < 0.005 else best.rank,
        }

    return gamed


def _record(row: TrustRow) -> dict[str, Any]:
    import attrs

    return attrs.asdict(row)
