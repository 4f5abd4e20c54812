"""``qeframe audit``: measure how far metrics can be gamed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from qeframe.cli.shared.command_line import command_line
from qeframe.cli.shared.completion import complete_name
from qeframe.cli.shared.options import (
    CommonOptions,
    LeavingOut,
    WholeNumber,
    common_options,
    figures_option,
    html_option,
    leaving_out_options,
    out_option_with,
    set_option,
)
from qeframe.cli.shared.pages import take_out, write_page

if TYPE_CHECKING:
    from pathlib import Path

    from qeframe.core.components.loading.registry import Registry
    from qeframe.gaming.audit import Audit
    from qeframe.gaming.winner import Gains
    from qeframe.report.folders.result_folder import ResultFolder


@click.command()
@click.argument("metrics", nargs=-1, shell_complete=complete_name("metrics"))
@click.option(
    "--profile",
    shell_complete=complete_name("profiles"),
    nargs=2,
    metavar="P PATH",
    default=None,
    help="Try the attacks on the gold in PATH, as 'qeframe run P PATH' reads it.",
)
@click.option(
    "--attack",
    "attacks",
    shell_complete=complete_name("attacks"),
    multiple=True,
    metavar="ATTACK",
    help="Try this attack; repeatable. Default: all attacks that fit.",
)
@click.option("--search", is_flag=True, help="Search the spaces that attacks declare for attacks that are not listed.")
@click.option(
    "--tries",
    type=WholeNumber(min=1),
    default=None,
    help="With --search: how many points of each space are tried at most. Default: 400.",
)
@click.option(
    "--each", is_flag=True, help="Try the cosmetic attacks on every submission instead, and show what each would gain."
)
@click.option("--claims/--no-claims", default=True, help="Whether to search for counterexamples to claims as well.")
@click.option(
    "--fail-above",
    type=click.FloatRange(min=0),
    default=None,
    metavar="INDEX",
    help="Exit with status 1 if the interval of a gaming index is above INDEX.",
)
@click.option("--strict", is_flag=True, help="With --fail-above: fail too where the interval holds INDEX.")
@out_option_with("Write report.html, audit.md and audit.json into this folder.")
@html_option
@figures_option
@set_option
@leaving_out_options
@common_options
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
    leaving: LeavingOut,
    common: CommonOptions,
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
    from pathlib import Path

    import attrs

    from qeframe.core.components.loading.loader import load
    from qeframe.gaming.audit import audit as audit_metrics
    from qeframe.gaming.audit_folder import audit_html, gains_html
    from qeframe.gaming.search import TRIES
    from qeframe.gaming.winner import gains_of_submissions

    if out is None and figures != "none":
        raise click.UsageError("a figure is a file: give --out too", click.get_current_context())
    registry = load()
    profile, metrics = _profile(profile, metrics, registry)
    result_folder = take_out(out, *([Path(profile[1])] if profile else []))
    context = click.get_current_context()
    if settings and profile is None:
        raise click.UsageError("--set changes rules of a profile: give --profile too", context)
    if (leaving.exclude or leaving.skip_invalid) and profile is None:
        raise click.UsageError("--exclude and --skip-invalid need submissions: give a profile and a path", context)
    if each and profile is None:
        raise click.UsageError("--each needs submissions: give a profile and a path", context)
    if each and search:
        raise click.UsageError("--each and --search are two questions: give one of them", context)
    if each and fail_above is not None:
        raise click.UsageError("--each measures no gaming index: leave out --fail-above", context)
    if strict and fail_above is None:
        raise click.UsageError("--strict is for a gate: give --fail-above too", context)
    if tries is not None and not search:
        raise click.UsageError("--tries is for a search: give --search too", context)
    gold, chosen = _gold(profile, settings, metrics, registry, leaving)
    given = shlex.join([*profile, *(word for setting in settings for word in ("--set", setting))]) if profile else ""
    with common.working("searching" if search else "attacking") as runner:
        if each:
            gains = gains_of_submissions(
                chosen, gold, attacks=attacks, seed=common.seed, registry=registry, runner=runner
            )
            gains = attrs.evolve(gains, notes=(*gains.notes, *leaving.notes))
        else:
            result = audit_metrics(
                chosen,
                gold,
                attacks=attacks,
                claims=claims,
                search=search,
                tries=tries or TRIES,
                seed=common.seed,
                registry=registry,
                runner=runner,
            )
            result = attrs.evolve(result, notes=(*result.notes, *leaving.notes))
    leaving.told = True
    if each:
        _show_gains(gains, common, out=result_folder)
        page = gains_html(gains, command=command_line())
    else:
        _show(result, chosen, common, out=result_folder, figures=figures, given=given)
        page = audit_html(result, command=command_line(), given=given)
    write_page(html, page.encode("utf-8", "backslashreplace"), quiet=common.quiet)
    if fail_above is not None:
        _end_at_gate(result, fail_above, strict=strict)


def _end_at_gate(result: Audit, above: float, *, strict: bool) -> None:
    """Report what a gate found, and end with status 1 if a metric fails."""
    import sys

    from qeframe.gaming.gaming_gate import index_gate

    gates = [index_gate(metric, above) for metric in result.metrics]
    for gate in gates:
        if gate.outcome != "kept":
            verdict = "fails" if gate.fails(strict=strict) else "is not determined"
            click.echo(f"qeframe: {gate.metric} {verdict}: {gate.what}", err=True)
    if any(gate.fails(strict=strict) for gate in gates):
        sys.exit(1)


def _profile(
    profile: tuple[str, str] | None, words: tuple[str, ...], registry: Registry
) -> tuple[tuple[str, str] | None, tuple[str, ...]]:
    """Return the profile and its path, which may be the first two words, and the metrics."""
    from qeframe.api.read import names_profile
    from qeframe.core.components.metric import Metric

    if profile or not words or not names_profile(words[0], registry) or words[0] in registry.names(Metric):
        return profile, words
    if len(words) == 1:
        what = f"'{words[0]}' is a profile: give the path of its data too, 'qeframe audit {words[0]} PATH'"
        raise click.UsageError(what, click.get_current_context())
    return (words[0], words[1]), words[2:]


def _gold(
    profile: tuple[str, str] | None,
    settings: tuple[str, ...],
    metrics: tuple[str, ...],
    registry: Registry,
    leaving: LeavingOut,
) -> tuple[Any, tuple[str, ...]]:
    """Return the tasks of a profile, or None for generated gold, and the names of the metrics."""
    if profile is None:
        return None, metrics
    from pathlib import Path

    from qeframe.api.read import choose_profile, read_tasks
    from qeframe.core.errors import DataError

    name, path = profile
    rules = choose_profile(name, settings, registry)
    if rules.is_assembled:
        what = f"profile '{rules.name}' is a task set, whose parts read different levels and selections"
        raise DataError(what, remedy="give a profile of one metric, such as that of one level")
    tasks = read_tasks(rules, Path(path), registry, chosen=leaving.of(rules, Path(path), registry))
    return tasks, metrics or tuple(rules.metrics)


def _show_gains(gains: Gains, common: CommonOptions, *, out: ResultFolder | None) -> None:
    from qeframe.gaming import gain_tables, write_gains
    from qeframe.report import print_table

    if common.as_json:
        click.echo(gains.to_json(), nl=False)
    else:
        for table in gain_tables(gains):
            print_table(table)
            click.echo()
    notes = list(gains.notes)
    if out is not None:
        written = write_gains(gains, out, command=command_line())
        notes += [f"{len(written.paths)} files written to {out}", *written.notes]
    for note in () if common.quiet else notes:
        click.echo(f"qeframe: {note}", err=True)


def _show(
    result: Audit,
    chosen: tuple[str, ...],
    common: CommonOptions,
    *,
    out: ResultFolder | None,
    figures: Literal["none", "svg", "png"],
    given: str,
) -> None:
    from qeframe.gaming import (
        attack_table,
        audit_summary,
        audit_tables,
        claims_table,
        counterexample_lines,
        finds_table,
        recipe_lines,
        write_audit,
    )
    from qeframe.report import print_table

    if common.as_json:
        click.echo(result.to_json(), nl=False)
    elif len(result.metrics) == 1:
        print_table(attack_table(result.metrics[0]))
    else:
        for table in [audit_summary(result), *audit_tables(result), claims_table(result)]:
            print_table(table)
            click.echo()
    if not common.as_json and any(metric.searched for metric in result.metrics):
        click.echo()
        print_table(finds_table(result))
        for line in recipe_lines(result, given):
            click.echo(line)
    if not common.as_json and chosen:
        for metric in result.metrics:
            for line in counterexample_lines(metric):
                click.echo(line)
    notes = list(result.notes)
    if out is not None:
        written = write_audit(result, out, command=command_line(), given=given, figures=figures)
        notes += [f"{len(written.paths)} files written to {out}", *written.notes]
    for note in () if common.quiet else notes:
        click.echo(f"qeframe: {note}", err=True)
