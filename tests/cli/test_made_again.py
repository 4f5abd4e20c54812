"""``Make this again`` on a page: from the rules beside the result, the same files, byte by byte."""

import html
import json
import re
import shlex
from pathlib import Path

import pytest

from qeframe.cli.shared.demo_files import write_demo

RUNS = [
    ("qe_sentence", "sentence", ["--set", "test=bootstrap(draws=50)", "--set", "across=average_rank", "--seed", "3"]),
    ("qe_word", "word", ["--set", "resample=sentence"]),
    ("wmt26_task1", "wmt26_task1", ["--set", "ranking=clusters", "--exclude", "baseline=of the organizers"]),
]


@pytest.mark.parametrize(("profile", "task", "options"), RUNS, ids=[each[0] for each in RUNS])
def test_the_same_bytes(qeframe_command, tmp_path, monkeypatch, profile, task, options):
    monkeypatch.chdir(tmp_path)
    name, folder = write_demo(task, Path("demo"), 2015)
    first = qeframe_command("run", name, folder, *options, "--out", "out", "--quiet")
    if first.status == 2 and "--set" in options:
        options = options[2:]
        first = qeframe_command("run", name, folder, *options, "--out", "out", "--quiet")
    assert first.status == 0, first
    page = html.unescape(Path("out/report.html").read_text())
    (command,) = re.findall(r"^qeframe run rules\.toml .*?(?=</code>|$)", page, re.MULTILINE)
    program, *words = shlex.split(command)
    assert program == "qeframe"
    assert "--set" not in words
    words[words.index("rules.toml")] = "out/rules.toml"
    assert qeframe_command(*words, "--out", "again", "--quiet").status == 0
    names = sorted(path.name for path in Path("out").iterdir())
    assert sorted(path.name for path in Path("again").iterdir()) == names
    assert [each for each in names if Path("out", each).read_bytes() != Path("again", each).read_bytes()] == []


def test_the_page_says_where_from(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, folder = write_demo("sentence", Path("demo"), 2015)
    assert qeframe_command("run", name, folder, "--out", "out", "--quiet").status == 0
    page = Path("out/report.html").read_text()
    assert "pip install ./qeframe" in page
    assert "rules.toml is beside this page" in page


def test_the_signature_has_a_digest_of_the_rules(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, folder = write_demo("sentence", Path("demo"), 2015)
    texts = []
    for out, settings in (("one", ()), ("two", ("--set", "secondary=[]")), ("three", ("--seed", 1))):
        assert qeframe_command("run", name, folder, *settings, "--out", out, "--quiet").status == 0
        signature = json.loads(Path(out, "evaluation.json").read_text())["signature"]
        assert f"|rules:{signature['digest']}|" in signature["text"]
        texts.append(signature["digest"])
    assert texts[0] != texts[1]
    assert texts[0] == texts[2]


def test_a_result_of_an_earlier_release_has_none(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, folder = write_demo("sentence", Path("demo"), 2015)
    assert qeframe_command("run", name, folder, "--out", "new", "--quiet").status == 0
    record = json.loads(Path("new/evaluation.json").read_text())
    del record["signature"]["digest"]
    Path("old.json").write_text(json.dumps(record))
    said = qeframe_command("diff", "old.json", "new")
    assert "the old result has no digest of its rules, and does not say who was left out" in said.out + said.err
