"""Scores of metrics on challenge sets: grids with a known order as gold, or no gold."""

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.reader import ExampleRequest
from qeframe_wmt.readers.metrics.challenge_sets import mslc, wmt25_challenge_sets
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.written import write_files

REQUEST = ExampleRequest(units=5, pairs=2)
HEADER = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"


def line(segment, system, score, name="a"):
    return f"d\t{segment}\tja\tzh_CN\tchallenge_{name}\t{system}\tnews\tNaN\t{score}\n"


@pytest.fixture
def wmt25(tmp_path):
    def read(tables, rising=("a",), level="seg"):
        write_files(tmp_path, tables)
        return wmt25_challenge_sets(rising=rising, level=level).read(tmp_path, "high")

    return read


def test_systems_and_segments_in_the_order_of_their_numbers(wmt25):
    lines = [line(s, f"hyp-{k}", 100 * s + k) for s in (10, 9) for k in (10, 2)]
    (reading,) = wmt25({"4-to_return/a/baseline/chrF.tsv": HEADER + "".join(lines)})
    assert (reading.name, reading.systems) == ("a ja-zh_CN", ("hyp-2", "hyp-10"))
    assert reading.gold.values.tolist() == [[1, 2], [1, 2]]
    (metric,) = reading.submissions
    assert (metric.name, metric.values.tolist()) == ("chrF", [[902, 910], [1002, 1010]])
    assert metric.unit_name(1) == "10"


def test_a_set_without_an_order_has_no_gold(wmt25):
    table = HEADER + line(1, "hyp1", 3, "b") + line(1, "hyp-1", 3)
    first, second = wmt25({"data/challenge-sets/4-to_return/x/primary/m.tsv": table})
    assert first.gold.values.tolist() == [[1]]
    assert np.isnan(second.gold.values).all()


def test_published_scores_of_systems(wmt25):
    table = HEADER + line("all", "hyp-1", 1.5) + line("all", "hyp-2", 2.5)
    (reading,) = wmt25({"3-scored/baseline/338155/systems.tsv": table}, rising=(), level="sys")
    assert reading.submissions[0].name == "chrF"
    assert reading.submissions[0].values.tolist() == [[1.5, 2.5]]
    assert reading.level == "sys"


def test_a_folder_of_something_else(tmp_path):
    with pytest.raises(DataError, match="no folder 4-to_return is here; give the clone of"):
        wmt25_challenge_sets().read(tmp_path, "high")
    with pytest.raises(DataError, match="no folder metric-scores is here; give the folder of a year"):
        mslc().read(tmp_path, "high")


@pytest.mark.parametrize("root", [".", "2023"])
def test_mslc(tmp_path, root):
    folder = with_example(mslc()).write_example(tmp_path / root, REQUEST)
    first, second = mslc().read(tmp_path, "high")
    assert (first.name, second.name) == ("en-cs", "en-de")
    assert first.gold.values[0].tolist() == [1, 2, 3, 4, 5]
    assert {each.name for each in first.submissions} >= {"BLEU-refA", "chrF-refA"}
    path = tmp_path / root / "data/metric-scores/en-cs/BLEU-refA.seg.score"
    lines = path.read_text().splitlines()
    assert first.submissions[0].values[:, 1].tolist() == [float(each.split("\t")[2]) for each in lines[5:10]]
    assert folder is None or folder.exists()


def test_the_folder_of_2024(tmp_path):
    with_example(mslc()).write_example(tmp_path / "made", REQUEST)
    (tmp_path / "2024" / "data").mkdir(parents=True)
    (tmp_path / "made" / "data").rename(tmp_path / "2024" / "data" / "MSLC-A")
    for path in (tmp_path, tmp_path / "2024"):
        assert [reading.name for reading in mslc().read(path, "high")] == ["en-cs", "en-de"]
