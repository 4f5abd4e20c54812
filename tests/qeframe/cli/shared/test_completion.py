"""Completion: what each shell is told, and what bash makes of it."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from qeframe.cli.app import app, main


def in_bash(monkeypatch, words):
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    lines = BashComplete(app, {}, "qeframe", "_QEFRAME_COMPLETE").complete().splitlines()
    return [line.partition(",")[2] for line in lines]


def in_zsh(monkeypatch, words):
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    return ZshComplete(app, {}, "qeframe", "_QEFRAME_COMPLETE").complete().splitlines()[1::3]


def in_fish(monkeypatch, words):
    monkeypatch.setenv("COMP_WORDS", " ".join(words[:-1]))
    monkeypatch.setenv("COMP_CWORD", words[-1])
    lines = FishComplete(app, {}, "qeframe", "_QEFRAME_COMPLETE").complete().splitlines()
    return [line.partition(",")[2].partition("\t")[0] for line in lines if "," in line]


@pytest.fixture(params=[in_bash, in_zsh, in_fish])
def completed(request, monkeypatch):
    return lambda line: request.param(monkeypatch, line.split(" "))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("qeframe sensi", ["sensitivity"]),
        ("qeframe power --html x --pai", ["--pairs", "--pair"]),
        ("qeframe run --seed 1 --work", ["--workers"]),
        ("qeframe run wmt14_qe_task1_2", ["wmt14_qe_task1_2"]),
        ("qeframe profiles ace", ["aces"]),
        ("qeframe sensitivity p --profiles qe_word,ace", ["qe_word,aces"]),
    ],
)
def test_names_of_commands_options_and_profiles(completed, line, names):
    assert completed(line) == names


TAKE_PROFILES = {"profile", "profiles"}


def commands(command, path=""):
    """Return the commands below a command, by their names on the command line."""
    if not isinstance(command, click.Group):
        return {path: command}
    names = command.list_commands(click.Context(command))
    context = click.Context(command)
    return {k: v for n in names for k, v in commands(command.get_command(context, n), f"{path} {n}").items()}


def test_every_parameter_that_takes_a_profile_completes_it():
    lacking = [
        f"{path}: {parameter.name}"
        for path, command in commands(app).items()
        for parameter in command.params
        if parameter.name in TAKE_PROFILES
        and isinstance(parameter.type, click.types.StringParamType)
        and not parameter.shell_complete(click.Context(command), "")
    ]
    assert not lacking


def test_every_registered_profile_is_completed(monkeypatch, registry):
    assert in_zsh(monkeypatch, ["qeframe", "run", ""]) == sorted(registry.profiles)


def test_a_word_that_no_name_begins_with_is_a_file(completed):
    assert completed("qeframe run ./my") == ["./my"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(monkeypatch, capfd, shell):
    monkeypatch.setenv("_QEFRAME_COMPLETE", f"{shell}_source")
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 0
    assert "_QEFRAME_COMPLETE" in capfd.readouterr().out


def test_no_plugin_is_loaded():
    code = (
        "import sys, contextlib\n"
        "from qeframe.cli.app import main\n"
        "with contextlib.suppress(SystemExit):\n    main()\n"
        "sys.stderr.write(str({'scipy', 'matplotlib', 'jinja2', 'qeframe_wmt'} & sys.modules.keys()))"
    )
    asked = {"_QEFRAME_COMPLETE": "bash_complete", "COMP_WORDS": "qeframe run ace", "COMP_CWORD": "2"}
    shown = subprocess.run([sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True)
    assert (shown.stdout, shown.stderr) == ("plain,aces\n", "set()")


@pytest.mark.needs_program("bash")
def test_bash_completes_by_the_script():
    """The script is read by bash itself, and its function is called as bash calls it when the tabulator is pressed."""
    lines = ['eval "$(_QEFRAME_COMPLETE=bash_source qeframe)"']
    for words in ("qeframe sensi", "qeframe run ace"):
        split = words.split()
        lines += [
            f"COMP_WORDS=({words})",
            f"COMP_CWORD={len(split) - 1}",
            f"_qeframe_completion qeframe {split[-1]} {split[-2]}",
            'printf "%s\\n" "${COMPREPLY[@]}"',
            "COMPREPLY=()",
        ]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "--norc", "-c", "\n".join(lines)]
    shown = subprocess.run(command, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    assert (shown.stdout.split(), shown.stderr) == (["sensitivity", "aces"], "")
