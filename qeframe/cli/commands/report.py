"""``qeframe report`` and ``qeframe trace``: a result that is there, as a page again and number by number."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import say, write_json
from qeframe.core.errors import one_line


@click.command()
@click.argument("folder", metavar="DIR", type=options.path_type)
@click.option("--html", type=options.path_type, metavar="FILE", help="Write the page here, and nothing into DIR.")
@click.option(
    "--latex",
    type=options.path_type,
    metavar="FILE.tex",
    help="Write the table for a paper here, its notes into FILE_notes.tex, and nothing into DIR.",
)
@click.option("--caption", default="", metavar="TEXT", help="With --latex: the caption of the table.")
@click.option("--label", default="", metavar="NAME", help="With --latex: the label of the table, after 'tab:'.")
@click.option(
    "--width",
    type=options.DecimalNumber(min=0, min_open=True),
    metavar="POINTS",
    help=r"With --latex: the \textwidth of the paper. Default: 455, of a page in two columns.",
)
@options.quiet_option
def report(
    folder: Path, html: Path | None, latex: Path | None, caption: str, label: str, width: float | None, quiet: bool
) -> None:
    """Make the page and the tables of a result again.

    DIR is a folder that 'qeframe run --out DIR' has written. The page and the tables are made from evaluation.json and
    report.json in it; the data of the task are not needed. They are written into DIR.
    """
    from qeframe.report.layouts.latex import as_latex, latex_notes
    from qeframe.report.result_files.evaluation_folder import PAGE, remade_page, rewrite_page, table_for_paper
    from qeframe.report.result_files.files import write_file

    for_latex = bool(caption or label or width)
    options.check_usage({"--caption, --label and --width need --latex": for_latex and latex is None})
    written: dict[Path, str | bytes] = {}
    if html is not None:
        written[html] = remade_page(folder)
    if latex is not None:
        table = table_for_paper(folder)
        written[latex] = as_latex(table, width=width or 455.0, caption=caption, label=label)
        written[latex.with_name(f"{latex.stem}_notes.tex")] = latex_notes(table)
    if not written:
        rewrite_page(folder)
    for path, content in written.items():
        write_file(path, content)
    where = f"written to {' and '.join(map(str, written))}" if written else f"{PAGE} and the tables written to {folder}"
    say(where, quiet=quiet)


@click.command()
@click.argument("result", type=options.path_type)
@click.argument("submission")
@click.argument("metric", default="")
@click.option(
    "--data", type=options.path_type, metavar="PATH", help="Compare the files in PATH with those that were read."
)
@options.json_option
def trace(result: Path, submission: str, metric: str, data: Path | None, as_json: bool) -> None:
    """Print the way from files to a score of SUBMISSION.

    RESULT is a folder that 'qeframe run --out' wrote, or its evaluation.json; METRIC is by default the primary one. The
    files with their digests, what was dropped, the score in each task with its weight, the aggregate with its interval,
    and each comparison that set the rank are read from the result. With --data, the digests of the submission's files
    and of the gold are computed again: exit status 1 if one differs.
    """
    from qeframe.api.saved import read_evaluation
    from qeframe.report.tables.trace import trace as traced_in
    from qeframe.report.tables.trace import trace_lines

    evaluation = read_evaluation(result)
    traced = traced_in(evaluation, submission, metric)
    below = traced.others if traced.scored.kind == "entered" else (*traced.own, *traced.others)
    changed = {} if data is None else _changed(data, {file.path: file.sha256 for file in below})
    if as_json:
        record = {"profile": evaluation.profile, "signature": evaluation.signature.text, **traced.to_plain()}
        write_json({**record, **({} if data is None else {"changed": changed})})
    else:
        lines = trace_lines(traced, evaluation)
        if data is not None:
            lines += ["", f"Files in {data}", *(f"  {path}: {what}" for path, what in changed.items())]
            lines += [] if changed else ["  all are those that were read"]
        click.echo("\n".join(map(one_line, lines)))
    if changed:
        sys.exit(1)


def _changed(data: Path, digests: dict[str, str]) -> dict[str, str]:
    """Return what is wrong with each file that is not the one that was read."""
    import hashlib

    from qeframe.data.file_bytes import file_bytes

    changed = {}
    for path, digest in digests.items():
        file = data / path if data.is_dir() else data
        if not file.is_file():
            changed[path] = "is not there"
        elif hashlib.sha256(file_bytes(file)[1]).hexdigest() != digest:
            changed[path] = "has another content"
    return changed
