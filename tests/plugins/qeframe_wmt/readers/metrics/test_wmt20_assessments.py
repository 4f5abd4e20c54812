"""Direct assessments of 2020: of segments, as relative rankings, and of systems."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import wmt20_darr, wmt20_systems
from qeframe_wmt.readers.metrics.wmt20_assessments import find_outliers
from qeframe_wmt.selections.selection import load_selection
from tests.plugins.qeframe_wmt.readings import NUMBER

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
    tree({"t/da/cs-en.seg.csv": ASSESSED, "t/scores/M.cs-en.seg.tsv.gz": gzip.compress(SCORES.encode())})
    (reading,) = read()
    assert reading.submissions[0].values.tolist() == [[0.3, 0.2], [0.4, 0.5]]


READER_SYSTEMS = Parametric(wmt20_systems)
HEADER_SYSTEMS = "RAW.SCR Z.SCR N SYS N.ALL\n"
SCORES_SYSTEMS = {"zlabs-nlp.1149": -0.9, "A": 0.1, "B": 0.3, "C": 0.2, "Human-A.0": 1.5}
ASSESSED_SYSTEMS = HEADER_SYSTEMS + "".join(f"{50 + 10 * z} {z} 9 {name} 12\n" for name, z in SCORES_SYSTEMS.items())
DA = "t/manual-evaluation/DA/metrics-ad-sys-scores-cs-en.csv"


def lines(metric, pair="cs-en", refset="newstest2020", systems=tuple(SCORES_SYSTEMS), test_set="newstest2020"):
    return "".join(f"{metric}\t{pair}\t{test_set}\t{refset}\t{name}\t{0.1 * k}\n" for k, name in enumerate(systems, 1))


@pytest.fixture
def published(tree):
    tree({DA: ASSESSED_SYSTEMS, "t/manual-evaluation/README": "not read"})
    packed = {
        "baselines/BLEU.sys.score.gz": lines("BLEU") + lines("BLEU", "de-en"),
        "submissions/two.sys.score.gz": lines("one", refset="B") + lines("two") + lines("one"),
        "submissions/only.seg.score.gz": "not read",
        "subm_eniu_outofdomain/other.sys.score.gz": "not read",
    }
    tree({f"t/final-metric-scores/{name}": gzip.compress(text.encode()) for name, text in packed.items()})


def read_systems(**parameters):
    return READER_SYSTEMS(**parameters).read(Path("t"), "high")


def test_the_repository(published):
    everybody, others = read_systems()
    assert (everybody.name, others.name) == ("cs-en", "cs-en-out")
    assert everybody.gold.values.tolist() == [[-0.9, 0.1, 0.3, 0.2]]
    assert [each.name for each in everybody.submissions] == ["BLEU", "one", "two"]
    assert everybody.submissions[0].values.tolist() == [[0.1, 0.2, 0.1 * 3, 0.4]]
    assert others.gold.values.tolist() == [[0.1, 0.3, 0.2]]
    assert dict(others.counts) == {"systems": 3, "system_pairs": 3}
    humans = "human translations (Human...)"
    assert everybody.dropped == (
        Dropped("cs-en", "system", 1, humans),
        Dropped("cs-en", "score", 5, "of one with another REFSET than newstest2020"),
    )
    assert others.dropped == (
        Dropped("cs-en-out", "system", 1, "outliers: zlabs-nlp.1149"),
        Dropped("cs-en-out", "system", 1, humans),
        Dropped("de-en", "submission", 1, "no assessments: BLEU"),
        Dropped("", "file", 1, "no scores of this level: only.seg.score.gz"),
    )
    assert [put.path.rpartition("/")[2] for put in everybody.inputs] == [
        "metrics-ad-sys-scores-cs-en.csv",
        "BLEU.sys.score.gz",
        "two.sys.score.gz",
    ]
    assert align(everybody).units == 1


def test_parameters(published):
    (everybody,) = read_systems(outliers="keep", humans="", scale="raw", raw_row="RAW")
    assert everybody.gold.values[0].tolist() == pytest.approx([41, 51, 53, 52, 65])
    assert everybody.submissions[-1].name == "RAW"
    assert everybody.submissions[-1].values.tolist() == everybody.gold.values.tolist()
    _, others = read_systems(outliers="rule")
    assert others.dropped[0] == Dropped("cs-en-out", "system", 1, "outliers: zlabs-nlp.1149")
    (everybody, _) = read_systems(reference_set="B")
    assert [each.name for each in everybody.submissions] == ["one"]


def test_by_pair(tree):
    tree({"t/da/cs-en.sys.csv": ASSESSED_SYSTEMS, "t/scores/M.cs-en.sys.tsv": lines("M")})
    everybody, _ = read_systems()
    assert [each.name for each in everybody.submissions] == ["M"]


def test_assessments_alone(tree):
    tree({"t/da/cs-en.sys.csv": ASSESSED_SYSTEMS})
    everybody, _ = read_systems()
    assert align(everybody).counts == {"systems": 4, "system_pairs": 6}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (HEADER_SYSTEMS, "", ":1: the first line is not the header; write RAW.SCR Z.SCR N SYS N.ALL"),
        (" C 12", " B 12", ":5: system B is assessed twice, first on line 4; keep one line a system"),
        ("0.2 9", "NA 9", f":5: 'NA' is not a number; {NUMBER}"),
    ],
)
def test_broken_assessments(published, refusal, old, new, message):
    Path(DA).write_text(ASSESSED_SYSTEMS.replace(old, new))
    assert refusal(READER_SYSTEMS(), "t") == DA + message


def slow(scores):
    """Apply the rule with plain loops."""

    def median(values):
        ordered = sorted(values)
        half = len(ordered) // 2
        return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2

    middle = median(scores)
    spread = 1.4826 * median([abs(score - middle) for score in scores])
    return [str(i) for i, score in enumerate(scores) if abs(score - middle) > 2.5 * spread]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12))
def test_the_rule(scores):
    names = [str(i) for i in range(len(scores))]
    assert find_outliers("cs-en", names, np.array(scores, float), "rule") == slow(scores)


def test_listed_ones_are_found_by_name():
    scores = np.zeros(3)
    names = ["A", "CUNI-DocTransformer.1457", "zlabs-nlp.1149"]
    assert find_outliers("cs-en", names, scores, "listed") == names[1:]
    assert find_outliers("km-en", names, scores, "listed") == []
    assert find_outliers("cs-en", names, scores, "keep") == []
    assert find_outliers("cs-en", [], np.zeros(0), "rule") == []
    assert sum(len(pair.outliers) for pair in load_selection("wmt20").pairs.values()) == 31


def test_all_that_differ_from_most_are_outliers():
    assert find_outliers("x", ["A", "B", "C"], np.array([1.0, 1.0, 1.1]), "rule") == ["C"]
