"""``qeframe new-plugin`` and ``qeframe check-plugin``: for authors of plugins."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qeframe.cli.options import json_option, quiet_option

if TYPE_CHECKING:
    from qeframe.testing.plugin_report import Finding, PluginReport

__all__ = ["check_plugin", "need_the_laws", "new_plugin"]


@click.command("new-plugin")
@click.argument("name")
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Write it there; by default into a folder NAME."
)
def new_plugin(name: str, out: Path | None) -> None:
    """Write a distribution with one metric, its tests and its entry point, to start from.

    NAME is the name of the distribution, such as my-metric.
    """
    from qeframe.cli.new_plugin import write_plugin
    from qeframe.components.loader import load

    folder = Path(name) if out is None else out
    for path in write_plugin(name, folder, load()):
        click.echo(str(path))
    click.echo(
        f"\nNext: pip install -e '{folder}[test]', then pytest {folder}, or: qeframe check-plugin {name}", err=True
    )


@click.command("check-plugin")
@click.argument("name")
@click.option("--tries", type=click.IntRange(min=1), default=60, show_default=True, help="Examples of each law.")
@json_option
@quiet_option
def check_plugin(name: str, tries: int, as_json: bool, quiet: bool) -> None:
    """Hold every component of an installed plugin to its laws, and to the claims that it makes.

    NAME is that of an entry point or of a distribution. Exit status 1 if a law is broken. Claims that a metric does not
    make are tried too, which changes nothing about the status.
    """
    from qeframe.components.loader import load
    from qeframe.evaluation.result import canonical_json

    with need_the_laws():
        from qeframe.testing.plugin_report import check_plugin as check
    report = check(name, load(), tries=tries, tell=_silent if quiet else _tell)
    if as_json:
        click.echo(canonical_json(_record(report)), nl=False)
    else:
        _print(report)
    if report.broken:
        sys.exit(1)


@contextmanager
def need_the_laws() -> Iterator[None]:
    """Raise a `DataError` with the remedy where `qeframe.testing` lacks what it needs."""
    from qeframe.errors import DataError

    try:
        yield
    except ModuleNotFoundError as error:
        raise DataError(f"the laws need {error.name}", remedy="pip install 'qeframe[test]'") from error


def _tell(component: str) -> None:
    click.echo(f"checking {component}", err=True)


def _silent(component: str) -> None:
    pass


def _record(report: PluginReport) -> dict[str, Any]:
    import attrs

    return {
        "plugin": report.name,
        "broken": len(report.broken),
        "findings": [attrs.asdict(finding) for finding in report.findings],
    }


def _print(report: PluginReport) -> None:
    from qeframe.report import Cell, Column, Table, print_table

    found = report.findings
    if not found:
        click.echo(f"'{report.name}' brings no component that has laws")
        return
    origins = list(dict.fromkeys(str(finding.origin) for finding in found))
    columns = [
        (Column("component", "left", key=True), [Cell(finding.component) for finding in found]),
        (Column("law", "left", key=True), [Cell(finding.law) for finding in found]),
        (Column("result", "left"), [Cell(finding.result, finding.broken) for finding in found]),
        (Column("tries"), [Cell(str(finding.tries)) for finding in found]),
    ]
    strong = "a law that is broken" if report.broken else ""
    print_table(Table.from_columns(", ".join(origins), columns, strong_means=strong))
    for finding in (each for each in found if each.what):
        click.echo(f"\n{_told(finding)}")
    click.echo(f"\n{_conclusion(report)}")


def _conclusion(report: PluginReport) -> str:
    untried = sum(finding.result == "not tried" for finding in report.findings)
    if report.broken:
        return "1 law is broken" if len(report.broken) == 1 else f"{len(report.broken)} laws are broken"
    return f"every law that was tried is kept; components not tried: {untried}" if untried else "every law is kept"


def _told(finding: Finding) -> str:
    """Return what was found, with the distribution, the law and the counterexample, in lines."""
    subject = f"{finding.kind} '{finding.component}' of {finding.origin}"
    if finding.broken:
        first = f"{subject} breaks the law '{finding.law}' ({finding.states}): {finding.what}"
    elif finding.result == "not tried":
        first = f"{subject} was not tried: {finding.what}"
    else:
        first = f"{subject} does not claim '{finding.law}': {finding.what}"
    example = ["smallest counterexample:", *(f"  {line}" for line in finding.counterexample)]
    return "\n".join([first, *(example if finding.counterexample else []), *filter(None, [finding.exploit])])
