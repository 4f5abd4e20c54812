"""Direct assessments of systems, from the repository as published and by pair."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qeframe.core.components.parametric import Parametric
from qeframe.core.tasks.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import wmt20_systems
from qeframe_wmt.readers.metrics.wmt20_assessments import find_outliers
from qeframe_wmt.selections.selection import load_selection

READER = Parametric(wmt20_systems)
HEADER = "RAW.SCR Z.SCR N SYS N.ALL\n"
SCORES = {"zlabs-nlp.1149": -0.9, "A": 0.1, "B": 0.3, "C": 0.2, "Human-A.0": 1.5}
ASSESSED = HEADER + "".join(f"{50 + 10 * z} {z} 9 {name} 12\n" for name, z in SCORES.items())
DA = "t/manual-evaluation/DA/metrics-ad-sys-scores-cs-en.csv"


def lines(metric, pair="cs-en", refset="newstest2020", systems=tuple(SCORES), test_set="newstest2020"):
    return "".join(f"{metric}\t{pair}\t{test_set}\t{refset}\t{name}\t{0.1 * k}\n" for k, name in enumerate(systems, 1))


def pack(name, text):
    path = Path("t/final-metric-scores", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


@pytest.fixture
def published(tree):
    tree({DA: ASSESSED, "t/manual-evaluation/README": "not read"})
    pack("baselines/BLEU.sys.score.gz", lines("BLEU") + lines("BLEU", "de-en"))
    pack("submissions/two.sys.score.gz", lines("one", refset="B") + lines("two") + lines("one"))
    pack("submissions/only.seg.score.gz", "not read")
    pack("subm_eniu_outofdomain/other.sys.score.gz", "not read")


def read(**parameters):
    return READER(**parameters).read(Path("t"), "high")


def test_the_repository(published):
    everybody, others = read()
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
    (everybody,) = read(outliers="keep", humans="", scale="raw", raw_row="RAW")
    assert everybody.gold.values[0].tolist() == pytest.approx([41, 51, 53, 52, 65])
    assert everybody.submissions[-1].name == "RAW"
    assert everybody.submissions[-1].values.tolist() == everybody.gold.values.tolist()
    _, others = read(outliers="rule")
    assert others.dropped[0] == Dropped("cs-en-out", "system", 1, "outliers: zlabs-nlp.1149")
    (everybody, _) = read(reference_set="B")
    assert [each.name for each in everybody.submissions] == ["one"]


def test_by_pair(tree):
    tree({"t/da/cs-en.sys.csv": ASSESSED, "t/scores/M.cs-en.sys.tsv": lines("M")})
    everybody, _ = read()
    assert [each.name for each in everybody.submissions] == ["M"]


def test_assessments_alone(tree):
    tree({"t/da/cs-en.sys.csv": ASSESSED})
    everybody, _ = read()
    assert align(everybody).counts == {"systems": 4, "system_pairs": 6}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (HEADER, "", ":1: the first line is not the header; write RAW.SCR Z.SCR N SYS N.ALL"),
        (" C 12", " B 12", ":5: system B is assessed twice, first on line 4; keep one line a system"),
        ("0.2 9", "NA 9", ":5: 'NA' is not a number; every line needs a number"),
    ],
)
def test_broken_assessments(published, refusal, old, new, message):
    Path(DA).write_text(ASSESSED.replace(old, new))
    assert refusal(READER(), "t") == DA + message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            lines("M", systems=("A", "B")),
            ": M has no score of system zlabs-nlp.1149, which humans assessed (and 1 more); "
            "complete the file: missing scores are not filled",
        ),
        (
            lines("M") + lines("M", systems=("zlabs-nlp.1149",)),
            ":6: system zlabs-nlp.1149 is scored twice, first on line 1; keep one line a system",
        ),
        (
            lines("M") + lines("M", test_set="other"),
            ":6: TESTSET 'other' after 'newstest2020', both scored by M with the same REFSET; keep one TESTSET",
        ),
        (
            lines("M").replace("0.4", "x"),
            ":4: the score of system C is not a number: 'x' is not a number; every segment and system needs "
            "a finite number",
        ),
        (lines("M").replace("M\t", "\t", 1), ":1: METRIC ''; every line needs a METRIC"),
    ],
)
def test_broken_scores(tree, refusal, text, message):
    tree({"t/da/cs-en.sys.csv": ASSESSED, "t/scores/M.cs-en.sys.tsv": text})
    assert refusal(READER(), "t") == f"t/scores/M.cs-en.sys.tsv{message}"


def test_nobody_is_left(tree, refusal):
    tree({"t/da/cs-en.sys.csv": HEADER + "1 1 1 Human-A 1\n"})
    assert "no system is left to compare" in refusal(READER(), "t")
    tree({"t/da/cs-en.sys.csv": HEADER + "1 1 1 zlabs-nlp.1149 1\n"})
    assert "every system is an outlier; set outliers=keep" in refusal(READER(), "t")


def test_no_assessments(tree, refusal):
    tree({"t/manual-evaluation/DA/metrics-ad-seg-scores-cs-en.csv": "x\n"})
    message = refusal(READER(), "t")
    assert message.startswith("t/manual-evaluation/DA: no assessments of systems are here; the repository has")


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
