"""The runner of a command, and what it shows."""

import time

import pytest

from qeframe.cli.shared.progress import working


@pytest.mark.parametrize("quiet", [False, True])
def test_plain_lines_where_there_is_no_terminal(capsys, monkeypatch, quiet):
    monkeypatch.setattr("qeframe.execution.progress._INTERVAL", 0.02)
    with working("drawing", quiet=quiet) as runner:
        runner.map(abs, [-1, -2])
        time.sleep(0.2)
    told = capsys.readouterr().err.splitlines()
    line = "qeframe: drawing, 0 s so far, 2 of 2 blocks of this step, about 0 s left of it"
    assert all(one == line for one in told)
    assert bool(told) is not quiet


def test_the_same_word_of_long_work_is_said_once(capsys):
    with working("drawing") as runner:
        runner.on_notice("long")
        runner.on_notice("long")
    assert capsys.readouterr().err == "qeframe: long\n"
