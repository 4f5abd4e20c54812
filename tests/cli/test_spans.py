"""The command that shows error spans on their texts."""

import pytest

KEY = ["source_lang", "target_lang", "doc_id", "segment_id", "set_id", "system_id"]
HEADER = [*KEY, "hypothesis_segment", "start_indices", "end_indices", "error_types"]


def table(*marks):
    rows = [
        ("en", "de", "d", str(i), "official", "s", text, *each)
        for i, (text, each) in enumerate(zip(("Der alte Hund", "Gut.", "Ja"), marks, strict=True))
    ]
    return "".join("\t".join(row) + "\n" for row in (HEADER, *rows))


NONE = ("-1", "-1", "no-error")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "task" / "submissions").mkdir(parents=True)
    (tmp_path / "task" / "gold.tsv").write_text(table(("4", "8", "major"), NONE, NONE))
    (tmp_path / "task" / "submissions" / "ours.tsv").write_text(table(("0", "8", "minor"), ("0", "3", "minor"), NONE))
    (tmp_path / "task" / "submissions" / "theirs.tsv").write_text(table(NONE, NONE, NONE))
    return tmp_path / "task"


def test_the_worst_segments_of_the_first_submission(qeframe_command, folder):
    done = qeframe_command("spans", "wmt25_qe_span", folder)
    assert (done.status, done.err) == (0, "")
    titles = [line for line in done.out.splitlines() if line.startswith("en-de, segment")]
    assert titles == ["en-de, segment d/1/s: span_f1 0.000, span_precision 0.000, span_recall 0.000"]


def test_a_segment_by_name_or_number(qeframe_command, folder):
    by_name, by_number = (
        qeframe_command("spans", "wmt25_qe_span", folder, "--segment", each, "--submission", "ours")
        for each in ("d/0/s", "0")
    )
    assert by_name.out == by_number.out
    assert by_name.out.splitlines()[1:4] == ["text Der alte Hund", "gold     ====", "ours ~~~~~~~~"]


def test_other_metrics_are_shown(qeframe_command, folder):
    done = qeframe_command(
        "spans", "wmt25_qe_span", folder, "--segment", "0", "--set", 'secondary=["mpp_f"]', "--submission", "ours"
    )
    assert done.out.splitlines()[0].endswith("mpp_f 0.667")


def test_picture(qeframe_command, folder, tmp_path):
    target = tmp_path / "new" / "spans.svg"
    done = qeframe_command("spans", "wmt25_qe_span", folder, "--segment", "0", "--out", target)
    assert done.err == f"qeframe: written to {target}\n"
    assert target.read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--segment", "d/9/s"), "unknown segment of en-de 'd/9/s'"),
        (("--submission", "our"), "unknown submission of en-de 'our'; did you mean 'ours'?"),
        (("--task", "en-fr"), "unknown task 'en-fr'"),
        (("--out", "spans.png"), "spans.png: this is not the name of a picture; name a file that ends in .svg"),
    ],
)
def test_what_is_not_there(refused, folder, options, message):
    assert message in refused("spans", "wmt25_qe_span", folder, *options)


def test_another_kind_of_task(refused, folder):
    assert "not on error spans; choose a profile of error spans" in refused("spans", "wmt22_qe_word", folder)


def test_a_perfect_submission_has_no_worst_segment(qeframe_command, folder):
    (folder / "submissions" / "ours.tsv").write_text((folder / "gold.tsv").read_text())
    done = qeframe_command("spans", "wmt25_qe_span", folder, "--submission", "ours")
    assert (done.out, done.err) == ("", "qeframe: no segment lowers the score\n")
