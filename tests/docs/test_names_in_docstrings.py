"""Modules and functions that docstrings and pages name exist."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = [
    file.parent for pattern in ("qeframe", "plugins/*", "plugins/*/*") for file in ROOT.glob(f"{pattern}/__init__.py")
]
SOURCES = {path: path.read_text("utf-8") for folder in FOLDERS for path in folder.rglob("*.py")}
PAGES = [
    *(path for path in (ROOT / "docs").rglob("*.md") if "generated" not in path.parts),
    *(ROOT / "README.md", ROOT / "CONTRIBUTING.md"),
]
TEXTS = SOURCES | {path: path.read_text("utf-8") for path in PAGES}

NO_MODULES = {"qeframe.v2", "qeframe.commands"}
"""Groups of entry points, and a file of results."""


def module_of(path: Path) -> str:
    """Return the name by which a module or a package is imported."""
    parts = path.with_suffix("").relative_to(ROOT).parts
    outside = (parts[0] == "plugins") + (parts[1:2] == parts[2:3])  # the folder of a distribution of its own
    return ".".join(parts[outside:]).removesuffix(".__init__")


MODULES = {module_of(path): path for path in SOURCES}


def exists(name: str) -> bool:
    """Return whether a name with dots is a module, or one of those written in the module that its beginning names."""
    module, inside = name, ""
    while module and module not in MODULES:
        module, _, inside = module.rpartition(".")
    return bool(module) and re.search(rf"\b{inside}\b", SOURCES[MODULES[module]]) is not None


def names_below(folder: Path) -> Iterator[str]:
    """Yield the names of a package, of all folders and modules in it, and of their public functions."""
    yield folder.name
    for path in folder.rglob("*"):
        if path.is_dir() or path in SOURCES:
            yield path.stem
            yield from re.findall(r"^def ([a-z]\w*)", SOURCES.get(path, ""), re.M)


def unknown_in_package(path: Path) -> list[str]:
    """Return the lower-case names in the docstring of a package that neither are below it nor are shown by it."""
    docstring = ast.get_docstring(ast.parse(SOURCES[path])) or ""
    names = set(re.findall(r"(?<!`)`([a-z]\w*)`(?!`)", docstring))
    unknown = names.difference(names_below(path.parent)) if names else ()
    return [name for name in unknown if not hasattr(import_module(module_of(path)), name)]


def test_names_in_the_docstrings_of_packages_exist():
    packages = [path for path in SOURCES if path.name == "__init__.py"]
    unknown = {module_of(path): names for path in packages if (names := unknown_in_package(path))}
    assert not unknown


def test_names_with_dots_exist():
    pattern = re.compile(r"`~?(qeframe(?:_\w+)?(?:\.\w+)+)(?:\(\))?`")
    named = {name: path for path, text in TEXTS.items() for name in pattern.findall(text)}
    assert not {name: path for name, path in named.items() if name not in NO_MODULES and not exists(name)}


def test_modules_that_the_page_on_the_architecture_names_exist():
    page = ROOT / "docs" / "explanation" / "architecture.md"
    named = set(re.findall(r"`(\w+\.py)`", TEXTS[page]))
    assert named
    assert not named.difference(path.name for path in SOURCES)
