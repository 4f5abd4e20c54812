"""What authors of plugins call: ``qeframe new-plugin``, ``qeframe check-plugin`` and ``qeframe lock``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import qeframe
from qeframe import report
from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import write_json
from qeframe.core.display import beginning_of
from qeframe.core.errors import PluginError, counted

if TYPE_CHECKING:
    from qeframe.core.origin import Origin
    from qeframe.testing.plugin_report import Finding, PluginReport
    from qeframe.testing.snapshot import Change


@click.command("new-plugin")
@click.argument("name")
@click.option(
    "--kind", type=click.Choice(list(KINDS)), default="metric", show_default=True, help="What the plugin brings."
)
@options.out_option_with("Write into this folder. Default: a folder NAME.")
def new_plugin(name: str, kind: str, out: Path | None) -> None:
    """Write a new plugin of one kind, with its tests.

    NAME is the name of the distribution, such as my-metric. The files install and pass their own tests as they are. In
    the folder of a plugin, or with it as --out, the component NAME is added to that plugin.
    """
    from qeframe.cli.new_plugins.writing import add_to_plugin, is_plugin, write_plugin

    folder = out or (Path() if is_plugin(Path()) else Path(name))
    write = add_to_plugin if is_plugin(folder) else write_plugin
    for path in write(name, folder, qeframe.load(), kind=kind):
        click.echo(str(path))
    check = "" if write is add_to_plugin else f", or: qeframe check-plugin {name}"
    click.echo(f"\nNext: pip install -e '{folder}[test]', then pytest {folder}{check}", err=True)
    if check:
        recorded = folder / "components.json"
        click.echo(f"Before its workflow runs: qeframe lock --plugin {name} --gaming '{recorded}'", err=True)


@click.command("check-plugin")
@click.argument("name")
@options.number_option("--tries", "Number of examples for each law.", default=60)
@click.option("--costly", is_flag=True, help="Measure too how often each test rejects equal submissions.")
@click.option("--require", metavar="CLAIM[,CLAIM]", default="", help="Claims that every metric must make and keep.")
@click.option("--fail-on-undeclared", is_flag=True, help="Attack every metric; fail where one is not declared.")
@click.option("--strict", is_flag=True, help="With --fail-on-undeclared: fail too where that is not determined.")
@options.json_option
@options.quiet_option
def check_plugin(
    name: str,
    tries: int,
    costly: bool,
    require: str,
    fail_on_undeclared: bool,
    strict: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check what a plugin brings against its laws.

    Components, profiles and commands are checked. The plugin must be installed. NAME is the name of an entry point or
    of a distribution. The exit status is 1 if a component breaks a law or a claim that it makes. Claims that a metric
    does not make are tried too and reported, without an effect on the exit status.

    Two gates for continuous integration: --require fails a metric that does not make a claim for which there is a law
    on its batches. --fail-on-undeclared fails a metric that an attack games further than the metric declares: beyond
    the bound in its known_weaknesses, or beyond a gaming index of .05 without one.
    """
    with options.laws_required():
        from qeframe.testing.gates import required_claims
        from qeframe.testing.plugin_report import check_plugin as check
    if strict and not fail_on_undeclared:
        raise click.UsageError("--strict is for a gate: give --fail-on-undeclared too")
    checked = check(
        name,
        qeframe.load(),
        tries=tries,
        costly=costly,
        report=lambda component: None if quiet else click.echo(f"checking {component}", err=True),
        require=required_claims(require) if require else (),
        undeclared=fail_on_undeclared,
        strict=strict,
        commands=[finding for finding in _findings_on_commands() if finding.origin.has_name(name)],
    )
    if as_json:
        write_json(_json_record(checked))
    else:
        _print(checked)
    if checked.broken:
        sys.exit(1)


STATES = {
    "table": "the table of commands can be imported",
    "free_name": "no other distribution has a command of this name",
    "imported": "the place in the table is a command of click",
    "summary": "the table has the first sentence of the help",
}
"""What is checked of commands."""


def _findings_on_commands() -> Iterator[Finding]:
    """Yield what is found of the commands of other distributions, and of their tables."""
    from qeframe.cli.foreign_commands import foreign_command, foreign_commands, foreign_tables

    refused = foreign_commands().refused
    for origin, table in foreign_tables():
        if isinstance(table, PluginError):
            yield _finding(origin, origin.plugin, "table", str(table))
            continue
        for command in table:
            yield _finding(origin, command.name, "free_name", refused.get(command.name, ""))
            try:
                begins = foreign_command(command, origin).get_short_help_str(limit=1000)
            except PluginError as error:
                yield _finding(origin, command.name, "imported", str(error))
                continue
            yield _finding(origin, command.name, "imported", "")
            wrong = "" if begins == command.summary else f"the help begins with {begins!r}, not {command.summary!r}"
            yield _finding(origin, command.name, "summary", wrong)


def _finding(origin: Origin, command: str, law: str, wrong: str) -> Finding:
    from qeframe.testing.plugin_report import Finding

    return Finding(
        origin=origin,
        kind="Command",
        component=command,
        law=law,
        states=STATES[law],
        broken=bool(wrong),
        result="broken" if wrong else "kept",
        tries=1,
        what=wrong,
    )


def _json_record(checked: PluginReport) -> dict[str, Any]:
    from qeframe.core.display import plain_values

    findings = [plain_values(finding) for finding in checked.findings]
    for record in findings:
        del record["beginning"]  # of the counterexample, for the terminal
    return {"plugin": checked.name, "broken": len(checked.broken), "findings": findings}


_REFUTED = "not claimed, refuted"
"""The result of a claim that is rightly not made."""


def _print(checked: PluginReport) -> None:
    findings = checked.findings
    if not findings:
        click.echo(f"there is no law for what '{checked.name}' brings")
        return
    origins = list(dict.fromkeys(str(finding.origin) for finding in findings))
    columns = [
        (report.Column("component", "left", key=True), [report.Cell(finding.component) for finding in findings]),
        (report.Column("law", "left", key=True), [report.Cell(finding.law) for finding in findings]),
        (report.Column("result", "left"), [report.Cell(finding.result, finding.broken) for finding in findings]),
        (report.Column("tries"), [report.Cell(str(finding.tries)) for finding in findings]),
    ]
    absent = any(_is_unclaimed(finding) for finding in checked.broken)
    strong = f"a broken law{', or a required claim that is not made' if absent else ''}" if checked.broken else ""
    report.print_table(report.Table.from_columns(", ".join(origins), columns, strong_means=strong))
    for finding in findings:
        # a law that was not tried because another one is broken is told once, at that law
        if finding.what and finding.result != _REFUTED and not (finding.result == "not tried" and finding.law != "all"):
            click.echo(f"\n{_finding_lines(finding)}")
    refuted = [
        f"  {finding.component} {finding.law}: {finding.what}" for finding in findings if finding.result == _REFUTED
    ]
    if refuted:
        click.echo("\n".join(["\nno law is broken by claims that are not made; what refutes them:", *refuted]))
    click.echo(f"\n{_conclusion(checked)}")


def _conclusion(checked: PluginReport) -> str:
    untried = sum(finding.result == "not tried" for finding in checked.findings)
    if checked.broken:
        absent = sum(_is_unclaimed(finding) for finding in checked.broken)
        number = len(checked.broken) - absent
        broken = "1 law is broken" if number == 1 else f"{number} laws are broken" if number else ""
        claims = f"claims that are required and not made: {absent}" if absent else ""
        broken = "; ".join(filter(None, [broken, claims]))
        return f"{broken}; laws not tried for that reason: {untried}" if untried else broken
    return f"every law that was tried is kept; components not tried: {untried}" if untried else "every law is kept"


def _is_unclaimed(finding: Finding) -> bool:
    """Return whether a claim is required and not made, without a counterexample."""
    return finding.result.startswith("required") and not finding.counterexample


def _finding_lines(finding: Finding) -> str:
    """Return a finding as lines: the component and its distribution, the law, the counterexample."""
    subject = f"{finding.kind} '{finding.component}' of {finding.origin}"
    if finding.broken and _is_unclaimed(finding):
        first = f"{subject} does not claim '{finding.law}', which is required: {finding.what}"
    elif finding.broken:
        first = f"{subject} breaks the law '{finding.law}': {finding.states}\n{finding.what}"
    elif finding.result == "not tried":
        first = f"{subject} was not tried: {finding.what}"
    elif finding.result == "left out":
        first = f"{subject} leaves out the law '{finding.law}': {finding.what}"
    else:
        first = f"{subject} is not determined: {finding.what}"
    example = ["smallest counterexample:", *(f"  {line}" for line in finding.beginning)]
    example += ["  (--json has all of it)"] if finding.beginning != finding.counterexample else []
    return "\n".join([first, *(example if finding.counterexample else []), *filter(None, [finding.exploit])])


@click.command()
@click.argument("file", type=options.path_type, default="components.json")
@click.option("--check", is_flag=True, help="Write nothing; report every component whose numbers have changed.")
@click.option("--plugin", "name", default="", metavar="NAME", help="Only the components of a plugin or distribution.")
@click.option("--gaming", is_flag=True, help="Record or check the gaming indices of metrics too.")
@options.json_option
def lock(file: Path, check: bool, name: str, gaming: bool, as_json: bool) -> None:
    """Record the numbers of every component in FILE.

    The numbers are results on fixed inputs. The default of FILE is components.json. With --check, numbers are compared
    with those in FILE. Each changed, missing or new component is printed, with the smallest input that shows the
    change. The exit status is 1 if a number has changed or a component is missing.

    With --gaming, every attack is tried on each metric, on two generated golds, and the largest gaming indices are
    recorded as well. With both options a metric has changed too if its index has grown by more than .005, or if it can
    be attacked and no index was recorded.
    """
    registry = qeframe.load()
    with options.laws_required():
        from qeframe.testing import snapshot as locking
        from qeframe.testing.plugin_report import find_plugins
    plugins = [plugin.origin.plugin for plugin in find_plugins(name, registry)] if name else []
    if not check:
        locked = locking.lock(registry, plugins=plugins, gaming=gaming)
        locking.write_lock(locked, file)
        click.echo(f"{file}: {counted(len(locked), 'component')}")
        return
    changes = locking.changes(locking.read_lock(file), registry, plugins=plugins, gaming=gaming)
    _print_changes(changes, as_json)
    if any(change.broken for change in changes):
        sys.exit(1)


def _print_changes(changes: list[Change], as_json: bool) -> None:
    if as_json:
        write_json(changes)
        return
    for change in changes:
        click.echo(f"{change.kind}: {change.component}: {change.what}")
        for side, value in change.input.items():
            click.echo(f"    {side} = {beginning_of(value)}")
    broken = sum(change.broken for change in changes)
    click.echo(f"{broken or 'no'} recorded component{'' if broken == 1 else 's'} changed")
