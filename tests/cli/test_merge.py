"""``qeframe run --shard`` and ``qeframe merge``, resumed runs, executors: the same bytes, and bad input."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from qeframe.execution import resumable
from qeframe.execution.block_store import KeptBlocks

RULES = ("--set", "test=permutation(draws=300)", "--set", "interval=bootstrap(draws=300)")
LONGER = ("--set", "test=permutation(draws=4000)", "--set", "interval=bootstrap(draws=1000)")
CODE = "import qeframe.execution.resumable as k; k.DELAY = 0; from qeframe.cli import main; main({})"


@pytest.fixture
def larger(tmp_path, monkeypatch):
    """Write a task of 800 numbers and six submissions, and go to its folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QEFRAME_WORK", str(tmp_path / "work"))
    rng = np.random.default_rng(3)
    gold = rng.normal(size=800)
    sides = {"gold.txt": gold}
    sides |= {f"submissions/s{nth}.txt": gold + (1 + nth / 10) * rng.normal(size=800) for nth in range(6)}
    for name, values in sides.items():
        (tmp_path / "task" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "task" / name).write_text("".join(f"{value:.4f}\n" for value in values))
    return tmp_path


@pytest.fixture
def shards(larger, qeframe_command):
    for number in (1, 2):
        outcome = qeframe_command("run", "qe_sentence", "task", *RULES, "--shard", f"{number}/2", "--out", f"s{number}")
        assert outcome.status == 0, outcome
        assert outcome.err.endswith(f"qeframe: shard {number}/2 written to s{number}\n")
    return larger


def test_shards_give_the_bytes_of_one_run(shards, qeframe_command):
    whole = qeframe_command("run", "qe_sentence", "task", *RULES, "--json")
    merged = qeframe_command("merge", "s2", "s1", "--json", "--out", "merged")
    assert merged.out == whole.out
    assert (shards / "merged" / "evaluation.json").read_text() == whole.out
    assert "could not be taken" not in merged.err
    assert not (shards / "work").exists()


def test_a_merge_draws_on_where_p_is_near_alpha(tmp_path, monkeypatch, qeframe_command):
    """A shard knows no p. Its draws are the first of those of the merge."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QEFRAME_WORK", str(tmp_path / "work"))
    rng = np.random.default_rng(1)
    gold = rng.normal(size=40)
    sides = {"gold.txt": gold} | {
        f"submissions/s{i}.txt": gold + (0.8 + 0.12 * i) * rng.normal(size=40) for i in range(3)
    }
    for name, values in sides.items():
        (tmp_path / "task" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "task" / name).write_text("".join(f"{value:.4f}\n" for value in values))
    given = ("run", "qe_sentence", "task", "--quiet")
    whole = qeframe_command(*given, "--json").out
    assert {pair["least_p"] for pair in json.loads(whole)["comparisons"]} == {1 / 10_001}
    for number in (1, 2):
        assert qeframe_command(*given, "--shard", f"{number}/2", "--out", f"s{number}").status == 0
    assert qeframe_command("merge", "s1", "s2", "--json", "--quiet").out == whole
    assert qeframe_command(*given, "--json", "--workers", "2").out == whole
    fixed = ("--set", "test=jackknife_and_exchange(draws=1000)")
    assert "|draws:1000+10000|" in json.loads(whole)["signature"]["text"]
    assert "|draws:" not in json.loads(qeframe_command(*given, "--json", *fixed).out)["signature"]["text"]
    lines = qeframe_command("run", "qe_sentence", "task", "--dry-run").out
    assert re.search(r"^  near alpha      up to .* more, for families that draw on$", lines, re.M)
    estimate = json.loads(qeframe_command("run", "qe_sentence", "task", "--dry-run", "--json").out)
    assert estimate["seconds_near_alpha"] > 0


def test_a_missing_shard_is_refused(shards, refused):
    assert refused("merge", "s1") == "shard 2/2 is missing; run it with --shard, or add its folder"
    assert refused("merge", "s1", "s1") == "s1: is shard 1/2, as is s1; leave one out"


def test_shards_of_other_runs_are_refused(shards, qeframe_command, refused):
    qeframe_command("run", "qe_sentence", "task", *RULES, "--seed", 4, "--shard", "2/2", "--out", "other")
    assert "other: is a shard of another run than s1: it differs in seed, request" in refused("merge", "s1", "other")
    qeframe_command("run", "qe_sentence", "task", *RULES, "--shard", "2/3", "--out", "third")
    assert "third: is one of 3 shards, s1 one of 2" in refused("merge", "s1", "third")
    (shards / "task" / "gold.txt").write_text("1\n2\n" * 400)
    assert "the shards were computed under another input files" in refused("merge", "s1", "s2")


def test_a_shard_that_is_not_finished_is_refused(shards, refused):
    manifest = shards / "s2" / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "finished": False}))
    assert refused("merge", "s1", "s2").startswith("s2: shard 2/2 is not finished; run it again")
    manifest.write_text(json.dumps({"format": 0}))
    assert "has format 0, this version of qeframe reads 1" in refused("merge", "s1", "s2")


def test_what_is_no_shard_is_refused(shards, refused):
    assert refused("merge", "task").startswith("task: is not a work folder of qeframe")
    assert refused("merge", "nowhere").startswith("nowhere: is not a shard")


def test_a_shard_needs_a_folder_of_its_own(shards, refused, qeframe_command):
    run = ("run", "qe_sentence", "task", *RULES, "--quiet", "--shard")
    assert refused(*run, "1/2") == "shard 1/2 needs a folder; name one with --out"
    assert refused(*run, "1/2", "--out", "new", "--json").startswith("a shard has no result that could be printed")
    assert refused(*run, "1/2", "--out", "s2") == "s2: holds a shard that differs in shard; name another folder"
    assert refused(*run, "1/2", "--out", "task").startswith("task: is not a work folder of qeframe")
    for wrong in ("0/2", "3/2", "1", "a/b"):
        outcome = qeframe_command(*run, wrong, "--out", "new")
        assert outcome.status == 2
        assert "is not I/N with I from 1 to N" in outcome.err


def test_a_damaged_block_of_a_shard_is_computed_by_merge(shards, qeframe_command):
    next(file for file in (shards / "s1").iterdir() if file.name != "manifest.json").unlink()
    merged = qeframe_command("merge", "s1", "s2", "--json")
    assert "1 block could not be taken from the shards: computed here" in merged.err
    assert merged.out == qeframe_command("run", "qe_sentence", "task", *RULES, "--json").out


def stopped(folder: Path, *more: str, least: int = 3) -> Path:
    """Kill a run when it has kept a few blocks; return its work folder."""
    process = subprocess.Popen(
        [sys.executable, "-c", CODE.format(["run", "qe_sentence", "task", *LONGER, *more])], cwd=folder
    )
    for _ in range(2000):
        time.sleep(0.005)
        if len(list((folder / "work").glob("*/*"))) > least:
            process.send_signal(signal.SIGKILL)
            break
    assert process.wait(60) == -signal.SIGKILL
    [kept] = (folder / "work").iterdir()
    return kept


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on(larger, qeframe_command, monkeypatch):
    whole = qeframe_command("run", "qe_sentence", "task", *LONGER, "--json", "--quiet").out
    stopped(larger, "--seed", "0")
    begun = {file.name for file in (larger / "work").glob("*/*")}
    assert len(begun) > 3
    again = qeframe_command("run", "qe_sentence", "task", *LONGER, "--json")
    assert "going on with the blocks in" in again.err
    assert again.out == whole
    assert list((larger / "work").iterdir()) == []


@pytest.mark.slow
def test_the_tasks_that_were_finished_are_not_computed_again(larger, qeframe_command, monkeypatch):
    """A run of many tasks is killed in the middle: the second one reads back what is kept of several tasks."""
    for nth in range(1, 9):
        shutil.copytree(larger / "task", larger / "tasks" / f"en-{nth}")
    shutil.rmtree(larger / "task")
    (larger / "tasks").rename(larger / "task")
    whole = qeframe_command("run", "qe_sentence", "task", *LONGER, "--json", "--quiet").out
    stopped(larger, least=24)
    blocks: list[KeptBlocks] = []
    begin = KeptBlocks.__init__
    monkeypatch.setattr(
        KeptBlocks, "__init__", lambda self, *a, **more: (blocks.append(self), begin(self, *a, **more))[1]
    )
    assert qeframe_command("run", "qe_sentence", "task", *LONGER, "--json").out == whole
    assert blocks[-1].found >= 23  # all but the manifest and a block that was being written
    assert blocks[-1].computed > 0


@pytest.mark.slow
def test_blocks_of_other_data_are_left(larger, qeframe_command):
    stopped(larger)
    gold = larger / "task" / "gold.txt"
    gold.write_text(gold.read_text().replace("1", "2"))
    again = qeframe_command("run", "qe_sentence", "task", *LONGER, "--json")
    assert "kept blocks differ in input files; all blocks are computed again" in again.err
    assert again.out == qeframe_command("run", "qe_sentence", "task", *LONGER, "--json").out


@pytest.mark.slow
def test_fresh_computes_all_blocks_again(larger, qeframe_command):
    stopped(larger)
    again = qeframe_command("run", "qe_sentence", "task", *LONGER, "--json", "--fresh")
    assert "going on" not in again.err
    assert list((larger / "work").iterdir()) == []


@pytest.fixture
def one_blas_thread(monkeypatch):
    """Limit the threads of BLAS, here and in new processes, as `qeframe` does: sums have another order with more."""
    from threadpoolctl import threadpool_limits

    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    with threadpool_limits(1):
        yield


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("one_blas_thread")
def test_processes_and_dask_with_a_killed_worker_give_the_same_bytes(larger, qeframe_command):
    from threading import Thread

    from distributed import LocalCluster

    whole = qeframe_command("run", "qe_sentence", "task", *LONGER, "--json", "--quiet").out
    run = ("run", "qe_sentence", "task", *LONGER, "--json", "--quiet", "--executor")
    assert qeframe_command(*run, "processes", "--workers", 2).out == whole
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:

        def kill() -> None:
            time.sleep(0.5)
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

        killer = Thread(target=kill)
        killer.start()
        assert qeframe_command(*run, f"dask:{cluster.scheduler_address}").out == whole
        killer.join()
        assert qeframe_command(*run, f"dask:{cluster.scheduler_address}").out == whole


def test_the_delay_is_longer_than_a_small_run():
    assert resumable.DELAY >= 1


LIMITED = (
    "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000));"
    "import qeframe.execution.resumable as k; k.DELAY = 0; from qeframe.cli import main; main({})"
)
"""No file can have more than 6000 bytes: the larger blocks cannot be written, as on a full disk.

A compiled module would be cut off too, and spoil later tests: start with -B.
"""


@pytest.mark.slow
@pytest.mark.parametrize("shard", [(), ("--shard", "1/2", "--out", "s1")])
def test_files_that_cannot_be_written(larger, qeframe_command, shard):
    arguments = ["run", "qe_sentence", "task", *RULES, *(shard or ("--json",))]
    full = subprocess.run(
        [sys.executable, "-B", "-c", LIMITED.format(arguments)], cwd=larger, capture_output=True, text=True, check=False
    )
    told = [line for line in full.stderr.splitlines() if "blocks cannot be kept: File too large" in line]
    assert len(told) == 1, full.stderr
    if shard:
        assert full.returncode == 2
        assert "free space, or name another folder" in told[0]
        assert qeframe_command(*arguments).status == 0
    else:
        assert "the run goes on, but could not be resumed from here" in told[0]
        assert full.stdout == qeframe_command(*arguments).out


@pytest.mark.parametrize(
    ("executor", "said"),
    [
        ("no_such_module:make", "executor 'no_such_module:make': module 'no_such_module' cannot be imported: "),
        ("os:getpid", "executor 'os:getpid': the factory returned int, not an executor; return a "),
        ("os:no_such_factory", "executor 'os:no_such_factory': module 'os' has no 'no_such_factory'; "),
        ("dask", "executor 'dask' needs a scheduler; write dask:tcp://HOST:8786"),
    ],
)
def test_executors_that_are_none(larger, refused, executor, said):
    assert refused("run", "qe_sentence", "task", "--executor", executor, "--quiet").startswith(said)
