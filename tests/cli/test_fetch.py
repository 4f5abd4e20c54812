"""``qeframe fetch``: the list, and one download."""

import hashlib
import json

import pytest

from qeframe.cli.commands.fetch import data_source_table, size_in_words
from qeframe.core import loader
from qeframe.data.published.beside_profiles import find_data_sources
from qeframe.data.published.data_source import DataSource, SourceFile
from tests.qeframe.core.components.made_plugins import plugin
from tests.qeframe.report.test_tables import whole
from tests.web_server import web_server


@pytest.fixture
def made(monkeypatch, tmp_path):
    """Install a plugin with a data source on a server of the test."""
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with web_server() as server:
        server.files["a b.txt"] = b"content"
        (tmp_path / "plugin" / "sources").mkdir(parents=True)
        (tmp_path / "plugin" / "sources" / "made.toml").write_text(
            '[made_task]\nsummary = "A made task"\nlicense = "CC0"\n'
            'uses = [{ profile = "qe_sentence", path = "a b.txt", settings = ["test="] }]\n'
            f'[[made_task.files]]\nurl = "{server.url("a b.txt").replace(" ", "%20")}"\npath = "a b.txt"\n'
            f'sha256 = "{_sha256(b"content")}"\n'
        )
        server.files["a%20b.txt"] = server.files["a b.txt"]
        registry = loader.load(extra={"made": plugin(qeframe_profiles={"made": tmp_path / "plugin" / "made.toml"})})
        monkeypatch.setattr(loader, "load", lambda: registry)
        yield server


def _sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_the_list_has_every_source(qeframe_command, registry):
    outcome = qeframe_command("fetch")
    assert outcome.status == 0
    assert outcome.err == ""
    names = list(find_data_sources(registry))
    assert "wmt20_qe" in names
    for name in names:
        assert f"\n{name} " in outcome.out
    listed = json.loads(qeframe_command("fetch", "--json").out)
    assert [entry["name"] for entry in listed] == names
    assert all(entry["files"][0]["url"].startswith("https://") for entry in listed)


def test_data_are_fetched_and_the_command_is_printed(made, qeframe_command, tmp_path):
    outcome = qeframe_command("fetch", "made_task")
    folder = tmp_path / "cache" / "made_task"
    assert outcome.status == 0
    assert outcome.out == f"{folder}\nqeframe run qe_sentence '{folder / 'a b.txt'}' --set test=\n"
    assert outcome.err == ("qeframe: downloading a%20b.txt, 7 bytes\nqeframe: made_task: SHA-256; license: CC0\n")
    assert (folder / "a b.txt").read_bytes() == b"content"
    again = qeframe_command("fetch", "made_task", "--quiet")
    assert (again.out, again.err, len(made.asked)) == (outcome.out, "", 1)


def test_a_limit_on_files_of_unknown_size(made, refused):
    made.files["a%20b.txt"] = bytes(1_000_001)
    assert "has more than 1,000,000 bytes" in refused("fetch", "made_task", "--limit", "1", "--quiet")


def test_to_another_folder_as_json(made, qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = qeframe_command("fetch", "made_task", "--to", "here", "--json", "--quiet")
    assert json.loads(outcome.out)["path"] == str(tmp_path / "here")
    assert (tmp_path / "here" / "a b.txt").exists()


def test_failures_are_one_line(made, refused, tmp_path):
    made.files["a%20b.txt"] = b"changed"
    assert "SHA-256" in refused("fetch", "made_task", "--quiet")
    made.status = 404
    assert "404" in refused("fetch", "made_task", "--quiet")
    assert "did you mean 'made_task'?" in refused("fetch", "made_taks")
    assert "--to needs NAME" in refused("fetch", "--to", "x")
    assert not (tmp_path / "cache").exists()


def test_offline(refused, monkeypatch, tmp_path):
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path))
    for scheme in ("http_proxy", "https_proxy", "HTTPS_PROXY", "HTTP_PROXY"):
        monkeypatch.setenv(scheme, "http://127.0.0.1:9")
    line = refused("fetch", "wmt14_qe_task1_2", "--quiet")
    assert "cannot connect" in line


def test_a_bar_on_a_terminal(made, qeframe_command, monkeypatch, capsys):
    import sys

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert qeframe_command("fetch", "made_task").status == 0


def test_data_sources(snapshot):
    file = SourceFile(url="https://example.org/a", path="a")
    sources = [DataSource(name="made", summary="task 1", source="example.org", files=[file])]
    snapshot("data_sources.txt", whole({"what is not known of data": data_source_table(sources)}))


def test_sizes_in_words():
    sizes = {0: "not stated", 999: "999 bytes", 95_685: "95.7 kB", 123_456_789: "123.5 MB", 2_000_000_000: "2.0 GB"}
    assert {size: size_in_words(size) for size in sizes} == sizes
