"""Replace results in child processes that are killed, or whose system calls fail; print what was found as JSON.

Run as ``python replacing.py WHAT FOLDER``. Every child is a fork of this process, so that a kill costs milliseconds.
"""

import errno
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from qeframe.core.errors import DataError
from qeframe.report.folders import result_folder
from qeframe.report.folders.result_folder import ResultFolder

OLD = {f"old-{i}.txt": b"old" * 20_000 for i in range(6)} | {"both.txt": b"old", "task/gold.txt": b"old"}
NEW = {f"new-{i}.svg": b"new" * 20_000 for i in range(8)} | {"both.txt": b"new", "task/gold.txt": b"new"}
WRITING = {"open", "os.rename", "os.mkdir"}
STEPS = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod", "os.truncate", "ctypes.dlopen"}


def contents(folder):
    """Return the files of a folder, without the manifest; None without the folder."""
    if not folder.is_dir():
        return None
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".qeframe.json"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def write(out, files):
    with ResultFolder.take(out) as folder:
        folder.replace(files)


def at_step(number, act, *, steps=STEPS, always=False):
    """Act at a step, or from it on: when the system is called for the n-th time to open, make or remove something."""
    seen = [0]

    def hook(event, _):
        if event in steps:
            seen[0] += 1
            if seen[0] == number or (always and seen[0] > number):
                act()

    sys.addaudithook(hook)
    return seen


def fork(work):
    """Run work in a child; its exit status is 0 for success, 2 for a `DataError`, 3 for anything else."""
    child = os.fork()
    if child:
        return child
    status = 3
    try:
        work()
        status = 0
    except DataError:
        status = 2
    except BaseException as error:
        sys.stderr.write(f"{error!r}\n")
    finally:
        sys.stderr.flush()
        os._exit(status)


def ended(child):
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def steps_of_a_run(out, steps=STEPS):
    """Return the number of steps of a run."""
    read, write_end = os.pipe()

    def work():
        seen = at_step(-1, lambda: None, steps=steps)
        write(out, NEW)
        os.write(write_end, str(seen[0]).encode())

    ended(fork(work))
    return int(os.read(read, 100))


def state(out):
    found = contents(out)
    if found in (OLD, NEW):
        return "old" if found == OLD else "new"
    if found is None and contents(out.with_name(f".{out.name}.qeframe-old")) == OLD:
        return "aside"
    return "mixed"


def one_kill(out, work, delay):
    """Kill a run that replaces the old result, by itself or after a delay; return what is there, then and later."""
    write(out, OLD)
    child = fork(work)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    status = ended(child)
    after = state(out)
    leftovers = len(os.listdir(out.parent)) > 1
    ResultFolder.take(out).close()
    then = state(out)
    clean = os.listdir(out.parent) == [out.name]
    return {"status": status, "after": after, "leftovers": leftovers, "then": then, "clean": clean}


def kills(folder, randoms=100):
    """Kill runs at random moments and at every step, with an exchange in one step and in two."""
    rng = random.Random(20150731)
    out = folder / "results"
    found = []
    for one_step in (True, False):
        if not one_step:
            result_folder.exchange = lambda *_: False
        write(out, OLD)
        count = steps_of_a_run(out)
        started = time.perf_counter()
        for _ in range(5):
            ended(fork(lambda: write(out, NEW)))
        usual = (time.perf_counter() - started) / 5
        struck = 0
        while struck < randoms:  # a run that ended before its kill is looked at, and not counted
            killed = one_kill(out, lambda: write(out, NEW), rng.uniform(0, usual))
            found.append({"how": "random", "one_step": one_step, **killed})
            struck += killed["status"] == -signal.SIGKILL
        for step in range(1, count + 1):

            def work(step=step):
                at_step(step, lambda: os.kill(os.getpid(), signal.SIGKILL))
                write(out, NEW)

            found.append({"how": f"step {step}", "one_step": one_step, **one_kill(out, work, None)})
    return found


def pairs(folder, number=50):
    """Run pairs of runs that share a new parent; the system fails for the first, and for both in every fifth pair."""
    rng = random.Random(20150801)
    steps = steps_of_a_run(folder / "measured", WRITING)
    found = []
    for pair in range(number):
        parent = folder / f"results-{pair}"
        existing = pair % 3 == 0
        if existing:
            write(parent / "a", OLD)

        def run(name, fails, parent=parent):
            code = rng.choice([errno.ENOSPC, errno.EACCES])
            step, always, wait = rng.randint(1, steps), rng.random() < 0.5, rng.uniform(0, 0.004)

            def fail():
                raise OSError(code, os.strerror(code))

            def work():
                time.sleep(wait)
                if fails:
                    at_step(step, fail, steps=WRITING, always=always)
                write(parent / name, NEW)

            return fork(work)

        children = [run("a", True), run("b", pair % 5 == 0)]
        a, b = map(ended, children)
        for name in "ab":
            ResultFolder.take(parent / name).close()
        left = sorted(os.listdir(parent)) if parent.exists() else []
        found.append(
            {
                "existing": existing,
                "status": [a, b],
                "there": [None if contents(parent / name) is None else state(parent / name) for name in "ab"],
                "left": left,
            }
        )
    return found


if __name__ == "__main__":
    print(json.dumps({"kills": kills, "pairs": pairs}[sys.argv[1]](Path(sys.argv[2]))))  # noqa: T201
