"""Official values from the repositories of the QE tasks of 2020, 2021 and 2023 as cloned, by their profiles alone."""

import json
from collections import defaultdict

import pytest

from qeframe.cli import main

PROFILES = {
    "wmt20_qe_sentence": 9,
    "wmt21_qe_sentence": 24,
    "wmt21_qe_hter": 24,
    "wmt21_qe_word": 8,
    "wmt21_qe_word_source": 8,
    "wmt21_qe_word_gaps": 8,
    "wmt21_qe_critical": 12,
    "wmt23_qe_sentence": 42,
    "wmt23_qe_word": 28,
    "wmt23_qe_span": 30,
    "wmt23_qe_hallucination": 14,
}
"""The number of official values of each, but for those that must not come out."""
OUR_NAMES = {
    "wmt21_qe_critical": {
        "mcc": "detection_mcc",
        "f1_err": "detection_f1",
        "f1_not": "detection_f1(of=negative)",
        "f1_mult": "detection_f1(of=product)",
    },
    "wmt23_qe_hallucination": {"recall_at_n": "detection_recall(at=gold_rate)"},
    "wmt23_qe_span": {
        "span_f1": "span_f1(rule=2023)",
        "span_precision": "span_precision(rule=2023)",
        "span_recall": "span_recall(rule=2023)",
    },
}


@pytest.fixture(scope="module")
def entries(shared_data):
    by_profile = defaultdict(list)
    golden = shared_data("../golden/published_layouts.json")
    for entry in json.loads(golden.read_text(encoding="utf-8"))["entries"]:
        by_profile[entry["profile"]].append(entry)
    return by_profile


@pytest.mark.parametrize("profile", PROFILES)
def test_every_official_value(entries, shared_data, capsys, profile):
    expected = [entry for entry in entries[profile] if "trap" not in entry]
    main(["run", profile, str(shared_data(expected[0]["data"])), "--json", "--quiet"])
    found = json.loads(capsys.readouterr().out)
    scores = {each["name"]: each["scores"] for each in found["submissions"]}
    compared = 0
    for entry in expected:
        metric = OUR_NAMES.get(profile, {}).get(entry["metric"], entry["metric"])
        score = scores[entry["submission"]][metric]
        value = score["tasks"].get(entry["pair"], score)["value"]
        if entry["value"] is None:
            assert value is None, entry
        else:
            assert value == pytest.approx(entry["value"], rel=1e-9, abs=1e-12), entry
            if entry["printed"] is not None and entry["digits"] != "full":
                assert f"{value:.4}" == entry["printed"], entry
        compared += 1
    assert compared == PROFILES[profile]
    if profile.startswith("wmt23") and profile != "wmt23_qe_hallucination":
        listed = {note["task"]: note["count"] for note in found["dropped"] if "hallucinations" in note["reason"]}
        assert listed == ({"zh-en": 13} if profile == "wmt23_qe_span" else {"en-de": 10, "en-mr": 86})
