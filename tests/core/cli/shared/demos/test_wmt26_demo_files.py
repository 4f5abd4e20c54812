"""Generated tasks of WMT26."""

import json

import numpy as np
import pytest

from qeframe.cli.shared.demos.wmt26_demo_files import wmt26_files


def generated(task, seed=3):
    return wmt26_files(np.random.default_rng(seed), task)


@pytest.mark.parametrize("task", [1, 2, 3])
def test_equal_seeds_give_equal_files(task):
    assert generated(task) == generated(task) != generated(task, seed=4)
    assert ("thresholds.jsonl" in generated(task)) == (task == 3)


def test_marks_lie_within_their_texts():
    files = generated(1)
    texts = {}
    for line in files["gold.jsonl"].splitlines():
        item = json.loads(line)
        for system, annotations in item["scores"].items():
            texts[item["doc_id"], system] = len(item["tgt_text"][system])
            marks = [m for a in annotations for m in a["errors"] if m["start_i"] != "missing"]
            assert all(0 <= m["start_i"] <= m["end_i"] < texts[item["doc_id"], system] for m in marks)
            assert all(0 <= a["score"] <= 100 for a in annotations)
    for line in files["submissions/Yew.jsonl"].splitlines():
        item = json.loads(line)
        for system, answer in item["task1_pred"].items():
            assert all(0 <= e["start"] < e["end"] <= texts[item["item_id"], system] for e in answer["errors"])


def test_a_submission_to_the_task_before_is_among_them():
    assert '"task2_pred"' in generated(3)["submissions/Yew.jsonl"]
    assert '"task3_pred"' in generated(3)["submissions/baseline.jsonl"]
