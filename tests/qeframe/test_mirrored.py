"""Every module of the core, and of plugins without an exception, has a test file at the mirrored path."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "qeframe"


def mirrored(module: Path) -> list[Path]:
    """Return where the tests of a module may be: in a file of its own, or in one file for its folder.

    Those of the commands and of their group are in tests/cli.
    """
    inner = module.relative_to(CORE).parent
    folder = (
        Path("tests", "cli") if inner in (Path("cli"), Path("cli", "commands")) else Path("tests", "qeframe", inner)
    )
    return [folder / f"test_{module.stem}.py", folder.parent / f"test_{folder.name}.py"]


def test_a_module_has_its_tests_at_the_mirrored_path():
    modules = [path for path in CORE.rglob("*.py") if not path.name.startswith("__")]
    lacking = {str(path): mirrored(path) for path in modules if not any(map(_has_a_test, mirrored(path)))}
    assert not lacking, "write one of the files"


def _has_a_test(file: Path) -> bool:
    return (ROOT / file).is_file() and "\ndef test_" in (ROOT / file).read_text(encoding="utf-8")


PLUGINS = ROOT / "plugins"
BY_SUBJECT = {
    "qeframe_attacks": "attacks share their tests of what they know and answer",
    "qeframe_gtm": "tests compare whole matchings and scores with those of the original program",
    "qeframe_texts": "metrics are tested together where sacrebleu has them, and rates of words together",
    "qeframe_wmt": "modules that several readers share are tested through the readers",
}
"""Plugins whose tests are divided by subject, with the reason."""


def plugin_modules():
    """Return the modules of built-in plugins: distributions of their own have their tests beside them."""
    built_in = [path for file in PLUGINS.glob("*/__init__.py") for path in file.parent.rglob("*.py")]
    return [path.relative_to(PLUGINS) for path in sorted(built_in) if not path.name.startswith("__")]


def plugin_tests(module: Path) -> list[Path]:
    """Return where the tests of a module may be: in a file of its own, or in one file for its folder."""
    folder = ROOT / "tests" / "plugins" / module.parent
    return [folder / f"test_{module.stem}.py", folder.parent / f"test_{folder.name}.py"]


def has_tests(module: Path) -> bool:
    return any(file.is_file() for file in plugin_tests(module))


def test_a_module_of_a_plugin_has_its_tests_at_the_mirrored_path():
    modules = [path for path in plugin_modules() if path.parts[0] not in BY_SUBJECT]
    assert not [plugin_tests(path) for path in modules if not has_tests(path)], "write one of the files"


@pytest.mark.parametrize("plugin", BY_SUBJECT)
def test_a_plugin_is_excepted_only_as_long_as_a_module_needs_it(plugin):
    assert not all(has_tests(path) for path in plugin_modules() if path.parts[0] == plugin)
