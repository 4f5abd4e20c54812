"""The page on the architecture names every package, sends a reader to files that exist, and its drawings hold."""

import pkgutil
import re
import sys
from importlib import import_module
from pathlib import Path
from xml.etree import ElementTree

import pytest

import qeframe
from qeframe import plugin
from qeframe.core import contest, hookspecs, result, sample
from qeframe.core.profile import RULE_KEYS
from qeframe.report.result_files import files

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
DOOR_NAMES = sorted(module.name for module in pkgutil.iter_modules(plugin.__path__))
DOORS = tuple(import_module(f"qeframe.plugin.{door}") for door in DOOR_NAMES)
WITH_CLASSES = (qeframe, plugin, *DOORS, contest, result, sample, files)


@pytest.fixture(scope="module")
def drawings():
    sys.path.insert(0, str(ROOT / "docs" / "_extensions"))
    yield import_module("drawings")
    sys.path.remove(str(ROOT / "docs" / "_extensions"))


@pytest.fixture(scope="module")
def parts(drawings):
    """Return all values and steps of the drawing of the way, those inside others too."""
    listed, waiting = [], list(drawings.WAY)
    while waiting:
        part = waiting.pop(0)
        listed.append(part)
        waiting = [*getattr(part, "inside", ()), *waiting]
    return listed


def cells(heading: str) -> list[list[str]]:
    """Return the rows of the table under a row of headings."""
    _, _, below = PAGE.partition(f"| {heading} |")
    rows = [line.strip("| ").split(" | ") for line in below.splitlines()[2:]]
    return rows[: next(nth for nth, row in enumerate(rows) if row == [""])]


def changes() -> list[list[str]]:
    return cells("to change | file | hook of a plugin | to choose another")


def quoted(words: str) -> list[str]:
    return re.findall(r"`([^`]+)`", words)


def test_every_package_is_named_in_the_order_of_the_drawing(drawings):
    named = [name for row in cells("package | what it holds") for name in quoted(row[0])]
    assert named == list(drawings.PACKAGES)
    packages = {folder.parent.name for folder in (ROOT / "qeframe").glob("*/__init__.py")}
    assert set(named) == packages - {"plugin"}


def test_every_room_of_the_kernel_is_named():
    named = {name for row in cells("in the kernel | what it holds") for name in quoted(row[0])}
    inside = {path.stem for path in (ROOT / "qeframe" / "core").iterdir() if not path.name.startswith("_")}
    assert named == inside


def test_every_built_in_plugin_is_named():
    named = {name for row in cells("plugin | what it brings") for name in quoted(row[0])}
    assert named == {folder.parent.name for folder in (ROOT / "plugins").glob("*/__init__.py")}


def test_the_page_lists_what_the_facade_shows(drawings):
    assert drawings.imports_of_facade() == ["cli", "report", *drawings.LOWEST]
    lowest = [package for package in list(drawings.PACKAGES)[-7:] if package not in {"assembly", "supplements"}]
    assert list(drawings.LOWEST) == lowest, "the lowest rows of the drawing"
    *most, last = (f"`{name}`" for name in drawings.LOWEST)
    most_rows = f"{', '.join(most)} and {last}, five of the lowest seven rows"
    listed = f"names of {most_rows}, and the tables of `report` and options of `cli`"
    assert listed in " ".join(PAGE.split())


def test_places_to_change_exist():
    for row in changes():
        assert len(row) == 4, row
        places = quoted(row[1])
        assert places, row
        for place in places:
            assert (ROOT / place).exists(), place


def test_hooks_are_all_named(registry):
    hooks = {name for row in changes() for name in quoted(row[2]) if name.startswith("qeframe_")}
    assert hooks == {*registry.hooks, *hookspecs.OTHER_HOOKS}


def test_keys_to_choose_by_are_keys_of_a_profile():
    keys = {name for row in changes() for name in quoted(row[3]) if re.fullmatch("[a-z]+", name)}
    assert keys > {"primary", "test", "correction", "ranking", "missing"}
    assert keys <= set(RULE_KEYS)


def test_components_to_choose_exist():
    classes = (plugin.Metric, plugin.SignificanceTest)
    calls = [name for row in changes() for name in quoted(row[3]) if name.endswith(")")]
    assert len(calls) == 3
    for call in calls:
        name = call.partition("(")[0]
        [kind] = [kind for kind in classes if name in qeframe.load().names(kind)]
        qeframe.load().get(kind, call)


def test_classes_of_the_page_exist():
    for name in set(re.findall(r"`([A-Z][A-Za-z]+)`", PAGE)):
        assert any(name in vars(module) or name in getattr(module, "__all__", ()) for module in WITH_CLASSES), name


def test_files_of_the_page_exist():
    for name in set(re.findall(r"`((?:qeframe|plugins)/[\w/.]+)`", PAGE)):
        assert (ROOT / name).exists(), name


def test_imports_go_down(drawings):
    order = list(drawings.PACKAGES)
    for package, imported in drawings.imports_of_packages().items():
        assert not [name for name in imported if order.index(name) <= order.index(package)], package


def test_drawings_are_those_of_the_sources(drawings):
    """After a change of the packages or their imports: python docs/_extensions/drawings.py."""
    for file, text in drawings.drawings().items():
        assert (ROOT / "docs" / "pictures" / file).read_text(encoding="utf-8") == text, file


def test_values_on_the_way_are_where_the_drawing_says(drawings, parts):
    for value in (part for part in parts if isinstance(part, drawings.Value) and part.path):
        module = import_module(value.path.removesuffix(".py").replace("/", "."))
        assert hasattr(module, value.name), value


def test_steps_are_where_the_drawing_says_and_have_the_numbers_of_the_page(drawings, parts):
    steps = [part for part in parts if isinstance(part, drawings.Step)]
    numbered = re.findall(r"^(\d+)\. \*\*", PAGE, flags=re.M)
    assert numbered == [str(nth + 1) for nth in range(len(steps))]
    for step in steps:
        assert (ROOT / step.path.partition(",")[0]).exists(), step
        assert set(step.keys) <= set(RULE_KEYS), step
        owner, _, name = step.does.partition(",")[0].partition(".")
        if name:
            assert hasattr(getattr(plugin, owner), name), step


@pytest.mark.parametrize("picture", ["packages.svg", "datum.svg", "everything-bad.svg"])
def test_texts_of_the_drawings_have_room_in_a_wide_font(picture):
    """DejaVu Sans is wider than the fonts that browsers choose before it."""
    pytest.importorskip("matplotlib")
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    def width(text: ElementTree.Element) -> float:
        kind = text.get("class", "")
        family = "DejaVu Sans Mono" if kind == "path" else "DejaVu Sans"
        size = {"name": 14, "count": 12, "path": 12, "number": 12}.get(kind, 13)
        font = FontProperties(
            family=family, size=size, weight="bold" if kind in {"name", "step", "number"} else "normal"
        )
        return TextToPath().get_text_width_height_descent(text.text, font, ismath=False)[0]

    root = ElementTree.parse(ROOT / "docs" / "pictures" / picture).getroot()
    boxes = [[float(box.get(key, 0)) for key in ("x", "y", "width", "height")] for box in root.iter(f"{SVG}rect")]
    for text in root.iter(f"{SVG}text"):
        if text.get("x") is None:
            continue  # turned
        x, y = float(text.get("x")), float(text.get("y"))
        around = [box for box in boxes if box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]]
        end = min(box[0] + box[2] for box in around)
        reach = width(text) / (2 if text.get("text-anchor") == "middle" else 1)
        assert x + reach <= end - 4, (text.text, x + reach, end)


SVG = "{http://www.w3.org/2000/svg}"
