"""``qeframe compare``: the differences between submissions under one metric, tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.metric_input import best_option, missing_option, read_metric_input, reference_option
from qeframe.cli.shared.options import DecimalNumber, json_option, path_type, quiet_option, seed_option, workers_option

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["compare"]


@click.command()
@click.argument("metric", shell_complete=complete_name("metrics"))
@click.argument("gold", type=path_type)
@click.argument("submissions", nargs=-1, required=True, type=path_type)
@click.option(
    "--test",
    shell_complete=complete_name("significance_tests"),
    default="default",
    show_default="jackknife, or bootstrap_t for metrics that are not smooth",
    help="Significance test, with parameters if needed.",
)
@click.option("--sided", type=click.Choice(["one", "two"]), default=None, help="Default: two if the test can.")
@click.option(
    "--correction",
    shell_complete=complete_name("corrections"),
    default="default",
    show_default="romano_wolf with the default test, else holm",
    help="Correction of the p-values of all pairs.",
)
@click.option(
    "--alpha",
    type=DecimalNumber(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="A difference is significant if its adjusted p is below this.",
)
@click.option(
    "--equivalence",
    type=DecimalNumber(min=0, min_open=True),
    default=None,
    metavar="DELTA",
    help="Also test whether differences are smaller than DELTA.",
)
@reference_option
@best_option
@missing_option
@seed_option
@workers_option
@json_option
@quiet_option
def compare(
    metric: str,
    gold: Path,
    submissions: tuple[Path, ...],
    test: str,
    sided: str | None,
    correction: str,
    alpha: float,
    equivalence: float | None,
    references: tuple[Path, ...],
    best: str,
    missing: str,
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Test the differences between SUBMISSIONS under METRIC.

    All pairs are compared. Each line of the table is one pair, the better submission first. The files are those of
    'qeframe score'.
    """
    import numpy as np

    from qeframe.cli.shared.progress import working
    from qeframe.components.loading.loader import load
    from qeframe.evaluation.canonical_json import canonical_json
    from qeframe.evaluation.comparison import ComparisonRules, bind_submissions, compare_pairs
    from qeframe.evaluation.remarks import remark_on_metric, remarks_on_family, remarks_on_side, remarks_on_test
    from qeframe.profiles.defaults import chosen_correction, chosen_test
    from qeframe.report import pair_table, print_table

    chosen, batches, _ = read_metric_input(metric, gold, submissions, best, missing, references)
    registry = load()
    chosen_for_metric = chosen_test(test, chosen, registry)
    rules = ComparisonRules(
        test=chosen_for_metric,
        sided="one" if sided == "one" else "two" if sided == "two" else "",
        correction=chosen_correction(correction, chosen_for_metric, registry),
        alpha=alpha,
        equivalence=equivalence,
    )
    with working("drawing", workers=workers, quiet=quiet) as runner:
        comparable = bind_submissions(chosen, None, batches, seed=seed, runner=runner)
        compared = compare_pairs(comparable, list(batches), rules, metric=chosen.name)
    differences = np.array([comparison.difference for comparison in compared])
    remarks = [
        *filter(None, [remark_on_metric(chosen, differences)]),
        *remarks_on_family(rules, compared),
        *remarks_on_side(rules),
        *remarks_on_test(rules, comparable),
    ]
    if as_json:
        click.echo(canonical_json({"comparisons": compared, "warnings": remarks}), nl=False)
    else:
        significant = f"significant at alpha = {alpha:g}, correction {rules.correction.name}"
        print_table(pair_table(compared, f"{chosen.name}: comparisons", strong_means=significant))
    for remark in () if quiet else remarks:
        click.echo(f"qeframe: warning: {remark}", err=True)
