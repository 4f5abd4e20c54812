import multiprocessing
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qeframe import DataError, Profile, Runner, Submission, Task, evaluate
from qeframe.execution.executors import open_executor
from qeframe.kinds.scores.batch import Scores

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


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("thread", "unknown executor 'thread'; did you mean 'threads'?"),
        ("slurm", "unknown executor 'slurm'; write threads, processes or dask:ADDRESS"),
        ("os:getcwd", "unknown executor 'os:getcwd'; write threads, processes or dask:ADDRESS"),
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
    monkeypatch.setattr("qeframe.execution.executors._PATIENCE", 0.5)
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
@pytest.mark.filterwarnings("ignore")
def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    from clusters import Deadly

    with open_executor("processes", 2) as executor:
        assert Runner(executor).map(Deadly(tmp_path), range(12)) == [item * item for item in range(12)]
    assert (tmp_path / "killed").exists()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_work_that_kills_every_worker_ends_with_one_line(tmp_path: Path) -> None:
    from clusters import Deadly

    with open_executor("processes", 1) as executor, pytest.raises(DataError, match="died 4 times"):
        Runner(executor).map(Deadly(tmp_path, always=True), range(5))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_worker_of_the_caller_s_own_executor_is_not_replaced(tmp_path: Path) -> None:
    from clusters import Deadly

    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawn) as executor, pytest.raises(DataError, match="workers of the executor died: "):
        Runner(executor).map(Deadly(tmp_path), range(5))


@pytest.fixture
def evaluated() -> Callable[..., str]:
    """Return the JSON of an evaluation with draws and exchanges."""
    rng = np.random.default_rng(5)
    gold = rng.normal(size=60)
    batches = {Submission(name): Scores.from_plain(gold, gold + rng.normal(size=60)) for name in "ABC"}
    rules = Profile(reader="none", primary="pearson", test="permutation(draws=3000)", interval="bootstrap(draws=2000)")
    return lambda **more: evaluate(rules, Task(name="t", batches=batches), **more).to_json()


def test_threads_of_the_caller_give_the_same_bytes(evaluated: Callable[..., str]) -> None:
    with ThreadPoolExecutor(2) as executor:
        assert evaluated(executor=executor) == evaluated(runner=Runner(executor)) == evaluated()
        assert executor.submit(len, "ab").result() == 2  # it stays open


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["processes", "loky", "dask"])
def test_any_executor_of_the_caller_gives_the_same_bytes(kind: str, evaluated: Callable[..., str]) -> None:
    with ExitStack() as stack:
        if kind == "processes":
            executor = stack.enter_context(ProcessPoolExecutor(2, multiprocessing.get_context("spawn")))
        elif kind == "loky":
            import loky

            executor = stack.enter_context(loky.ProcessPoolExecutor(2))
        else:
            from distributed import LocalCluster

            cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
            executor = stack.enter_context(stack.enter_context(cluster)).get_client().get_executor()
        assert evaluated(executor=executor) == evaluated()


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            {"executor": "threads"},
            "an executor cannot be 'threads'; give a concurrent.futures.Executor; of a dask Client",
        ),
        (
            {"executor": ThreadPoolExecutor(1), "runner": Runner()},
            "an executor and a runner are given; give the executor to the runner: ",
        ),
    ],
)
def test_what_is_no_executor_is_one_line(given: dict[str, Any], line: str, evaluated: Callable[..., str]) -> None:
    with pytest.raises(DataError, match=re.escape(line)):
        evaluated(**given)


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
