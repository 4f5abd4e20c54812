"""Evaluate the tasks in a path and show the result: the common part of ``qeframe run`` and ``qeframe demo``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from qeframe.cli.shared.json_lines import EvaluationLines
    from qeframe.components.loading.registry import Registry
    from qeframe.evaluation.result import Evaluation
    from qeframe.execution.kept_blocks import KeptBlocks
    from qeframe.execution.portions import Notice, Portion
    from qeframe.profiles.schema import Profile
    from qeframe.report.folders.result_folder import ResultFolder
    from qeframe.tasks.task import Task

__all__ = ["evaluate_path", "show_evaluation"]


def evaluate_path(
    profile: str | Profile,
    path: Path,
    settings: Sequence[str],
    *,
    seed: int,
    workers: int,
    quiet: bool,
    executor: str = "threads",
    with_attacks: bool = False,
    explain: bool = False,
    equivalence: float | None = None,
    detectable: bool = False,
    influence: int = 0,
    portion: Portion | None = None,
    lines: EvaluationLines | None = None,
) -> tuple[Evaluation, Sequence[Task]]:
    """Read the tasks in a path and evaluate them by a profile; show progress.

    Parameters
    ----------
    profile : str or Profile
        The name of a profile, the path of a TOML file, or what was read from them.
    path : Path
    settings : sequence of str
        Changed rules, ``key=value``.
    seed, workers : int
    quiet : bool
        Show no progress.
    executor : str
        Where draws are computed, as in `open_executor`.
    with_attacks : bool
        Whether attacks take part.
    explain : bool
        Whether primary scores are explained.
    equivalence, detectable, influence
        As in `evaluate`.
    portion : Portion, optional
        What is computed; by default everything, and nothing is kept.
    lines : EvaluationLines, optional
        Is given the tasks and the comparisons as soon as they are there.

    Returns
    -------
    Evaluation
    sequence of Task
        The tasks that were evaluated, with the attacks.

    Raises
    ------
    QeframeError
        If the profile is not valid, or the files cannot be read.
    """
    import attrs

    from qeframe import choose_profile, enter_attacks, evaluate, load, read_tasks
    from qeframe.cli.shared.progress import working
    from qeframe.components.attack import Attack
    from qeframe.evaluation.submissions.read import check_answered

    registry = load()
    chosen = choose_profile(profile, settings, registry)
    with working("computing", quiet=quiet) as runner:
        tasks = read_tasks(chosen, path, registry, runner=runner)
    check_answered(tasks, path)
    if with_attacks:
        tasks = enter_attacks(tasks, registry.all(Attack), seed=seed)
    keep = None if portion is None else partial(_blocks, portion, chosen, tasks, seed, registry)
    if lines is not None:
        lines.tasks(tasks)
    with working("drawing", workers=workers, quiet=quiet, executor=executor, keep=keep) as runner:
        if lines is not None:
            runner = attrs.evolve(runner, on_result=lines.comparison)
        evaluation = evaluate(
            chosen,
            tasks,
            explain=explain,
            equivalence=equivalence,
            detectable=detectable,
            influence=influence,
            seed=seed,
            registry=registry,
            runner=runner,
        )
    if portion is not None:
        portion.finish()
    return evaluation, tasks


def _blocks(
    portion: Portion, profile: Profile, tasks: Sequence[Task], seed: int, registry: Registry, notice: Notice
) -> KeptBlocks:
    """Return the blocks of a portion of the evaluation of tasks."""

    def describe() -> Mapping[str, Any]:
        from qeframe.evaluation.signature import make_signature
        from qeframe.execution.portions import description
        from qeframe.profiles.resolved import resolve

        return description(make_signature(resolve(profile, registry, reads=False), tasks, seed, registry))

    return portion.blocks(describe, notice)


def show_evaluation(
    evaluation: Evaluation,
    tasks: Sequence[Task],
    *,
    out: Path | ResultFolder | None,
    as_json: bool,
    quiet: bool,
    explain: bool = False,
    others: Mapping[str, bytes] | None = None,
    figures: Literal["none", "svg", "png"] = "none",
    figures_of: Sequence[str] = (),
    profile: Profile | None = None,
    command: str = "",
    lines: EvaluationLines | None = None,
) -> None:
    """Print an evaluation as a leaderboard or as JSON, and write its files.

    Parameters
    ----------
    evaluation : Evaluation
    tasks : sequence of Task
        The tasks that were evaluated, for figures of their units.
    out : Path, ResultFolder or None
        The folder for the files; None writes none.
    as_json : bool
    quiet : bool
        Print no warnings and no hints.
    explain : bool
        Also print the tables that explain the primary metric.
    others : mapping of str to bytes, optional
        More files for the folder, by name.
    figures, figures_of, profile, command
        As for `write_report`.
    lines : EvaluationLines, optional
        Writes what it has not written yet, in place of the leaderboard.

    Raises
    ------
    DataError
        If the folder cannot be written to.
    """
    import attrs

    from qeframe.cli.shared.progress import working
    from qeframe.errors import counted, one_line
    from qeframe.report import (
        MOST_PARTS,
        comparison_list,
        explanations,
        influence_tables,
        leaderboard,
        parts_table,
        print_table,
        write_report,
    )

    if lines is not None:
        lines.finish(evaluation)
    elif as_json:
        click.echo(evaluation.to_json(), nl=False)
    else:
        shown = attrs.evolve(evaluation, warnings=())
        print_table(leaderboard(shown))
        tables = explanations(evaluation) if explain else []
        parts = parts_table(shown)
        if parts is not None and len(evaluation.parts) <= MOST_PARTS:
            click.echo()
            print_table(parts)
        elif parts is not None and not quiet:
            click.echo(f"qeframe: with --out, parts.tsv has the table of {len(evaluation.parts)} parts", err=True)
        if any(pair.equivalence for pair in evaluation.comparisons):
            tables.append(comparison_list(evaluation))
        tables += influence_tables(evaluation)
        for table in tables:
            click.echo()
            print_table(table)
    if not quiet:
        for warning in evaluation.warnings:
            click.echo(f"qeframe: warning: {one_line(warning)}", err=True)
    if out is None:
        return
    with working("figures", quiet=quiet or figures == "none") as runner:
        report = write_report(
            evaluation,
            tasks,
            out,
            figures=figures,
            figures_of=figures_of,
            others=others,
            profile=profile,
            command=command,
            runner=runner,
        )
    if not quiet:
        click.echo(f"qeframe: {counted(len(report.paths), 'file')} written to {one_line(str(out))}", err=True)
        for note in report.notes:
            click.echo(f"qeframe: {note}", err=True)
