"""The table of the public classes, for the glossary."""

import inspect
import re

from docstrings import as_markdown, table

import qeframe
import qeframe.plugin

__all__ = ["class_table", "first_sentence"]


def class_table() -> str:
    """Return a table of the classes that programs and plugins may import, in the order of the alphabet."""
    public = {name: module for module in (qeframe.plugin, qeframe) for name in module.__all__}
    values = {name: getattr(module, name) for name, module in public.items()}
    classes = {name: value for name, value in values.items() if inspect.isclass(value) and value.__name__ == name}
    return table(
        ["class", "meaning", "import from"],
        [
            [f"`{name}`", as_markdown(first_sentence(classes[name])), f"`{public[name].__name__}`"]
            for name in sorted(classes)
        ],
    )


def first_sentence(described: object) -> str:
    """Return the first sentence of a docstring on one line."""
    paragraph = " ".join((inspect.getdoc(described) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[a-z\d)`]\.)\s(?=[A-Z`])", paragraph)[0]
