"""Scores of systems by automatic metrics: each metric a task, and AutoRank from the files."""

import json
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe_aggregations.aggregations import autorank
from qeframe_wmt.readers.metrics.translation_systems import automatic_scores


def line(document, pair="en-is_IS", **scores):
    return {"language_pair": pair, "domain": "news", "document_id": document, "metric_scores": scores}


def lines(*documents):
    return "".join(json.dumps(each) + "\n" for each in documents)


FILES = {
    "A.jsonl": lines(line("d1", K=[0.5, 0.7], X=[-3, -1]), line("d2", K=[0.9], X=[-2])),
    "B.jsonl": lines(line("d1", K=[0.1, 0.2], X=[-1, -1]), line("d2", K=[0.3], X=[-1]), line("d1", "en-ar_EG", K=[1])),
    "C.jsonl": lines(line("d1", K=[0.4, 0.4])),
}


def test_each_metric_is_a_task(tree):
    tree(FILES)
    tasks = automatic_scores(pair="en-is_IS").read(Path(), "high")
    assert [task.name for task in tasks] == ["K", "X"]
    answers = {each.name: each.values.tolist() for each in tasks[0].submissions}
    assert answers == {"A": [0.5, 0.7, 0.9], "B": [0.1, 0.2, 0.3], "C": pytest.approx([0.4, 0.4, np.nan], nan_ok=True)}
    assert list(tasks[0].gold.names.values()) == ["d1/1", "d1/2", "d2/1"]
    assert [each.name for each in tasks[1].submissions] == ["A", "B"]
    (other,) = automatic_scores(pair="en-ar_EG").read(Path(), "high")
    assert [each.name for each in other.submissions] == ["B"]


@pytest.mark.parametrize("scaling", ["interquantile", "range"])
def test_autorank_from_the_files(tree, scaling):
    tree({**FILES, "C.jsonl": lines(line("d1", K=[0.4, 0.4], X=[-2.5, -2.5]))})
    rule = f"autorank(scaling={scaling})"
    found = qeframe.evaluate("wmt25_autorank", ".", settings=["pair=en-is_IS", f"across={rule}"])
    means = np.array([[0.7, -2], [0.2, -1], [0.4, -2.5]])
    expected = autorank(scaling=scaling).aggregate(means, np.ones(2), True)
    shown = {each.name: each.scores["mean_rating"].value for each in found.submissions}
    assert shown == pytest.approx(dict(zip("ABC", expected, strict=True)))
    assert list(shown) == sorted(shown, key=shown.__getitem__)


@pytest.mark.parametrize(
    ("files", "parameters", "message"),
    [
        ({"x.txt": "x"}, {}, ".: the folder has no file of a system; give a folder of SYSTEM.jsonl"),
        (FILES, {}, ".: there are several language pairs; set pair to one of en-is_IS, en-ar_EG"),
        (FILES, {"pair": "en-is"}, ".: no document is of the language pair 'en-is'; did you mean 'en-is_IS'?"),
        (FILES, {"pair": "en-is_IS", "metrics": ("Y",)}, ".: no system has a score by 'Y'"),
        ({"A.jsonl": lines(line("d", K=["1"]))}, {}, "A.jsonl:1: 'metric_scores.K' has '1'; write numbers alone"),
        ({"A.jsonl": lines(line("d", K=1))}, {}, "A.jsonl:1: 'metric_scores.K' is a whole number"),
        ({"A.jsonl": lines(line("d", K=[1]), line("d", K=[1]))}, {}, "A.jsonl:2: document 'd' again; keep one line"),
    ],
)
def test_what_is_refused(tree, refusal, files, parameters, message):
    tree(files)
    assert refusal(automatic_scores(**parameters), ".").startswith(message)
