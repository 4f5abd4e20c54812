"""The bitext grid of one segment: equal words and matched blocks, against a search by hand."""

from itertools import product

from qeframe.core.batches.word_alignment import Alignment, MatchedBlock

CANDIDATE = ("a", "b", "a", "c")
REFERENCES = (("a", "b"), ("c", "a", "a"))


def test_hits_are_all_pairs_of_equal_words():
    alignment = Alignment(CANDIDATE, REFERENCES, ())
    expected = {
        (i, number, j)
        for i, number in product(range(4), range(2))
        for j in range(len(REFERENCES[number]))
        if CANDIDATE[i] == REFERENCES[number][j]
    }
    assert alignment.hits == expected
    assert alignment.matched == frozenset()


def test_words_of_a_block_are_matched_also_in_part():
    blocks = (MatchedBlock(0, 0, 0, 2), MatchedBlock(candidate=3, reference=1, position=0, length=0.25))
    alignment = Alignment(CANDIDATE, REFERENCES, blocks)
    assert alignment.matched == {(0, 0, 0), (1, 0, 1), (3, 1, 0)}
    assert alignment.matched <= alignment.hits


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
