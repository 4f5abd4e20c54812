"""Generated pairs: as many as said, judged by rates, readable by the profiles."""

import json

import numpy as np
import pytest

import qeframe
from qeframe.cli.shared.demos.demo_files import write_demo
from qeframe.cli.shared.demos.demo_preferences import decided_pairs, scored_pairs


@pytest.mark.parametrize("generate", [decided_pairs, scored_pairs])
def test_every_file_has_the_pairs_of_the_gold(generate):
    files = generate(np.random.default_rng(1))
    parsed = {name: [json.loads(line) for line in text.splitlines()] for name, text in files.items()}
    key = "pair_id" if generate is decided_pairs else "id"
    ids = [record[key] for record in parsed["gold.jsonl"]]
    assert len(set(ids)) == len(ids)
    assert all([record[key] for record in records] == ids for records in parsed.values())


@pytest.mark.parametrize("task", ["judgebench", "rewardbench"])
def test_a_generated_task_is_evaluated(task, tmp_path):
    profile, folder = write_demo(task, tmp_path, 1)
    evaluation = qeframe.evaluate(profile, folder, settings=["test=", "interval="])
    best, *_, last = evaluation.submissions
    assert last.name == "baseline"
    assert best.name != "baseline"
