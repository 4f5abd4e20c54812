"""The group of commands: errors, help and exit status."""

import os
import platform
import re
import signal
import subprocess
import sys

import click
import pytest

from qeframe.cli.app import app
from qeframe.cli.command_tables import own_commands
from qeframe.cli.commands import GROUPS
from qeframe.cli.shared.command_ending import ending_line
from qeframe.core.component import at_work


@pytest.mark.parametrize(("words", "metadata"), [(["--version"], True), (["--help"], True), (["run", "--help"], False)])
def test_start_imports_nothing_heavy(words, metadata):
    """Entry points are asked for only for the list of commands."""
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import qeframe.cli as m\n"
        f"try: m.main({words})\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'rich', 'cattrs', 'matplotlib', 'attrs', 'pluggy', 'shlex', 'json'}\n"
        f"heavy |= {set() if metadata else {'importlib.metadata'}!r}\n"
        "heavy &= set(sys.modules) - before\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_version(qeframe_command):
    outcome = qeframe_command("--version")
    assert outcome.status == 0
    assert outcome.out.startswith("qeframe, version ")


@pytest.mark.parametrize(("given", "expected"), [(None, "1"), ("3", "3")])
def test_products_take_one_thread_unless_the_user_says_otherwise(given, expected):
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    if given is not None:
        environment["OPENBLAS_NUM_THREADS"] = given
    code = "import os, qeframe.__main__; print(os.environ['OPENBLAS_NUM_THREADS'])"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == expected


def test_a_program_does_not_search_for_cycles_at_its_end():
    code = (
        "import gc, sys, qeframe.__main__\n"
        "class Part: __del__ = lambda self: print('searched')\n"
        "part = Part(); part.itself = part; del part\n"
        "assert gc.get_threshold()[0] == 20_000, gc.get_threshold()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have ways of their own")
def test_memory_of_arrays_is_kept_for_the_next_ones():
    code = (
        "import qeframe.__main__, numpy, resource\n"
        "faults = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_minflt\n"
        "before = faults()\n"
        "for _ in range(100): arrays = [numpy.ones(100_000) for _ in range(3)]; del arrays\n"
        "print(faults() - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 10_000  # 60,000 pages of 4 KiB are written


def test_a_closed_pipe_is_no_traceback(tmp_path):
    code = "from qeframe.cli import main; main(['plugins'])"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        assert "Traceback" not in running.stderr.read()


@pytest.mark.parametrize(("number", "said"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "ended by SIGTERM")])
def test_a_signal_while_modules_are_imported_is_one_line(number, said):
    """The program interrupts itself as soon as the first heavy module is asked for."""
    code = (
        "import signal, sys, runpy\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'click': signal.raise_signal({int(number)})\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv = ['qeframe', '--help']\n"
        "runpy.run_module('qeframe', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", f"qeframe: {said}\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_a_plugin_works_is_not_the_plugins(qeframe_command, files, monkeypatch, number):
    def interrupted(*_given):
        with at_work("a metric", "bind"):
            signal.raise_signal(number)

    monkeypatch.setattr("qeframe.core.metric_calls.bind", interrupted)
    before = signal.signal(number, signal.default_int_handler)  # not ignored, as under nohup
    try:
        outcome = qeframe_command("score", "pearson", "gold.txt", "a.txt")
    finally:
        signal.signal(number, before)
    assert (outcome.status, outcome.out, outcome.err) == (128 + number, "", f"{ending_line(number)}\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_before_the_work_is_one_line(qeframe_command, monkeypatch, number):
    monkeypatch.setattr("qeframe.cli.app.asked_by_shell", lambda: signal.raise_signal(number))
    outcome = qeframe_command("plugins")
    assert (outcome.status, outcome.out, outcome.err) == (128 + number, "", f"{ending_line(number)}\n")


def test_the_list_of_commands_has_the_first_sentence_of_each_and_imports_none():
    context = click.Context(app)
    assert set(app.list_commands(context)) == set(own_commands())
    for name, command in own_commands().items():
        assert app.get_command(context, name).get_short_help_str(limit=200) == command.summary
    probe = "import sys; from qeframe.cli.app import app; app(['--help'], standalone_mode=False); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert "sensitivity" in done.stdout
    assert "qeframe.cli.commands." not in done.stdout


def test_the_list_shows_each_summary_in_one_line_of_its_group(qeframe_command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    listed = qeframe_command("--help").out
    _, *sections = re.findall(r"^(\w+):\n((?:  .*\n?)+)", listed, flags=re.MULTILINE)  # after the options
    lines = {title: [line.split(maxsplit=1) for line in body.splitlines()] for title, body in sections}
    groups = {title: [[name, summary] for name, summary in group.items()] for title, group in GROUPS.items()}
    assert list(lines.items()) == list(groups.items())
