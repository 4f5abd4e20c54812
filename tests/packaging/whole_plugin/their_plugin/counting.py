"""``qeframe count-letters``."""

import click

from qeframe.plugin import DataError
from qeframe.plugin.commands import json_option, path_type, write_json


@click.command()
@click.argument("file", type=path_type)
@click.option("--alphabet", default="ABC", help="The letters that are counted.")
@json_option
def counting(file, alphabet, as_json):
    """Count the letters in FILE."""
    from their_plugin.counts import count_letters

    if file.is_dir():
        raise DataError("this is a folder", path=file, remedy="name a file of letters")
    result = count_letters(file, alphabet)
    write_json(result.counts) if as_json else click.echo(result)
