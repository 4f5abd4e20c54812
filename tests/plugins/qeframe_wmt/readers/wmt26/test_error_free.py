"""Task 3: error-free translations, and the cascade from tasks 1 and 2."""

from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe_wmt.readers.wmt26.single_translations import wmt26_error_free
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines


def answers(task, *values):
    return [{"item_id": ID.format(number), f"task{task}_pred": {"A": value}} for number, value in enumerate(values)]


def gold(esa):
    return [
        esa(0, A=[(90,), (80,)]),
        esa(1, A=[(90,), (70,)]),
        esa(2, A=[(100, (1, 2, None)), (100,)]),
        esa(3, A=[(100, ("missing", "missing", "minor"))]),
    ]


def read(tree, gold, files, **parameters):
    tree({"t/gold.jsonl": as_lines(*gold), **{f"t/{name}.jsonl": as_lines(*lines) for name, lines in files.items()}})
    return wmt26_error_free(**parameters).read(Path("t"), "high")


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, [1, 0, 0, 0]),
        ({"marks": "scored"}, [1, 0, 1, 0]),
        ({"annotators": "first"}, [1, 1, 0, 0]),
        ({"annotators": "every", "least_score": 80.0}, [1, 0, 0, 0]),
        ({"least_score": 80.0}, [1, 1, 0, 0]),
    ],
)
def test_the_rule_of_the_gold(tree, esa, parameters, expected):
    (task,) = read(tree, gold(esa), {"submissions/one": answers(3, 1, 0, 1, 0)}, **parameters)
    assert task.gold.values.tolist() == expected
    assert task.submissions[0].values.tolist() == [1, 0, 1, 0]


def test_the_cascade_is_marked_as_derived(tree, esa):
    spans = [
        {"errors": [{"start": 0, "end": 1, "severity": how}], "omission": None, "instruction_fault": how}
        for how in ("minor", "major", "minor", "major")
    ]
    files = {
        "submissions/both": [
            {**a, **b} for a, b in zip(answers(2, 85, 86, 84.5, 0), answers(3, 0, 0, 0, 1), strict=True)
        ],
        "submissions/spans": answers(1, *spans),
        "submissions/undeclared": answers(2, 1, 2, 3, 4),
        "thresholds": [
            {"submission": "both", "threshold": 85, "inclusive": False},
            {"submission": "spans", "threshold": 98, "inclusive": True},
        ],
    }
    (task,) = read(tree, gold(esa), files)
    assert {each.name: each.values.tolist() for each in task.submissions} == {
        "both": [0, 0, 0, 1],
        "both (score > 85)": [0, 1, 0, 0],
        "spans (from spans, score >= 98)": [1, 0, 1, 0],
    }
    assert task.versions["spans (from spans, score >= 98)"] == "derived: from spans, score >= 98"
    assert [each.reason for each in task.dropped] == ["undeclared: no task3_pred and no declared threshold"]
    (task,) = read(tree, gold(esa), files, cascade="no")
    assert [each.name for each in task.submissions] == ["both"]


def test_predictions_of_another_task_are_refused(tree, esa):
    marked = [
        {"item_id": ID.format(0), "task1_pred": {"A": {"errors": [], "omission": None, "instruction_fault": None}}}
    ]
    with pytest.raises(DataError) as found:
        read(tree, gold(esa), {"submissions/one": marked, "submissions/two": marked})
    assert "no submission has predictions of this task: one: no task3_pred" in str(found.value)


def test_a_pair_of_one_class_is_left_out_and_stated(tree, esa, refusal):
    other = [esa("en-mas_KE_#_news_#_x_#_1", A=[(3,)])]
    mine = [{"item_id": "en-mas_KE_#_news_#_x_#_1", "task3_pred": {"A": 0}}, *answers(3, 1, 0, 1, 0)]
    (task,) = read(tree, gold(esa) + other, {"submissions/one": mine})
    assert [(each.task, each.reason) for each in task.dropped] == [
        ("en-mas_KE", "no translation is free of errors: MCC is undefined")
    ]
    kept = read(tree, gold(esa) + other, {"submissions/one": mine}, one_class="keep")
    assert [each.name for each in kept] == ["eng_Latn-deu_Latn", "en-mas_KE"]
    (pooled,) = read(tree, gold(esa) + other, {"submissions/one": mine}, one_class="keep", by="all")
    assert (pooled.name, len(pooled.gold.ids)) == ("all language pairs", 5)
    tree({"t/gold.jsonl": as_lines(*other), "t/submissions/one.jsonl": as_lines(mine[0])})
    assert "no language pair has translations with errors and without" in refusal(wmt26_error_free(), "t")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"submission": "two", "threshold": 1, "inclusive": True}, "there is no submission 'two'"),
        ({"submission": "one", "threshold": "1", "inclusive": True}, "'threshold' is a text"),
        ({"submission": "one", "threshold": 1, "inclusive": 1}, "'inclusive' is a whole number"),
        ({"submission": "one", "threshold": 1}, "the key 'inclusive' is missing"),
        ({"submission": "one", "threshold": 1, "inclusive": True, "by": 1}, "unknown key 'by'"),
    ],
)
def test_broken_thresholds(tree, esa, refusal, line, message):
    tree({"t/gold.jsonl": as_lines(*gold(esa)), "t/submissions/one.jsonl": as_lines(*answers(3, 1, 0, 1, 0))})
    tree({"t/thresholds.jsonl": as_lines(line)})
    found = refusal(wmt26_error_free(), "t")
    assert message in found
    assert found.startswith("t/thresholds.jsonl:1: ")
