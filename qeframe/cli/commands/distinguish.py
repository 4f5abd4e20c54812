"""``qeframe distinguish``: how well metrics separate submissions, and how they rank attacks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from qeframe.cli.shared.options import (
    WholeNumber,
    json_option,
    path_type,
    quiet_option,
    seed_option,
    set_option,
    workers_option,
)

if TYPE_CHECKING:
    from qeframe.studies import MetricRow

__all__ = ["distinguish"]


@click.command()
@click.argument("profile")
@click.argument("path", type=path_type)
@click.option(
    "--metric", "metrics", multiple=True, metavar="METRIC", help="A metric; repeatable. Default: the profile's metrics."
)
@click.option(
    "--draws",
    type=WholeNumber(min=1),
    default=10_000,
    show_default=True,
    help="Number of draws of the randomization test.",
)
@set_option
@seed_option
@workers_option
@json_option
@quiet_option
def distinguish(
    profile: str,
    path: Path,
    metrics: tuple[str, ...],
    draws: int,
    settings: tuple[str, ...],
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare how well metrics separate submissions.

    PROFILE and PATH are those of 'qeframe run'. The table has a row for each metric. It counts the submissions that
    each attack beats (submissions with a strictly lower score) and their total. The system distinction coefficient d
    follows, for all submissions and for the better and the worse half, and then the number of groups that differ
    significantly.
    """
    from qeframe.cli.shared.progress import working
    from qeframe.components.attack import Attack
    from qeframe.components.loader import load
    from qeframe.evaluation.read import choose_profile, read_tasks
    from qeframe.evaluation.result import canonical_json
    from qeframe.report import distinction_table, print_table
    from qeframe.studies import distinguish as distinguish_tasks

    registry = load()
    rules = choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        tasks = read_tasks(rules, path, registry, runner=runner)
    attacks = registry.all(Attack)
    with working("drawing", workers=workers, quiet=quiet) as runner:
        rows = distinguish_tasks(
            rules, tasks, attacks, registry, metrics=metrics, draws=draws, seed=seed, runner=runner
        )
    if as_json:
        records = [_record(row) for row in rows]
        click.echo(canonical_json({"profile": rules.name, "draws": draws, "seed": seed, "metrics": records}), nl=False)
    else:
        title = f"{rules.title or rules.name}: which metrics separate submissions"
        print_table(distinction_table(rows, title, signature=f"profile:{rules.name}|draws:{draws}|seed:{seed}"))


def _record(row: MetricRow) -> dict[str, object]:
    return {
        "metric": row.metric,
        "beaten": row.beaten,
        "total": row.total,
        "d": row.distinction.d,
        "d_top": row.distinction.d_top,
        "d_bottom": row.distinction.d_bottom,
        "groups": row.groups,
        "submissions": row.submissions,
    }
