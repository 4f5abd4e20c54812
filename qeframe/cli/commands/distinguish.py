"""``qeframe distinguish``: which metric to use on given data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import qeframe
from qeframe import report, studies
from qeframe.cli.shared import options
from qeframe.cli.shared.pages import take_out, write_out
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import counted
from qeframe.core.task import Dropped

if TYPE_CHECKING:
    from qeframe.studies.sampling.data_sets import Measured

Found = tuple[dict[str, Any], list[report.Table]]
"""The record and the tables of what was found."""


@click.command()
@options.profile_argument
@click.argument("path", type=options.path_type)
@options.names_option("--metric", "metrics", "METRIC", "A metric; repeatable. Default: the profile's metrics.")
@click.option("--all-metrics", is_flag=True, help="Also every other metric for this kind of task that is defined.")
@click.option("--gaming", is_flag=True, help="Also measure how far each metric can be gamed on these data.")
@options.number_option(
    "--draws",
    "Draws of a test in each of up to 16 rounds, default 10,000, or 2,000 for metrics whose draws take longer; by "
    "attacks, draws of the test, default 10,000; by sampling, data sets that are drawn, default 100,000.",
)
@click.option("--by-attacks", is_flag=True, help="Count the submissions that each attack beats, and the coefficient d.")
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
@options.out_option_with("Write the table as Markdown, LaTeX and TSV, and distinguish.json, into this folder.")
@options.set_option
@options.leaving_out_options
@options.common_options
def distinguish(
    profile: str,
    path: Path,
    metrics: tuple[str, ...],
    all_metrics: bool,
    gaming: bool,
    draws: int | None,
    by_attacks: bool,
    by_sampling: bool,
    base: float | None,
    gaps: tuple[float, ...],
    all_pairs: bool,
    measured: Measured | None,
    step: int | None,
    out: Path | None,
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> None:
    """Say which metric tells the submissions in PATH apart.

    PROFILE and PATH are those of 'qeframe run'. The table has a row for each metric. It counts the pairs of submissions
    that differ significantly by the default test of the metric, and says how far two halves of the data agree on the
    ranking. With --gaming it also has how far the best attack comes, and where worthless answers would rank.

    With --by-attacks and --by-sampling, the tables are those of Logacheva et al. (2016). By attacks: the submissions
    that each attack beats (those with a strictly lower score), the system distinction coefficient d, for all
    submissions and for the better and the worse half, and the number of groups that differ significantly. By sampling:
    random sentences take the tags of random submissions until a percentage of all words is wrong; the table has the
    smallest of the tried numbers of such data sets with which each metric tells two percentages apart.

    A task set has tables for each level and selection that its parts read, of the metrics of these parts.
    """
    from qeframe.cli.shared.sampling import SamplingRules, find_samples, sizes_of
    from qeframe.core.display import canonical_json
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
    options.check_usage(
        {
            "--by-attacks and --by-sampling are two questions: give one of them": by_attacks and by_sampling,
            "--all-metrics and --gaming have no part in --by-attacks and --by-sampling: leave them out": (
                all_metrics or gaming
            )
            and (by_attacks or by_sampling),
        }
    )
    result_folder = take_out(out, path)
    registry = qeframe.load()
    rules = qeframe.choose_profile(profile, settings, registry)
    tasks = leaving.tasks(rules, path, registry, quiet=common.quiet)
    study: Callable[..., Found]
    if by_sampling:
        sampling = SamplingRules(
            base=BASE if base is None else base,
            gaps=gaps or GAPS,
            every=all_pairs,
            sizes=sizes_of(step or 0),
            measured=measured or "wrong",
            draws=draws or 100_000,
            seed=common.seed,
        )
        study = partial(find_samples, rules=sampling)
    elif by_attacks:
        study = partial(_count_beaten, draws=draws or 10_000)
    else:
        study = partial(_study, all_metrics=all_metrics, gaming=gaming, draws=draws or 0)
    records, tables, dropped = list[dict[str, Any]](), list[report.Table](), list[Dropped]()
    for of_reading, read, names in studies.by_selection(rules, tasks, registry, metrics):
        record, of_record = study(of_reading, read, registry, names, common)
        notes = _dropped(of_reading, read, registry)
        records.append({**record, "dropped": notes})
        tables += of_record
        dropped += [note for note in notes if note not in dropped]
    whole = {"format": 1, "selections": records} if rules.parts else records[0]
    written = canonical_json({**whole, **leaving.record})
    common.show(written, tables)
    files = {**report.files_of_tables("distinguish", tables), "distinguish.json": written}
    files["distinguish.tsv"] = "\n".join(map(report.as_tsv, tables))
    write_out(result_folder, files, quiet=common.quiet)
    for entry in dropped:
        where = f" in {entry.task}" if entry.task else ""
        what = f"dropped{where}: {counted(entry.count, entry.what)}, {entry.reason}"
        say(f"warning: {what}", quiet=common.quiet)


def _study(
    rules: qeframe.Profile,
    tasks: Sequence[qeframe.Task],
    registry: qeframe.Registry,
    metrics: Sequence[str],
    common: options.CommonOptions,
    *,
    all_metrics: bool,
    gaming: bool,
    draws: int,
) -> Found:
    from qeframe.core.display import plain_values

    with common.working("drawing") as runner:
        study = studies.distinguish(
            rules,
            tasks,
            registry,
            metrics=metrics,
            all_metrics=all_metrics,
            gaming=gaming,
            draws=draws,
            seed=common.seed,
            runner=runner,
        )
    return {"format": 1, **plain_values(study)}, [studies.metric_table(study)]


def _count_beaten(
    rules: qeframe.Profile,
    tasks: Sequence[qeframe.Task],
    registry: qeframe.Registry,
    metrics: Sequence[str],
    common: options.CommonOptions,
    *,
    draws: int,
) -> Found:
    from qeframe.core.metric import Attack

    with common.working("drawing") as runner:
        rows = studies.distinguish_by_attacks(
            rules, tasks, registry.all(Attack), registry, metrics=metrics, draws=draws, seed=common.seed, runner=runner
        )
    record = {"profile": rules.name, "draws": draws, "seed": common.seed, "metrics": [_record(row) for row in rows]}
    title = f"{rules.title or rules.name}: which metrics separate submissions"
    signature = f"profile:{rules.name}|draws:{draws}|seed:{common.seed}"
    return record, [studies.distinction_table(rows, title, signature=signature)]


def _dropped(rules: qeframe.Profile, tasks: Sequence[qeframe.Task], registry: qeframe.Registry) -> list[Dropped]:
    """Return what was left out of the tasks, and the names of tasks in the profile that are not there."""
    from qeframe.core.resolve import resolve, with_names_of_tasks

    _, absent = with_names_of_tasks(resolve(rules, registry, reads=False), [task.name for task in tasks])
    return [*(entry for task in tasks for entry in task.dropped), *absent]


def _record(row: studies.MetricRow) -> dict[str, object]:
    from qeframe.core.display import plain_values

    counts = {name: getattr(row, name) for name in ("metric", "beaten", "total", "groups", "submissions")}
    return {**counts, **plain_values(row.distinction)}
