"""Batches of corrections: made of pairs of a score and a text, swapped with their texts, and generated."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.post_edits.batch import PostEdits, scored_texts
from qeframe.kinds.post_edits.kind import KIND

BEFORE = [(0.5, "one house"), (0.7, "two houses")]
AFTER = [(0.9, "a house"), (0.7, "two houses")]


def test_a_batch_is_made_of_scores_with_texts():
    batch = PostEdits.from_plain(BEFORE, AFTER)
    assert (batch.gold.tolist(), batch.predicted.tolist()) == ([0.5, 0.7], [0.9, 0.7])
    assert batch.contents(0) == {"gold": "one house (0.5)", "predicted": "a house (0.9)"}


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ([0.9, 0.7], "predicted is no sequence of scores with texts; give pairs"),
        ([(0.9, 1), (0.7, "x")], "predicted has int where a text is expected; give pairs"),
        (AFTER[:1], "2"),
    ],
)
def test_other_sides_are_refused(after, said):
    with pytest.raises(DataError, match=said):
        PostEdits.from_plain(BEFORE, after)


def test_a_missing_correction_is_an_empty_text_with_the_lowest_score():
    answers = scored_texts(np.array([0.9, 0.7]), ["a house", "two houses"])
    assert PostEdits.worst_answers(answers[:1], answers).tolist() == [(0.7, "")]
    with pytest.raises(DataError, match="no lowest score to give"):
        PostEdits.worst_answers(answers, answers[:0])


def test_generated_corrections_mend_all_errors_at_best_and_gain_nothing_when_rearranged():
    rng = np.random.default_rng(0)
    perfect = KIND.audit.generate(rng).batch
    rearranged = KIND.audit.rearranged(perfect, rng)
    assert (perfect.predicted >= perfect.gold).all()
    assert sorted(rearranged.predicted) == sorted(perfect.gold)
