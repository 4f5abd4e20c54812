"""Every official value of WMT22 QE tasks 2 and 3 but the ranks, each by one run on the repository as published."""

import csv
import json
import shutil
from decimal import Decimal
from functools import cache

import pytest

from qeframe.cli import main

USERS = {
    ("Abulice", ""): "HW-TSC",
    ("plkumjorn", "BASELINE (OpenKiwi+LIME)"): "OrganizersBaselines Openkiwi + LIME",
    ("fblain", "BASELINE (random)"): "OrganizersBaselines Random",
    ("sggwjb", ""): "KU X Upstage",
}
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
    ("T2_ende", "wmt22_qe_explainable", "en-de", WORDS, 12),
    ("T2_encs", "wmt22_qe_explainable", "en-cs", WORDS, 12),
    ("T2_ende", "wmt22_qe_explainable_sentence", "en-de", SENTENCES, 4),
    ("T2_encs", "wmt22_qe_explainable_sentence", "en-cs", SENTENCES, 4),
    ("T3_cons_ende", "wmt22_qe_critical_constrained", "en-de", ERRORS, 10),
    ("T3_uncons_ende", "wmt22_qe_critical_unconstrained", "en-de", ERRORS, 15),
]


@pytest.fixture
def run(capsys, shared_data):
    """Run a profile and return each value by submission, what it is, and language pair."""

    @cache
    def values(profile):
        place = str(shared_data("wmt22-qe-repository"))
        main(["run", profile, place, "--set", "test=", "--set", "interval=", "--json", "--quiet"])
        found = json.loads(capsys.readouterr().out)
        pairs = list(found["tasks"])
        named = {}
        for each in found["submissions"]:
            for metric, score in each["scores"].items():
                of_tasks = score["tasks"] or {pairs[0]: score}
                named |= {(each["name"], metric, pair): of_task["value"] for pair, of_task in of_tasks.items()}
            for pair, stated in each["stated"].items():
                named |= {(each["name"], what, pair): value for what, value in stated.items()}
        return named

    return values


@pytest.mark.parametrize(("table", "profile", "pair", "measures", "count"), TABLES)
def test_official_values(run, shared_data, table, profile, pair, measures, count):
    values = run(profile)
    with (shared_data("wmt22-qe-repository") / "official_results.tsv").open(encoding="utf-8") as file:
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
    assert {row["measure"] for row in official} <= {*WORDS, *SENTENCES, *ERRORS, "Rank"}


def test_spearman_of_explained_sentences_is_another_number(run):
    found = run("wmt22_qe_explainable_sentence")["IST-Unbabel", "spearman", "en-de"]
    assert found == pytest.approx(0.5532, abs=5e-5)


def test_other_leaderboards_and_pairs_are_counted(capsys, shared_data):
    place = str(shared_data("wmt22-qe-repository"))
    main(["run", "wmt22_qe_critical_constrained", place, "--set", "test=", "--set", "interval=", "--json", "--quiet"])
    (note,) = json.loads(capsys.readouterr().out)["dropped"]
    assert (note["task"], note["count"], note["what"]) == ("unconstrained", 3, "submission")


def test_a_pair_that_is_turned_round_is_read_with_a_warning(shared_data, tmp_path, capsys):
    copy = tmp_path / "repository"
    shutil.copytree(shared_data("wmt22-qe-repository"), copy)
    folder = copy / "official_submissions/task3_ced/constrained/en-de"
    (file,) = (each / "predictions.txt" for each in folder.iterdir() if each.name.startswith("IST-Unbabel"))
    before = file.read_text(encoding="utf-8")
    results = []
    for pair in ("en-de", "de-en"):
        file.write_text(before.replace("en-de\t", f"{pair}\t"), encoding="utf-8")
        main(["run", "wmt22_qe_critical_constrained", str(copy), "--json", "--quiet"])
        results.append(json.loads(capsys.readouterr().out))
    as_published, turned = results
    assert [each["scores"] for each in as_published["submissions"]] == [
        each["scores"] for each in turned["submissions"]
    ]
    (told,) = set(turned["warnings"]) - set(as_published["warnings"])
    assert told.startswith("en-de: IST-Unbabel: its LP is de-en, the language pair turned round; it is read")
