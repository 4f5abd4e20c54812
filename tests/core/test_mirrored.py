"""Every module of the core has a test file at the mirrored path; exceptions are listed with their reason."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CORE = ROOT / "qeframe"
EXCEPTIONS = {
    "testing/*.py": "tested by tests/laws and tests/cli/test_lock.py",
    "testing/laws/*.py": "tested by tests/laws and tests/mutations, which break every law once",
}
"""Patterns of modules without a test file of their own, and where they are tested."""


def excepted(module: Path) -> bool:
    return any(module.match(f"qeframe/{pattern}") for pattern in EXCEPTIONS)


def mirrored(module: Path) -> Path:
    """Return the path of the tests of a module; those of the commands and of their group are in tests/cli."""
    inner = module.relative_to(CORE).parent
    folder = Path("tests", "cli") if inner in (Path("cli"), Path("cli", "commands")) else Path("tests", "core", inner)
    return ROOT / folder / f"test_{module.stem}.py"


MODULES = [path for path in sorted(CORE.rglob("*.py")) if not path.name.startswith("__")]


@pytest.mark.parametrize("module", [path.relative_to(ROOT).as_posix() for path in MODULES if not excepted(path)])
def test_a_module_has_its_tests_at_the_mirrored_path(module):
    tests = mirrored(ROOT / module)
    assert tests.is_file(), f"write {tests.relative_to(ROOT)}"
    assert "\ndef test_" in tests.read_text(encoding="utf-8"), f"{tests.relative_to(ROOT)} has no test"


@pytest.mark.parametrize("pattern", EXCEPTIONS)
def test_an_exception_is_needed(pattern):
    """An exception goes when all of its modules have their tests."""
    without = [path for path in CORE.glob(pattern) if path in MODULES and not mirrored(path).is_file()]
    assert without, f"all modules of {pattern} have their tests: remove the exception"
