"""``qeframe stream``: submissions of more units than memory holds, evaluated in chunks."""

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.metric_input import best_option
from qeframe.cli.shared.options import (
    alpha_option,
    correction_option,
    json_option,
    quiet_option,
    seed_option,
    share_type,
    workers_option,
)


@click.command()
@click.argument("gold")
@click.argument("submissions", nargs=-1, required=True)
@click.option(
    "--metric",
    "metrics",
    shell_complete=complete_name("metrics"),
    multiple=True,
    required=True,
    help="Additive metric, with parameters if needed; repeatable. The first one ranks.",
)
@click.option(
    "--test",
    shell_complete=complete_name("significance_tests"),
    default="bootstrap(draws=1000)",
    show_default=True,
    help="Significance test that needs nothing but draws; '' for none.",
)
@click.option(
    "--interval",
    shell_complete=complete_name("significance_tests"),
    default="default",
    show_default="those of the test",
    help="Test whose intervals are shown; '' for none.",
)
@correction_option("holm")
@alpha_option
@click.option(
    "--confidence",
    type=share_type,
    default=0.95,
    show_default=True,
    help="The level of the intervals.",
)
@best_option
@seed_option
@workers_option
@json_option
@quiet_option
def stream(
    gold: str,
    submissions: tuple[str, ...],
    metrics: tuple[str, ...],
    test: str,
    interval: str,
    correction: str,
    alpha: float,
    confidence: float,
    best: str,
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Evaluate SUBMISSIONS of more units than memory holds against GOLD.

    Files are read twice, in chunks of units: plain files, as for 'qeframe score', also compressed with gzip, or columns
    of Parquet files, FILE::COLUMN. All have the same units in the same order. The metrics must be functions of sums
    over units, such as pearson, mae, detection_mcc or f1_mult; for others, a line says how much memory they need.
    """
    from qeframe.cli.shared.evaluations import show_evaluation
    from qeframe.cli.shared.progress import working
    from qeframe.report import comparison_list, print_table
    from qeframe.streaming.stream import stream as evaluate_in_chunks

    with working("streaming", workers=workers, quiet=quiet) as runner:
        evaluation = evaluate_in_chunks(
            metrics,
            gold,
            submissions,
            test=test,
            interval=interval,
            correction=correction,
            alpha=alpha,
            confidence=confidence,
            best="high" if best == "high" else "low",
            seed=seed,
            runner=runner,
        )
    show_evaluation(evaluation, (), out=None, as_json=as_json, quiet=quiet)
    if not as_json and evaluation.comparisons:
        click.echo()
        print_table(comparison_list(evaluation))
