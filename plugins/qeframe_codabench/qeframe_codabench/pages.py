"""The public pages and the settings of a competition, from the templates of this package.

A participant has the pages and the starting kit alone. They are Markdown; formulas are between dollar signs in code,
where Markdown leaves them as they are and the platform draws them.
"""

import re
from datetime import datetime
from typing import TYPE_CHECKING

import attrs
from jinja2 import Environment, PackageLoader, StrictUndefined

if TYPE_CHECKING:
    from qeframe_codabench.bundle import Options, Prepared

_MOST_EXAMPLES = 3


def pages(prepared: "Prepared", options: "Options") -> dict[str, str]:
    """Return the settings and the pages by their paths in the bundle."""
    made = Environment(
        loader=PackageLoader(__package__), undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )  # Markdown and YAML: the filters escape
    made.filters |= {"text": _text, "code": _code, "quoted": _quoted, "symbols": _symbols, "time": _time}
    reader, evaluation, example = prepared.reader, prepared.scored.evaluation, prepared.example
    form = reader.submission
    header = len(form.lines.header) if form and form.lines else 0
    values = {
        "title": prepared.competition.title,
        "competition": prepared.competition,
        "options": options,
        "rules": prepared.rules,
        "profile": prepared.rules.profile,
        "reader": reader,
        "form": form,
        "unit": reader.kind.unit,
        "columns": prepared.shown,
        "shares": evaluation.shares,
        "inputs": prepared.inputs,
        "has_direction": "best" in attrs.fields_dict(reader.kind),
        "example": example,
        "excerpts": {name: example.excerpt(name, header) for name in [*example.files][:_MOST_EXAMPLES]}
        if example
        else {},
    }
    names = {f"pages/{name}.md": f"{name}.md.jinja" for name in ("overview", "submission", "evaluation")}
    names["competition.yaml"] = "competition.yaml.jinja"
    return {path: made.get_template(name).render(values) for path, name in names.items()}


def _text(text: str, *, strip: bool = True) -> str:
    """Return a text without markup: the platform shows Markdown with HTML in it."""
    plain = " ".join(text.split()) if strip else text
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in plain)


def _code(text: str) -> str:
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"


def _quoted(text: str) -> str:
    """Return a text of YAML in quotes, so that it is taken for no number, truth value or comment."""
    return '"' + "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08x}" for c in text) + '"'


def _symbols(text: str) -> str:
    parts = re.split(r"(\$[^$]+\$|`[^`]+`)", text)
    return "".join(f"`{p.strip('`')}`" if p[:1] in ("$", "`") else _text(p, strip=False) for p in parts)


def _time(time: datetime | None, otherwise: str) -> str:
    return otherwise if time is None else f"{time:%Y-%m-%d %H:%M} UTC"
