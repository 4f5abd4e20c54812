"""A run that is killed while it writes leaves the old result or the new one, whole, and the next run works."""

import contextlib
import hashlib
import json
import os
import random
import signal
import sys

import pytest

from qeframe.cli import main

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="SIGKILL")]

KILLS = 10


class Steps:
    """Count how often a file beside the results is made or renamed; kill this process before the n-th time."""

    def __init__(self, number):
        self.number, self.steps, self.last_rename = number, 0, 0

    def __call__(self, event, arguments):
        made = event in ("open", "os.mkdir", "os.rename", "os.chmod") and ".results.lock" not in str(arguments[0])
        if made and ".results." in "".join(map(str, arguments[:2])):
            self.steps += 1
            self.last_rename = self.steps if event == "os.rename" else self.last_rename
            if self.steps == self.number:
                os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def out(tmp_path):
    rng = random.Random(7)
    (tmp_path / "task" / "submissions").mkdir(parents=True)
    for name in ("gold", "submissions/a", "submissions/b"):
        (tmp_path / "task" / f"{name}.txt").write_text("".join(f"{rng.random()}\n" for _ in range(50)))
    return tmp_path / "there" / "results"


def run(out, seed, *, steps=0):
    """Run with a seed in a fork, up to a step; return its exit status, and the last step that renames."""
    words = ["run", "qe_sentence", "task", "--out", str(out), "--seed", str(seed), "--quiet", "--json"]
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            os.chdir(out.parents[1])
            counted = Steps(steps)
            sys.addaudithook(counted)
            main(words)
            os.write(writer, str(counted.last_rename).encode())
            os._exit(0)
        os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        printed = pipe.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), printed


def seed_of(folder):
    """Return the seed of a result, which is whole: the files that its manifest lists, with their digests."""
    listed = json.loads((folder / ".qeframe.json").read_text())["files"]
    assert sorted(os.listdir(folder)) == sorted([".qeframe.json", *listed])
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for name, digest in listed.items())
    return json.loads((folder / "evaluation.json").read_text())["signature"]["seed"]


def test_a_kill_leaves_the_old_result_or_the_new_one_and_the_next_run_works(out):
    run(out, 0)
    status, printed = run(out, 1)
    assert status == 0
    steps = int(printed)
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
