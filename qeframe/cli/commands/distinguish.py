"""``qeframe distinguish``: how well metrics separate submissions, and how they rank attacks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

import qeframe
from qeframe import studies
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import counted

if TYPE_CHECKING:
    from qeframe.core.tasks.task import Dropped
    from qeframe.studies.sampling.data_sets import Measured


@click.command()
@options.profile_argument
@click.argument("path", type=options.path_type)
@options.names_option("--metric", "metrics", "METRIC", "A metric; repeatable. Default: the profile's metrics.")
@options.number_option(
    "--draws",
    "Draws of the randomization test, default 10,000; by sampling, data sets that are drawn, default 100,000.",
)
@click.option("--by-sampling", is_flag=True, help="Find the smallest samples that each metric needs (word level).")
@click.option(
    "--base",
    type=options.DecimalNumber(0, 100, min_open=True, max_open=True),
    help="By sampling: the lower threshold, in percent of the words. Default: 30.",
)
@click.option(
    "--gap",
    "gaps",
    type=options.DecimalNumber(0, 100, min_open=True, max_open=True),
    multiple=True,
    help="By sampling: how much higher another threshold is. Repeatable. Default: 0.01, 0.05, 0.1 and 0.2.",
)
@click.option("--all-pairs", is_flag=True, help="By sampling: compare all pairs of thresholds, not only with the base.")
@click.option(
    "--of",
    "measured",
    type=click.Choice(["wrong", "bad"]),
    help="By sampling: the thresholds bound words with a wrong tag, or words tagged BAD. Default: wrong.",
)
@options.number_option(
    "--step",
    "By sampling: sizes in equal steps up to 10,000, as in the paper's listing. Default: the sizes of its text.",
    least=0,
)
@options.set_option
@options.leaving_out_options
@options.common_options
def distinguish(
    profile: str,
    path: Path,
    metrics: tuple[str, ...],
    draws: int | None,
    by_sampling: bool,
    base: float | None,
    gaps: tuple[float, ...],
    all_pairs: bool,
    measured: Measured | None,
    step: int | None,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> None:
    """Compare how well metrics separate submissions.

    PROFILE and PATH are those of 'qeframe run'. The table has a row for each metric. It counts the submissions that
    each attack beats (submissions with a strictly lower score) and their total. The system distinction coefficient d
    follows, for all submissions and for the better and the worse half, and then the number of groups that differ
    significantly.

    With --by-sampling, data sets of stated quality are drawn: random sentences take the tags of random submissions
    until a percentage of all words is wrong. The table has the smallest of the tried numbers of data sets with which
    each metric tells two percentages apart.
    """
    from qeframe.cli.shared.sampling import SamplingRules, show_samples, sizes_of
    from qeframe.core.evaluation.canonical_json import canonical_json
    from qeframe.extensions.attack import Attack
    from qeframe.studies.sampling.least_samples import BASE, GAPS

    given = {
        "--base": base is not None,
        "--gap": bool(gaps),
        "--all-pairs": all_pairs,
        "--of": measured is not None,
        "--step": step is not None,
    }
    unused = [option for option, is_given in given.items() if is_given]
    if unused and not by_sampling:
        raise click.UsageError(
            f"{', '.join(unused)}: part of --by-sampling; give --by-sampling too, or leave out {unused[0]}"
        )
    registry = qeframe.load()
    rules = qeframe.choose_profile(profile, settings, registry)
    tasks = leaving.tasks(rules, path, registry, quiet=common.quiet)
    dropped = _dropped(rules, tasks, registry)
    if by_sampling:
        study = SamplingRules(
            base=BASE if base is None else base,
            gaps=gaps or GAPS,
            every=all_pairs,
            sizes=sizes_of(step or 0),
            measured=measured or "wrong",
            draws=draws or 100_000,
            seed=common.seed,
        )
        show_samples(rules, tasks, registry, metrics, study, dropped, common)
    else:
        attacks, drawn = registry.all(Attack), draws or 10_000
        with common.working("drawing") as runner:
            rows = studies.distinguish(
                rules, tasks, attacks, registry, metrics=metrics, draws=drawn, seed=common.seed, runner=runner
            )
        record = {"profile": rules.name, "draws": drawn, "seed": common.seed, "dropped": dropped, **leaving.record}
        title = f"{rules.title or rules.name}: which metrics separate submissions"
        signature = f"profile:{rules.name}|draws:{drawn}|seed:{common.seed}"
        table = studies.distinction_table(rows, title, signature=signature)
        common.show(canonical_json({**record, "metrics": [_record(row) for row in rows]}), [table])
    for entry in dropped:
        where = f" in {entry.task}" if entry.task else ""
        what = f"dropped{where}: {counted(entry.count, entry.what)}, {entry.reason}"
        say(f"warning: {what}", quiet=common.quiet)


def _dropped(rules: qeframe.Profile, tasks: Sequence[qeframe.Task], registry: qeframe.Registry) -> list[Dropped]:
    """Return what was left out of the tasks, and the names of tasks in the profile that are not there."""
    from qeframe.core.profiles.absent_names import with_names_of_tasks
    from qeframe.core.profiles.resolved import resolve

    _, absent = with_names_of_tasks(resolve(rules, registry, reads=False), [task.name for task in tasks])
    return [*(entry for task in tasks for entry in task.dropped), *absent]


def _record(row: studies.MetricRow) -> dict[str, object]:
    from qeframe.core.evaluation.canonical_json import plain_values

    counts = {name: getattr(row, name) for name in ("metric", "beaten", "total", "groups", "submissions")}
    return {**counts, **plain_values(row.distinction)}
