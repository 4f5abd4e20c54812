"""Tasks 1 and 3 of 2026: error spans, and translations that are free of errors."""

from pathlib import Path

import pytest

from qeframe_wmt.readers.wmt26.single_translations import wmt26_error_free, wmt26_spans
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines

MARKED = {"errors": [{"start": 2, "end": 5, "severity": "major", "category": "accuracy"}], "omission": "minor"}
ANSWER = {**MARKED, "instruction_fault": None}


def answers(number=0, **systems):
    return {"item_id": ID.format(number), "task1_pred": systems or {"A": ANSWER}}


def read(tree, gold, *predictions, **parameters):
    tree({"t/gold.jsonl": as_lines(*gold), "t/submissions/one.jsonl": as_lines(*predictions)})
    return wmt26_spans(**parameters).read(Path("t"), "low")


def test_ends_of_the_gold_are_inclusive_and_those_of_submissions_exclusive(tree, esa):
    (task,) = read(tree, [esa(A=[(80, (2, 4, "major"))])], answers())
    assert task.name == "eng_Latn-deu_Latn"
    assert task.gold.values.values.tolist() == [[2, 5, 1]]
    assert task.submissions[0].values.values[:, :3].tolist() == [[2, 5, 1]]
    assert task.submissions[0].values.categories == ("accuracy",)
    assert (task.gold.values.omission.tolist(), task.submissions[0].values.omission.tolist()) == ([-1], [0])


TWICE = [(80, (0, 0, "minor"), ("missing", "missing", "major")), (70, (0, 0, "minor"), (3, 4, None), (5, 6, "neutral"))]


@pytest.mark.parametrize(
    ("annotators", "spans", "omissions"),
    [
        ("union", [[[0, 1, 0]]], [1]),
        ("all", [[[0, 1, 0], [0, 1, 0]]], [1]),
        ("first", [[[0, 1, 0]]], [1]),
        ("each", [[[0, 1, 0]]] * 2, [1, -1]),
    ],
)
def test_several_annotations(tree, esa, annotators, spans, omissions):
    (task,) = read(tree, [esa(A=TWICE)], answers(), annotators=annotators)
    assert [row.tolist() for row in task.gold.values] == spans
    assert task.gold.values.omission.tolist() == omissions
    assert len(task.submissions[0].ids) == len(spans)


def test_what_is_left_out_is_counted(tree, esa):
    gold = [esa(A=TWICE, B=[(90,)], refA=[(100,)]), esa("en-de_#_news_#_x_#_1", A=[(1,)])]
    (task,) = read(tree, gold, answers(A=ANSWER, B=ANSWER, C=ANSWER), references=("refA",), missing_marks="drop")
    counted = {(each.task, each.what, each.reason): each.count for each in task.dropped}
    assert counted == {
        ("eng_Latn-deu_Latn", "answer", "no gold, in one"): 1,
        ("eng_Latn-deu_Latn", "span", "[missing] in the gold"): 1,
        ("eng_Latn-deu_Latn", "span", "neutral in the gold"): 1,
        ("eng_Latn-deu_Latn", "span", "without severity in the gold"): 1,
        ("eng_Latn-deu_Latn", "translation", "refA: a reference"): 1,
        ("en-de", "language pair", "no submission has an item of it"): 1,
    }


def test_a_gold_span_may_be_cut(tree, esa):
    (task,) = read(tree, [esa(A=[(80, (8, 12, "minor"))])], answers(), beyond="clip")
    assert task.gold.values.values.tolist() == [[8, 10, 0]]
    assert [each.reason for each in task.dropped] == ["cut at the end of the text in the gold"]


def answers_free(task, *values):
    return [{"item_id": ID.format(number), f"task{task}_pred": {"A": value}} for number, value in enumerate(values)]


def gold(esa):
    return [
        esa(0, A=[(90,), (80,)]),
        esa(1, A=[(90,), (70,)]),
        esa(2, A=[(100, (1, 2, None)), (100,)]),
        esa(3, A=[(100, ("missing", "missing", "minor"))]),
    ]


def read_free(tree, gold, files, **parameters):
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
    (task,) = read_free(tree, gold(esa), {"submissions/one": answers_free(3, 1, 0, 1, 0)}, **parameters)
    assert task.gold.values.tolist() == expected
    assert task.submissions[0].values.tolist() == [1, 0, 1, 0]


def test_the_cascade_is_marked_as_derived(tree, esa):
    spans = [
        {"errors": [{"start": 0, "end": 1, "severity": how}], "omission": None, "instruction_fault": how}
        for how in ("minor", "major", "minor", "major")
    ]
    files = {
        "submissions/both": [
            {**a, **b} for a, b in zip(answers_free(2, 85, 86, 84.5, 0), answers_free(3, 0, 0, 0, 1), strict=True)
        ],
        "submissions/spans": answers_free(1, *spans),
        "submissions/undeclared": answers_free(2, 1, 2, 3, 4),
        "thresholds": [
            {"submission": "both", "threshold": 85, "inclusive": False},
            {"submission": "spans", "threshold": 98, "inclusive": True},
        ],
    }
    (task,) = read_free(tree, gold(esa), files)
    assert {each.name: each.values.tolist() for each in task.submissions} == {
        "both": [0, 0, 0, 1],
        "both (score > 85)": [0, 1, 0, 0],
        "spans (from spans, score >= 98)": [1, 0, 1, 0],
    }
    assert task.versions["spans (from spans, score >= 98)"] == "derived: from spans, score >= 98"
    assert [each.reason for each in task.dropped] == ["undeclared: no task3_pred and no declared threshold"]
    (task,) = read_free(tree, gold(esa), files, cascade="no")
    assert [each.name for each in task.submissions] == ["both"]


def test_a_pair_of_one_class_is_left_out_and_stated(tree, esa, refusal):
    other = [esa("en-mas_KE_#_news_#_x_#_1", A=[(3,)])]
    mine = [{"item_id": "en-mas_KE_#_news_#_x_#_1", "task3_pred": {"A": 0}}, *answers_free(3, 1, 0, 1, 0)]
    (task,) = read_free(tree, gold(esa) + other, {"submissions/one": mine})
    assert [(each.task, each.reason) for each in task.dropped] == [
        ("en-mas_KE", "no translation is free of errors: MCC is undefined")
    ]
    kept = read_free(tree, gold(esa) + other, {"submissions/one": mine}, one_class="keep")
    assert [each.name for each in kept] == ["eng_Latn-deu_Latn", "en-mas_KE"]
    (pooled,) = read_free(tree, gold(esa) + other, {"submissions/one": mine}, one_class="keep", by="all")
    assert (pooled.name, len(pooled.gold.ids)) == ("all language pairs", 5)
    tree({"t/gold.jsonl": as_lines(*other), "t/submissions/one.jsonl": as_lines(mine[0])})
    assert "no language pair has translations with errors and without" in refusal(wmt26_error_free(), "t")
