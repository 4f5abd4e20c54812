"""Official values from the repositories of the QE tasks of 2020, 2021 and 2023 as cloned, by their profiles alone."""

import json
from collections import defaultdict

import pytest

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
def test_every_official_value(entries, result, shared_data, profile):
    expected = [entry for entry in entries[profile] if "trap" not in entry]
    found = result(profile, shared_data(expected[0]["data"]), "test=", "interval=")
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


def means_in(found):
    """Return the mean score of each metric and system, by task."""
    scores = {each["name"]: each["scores"]["system_tau_b"] for each in found["submissions"]}
    by_task = {name: score["tasks"] or dict.fromkeys(found["tasks"], score) for name, score in scores.items()}
    return {(name, task): each["details"]["means"] for name, of in by_task.items() for task, each in of.items()}


def test_means_of_challenge_sets(entries, evaluated, shared_data):
    place = shared_data("wmt25-challenge-sets")
    of_segments, of_systems = (
        means_in(evaluated("wmt25_challenge_sets", place, *settings)[1]) for settings in ((), ("level=sys",))
    )
    for entry in entries["wmt25_challenge_sets"]:
        task = f"{entry['set'].removeprefix('challenge_')} {entry['pair']}"
        column = int(entry["system"].removeprefix("hyp").removeprefix("-")) - 1
        if entry["metric"] == "mean of segment scores":
            assert of_segments[entry["submission"], task][column] == pytest.approx(entry["value"], rel=1e-9), entry
            continue
        assert of_systems[entry["submission"], task][column] == entry["value"], entry
        if entry["is_mean"]:
            mean = of_segments[entry["submission"], task][column]
            assert mean == pytest.approx(entry["value"], abs=1e-6), entry  # a mean of scores of more digits
    assert len(entries["wmt25_challenge_sets"]) == 174


def test_means_of_mslc(entries, evaluated, shared_data):
    means = means_in(evaluated("mslc23", shared_data("mslc-2023"))[1])
    for entry in entries["mslc23"]:
        found = means[entry["submission"], entry["pair"]][ord(entry["letter"]) - ord("A")]
        assert found == pytest.approx(entry["value"], rel=1e-9), entry
    assert len(entries["mslc23"]) == 84


MSLC_A = {
    "YiSi-1": (0.997917, 0.997917, 1),
    "BERTScore": (0.993750, 0.993750, 1),
    "chrF": (0.962500, 0.962500, 1),
    "COMETKiwi22": (0.925000, 0.925000, 0.866667),
    "mr7.2.1": (0.904167, 0.916667, 1),
    "MetricX-25": (0.537500, 0.537500, 0.200000),
    "UvA-MT": (0.470833, 0.470833, -0.200000),
}
"""Accuracy with ties as wrong, as half, and tau-b of the means with the levels, on the six systems of mslc-a."""
MSLC_B1 = {"YiSi-1": 18, "BERTScore": 18, "chrF": 18, "COMETKiwi22": 1, "mr7.2.1": 18, "MetricX-25": 2, "UvA-MT": 1}
"""Of 18 segments, those in which mixed languages are above the wrong one."""
MSLC_2023 = {
    "BLEU-refA": (0.838239, 0.969697),
    "chrF-refA": (0.871703, 0.939394),
    "COMET-refA": (0.878788, 0.969697),
    "YiSi-1-refA": (0.911162, 0.969697),
    "CometKiwi-src": (0.885328, 0.939394),
    "XCOMET-Ensemble-refA": (0.576521, 0.424242),
    "GEMBA-MQM-src": (0.098648, 0.454545),
}
"""Accuracy with ties as wrong, and tau-b of the means with the levels."""
ORDER = ("acc_eq(epsilon=0)", "acc_eq(ties=accuracy_half, epsilon=0)", "system_tau_b")


def test_the_known_order_of_systems(evaluated, shared_data):
    values, _ = evaluated("wmt25_challenge_sets", shared_data("wmt25-challenge-sets"))
    for name, expected in MSLC_A.items():
        assert [values[name, metric, "mslc-a ja-zh_CN"] for metric in ORDER] == pytest.approx(expected, abs=5e-7), name
    for name, right in MSLC_B1.items():
        assert values[name, ORDER[0], "mslc-b1 ja-zh_CN"] == pytest.approx(right / 18), name
    values, _ = evaluated("mslc23", shared_data("mslc-2023"))
    for name, (accuracy, tau) in MSLC_2023.items():
        assert values[name, ORDER[0], ""] == pytest.approx(accuracy, abs=5e-7), name
        assert values[name, ORDER[2], ""] == pytest.approx(tau, abs=5e-7), name
