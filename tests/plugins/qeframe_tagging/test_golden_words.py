"""The 24 checked word-level cases, every value of them."""

import math

import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.tags.batch import Tags
from qeframe_tagging import confusion, mcc, sentence_correlations

CASES = [f"w{number:02}" for number in range(1, 25)]
NAMES = {
    "F1-BAD": "f1_bad",
    "F1-OK": "f1_ok",
    "F1-mult": "f1_mult",
    "F1-weighted": "f1_weighted",
    "MCC": "mcc",
    "SeqCor": "seqcor",
    "seqcor_exact_matching": "seqcor(matching=exact)",
    "phr-F1-BAD": "phrase_f1_bad",
    "phr-F1-OK": "phrase_f1_ok",
    "phr-F1-mult": "phrase_f1_mult",
}
APART = {"confusion_bad(tp,fp,fn,tn)", "seqcor_sentences"}


def words(side):
    return [[{"O": "OK", "B": "BAD"}[letter] for letter in sentence] for sentence in side]


def case_of(cases, number):
    assert len(cases) == len(CASES)
    (case,) = (case for case in cases if case["id"].startswith(number))
    return words(case["input"]["gold"]), words(case["input"]["pred"]), case["expected"]


def name_of(key):
    stem, _, reading = key.partition("/")
    return NAMES[stem] + (f"(reading={reading})" if reading else "")


@pytest.mark.parametrize("number", CASES)
def test_scores(cases_of, measure, number):
    gold, predicted, expected = case_of(cases_of("word_metrics"), number)
    if "raises" in expected:
        with pytest.raises(ValueError, match=expected["message"]) as caught:
            Tags.from_plain(gold, predicted)
        assert isinstance(caught.value, DataError)
        return
    compared = 0
    for key, value in expected["value"].items():
        if key not in APART:
            wanted = math.nan if value == "NaN" else value
            assert measure(name_of(key), gold, predicted) == pytest.approx(wanted, abs=1e-12, nan_ok=True), key
            compared += 1
    assert compared >= 16


@pytest.mark.parametrize("number", [number for number in CASES if number not in {"w12", "w13"}])
def test_counts_and_sentences(cases_of, number):
    gold, predicted, expected = case_of(cases_of("word_metrics"), number)
    batch = Tags.from_plain(gold, predicted)
    cells = confusion(batch).sum(axis=0)
    counts = [cells[1, 1], cells[0, 1], cells[1, 0], cells[0, 0]]
    assert counts == expected["value"]["confusion_bad(tp,fp,fn,tn)"]
    wanted = [math.nan if value is None else value for value in expected["value"]["seqcor_sentences"]]
    assert sentence_correlations(batch) == pytest.approx(wanted, abs=1e-12, nan_ok=True)


def test_the_public_door(cases_of):
    gold, predicted, expected = case_of(cases_of("word_metrics"), "w21")
    assert qeframe.score(mcc, gold, predicted) == pytest.approx(expected["value"]["MCC"], abs=1e-12)


def test_worked_example_of_the_conventions(measure):
    gold, predicted = [[1] * 60 + [0] * 940], [[1] * 30 + [0] * 30 + [1] * 40 + [0] * 900]
    printed = {"mcc": 0.425784, "f1_bad": 0.461538, "f1_ok": 0.962567, "f1_mult": 0.444262, "f1_weighted": 0.932505}
    for name, value in printed.items():
        assert round(measure(name, gold, predicted), 6) == value
    assert measure("f1_weighted(classes=non_ok)", gold, predicted) == measure("f1_bad", gold, predicted)


@pytest.mark.parametrize(
    ("gold", "predicted", "value"), [("11000111", "10001111", 0.7333), ("111", "111", 0.5), ("11111", "11011", None)]
)
def test_seqcor_checks_of_the_conventions(measure, gold, predicted, value):
    score = measure("seqcor", [list(map(int, gold))], [list(map(int, predicted))])
    # one gold run, two predicted ones of its class and one of the other: 2 of 5 matched, a third for the span counts
    assert round(score, 4) == (value if value is not None else round(0.5 * 2 / 5 / 3, 4))


def test_the_phrase_readings_of_the_conventions(measure):
    gold, predicted = ([[int(tag == "0") for tag in side]] for side in ("1100001011", "1110000011"))
    printed = {
        "symmetric": (0.8358, 0.7407, 0.6191, 0.667),
        "literal": (1.1667, 0.8, 0.9333, 1.333),
        "softconf": (0.7368, 0.7619, 0.5614, 0.571),
    }
    for reading, (bad, ok, product, all_bad) in printed.items():
        assert measure(f"phrase_f1_bad(reading={reading})", gold, predicted) == pytest.approx(bad, abs=5e-5)
        assert measure(f"phrase_f1_ok(reading={reading})", gold, predicted) == pytest.approx(ok, abs=5e-5)
        assert measure(f"phrase_f1_mult(reading={reading})", gold, predicted) == pytest.approx(product, abs=5e-5)
        assert measure(f"phrase_f1_bad(reading={reading})", gold, [[1] * 10]) == pytest.approx(all_bad, abs=5e-4)
