"""``qeframe export``: the files, what is lost, and what is refused."""

import pytest

from tests.plugins.qeframe_wmt.published_layout import published
from tests.written import write_files


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "in", published("wmt23", ["he-en"]))
    return tmp_path


def test_files_are_written_and_losses_counted(qeframe_command, source):
    outcome = qeframe_command("export", "wmt23_metrics_segment", "in", "--out", "new/out", "--format", "mtme")
    assert outcome.status == 0, outcome.err
    assert outcome.out == ""
    assert "qeframe: he-en: 3 segments: no human scores\n" in outcome.err
    assert "scorers: scores of systems were not read, means of segments are written\n" in outcome.err
    assert outcome.err.endswith("files written to new/out\n")
    assert (source / "new/out/human-scores/he-en.mqm.seg.score").exists()
    assert (
        qeframe_command("run", "wmt23_metrics_segment", "new/out", "--set", "test=", "--set", "interval=").status == 0
    )


def test_quiet_and_again(qeframe_command, source):
    for _ in range(2):
        outcome = qeframe_command(
            "export", "wmt23_metrics_segment", "in", "--out", "out", "--format", "mtme", "--quiet"
        )
        assert (outcome.status, outcome.out, outcome.err) == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--out", "in", "--format", "mtme"), "holds files that no run wrote"),
        (("--out", "out", "--format", "csv"), "unknown format 'csv'; what can be written: mtme"),
        (("--out", "out", "--format", "mtme(name=x)"), "name"),
        (("--out", "out", "--format", "qe_plain"), "unknown format 'qe_plain'; what can be written: mtme"),
        (("--format", "mtme"), "Missing option '--out'"),
        (("--out", "out"), "Missing option '--format'"),
    ],
)
def test_what_is_refused(refused, source, arguments, message):
    assert message in refused("export", "wmt23_metrics_segment", "in", *arguments)
    assert not (source / "out").exists()


def test_numbers_of_sentences_are_no_grid(refused, qeframe_command, source):
    assert qeframe_command("demo", "--out", "demo", "--quiet").status == 0
    message = refused("export", "qe_sentence", "demo/task", "--out", "out", "--format", "mtme")
    assert "cannot be written as mtme: it is of Scores; the format holds Grid and Judgments" in message
