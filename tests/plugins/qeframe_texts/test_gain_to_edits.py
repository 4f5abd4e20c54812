"""Edits of corrections and the gain for them: TER as the official program of 2025 counts it, and what it rewards."""

import numpy as np
import pytest

import qeframe
from qeframe.plugin import DataError, PostEdits

WORDS = [f"w{i}" for i in range(100)]


def rate(before, after, metric="edit_rate"):
    scored = [[(0.5, text) for text in side] for side in (before, after)]
    return float(qeframe.score(metric, *scored))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["a b c d e f g", "a b c d e f g h"], ["a b c d e f g", "a b c d e f g h"], 0),
        (["a b c d e f g", "a b c d e f g h"], ["a b c d e f x", "a b c d e f g h"], 6.666667),
        (["a b c d e f g"], ["1 2 3 4 5 6 7"], 100),
        (["这是一个好例子"], ["这是一个坏例子"], 100),
        (["这是一个好例子", "没有变化"], ["这是一个坏例子", "没有变化"], 50),
        ([" ".join(WORDS[:7])], [" ".join(WORDS)], 99),
        ([" ".join(WORDS[:7])], ["w0"], 600),
    ],
)
def test_edits_are_counted_against_the_correction(before, after, expected):
    assert rate(before, after) == pytest.approx(expected, abs=5e-7)


def test_agrees_with_sacrebleu():
    sacrebleu = pytest.importorskip("sacrebleu.metrics")
    rng = np.random.default_rng(5)
    sides = [[" ".join(rng.choice(WORDS[:9], rng.integers(1, 12))) for _ in range(30)] for _ in range(2)]
    assert rate(*sides) == pytest.approx(sacrebleu.TER().corpus_score(sides[0], [sides[1]]).score, abs=1e-9)


def test_the_ratio_divides_the_mean_gain():
    gold = [(0.5, "a b c d e f g"), (0.7, "a b c d e f g h")]
    corrected = [(0.56, "a b c d e f x"), (0.7, "a b c d e f g h")]
    assert qeframe.score("quality_gain", [0.5, 0.7], [0.56, 0.7]) == pytest.approx(0.03)
    assert qeframe.score("gain_to_edit_ratio", gold, corrected) == pytest.approx(0.03 / (1 / 15))


def test_without_an_edit():
    same = ["a b", "c"]
    assert np.isnan(rate(same, same, "gain_to_edit_ratio"))
    assert rate(same, same, "gain_to_edit_ratio(replicate=official)") == -999


def test_one_word_of_two_thousand():
    texts = [" ".join(WORDS[:20])] * 100
    gold = [(0.5, text) for text in texts]
    corrected = [(0.8, " ".join(["x", *WORDS[1:20]])), *gold[1:]]
    assert qeframe.score("gain_to_edit_ratio", gold, corrected) == pytest.approx(6)


def test_corrections_from_plain_values():
    with pytest.raises(DataError, match=r"predicted is no sequence of scores with texts; give pairs \(score, text\)"):
        PostEdits.from_plain([(0.5, "a")], [0.6])
    with pytest.raises(DataError, match="gold has int where a text is expected"):
        PostEdits.from_plain([(0.5, 1)], [(0.5, "a")])
    batch = PostEdits.from_plain([(0.5, "a"), (0.5, "b")], [(0.6, "c"), (0.4, "b")])
    other = PostEdits.from_plain([(0.5, "a"), (0.5, "b")], [(0.1, "d"), (0.2, "e")])
    mine, theirs = batch.swap_answers(other, np.array([True, False]))
    assert (mine.after.tolist(), mine.predicted.tolist()) == (["d", "b"], [0.1, 0.4])
    assert (theirs.after.tolist(), theirs.predicted.tolist()) == (["c", "e"], [0.6, 0.2])
    assert batch.contents(0) == {"gold": "a (0.5)", "predicted": "c (0.6)"}
