"""Which lines of the core run: each statement notes itself, which takes far less time than to trace all of Python.

Only the workers of pytest note them, and only where the variable ``QEFRAME_EXECUTED`` names a file. The lines are
written beside it in the format of coverage.py, whose ``combine`` and ``report`` do the rest.
"""

import ast
import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

__all__ = ["FILE", "NAME", "note_executed_lines", "with_notes", "write_executed_lines"]

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "")
FILE = os.environ.get("QEFRAME_EXECUTED") if WORKER else None
"""Where the lines are written, if they are noted."""
NAME = "__executed__"
"""The list in each module that has a 1 for each line that ran."""
EXECUTED: dict[str, list[int]] = {}
"""These lists by file; a module that is imported twice has one."""


class _Noting(SourceFileLoader):
    """Load a module whose statements note that they run."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        return compile(with_notes(ast.parse(source)), path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        path = self.get_filename(module.__name__)
        lines = EXECUTED.setdefault(path, [0] * (2 + self.get_data(path).count(b"\n")))
        setattr(module, NAME, lines)
        super().exec_module(module)


def with_notes(tree: ast.Module) -> ast.Module:
    """Put a note before each statement; a docstring and what comes from the future stay the first ones."""
    for node in list(ast.walk(tree)):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                head = getattr(node, "pattern", node if isinstance(node, ast.ExceptHandler) else None)
                setattr(node, field, _noted(block, [head.lineno] if head else [], isinstance(node, _WITH_DOCSTRING)))
    return ast.fix_missing_locations(tree)


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _noted(block: list[ast.stmt], before: list[int], may_be_documented: bool) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for number, statement in enumerate(block):
        lines = [*(() if number else before), *(each.lineno for each in getattr(statement, "decorator_list", ()))]
        notes = [_note(line, statement) for line in (*lines, statement.lineno)]
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            found += [statement, *notes]
        else:
            found += [statement] if number == 0 and may_be_documented and is_text else [*notes, statement]
    return found


def _note(line: int, place: ast.stmt) -> ast.stmt:
    (note,) = ast.parse(f"{NAME}[{line}] = 1").body
    for node in ast.walk(note):
        ast.copy_location(node, place)
    return note


class _Finder(PathFinder):
    """Find the modules of the core as Python does, to be loaded with notes."""

    @classmethod
    def find_spec(cls, fullname: str, *where: Any) -> ModuleSpec | None:
        spec = super().find_spec(fullname, *where) if fullname.partition(".")[0] == "qeframe" else None
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Noting(fullname, spec.loader.path)
        return spec


def note_executed_lines() -> None:
    """Note the lines of all modules of the core that are imported from now on."""
    sys.meta_path.insert(0, _Finder)


def write_executed_lines() -> None:
    """Write the lines that this worker ran; a file that it did not import has none."""
    from coverage import CoverageData

    data = CoverageData(basename=FILE, suffix=WORKER)
    files = map(str, (Path(__file__).parents[1] / "qeframe").rglob("*.py"))
    data.add_lines({file: [line for line, ran in enumerate(EXECUTED.get(file, ())) if ran] for file in files})
    data.write()
