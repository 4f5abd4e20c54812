"""What all tests share."""

import atexit
import contextlib
import functools
import gc
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as on the command line; before numpy is loaded, also in workers

if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # Workers and the interpreters that tests start would compile every module again: here they share what is compiled.
    os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="qeframe-compiled-")
    atexit.register(shutil.rmtree, os.environ["PYTHONPYCACHEPREFIX"], ignore_errors=True)

from tests.executed import FILE, note_executed_lines, write_executed_lines

if FILE:
    note_executed_lines()  # before the first import of the core

from qeframe.core.registry import Registry
from tests.registered import REGISTRY
from tests.written import write_files

GOLDEN = Path(__file__).parent / "golden.json"
NOTHING_SKIPPED = bool(os.environ.get("QEFRAME_NOTHING_SKIPPED"))
"""Set where all data and all optional dependencies are at hand: a test that is skipped there tests nothing."""

settings.register_profile("dev", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True, max_examples=40)
settings.register_profile("lowest", settings.get_profile("ci"), max_examples=3)
"""For the second run, with the lowest supported dependencies: what an old version lacks or does otherwise shows in few
examples, and what the project itself does wrong was searched for in the first run."""
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=100 * settings.get_profile("dev").max_examples,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Load all installed plugins."""
    return REGISTRY


@pytest.fixture(scope="session")
def shared_data() -> Callable[[str], Path]:
    """Find real data of the shared tasks, which the project does not ship."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    root = Path(os.environ.get("QEFRAME_DATA") or beside)

    def find(name: str) -> Path:
        if not (root / name).exists():
            pytest.skip(f"real data '{name}' is not here: set QEFRAME_DATA to the folder that holds it")
        return root / name

    return find


@pytest.fixture(scope="session")
def golden() -> list[dict[str, Any]]:
    """Read the checked cases: inputs with the values that sources and independent programs agree on."""
    cases: list[dict[str, Any]] = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return cases


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare a text with the reviewed one in ``snapshots`` beside the test; QEFRAME_SNAPSHOTS=write writes it anew."""

    def compare(name: str, text: str) -> None:
        path = request.path.parent / "snapshots" / name
        if os.environ.get("QEFRAME_SNAPSHOTS") == "write":
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return compare


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str]], Path]:
    """Write files below the working folder, so that messages carry short paths."""
    monkeypatch.chdir(tmp_path)
    return functools.partial(write_files, ".")


@pytest.fixture
def inner_pytest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str]]:
    """Run pytest on modules of a folder of their own, in this interpreter; return its status and what it prints."""

    def run(modules: Mapping[str, str], *options: object) -> tuple[int, str]:
        for name, text in modules.items():
            tmp_path.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
        # the last collects garbage
        unneeded = ("cacheprovider", "xdist", "faulthandler", "unraisableexception")
        plugins = [word for name in unneeded for word in ("-p", f"no:{name}")]
        with monkeypatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as printed:
            patch.setenv("COLUMNS", "80")
            for variable in ("CI", "PYTEST_ADDOPTS"):
                patch.delenv(variable, raising=False)
            patch.chdir(tmp_path)
            patch.syspath_prepend(tmp_path)
            status = pytest.main(
                ["-q", "--assert=plain", f"--rootdir={tmp_path}", *plugins, *map(str, options), str(tmp_path)]
            )
        for name in modules:
            sys.modules.pop(name, None)
        return int(status), printed.getvalue()

    return run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the modules whose slow tests are few and take long: workers of pytest take modules in this order."""
    long = ("tests/packaging/", "tests/runs/", "tests/reproductions/", "tests/mutations/")
    items.sort(key=lambda item: not item.nodeid.startswith(long))


def pytest_configure(config: pytest.Config) -> None:
    """Ignore the warnings of what limits a result, which is a value of it too, and collect garbage less often.

    In pyproject.toml the warnings would import qeframe before its lines are noted. The garbage collector passes over
    all collected tests each time. They are not frozen: Hypothesis looks who refers to a generator of random numbers,
    and would not find them.
    """
    gc.set_threshold(20_000, 20, 50)
    config.addinivalue_line("filterwarnings", "ignore::qeframe.core.errors.ResultWarning")


def pytest_sessionfinish() -> None:
    """Write which lines of the core ran."""
    if FILE:
        write_executed_lines()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is not installed."""
    for marker in item.iter_markers("needs_program"):
        if shutil.which(marker.args[0]) is None:
            pytest.skip(f"{marker.args[0]} is not installed")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Turn a skip into a failure where nothing may be skipped, but for tests that need a program."""
    outcome = yield
    if NOTHING_SKIPPED and item.get_closest_marker("needs_program") is None:
        _fail_if_skipped(outcome.get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Turn the skip of a whole module into an error where nothing may be skipped."""
    outcome = yield
    if NOTHING_SKIPPED:
        _fail_if_skipped(outcome.get_result())


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"skipped, though QEFRAME_NOTHING_SKIPPED is set: {reason}"
