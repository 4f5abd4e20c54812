"""``Make this again`` on a page: from the rules beside the result, the same files, byte by byte."""

import html
import json
import re
import shlex
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from qeframe.cli.shared.command_line import install_line
from qeframe.cli.shared.demo_files import write_demo

RUNS = [
    ("qe_sentence", "sentence", ["--set", "test=bootstrap(draws=50)", "--set", "across=average_rank", "--seed", "3"]),
    ("qe_word", "word", ["--set", "resample=sentence"]),
    ("wmt26_task1", "wmt26_task1", ["--set", "ranking=clusters", "--exclude", "baseline=of the organizers"]),
]


def lines_of(result: Path) -> list[str]:
    """Return the commands on the page of a result, as somebody copies them."""
    page = (result / "report.html").read_text()
    (again,) = re.findall(r'<section id="again".*?<code>(.*?)</code>', page, re.DOTALL)
    return html.unescape(again).splitlines()


@pytest.mark.parametrize(("profile", "task", "options"), RUNS, ids=[each[0] for each in RUNS])
def test_the_same_bytes(qeframe_command, tmp_path, monkeypatch, profile, task, options):
    monkeypatch.chdir(tmp_path)
    name, folder = write_demo(task, Path("demo"), 2015)
    first = qeframe_command("run", name, folder, *options, "--out", "out", "--quiet")
    if first.status == 2 and "--set" in options:
        options = options[2:]
        first = qeframe_command("run", name, folder, *options, "--out", "out", "--quiet")
    assert first.status == 0, first
    _, run = lines_of(Path("out"))
    program, *words = shlex.split(run)
    assert program == "qeframe"
    assert "--set" not in words
    assert words[-2:] == ["--out", "again"]
    assert qeframe_command(*words, "--quiet").status == 0
    names = sorted(path.name for path in Path("out").iterdir())
    assert sorted(path.name for path in Path("again").iterdir()) == names
    assert [each for each in names if Path("out", each).read_bytes() != Path("again", each).read_bytes()] == []


def test_the_page_says_where_from(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, folder = write_demo("sentence", Path("demo"), 2015)
    assert qeframe_command("run", name, folder, "--out", "out", "--quiet").status == 0
    page = Path("out/report.html").read_text()
    assert "rules.toml, which is also beside this page, holds all rules" in page
    install, run = lines_of(Path("out"))
    assert install == install_line()
    assert run == "qeframe run out/rules.toml demo/task --out again"


ORIGINS = {
    "of a repository": ({"url": "https://x.example/q", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
                        "python3 -m pip install 'qeframe @ git+https://x.example/q@abc'"),
    "of a folder": ({"url": "file:///q", "dir_info": {}}, "python3 -m pip install ./qeframe  # the sources of version"),
    "of an index": (None, "python3 -m pip install ./qeframe  # the sources of version"),
    "of a folder without git": ({"url": "file:///nowhere", "dir_info": {"editable": True}},
                                "python3 -m pip install ./qeframe  # the sources of version"),
}  # fmt: skip


def installed_from(monkeypatch, origin):
    """Let pip have noted this origin of qeframe."""
    installed = SimpleNamespace(read_text=lambda _name: origin and json.dumps(origin), version="1.2")
    monkeypatch.setattr("importlib.metadata.distribution", lambda _name: installed)


@pytest.mark.parametrize("name", ORIGINS)
def test_where_qeframe_was_installed_from(monkeypatch, name):
    origin, expected = ORIGINS[name]

    installed_from(monkeypatch, origin)
    assert install_line().startswith(expected)


@pytest.mark.needs_program("git")
def test_the_revision_of_a_clone(monkeypatch, tmp_path):
    """A clone at another revision is set to the one that the line names."""
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "init", "-q", str(tmp_path / "qeframe")], check=True)
    git[2] = str(tmp_path / "qeframe")
    for text in ("one", "two"):
        (tmp_path / "qeframe/file").write_text(text)
        subprocess.run([*git, "add", "file"], check=True)
        subprocess.run([*git, "commit", "-qm", text], check=True)
        if text == "one":
            origin = {"url": (tmp_path / "qeframe").as_uri(), "dir_info": {"editable": True}}
            installed_from(monkeypatch, origin)
            line = install_line()
    assert line.endswith(" && python3 -m pip install --editable ./qeframe")
    monkeypatch.chdir(tmp_path)
    subprocess.run(shlex.split(line.partition(" && ")[0]), check=True)
    assert (tmp_path / "qeframe/file").read_text() == "one"
    (tmp_path / "qeframe/file").write_text("three")
    assert line.split()[5] in install_line()
    assert install_line().endswith("# there were changes that are not committed")


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
