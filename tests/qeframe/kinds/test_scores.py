import numpy as np
import pytest
from hypothesis import given, settings

from qeframe.core.batch import Batch, check_kind, labels_to_index
from qeframe.core.errors import DataError
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.scores.kind import KIND
from qeframe.testing import scores_batches
from tests.outcome import failure


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ([1, 2], [1, float("nan")], r"missing value \(NaN\) at position 1 of predicted; every unit needs"),
        ([1, float("inf")], [1, 2], "infinite value at position 1 of gold"),
        (
            [1, 2],
            [1, -1e200],
            r"-1e\+200 at position 1 of predicted is too large to compute with; magnitudes up to 1e\+100",
        ),
        ([1, None], [1, 2], "missing value"),
        ([1, 2], ["a", "b"], "predicted values must be numbers"),
        ([1, 2, 3], [1, 2], "length mismatch: 3 gold values and 2 predicted ones"),
        ([], [], "too few values: 0 gold; at least 1 are needed"),
        ([[1, 2]], [1, 2], "gold values must have one dimension, not 2"),
        (None, [1, 2], "gold values are missing"),
    ],
)
def test_what_cannot_be_used_is_named(gold: object, predicted: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Scores.from_plain(gold, predicted)  # type: ignore[arg-type]


def test_values_look_at_no_gold() -> None:
    batch = Values.from_plain(None, [3.0])
    assert (len(batch), list(batch.predicted), list(batch.ids)) == (1, [3.0], [0])


@settings(max_examples=50)
@given(scores_batches())
def test_parts_inherit_the_pivot_and_pieces_add_up(batch: Scores) -> None:
    half = len(batch) // 2
    parts = batch.take(np.arange(half)), batch.take(np.arange(half, len(batch)))
    assert {part.pivot for part in parts} == {batch.pivot}
    assert sum(map(len, parts)) == len(batch)


def test_the_pivot_of_a_constant_is_the_constant() -> None:
    """A mean of n copies may differ from the value by a rounding, and a constant must show no variance."""
    for value in (0.1, 1e9 + 0.1, -1 / 3):
        assert Scores.from_plain(np.full(7, value), np.full(7, value)).pivot == (value, value)


def test_the_worst_answers_are_the_far_ends_of_the_own_range() -> None:
    gold, predicted = np.array([0.0, 10.0, 4.9]), np.array([1.0, 9.0, 3.0])
    assert list(Scores.worst_answers(gold, predicted)) == [9.0, 1.0, 9.0]
    assert "without any answer" in failure(DataError, Scores.worst_answers, gold, np.empty(0))


def test_rows_are_extracted_once_and_not_inherited_by_parts() -> None:
    calls = []

    def extract(batch: Scores) -> np.ndarray:
        calls.append(len(batch))
        return batch.predicted

    batch = Scores.from_plain([1, 2, 3], [4, 5, 6])
    assert batch.rows(extract) is batch.rows(extract)
    assert list(batch.take(np.array([1])).rows(extract)) == [5]
    assert calls == [3, 1]


def test_a_kind_that_says_nothing_refuses_everything() -> None:
    bare = Batch(ids=np.arange(2))
    assert "cannot be made from plain values" in failure(DataError, Batch.from_plain, [1], [1])
    assert "use the policy 'drop_for_all'" in failure(DataError, Batch.worst_answers, [1], [1])
    assert "cannot be exchanged" in failure(DataError, bare.swap_answers, bare, np.array([True, False]))


def test_the_kind_is_checked_at_the_door() -> None:
    check_kind(Scores.from_plain([1, 2], [1, 2]), Values, "metric 'mean'")
    with pytest.raises(DataError, match="metric 'mae' works on Scores, not on Values"):
        check_kind(Values.from_plain(None, [1]), Scores, "metric 'mae'")


def test_labels_are_numbered_in_order_of_appearance() -> None:
    index, labels = labels_to_index(["b", "a", "b", "c"])
    assert (list(index), labels) == ([0, 1, 0, 2], ("b", "a", "c"))


BATCH = Scores.from_plain([0.0, 1.0, 5.0], [1.0, 1.0, 2.0])


def test_constants_rearranged_and_corrected_answers_and_generated_gold():
    assert [answers[0] for answers in KIND.constants(BATCH)] == [0, 1, 2, 5]
    answers = np.array(list(KIND.rearrangements(BATCH, BATCH.predicted)))
    assert answers.shape == (6, 3)
    assert (answers.mean(axis=0) == BATCH.predicted.mean()).all()
    assert [answers.tolist() for answers in KIND.corrections(BATCH, 2)] == [[1, 1, 5]]
    generated = KIND.audit.generate(np.random.default_rng(1))
    assert (generated.batch.gold == generated.batch.predicted).all()
    assert generated.batch.gold.mean() == pytest.approx(1.2 / 4.4, abs=0.01)
