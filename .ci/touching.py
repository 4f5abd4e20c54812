"""Print the test files that touch what a dependency does: those that the run with the lowest dependencies takes.

A file is chosen if a dependency is imported by it, by the module that it mirrors, or, unless it is `COMMON`, by another
module of the project that it imports. What counts is read from the imports, so that a new test joins by itself. attrs,
numpy and pluggy choose no file, since nearly every test needs them. What is `EVERYWHERE` is taken whole: these tests
load and run all components, compare their numbers, and run all commands.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from floors import floors

__all__ = ["chosen"]

ROOT = Path(__file__).parents[1]
EVERYWHERE = ("tests/laws/test_laws", "tests/laws/test_locking", "tests/cli", "tests/qeframe/core/components/loading")
OF_FILES = ("left_out", "made_again", "validate_official_formats", "word_level")
OTHERS = ("tests/fuzz", "tests/docs", *(f"tests/cli/test_{name}" for name in OF_FILES))
"""Broken input, pages, and commands on files of many forms: what is looked for there is not what a dependency does."""
USUAL = {"attrs", "numpy", "pluggy"}
"""Dependencies that nearly every module imports, or that load every component."""
COMMON = {"cattrs", "click", "markupsafe", "matplotlib", "scipy"}
"""Dependencies that many modules import, each with tests of its own, and `EVERYWHERE` uses."""
RUN = ("dask", "fetch", "report", "mt")
"""The extras of what runs, in contrast to those for tests, documentation and lint."""


def dependencies() -> set[str]:
    """Return the names that are imported of what the project needs to run."""
    return {requirement.partition("==")[0] for requirement in floors(RUN)}


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the dotted names that a file imports, also by `import_module` with a name that is written there."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            found |= {str(node.args[0].value)} if called in ("import_module", "importorskip") else set()
    return frozenset(found)


def _file_of(module: str) -> Path | None:
    """Return the file of a module of the project, or None."""
    inside = module.replace(".", "/")
    paths = (ROOT / base / f"{inside}{end}" for base in ("", "plugins") for end in (".py", "/__init__.py"))
    return next((path for path in paths if path.is_file()), None)


def _mirrored(test: Path) -> str:
    """Return the module that a test file mirrors, of qeframe or of a plugin."""
    _, place, *inside = test.relative_to(ROOT).with_suffix("").parts
    return ".".join([*(["qeframe"] if place == "qeframe" else []), *inside]).replace("test_", "")


def touched(test: Path) -> set[str]:
    """Return the dependencies that are imported by a test file, by what it mirrors, or by modules that it imports."""
    own, others = _names([test, _file_of(_mirrored(test))]), _names(map(_file_of, imported(test)))
    return (own | others - COMMON) & dependencies()


def _names(files: Iterable[Path | None]) -> set[str]:
    """Return the names of the packages that files import."""
    return {name.partition(".")[0] for file in files if file for name in imported(file)}


def chosen() -> Iterator[tuple[str, set[str]]]:
    """Yield each chosen file, and the dependencies that it is chosen for."""
    for test in sorted((ROOT / "tests").rglob("test_*.py")):
        name, of = test.relative_to(ROOT).as_posix(), touched(test) - USUAL
        if name.startswith(OTHERS):
            continue
        if of or name.startswith(EVERYWHERE):
            yield name, of


if __name__ == "__main__":
    sys.stdout.writelines(f"{name}\n" for name, _ in chosen())
