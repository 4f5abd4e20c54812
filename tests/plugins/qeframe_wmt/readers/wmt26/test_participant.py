"""A participant's day: from the input of the test set to valid submissions, the usual mistakes, and the scores."""

import json
import re
from pathlib import Path

import pytest

from tests.outcome import outcome_of
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import as_lines

HYPS = {"A": "la me \N{GRINNING FACE} ni", "B": "ba ce di"}
ICELANDIC = [f"official_###_eng_Latn_###_isl_Latn_###_social_###_d1_###_{segment}" for segment in range(4)]
IDS = [f"official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_{segment}" for segment in range(4)] + ICELANDIC
CHALLENGE = "challenge_###_en_###_de_DE_###_acme_###_d1_###_0"
TASKS = ("wmt26_task1", "wmt26_task2", "wmt26_task3")


def predict(item):
    """Mark the last word of each translation, and give the other answers by its length and the segment."""
    segment = int(item["item_id"][-1])
    marks = {
        name: [{"start": text.rindex(" ") + 1, "end": len(text), "severity": "minor", "category": None}]
        for name, text in item["hyps"].items()
    }
    return {
        "item_id": item["item_id"],
        "task1_pred": {name: {"errors": of, "omission": None, "instruction_fault": None} for name, of in marks.items()},
        "task2_pred": {name: len(text) + 10.5 * segment for name, text in item["hyps"].items()},
        "task3_pred": {name: (segment + len(text)) % 2 for name, text in item["hyps"].items()},
    }


@pytest.fixture
def predicted(tree):
    """Return the predictions for the input, which lies in this folder."""
    resources = {"screenshot": None, "asr": None}
    items = [{"item_id": key, "src": "x", "ref": None, "hyps": HYPS, "resources": resources} for key in IDS]
    items.append({"item_id": CHALLENGE, "src": "x", "ref": None, "hyps": {"X": "po ru"}})
    tree({"input.jsonl": as_lines(*items)})
    return list(map(predict, items))


@pytest.fixture
def validate(capsys):
    def run(task, content):
        Path("mine.jsonl").write_text(content if isinstance(content, str) else as_lines(*content), "utf-8")
        return outcome_of(capsys, "validate", task, "mine.jsonl", "--like", "input.jsonl")

    return run


@pytest.mark.parametrize("task", TASKS)
def test_predictions_for_the_input_are_valid(validate, predicted, task):
    outcome = validate(task, predicted)
    assert (outcome.status, outcome.err) == (0, "")
    title, _, _, _, *rows = outcome.out.splitlines()
    assert title == f"mine.jsonl is valid for {task}"
    assert [row.split()[:3] for row in rows[:3]] == [
        ["eng_Latn-deu_Latn", "mine", "8"],
        ["eng_Latn-isl_Latn", "mine", "8"],
        ["en-de_DE", "mine", "1"],
    ]


def changed(*keys, to):
    """Return a mistake: another value in the second line."""

    def make(lines):
        *above, last = keys
        place = lines[1]
        for key in above:
            place = place[key]
        place[last] = to
        return lines

    return make


MARK = ("task1_pred", "A", "errors", 0)


@pytest.mark.parametrize(
    ("task", "mistake", "message"),
    [
        (1, changed(*MARK, "end", to=11), f":2: a span from 8 to 11 for A of item '{IDS[1]}', the text has 10 char"),
        (1, changed(*MARK, "severity", to="critical"), ":2: unknown severity 'critical' in 'task1_pred.A.errors[0]."),
        (2, lambda lines: [lines[0], *lines[2:]], f": segment {IDS[1]} by A of input.jsonl:2 is missing (and 1 more)"),
        (2, lambda lines: lines[:4] + lines[8:], ": language pair 'eng_Latn-isl_Latn' of input.jsonl is missing; add"),
        (2, changed("task2_pred", to={"A": 1.5}), f":2: no prediction for the translation by 'B' of item '{IDS[1]}';"),
        (2, changed("task2_pred", "A", to="71.5"), ":2: 'task2_pred.A' is a text; give a number"),
        (2, changed("task2_pred", "A", to=float("nan")), ":2: NaN is no number of JSON; write numbers with digits"),
        (2, lambda lines: json.dumps(lines), ":1: the line is a list; every line is one JSON object"),
        (2, lambda lines: [lines[0], *lines], f":2: item '{IDS[0]}' occurs twice, first on line 1; keep one line an"),
        (
            2,
            lambda lines: "\n".join(json.dumps(line, indent=1) for line in lines),
            ": the JSON object of line 1 goes on after the line; every line is one JSON object",
        ),
        (
            2,
            lambda lines: [line | {"item_id": line["item_id"].partition("_###_")[2]} for line in lines],
            ":1: 'item_id' has 5 fields, not 6; join official or challenge, source, target",
        ),
        (
            3,
            changed("task3_pred", "A", to=True),
            ":2: 'task3_pred.A' is true; give 1 for a translation without errors, 0 for one with errors",
        ),
        (
            3,
            lambda lines: [{key: line[key] for key in ("item_id", "task2_pred")} for line in lines],
            ":1: the file has task2_pred, not task3_pred; choose the profile of the task",
        ),
        (
            3,
            lambda lines: [line | {"task3_pred": dict.fromkeys(line["task3_pred"], 0)} for line in lines],
            ": detection_mcc is undefined for these answers in eng_Latn-deu_Latn; check that they are not all the same",
        ),
    ],
)
def test_a_mistake_is_one_line(validate, predicted, task, mistake, message):
    outcome = validate(f"wmt26_task{task}", mistake(predicted))
    assert (outcome.status, outcome.out) == (2, ""), outcome
    assert re.fullmatch(r"qeframe: mine\.jsonl[^\n]+; [^\n]+\n", outcome.err), outcome.err
    assert message in outcome.err


@pytest.mark.parametrize(
    ("score", "note"),
    [
        (100.7, "noted: 1 score, beyond 0 to 100, which correlations take as they are"),
        (None, "noted: 1 score, null, filled with the mean of its system in the language pair"),
    ],
)
def test_what_is_accepted_with_a_note(validate, predicted, score, note):
    outcome = validate("wmt26_task2", changed("task2_pred", "A", to=score)(predicted))
    assert (outcome.status, outcome.out.splitlines()[-1]) == (0, note)


@pytest.mark.parametrize("task", TASKS)
def test_the_scores_on_the_data_of_2025(capsys, esa, tree, task):
    gold = [
        esa(key, text="ba ce di", A=[(99 - 9 * number,)], B=[(90 - 20 * (number % 4), (0, 1, "minor"))])
        for number, key in enumerate(f"en-de_DE_#_news_#_x_#_{number}" for number in range(12))
    ]
    inputs = [{"item_id": each["doc_id"], "hyps": each["tgt_text"]} for each in gold]
    lines = as_lines(*map(predict, inputs))
    tree({"t/gold.jsonl": as_lines(*gold), "t/submissions/mine.jsonl": lines})
    outcome = outcome_of(capsys, "run", task, "t", "--set", "test=", "--set", "interval=", "--set", "valid={}")
    assert outcome.status == 0, outcome.err
    assert "mine" in outcome.out
