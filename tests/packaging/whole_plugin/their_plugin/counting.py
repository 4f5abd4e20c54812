"""``qeframe count-letters``."""

import click

from qeframe.plugin import DataError
from qeframe.plugin.commands import json_option, path_type, write_json


@click.command()
@click.argument("file", type=path_type)
@click.option("--alphabet", default="their_alphabet", help="What is counted.")
@json_option
def counting(file, alphabet, as_json):
    """Count the letters in FILE."""
    from qeframe.plugin.results import load
    from their_plugin.counts import Alphabet, count_letters

    if file.is_dir():
        raise DataError("this is a folder", path=file, remedy="name a file of letters")
    result = count_letters(file, load().get(Alphabet, alphabet))
    write_json(result.counts) if as_json else click.echo(result)
