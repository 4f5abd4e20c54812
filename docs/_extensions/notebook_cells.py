"""Run the cells of a notebook, and write them with what they show as Markdown. No kernel and no Sphinx is needed."""

import ast
import base64
import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

__all__ = ["Cell", "Output", "cells_of", "markdown_of", "run_cells"]


class Output(NamedTuple):
    """What a cell shows: "html", "png" in base 64, or "text"."""

    kind: str
    content: str


class Cell(NamedTuple):
    """A cell: "markdown" or "code", its source, and the words for a picture that it shows."""

    kind: str
    source: str
    alt: str = ""


def cells_of(notebook: str) -> list[Cell]:
    """Return the cells of a notebook file; stored outputs are not looked at."""
    return [
        Cell(cell["cell_type"], "".join(cell["source"]), cell["metadata"].get("alt", ""))
        for cell in json.loads(notebook)["cells"]
    ]


def run_cells(cells: Sequence[Cell]) -> Iterator[tuple[Cell, list[Output]]]:
    """Run the cells in order, in one namespace, and yield each with what it shows: its prints, and its last value."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        yield cell, _run(cell.source, f"cell {number}", namespace) if cell.kind == "code" else []


def _run(source: str, name: str, namespace: dict[str, Any]) -> list[Output]:
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    text = printed.getvalue()
    return [*([Output("text", text)] if text else []), *([] if value is None else [shown(value)])]


def shown(value: Any) -> Output:
    """Return what a notebook shows of a value: HTML, else a picture, else text."""
    html = value._repr_html_() if hasattr(value, "_repr_html_") else None
    if html:
        return Output("html", html)
    if hasattr(value, "_repr_png_"):
        return Output("png", base64.b64encode(value._repr_png_()).decode())
    return Output("text", repr(value))


def markdown_of(cells: Sequence[Cell]) -> str:
    """Return the page of a notebook: every cell, and below it what it shows."""
    blocks = []
    for cell, outputs in run_cells(cells):
        blocks.append(cell.source if cell.kind == "markdown" else _fenced("python", cell.source))
        blocks += [_block(output, cell.alt) for output in outputs]
    return "\n\n".join(blocks) + "\n"


def _block(output: Output, alt: str) -> str:
    if output.kind == "text":
        return _fenced("text", output.content.rstrip("\n"))
    html = output.content
    if output.kind == "png":
        html = f'<img src="data:image/png;base64,{html}" alt="{escape(alt)}">'
    return _fenced("{raw} html", f'<div class="output">\n{html}\n</div>')


def _fenced(kind: str, content: str) -> str:
    fence = "`" * 4
    return f"{fence}{kind}\n{content}\n{fence}"
