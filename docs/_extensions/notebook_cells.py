"""Run the cells of a notebook, store what they show, and write both as Markdown. No kernel and no Sphinx is needed."""

import ast
import base64
import contextlib
import io
import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

__all__ = ["Cell", "Output", "cells_of", "markdown_of", "run_cells", "with_outputs"]


class Output(NamedTuple):
    """What a cell shows: "html", "png" in base 64, or "text"."""

    kind: str
    content: str


class Cell(NamedTuple):
    """A cell: "markdown" or "code", its source, the words for a picture that it shows, and what it shows."""

    kind: str
    source: str
    alt: str = ""
    outputs: tuple[Output, ...] = ()


_STORED = {"html": "text/html", "png": "image/png"}


def cells_of(notebook: str) -> list[Cell]:
    """Return the cells of a notebook file, with the outputs that are stored."""
    return [
        Cell(
            cell["cell_type"],
            "".join(cell["source"]),
            cell["metadata"].get("alt", ""),
            tuple(_output_of(stored) for stored in cell.get("outputs", ())),
        )
        for cell in json.loads(notebook)["cells"]
    ]


def _output_of(stored: dict[str, Any]) -> Output:
    if stored["output_type"] == "stream":
        return Output("text", stored["text"])
    (kind,) = (kind for kind, mime in _STORED.items() if mime in stored["data"])
    return Output(kind, stored["data"][_STORED[kind]])


def with_outputs(notebook: str) -> str:
    """Run a notebook file, and return it with what its cells show."""
    made = json.loads(notebook)
    for stored, (_, outputs) in zip(made["cells"], run_cells(cells_of(notebook)), strict=True):
        if stored["cell_type"] == "code":
            stored["outputs"] = [_stored(output) for output in outputs]
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _stored(output: Output) -> dict[str, Any]:
    if output.kind == "text":
        return {"output_type": "stream", "name": "stdout", "text": output.content}
    data = {_STORED[output.kind]: output.content}
    return {"output_type": "execute_result", "execution_count": None, "data": data, "metadata": {}}


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
    """Return the page of a notebook: every cell, and below it its outputs."""
    blocks = []
    for cell in cells:
        blocks.append(cell.source if cell.kind == "markdown" else _fenced("python", cell.source))
        blocks += [_block(output, cell.alt) for output in cell.outputs]
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
