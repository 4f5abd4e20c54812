"""What the pages of components share: titles, labels, the table of parameters."""

import typing
from collections.abc import Mapping
from typing import Any, Literal

from docstrings import as_markdown, described_parameters, sections, table

from qeframe.core.calls import Parametric, format_call
from qeframe.core.component import Component
from qeframe.core.loader import load
from qeframe.core.registry import Registry

__all__ = ["TITLES", "call_block", "default_of", "facts_table", "label", "page", "parameters", "stem"]

TITLES: Mapping[type[Component], str] = {
    kind: hook.removeprefix("qeframe_").replace("_", " ").capitalize() for hook, kind in load().hooks.items()
}


def stem(kind: type[Component]) -> str:
    """Return the name of the page of a kind."""
    return TITLES[kind].lower().replace(" ", "_")


def label(kind: type[Component], name: str) -> str:
    """Return the label of a component's section: the kind distinguishes equal names."""
    return f"{stem(kind)}-{name}".replace("_", "-")


def page(*blocks: str) -> str:
    """Return a page of blocks of Markdown, without the empty ones."""
    return "\n\n".join(filter(None, blocks)) + "\n"


def default_of(registry: Registry, kind: type[Component], name: str) -> Any:
    """Return a registered component; of a parametric one that of the default parameters."""
    component = registry.entry(kind, name).component
    return component() if isinstance(component, Parametric) else component


def call_block(name: str, parametric: Parametric[Any]) -> str:
    """Return the call with all default parameters as a block of code."""
    defaults = {key: parameter.default for key, parameter in parametric.parameters.items()}
    return f"```text\n{format_call(name, defaults)}\n```"


def facts_table(facts: Mapping[str, str]) -> str:
    """Return a table of the facts that are not empty."""
    return table(["", ""], [[key, text] for key, text in facts.items() if text])


def parameters(parametric: Parametric[Any]) -> str:
    """Return the table of parameters with their types, defaults and meanings."""
    described = described_parameters(sections(parametric.build.__doc__).get("Parameters", ""))
    hints = typing.get_type_hints(parametric.build)
    rows = []
    for key, parameter in parametric.parameters.items():
        kind, meaning = described.get(key, ("", ""))
        default = format_call("", {key: parameter.default})[1:-1].partition("=")[2]
        rows.append([f"`{key}`", as_markdown(kind) or _hint(hints[key]), f"`{default}`", as_markdown(meaning)])
    return table(["parameter", "type", "default", "meaning"], rows)


def _hint(hint: Any) -> str:
    if typing.get_origin(hint) is Literal:
        return " or ".join(f"`{option}`" for option in typing.get_args(hint))
    return f"`{getattr(hint, '__name__', hint)}`"
