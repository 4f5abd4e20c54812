"""Every module of the core, and of plugins without an exception, has a test file at the mirrored path."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "qeframe"


def mirrored(module: Path) -> Path:
    """Return the path of the tests of a module; those of the commands and of their group are in tests/cli."""
    inner = module.relative_to(CORE).parent
    folder = Path("tests", "cli") if inner in (Path("cli"), Path("cli", "commands")) else Path("tests", "core", inner)
    return ROOT / folder / f"test_{module.stem}.py"


MODULES = [path for path in sorted(CORE.rglob("*.py")) if not path.name.startswith("__")]


@pytest.mark.parametrize("module", [path.relative_to(ROOT).as_posix() for path in MODULES])
def test_a_module_has_its_tests_at_the_mirrored_path(module):
    tests = mirrored(ROOT / module)
    assert tests.is_file(), f"write {tests.relative_to(ROOT)}"
    assert "\ndef test_" in tests.read_text(encoding="utf-8"), f"{tests.relative_to(ROOT)} has no test"


PLUGINS = ROOT / "plugins"
BY_SUBJECT = {
    "qeframe_attacks": "attacks share their tests of what they know and answer",
    "qeframe_gtm": "tests compare whole matchings and scores with those of the original program",
    "qeframe_texts": "metrics are tested together where sacrebleu has them, and rates of words together",
    "qeframe_wmt": "modules that several readers share are tested through the readers",
}
"""Plugins whose tests are divided by subject, with the reason."""


def plugin_modules():
    return [path.relative_to(PLUGINS) for path in sorted(PLUGINS.rglob("*.py")) if not path.name.startswith("__")]


def plugin_tests(module: Path) -> Path:
    return ROOT / "tests" / "plugins" / module.parent / f"test_{module.stem}.py"


@pytest.mark.parametrize("module", [str(path) for path in plugin_modules() if path.parts[0] not in BY_SUBJECT])
def test_a_module_of_a_plugin_has_its_tests_at_the_mirrored_path(module):
    assert plugin_tests(Path(module)).is_file(), f"write {plugin_tests(Path(module)).relative_to(ROOT)}"


@pytest.mark.parametrize("plugin", BY_SUBJECT)
def test_a_plugin_is_excepted_only_as_long_as_a_module_needs_it(plugin):
    assert not all(plugin_tests(path).is_file() for path in plugin_modules() if path.parts[0] == plugin)
