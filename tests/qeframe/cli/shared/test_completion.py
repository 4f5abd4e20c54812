"""Completion: what each shell is told, and what bash makes of it."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import FishComplete, ZshComplete

from qeframe.cli.app import app, main
from qeframe.cli.shared.completion import _Bash


def in_bash(monkeypatch, words):
    monkeypatch.setenv("COMP_WORDS", "\n".join(words))
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    return [line.partition(",")[2] for line in _Bash(app, {}, "qeframe", "_QEFRAME_COMPLETE").complete().splitlines()]


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
        ("qeframe run wmt14_qe_task1_2", ["wmt14_qe_task1_2"]),
        ("qeframe profiles judge", ["judgebench"]),
        ("qeframe score spearm", ["spearman"]),
        ("qeframe compare pearson g a b --test willi", ["williams"]),
        ("qeframe calibrate willi", ["williams"]),
        ("qeframe ratings rankin", ["rankings"]),
        ("qeframe bundle codabench judge", ["judgebench"]),
        ("qeframe compare pearson g a --also spearm", ["spearman"]),
        ("qeframe score pearson g a --interval boot", ["bootstrap", "bootstrap_t"]),
        ("qeframe stream g a --metric pearso", ["pearson"]),
        ("qeframe stream g a --test jackk", ["jackknife", "jackknife_and_exchange"]),
        ("qeframe stream g a --interval jackk", ["jackknife", "jackknife_and_exchange"]),
        ("qeframe stream g a --correction romano", ["romano_wolf", "romano_wolf_and_max_t"]),
        ("qeframe sensitivity p --profiles qe_word,judge", ["qe_word,judgebench"]),
        ("qeframe run p x --set resam", ["resample="]),
    ],
)
def test_names_of_commands_and_components(completed, line, names):
    assert completed(line) == names


TAKE_NAMES = {*("metric", "metrics", "profile", "reader", "test", "interval", "correction", "attacks", "nulls")}


def commands(command, path=""):
    """Return the commands below a command, by their names on the command line."""
    if not isinstance(command, click.Group):
        return {path: command}
    names = command.list_commands(click.Context(command))
    context = click.Context(command)
    return {k: v for n in names for k, v in commands(command.get_command(context, n), f"{path} {n}").items()}


def test_every_parameter_that_takes_a_name_completes_it():
    lacking = [
        f"{path}: {parameter.name}"
        for path, command in commands(app).items()
        for parameter in command.params
        if parameter.name in TAKE_NAMES
        and isinstance(parameter.type, click.types.StringParamType)
        and not parameter.shell_complete(click.Context(command), "")
    ]
    assert not lacking


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("primary=spearm", ["spearman"]),
        ("secondary=mae,rms", ["mae,rmse"]),
        ("secondary+=rms", ["rmse"]),
        ("sided=", ["one", "two"]),
        ("strict=t", ["true"]),
        ("year=", []),
    ],
)
def test_values_of_rules(monkeypatch, word, names):
    key, _, value = word.partition("=")
    line = ["qeframe", "run", "p", "x", "--set"]
    assert in_zsh(monkeypatch, [*line, word]) == [f"{key}={name}" for name in names]
    split = [key, "=", value] if value else [key, "="]  # as bash does: only the last part is replaced
    assert in_bash(monkeypatch, [*line, *split]) == names


def test_a_word_that_no_name_begins_with_is_a_file(completed):
    assert completed("qeframe run ./my") == ["./my"]


def test_tasks_are_folders_of_the_path(completed, tmp_path):
    (tmp_path / "en-de").mkdir()
    (tmp_path / "notes").write_text("")
    assert completed(f"qeframe correlate {tmp_path} --task en") == ["en-de"]
    assert completed(f"qeframe correlate {tmp_path}/none --task en") == []


def test_a_folder_that_cannot_be_read_gives_no_tasks(completed, tmp_path, monkeypatch):
    def refuse(_folder):
        raise PermissionError("no")

    monkeypatch.setattr(os, "scandir", refuse)
    assert completed(f"qeframe correlate {tmp_path} --task en") == []


@pytest.mark.parametrize(
    "name", ["x$(touch pwned)", "x`id`", "x;id", "x&id", "x|id", "x>y", "x y", "x'y", "x\ny", "x*"]
)
def test_bash_is_not_offered_what_it_would_run(monkeypatch, tmp_path, name):
    """It puts names into the line as they are, and other shells quote them."""
    for folder in (name, "xx"):
        (tmp_path / folder).mkdir()
    line = ["qeframe", "correlate", str(tmp_path), "--task", "x"]
    assert in_bash(monkeypatch, line) == ["xx"]
    assert "xx" in in_zsh(monkeypatch, line)


def test_a_broken_plugin_gives_no_names(completed, monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "no_such_plugin")
    assert completed("qeframe score spearm") == ["spearm"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(monkeypatch, capfd, shell):
    monkeypatch.setenv("_QEFRAME_COMPLETE", f"{shell}_source")
    with pytest.raises(SystemExit) as stop:
        main([])
    assert stop.value.code == 0
    assert "_QEFRAME_COMPLETE" in capfd.readouterr().out


def test_scipy_is_not_loaded():
    code = (
        "import sys, contextlib\n"
        "from qeframe.cli.app import main\n"
        "with contextlib.suppress(SystemExit):\n    main()\n"
        "sys.stderr.write(str({'scipy', 'matplotlib', 'jinja2'} & sys.modules.keys()))"
    )
    asked = {"_QEFRAME_COMPLETE": "bash_complete", "COMP_WORDS": "qeframe score spearm", "COMP_CWORD": "2"}
    shown = subprocess.run([sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True)
    assert (shown.stdout, shown.stderr) == ("plain,spearman\n", "set()")


@pytest.mark.needs_program("bash")
def test_bash_completes_by_the_script():
    """The script is read by bash itself, and its function is called as bash calls it when the tabulator is pressed."""
    lines = ['eval "$(_QEFRAME_COMPLETE=bash_source qeframe)"']
    for words in ("qeframe sensi", "qeframe run p x --set primary = spearm"):
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
    assert (shown.stdout.split(), shown.stderr) == (["sensitivity", "spearman"], "")
