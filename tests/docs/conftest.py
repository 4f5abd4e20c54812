"""Running the Python of pages."""

import contextlib
import io
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest


@pytest.fixture
def run_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Run code in a folder of its own, in this interpreter and with all warnings as errors; return what it prints."""

    def run(code: str) -> str:
        monkeypatch.chdir(tmp_path)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(code, "<page>", "exec"), {"__name__": "page"})
        return printed.getvalue()

    return run


@pytest.fixture(scope="module")
def extensions():
    """Import an extension of the docs by its name."""
    folder = str(Path(__file__).parents[2] / "docs" / "_extensions")
    sys.path.insert(0, folder)
    yield import_module
    sys.path.remove(folder)
