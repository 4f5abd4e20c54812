"""Gold and submissions read together."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.tags.batch import Tags
from qeframe.streaming.sides import Sides
from qeframe.streaming.sources.lines import open_source


def sides_of(tmp_path, gold, *others, kind=Scores):
    for name, content in zip(["gold", *"abc"], (gold, *others), strict=False):
        (tmp_path / f"{name}.txt").write_text(content)
    return Sides(
        kind=kind,
        gold=open_source(kind, tmp_path / "gold.txt", "gold"),
        submissions={n: open_source(kind, tmp_path / f"{n}.txt", n) for n in "abc"[: len(others)]},
    )


def lines(count):
    return "".join(f"{i}\n" for i in range(count))


def test_chunks_and_batches(tmp_path):
    sides = sides_of(tmp_path, lines(5), lines(5), lines(5))
    chunks = [sides.batches(pieces) for pieces in sides.chunks(2)]
    assert [[len(batch) for batch in batches] for batches in chunks] == [[2, 2], [2, 2], [1, 1]]
    assert chunks[1][1].gold.tolist() == chunks[1][1].predicted.tolist() == [2, 3]
    assert [path.path.rpartition("/")[2] for path in sides.sources] == ["gold.txt", "a.txt", "b.txt"]


@pytest.mark.parametrize("units", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((6, 6, 5), r"/b.txt:5: the file ends after 5 units, but .*/gold.txt goes on; give both the same units"),
        ((6, 4, 7), r"/a.txt:4: the file ends after 4 units, but .*/gold.txt goes on"),
        ((4, 4, 6), r"/gold.txt:4: the file ends after 4 units, but .*/b.txt goes on"),
    ],
)
def test_files_of_different_lengths(tmp_path, units, counts, message):
    with pytest.raises(DataError, match=message):
        list(sides_of(tmp_path, *map(lines, counts)).chunks(units))


def test_arrays_of_different_lengths():
    sides = Sides(
        kind=Scores,
        gold=open_source(Scores, np.ones(3), "gold"),
        submissions={"a": open_source(Scores, np.ones(5), "a")},
    )
    with pytest.raises(DataError, match="gold: the file ends after 3 units, but a goes on"):
        list(sides.chunks(2))


@pytest.mark.parametrize("units", [1, 2, 100])
@pytest.mark.parametrize(
    ("gold", "other", "message"),
    [
        (
            "1 1\n3 1\n5 1\n",
            "1 1\n3 1\n6 1\n",
            r"/a.txt:3: id 6, but 5 in .*/gold.txt on this line; give both the same",
        ),
        ("1 1\n3 1\n3 1\n", "1 1\n3 1\n3 1\n", r"/gold.txt:3: id 3 is not larger than the one before; sort all files"),
        ("1 1\n3 1\n2 1\n", "1 1\n3 1\n2 1\n", r"/gold.txt:3: id 2 is not larger"),
        ("1 1\n3 1\n", "1\n3\n", r"/a.txt:1: this file and .*/gold.txt do not both have a column of ids; give ids"),
    ],
)
def test_ids_must_be_the_same_and_rise(tmp_path, units, gold, other, message):
    with pytest.raises(DataError, match=message):
        list(sides_of(tmp_path, gold, other).chunks(units))


def test_equal_rising_ids_are_accepted(tmp_path):
    sides = sides_of(tmp_path, "0 1\n3 1\n70 1\n", "0 2\n3 2\n70 2\n")
    assert [pieces[0].ids.tolist() for pieces in sides.chunks(2)] == [[0, 3], [70]]


def test_sides_are_checked_against_each_other_with_their_lines(tmp_path):
    sides = sides_of(tmp_path, "OK\nOK BAD\nOK\n", "OK\nOK BAD\nOK OK\n", kind=Tags)
    with pytest.raises(
        DataError, match=r"/a.txt:3: 2 tags in sentence 3, 1 expected as in .*/gold.txt:3; give one tag"
    ):
        list(sides.chunks(2))
