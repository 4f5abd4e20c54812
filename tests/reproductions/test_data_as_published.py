"""Official values of WMT20 and WMT22 from the repositories as published, through the command line."""

import csv
import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from qeframe.cli import main

PUBLISHED_NAMES = {
    "Abulice": "HW-TSC",
    "NKUA-Welocalize": "NKUA",
    "gengxiang": "NJUQE",
    "Vulcan": "Alibaba-Translate",
    "JeonghyeokPark": "papago",
}
MEASURES = {"Spearman": "spearman", "Pearson r": "pearson", "RMSE": "rmse", "MAE": "mae"}
WORD_MEASURES = {"MCC": "mcc", "Recall": "f1_bad", "Precision": "f1_ok", "Rank": "average_rank"}
TABLES = {
    "T1_da_multi_no_enyo": ("wmt22_qe_sentence_da_multilingual_wo_en_yo", "", MEASURES, 24),
    "T1_da_encs": ("wmt22_qe_sentence_da", "en-cs", MEASURES, 32),
    "T1_da_psen": ("wmt22_qe_sentence_da", "ps-en", MEASURES, 24),
    "T1_mqm_ende": ("wmt22_qe_sentence_mqm", "en-de", MEASURES, 40),
    "T1_word_encs": ("wmt22_qe_word", "en-cs", WORD_MEASURES, 16),
    "T1_word_ende": ("wmt22_qe_word", "en-de", WORD_MEASURES, 20),
}


@pytest.fixture
def result(capsys):
    """Run a profile on a folder and return the values, and the whole evaluation.json."""

    def run(profile, place, *settings):
        options = [part for setting in ("test=", "interval=", *settings) for part in ("--set", setting)]
        main(["run", profile, str(place), *options, "--json", "--quiet"])
        found = json.loads(capsys.readouterr().out)
        values = {
            (each["name"], metric, task): of_task["value"]
            for each in found["submissions"]
            for metric, score in each["scores"].items()
            for task, of_task in {"": score, **score["tasks"]}.items()
        }
        alone = list(found["tasks"])
        if len(alone) == 1:
            values |= {(name, metric, alone[0]): value for (name, metric, _), value in values.items()}
        return values, found

    return run


@pytest.mark.parametrize("table", TABLES)
def test_wmt22_qe(result, shared_data, table):
    profile, pair, measures, count = TABLES[table]
    place = shared_data("wmt22-qe-repository")
    values, _ = result(profile, place)
    with (place / "official_results.tsv").open(encoding="utf-8") as file:
        official = [row for row in csv.DictReader(file, delimiter="\t") if row["table"] == table]
    compared = 0
    for row in official:
        if row["measure"] in measures:
            name = PUBLISHED_NAMES.get(row["user"], row["user"])
            value = Decimal(row["value"])
            assert round(Decimal(values[name, measures[row["measure"]], pair]), -value.as_tuple().exponent) == value
            compared += 1
    assert compared == count


def test_wmt22_qe_pairs_of_both_golds(result, shared_data):
    _, found = result("wmt22_qe_sentence", shared_data("wmt22-qe-repository"))
    assert set(found["tasks"]) == {"en-cs", "ps-en", "en-de"}
    dropped = {(note["task"], note["what"]): note["count"] for note in found["dropped"]}
    assert dropped["multilingual_wo_en-yo", "submission"] == 6
    assert {pair for pair, what in dropped if what == "gold"} == {"en-ja", "en-mr", "en-yo", "km-en"}


def official_lines(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize("pair", ["cs-en", "km-en"])
def test_wmt20_systems(result, shared_data, pair):
    place = shared_data("wmt20-repository")
    values, found = result("wmt20_metrics_system", place, "reader=wmt20_systems(raw_row=HUMAN_RAW)")
    official = place / "results/output/system-level"
    code = pair.replace("-", "")
    without = f"{pair}-out" if f"{pair}-out" in found["tasks"] else pair
    for name, metric, task in (("", "tau_b", pair), ("-excloutl", "system_pearson", without)):
        compared = 0
        for submission, value, systems, *_ in official_lines(official / f"DA-{code}-cor{name}.csv"):
            if (submission, metric, task) in values:
                assert values[submission, metric, task] == pytest.approx(float(value), abs=1e-14)
                assert found["tasks"][task]["systems"] == int(systems)
                compared += 1
        assert compared == 5
    assert found["higher_is_better"]["tau_b"]
    out = [note for note in found["dropped"] if note["reason"].startswith("outliers")]
    assert [note["reason"] for note in out] == ["outliers: zlabs-nlp.1149, CUNI-DocTransformer.1457"]


@pytest.mark.slow
def test_wmt20_segments(result, shared_data):
    values, found = result("wmt20_metrics_segment", shared_data("wmt20-repository"))
    for pair in ("cs-en", "km-en"):
        path = shared_data("wmt20-metrics") / "official" / f"{pair.replace('-', '')}-seg-cor.csv"
        official = {name: (value, int(n)) for name, value, n in map(str.split, path.read_text().splitlines())}
        for metric in ("chrF", "TER", "parbleu"):
            value, decided = official[metric]
            assert float(f"{values[metric, 'kendall(ties=darr)', pair]:.4g}") == float(value)
            assert found["tasks"][pair]["decided"] == decided
    unassessed = {note["task"] for note in found["dropped"] if note["reason"].startswith("no assessments")}
    assert {"de-en", "zh-en", "en-de"} <= unassessed


def test_rankings_alone(capsys, shared_data, tmp_path):
    place = tmp_path / "rankings"
    place.mkdir()
    (place / "rankings.csv").write_bytes((shared_data("wmt12-metrics") / "rankings.csv").read_bytes())
    main(["run", "wmt12_metrics_segment", str(place)])
    shown = capsys.readouterr()
    assert "there is no submission to evaluate" in shown.err
    assert "11,021" in shown.out
    assert "3,787" in shown.out


LEVELS = [("sentence", "mqm/en-de"), ("sentence", "da/en-cs"), ("sentence", "da/km-en"), ("word", "word/en-de")]
LEVELS += [("word", "word/en-cs")]


@pytest.mark.slow
def test_sentences_and_words_by_one_profile(shared_data, tmp_path, capsys):
    """The profile on the page about task sets: the overall score is made of the official values of both levels."""
    page = Path("docs/how-to/rank-by-a-task-set.md").read_text()
    (rules,) = re.findall(r'```toml\n(title = "Our task: sentences and words".*?)```', page, re.DOTALL)
    (tmp_path / "levels.toml").write_text(rules)
    for level, place in LEVELS:
        folder = tmp_path / "task" / level / place.partition("/")[2]
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.symlink_to(shared_data("wmt22-qe") / place)
    main(["run", str(tmp_path / "levels.toml"), str(tmp_path / "task"), "--json", "--quiet"])
    found = json.loads(capsys.readouterr().out)
    papago = next(each for each in found["submissions"] if each["name"] == "papago")["scores"]["overall"]
    values = {name: of_part["value"] for name, of_part in papago["tasks"].items()}
    assert values["en-de spearman"] == pytest.approx(0.581532, abs=5e-7)
    assert values["en-de mcc"] == pytest.approx(0.318627, abs=5e-7)
    scaled = {name: (value + 1) / 2 for name, value in values.items()}
    means = [[value for name, value in scaled.items() if name.endswith(metric)] for metric in ("spearman", "mcc")]
    assert papago["value"] == pytest.approx(sum(sum(each) / len(each) for each in means) / 2)
    ranked = [(each["name"], each["rank_set"]) for each in found["submissions"] if not each.get("absent")]
    assert ranked[:3] == [("IST-Unbabel", [1, 2]), ("papago", [1, 2]), ("HW-TSC", [3, 3])]
    assert {part["name"]: part["samples"] for part in found["parts"]}["en-de mcc"] == ["en-de"]
