"""The second pass: sums that merge, and files that change."""

import os

import numpy as np
import pytest

from qeframe.core.components.metric import Metric
from qeframe.core.errors import DataError
from qeframe.core.resampling.parallel import Runner
from qeframe.kinds.scores.batch import Scores
from qeframe.streaming.additive_rows import ChunkRows
from qeframe.streaming.first_pass import survey
from qeframe.streaming.second_pass import Drawing, Sums, seconds_of_draws, sum_chunks
from qeframe.streaming.sides import Sides
from qeframe.streaming.sources.lines import open_source


def silent(_done):
    pass


def corpus(gold, other):
    return Sides(
        kind=Scores, gold=open_source(Scores, gold, "gold"), submissions={"a": open_source(Scores, other, "a")}
    )


def summed(sides, found, registry, drawings=()):
    metric = registry.get(Metric, "mae")
    probe = Scores.from_plain([1.0, 2.0], [1.0, 2.0])
    rows = ChunkRows((metric.bind(probe).score,))
    return sum_chunks(sides, [metric], rows, found, drawings, (1, 2), Runner(), silent).whole()


def test_sums_of_parts_add_up_to_those_of_the_whole(registry):
    rng = np.random.default_rng(0)
    gold, other = rng.normal(size=(2, 50))
    drawing = Drawing(5, "poisson")
    whole, *parts = (
        summed(corpus(gold[part], other[part]), survey(corpus(gold[part], other[part]), silent), registry, [])
        for part in (slice(None), slice(0, 20), slice(20, 45), slice(45, None))
    )
    left, right = (parts[0] + parts[1]) + parts[2], parts[0] + (parts[1] + parts[2])
    for joined in (left, right):
        assert joined.units == whole.units == 50
        assert joined.totals[0] == pytest.approx(whole.totals[0], rel=1e-14)
    with_draws = Sums(1, (np.ones(2),), {drawing: (np.ones((5, 2)),)})
    assert ((with_draws + with_draws).drawn[drawing][0] == 2).all()


def test_a_file_that_changes_between_the_passes(tmp_path, registry):
    for name in ("gold", "a"):
        (tmp_path / name).write_text("1\n2\n3\n")
    sides = corpus(tmp_path / "gold", tmp_path / "a")
    found = survey(sides, silent)
    summed(sides, found, registry)
    status = os.stat(tmp_path / "a")
    (tmp_path / "a").write_text("1\n2\n3\n4\n")
    with pytest.raises(DataError, match=r"/a: the file has changed while it was read for the second time; start again"):
        summed(sides, found, registry)
    (tmp_path / "a").write_text("1\n2\n4\n")
    os.utime(tmp_path / "a", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert os.stat(tmp_path / "a").st_mtime_ns == status.st_mtime_ns
    with pytest.raises(DataError, match=r"/a: the file has changed"):  # by its values alone
        summed(sides, found, registry)


def test_an_array_that_grows_or_changes(registry):
    gold = np.arange(4.0)
    found = survey(corpus(gold, gold), silent)
    with pytest.raises(DataError, match="gold: the file has changed"):
        summed(corpus(np.arange(5.0), np.arange(5.0)), found, registry)
    with pytest.raises(DataError, match="a: the file has changed"):
        summed(corpus(gold, gold + 1), found, registry)


def test_the_time_of_draws_is_estimated():
    columns = np.ones((3, 50))
    drawings = [Drawing(70), Drawing(20, "poisson")]
    seconds = seconds_of_draws(columns, np.arange(50), 5000, drawings, Runner())
    assert 0 < seconds < 600
    assert seconds_of_draws(columns, np.arange(50), 5000, [], Runner()) == 0
