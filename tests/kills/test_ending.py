"""A command that is ended by a signal leaves what was there before and nothing else: no process, lock or open pipe."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.web_server import web_server

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sessions in /proc")]

LINES = {
    signal.SIGINT: "qeframe: interrupted",
    signal.SIGTERM: "qeframe: ended by SIGTERM",
    signal.SIGHUP: "qeframe: ended by SIGHUP",
}
MOST = 5.0
"""Seconds after a signal in which everything must have ended."""
SOURCE = """
from qeframe.plugin import hookimpl
from pathlib import Path
@hookimpl
def qeframe_profiles():
    return {"slow_profile": Path(__file__).parent / "slow_profile.toml"}
"""
SOURCES = '[slow_source]\nsummary = ""\nfiles = [{{ url = "{url}", path = "data.bin" }}]\n'
METADATA = "Metadata-Version: 2.1\nName: slow\nVersion: 1\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name in ("temporary", "task/submissions"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("gold", "submissions/a", "submissions/b", "submissions/c"):
        (tmp_path / "task" / f"{name}.txt").write_text("".join(f"{hash((name, nth)) % 1000}\n" for nth in range(600)))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    heard = {signal.SIGHUP: signal.SIG_DFL, signal.SIGINT: signal.default_int_handler}
    before = {number: signal.signal(number, handler) for number, handler in heard.items()}
    yield tmp_path  # a caller of the tests may ignore these signals, and so would the commands
    for number, handler in before.items():
        signal.signal(number, handler)


def start(folder, *words):
    """Start a command in a session of its own, so that all its processes are found."""
    command = [sys.executable, "-m", "qeframe", *map(str, words), "--quiet"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, start_new_session=True, text=True, **pipes)


def finish(folder, *words):
    running = start(folder, *words)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (0, "")


def end(running, number, begun):
    """End a command when its work has begun; return its status and what it said, without remedies."""
    while not begun():
        assert running.poll() is None, running.communicate()
        time.sleep(0.01)
    time.sleep(0.5)
    running.send_signal(number)
    sent = time.monotonic()
    _, said = running.communicate(timeout=MOST)
    while left := members(running.pid):
        assert time.monotonic() - sent < MOST, left
        time.sleep(0.02)
    if number == signal.SIGKILL:  # what else Python runs beside workers may say that they are gone
        return running.returncode, []
    return running.returncode, [line.partition(";")[0] for line in said.splitlines()]


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


def said_of(number):
    return (-number, []) if number == signal.SIGKILL else (128 + number, [LINES[number]])


@pytest.mark.parametrize(
    ("executor", "number"),
    [
        ("threads", signal.SIGINT),
        ("threads", signal.SIGKILL),
        ("processes", signal.SIGHUP),
        ("processes", signal.SIGTERM),
        ("processes", signal.SIGKILL),
    ],
)
def test_a_run(folder, executor, number):
    run = ["run", "qe_sentence", "task", "--out", "results/of/it", "--workers", 2, "--executor", executor]
    out = folder / "results" / "of" / "it"
    finish(folder, *run, "--set", "test=")
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    running = start(folder, *run, "--set", "test=randomization(draws=1000000)")
    assert end(running, number, (out.parent / ".it.lock").exists) == said_of(number)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    if number == signal.SIGKILL:
        finish(folder, *run, "--set", "test=")
    else:
        assert os.listdir(folder / "temporary") == []
    assert os.listdir(out.parent) == ["it"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_download(folder, number, monkeypatch):
    content = os.urandom(3 << 20)
    with web_server() as server:
        server.files["data.bin"] = content
        (folder / "slow-1.dist-info").mkdir()
        (folder / "slow_module.py").write_text(SOURCE)
        (folder / "sources").mkdir()
        (folder / "sources" / "slow.toml").write_text(SOURCES.format(url=server.url("data.bin")))
        (folder / "slow-1.dist-info" / "METADATA").write_text(METADATA)
        (folder / "slow-1.dist-info" / "entry_points.txt").write_text("[qeframe.v2]\nslow = slow_module\n")
        monkeypatch.setenv("PYTHONPATH", str(folder))
        server.before_piece = lambda: time.sleep(0.1)
        ended = end(start(folder, "fetch", "slow_source", "--to", "data"), number, lambda: server.asked)
        assert ended == said_of(number)
        assert not (folder / "data").exists()
        server.before_piece = lambda: None
        finish(folder, "fetch", "slow_source", "--to", "data")
        assert (folder / "data" / "data.bin").read_bytes() == content
    assert [name for name in os.listdir(folder) if name.startswith(".")] == []
