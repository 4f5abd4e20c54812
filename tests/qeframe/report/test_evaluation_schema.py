"""The JSON Schema of ``evaluation.json``: results keep it, and it names their keys."""

import json

import attrs
import pytest

import qeframe
from qeframe.core.findings import AttackGain, Comparison, Entered, InfluentialUnit, ValidPlace
from qeframe.core.result import (
    FORMAT,
    Evaluation,
    PartScore,
    Result,
    ScoredPart,
    ScoredSubmission,
    Signature,
    ValidRules,
)
from qeframe.core.task import Dropped, Input, LeftOut, Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.report import evaluation_schema
from tests.schema import check_schema

CLASSES = (
    *(Comparison, Dropped, Input, LeftOut, PartScore, Result, ScoredPart, ScoredSubmission, Signature),
    *(ValidRules, Entered, ValidPlace, InfluentialUnit, AttackGain),
)


@pytest.fixture(scope="module")
def evaluation():
    gold = [0.1, 0.5, 0.4, 0.9, 0.3, 0.7]
    scores = {"one": [0.2, 0.5, 0.3, 0.8, 0.4, 0.6], "two": [0.9, 0.1, 0.6, 0.5, 0.4, 0.2]}
    batches = {Submission(name): Scores.from_plain(gold, given) for name, given in scores.items()}
    return qeframe.evaluate("qe_sentence", Task(name="a", batches=batches))


def test_the_schema_names_every_key():
    schema = evaluation_schema()
    assert schema["properties"]["format"] == {"const": FORMAT, "description": "The version of this schema."}
    keys = {field.name for field in attrs.fields(Evaluation)}
    assert set(schema["properties"]) == keys | {"format", "task_order"}
    for kind in CLASSES:
        named = set(schema["$defs"][kind.__name__]["properties"])
        assert {field.name for field in attrs.fields(kind)} <= named, kind


def test_a_result_keeps_the_schema(evaluation):
    check_schema(json.loads(evaluation.to_json()))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": 2}, "$.format"),
        ({"warnings": "none"}, "$.warnings"),
        ({"another": 1}, "$: Additional properties"),
        ({"tasks": {"a": {"segments": "6"}}}, "$.tasks.a.segments"),
    ],
)
def test_another_file_does_not(evaluation, change, place):
    with pytest.raises(AssertionError) as error:
        check_schema(json.loads(evaluation.to_json()) | change)
    assert place in str(error.value)
