"""The golden cases of WMT26: campaigns as published, ids, offsets and labels."""

import json
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.data.reading import TextFile
from qeframe.data.text_lines import read_text_lines
from qeframe_wmt.formats.json_lines import Fields
from qeframe_wmt.readers.wmt26.annotations import GoldRule
from qeframe_wmt.readers.wmt26.campaigns import read_gold
from qeframe_wmt.readers.wmt26.items import parse_annotated_item, parse_item
from qeframe_wmt.readers.wmt26.marks import Offsets, read_mark
from qeframe_wmt.readers.wmt26.predictions import marked_texts, read_predictions, read_test_set, scores
from qeframe_wmt.readers.wmt26.scores import wmt26_systems
from qeframe_wmt.readers.wmt26.single_translations import wmt26_error_free
from tests.plugins.qeframe_wmt.readers.wmt26.conftest import ID, as_lines
from tests.plugins.qeframe_wmt.readings import refused

GOLDEN = Path(__file__).parent / "golden"
ANNOTATIONS = GOLDEN / "01-annotations.json"


def golden(name):
    return json.loads((GOLDEN / name).read_text("utf-8"))


EXPECTED = golden("01-expected.json")


def pair_of(campaign):
    return campaign.removesuffix(" v3").replace("---", "-")


def fields(**values):
    return Fields(TextFile(Path("x.json"), (), ""), 1, values)


@pytest.fixture(scope="module")
def gold():
    return read_gold(ANNOTATIONS, GoldRule(least_probability=0.75, displayed_only=False))


@pytest.mark.parametrize("campaign", EXPECTED["lines"])
def test_every_step_is_counted(gold, campaign):
    assert gold.counts[pair_of(campaign)] == {
        "lines": EXPECTED["lines"][campaign],
        "screens": EXPECTED["lines_after_reset_and_content"][campaign],
        "scored_screens": EXPECTED["lines_after_filter"][campaign],
    }


def test_what_is_left_out_names_the_reason_and_the_annotator(gold):
    of_pair = {(what, why): count for (pair, what, why), count in gold.left_out.items() if pair == "eng_Latn-deu_Latn"}
    assert of_pair == {
        ("screen", "before a reset: user-deu-0 (2)"): 2,
        ("screen", "a tutorial: user-deu-0 (1)"): 1,
        ("screen", "an attention check: user-deu-0 (1)"): 1,
        ("screen", "without an id of its item: user-deu-1 (1)"): 1,
        ("screen", "a probability below 0.75: user-deu-4 (0.5663)"): 16,
    }
    assert gold.left_out["eng_Latn-sme_Latn", "language pair", "no screen with scores"] == 1


@pytest.mark.parametrize("campaign", EXPECTED["annotators"])
def test_the_filter_of_annotators(gold, campaign):
    found = gold.annotators[pair_of(campaign)]
    assert set(found) == set(EXPECTED["annotators"][campaign])
    for user, expected in EXPECTED["annotators"][campaign].items():
        near = None if expected["probability"] is None else pytest.approx(expected["probability"], rel=1e-13)
        assert found[user].probability == near
        assert (found[user].screens, found[user].excluded) == (expected["screens"], expected["excluded"])


def means(**parameters):
    return {
        task.name: {each.name: np.nanmean(each.values) for each in task.submissions}
        for task in wmt26_systems(**parameters).read(ANNOTATIONS, "high")
    }


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"least_probability": 0.0}, EXPECTED["means_on_unfiltered"]),
        ({"least_probability": 0.75, "displayed_only": "yes"}, EXPECTED["means_on_filtered_displayed_only_as_in_07"]),
        (
            {"least_probability": 0.75},
            {
                name: {each["system"]: each["mean"] for each in of["systems"]}
                for name, of in EXPECTED["02b_on_filtered"].items()
                if "systems" in of
            },
        ),
    ],
)
def test_means_of_systems(parameters, expected):
    found = means(**parameters)
    assert found == {pair_of(name): pytest.approx(of) for name, of in expected.items() if of}


def test_numbers_of_items():
    (german, vietnamese) = wmt26_systems(least_probability=0.75).read(ANNOTATIONS, "high")
    for task, campaign in ((german, "eng_Latn---deu_Latn v3"), (vietnamese, "ces_Latn---vie_Latn v3")):
        expected = {each["system"]: each["items"] for each in EXPECTED["02b_on_filtered"][campaign]["systems"]}
        assert {each.name: int((~np.isnan(each.values)).sum()) for each in task.submissions} == expected


def test_the_user_is_told_of_scores_that_were_not_displayed_and_of_another_order():
    (german, vietnamese) = wmt26_systems(least_probability=0.75).read(ANNOTATIONS, "high")
    assert vietnamese.remarks[0].startswith(f"{EXPECTED['scores_of_systems_not_displayed']} scores are of systems that")
    (order,) = german.remarks
    assert order.startswith("without the filter, which leaves out user-deu-4, the order of the means is Human (post")
    assert order.endswith("; it differs in the places of Human (postediting), Alder 9B, Cedar Pro, Birch")


@pytest.mark.parametrize("case", golden("03-ids.json"), ids=lambda case: case["prediction_item_id"])
def test_the_three_forms_of_an_id(case):
    source, target = case["campaign"].removesuffix(" v3").split("---")
    annotated = parse_annotated_item(fields(item_id=case["annotation_item_id"]), (source, target))
    assert annotated == parse_item(fields(item_id=case["prediction_item_id"]), "item_id")
    assert annotated.document == case["testset_doc_id"]
    assert annotated.key.rpartition("_")[2] == str(case["segment"])


@pytest.mark.parametrize("case", golden("04-offsets.json"), ids=lambda case: ascii(case["text"]))
def test_offsets_become_code_points(case):
    offsets = Offsets(case["text"])
    assert (len(case["text"]), offsets.length) == (case["code_points"], case["utf16_units"])
    for mark in case["marks"]:
        found = read_mark(
            fields(start_i=mark["start_i"], end_i=mark["end_i"], severity="minor"), offsets, tokens=True, beyond="error"
        )
        expected = mark["half_open_code_points_or_token"]
        assert ([found.start, found.end] if found.on == "text" else found.on) == expected


@pytest.mark.parametrize(
    ("text", "start", "end", "why"),
    [
        ("la 😀 me", 3, 3, "between the halves of a character"),
        ("la 😀 me", 4, 5, "between the halves of a character"),
        ("la 😀 me", 5, 8, "the text has 8 units of UTF-16"),
        ("la me", 4, 5, "the text has 5 units of UTF-16"),
        ("la me", 7, 7, "the text has 5 units of UTF-16"),
    ],
)
def test_offsets_that_cannot_be_of_the_text_are_refused(text, start, end, why):
    mark = fields(start_i=start, end_i=end, severity="minor")
    assert why in refused(read_mark, mark, Offsets(text), tokens=True, beyond="error")


@pytest.mark.parametrize("case", golden("05-error-free.json"), ids=str)
def test_error_free(tree, case):
    shown = {"item_id": "news_###_d1_###_0", "src": "x", "tgt": {"A": "01234567"}}
    annotation = {"score": case["score"], "error_spans": case["error_spans"]}
    screen = {"annotation": [{"A": annotation}], "item": [shown], "user_id": "ann"}
    predicted = {"item_id": ID.format(0), "task3_pred": {"A": 1}}
    tree(
        {
            "t/annotations.json": json.dumps({"eng_Latn---deu_Latn v3": [screen]}),
            "t/submissions/one.jsonl": as_lines(predicted),
        }
    )
    (task,) = wmt26_error_free(one_class="keep").read(Path("t"), "high")
    assert task.gold.values.tolist() == [case["label"]]


FORMS = {
    case["case"]: case["line"] for case in map(json.loads, (GOLDEN / "06-predictions.jsonl").read_text().splitlines())
}


def predicted(tree, *lines):
    tree({"one.jsonl": as_lines(*lines)})
    return read_predictions(read_text_lines("one.jsonl", texts=True))


def test_published_forms_of_predictions(tree):
    both = predicted(tree, FORMS["both_tasks"])
    assert both.tasks == ("task1_pred", "task2_pred")
    ((marked,),) = (marked_texts(both).values.values(),)
    assert (marked.spans, marked.omission) == (((0, 2, "major", "accuracy/addition"),), "minor")
    assert list(scores(predicted(tree, FORMS["task2_alone"])).values.values()) == [60.0]
    challenge = predicted(tree, FORMS["challenge"])
    assert [(item.part, item.pair) for item, _ in challenge.items] == [("challenge", "en-de_DE")]


def test_a_null_score_is_the_mean_of_its_system_in_the_language_pair(tree):
    other = json.loads(json.dumps(FORMS["task2_alone"]).replace("1162", "1163"))
    answers = scores(predicted(tree, FORMS["null_score"], other), "any", "mean")
    assert list(answers.values.values()) == [60.0, 60.0]
    assert list(answers.left_out.values()) == [1]
    alone = predicted(tree, FORMS["null_score"])
    assert "every score of 'Alder 9B' in eng_Latn-deu_Latn is null" in refused(scores, alone, "any", "mean")
    assert "is null" in refused(scores, alone)


def test_a_span_without_a_character(tree):
    given = predicted(tree, FORMS["zero_length_span"])
    assert [marked.spans for marked in marked_texts(given).values.values()] == [((3, 3, "minor", "x"),)]
    dropped = marked_texts(given, "drop")
    assert [marked.spans for marked in dropped.values.values()] == [()]
    assert dropped.left_out == {("span", "without a character"): 1}


def test_a_score_beyond_100_is_noted(tree):
    answers = scores(predicted(tree, FORMS["score_beyond_100"]), "any")
    assert list(answers.values.values()) == [100.7]
    assert answers.beyond == 1


def test_resources_are_passed_over(tree):
    tree({"input.jsonl": (GOLDEN / "06-input-with-resources.jsonl").read_text()})
    test_set = read_test_set(read_text_lines("input.jsonl", texts=True))
    assert list(test_set.values.values()) == ["la me ni"]


def sparse(tree, times):
    """Lay out the sparse scores, each item several times under ids of its own."""
    screens, lines = [], []
    for number in range(times):
        for row in golden("07-sparse-scores.json")["rows"]:
            item = f"news_###_d{number}_###_{row['item']}"
            annotation = {name: {"score": score, "error_spans": []} for name, score in row["gold"].items()}
            shown = {"item_id": item, "src": "x", "tgt": dict.fromkeys(row["gold"], "x")}
            screens.append({"annotation": [annotation], "item": [shown], "user_id": "ann"})
            lines.append({"item_id": f"official_###_a_###_b_###_{item}", "task2_pred": row["prediction"]})
    tree({"t/annotations.json": json.dumps({"a---b v3": screens}), "t/submissions/one.jsonl": as_lines(*lines)})


@pytest.mark.filterwarnings("ignore::qeframe.errors.ResultWarning")
def test_scores_of_three_of_four_systems_are_refused_below_ten_common_items(tree):
    sparse(tree, 1)
    message = refused(qeframe.evaluate, "wmt26_task2", "t")
    assert "6 of 6 pairs of systems have fewer than 10 common items" in message
    sparse(tree, 4)
    (scored,) = qeframe.evaluate("wmt26_task2", "t").submissions
    assert 0 < scored.scores["overall"].value < 1
    (scored,) = qeframe.evaluate("wmt26_task2_pearson", "t").submissions
    assert -1 < scored.scores["overall"].value < 1
