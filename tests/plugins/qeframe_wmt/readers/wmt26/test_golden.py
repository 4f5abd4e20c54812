"""The golden cases of WMT26: campaigns as published, ids, offsets and labels."""

import json
from pathlib import Path

import numpy as np
import pytest

from qeframe.core.tasks.reading import TextFile
from qeframe_wmt.formats.json_lines import Fields
from qeframe_wmt.readers.wmt26.annotations import GoldRule
from qeframe_wmt.readers.wmt26.campaigns import read_gold
from qeframe_wmt.readers.wmt26.items import parse_annotated_item, parse_item
from qeframe_wmt.readers.wmt26.marks import Offsets, read_mark
from qeframe_wmt.readers.wmt26.scores import wmt26_systems
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
        ("screen", "a probability below 0.75: user-deu-4 (0.566)"): 16,
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
