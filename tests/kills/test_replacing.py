"""A run that is killed while it writes leaves the old result or the new one, whole, and the next run works."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="SIGKILL")]

KILLS = 10
RUN = """
import os, signal, sys
number, *words = sys.argv[1:]
steps = last_rename = 0

def count(event, arguments):
    global steps, last_rename
    if event in ("open", "os.mkdir", "os.rename", "os.chmod") and ".results." in "".join(map(str, arguments[:2])):
        if ".results.lock" not in str(arguments[0]):
            steps += 1
            last_rename = steps if event == "os.rename" else last_rename
            if steps == int(number):
                os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count)
from qeframe.cli import main
main(words)
print(last_rename)
"""
"""Run a command that kills itself before the n-th time that a file beside the results is made or renamed."""


@pytest.fixture
def out(tmp_path):
    rng = random.Random(7)
    (tmp_path / "task" / "submissions").mkdir(parents=True)
    for name in ("gold", "submissions/a", "submissions/b"):
        (tmp_path / "task" / f"{name}.txt").write_text("".join(f"{rng.random()}\n" for _ in range(50)))
    return tmp_path / "there" / "results"


def run(out, seed, *, steps=0):
    """Run with a seed, up to a step; return the exit status and what is printed."""
    words = ["run", "qe_sentence", "task", "--out", str(out), "--seed", str(seed), "--quiet", "--json"]
    command = [sys.executable, "-c", RUN, str(steps), *words]
    done = subprocess.run(command, cwd=out.parents[1], capture_output=True, text=True)
    return done.returncode, done.stdout


def seed_of(folder):
    """Return the seed of a result, which is whole: the files that its manifest lists, with their digests."""
    listed = json.loads((folder / ".qeframe.json").read_text())["files"]
    assert sorted(os.listdir(folder)) == sorted([".qeframe.json", *listed])
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for name, digest in listed.items())
    return json.loads((folder / "evaluation.json").read_text())["signature"]["seed"]


def test_a_kill_leaves_the_old_result_or_the_new_one_and_the_next_run_works(out):
    run(out, 0)
    status, printed = run(out, 1)
    steps = int(printed.splitlines()[-1])
    assert status == 0
    assert steps > KILLS
    places = set()
    for kill in range(1, KILLS + 1):
        old, new = seed_of(out), 10 * kill
        assert run(out, new, steps=kill * steps // KILLS)[0] == -signal.SIGKILL
        place = out if out.exists() else out.with_name(".results.old")
        assert seed_of(place) in (old, new)
        assert sorted(os.listdir(out.parent)) != [out.name]
        places.add(place)
        assert run(out, new + 1)[0] == 0
        assert seed_of(out) == new + 1
        assert os.listdir(out.parent) == [out.name]
    assert len(places) == 2  # the last one was killed before the last rename
