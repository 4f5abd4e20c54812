"""Rankings of five systems, and scores of metrics beside them."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.task import Dropped, Input
from qeframe.data.align import align
from qeframe_wmt import rankings
from qeframe_wmt.readers.metrics.metric_scores import plain_system

READER = Parametric(rankings)
HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{n}Number,system{n}Id" for n in range(1, 4)] + [f"system{n}rank" for n in range(1, 4)]
)
ROW = "Czech,English,7,d,7,ann,1,A,2,B,3,C,{}\n"
CSV = HEADER + "\n" + ROW.format("1,2,2") + ROW.replace("ann", "ben").format("3,1,-1")
SCORES = "".join(f"M\tcs-en\tt12\t{s}\t{i}\t{v}\n" for s, v in (("A", 0.3), ("B", 0.2), ("C", 0.1)) for i in (7, 8))


def read(path="t", **parameters):
    return READER(**parameters).read(Path(path), "high")


def pairs(reading):
    return list(zip(reading.gold.values[:, 0].tolist(), *reading.groups.values(), strict=True))


def test_pairs_with_their_groups(tree):
    tree({"t/rankings.csv": CSV})
    (reading,) = read()
    assert list(reading.groups) == ["segment", "judge", "ranking"]
    expected = [(1, "7", "ann", "1"), (1, "7", "ann", "1"), (0, "7", "ann", "1"), (-1, "7", "ben", "2")]
    assert pairs(reading) == expected
    assert reading.gold.values.shape == (4, 3)  # both systems stand beside what the human said
    assert reading.counts == {"rankings": 2, "systems": 3, "segments": 1, "decided": 3, "tied": 1}
    assert [put.path for put in reading.inputs] == ["rankings.csv"]
    assert reading.texts is None


def test_rankings_of_2015_are_pairs_of_which_several_are_one_ranking(tree):
    header = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
    lines = ["7,7,ann,A,1,B,2,41", "7,7,ann,B,2,C,2,41", "7,7,ann,A,1,C,2,41", "7,7,ben,A,3,B,1,9"]
    tree({"t/rankings.csv": header + "".join(f"Czech,English,{line}\n" for line in lines)})
    (reading,) = read()
    expected = [(1, "7", "ann", "41"), (0, "7", "ann", "41"), (1, "7", "ann", "41"), (-1, "7", "ben", "9")]
    assert pairs(reading) == expected
    assert reading.counts["rankings"] == 2


def test_ranks_are_assessments_of_which_the_higher_is_better(tree):
    """Rank 1 is best: the values are negated, and a system that was not judged has none."""
    tree({"t/rankings.csv": CSV})
    (reading,) = read()
    (looks,) = reading.assessments
    assert (looks.scale, looks.systems, looks.judges) == ("rank", ("A", "B", "C"), ("ann", "ben"))
    np.testing.assert_array_equal(looks.values, [[-1, -2, -2], [-3, -1, np.nan]])


def test_a_language_pair_without_metrics_is_a_task(tree):
    tree({"t/rankings.csv": CSV})
    task = align(*read())
    assert (task.name, task.batches, task.units, task.unit) == ("cs-en", {}, 4, "judgment")
    assert task.counts["decided"] == 3


def test_language_pairs_with_and_without_metrics_are_evaluated_together(tree):
    german = CSV.replace("Czech,English", "English,German")
    tree({"t/a.csv": CSV, "t/b.csv": german, "t/scores/m": SCORES})
    tasks = [align(reading) for reading in read()]
    result = qeframe.evaluate("wmt12_metrics_segment", tasks)
    assert [scored.name for scored in result.submissions] == ["M"]
    assert result.signature.units == {"cs-en": "4 x judgment", "en-de": "4 x judgment"}
    assert list(result.tasks) == ["cs-en", "en-de"]
    assert result.tasks["en-de"] == {"rankings": 2, "systems": 3, "segments": 1, "decided": 3, "tied": 1}
    (scored,) = result.submissions
    for score in scored.scores.values():
        assert {name: one.value for name, one in score.tasks.items()} == {"cs-en": score.value}


def test_scores_of_left_and_right(tree):
    tree({"t/rankings.csv": CSV, "t/scores/m.seg.scr": SCORES, "t/scores/m.sys.scr": "anything\n"})
    (reading,) = read()
    (side,) = reading.submissions
    assert (side.name, side.path) == ("M", "t/scores/m.seg.scr")
    assert side.values.tolist() == [[0.3, 0.2], [0.3, 0.1], [0.2, 0.1], [0.3, 0.2]]
    assert [put.path for put in reading.inputs] == ["rankings.csv", "scores/m.seg.scr"]


def test_files_and_language_pairs_are_told_apart(tree):
    other = CSV.replace("Czech,English", "eng,German").replace("ann", "cid")
    long = CSV.replace(",A,", ",newstest2012.A.cs-en,")
    german = SCORES.replace("cs-en", "en-de").replace("M\t", "N\t").replace("\t7\t", "\t07\t")
    tree({"t/a.csv": long, "t/b.csv": CSV, "t/c.csv": other, "t/scores/m": SCORES, "t/scores/n": german})
    czech, german = read()
    assert (czech.name, len(czech.gold.ids), czech.counts["systems"]) == ("cs-en", 8, 3)
    assert (german.name, len(german.gold.ids), set(german.groups["judge"])) == ("en-de", 4, {"cid", "ben"})
    assert [[side.name for side in reading.submissions] for reading in (czech, german)] == [["M"], ["N"]]
    assert [put.path for put in german.inputs] == ["c.csv", "scores/n"]


def test_numbers_that_are_not_there(tree):
    """Since 2013 the columns of numbers that no task uses are -1."""
    tree({"t/a.csv": CSV, "u/a.csv": CSV.replace(",d,7,", ",-1,-1,").replace(",2,B,", ",-1,B,")})
    assert pairs(read()[0]) == pairs(read("u")[0])


@pytest.mark.parametrize("written", ["cz-en", "Czech-English", "ces-eng"])
def test_language_pairs_of_scores_are_written_in_several_ways(tree, written):
    scores = SCORES.replace("cs-en", written).replace("\tA\t", f"\tnewstest2012.A.{written}\t")
    tree({"t/rankings.csv": CSV, "t/scores/m": scores})
    (reading,) = read()
    assert [side.name for side in reading.submissions] == ["M"]
    assert reading.submissions[0].values[0].tolist() == [0.3, 0.2]
    assert reading.dropped == ()


def test_scores_without_judgments_and_of_the_other_level_are_counted(tree):
    other = SCORES.replace("cs-en", "de-en")
    tree({"t/rankings.csv": CSV, "t/scores/m": SCORES + other, "t/scores/n": other.replace("M", "N")})
    tree({"t/scores/m.sys.scr": "not read\n", "t/scores/o.sys.scr": "not read\n"})
    (reading,) = read()
    assert [side.name for side in reading.submissions] == ["M"]
    unjudged = Dropped("de-en", "submission", 2, "no judgments: M, N")
    assert reading.dropped == (unjudged, Dropped("cs-en", "file", 1, "no segment scores: o.sys.scr"))
    (reading,) = read(path="t", level="seg", references=("A",))
    assert reading.dropped[0].what == "ranked translation"


def test_references_are_left_out_and_counted(tree):
    tree({"t/rankings.csv": CSV, "t/scores/m": SCORES.replace("A", "D")})
    (reading,) = read(references=("A",))
    assert (reading.gold.values[:, 0].tolist(), reading.counts["systems"]) == ([0], 2)
    assert reading.dropped == (Dropped("cs-en", "ranked translation", 2, "of a reference"),)
    tree({"u/rankings.csv": CSV})
    (reading,) = read("u", references=("C",))
    assert reading.dropped == (Dropped("cs-en", "ranked translation", 1, "of a reference"),), "one has no rank"
    assert reading.assessments[0].systems == ("A", "B")


def test_texts_are_located(tree):
    lines = "".join(f"{n}\n" for n in range(1, 9))
    tree({"t/rankings.csv": CSV, **{f"t/text/cs-en/{s}": lines for s in "ABCD"}, "t/text/news-ref.en": lines})
    (reading,) = read()
    assert list(reading.texts.systems) == ["A", "B", "C"]
    assert reading.texts.references == (Path("t/text/news-ref.en"),)
    assert reading.texts.segments.tolist() == [7] * 4
    assert reading.texts.left_right.tolist() == [[0, 1], [0, 2], [1, 2], [0, 1]]


SYSTEMS = "".join(f"M\tcs-en\tt12\t{s}\t{v}\n" for s, v in (("A", 0.3), ("B", 0.2), ("C", 0.1)))


def test_scores_of_systems(tree):
    tree({"t/rankings.csv": CSV, "t/scores/m.sys.scr": SYSTEMS, "t/scores/m.seg.scr": "not read\n"})
    (reading,) = read(level="sys")
    (side,) = reading.submissions
    assert (side.name, side.path) == ("M", "t/scores/m.sys.scr")
    assert side.values.tolist() == [[0.3, 0.2], [0.3, 0.1], [0.2, 0.1], [0.3, 0.2]]
    assert list(reading.groups) == ["segment", "judge", "ranking"]
    result = qeframe.evaluate("wmt12_metrics_system", align(reading))
    assert result.submissions[0].scores["judged_spearman"].value == pytest.approx(1)


WMT12 = {
    "cs-en": (11021, 1754),
    "de-en": (11934, 2204),
    "es-en": (9796, 1490),
    "fr-en": (11594, 2228),
    "en-cs": (18805, 4077),
    "en-de": (14553, 2848),
    "en-es": (11834, 2758),
    "en-fr": (11562, 3787),
}


def test_wmt12(shared_data):
    folder = shared_data("wmt12-metrics")
    readings = read(folder)
    assert {each.name: (each.counts["decided"], each.counts["tied"]) for each in readings} == WMT12
    czech = readings[0]
    assert {**czech.counts, "judges": len(set(czech.groups["judge"]))} == {
        "rankings": 1294, "systems": 6, "segments": 951, "judges": 45, "decided": 11021, "tied": 1754,
    }  # fmt: skip
    assert {each.name for each in readings if each.texts} == {"cs-en", "en-cs"}
    assert isinstance(czech.inputs[0], Input)


def test_scores_that_are_packed(tree):
    tree({"t/rankings.csv": CSV, "t/scores/M.seg.score.gz": gzip.compress(SCORES.encode())})
    assert [side.name for side in read()[0].submissions] == ["M"]


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("newstest2014.kit.3112.fr-en", "kit.3112"),
        ("newstest2014.kit.3112.de-en", "newstest2014.kit.3112.de-en"),
        ("kit.3112", "kit.3112"),
        ("newstest2014..fr-en", "newstest2014..fr-en"),
    ],
)
def test_plain_names(name, plain):
    assert plain_system(name, "fr-en") == plain
