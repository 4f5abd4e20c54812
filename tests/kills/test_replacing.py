"""A run that is killed, or that fails, leaves the old result or the new one, and never another run's."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="kills and forks of Linux"),
]

REPLACING = Path(__file__).with_name("replacing.py")


def found(what, folder):
    command = [sys.executable, str(REPLACING), what, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_kill_leaves_the_old_result_or_the_new_one(tmp_path):
    kills = found("kills", tmp_path)
    assert sum(kill["how"] == "random" and kill["status"] == -signal.SIGKILL for kill in kills) == 200
    for kill in kills:
        allowed = {"old", "new"} if kill["one_step"] else {"old", "new", "aside"}
        assert kill["after"] in allowed, kill
        assert kill["then"] == ("old" if kill["after"] == "aside" else kill["after"]), kill
        assert kill["clean"], kill
    for one_step in (True, False):
        stepped = [kill for kill in kills if kill["one_step"] == one_step and kill["how"] != "random"]
        assert all(kill["status"] == -signal.SIGKILL for kill in stepped)
        seen = {kill["after"] for kill in stepped}
        assert seen == ({"old", "new"} if one_step else {"old", "new", "aside"})
        assert any(kill["leftovers"] for kill in stepped)


def test_no_finished_result_is_lost_where_runs_share_a_parent(tmp_path):
    pairs = found("pairs", tmp_path)
    assert len(pairs) == 50
    for pair in pairs:
        before = "old" if pair["existing"] else None
        assert set(pair["status"]) <= {0, 2}, pair
        for status, there, kept in zip(pair["status"], pair["there"], (before, None), strict=True):
            assert there == ("new" if status == 0 else kept), pair
        assert pair["left"] == [name for name, there in zip("ab", pair["there"], strict=True) if there], pair
    assert sum(pair["status"][0] == 2 for pair in pairs) >= 25


def test_a_kill_of_the_whole_command(tmp_path):
    rng = random.Random(7)
    (tmp_path / "task" / "submissions").mkdir(parents=True)
    for name in ("gold", "submissions/a", "submissions/b"):
        (tmp_path / "task" / f"{name}.txt").write_text("".join(f"{rng.random()}\n" for _ in range(50)))
    out = tmp_path / "there" / "results"

    def command(seed):
        words = ["run", "qe_sentence", "task", "--out", str(out), "--seed", str(seed), "--quiet"]
        return subprocess.Popen([sys.executable, "-m", "qeframe", *words], cwd=tmp_path, stdout=subprocess.DEVNULL)

    def seed():
        place = out if out.exists() else out.with_name(".results.qeframe-old")
        listed = json.loads((place / ".qeframe.json").read_text())["files"]
        assert sorted(os.listdir(place)) == sorted([".qeframe.json", *listed])
        return json.loads((place / "evaluation.json").read_text())["signature"]["seed"]

    started = time.monotonic()
    assert command(0).wait() == 0
    usual = time.monotonic() - started
    for number in range(1, 7):
        before, run = seed(), command(number)
        time.sleep(rng.uniform(0.3, 1.05) * usual)
        run.kill()
        run.wait()
        assert seed() in {before, number}
    assert command(99).wait() == 0
    assert seed() == 99
    assert os.listdir(out.parent) == ["results"]
