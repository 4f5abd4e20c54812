"""``qeframe audit``: measure how far metrics can be gamed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qeframe.cli.shared.options import (
    json_option,
    path_type,
    quiet_option,
    seed_option,
    set_option,
    workers_option,
)
from qeframe.cli.shared.result_folder import take_out

if TYPE_CHECKING:
    from qeframe.components.registry import Registry
    from qeframe.gaming.audit import Audit
    from qeframe.report.folders.result_folder import ResultFolder

__all__ = ["audit"]


@click.command()
@click.argument("metrics", nargs=-1)
@click.option(
    "--profile",
    nargs=2,
    metavar="P PATH",
    default=None,
    help="Try the attacks on the gold in PATH, as 'qeframe run P PATH' reads it.",
)
@click.option(
    "--attack",
    "attacks",
    multiple=True,
    metavar="ATTACK",
    help="Try this attack; repeatable. Default: all attacks that fit.",
)
@click.option("--claims/--no-claims", default=True, help="Whether to search for counterexamples to claims as well.")
@click.option("--out", type=path_type, default=None, help="Write audit.json, audit.md and a heat map into this folder.")
@set_option
@seed_option
@workers_option
@json_option
@quiet_option
def audit(
    metrics: tuple[str, ...],
    profile: tuple[str, str] | None,
    attacks: tuple[str, ...],
    claims: bool,
    out: Path | None,
    settings: tuple[str, ...],
    seed: int,
    workers: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Measure how far METRICS can be gamed, and by which attack.

    The attacks are tried on generated gold. With --profile they are tried on the gold of a shared task and ranked among
    its submissions. The gaming index of a metric is the distance that the best blind or cosmetic attack covers from
    honest chance to a perfect score. A cosmetic attack starts from the honest submission that it changes. An index of 0
    is safe; an index of 1 is as good as the gold. The claims of each metric are checked as well.

    Without METRICS, those of the profile are audited, or all metrics.
    """
    from qeframe.cli.shared.progress import working
    from qeframe.components.loader import load
    from qeframe.gaming.audit import audit as audit_metrics

    held = take_out(out, *([Path(profile[1])] if profile else []))
    if settings and profile is None:
        raise click.UsageError("--set changes rules of a profile: give --profile too", click.get_current_context())
    registry = load()
    gold, chosen = _gold(profile, settings, metrics, registry)
    with working("attacking", workers=workers, quiet=quiet) as runner:
        result = audit_metrics(
            chosen, gold, attacks=attacks, claims=claims, seed=seed, registry=registry, runner=runner
        )
    _show(result, chosen, out=held, as_json=as_json, quiet=quiet)


def _command() -> str:
    """Return this command line without its --out, for the page that it writes."""
    import shlex

    words = sys.argv[1:]
    kept = [w for i, w in enumerate(words) if w != "--out" and words[i - 1 : i] != ["--out"] and w[:6] != "--out="]
    return shlex.join(["qeframe", *kept])


def _gold(
    profile: tuple[str, str] | None, settings: tuple[str, ...], metrics: tuple[str, ...], registry: Registry
) -> tuple[Any, tuple[str, ...]]:
    """Return the tasks of a profile, or None for generated gold, and the names of the metrics."""
    if profile is None:
        return None, metrics
    from qeframe.evaluation.read import choose_profile, read_tasks

    name, path = profile
    rules = choose_profile(name, settings, registry)
    return read_tasks(rules, Path(path), registry), metrics or tuple(rules.metrics)


def _show(result: Audit, chosen: tuple[str, ...], *, out: ResultFolder | None, as_json: bool, quiet: bool) -> None:
    from qeframe.report import (
        attack_table,
        audit_summary,
        audit_tables,
        claims_table,
        counterexample_lines,
        print_table,
        write_audit,
    )

    if as_json:
        click.echo(result.to_json(), nl=False)
    elif len(result.metrics) == 1:
        print_table(attack_table(result.metrics[0]))
    else:
        for table in [audit_summary(result), *audit_tables(result), claims_table(result)]:
            print_table(table)
            click.echo()
    if not as_json and chosen:
        for metric in result.metrics:
            for line in counterexample_lines(metric):
                click.echo(line)
    notes = list(result.notes)
    if out is not None:
        written = write_audit(result, out, command=_command())
        notes += [f"{len(written.paths)} files written to {out}", *written.notes]
    for note in () if quiet else notes:
        click.echo(f"qeframe: {note}", err=True)
