"""What all kinds of batch share: selection of units, computed rows, labels."""

from random import Random

import attrs
import numpy as np
import pytest
from scipy.sparse import csr_array

from qeframe.core.batches.base import Batch, check_kind, is_sparse, labels_to_index, rare_class_warning, take_units
from qeframe.core.batches.ragged import Ragged
from qeframe.core.errors import DataError
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.registered import registered_kinds
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts


def test_units_are_selected_by_positions_and_by_masks():
    batch = Scores.from_plain([1, 2, 3], [4, 5, 6])
    for units in (np.array([2, 0]), np.array([True, False, True])):
        part = batch.take(units)
        expected = [2, 0] if units.dtype != bool else [0, 2]
        assert part.ids.tolist() == expected
        assert part.gold.tolist() == [[1, 2, 3][i] for i in expected]
        assert part.predicted.tolist() == [[4, 5, 6][i] for i in expected]
        assert part.pivot == batch.pivot


def test_rows_of_ragged_arrays_are_selected():
    rows = Ragged.from_rows([[1], [2, 3], []])
    assert [row.tolist() for row in take_units(rows, np.array([False, True, True]))] == [[2, 3], []]
    assert [row.tolist() for row in take_units(rows, np.array([1, 0]))] == [[2, 3], [1]]


def test_rows_are_computed_once_for_all_metrics():
    calls = []

    def extract(batch):
        calls.append(batch)
        return batch.predicted[:, None]

    batch = Values.from_plain(None, [1, 2])
    assert batch.rows(extract) is batch.rows(extract)
    assert calls == [batch]


def test_labels_are_numbered_in_order_of_first_occurrence():
    index, labels = labels_to_index(["b", "a", "b", "c"])
    assert index.tolist() == [0, 1, 0, 2]
    assert labels == ("b", "a", "c")
    assert [labels[i] for i in index] == ["b", "a", "b", "c"]


def test_a_batch_of_another_kind_is_refused():
    with pytest.raises(DataError, match="metric 'm' works on Scores, not on Values; choose a metric on Values"):
        check_kind(Values.from_plain(None, [1]), Scores, "metric 'm'")
    check_kind(Scores.from_plain([1, 2], [1, 2]), Values, "metric 'm'")


def test_sparse_arrays_are_known_without_their_module():
    from scipy.sparse import csr_array

    assert is_sparse(csr_array(np.eye(2)))
    assert not is_sparse(np.eye(2))


def test_the_root_has_no_warning_and_no_missing_cells():
    batch = Batch(ids=np.arange(2))
    assert batch.gold_warning() == ""
    assert batch.answers_same_cells(batch)


KINDS = [kind for kind in registered_kinds() if kind.fixed_submissions is not None]


def _arrays(value):
    """Yield every array of a batch, a ragged array or tokens."""
    if isinstance(value, np.ndarray):
        yield value
    elif attrs.has(type(value)):
        for each in attrs.fields(type(value)):
            yield from _arrays(getattr(value, each.name))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.batch.__name__)
def test_no_array_of_a_batch_can_be_written_to(kind):
    batches = list(kind.fixed_submissions(Random(1), 8))
    half = np.arange(8) < 4
    batches += [batches[0].take(np.arange(3))]
    if "swap_answers" in vars(kind.batch):
        batches += batches[0].swap_answers(batches[1], half)
    if kind.batch is Texts:
        batches += [batches[0].tokens]
    arrays = [array for batch in batches for array in _arrays(batch)]
    assert len(arrays) > len(batches)
    for array in arrays:
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True


def test_arrays_that_a_user_gives_stay_theirs():
    gold, predicted = np.arange(3.0), np.arange(3.0)
    batch = Scores.from_plain(gold, predicted)
    direct = Scores(ids=np.arange(3), gold=gold, predicted=predicted)
    view = predicted[:]
    view.flags.writeable = False
    through_view = Scores(ids=np.arange(3), gold=gold, predicted=view)
    predicted[:] = 9
    for made in (batch, direct, through_view):
        assert made.predicted.tolist() == [0, 1, 2]


def test_an_array_that_is_held_is_not_copied_again():
    batch = Scores.from_plain([1, 2], [3, 4])
    assert attrs.evolve(batch, predicted=np.ones(2)).gold is batch.gold


@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_cached_rows_are_read_only(form):
    rows = Scores.from_plain([1, 2], [3, 4]).rows(lambda batch: form(np.ones((2, 2))))
    with pytest.raises(ValueError, match="read-only"):
        rows[0, 0] = 5


@pytest.mark.parametrize(
    ("members", "total", "units", "warned"),
    [(2, 100, 49, True), (2, 100, 50, False), (5, 100, 49, False), (4, 100, 10, True)],
)
def test_rare_classes_in_few_units(members, total, units, warned):
    remark = rare_class_warning("tags are BAD", members, total, units)
    assert remark.startswith(f"{members:.1f} % of the tags are BAD, in {units} units") is warned
    assert bool(remark) is warned


def test_tags_and_detections_with_a_rare_class():
    few = [["OK"] * 20] * 9 + [["OK"] * 19 + ["BAD"]]
    assert "tags are BAD" in Tags.from_plain(few, few).gold_warning()
    assert Tags.from_plain(few * 5, few * 5).gold_warning() == ""
    rare = [1] + [0] * 30
    assert "units are positive" in Detections.from_plain(rare, rare).gold_warning()
