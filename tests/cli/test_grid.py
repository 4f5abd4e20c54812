"""The command that draws bitext grids."""

import pytest

CAPTION = "precision 0.556, recall 0.625, gtm_f(exponent=2) 0.588, 2 blocks of 4 + 3 words"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "candidate").write_text("x\nD A B C D X B F G\n")
    (tmp_path / "reference").write_text("y\nA B C D E B F G\n")
    (tmp_path / "other").write_text("z\nX B\n")
    (tmp_path / "short").write_text("y\n")
    return tmp_path


def test_texts(qeframe_command):
    done = qeframe_command("grid", "--text", "D A B C D X B F G", "A B C D E B F G")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[0] == "  A B C D E B F G"
    assert done.out.splitlines()[-1] == CAPTION


def test_a_segment_of_files(qeframe_command, files):
    done = qeframe_command("grid", files / "candidate", files / "reference", "--segment", "2")
    assert done.out.splitlines()[-1] == CAPTION
    two = qeframe_command("grid", files / "candidate", files / "reference", files / "other", "--segment", "2")
    assert two.out.splitlines()[0] == "  A B C D E B F G   X B"


def test_other_metrics(qeframe_command):
    done = qeframe_command(
        "grid", "--text", "The dogs", "the dog", "--metric", "gtm_recall(lowercase=true, stem=english)"
    )
    assert done.out.splitlines()[1:3] == ["the ■ ·", "dog · ■"] or "2 words" in done.out
    assert done.out.splitlines()[-1] == (
        "precision 1.000, recall 1.000, gtm_recall(lowercase=true, stem=english) 1.000, 1 block of 2 words"
    )


def test_an_empty_segment(qeframe_command):
    done = qeframe_command("grid", "--text", "", "a")
    assert done.out.splitlines() == [
        "the candidate has no word", "", "precision 0.000, recall 0.000, gtm_f(exponent=2) 0.000, no block",
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_picture(qeframe_command, tmp_path, suffix):
    pytest.importorskip("matplotlib")
    target = tmp_path / "new" / f"grid.{suffix}"
    done = qeframe_command("grid", "--text", "a b", "b a", "--out", target)
    assert done.err == f"qeframe: written to {target}\n"
    assert target.read_bytes().startswith(b"<?xml" if suffix == "svg" else b"\x89PNG")


def test_bytes_that_are_no_text(refused, files):
    (files / "reference").write_bytes(b"a\nb \xff c\n")
    assert "reference:2: not UTF-8: byte 0xff at byte 3 of the line" in refused(
        "grid", files / "candidate", files / "reference"
    )
