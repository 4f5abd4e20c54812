"""The first pass: counts, means, digests, warnings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.tags.batch import Tags
from qeframe.streaming import first_pass
from qeframe.streaming.first_pass import survey
from qeframe.streaming.sides import Sides
from qeframe.streaming.sources.lines import open_source


def surveyed(kind, gold, other, chunk=3):
    sides = Sides(kind=kind, gold=open_source(kind, gold, "gold"), submissions={"a": open_source(kind, other, "a")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first_pass, "UNITS_IN_CHUNK", chunk)
        return survey(sides, lambda _done: None)


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(1, 30), st.sampled_from([0.0, 1e9]))
def test_centers_are_those_of_a_batch_of_all_units(values, chunk, offset):
    gold = np.array(values) + offset
    found = surveyed(Scores, gold, gold[::-1].copy(), chunk)
    batch = Scores(ids=np.arange(len(gold)), gold=gold, predicted=gold[::-1].copy())
    assert found.units == len(gold)
    assert found.centers == pytest.approx(batch.pivot, rel=1e-12, abs=1e-6)


def test_the_center_of_a_constant_is_exact():
    assert surveyed(Scores, np.full(1000, 0.1), np.full(1000, 1e7 + 0.3)).centers == (0.1, 1e7 + 0.3)


def test_values_without_a_gold_have_no_centers():
    assert surveyed(Values, np.ones(4), np.ones(4)).centers == (1.0, 1.0)


@pytest.mark.parametrize("chunk", [2, 100])
def test_warnings_on_the_gold(chunk):
    assert surveyed(Scores, np.arange(8.0), np.ones(8), chunk).gold_warning == ""
    assert "the gold is constant" in surveyed(Scores, np.ones(8), np.ones(8), chunk).gold_warning
    assert surveyed(Scores, np.array([1.0, 1, 2, 2]), np.ones(4), chunk).gold_warning == ""
    assert "no positive unit" in surveyed(Detections, np.zeros(80), np.ones(80), chunk).gold_warning
    assert surveyed(Detections, np.arange(80) % 2, np.ones(80), chunk).gold_warning == ""


def test_a_warning_on_tags_that_all_chunks_share(tmp_path):
    (tmp_path / "a").write_text("OK\n" * 7)
    assert surveyed(Tags, tmp_path / "a", tmp_path / "a").gold_warning.startswith("the gold has no tag BAD")
    (tmp_path / "a").write_text("OK\n" * 70 + "BAD\n" * 70)
    assert surveyed(Tags, tmp_path / "a", tmp_path / "a").gold_warning == ""


def test_digests_tell_values_apart():
    first = surveyed(Scores, np.arange(8.0), np.ones(8))
    assert first.digests == surveyed(Scores, np.arange(8.0), np.ones(8)).digests
    assert first.chunk_digests.shape == (2, 3)
    assert first.digests != surveyed(Scores, np.arange(8.0)[::-1], np.ones(8)).digests
