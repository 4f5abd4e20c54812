"""``qeframe audit``: how far metrics can be gamed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from qeframe.cli.options import (
    confirm_writable,
    json_option,
    path_type,
    quiet_option,
    seed_option,
    set_option,
    workers_option,
)

if TYPE_CHECKING:
    from qeframe.components.registry import Registry
    from qeframe.gaming.audit import Audit

__all__ = ["audit"]


@click.command()
@click.argument("metrics", nargs=-1)
@click.option(
    "--profile",
    nargs=2,
    metavar="P PATH",
    default=None,
    help="Try the attacks on the real gold in PATH, as 'qeframe run P PATH' reads it.",
)
@click.option("--attack", "attacks", multiple=True, metavar="ATTACK", help="Repeatable; by default all that fit.")
@click.option("--claims/--no-claims", default=True, help="Whether to search for counterexamples to claims, too.")
@click.option("--out", type=path_type, default=None, help="Write audit.json, audit.md and a heat map there.")
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
    """Find out how far METRICS can be gamed, by which attack, and which claims they do not keep.

    The attacks are tried on generated gold, or with --profile on the gold of a shared task, among whose submissions
    each attack is ranked. The gaming index of a metric is how far the best blind or cosmetic attack gets from honest
    chance (or from the honest submission that it dresses up) to a perfect score: 0 is safe, 1 as good as the gold.

    Without METRICS: those of the profile, or all that there are.
    """
    from qeframe.cli.progress import working
    from qeframe.components.loader import load
    from qeframe.gaming.audit import audit as find_out

    confirm_writable(out)
    if settings and profile is None:
        raise click.UsageError("--set changes rules of a profile: give --profile too", click.get_current_context())
    registry = load()
    gold, asked = _gold(profile, settings, metrics, registry)
    with working("attacking", workers=workers, quiet=quiet) as runner:
        found = find_out(asked, gold, attacks=attacks, claims=claims, seed=seed, registry=registry, runner=runner)
    _present(found, asked, out=out, as_json=as_json, quiet=quiet)


def _command() -> str:
    """Return the words of this command but for its --out, so that a page says how it was made."""
    import shlex

    words = sys.argv[1:]
    kept = [w for i, w in enumerate(words) if w != "--out" and words[i - 1 : i] != ["--out"] and w[:6] != "--out="]
    return shlex.join(["qeframe", *kept])


def _gold(
    profile: tuple[str, str] | None, settings: tuple[str, ...], metrics: tuple[str, ...], registry: Registry
) -> tuple[Any, tuple[str, ...]]:
    """Return the tasks of a profile's place, None for generated gold, and the metrics."""
    if profile is None:
        return None, metrics
    from qeframe.evaluation.read import choose_profile, read_tasks

    name, path = profile
    rules = choose_profile(name, settings, registry)
    return read_tasks(rules, Path(path), registry), metrics or tuple(rules.metrics)


def _present(found: Audit, asked: tuple[str, ...], *, out: Path | None, as_json: bool, quiet: bool) -> None:
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
        click.echo(found.to_json(), nl=False)
    elif len(found.metrics) == 1:
        print_table(attack_table(found.metrics[0]))
    else:
        for table in [audit_summary(found), *audit_tables(found), claims_table(found)]:
            print_table(table)
            click.echo()
    if not as_json and asked:
        for metric in found.metrics:
            for line in counterexample_lines(metric):
                click.echo(line)
    notes = list(found.notes)
    if out is not None:
        written = write_audit(found, out, command=_command())
        notes += [f"{len(written.paths)} files written to {out}", *written.notes]
    for note in () if quiet else notes:
        click.echo(f"qeframe: {note}", err=True)
