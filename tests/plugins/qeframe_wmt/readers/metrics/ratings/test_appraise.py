"""The table of Appraise: what counts, what is left out, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe_wmt.readers.metrics.ratings.campaigns import esa_ratings
from qeframe_wmt.readers.metrics.translation_systems import human_scores

SPAN = '"[{""start_i"":54,""end_i"":57,""severity"":""minor""}]"'


def item(system, segment, score, *, user="engjpn1", kind="TGT", document="test-en-news_a", end=2.5, errors="[]"):
    return f"{user},{system},{segment},{kind},eng,jpn,{score},{document},False,{errors},1.5,{end}"


ITEMS = [
    item("ende-tutorial1", 1000001, 0, document="ende-tutorial1"),
    item("A", 0, 98),
    item("A", 0, 60, end=9.5, errors=SPAN),
    item("A", 0, 80, user="engjpn2"),
    item("B", 0, 50),
    item("B", 3, 40, document="test-en-speech_b"),
    item("B", 3, 10, document="test-en-speech_b#bad", kind="BAD"),
    item("A", 3, 10, document="test-en-speech_b#incomplete"),
    item("A", 3, 10, document="test-en-speech_b#dup2"),
]
LEFT_OUT = {
    "a tutorial": 1,
    "an attention check": 1,
    "a document that fills up a task": 1,
    "a document that is repeated for an annotator": 1,
    "scored again by the same annotator": 1,
}


@pytest.fixture
def table(tree):
    tree({"wave.csv": "\n".join(ITEMS) + "\n"})
    return Path("wave.csv")


def test_ratings(table):
    (task,) = esa_ratings(gold="appraise").read(table, "high")
    assert (task.name, task.assessments[0].systems) == ("en-ja", ("A", "B"))
    assert list(task.gold.names.values()) == ["test-en-news_a/0", "2", "3", "test-en-speech_b/3"]
    nan = np.nan
    assert task.gold.values.T.tolist() == [
        pytest.approx([70, nan, nan, nan], nan_ok=True),
        pytest.approx([50, nan, nan, 40], nan_ok=True),
    ]
    assert {each.reason: each.count for each in task.dropped} == LEFT_OUT
    (without,) = esa_ratings(gold="appraise", references=("A",)).read(table, "high")
    assert without.assessments[0].systems == ("B",)


def test_the_systems_are_ranked(table):
    (task,) = human_scores().read(table, "high")
    assert {each.name: each.values.tolist() for each in task.submissions} == {
        "A": pytest.approx([60, 80, np.nan], nan_ok=True),
        "B": pytest.approx([50, np.nan, 40], nan_ok=True),
    }
    assert {each.reason: each.count for each in task.dropped} == LEFT_OUT
    found = qeframe.evaluate("wmt24_human", table)
    assert found.tasks.keys() == {"en-ja news", "en-ja speech"}
    assert [each.scores["mean_rating"].tasks["en-ja news"].value for each in found.submissions if each.name == "A"] == [
        70
    ]


@pytest.mark.parametrize(
    "reader",
    [esa_ratings(gold="appraise", references=("ref",)), human_scores(references=("ref",))],
    ids=lambda r: r.name,
)
def test_a_pair_of_references_alone_is_counted_with_the_first_task(tree, reader):
    tree({"wave.csv": "\n".join([item("ref", 0, 3).replace("jpn", "zho"), item("A", 0, 98)]) + "\n"})
    (task,) = reader.read(Path("wave.csv"), "high")
    assert (task.name, [(each.reason, each.count) for each in task.dropped]) == ("en-ja", [("ref: a reference", 1)])
