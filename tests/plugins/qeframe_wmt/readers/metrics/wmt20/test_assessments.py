"""Direct assessments as relative rankings."""

import gzip
from pathlib import Path

import pytest

import qeframe
from qeframe.core.components.parametric import Parametric
from qeframe.core.tasks.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import wmt20_darr

READER = Parametric(wmt20_darr)
HEADER = "SYS SEGID RAW.SCR Z.SCR N SID\n"
ASSESSED = HEADER + "".join(
    f"{system} d{k}::{k} {raw} {raw / 100 - 0.5} 1 {k}\n"
    for system, scores in {"A": (50, 10), "B": (75, 90), "Human-A": (100, 0)}.items()
    for k, raw in enumerate(scores, 1)
)
SCORES = "".join(
    f"M\tcs-en\tnewstest2020\tnewstest2020\t{system}\td{k}\t{k}\t{score}\n"
    for system, scores in {"A": (0.3, 0.4), "B": (0.2, 0.5), "C": (0, 0)}.items()
    for k, score in enumerate(scores, 1)
)
HUMANS = Dropped("cs-en", "system", 1, "human translations (Human...)")
UNASSESSED = Dropped("cs-en", "system", 1, "no assessments: C")
FILES = {"t/da/cs-en.seg.csv": ASSESSED, "t/scores/M.cs-en.seg.tsv": SCORES}


def read(path="t", **parameters):
    return READER(**parameters).read(Path(path), "high")


def test_pairs(tree):
    tree({**FILES, "t/da/cs-en.sys.csv": "not read\n"})
    (reading,) = read()
    assert (reading.name, reading.gold.values[:, 0].tolist()) == ("cs-en", [-1, -1])
    assert reading.submissions[0].values.tolist() == [[0.3, 0.2], [0.4, 0.5]]
    assert reading.groups == {"segment": ["d1::1", "d2::2"], "document": ["d1", "d2"]}
    assert reading.dropped == (HUMANS, UNASSESSED)
    assert [put.path for put in reading.inputs] == ["da/cs-en.seg.csv", "scores/M.cs-en.seg.tsv"]
    assert align(reading).units == 2


@pytest.mark.parametrize(
    ("parameters", "pairs"),
    [({"strict": True}, 1), ({"threshold": 25.1}, 1), ({"scale": "z", "threshold": 0.5}, 1), ({"threshold": 0.0}, 2)],
)
def test_thresholds(tree, parameters, pairs):
    tree(FILES)
    (reading,) = read(**parameters)
    assert len(reading.gold.ids) == pairs


def test_humans_may_stay(tree):
    tree({"t/da/cs-en.seg.csv": ASSESSED, "t/scores/readme": ""})
    (reading,) = read(humans="")
    assert (len(reading.gold.ids), reading.submissions) == (5, ())
    assert reading.dropped == (Dropped("", "file", 1, "no scores of this level: readme"),)
    assert align(reading).batches == {}


def test_other_references_are_counted(tree):
    tree({**FILES, "t/scores/N.cs-en.seg.tsv": SCORES.replace("M\t", "N\t").replace("2020\tnewstest2020", "2020\tB")})
    (reading,) = read()
    assert [side.name for side in reading.submissions] == ["M"]
    reason = "of N with another REFSET than newstest2020"
    assert reading.dropped[2:] == (Dropped("cs-en", "score", 6, reason),)
    (reading,) = read(reference_set="B")
    assert [side.name for side in reading.submissions] == ["N"]


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("da/cs-en.seg.csv", HEADER, "", ":1: the first line is not the header; write SYS SEGID RAW.SCR Z.SCR N SID"),
        (
            "da/cs-en.seg.csv",
            "B d2::2",
            "B d1::1",
            ":5: segment d1::1 of B is assessed twice; keep one line, with the mean of all judges",
        ),
        ("da/cs-en.seg.csv", "B d1::1 75", "B d1::1 NA", ":4: 'NA' is not a number; every line needs a number"),
        (
            "scores/M.cs-en.seg.tsv",
            "0.5\n",
            "NaN\n",
            ":4: the score of segment d2::2 of B is not a number: NaN (a missing value); "
            "every segment and system needs a finite number",
        ),
        (
            "scores/M.cs-en.seg.tsv",
            "B\td2",
            "A\td2",
            ":4: segment d2::2 of A is scored twice, first on line 2; keep one line a segment and system",
        ),
        (
            "scores/M.cs-en.seg.tsv",
            "\tB\t",
            "\tD\t",
            ": M has no score of segment d1::1 of B, which was judged; "
            "complete the file: missing scores are not filled",
        ),
    ],
)
def test_broken_files(tree, refusal, name, old, new, message):
    tree({**FILES, f"t/{name}": FILES[f"t/{name}"].replace(old, new)})
    assert refusal(READER(), "t") == f"t/{name}{message}"


def test_a_metric_in_two_files_and_no_files(tree, refusal):
    tree({**FILES, "t/scores/N.cs-en.seg.tsv": SCORES, "u/da/x": "", "u/scores/x": ""})
    what = "M has scores of cs-en in t/scores/M.cs-en.seg.tsv as well"
    assert refusal(READER(), "t") == f"t/scores/N.cs-en.seg.tsv:1: {what}; keep one of the files"
    assert refusal(READER(), "u").startswith("u/da: no assessments of segments are here; the repository has")
    with pytest.raises(qeframe.core.errors.DataError, match="must be a number from 0"):
        READER(threshold=-1.0)


def test_scores_of_a_pair_without_assessments_are_counted(tree):
    tree({**FILES, "t/scores/N.seg.tsv": SCORES.replace("cs-en", "de-en")})
    (reading,) = read()
    assert [side.name for side in reading.submissions] == ["M"]
    assert reading.dropped[2:] == (Dropped("de-en", "submission", 1, "no assessments: M"),)


OFFICIAL = {"cs-en": (14_018, {"chrF": 0.0863, "TER": -0.0401}), "km-en": (3_706, {"chrF": 0.2671, "TER": 0.1252})}


def test_wmt20(shared_data):
    folder = shared_data("wmt20-metrics")
    for reading in read(folder):
        count, values = OFFICIAL[reading.name]
        assert reading.counts["decided"] == len(reading.gold.ids) == count
        printed = dict(
            line.split()[:2]
            for line in (folder / "official" / f"{reading.name.replace('-', '')}-seg-cor.csv").read_text().splitlines()
        )
        for submission, batch in align(reading).batches.items():
            score = qeframe.score("kendall(ties=darr)", batch, None)
            assert round(score, 4) == values[submission.name]
            assert float(f"{score:.4g}") == float(printed[submission.name])


def test_scores_that_are_packed(tree):
    tree({"t/da/cs-en.seg.csv": ASSESSED})
    Path("t/scores").mkdir()
    Path("t/scores/M.cs-en.seg.tsv.gz").write_bytes(gzip.compress(SCORES.encode()))
    (reading,) = read()
    assert reading.submissions[0].values.tolist() == [[0.3, 0.2], [0.4, 0.5]]


def test_a_folder_of_another_layout(tree, refusal):
    tree({"u/human-scores/en-de.mqm.seg.score": "A 1\n"})
    what = "u: this is no repository of the metrics task of 2020: it has no manual-evaluation and no da"
    assert refusal(READER(), "u").startswith(f"{what}; the repository has manual-evaluation/DA/metrics-ad-seg-scores")
    assert refusal(READER(), "v") == "v: there is no such folder; check the path"
