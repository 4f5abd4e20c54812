"""WMT20 from its repository as published, rankings alone, and two levels of WMT22 in one task set."""

import re
from pathlib import Path

import pytest

from qeframe.cli import main


def official_lines(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize("pair", ["cs-en", "km-en"])
def test_wmt20_systems(evaluated, shared_data, pair):
    place = shared_data("wmt20-repository")
    values, found = evaluated("wmt20_metrics_system", place, "reader=wmt20_systems(raw_row=HUMAN_RAW)")
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
def test_wmt20_segments(evaluated, shared_data):
    values, found = evaluated("wmt20_metrics_segment", shared_data("wmt20-repository"))
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
def test_sentences_and_words_by_one_profile(result, shared_data, tmp_path):
    """The profile on the page about task sets: the overall score is made of the official values of both levels."""
    page = Path("docs/how-to/rank-by-a-task-set.md").read_text()
    (rules,) = re.findall(r'```toml\n(title = "Our task: sentences and words".*?)```', page, re.DOTALL)
    (tmp_path / "levels.toml").write_text(rules)
    for level, place in LEVELS:
        folder = tmp_path / "task" / level / place.partition("/")[2]
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.symlink_to(shared_data("wmt22-qe") / place)
    found = result(str(tmp_path / "levels.toml"), tmp_path / "task")
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
