"""End commands by signals at random moments, and print what they left as JSON.

Run as ``python ending.py FOLDER NUMBER [COMMAND ...]``: NUMBER commands are ended, not counting those that end before.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from qeframe.report.folders.result_folder import ResultFolder
from tests.web_server import web_server

COMMANDS = ("run", "fetch")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)
MOST = 5.0
"""Seconds after a signal in which everything must have ended."""
CLUSTER = """
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        input()
"""
SOURCE = """
from qeframe.plugin import hookimpl
from qeframe.plugin.data import DataSource, SourceFile
@hookimpl
def qeframe_data_sources():
    files = [SourceFile(url={0!r} + name, path=name) for name in ("a", "b")]
    archive = SourceFile(url={0!r} + "c", unpack=True)
    return [DataSource(name="slow_source", summary="made", source="made", files=[*files, archive])]
"""


def start(folder, *words):
    """Start a command in a session of its own, so that all its processes are found."""
    command = [sys.executable, "-m", "qeframe", *map(str, words)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, start_new_session=True, text=True, **pipes)


def finish(folder, *words):
    began, running = time.monotonic(), start(folder, *words)
    _, said = running.communicate()
    assert running.returncode == 0, said
    return time.monotonic() - began


def members(session):
    """Return the processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            found.append(int(stat.parent.name))
    return found


def hidden(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


class Result:
    """Commands that replace the result in a folder."""

    def __init__(self, folder, name, words_of):
        self.folder, self.out, self.words_of, self.seed = folder / name, folder / name / "out", words_of, 1
        self.folder.mkdir()
        self.usual = finish(folder, *words_of(1), "--out", self.out)

    def words(self):
        self.before = self.seed
        return [*self.words_of(3 - self.before), "--out", self.out]

    def state(self):
        listed = json.loads((self.out / ".qeframe.json").read_text())["files"]
        whole = sorted(os.listdir(self.out)) == sorted([".qeframe.json", *listed])
        seed = json.loads((self.out / "evaluation.json").read_text())["signature"]["seed"]
        self.seed = seed
        return "mixed" if not whole else "old" if seed == self.before else "new"

    def tidy(self):
        ResultFolder.take(self.out).close()


class Fetched:
    """A folder of data that is made of two files and an archive."""

    def __init__(self, folder, server):
        self.folder = folder / "fetch"
        self.folder.mkdir()
        self.contents = {"a": os.urandom(3 << 20), "b": os.urandom(1 << 20)}
        for name, content in self.contents.items():
            (folder / name).write_bytes(content)
        (folder / "inner").mkdir()
        for number in range(400):
            (folder / "inner" / str(number)).write_text(str(number))
        shutil.make_archive(str(folder / "c"), "gztar", folder, "inner")
        server.files |= {**self.contents, "c": (folder / "c.tar.gz").read_bytes()}
        server.before_piece = lambda: time.sleep(0.01)
        self.usual = finish(folder, *self.words())

    def words(self):
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        return ["fetch", "slow_source", "--to", self.folder / "data", "--quiet"]

    def state(self):
        data = self.folder / "data"
        if not data.exists():
            return "old"
        whole = all((data / name).read_bytes() == content for name, content in self.contents.items())
        return "new" if whole and len(list((data / "inner").iterdir())) == 400 else "mixed"

    def tidy(self):
        finish(self.folder, "fetch", "slow_source", "--to", self.folder / "data", "--quiet")


def one(case, number, rng, temporary):
    """End one command; return what is there, then and after the next command has tidied up; None if it ended before."""
    words, killed = case.words(), set(hidden(temporary))  # what commands killed before have left
    running = start(case.folder, *words)
    try:
        running.wait(rng.uniform(0.02, 1.0) * case.usual)
    except subprocess.TimeoutExpired:
        running.send_signal(number)
    struck, began = running.returncode is None, time.monotonic()
    try:
        out, said = running.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        out, said = "", "the pipes stay open"
    closed = time.monotonic() - began
    while (left := members(running.pid)) and time.monotonic() - began < MOST:
        time.sleep(0.02)
    ended = time.monotonic() - began
    found = {
        "status": running.poll(),
        "closed": round(closed, 2),
        "ended": round(ended, 2),
        "left": len(left),
        "said": said.splitlines(),
        "out": out,
        "beside": [name for name in hidden(case.folder) if name != ".data.partial"],
        "temporary": sorted(set(hidden(temporary)) - killed),
        "state": case.state(),
    }
    for process in left:
        os.kill(process, signal.SIGKILL)
    if number == signal.SIGKILL:
        case.tidy()
        found |= {"then": case.state(), "then beside": hidden(case.folder)}
        for name in found["temporary"]:
            os.utime(
                temporary / name, (0, 0)
            )  # as if it were old: the next command that makes such a folder removes it
    return found if struck else None


@contextmanager
def cluster(folder):
    """Run a cluster of dask in a process of its own; yield the address of its scheduler."""
    (folder / "cluster.py").write_text(CLUSTER)
    command = [sys.executable, folder / "cluster.py"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, text=True, **pipes) as running:
        try:
            yield running.stdout.readline().strip()
        finally:
            running.communicate("\n")


def cluster_rests(address):
    """Return whether a cluster has no work left, soon."""
    from distributed import Client

    with Client(address, timeout=10) as client:
        began = time.monotonic()
        while client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)):
            if time.monotonic() - began > MOST:
                return False
            time.sleep(0.1)
        return len(client.scheduler_info()["workers"]) == 2


def main(folder, number, chosen):
    for ignored in (signal.SIGHUP, signal.SIGINT):  # a caller may ignore them, and so would the commands
        signal.signal(ignored, signal.SIG_DFL)
    rng = random.Random(number)
    temporary = folder / "temporary"
    for made in (temporary, folder / "task" / "submissions", folder / "site" / "slow_dist-1.dist-info"):
        made.mkdir(parents=True)
    os.environ |= {"TMPDIR": str(temporary), "PYTHONPATH": str(folder / "site")}
    os.environ["NO_PROXY"] = "127.0.0.1"
    for name in ("gold", *(f"submissions/s{i:02}" for i in range(10))):
        (folder / "task" / f"{name}.txt").write_text("".join(f"{rng.random()}\n" for _ in range(600)))
    run = ["run", "qe_sentence", folder / "task", "--quiet", "--set", "test=randomization(draws=8000)", "--seed"]
    with ExitStack() as stack:
        server = stack.enter_context(web_server())
        (folder / "site" / "slow_module.py").write_text(SOURCE.format(server.url("")))
        (folder / "site/slow_dist-1.dist-info/METADATA").write_text("Metadata-Version: 2.1\nName: slow\nVersion: 1\n")
        (folder / "site/slow_dist-1.dist-info/entry_points.txt").write_text("[qeframe.v2]\nslow = slow_module\n")
        cases = {}
        address = stack.enter_context(cluster(folder)) if "run" in chosen else ""
        for executor in ("threads", "processes", f"dask:{address}") if address else ():
            options = ["--executor", executor, "--workers", 2]
            words = partial(lambda options, nth: [*run, nth, *options], options)
            cases["run", executor.partition(":")[0]] = Result(folder, executor[:4], words)
        if "fetch" in chosen:
            cases["fetch", ""] = Fetched(folder, server)
        found = []
        for turn in count():
            if len(found) >= number:
                break
            again, nth = divmod(turn, len(cases))
            name, case = list(cases.items())[nth]
            sent = SIGNALS[(nth + again) % len(SIGNALS)]  # another signal for a case each time: all in turn
            outcome = one(case, sent, rng, temporary)
            if outcome is not None:
                found.append({"command": name[0], "executor": name[1], "signal": sent.name, **outcome})
                if name[1] == "dask":
                    found[-1]["rests"] = cluster_rests(address)
                print(json.dumps(found[-1]), file=sys.stderr, flush=True)  # noqa: T201
        finish(folder, *run, 3, "--executor", "processes", "--out", folder / "last")
        return {"kills": found, "temporary": hidden(temporary), "usual": {str(k): c.usual for k, c in cases.items()}}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3:] or COMMANDS)))  # noqa: T201
