"""Docstrings in the style of numpydoc as Markdown."""

import inspect
import re
from collections.abc import Iterator

__all__ = ["as_markdown", "described_parameters", "prose", "sections", "table"]

_UNDERLINE = re.compile(r"^-{3,}$")
_CODE = re.compile(r"``.+?``|`[^`]+`|(?<![\w-])--[a-z][a-z-]*", flags=re.DOTALL)
"""Text between back quotes, and options anywhere."""


def sections(docstring: str | None) -> dict[str, str]:
    """Return the text of every section of a docstring by its title; the text before the first has the title ""."""
    found: dict[str, list[str]] = {"": []}
    title = ""
    lines = inspect.cleandoc(docstring or "").splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _UNDERLINE.match(following) and line.strip():
            title = line.strip()
            found[title] = []
        elif not _UNDERLINE.match(line):
            found[title].append(line)
    return {name: "\n".join(text).strip() for name, text in found.items()}


def described_parameters(text: str) -> dict[str, tuple[str, str]]:
    """Return (type, meaning) of every parameter that a section lists; names before one type share it."""
    found: dict[str, tuple[str, str]] = {}
    for entry in re.split(r"\n(?=\S)", text):
        head, _, body = entry.partition("\n")
        names, _, kind = head.partition(" : ")
        for name in names.split(","):
            found[name.strip()] = (kind.strip(), " ".join(body.split()))
    return found


def prose(docstring: str | None) -> Iterator[str]:
    """Yield the paragraphs of a docstring as Markdown, sections with their titles, without the parameters."""
    for title, text in sections(docstring).items():
        if title in ("Returns", "Yields", "Raises"):
            entries = described_parameters(text).items()
            paragraphs = [body if title != "Raises" else f"`{name}`: {body}" for name, (_, body) in entries]
            text = " ".join(filter(None, paragraphs))
        if title != "Parameters" and text:
            paragraphs = [as_markdown(" ".join(part.split())) for part in re.split(r"\n\s*\n", inspect.cleandoc(text))]
            yield from [f"**{title}.** {paragraphs[0]}", *paragraphs[1:]] if title else paragraphs


def as_markdown(text: str) -> str:
    """Return a text with single or double back quotes as Markdown; nothing outside of them is markup."""
    parts, at = [], 0
    for match in _CODE.finditer(text):
        parts += [_escaped(text[at : match.start()]), f"`{' '.join(match[0].strip('`').split())}`"]
        at = match.end()
    return "".join([*parts, _escaped(text[at:])]).strip()


def _escaped(text: str) -> str:
    return re.sub(r"([*_<>|\[\]\\$])", r"\\\1", text)


def table(head: list[str], rows: list[list[str]]) -> str:
    """Return a table; a cell is one line of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in row) + " |" for row in lines)


def _cell(text: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", " ".join(text.split()))
