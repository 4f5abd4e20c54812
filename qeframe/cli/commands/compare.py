"""``qeframe compare``: the differences between submissions under one metric, tested."""

from pathlib import Path

import click

import qeframe
from qeframe import report
from qeframe.cli.shared import options
from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.json_lines import write_json
from qeframe.cli.shared.metric_input import best_option, missing_option, read_metric_input, reference_option
from qeframe.cli.shared.standard_streams import say


@click.command()
@click.argument("metric", shell_complete=complete_name("metrics"))
@click.argument("gold", type=options.path_type)
@click.argument("submissions", nargs=-1, required=True, type=options.path_type)
@click.option(
    "--also",
    "others",
    shell_complete=complete_name("metrics"),
    multiple=True,
    metavar="METRIC",
    help="Another metric of the same kind of data; repeatable.",
)
@click.option(
    "--family",
    type=click.Choice(["all", "metric"]),
    default="all",
    show_default=True,
    help="With --also, what is corrected together: all pairs under all metrics, or the pairs of each metric.",
)
@click.option(
    "--test",
    shell_complete=complete_name("significance_tests"),
    default="default",
    show_default="jackknife_and_exchange; exchange or bootstrap_t for metrics that are not smooth",
    help="Significance test, with parameters if needed.",
)
@click.option("--sided", type=click.Choice(["one", "two"]), default=None, help="Default: two if the test can.")
@options.correction_option("that of the default test, such as romano_wolf_and_max_t; else holm")
@options.alpha_option
@click.option(
    "--equivalence",
    type=options.DecimalNumber(min=0, min_open=True),
    default=None,
    metavar="DELTA",
    help="Also test whether differences are smaller than DELTA.",
)
@reference_option
@best_option
@missing_option
@options.common_options
def compare(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    others: tuple[str, ...],
    family: str,
    test: str,
    sided: str | None,
    correction: str,
    alpha: float,
    equivalence: float | None,
    references: tuple[Path, ...],
    best: str,
    missing: str,
    common: options.CommonOptions,
) -> None:
    """Test the differences between SUBMISSIONS under METRIC.

    All pairs are compared. Each line of a table is one pair, the better submission first. The files are those of
    'qeframe score'. There is a table for each metric.
    """
    from qeframe.api.arrays.comparing import compare_by_rules, rules_of_metrics
    from qeframe.core.components.metric import Metric

    chosen, batches, _ = read_metric_input(metric, gold, submissions, best, missing, references, quiet=common.quiet)
    registry = qeframe.load()
    metrics = [chosen, *(registry.get(Metric, other) for other in others)]
    rules = rules_of_metrics(
        metrics,
        registry,
        test=test,
        sided="one" if sided == "one" else "two" if sided == "two" else None,
        correction=correction,
        alpha=alpha,
        equivalence=equivalence,
    )
    with common.working("drawing") as runner:
        tables = compare_by_rules(
            metrics,
            None,
            batches,
            rules,
            registry,
            family="metric" if family == "metric" else "all",
            seed=common.seed,
            runner=runner,
        )
    if common.as_json:
        record = {
            "alpha": alpha,
            "correction": rules[0].correction.name,
            "family": family,
            "comparisons": [pair for compared in tables for pair in compared],
            "warnings": tables.warnings,
        }
        write_json(record)
    else:
        for compared in tables:
            report.print_table(
                report.pair_table(compared, f"{compared.metric}: comparisons", strong_means=compared.significance)
            )
    say(*(f"warning: {remark}" for remark in tables.warnings), quiet=common.quiet)
