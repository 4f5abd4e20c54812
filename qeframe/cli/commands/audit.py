"""``qeframe audit``: measure how far metrics can be gamed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import click

import qeframe
from qeframe import gaming, report
from qeframe.cli.shared import options
from qeframe.cli.shared.command_line import command_line
from qeframe.cli.shared.pages import take_out, write_page
from qeframe.cli.shared.standard_streams import say
from qeframe.core.errors import DataError


@click.command()
@click.argument("metrics", nargs=-1)
@click.option(
    "--profile",
    shell_complete=options.complete_profile,
    nargs=2,
    metavar="P PATH",
    help="Try the attacks on the gold in PATH, as 'qeframe run P PATH' reads it.",
)
@options.names_option("--attack", "attacks", "ATTACK", "Try this attack; repeatable. Default: all attacks that fit.")
@click.option("--search", is_flag=True, help="Search the spaces that attacks declare for attacks that are not listed.")
@options.number_option("--tries", "With --search: how many points of each space are tried at most. Default: 400.")
@click.option(
    "--each", is_flag=True, help="Try the cosmetic attacks on every submission instead, and show what each would gain."
)
@click.option("--claims/--no-claims", default=True, help="Whether to search for counterexamples to claims as well.")
@click.option(
    "--fail-above",
    type=click.FloatRange(min=0),
    metavar="INDEX",
    help="Exit with status 1 if the interval of a gaming index is above INDEX.",
)
@click.option("--strict", is_flag=True, help="With --fail-above: fail too where the interval holds INDEX.")
@options.out_option_with("Write report.html, audit.md and audit.json into this folder.")
@options.html_option
@options.figures_option
@options.set_option
@options.leaving_out_options
@options.common_options
def audit(
    metrics: tuple[str, ...],
    profile: tuple[str, str] | None,
    attacks: tuple[str, ...],
    search: bool,
    tries: int | None,
    each: bool,
    claims: bool,
    fail_above: float | None,
    strict: bool,
    out: Path | None,
    html: Path | None,
    figures: Literal["none", "svg", "png"],
    settings: tuple[str, ...],
    leaving: options.LeavingOut,
    common: options.CommonOptions,
) -> None:
    """Measure how far METRICS can be gamed, and by which attack.

    The attacks are tried on generated gold, on as many golds as a standard error of .02 needs. 'qeframe audit PROFILE
    PATH' tries them on the gold of a shared task as it is, and ranks them among its submissions; METRICS may follow.
    The gaming index of a metric is the distance that the best blind or cosmetic attack covers from honest chance to a
    perfect score. A cosmetic attack starts from the honest submission that it changes. An index of 0 is safe; an index
    of 1 is as good as the gold. The claims of each metric are checked as well.

    Without METRICS, those of the profile are audited, or all metrics. With --search, an optimizer looks for attacks
    that are not listed. Each find is measured on other gold, and printed as a command that measures it again. Ctrl-C
    ends the search and keeps what was found.

    With --fail-above the command is a gate: the exit status is 1 if the lower end of the 95 % interval of a gaming
    index is above INDEX. Where the interval holds INDEX, it is not determined, a failure with --strict only.
    """
    import shlex

    import attrs

    from qeframe.gaming.search import TRIES
    from qeframe.gaming.winner import gains_of_submissions

    options.check_figures(out, figures)
    registry = qeframe.load()
    profile, metrics = _profile(profile, metrics, registry)
    result_folder = take_out(out, *([Path(profile[1])] if profile else []))
    generated = profile is None
    wrong = {
        "--set changes rules of a profile: give --profile too": settings and generated,
        "--exclude and --skip-invalid need submissions: give a profile and a path": generated
        and (leaving.exclude or leaving.skip_invalid),
        "--each needs submissions: give a profile and a path": each and generated,
        "--each and --search are two questions: give one of them": each and search,
        "--each measures no gaming index: leave out --fail-above": each and fail_above is not None,
        "--strict is for a gate: give --fail-above too": strict and fail_above is None,
        "--tries is for a search: give --search too": tries is not None and not search,
    }
    options.check_usage(wrong)
    gold, chosen = _gold(profile, settings, metrics, registry, leaving)
    given = shlex.join([*profile, *(word for setting in settings for word in ("--set", setting))]) if profile else ""
    with common.working("searching" if search else "attacking") as runner:
        measured: dict[str, Any] = {"seed": common.seed, "registry": registry, "runner": runner, "attacks": attacks}
        result: Any = (
            gains_of_submissions(chosen, gold, **measured)
            if each
            else qeframe.audit(chosen, gold, claims=claims, search=search, tries=tries or TRIES, **measured)
        )
    result = attrs.evolve(result, notes=(*result.notes, *leaving.notes))
    leaving.told = True
    if common.as_json:
        click.echo(result.to_json(), nl=False)
    elif each:
        _print_tables(gaming.gain_tables(result))
    else:
        _print(result, given, counterexamples=bool(chosen))
    notes = list(result.notes)
    if result_folder is not None:
        written = gaming.write_audit(result, result_folder, command=command_line(), given=given, figures=figures)
        notes += [f"{len(written.paths)} files written to {out}", *written.notes]
    say(*notes, quiet=common.quiet)
    if html is not None:
        write_page(html, gaming.audit_html(result, command=command_line(), given=given), quiet=common.quiet)
    if fail_above is not None:
        _end_at_gate(result, fail_above, strict=strict)


def _end_at_gate(result: qeframe.Audit, above: float, *, strict: bool) -> None:
    """Report what a gate found, and end with status 1 if a metric fails."""
    import sys

    from qeframe.gaming.gaming_gate import index_gate

    gates = [index_gate(metric, above) for metric in result.metrics]
    for gate in gates:
        if gate.outcome != "kept":
            verdict = "fails" if gate.fails(strict=strict) else "is not determined"
            say(f"{gate.metric} {verdict}: {gate.what}")
    if any(gate.fails(strict=strict) for gate in gates):
        sys.exit(1)


def _profile(
    profile: tuple[str, str] | None, words: tuple[str, ...], registry: qeframe.Registry
) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
    """Return the profile and its path, which may be the first two words, and the metrics."""
    from qeframe.api.read import names_profile
    from qeframe.core.metric import Metric

    if profile or not words or not names_profile(words[0], registry) or words[0] in registry.names(Metric):
        return profile, words
    if len(words) == 1:
        raise click.UsageError(
            f"'{words[0]}' is a profile: give the path of its data too, 'qeframe audit {words[0]} PATH'"
        )
    return (words[0], words[1]), words[2:]


def _gold(
    profile: tuple[str, str] | None,
    settings: tuple[str, ...],
    metrics: tuple[str, ...],
    registry: qeframe.Registry,
    leaving: options.LeavingOut,
) -> tuple[Any, tuple[str, ...]]:
    """Return the tasks of a profile, or None for generated gold, and the names of the metrics."""
    if profile is None:
        return None, metrics
    from qeframe.studies.selections import by_selection

    name, path = profile
    rules = qeframe.choose_profile(name, settings, registry)
    tasks = qeframe.read_tasks(rules, Path(path), registry, chosen=leaving.of(rules, Path(path), registry))
    selections = by_selection(rules, tasks, registry, metrics)
    if len(selections) > 1:
        what = f"profile '{rules.name}' is a task set, whose parts read different levels and selections"
        choices = " or ".join(f"'{' '.join(of_reading.metrics)}'" for of_reading, _, _ in selections)
        raise DataError(what, remedy=f"name metrics of one after the path: {choices}")
    of_reading, read, _ = selections[0]
    return read, metrics or tuple(of_reading.metrics)


def _print_tables(tables: Iterable[report.Table]) -> None:
    for table in tables:
        report.print_table(table)
        click.echo()


def _print(result: qeframe.Audit, given: str, *, counterexamples: bool) -> None:
    if len(result.metrics) == 1:
        report.print_table(gaming.attack_table(result.metrics[0]))
    else:
        _print_tables([gaming.audit_summary(result), *gaming.audit_tables(result), gaming.claims_table(result)])
    if any(metric.searched for metric in result.metrics):
        click.echo()
        report.print_table(gaming.finds_table(result))
        for line in gaming.recipe_lines(result, given):
            click.echo(line)
    for metric in result.metrics if counterexamples else ():
        for line in gaming.counterexample_lines(metric):
            click.echo(line)
