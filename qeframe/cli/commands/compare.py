"""``qeframe compare``: the differences between submissions under one metric, tested."""

from __future__ import annotations

from pathlib import Path

import click

from qeframe.cli.shared.metric_input import best_option, missing_option, read_metric_input, reference_option
from qeframe.cli.shared.options import DecimalNumber, json_option, path_type, quiet_option, seed_option, workers_option

__all__ = ["compare"]


@click.command()
@click.argument("metric")
@click.argument("gold", type=path_type)
@click.argument("submissions", nargs=-1, required=True, type=path_type)
@click.option("--test", default="bootstrap", show_default=True, help="Significance test, with parameters if needed.")
@click.option("--sided", type=click.Choice(["one", "two"]), default=None, help="Default: two if the test can.")
@click.option("--correction", default="holm", show_default=True, help="Correction of the p-values of all pairs.")
@click.option(
    "--alpha",
    type=DecimalNumber(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="A difference is significant if its adjusted p is below this.",
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
    from qeframe.components.loader import load
    from qeframe.components.significance import Correction, SignificanceTest
    from qeframe.evaluation.comparison import ComparisonRules
    from qeframe.evaluation.comparison import compare as compare_batches
    from qeframe.evaluation.remarks import remark_on_metric, remarks_on_family
    from qeframe.evaluation.result import canonical_json
    from qeframe.report import pair_table, print_table

    chosen, batches, _ = read_metric_input(metric, gold, submissions, best, missing, references)
    registry = load()
    rules = ComparisonRules(
        test=registry.get(SignificanceTest, test),
        sided="one" if sided == "one" else "two" if sided == "two" else "",
        correction=registry.get(Correction, correction),
        alpha=alpha,
    )
    with working("drawing", workers=workers, quiet=quiet) as runner:
        compared = compare_batches(
            chosen,
            None,
            batches,
            test=rules.test,
            sided=rules.sided or None,
            correction=rules.correction,
            alpha=alpha,
            seed=seed,
            runner=runner,
        )
    if as_json:
        click.echo(canonical_json({"comparisons": compared}), nl=False)
    else:
        significant = f"significant at alpha = {alpha:g}, correction {correction}"
        print_table(pair_table(compared, f"{chosen.name}: comparisons", strong_means=significant))
    differences = np.array([comparison.difference for comparison in compared])
    for remark in (
        () if quiet else filter(None, [remark_on_metric(chosen, differences), *remarks_on_family(rules, compared)])
    ):
        click.echo(f"qeframe: warning: {remark}", err=True)
