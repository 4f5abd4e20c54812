"""Alignments of words, as hits and blocks."""

from qeframe.batches.alignment import Alignment, MatchedBlock

PAPER = Alignment(tuple("DABCDXBFG"), (tuple("ABCDEBFG"),), (MatchedBlock(1, 0, 0, 4), MatchedBlock(6, 0, 5, 3)))


TWO = Alignment(
    ("a", "b", "d", "e"), (("a", "b", "c"), ("d", "e")), (MatchedBlock(0, 0, 0, 0.5), MatchedBlock(2, 1, 0, 2))
)


def test_hits_and_blocks():
    assert len(PAPER.hits) == 4 + 3 + 1 + 2
    assert PAPER.matched == {(i + 1, 0, i) for i in range(4)} | {(i + 6, 0, i + 5) for i in range(3)}
    assert PAPER.matched < PAPER.hits
    assert TWO.matched == {(0, 0, 0), (2, 1, 0), (3, 1, 1)}
    assert TWO.hits - TWO.matched == {(1, 0, 1)}
