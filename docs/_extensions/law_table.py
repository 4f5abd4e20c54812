"""The table of all laws but those of claims, for the page on tests of a plugin."""

import re

from docstrings import as_markdown, table

from qeframe.cli.commands.check_plugin import STATES
from qeframe.core.metric import CLAIMS, Metric
from qeframe.testing.laws.checks import LAWS

__all__ = ["law_table"]


def law_table() -> str:
    """Return a table of laws, each with the classes of components that have it."""
    classes: dict[tuple[str, str], list[str]] = {}
    for component, laws in LAWS.items():
        noun = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", component.__name__.removesuffix("File")).lower()
        for law in laws:
            if component is not Metric or law.name not in CLAIMS:
                classes.setdefault((law.name, law.states), []).append(noun)
    rows = [
        ["all but commands" if len(of) == len(LAWS) else ", ".join(of), f"`{name}`", as_markdown(states)]
        for (name, states), of in classes.items()
    ]
    rows += [["command", f"`{name}`", as_markdown(states)] for name, states in STATES.items()]
    return table(["of", "law", "states"], rows)
