"""Running the Python of pages."""

import contextlib
import io
from collections.abc import Callable
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
