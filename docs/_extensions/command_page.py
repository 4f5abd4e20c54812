"""The page of the command line: every command with its arguments and options."""

import inspect
from collections.abc import Iterator

import click
from docstrings import as_markdown, table

__all__ = ["command_page"]


def command_page(app: click.Group) -> str:
    """Return the Markdown of the page."""
    context = click.Context(app, info_name="qeframe")
    blocks = ["# Command line", *_paragraphs(app.help)]
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        if command is not None:
            blocks += _command(command, click.Context(command, info_name=name, parent=context), level=2)
    return "\n\n".join(blocks) + "\n"


def _command(command: click.Command, context: click.Context, *, level: int) -> Iterator[str]:
    """Yield the section of a command, and those of its own commands."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    label = context.command_path.removeprefix("qeframe ").replace(" ", "-")
    yield f"(command-{label})=\n{'#' * level} `{context.command_path}`"
    yield f"```text\n{usage}\n```"
    yield from _paragraphs(command.help)
    records = [p.get_help_record(context) for p in command.get_params(context) if isinstance(p, click.Option)]
    rows = [[f"`{names}`", as_markdown(meaning)] for names, meaning in filter(None, records)]
    yield table(["option", "meaning"], rows)
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _command(inner, click.Context(inner, info_name=name, parent=context), level=level + 1)


def _paragraphs(text: str | None) -> Iterator[str]:
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        yield as_markdown(" ".join(paragraph.split()))
