"""``qeframe calibrate``: how often a test rejects true null hypotheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import (
    WholeNumber,
    html_option,
    json_option,
    path_type,
    quiet_option,
    seed_option,
    share_type,
    workers_option,
)
from qeframe.cli.shared.pages import page_bytes, write_page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from qeframe.core.components.loading.registry import Registry
    from qeframe.extensions.null_model import NullModel
    from qeframe.studies.calibration import CalibrationRow


@click.command()
@click.argument("test", shell_complete=complete_name("significance_tests"))
@click.argument("metric", shell_complete=complete_name("metrics"))
@click.option(
    "--null",
    "nulls",
    shell_complete=complete_name("null_models"),
    multiple=True,
    metavar="NAME",
    help="A null model; repeatable. Default: all that fit.",
)
@click.option(
    "--from",
    "given",
    nargs=2,
    metavar="PROFILE PATH",
    default=None,
    help="Draw the units of PATH, as 'qeframe run PROFILE PATH' reads it, and exchange the answers of its submissions: "
    "a null model for each task.",
)
@click.option(
    "--units",
    "units",
    type=WholeNumber(min=2),
    multiple=True,
    help="Repeatable. Default: 50 and 200; of a page 20, 50, 200 and 1000.",
)
@click.option("--runs", type=WholeNumber(min=1), default=2000, show_default=True, help="Data sets for each row.")
@click.option(
    "--correction",
    default="",
    shell_complete=complete_name("corrections"),
    help="Measure any false claim in a family, with this correction.",
)
@click.option("--submissions", type=WholeNumber(min=2), default=10, show_default=True, help="The size of the family.")
@click.option("--sided", type=click.Choice(["one", "two"]), default="two", show_default=True, help="The test's side.")
@click.option("--leader", is_flag=True, help="Let the data choose the direction: the better submission comes first.")
@click.option("--resample", default="unit", show_default=True, help="What is resampled: unit, document, document/unit.")
@click.option("--alpha", type=share_type, default=0.05, show_default=True, help="Level.")
@click.option(
    "--page",
    type=path_type,
    default=None,
    metavar="FILE",
    help="Measure pairs, intervals, families and rank sets, and write them as a page of Markdown into FILE. The rates "
    "are stored beside it, in FILE with the ending .json, as they are measured; stored ones are not measured again.",
)
@html_option
@seed_option
@workers_option
@json_option
@quiet_option
def calibrate(
    test: str,
    metric: str,
    nulls: tuple[str, ...],
    given: tuple[str, str] | None,
    units: tuple[int, ...],
    runs: int,
    correction: str,
    submissions: int,
    sided: str,
    leader: bool,
    resample: str,
    alpha: float,
    page: Path | None,
    html: Path | None,
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Measure the error rate of TEST on METRIC.

    Data sets are drawn from null models, in which all submissions are equally good. The table has the share of data
    sets in which the test claims a difference all the same, and the share of its intervals that hold the true score.
    TEST and --correction may be "default": what qeframe chooses for METRIC.
    """
    from qeframe import __version__
    from qeframe.cli.shared.progress import working
    from qeframe.core.components.loading.loader import load
    from qeframe.core.components.metric import Metric
    from qeframe.core.evaluation.canonical_json import canonical_json
    from qeframe.core.profiles.defaults import chosen_correction
    from qeframe.core.profiles.defaults import chosen_test as chosen_test_of
    from qeframe.extensions.null_model import NullModel
    from qeframe.report import (
        print_table,
    )
    from qeframe.studies import (
        calibration_table,
    )
    from qeframe.studies.calibration import calibrate as measure
    from qeframe.studies.calibration import null_models_of
    from qeframe.studies.calibration_pages import PAGE_UNITS, answers, page_questions

    registry = load()
    chosen = registry.get(Metric, metric)
    chosen_test = chosen_test_of(test, chosen, registry)
    family = chosen_correction(correction, chosen_test, registry) if correction else None
    models = [registry.get(NullModel, name) for name in nulls]
    if given is not None:
        models += _null_models_from(*given, registry)
    models = models or null_models_of(chosen, registry)
    if page is not None:
        _refuse_beside_page(
            {
                "--correction": bool(correction),
                "--leader": leader,
                "--json": as_json,
                "--html": html is not None,
                "--sided": sided != "two",
                "--alpha": alpha != _ALPHA,
                "--resample": resample != "unit",
                "--submissions": submissions != _SUBMISSIONS,
            }
        )
        asked = page_questions(chosen_test, chosen, models, units=units or PAGE_UNITS, runs=runs, seed=seed)
        with working("simulating", workers=workers, quiet=quiet) as runner:
            rows = list(answers(asked, _stored_beside(page), registry, runner, {null.name: null for null in models}))
        _write_markdown(page, rows, registry)
        return
    with working("simulating", workers=workers, quiet=quiet) as runner:
        rows = list(
            measure(
                chosen_test,
                chosen,
                models,
                units=units or (50, 200),
                submissions=submissions,
                runs=runs,
                alpha=alpha,
                sided="one" if sided == "one" else "two",
                leader=leader,
                correction=family,
                resample=resample,
                seed=seed,
                runner=runner,
            )
        )
    title = f"{chosen_test.name} on {chosen.name}: measured error rates"
    rules = {
        "test": chosen_test.name,
        "metric": chosen.name,
        "null": ",".join(model.name for model in models),
        **({"from": " ".join(given)} if given else {}),
        "units": ",".join(map(str, units or (50, 200))),
        "runs": runs,
        **({"correction": family.name, "submissions": submissions} if family else {}),
        "sided": sided,
        "leader": "yes" if leader else "no",
        "resample": resample,
        "alpha": f"{alpha:g}",
        "seed": seed,
    }
    signature = "|".join([f"qeframe:{__version__}", *(f"{name}:{value}" for name, value in rules.items())])
    table = calibration_table(rows, title, signature=signature)
    if as_json:
        click.echo(canonical_json({"runs": runs, "seed": seed, "signature": signature, "rows": rows}), nl=False)
    else:
        print_table(table)
    if html is not None:
        write_page(html, page_bytes(title, [table]), quiet=quiet)


def _null_models_from(profile: str, path: str, registry: Registry) -> list[NullModel]:
    from pathlib import Path

    from qeframe.api.read import check_answered, choose_profile, read_tasks
    from qeframe.studies.exchanged_answers import exchanged_answers

    tasks = read_tasks(choose_profile(profile, (), registry), Path(path), registry)
    check_answered(tasks, Path(path))
    return [exchanged_answers(list(task.batches.values()), f"answers of {task.name}") for task in tasks]


def _refuse_beside_page(given: Mapping[str, bool]) -> None:
    from qeframe.core.errors import DataError

    unused = [option for option, is_given in given.items() if is_given]
    if unused:
        raise DataError(
            "--page has questions of its own: two-sided at .05, with and without corrections, ten in a family",
            remedy=f"leave out {', '.join(unused)}",
        )


_ALPHA = 0.05
_SUBMISSIONS = 10


def _stored_beside(page: Path) -> Path:
    from qeframe.core.errors import DataError

    stored = page.with_suffix(".json")
    if stored == page:
        raise DataError(f"{page} is the file of the rates", remedy="give the page another ending, such as .md")
    return stored


def _write_markdown(page: Path, rows: Sequence[CalibrationRow], registry: Registry) -> None:
    from qeframe.studies import (
        calibration_page,
    )

    title = f"# Measured error rates of {rows[0].test} on {rows[0].metric}"
    page.write_text(f"{title}\n\n{calibration_page(rows, registry)}", encoding="utf-8")
    click.echo(f"{page}: {len(rows)} rates, stored in {_stored_beside(page)}")
