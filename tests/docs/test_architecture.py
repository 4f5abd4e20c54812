"""The page on the architecture names every package, sends a reader to files that exist, and its drawings hold."""

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawings():
    sys.path.insert(0, str(ROOT / "docs" / "_extensions"))
    yield import_module("drawings")
    sys.path.remove(str(ROOT / "docs" / "_extensions"))


def cells(heading: str) -> list[list[str]]:
    """Return the rows of the table under a row of headings."""
    _, _, below = PAGE.partition(f"| {heading} |")
    rows = [line.strip("| ").split(" | ") for line in below.splitlines()[2:]]
    return rows[: next(nth for nth, row in enumerate(rows) if row == [""])]


def test_every_package_is_named_and_every_named_package_exists():
    named = {name for row in cells("package | what it holds") for name in re.findall(r"`(\w+)`", row[0])}
    packages = {folder.parent.name for folder in (ROOT / "qeframe").glob("*/__init__.py")}
    assert named == packages | {"errors"}


def test_every_built_in_plugin_is_named():
    named = {name for row in cells("plugin | what it brings") for name in re.findall(r"`(\w+)`", row[0])}
    assert named == {folder.parent.name for folder in (ROOT / "plugins").glob("*/__init__.py")}


def test_places_to_change_exist():
    places = [word for row in cells("to change | go to") for word in re.findall(r"`([\w/.]+)`", row[1]) if "/" in word]
    assert len(places) > 10
    for place in places:
        assert (ROOT / place).exists(), place


def test_classes_of_the_page_exist():
    import qeframe
    from qeframe import plugin
    from qeframe.evaluation import comparable_across_tasks, comparable_in_task, scored_task

    modules = (qeframe, plugin, comparable_across_tasks, comparable_in_task, scored_task)
    for name in set(re.findall(r"`([A-Z][A-Za-z]+)`", PAGE)):
        assert any(hasattr(module, name) for module in modules), name


def test_imports_go_down(drawings):
    order = list(drawings.PACKAGES)
    for package, imported in drawings.imports_of_packages().items():
        assert not [name for name in imported if order.index(name) <= order.index(package)], package


def test_drawings_are_those_of_the_sources(drawings):
    """After a change of the packages or their imports: python docs/_extensions/drawings.py."""
    for file, text in drawings.drawings().items():
        assert (ROOT / "docs" / "pictures" / file).read_text(encoding="utf-8") == text, file


def test_values_on_the_way_are_where_the_drawing_says(drawings):
    for name, _, module in drawings.STEPS:
        if module:
            assert hasattr(import_module(module), name), f"{module}.{name}"
    for _, where in drawings.ACTIONS:
        assert find_spec(where.split(",")[0]), where
