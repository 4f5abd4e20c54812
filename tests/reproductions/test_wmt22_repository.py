"""Official values of WMT22 QE, of tasks 2 and 3 every one but the ranks, on the repository as published."""

import csv
import shutil
from decimal import Decimal

import pytest

USERS = {
    ("Abulice", ""): "HW-TSC",
    ("NKUA-Welocalize", ""): "NKUA",
    ("gengxiang", ""): "NJUQE",
    ("Vulcan", ""): "Alibaba-Translate",
    ("JeonghyeokPark", ""): "papago",
    ("plkumjorn", "BASELINE (OpenKiwi+LIME)"): "OrganizersBaselines Openkiwi + LIME",
    ("fblain", "BASELINE (random)"): "OrganizersBaselines Random",
    ("sggwjb", ""): "KU X Upstage",
}
SCORES = {"Spearman": "spearman", "Pearson r": "pearson", "RMSE": "rmse", "MAE": "mae"}
TAGS = {"MCC": "mcc", "Recall": "f1_bad", "Precision": "f1_ok", "Rank": "average_rank"}
WORDS = {
    "Target Recall at top-K": "token_recall_at_k(ties=last)",
    "Target AUC": "token_auroc",
    "Target AP": "token_average_precision",
}
SENTENCES = {"Sent-level Spearman": "pearson"}
ERRORS = {
    "MCC": "detection_mcc(at=gold_rate)",
    "Recall": "detection_recall(at=gold_rate)",
    "Precision": "detection_precision(at=gold_rate)",
    "Disk footprint (B)": "disk_footprint",
    "# model params": "parameters",
}
TABLES = [
    ("T1_da_multi_no_enyo", "wmt22_qe_sentence_da_multilingual_wo_en_yo", "", SCORES, 24),
    ("T1_da_encs", "wmt22_qe_sentence_da", "en-cs", SCORES, 32),
    ("T1_da_psen", "wmt22_qe_sentence_da", "ps-en", SCORES, 24),
    ("T1_mqm_ende", "wmt22_qe_sentence_mqm", "en-de", SCORES, 40),
    ("T1_word_encs", "wmt22_qe_word", "en-cs", TAGS, 16),
    ("T1_word_ende", "wmt22_qe_word", "en-de", TAGS, 20),
    ("T2_ende", "wmt22_qe_explainable", "en-de", WORDS, 12),
    ("T2_encs", "wmt22_qe_explainable", "en-cs", WORDS, 12),
    ("T2_ende", "wmt22_qe_explainable_sentence", "en-de", SENTENCES, 4),
    ("T2_encs", "wmt22_qe_explainable_sentence", "en-cs", SENTENCES, 4),
    ("T3_cons_ende", "wmt22_qe_critical_constrained", "en-de", ERRORS, 10),
    ("T3_uncons_ende", "wmt22_qe_critical_unconstrained", "en-de", ERRORS, 15),
]


@pytest.fixture
def place(shared_data):
    return shared_data("wmt22-qe-repository")


@pytest.mark.parametrize(("table", "profile", "pair", "measures", "count"), TABLES)
def test_official_values(evaluated, place, table, profile, pair, measures, count):
    values, _ = evaluated(profile, place)
    with (place / "official_results.tsv").open(encoding="utf-8") as file:
        official = [row for row in csv.DictReader(file, delimiter="\t") if row["table"] == table]
    compared = 0
    for row in official:
        if row["measure"] in measures:
            name = USERS.get((row["user"], row["run"]), row["user"])
            value = Decimal(row["value"])
            found = Decimal(values[name, measures[row["measure"]], pair])
            assert round(found, -value.as_tuple().exponent) == value, row
            compared += 1
    assert compared == count
    assert {row["measure"] for row in official} <= {*SCORES, *TAGS, *WORDS, *SENTENCES, *ERRORS}


def test_spearman_of_explained_sentences_is_another_number(evaluated, place):
    values, _ = evaluated("wmt22_qe_explainable_sentence", place)
    assert values["IST-Unbabel", "spearman", "en-de"] == pytest.approx(0.5532, abs=5e-5)


def test_other_leaderboards_and_pairs_are_counted(evaluated, place):
    _, found = evaluated("wmt22_qe_critical_constrained", place)
    (note,) = found["dropped"]
    assert (note["task"], note["count"], note["what"]) == ("unconstrained", 3, "submission")


def test_pairs_of_both_golds(evaluated, place):
    _, found = evaluated("wmt22_qe_sentence", place)
    assert set(found["tasks"]) == {"en-cs", "ps-en", "en-de"}
    dropped = {(note["task"], note["what"]): note["count"] for note in found["dropped"]}
    assert dropped["multilingual_wo_en-yo", "submission"] == 6
    assert {pair for pair, what in dropped if what == "gold"} == {"en-ja", "en-mr", "en-yo", "km-en"}


def test_a_pair_that_is_turned_round_is_read_with_a_warning(result, place, tmp_path):
    copy = tmp_path / "repository"
    shutil.copytree(place, copy)
    folder = copy / "official_submissions/task3_ced/constrained/en-de"
    (file,) = (each / "predictions.txt" for each in folder.iterdir() if each.name.startswith("IST-Unbabel"))
    before = file.read_text(encoding="utf-8")
    results = []
    for pair in ("en-de", "de-en"):
        file.write_text(before.replace("en-de\t", f"{pair}\t"), encoding="utf-8")
        results.append(result("wmt22_qe_critical_constrained", copy))
    as_published, turned = results
    assert [each["scores"] for each in as_published["submissions"]] == [
        each["scores"] for each in turned["submissions"]
    ]
    (told,) = set(turned["warnings"]) - set(as_published["warnings"])
    assert told.startswith("en-de: IST-Unbabel: its LP is de-en, the language pair turned round; it is read")
