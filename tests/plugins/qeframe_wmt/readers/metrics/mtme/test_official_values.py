"""The values of the official program for the metrics task of 2023, en-de and he-en."""

import json
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.components.parametric import Parametric
from qeframe.data.align import align
from qeframe_wmt import mtme

READER = Parametric(mtme)
METRICS = {
    ("sys", "accuracy"): "pairwise_accuracy",
    ("sys", "pearson"): "system_pearson",
    ("seg", "pearson"): "segment_pearson",
    ("seg", "KendallWithTiesOpt"): "acc_eq",
}


@pytest.fixture(scope="module")
def official(shared_data):
    path = Path(shared_data("wmt23-metrics-pairs")).parents[1] / "golden" / "task_sets.json"
    if not path.exists():
        pytest.skip("the official values are not beside the data")
    return json.loads(path.read_text("utf-8"))["wmt23"]


@pytest.fixture(scope="module")
def batches(shared_data):
    folder = shared_data("wmt23-metrics-pairs")

    def read(**parameters):
        tasks = [align(reading) for reading in READER(selection="wmt23", **parameters).read(folder, "high")]
        return {task.name: {s.name: batch for s, batch in task.batches.items()} for task in tasks}

    return {"seg": read(), "sys": read(level="sys"), "sys by segment": read(level="sys", units="segments")}


@pytest.mark.slow
def test_every_part(official, batches):
    for task, scores in zip(official["tasks"], official["scores"], strict=True):
        metric, pairs = METRICS[task["level"], task["corr_fcn"]], task["lang"].split(",")
        levels = [task["level"], *(["sys by segment"] if metric == "system_pearson" else [])]
        expected = {name.removesuffix("[noref]"): score for name, score in scores.items()}
        assert len(expected) == 32
        for level in levels:
            assert set(batches[level][pairs[0]]) == set(expected)
            for name, score in expected.items():
                assert pooled(metric, [batches[level][pair][name] for pair in pairs]) == pytest.approx(score, abs=1e-9)


def pooled(metric, of_pairs):
    """Return the score over pairs of systems of all language pairs."""
    weights = [batch.systems * (batch.systems - 1) / 2 for batch in of_pairs]
    return np.average([qeframe.score(metric, batch, None) for batch in of_pairs], weights=weights)


def test_domains_and_the_human_row(shared_data):
    folder = shared_data("wmt23-metrics-pairs")
    reader = READER(selection="wmt23", level="sys", units="segments", domain="news", human_row="da-sqm")
    readings = {reading.name: reading for reading in reader.read(folder, "high")}
    reading = readings["en-de"]
    gold = dict(line.split("\t")[1:] for line in lines(folder, "en-de.mqm") if line.startswith("news"))
    systems = [name for name in gold if name != "refA"]
    means = np.nanmean(reading.gold.values, axis=0)
    assert sorted(means) == pytest.approx(sorted(float(gold[name]) for name in systems), abs=1e-9)
    assert (reading.submissions[-1].name, reading.submissions[-1].kind) == ("human (da-sqm)", "human")
    assert [note.reason for note in readings["he-en"].dropped if "human (" in note.reason] == [
        "no segment scores: human (da-sqm)"
    ]


def lines(folder, name):
    return (folder / "human-scores" / f"{name}.domain.score").read_text("utf-8").splitlines()
