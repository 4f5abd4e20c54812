"""Reading evaluations back: the same value, or one line that names the first mistake."""

import copy
import json
import math

import attrs
import pytest

import qeframe
from qeframe.api.saved import evaluation_from_json, read_evaluation
from qeframe.cli.shared.demo_files import write_demo
from qeframe.core.errors import DataError
from tests.qeframe.core.evaluation.made_contests import made_task, profile
from tests.qeframe.core.evaluation.test_result import EVALUATION


def test_what_was_written_is_read_back(tmp_path):
    (tmp_path / "evaluation.json").write_text(EVALUATION.to_json(), encoding="utf-8")
    found = read_evaluation(tmp_path)
    assert found.to_json() == EVALUATION.to_json()
    assert read_evaluation(tmp_path / "evaluation.json").title == "Größe"
    assert found.submissions[0].scores["m"].details == {"k": 2}
    assert math.isnan(found.comparisons[0].p)
    assert math.isnan(found.comparisons[0].difference)


def test_a_whole_evaluation_is_read_back(tmp_path):
    profile, folder = write_demo("sentence", tmp_path, 1)
    text = qeframe.evaluate(profile, folder, settings=["test=", "interval="]).to_json()
    assert evaluation_from_json(text).to_json() == text


def test_what_was_asked_for_is_read_back():
    task = made_task()
    rules = attrs.evolve(profile("mae"), name="made")
    made = qeframe.evaluate(rules, [task], equivalence=0.1, detectable=True, influence=2)
    found = evaluation_from_json(made.to_json())
    assert found.to_json() == made.to_json()
    assert found.influence == made.influence
    assert found.comparisons == made.comparisons
    with pytest.raises(DataError, match=r"influence\.units: must be a whole number, not \"40\""):
        evaluation_from_json(made.to_json().replace('"units": 40', '"units": "40"'))
    with pytest.raises(DataError, match=r"comparisons\[0\]\.equivalence\.delta: must be a number or null, not true"):
        evaluation_from_json(made.to_json().replace('"delta": 0.1', '"delta": true'))


def test_what_a_profile_names_is_read_back_with_nan_for_null():
    made = attrs.evolve(EVALUATION, supplements={"wmt26_rankings": {"mean": math.nan, "rows": ({"n": 1},)}})
    found = evaluation_from_json(made.to_json())
    assert found.to_json() == made.to_json()
    assert math.isnan(found.supplements["wmt26_rankings"].pop("mean"))
    assert found.supplements == {"wmt26_rankings": {"rows": [{"n": 1}]}}


def test_unknown_keys_are_left_out():
    record = json.loads(EVALUATION.to_json())
    record["later"] = record["signature"]["later"] = 1
    assert evaluation_from_json(json.dumps(record)).to_json() == EVALUATION.to_json()


def put(record, place, value):
    *way, last = place
    for key in way:
        record = record[key]
    if value is None:
        del record[last]
    else:
        record[last] = value


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        (["title"], None, "title: 'title' is missing"),
        (["metrics"], "abc", 'metrics: must be a list, not "abc"'),
        (["metrics"], [1], "metrics: must be a word in quotes, not 1"),
        (["submissions", 0, "rank"], "1", 'submissions[0].rank: must be a whole number, not "1"'),
        (["submissions", 0, "rank"], True, "submissions[0].rank: must be a whole number, not true"),
        (["submissions", 0, "scores", "m", "value"], [], "submissions[0].scores['m'].value: must be a number or null"),
        (["submissions", 0, "kind"], "odd", "submissions[0].kind: odd"),
        (["comparisons", 0, "significant"], 1, "comparisons[0].significant: must be true or false, not 1"),
        (["submissions"], 3, "submissions: "),
        (["submissions"], [1], "submissions[0]: "),
        (["tasks"], [1], "tasks: "),
        (["signature", "seed"], None, "signature.seed: 'seed' is missing"),
    ],
)
def test_the_first_mistake_is_named_with_its_place(place, value, said):
    record = copy.deepcopy(json.loads(EVALUATION.to_json()))
    put(record, place, value)
    with pytest.raises(DataError) as raised:
        evaluation_from_json(json.dumps(record))
    message = str(raised.value)
    assert message.startswith(f"not an evaluation (written by qeframe 1.0): {said}")
    assert message.endswith("; run the evaluation again with --out")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON: "),
        ("[]", "has no signature"),
        ('{"signature": 1}', "has no signature"),
        ('{"signature": {}, "x": NaN}', "'NaN' is not a number of JSON"),
        ("[" * 100_000, "not JSON: "),
    ],
)
def test_what_is_no_evaluation_is_refused(text, said):
    with pytest.raises(DataError, match=said):
        evaluation_from_json(text)


def test_a_folder_without_a_result_is_named(tmp_path):
    with pytest.raises(DataError, match=r"the folder has no evaluation\.json; give a folder that 'qeframe run --out'"):
        read_evaluation(tmp_path)
    with pytest.raises(DataError, match="missing"):
        read_evaluation(tmp_path / "missing")
