"""Standard streams that are closed, full, or that nobody reads: one line, the right status, no unforeseen error."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from qeframe.cli import main

RUN = ("run", "qe_sentence", "t")
WORDS = {"closed": "it is closed", "full": "No space left on device"}


@pytest.fixture(autouse=True)
def task(write_task):
    write_task("t", range(9), {"a": [*range(1, 9), 0], "b": [3, *range(8)]})


@pytest.fixture
def run_with(monkeypatch, tmp_path):
    """Return a function that runs a command with streams as they are named; it returns status, output and errors."""

    def stream(stack, kind, file):
        if kind == "closed":
            return None
        if kind == "gone":
            read, write = os.pipe()
            os.close(read)
            opened = os.fdopen(write, "w")
        else:
            opened = open("/dev/full" if kind == "full" else file, "w")  # noqa: SIM115  # closed by the stack
        stack.callback(opened.close)
        return opened

    def run(out, err, *arguments):
        files = tmp_path / "out", tmp_path / "err"
        with monkeypatch.context() as patched, ExitStack() as stack:
            patched.setattr(sys, "stdout", stream(stack, out, files[0]))
            patched.setattr(sys, "stderr", stream(stack, err, files[1]))
            try:
                main(arguments)
                status = 0
            except SystemExit as stop:
                status = int(stop.code or 0)
        return (status, *(file.read_text() if file.exists() else "" for file in files))

    return run


@pytest.mark.parametrize("out", ["closed", "full", "gone"])
@pytest.mark.parametrize(
    "arguments",
    [
        RUN,
        (*RUN, "--json"),
        (*RUN, "--jsonl"),
        (*RUN, "--dry-run"),
        ("plugins",),
        ("profiles", "qe_sentence"),
        ("--help",),
    ],
    ids=" ".join,
)
def test_standard_output_that_cannot_be_written(run_with, out, arguments):
    status, _, said = run_with(out, "fine", *arguments, *(["--quiet"] if arguments[0] == "run" else []))
    if out == "gone":
        assert (status, said) == (141, "")
    else:
        line = f"qeframe: standard output cannot be written: {WORDS[out]}; redirect it elsewhere\n"
        assert (status, said) == (2, line)


@pytest.mark.parametrize("err", ["closed", "full", "gone"])
def test_a_command_goes_on_without_standard_error(run_with, err):
    status, printed, _ = run_with("fine", "fine", *RUN)
    assert status == 0
    assert run_with("fine", err, *RUN)[:2] == (status, printed)
    assert run_with("fine", err, "run", "qe_sentence", "nowhere")[:2] == (2, "")


def test_files_are_written_before_standard_output_fails(run_with, tmp_path):
    status, _, said = run_with("full", "fine", *RUN, "--out", "o")
    assert status == 2
    assert said.endswith("qeframe: standard output cannot be written: No space left on device; redirect it elsewhere\n")
    assert (tmp_path / "o" / "report.html").exists()


@pytest.mark.slow
def test_streams_of_a_real_process(tmp_path):
    """Closed numbers are not taken by files: nothing that is printed comes into evaluation.json."""
    python = f"{sys.executable} -m qeframe"
    script = f"""
        {python} {" ".join(RUN)} --out o >&- 2>&- <&-; echo $?
        {python} profiles | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}
        {python} --version >/dev/full; echo $?
    """
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    first, second, third = done.stdout.split()
    assert (first, third) == ("2", "2")
    assert second in {"0", "141"}
    assert done.stderr == "qeframe: standard output cannot be written: No space left on device; redirect it elsewhere\n"
    assert Path("o/evaluation.json").read_text().startswith("{")
