"""The three tasks of WMT26 on generated files, from the command line, against a short computation of its own."""

import json
from collections import Counter, defaultdict
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.api.evaluate import evaluate
from qeframe.api.read import choose_profile
from qeframe.cli.shared.demo_files import write_demo


@pytest.fixture(scope="module")
def generated(request, tmp_path_factory):
    task = request.param
    profile, folder = write_demo(f"wmt26_task{task}", tmp_path_factory.mktemp("demo"), 5)
    return task, folder, values_by(profile, folder)


def values_by(profile, folder):
    """Evaluate without tests and intervals."""
    return evaluate(choose_profile(profile, ["test=", "interval="], qeframe.load()), folder)


def lines(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def gold_by_pair(folder):
    found = defaultdict(dict)
    for campaign, screens in json.loads((folder / "gold.json").read_text("utf-8")).items():
        source, target = campaign.removesuffix(" v3").split("---")
        for screen in screens:
            for item, answers in zip(screen["item"], screen["annotation"], strict=True):
                key = f"official_###_{source}_###_{target}_###_{item['item_id']}"
                for system, annotation in answers.items():
                    of_system = found[f"{source}-{target}"].setdefault((key, system), ([], item["tgt"][system]))
                    of_system[0].append({"score": annotation["score"], "errors": annotation["error_spans"]})
    return found


def answers(folder, name, task):
    return {
        (item["item_id"], system): answer
        for item in lines(folder / "submissions" / f"{name}.jsonl")
        for system, answer in item.get(f"task{task}_pred", {}).items()
    }


def span_f1(gold, predicted):
    credit = marks = 0.0
    for place, (annotations, text) in gold.items():
        sides = [
            {
                (m["start_i"], m["end_i"] + 1, m["severity"])
                for a in annotations
                for m in a["errors"]
                if m["start_i"] < len(text)
            },
            [(e["start"], e["end"], e["severity"]) for e in predicted[place]["errors"]],
        ]
        for position in range(len(text)):
            one, other = (Counter(how for start, end, how in side if start <= position < end) for side in sides)
            same = (one & other).total()
            credit += same + (min(one.total(), other.total()) - same) / 2
            marks += one.total() + other.total()
    return 2 * credit / marks


def mcc(gold, predicted):
    cells = Counter()
    for place, (annotations, _) in gold.items():
        mean = sum(a["score"] for a in annotations) / len(annotations)
        free = mean >= 85 and not any(a["errors"] for a in annotations)
        cells[free, bool(predicted[place])] += 1
    tp, fp, fn, tn = (cells[key] for key in ((True, True), (False, True), (True, False), (False, False)))
    return (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def from_spans(answer):
    lost = sum(5 if e["severity"] == "major" else 1 for e in answer["errors"])
    lost += {None: 0, "minor": 1, "major": 5}[answer["omission"]]
    return max(0.0, 100.0 - lost)


def system_means_pearson(gold, predicted):
    human, metric = defaultdict(list), defaultdict(list)
    for (key, system), (annotations, _) in gold.items():
        human[system].append(np.mean([a["score"] for a in annotations]))
        metric[system].append(predicted[key, system])
    return np.corrcoef([[np.mean(side[s]) for s in human] for side in (human, metric)])[0, 1]


def acc_eq(gold, predicted):
    rows = defaultdict(dict)
    for (key, system), (annotations, _) in gold.items():
        rows[key][system] = (sum(a["score"] for a in annotations) / len(annotations), predicted[key, system])
    best = 0.0
    differences = [
        (row[a][0] - row[b][0], row[a][1] - row[b][1], key)
        for key, row in rows.items()
        for a, b in combinations(row, 2)
    ]
    for epsilon in {0.0, *(abs(m) for _, m, _ in differences)}:
        by_item = defaultdict(list)
        for human, metric, key in differences:
            tied = abs(metric) <= epsilon
            by_item[key].append(human == 0 if tied else human * metric > 0)
        best = max(best, np.mean([np.mean(found) for found in by_item.values()]))
    return best


def value(evaluation, name, metric, pair):
    found = next(each for each in evaluation.submissions if each.name == name).scores
    return (found.get(metric) or found[f"{metric}(rule=2025)"]).tasks[pair].value


@pytest.mark.parametrize("generated", [1, 3], indirect=True)
def test_every_value_agrees(generated):
    task, folder, evaluation = generated
    names = [each.name for each in evaluation.submissions]
    assert len(names) == 5
    for name in names:
        file = name.partition(" (")[0]
        for pair, gold in gold_by_pair(folder).items():
            if task == 1:
                metric, expected = "span_f1", span_f1(gold, answers(folder, file, 1))
            else:
                predicted = answers(folder, file, 3) or {p: a >= 95 for p, a in answers(folder, file, 2).items()}
                metric, expected = "detection_mcc", mcc(gold, predicted)
            assert value(evaluation, name, metric, pair) == pytest.approx(expected, rel=1e-12, abs=1e-12), (name, pair)


@pytest.mark.parametrize("generated", [2], indirect=True)
def test_every_part_of_the_scores_agrees(generated):
    _, folder, evaluation = generated
    pearson = values_by("wmt26_task2_pearson", folder)
    checked = 0
    for part in json.loads(evaluation.to_json())["parts"] + json.loads(pearson.to_json())["parts"]:
        compute = {"acc_eq": acc_eq, "system_pearson": system_means_pearson}.get(part["metric"])
        if compute is None:
            continue
        gold = gold_by_pair(folder)[part["pairs"][0]]
        for name, found in part["submissions"].items():
            file = name.partition(" (")[0]
            predicted = answers(folder, file, 2) or {p: from_spans(a) for p, a in answers(folder, file, 1).items()}
            assert found["value"] == pytest.approx(compute(gold, predicted), rel=1e-12, abs=1e-12), (name, part["name"])
            checked += 1
    assert checked == 2 * 3 * 5


@pytest.mark.parametrize("generated", [1, 2, 3], indirect=True)
def test_derived_submissions_say_so(generated):
    task, _, evaluation = generated
    names = [each.name for each in evaluation.submissions]
    derived = {1: [], 2: ["Yew (from spans)"], 3: ["Yew (score >= 95)"]}[task]
    assert [name for name in names if "(" in name] == derived
