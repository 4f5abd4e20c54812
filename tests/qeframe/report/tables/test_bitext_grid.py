"""The bitext grid as text."""

from qeframe.core.batches.word_alignment import Alignment, MatchedBlock
from qeframe.report.tables.bitext_grid import grid_caption, grid_text

PAPER = Alignment(tuple("DABCDXBFG"), (tuple("ABCDEBFG"),), (MatchedBlock(1, 0, 0, 4), MatchedBlock(6, 0, 5, 3)))


TWO = Alignment(
    ("a", "b", "d", "e"), (("a", "b", "c"), ("d", "e")), (MatchedBlock(0, 0, 0, 0.5), MatchedBlock(2, 1, 0, 2))
)


def test_the_grid_of_the_paper():
    assert grid_text(PAPER).splitlines() == [
        "  A B C D E B F G",
        "D · · · ○ · · · ·",
        "A ■ · · · · · · ·",
        "B · ■ · · · ○ · ·",
        "C · · ■ · · · · ·",
        "D · · · ■ · · · ·",
        "X · · · · · · · ·",
        "B · ○ · · · ■ · ·",
        "F · · · · · · ■ ·",
        "G · · · · · · · ■",
        "",
        "■ matched  ○ equal words, not matched",
    ]


def test_a_barrier_and_signs_for_old_terminals():
    lines = grid_text(TWO, encoding="ascii").splitlines()
    assert lines[:5] == ["  a b c   d e", "a # . . | . .", "b . o . | . .", "d . . . | # .", "e . . . | . #"]
    assert grid_text(Alignment(("é",), (("é",),), ()), encoding="ascii").splitlines()[1] == "? o"


def test_long_wide_and_strange_words():
    alignment = Alignment(("一二", "b\x1b", "abcdefghijklmnopq"), (("abcdefghijklmnopq", "一二"),), ())
    lines = grid_text(alignment).splitlines()
    assert len(lines) == 14 + 3 + 2
    assert "".join(line[18:19] for line in lines[:14]) == "abcdefghijkl.."
    assert lines[12:14] == [" " * 18 + ".一", " " * 18 + ".二"]
    assert lines[14:17] == ["             一二 · ○", "            b\\x1b · ·", "abcdefghijklmnopq ○ ·"]


def test_a_narrow_terminal_cuts_the_columns():
    parts = grid_text(PAPER, width=10).split("\n\n")
    assert [part.splitlines()[0].split() for part in parts[:-1]] == [list("ABCD"), list("EBFG")]
    assert max(len(line) for part in parts[:-1] for line in part.splitlines()) <= 10


def test_empty_sides():
    assert grid_text(Alignment((), (("a",),), ())) == "the candidate has no word\n"
    assert grid_text(Alignment(("a",), ((),), ())) == "the references have no word\n"


def test_caption():
    assert grid_caption(PAPER, [("precision", 5 / 9), ("recall", 0.625)]) == (
        "precision 0.556, recall 0.625, 2 blocks of 4 + 3 words"
    )
    assert grid_caption(TWO, []) == "2 blocks of 0.5 + 2 words"
    assert grid_caption(Alignment((), ((),), ()), [("gtm_f", 0.0)]) == "gtm_f 0.000, no block"
