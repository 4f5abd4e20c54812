"""``qeframe report``: make the page and the tables of a result again from its folder."""

from pathlib import Path

import click

from qeframe.cli.shared import options
from qeframe.cli.shared.standard_streams import say


@click.command()
@click.argument("folder", metavar="DIR", type=options.path_type)
@click.option(
    "--html", type=options.path_type, default=None, metavar="FILE", help="Write the page here, and nothing into DIR."
)
@options.quiet_option
def report(folder: Path, html: Path | None, quiet: bool) -> None:
    """Make the page and the tables of a result again.

    DIR is a folder that 'qeframe run --out DIR' has written. The page and the tables are made from evaluation.json and
    report.json in it; the data of the task are not needed. They are written into DIR.
    """
    from qeframe.report.result_files.evaluation_folder import PAGE
    from qeframe.report.result_files.files import write_file
    from qeframe.report.result_files.remade_page import remade_page, rewrite_page

    if html is None:
        rewrite_page(folder)
    else:
        write_file(html, remade_page(folder))
    say(f"written to {html}" if html else f"{PAGE} and the tables written to {folder}", quiet=quiet)
