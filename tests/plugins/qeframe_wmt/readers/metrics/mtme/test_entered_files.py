"""A metric that the user enters: score files, tables and folders give the same scores; what is wrong is named."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.data.folders import added
from qeframe_wmt.readers.metrics.wmt20_to_25_mtme import files_to_enter

SYSTEMS = {"A": [1.0, 2.0, 3.0, 4.0], "B": [2.0, 2.5, 1.0, 0.5], "C": [0.0, 1.0, 2.0, 5.0]}


def score_lines(shift=0.0):
    return "".join(f"{name}\t{score + shift}\n" for name, scores in SYSTEMS.items() for score in scores)


@pytest.fixture
def folder(tree):
    files = {}
    for pair in ("en-de", "he-en"):
        files |= {f"human-scores/{pair}.mqm.seg.score": score_lines()}
        files |= {f"human-scores/{pair}.mqm.sys.score": "A\t3\nB\t2\nC\t1\n"}
        for nth in range(3):
            scores = {name: np.roll(of, nth).tolist() for name, of in SYSTEMS.items()}
            text = "".join(f"{name}\t{score}\n" for name, of in scores.items() for score in of)
            files |= {f"metric-scores/{pair}/M{nth}-refA.seg.score": text}
            files |= {f"metric-scores/{pair}/M{nth}-refA.sys.score": f"A\t{nth}\nB\t2\nC\t1\n"}
    tree(files)
    return Path()


def place(pair, level):
    return Path("metric-scores", pair, f"mine-src.{level}.score")


def numbers(content):
    return [line.split("\t") for line in content.decode().splitlines()]


def test_a_score_file_a_table_and_folders_give_the_same(folder, tree):
    rows = [(name, nth, score) for name, of in SYSTEMS.items() for nth, score in enumerate(of, 1)]
    header = "pair,system,segment,score\n"
    table = header + "".join(f"en-de,{name},{nth},{score}\n" for name, nth, score in reversed(rows))
    tree({"g/en-de.seg.score": score_lines(), "g/h/en-de/x.seg.score": score_lines(), "g/t.csv": table})
    wanted = files_to_enter("mine", Path("g/en-de.seg.score"), folder)
    assert set(wanted) == {place("en-de", "seg"), place("en-de", "sys")}
    assert numbers(wanted[place("en-de", "sys")]) == [[name, repr(float(np.mean(of)))] for name, of in SYSTEMS.items()]
    assert files_to_enter("mine", Path("g/h"), folder) == wanted
    of_table = files_to_enter("mine", Path("g/t.csv"), folder)
    for path, content in wanted.items():
        assert sorted(numbers(content)) == sorted(numbers(of_table[path]))


def test_given_system_scores_stay(folder, tree):
    tree({"g/en-de.seg.score": score_lines(), "g/en-de.sys.score": "A 7\nB 8\nC 9\n"})
    found = files_to_enter("mine", Path("g"), folder)
    assert numbers(found[place("en-de", "sys")]) == [["A", "7.0"], ["B", "8.0"], ["C", "9.0"]]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.score", score_lines(), "x.score: the language pair of the scores is not known; PATH has en-de, he-en"),
        ("zh-en.score", score_lines(), "zh-en.score: the language pair of the scores is zh-en; PATH has"),
        ("t.csv", "segment,score\n1,2\n", "t.csv:1: the columns segment, score name no system"),
        ("t.csv", "pair,system,segment,score\nen-de,A,1\n", "t.csv:2: 3 columns, 4 expected"),
        ("t.csv", "pair,system,segment,score\nen-de,A,0,1\n", "t.csv:2: segment '0' is not the number of a line"),
        ("t.csv", "pair,system,segment,score\nen-de,A,1,1\nen-de,A,1,2\n", "t.csv:3: segment 1 of A occurs twice"),
        ("t.csv", "pair,system,segment,score\nen-de,A,1,x\n", "t.csv:2: the score of "),
    ],
)
def test_what_cannot_be_entered(folder, tree, name, text, message):
    tree({name: text})
    with pytest.raises(DataError) as caught:
        files_to_enter("mine", Path(name), folder)
    assert str(caught.value).startswith(message)


def test_a_second_file_and_a_taken_name(folder, tree):
    tree({"g/en-de.a.seg.score": score_lines(), "g/en-de.b.seg.score": score_lines()})
    with pytest.raises(DataError, match="a second file of the seg scores of en-de"):
        files_to_enter("mine", Path("g"), folder)
    with pytest.raises(DataError, match="a metric of en-de has the name 'M1'"):
        files_to_enter("M1", Path("g/en-de.a.seg.score"), folder)


def test_an_added_file_enters_whatever_is_listed(folder, tree):
    tree({"elsewhere/mine-src.seg.score": score_lines(), "elsewhere/mine-src.sys.score": "A 3\nB 2\nC 1\n"})
    tree({"given/en-de.seg.score": score_lines()})
    settings = ['reader=mtme(gold=mqm, primaries=[M1], pairs=["en-de"])']
    rules = qeframe.choose_profile("wmt23_metrics_segment", settings)
    with added({Path("metric-scores/en-de"): sorted(Path("elsewhere").iterdir())}):
        (task,) = qeframe.read_tasks(rules, folder)
    assert {each.name for each in task.batches} == {"M1-refA", "mine-src"}
    (task,) = qeframe.read_tasks(rules, folder, enter={"mine": "given/en-de.seg.score"})
    assert {each.name: each.kind for each in task.batches} == {"M1-refA": "real", "mine": "entered"}
