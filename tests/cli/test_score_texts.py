"""Texts on the command line: several references, SGML, every segment and document alone, and bad input."""

import json

import pytest

SGML = '<doc docid="x">\n<seg id=1>{}</seg>\n<seg id=2>{}</seg>\n</doc>\n<doc docid="y">\n<seg id=1>{}</seg>\n</doc>\n'


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref").write_text("a b c\nd\n")
    (tmp_path / "other").write_text("c b a d\ne\n")
    (tmp_path / "said").write_text("c b a\ne\n")
    (tmp_path / "ref.sgm").write_text(SGML.format("a b", "c", "d e"))
    (tmp_path / "said.sgm").write_text(SGML.format("b a", "c", "d x"))
    return tmp_path


def values(out):
    return [float(line.split()[-1]) for line in out.splitlines()]


def test_more_references(qeframe_command, files):
    one = qeframe_command("score", "gtm_f(exponent=2)", "ref", "said")
    two = qeframe_command("score", "gtm_f(exponent=2)", "ref", "said", "--reference", "other")
    assert values(one.out) == pytest.approx([2 * 3**0.5 / 8], abs=1e-6)
    assert values(two.out) == pytest.approx([2 * (3 + 1) / (4 + 4.5)], abs=1e-6)
    pairs = qeframe_command(
        "compare", "gtm_f", "ref", "said", "other", "--reference", "said", "--test", "randomization"
    )
    assert pairs.status == 0


def test_every_segment_and_document(qeframe_command, files):
    lines = qeframe_command("score", "gtm_f", "ref", "said", "--each", "unit")
    assert lines.out.splitlines() == ["1  1.000000", "2  0.000000"]
    segments = qeframe_command("score", "gtm_f(exponent=2)", "ref.sgm", "said.sgm", "--each", "unit")
    assert segments.out.splitlines() == ["x 1  0.707107", "x 2  1.000000", "y 1  0.500000"]
    documents = qeframe_command("score", "gtm_f(exponent=2)", "ref.sgm", "said.sgm", "--each", "document", "--json")
    assert json.loads(documents.out)["scores"]["said"] == pytest.approx({"x": 2 * (2**0.5 + 1) / 6, "y": 0.5})


def test_every_unit_of_numbers_has_its_id(qeframe_command, files):
    (files / "gold").write_text("7 1\n9 2\n")
    done = qeframe_command("score", "mae", "gold", "gold", "--each", "unit")
    assert done.out.splitlines() == ["7  0.000000", "9  0.000000"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gtm_f", "ref", "said", "--each", "document"), "ref: the file has no documents; give SGML, or choose --each"),
        (("gtm_f", "ref", "said", "--reference", "short"), "short: 1 segment, but 2 in ref"),
        (("mae", "ref", "said", "--reference", "ref"), "a batch of Scores has no references"),
        (("gtm_f", "ref", "short"), "short: 1 segment, but 2 in ref"),
        (("gtm_f", "ref", "latin"), "latin:2: not UTF-8: byte 0xe9 at byte 2 of the line; save it as UTF-8"),
        (("gtm_f", "ref.sgm", "part.sgm"), "part.sgm: document 'y' of ref.sgm is missing"),
        (("gtm_f", "ref.sgm", "gap.sgm"), "gap.sgm:3: segment 3 after segment 1: segment 2 is missing here"),
        (("gtm_f(exponent=0.01)", "ref", "said"), "gtm: parameter exponent = 0.01 must be a finite number from 0.05"),
        (("gtm_f(stem=klingon)", "ref", "said"), "no stemmer for the language 'klingon'"),
        (("gtm_f(exponent=2, matching=exact, budget=1)", "knot", "tie"), "no matching of its 17 hits was proved"),
    ],
)
def test_what_is_refused(refused, files, arguments, message):
    (files / "short").write_text("a\n")
    (files / "latin").write_bytes(b"a\nb\xe9\n")
    (files / "part.sgm").write_text(SGML.format("a", "b", "c").split("</doc>")[0] + "</doc>\n")
    (files / "gap.sgm").write_text(SGML.format("a", "b", "c").replace("id=2", "id=3"))
    (files / "knot").write_text("c a c c b a\n")
    (files / "tie").write_text("c c c a b a c\n")
    assert message in refused("score", *arguments)
