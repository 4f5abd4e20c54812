"""Generated shared tasks."""

import numpy as np
import pytest

from qeframe.cli.shared.demos.demo_files import write_demo
from qeframe.errors import DataError


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("task", ["sentence", "word"])
def test_equal_seeds_give_equal_files(tmp_path, task):
    profiles = [write_demo(task, tmp_path / str(n), seed) for n, seed in enumerate((1, 1, 2))]
    assert {name for name, _ in profiles} == {f"qe_{task}"}
    first, again, other = (contents(folder) for _, folder in profiles)
    assert first == again
    assert first.keys() == other.keys()
    assert first != other


def test_sentence_scores_are_within_the_scale(tmp_path):
    _, folder = write_demo("sentence", tmp_path, 2015)
    gold = np.loadtxt(folder / "gold.da")
    assert gold.shape == (500,)
    assert 0 <= gold.min() < gold.max() <= 1


def test_every_tag_line_has_the_length_of_the_gold(tmp_path):
    _, folder = write_demo("word", tmp_path, 2015)
    sides = [path.read_text().splitlines() for path in (folder / "gold.tags", *(folder / "submissions").iterdir())]
    lengths = [[len(line.split()) for line in side] for side in sides]
    assert len(lengths) == 7
    assert all(side == lengths[0] for side in lengths)


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "task").write_text("")
    with pytest.raises(DataError, match=r"cannot be written: .*; name another folder for --out"):
        write_demo("word", tmp_path, 1)
