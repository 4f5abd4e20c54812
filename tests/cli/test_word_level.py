"""Word-level tasks on the command line: leaderboard, attacks, explanations, distinguish, and broken files."""

import json

import pytest

ATTACKS = ["all_bad", "all_good", "optimistic", "pessimistic", "random_tags", "tag_grammar"]
GOLD = "OK BAD OK\nOK OK\n\nBAD BAD OK OK\nOK OK OK BAD\n"


@pytest.fixture
def tagged(tmp_path, monkeypatch):
    """Write a task of tag lines with two submissions, and go to its parent."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "task"
    (folder / "submissions").mkdir(parents=True)
    (folder / "gold.tags").write_text(GOLD)
    (folder / "submissions" / "near.tags").write_text(GOLD.replace("OK OK\n", "OK BAD\n"))
    (folder / "submissions" / "far.tags").write_text(GOLD.replace("BAD", "X").replace("OK", "BAD").replace("X", "OK"))
    return folder


def test_demo_and_distinguish(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    evaluation = json.loads(qeframe_command("demo", "word", "--quiet", "--json", "--out", "made").out)
    assert evaluation["submissions"][0]["name"] == "Hazel-large"
    assert evaluation["submissions"][0]["winner"]
    assert evaluation["submissions"][-1]["kind"] == "baseline"
    command = (
        "distinguish", "qe_word", "made/task", "--by-attacks",
        "--metric", "f1_bad", "--metric", "phrase_f1_bad", "--metric", "mcc",
    )  # fmt: skip
    first, again = (qeframe_command(*command, "--json", *more) for more in ((), ("--workers", 2)))
    assert first.out == again.out
    f1_bad, phrase, mcc = json.loads(first.out)["metrics"]
    assert list(f1_bad["beaten"]) == ATTACKS
    assert all(row["total"] == sum(row["beaten"].values()) for row in (f1_bad, phrase, mcc))
    assert phrase["beaten"]["all_bad"] == 6
    assert mcc["beaten"]["all_bad"] == 0
    assert 0 < mcc["d"] <= 1
    assert mcc["groups"] == 4
    assert "total" in qeframe_command(*command).out


def test_attacks_are_marked_and_take_no_rank(qeframe_command, refused, tagged):
    plain = json.loads(qeframe_command("run", "qe_word", "task", "--json").out)
    attacked = json.loads(qeframe_command("run", "qe_word", "task", "--json", "--with-attacks").out)
    assert [s for s in attacked["submissions"] if s["kind"] != "attack"] == plain["submissions"]
    assert sorted(s["name"] for s in attacked["submissions"] if s["kind"] == "attack") == ATTACKS
    assert attacked["comparisons"] == plain["comparisons"]
    all_bad = next(s for s in attacked["submissions"] if s["name"] == "all_bad")
    assert all_bad["scores"]["mcc"]["value"] == 0
    assert all_bad["rank"] == 2, "behind near, before far"
    (tagged / "submissions" / "all_bad.tags").write_text(GOLD)
    message = refused("run", "qe_word", "task", "--with-attacks")
    assert message.endswith("has the name of the attack 'all_bad'; give the submission another name than all_bad")


@pytest.mark.parametrize("metric", ["mcc", "f1_bad"])
def test_attacks_stand_above_what_they_beat(qeframe_command, tagged, metric):
    found = json.loads(
        qeframe_command("run", "qe_word", "task", "--json", "--with-attacks", "--set", f"primary={metric}").out
    )
    values = [s["scores"][metric]["value"] for s in found["submissions"]]
    assert values == sorted(values, reverse=True)
    assert [s["rank"] for s in found["submissions"]] == sorted(s["rank"] for s in found["submissions"])


@pytest.mark.parametrize("profile", ["wmt14_qe_word", "wmt14_qe_word_level1", "wmt14_qe_word_fine"])
def test_attacks_on_more_classes(qeframe_command, tmp_path, profile):
    words = ["OK OK OK", "Word_order Fluency BAD", "Omission Accuracy BAD", "OK OK OK", "Word_order Fluency BAD"]
    gold = "".join(f"{s}.1\t{i}\tw\t" + "\t".join(w.split()) + "\n" for s in range(4) for i, w in enumerate(words))
    (tmp_path / "submissions").mkdir()
    (tmp_path / "gold.tsv").write_text(gold)
    (tmp_path / "submissions" / "a").write_text(gold.replace("0\tw\tOK\tOK\tOK", "0\tw\tOmission\tAccuracy\tBAD"))
    (tmp_path / "submissions" / "b").write_text(gold)
    attacked = json.loads(qeframe_command("run", profile, tmp_path, "--json", "--with-attacks").out)
    assert sorted(s["name"] for s in attacked["submissions"] if s["kind"] == "attack") == ATTACKS
    explained = qeframe_command("run", profile, tmp_path, "--explain").out
    assert max(map(len, explained[explained.index(" by length") :].splitlines())) <= 120
    (row, *_) = json.loads(qeframe_command("distinguish", profile, tmp_path, "--by-attacks", "--json").out)["metrics"]
    assert list(row["beaten"]) == ATTACKS


def test_explain(qeframe_command, tagged):
    plain = json.loads(qeframe_command("run", "qe_word", "task", "--json").out)
    assert all("slices" not in s["scores"]["mcc"]["details"] for s in plain["submissions"])
    result = json.loads(qeframe_command("run", "qe_word", "task", "--json", "--explain").out)
    details = next(s for s in result["submissions"] if s["name"] == "near")["scores"]["mcc"]["details"]
    assert details["confusion"] == {"OK": {"BAD": 2, "OK": 7}, "BAD": {"BAD": 4, "OK": 0}}
    assert set(details["slices"]["length"]) <= {"0", "1-10"}
    assert {unit["id"] for unit in details["worst_units"]} == {1, 3}
    text = qeframe_command("run", "qe_word", "task", "--explain").out
    for part in ("mcc by length", "mcc: confusion", "OK > BAD", "mcc: counts", "units that lower the score most"):
        assert part in text
    assert max(map(len, text[text.index("mcc by length") :].splitlines())) <= 120


def test_a_gold_without_bad_is_a_stated_result(qeframe_command, tagged):
    (tagged / "gold.tags").write_text(GOLD.replace("BAD", "OK"))
    evaluation = json.loads(qeframe_command("run", "qe_word", "task", "--json").out)
    assert {s["scores"]["mcc"]["value"] for s in evaluation["submissions"]} == {0.0}
    warned = [w for w in evaluation["warnings"] if "BAD" in w]
    assert len(warned) == 1
    files = [tagged / "gold.tags", *sorted((tagged / "submissions").iterdir())]
    for command in ("score", "compare"):
        assert "the gold has no tag BAD" in qeframe_command(command, "mcc", *files).err


def test_windows_line_ends_and_no_final_newline(qeframe_command, tagged):
    plain = json.loads(qeframe_command("run", "qe_word", "task", "--json").out)["submissions"]
    (tagged / "gold.tags").write_bytes(GOLD.replace("\n", "\r\n").rstrip().encode())
    assert json.loads(qeframe_command("run", "qe_word", "task", "--json").out)["submissions"] == plain


def test_too_few_draws_for_so_many_submissions_are_warned_of(qeframe_command, tmp_path):
    lines = GOLD.splitlines()
    for i in range(11):
        turned = lines[i % 5].replace("OK", "BAD")
        (tmp_path / f"s{i}.tags").write_text("\n".join([*lines[: i % 5], turned, *lines[i % 5 + 1 :]]) + "\n")
    (tmp_path / "gold.tags").write_text(GOLD)
    files = [tmp_path / f"s{i}.tags" for i in range(11)]
    command = ("compare", "mcc", tmp_path / "gold.tags", *files, "--test", "bootstrap(draws=1000)")
    assert "ask for at least 1100 draws" in qeframe_command(*command).err
    assert "draws" not in qeframe_command(*command, "--quiet").err
    assert "draws" not in qeframe_command(*command, "--correction", "bh").err


def test_score_of_plain_files(qeframe_command, tagged):
    assert qeframe_command("score", "f1_bad", "task/gold.tags", "task/submissions/near.tags").out == "near  0.800000\n"
