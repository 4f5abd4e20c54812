import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from qeframe import DataError, Runner
from qeframe.execution.executors import open_executor

HERE = Path(__file__).parent


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE))
    paths = [str(HERE), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))


def test_one_thread_is_that_of_the_caller() -> None:
    with open_executor("threads") as executor:
        assert executor is None


def test_threads_are_given_the_work_itself() -> None:
    with open_executor("threads", 2) as executor:
        assert isinstance(executor, ThreadPoolExecutor)
        assert Runner(executor).map(lambda item: item + 1, [1, 2]) == [2, 3]
    with open_executor("clusters:threads") as executor:
        assert isinstance(executor, ThreadPoolExecutor)


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("thread", "unknown executor 'thread'; did you mean 'threads'?"),
        ("slurm", "unknown executor 'slurm'; write threads, processes, dask:ADDRESS or MODULE:FACTORY"),
        ("no_such_module:make", "cannot be imported: ModuleNotFoundError"),
        ("clusters:none", "module 'clusters' has no 'none'"),
        ("clusters:no_executor", "the factory returned int, not an executor"),
        ("clusters:failing", "the factory failed: RuntimeError: no cluster today"),
        ("clusters:HERE:", "has no 'HERE:'"),
        ("dask", "needs a scheduler; write dask:tcp://HOST:8786"),
    ],
)
def test_an_executor_that_does_not_exist_is_one_line(spec: str, line: str) -> None:
    with pytest.raises(DataError) as caught, open_executor(spec):
        pass
    assert line in str(caught.value)


def test_dask_is_imported_for_dask_only_and_named_where_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import sys; import qeframe.cli.shared.progress; sys.exit('distributed' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(DataError, match=r"needs distributed; pip install 'qeframe\[dask\]'"), open_executor("dask:x"):
        pass


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qeframe.execution.dask_executor._PATIENCE", 0.5)
    expected = pytest.raises(DataError, match=r"no dask scheduler answers at 'tcp://127\.0\.0\.1:9'")
    with expected, open_executor("dask:tcp://127.0.0.1:9"):
        pass


def test_work_that_cannot_be_packed_is_one_line() -> None:
    with ProcessPoolExecutor(1) as executor, pytest.raises(DataError, match="cannot be sent to other processes"):
        Runner(executor).map(lambda item: item, [1])


def test_an_interrupt_ends_no_process_of_the_caller() -> None:
    own = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(60,))
    own.start()
    try:
        with pytest.raises(KeyboardInterrupt), open_executor("processes"):
            raise KeyboardInterrupt
        own.join(0.1)
        assert own.exitcode is None
    finally:
        own.kill()
        own.join()


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["processes", "clusters:loky"])
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_is_replaced(spec: str, tmp_path: Path) -> None:
    from clusters import Deadly

    with open_executor(spec, 2) as executor:
        assert Runner(executor).map(Deadly(tmp_path), range(12)) == [item * item for item in range(12)]
    assert (tmp_path / "killed").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_work_that_kills_every_worker_ends_with_one_line(tmp_path: Path) -> None:
    from clusters import Deadly

    with open_executor("processes", 1) as executor, pytest.raises(DataError, match="died 4 times"):
        Runner(executor).map(Deadly(tmp_path, always=True), range(5))


@pytest.mark.skipif(os.name != "posix", reason="forks")
def test_a_worker_ends_with_its_parent():
    """The worker holds the pipe that is read here, until it ends."""
    code = (
        "import multiprocessing, time\n"
        "from qeframe.execution.executors import follow_parent\n"
        "def work(ready): follow_parent(); ready.set(); time.sleep(60)\n"
        "fork = multiprocessing.get_context('fork'); ready = fork.Event()\n"
        "fork.Process(target=work, args=[ready]).start(); ready.wait(); print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        began = time.monotonic()
        assert parent.stdout.read() == ""
    assert time.monotonic() - began < 10
