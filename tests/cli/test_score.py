"""The command score."""

import json
from pathlib import Path

import pytest

import qeframe


def test_score(qeframe_command, files):
    assert qeframe_command("score", "spearman", "gold.txt", "a.txt", "b.txt").out == "a  0.942857\nb  0.657143\n"
    scores = json.loads(qeframe_command("score", "spearman", "gold.txt", "a.txt", "b.txt", "--json").out)
    assert scores["scores"]["a"] == pytest.approx(33 / 35)


def test_score_joins_ids_as_integers(qeframe_command, files):
    assert qeframe_command("score", "spearman", "gold_ids.txt", "ids.txt").out == "ids  0.942857\n"


def test_scores_of_single_units_are_a_plain_file_again(qeframe_command, files):
    shown = qeframe_command("score", "mae", "gold.txt", "a.txt", "--each", "unit").out
    Path("each.txt").write_text(shown)
    assert qeframe_command("score", "pearson", "each.txt", "each.txt").out == "each  1.000000\n"
    both = qeframe_command("score", "mae", "gold.txt", "a.txt", "b.txt", "--each", "unit").out
    assert [line.partition("  ")[2] for line in both.splitlines() if line.startswith("a")] == shown.splitlines()


def test_score_with_parameters_and_direction(qeframe_command, files):
    low = qeframe_command("score", "delta_avg(ties=input, signed=raw)", "gold.txt", "a.txt").out
    high = qeframe_command("score", "delta_avg", "gold.txt", "a.txt", "--best", "high").out
    assert float(low.split()[1]) < 0 < float(high.split()[1])


def test_names_that_would_harm_a_terminal(qeframe_command, task_folder):
    (task_folder / "submissions" / "good.txt").rename(task_folder / "submissions" / "\x1b[31mred.txt")
    shown = qeframe_command("score", "pearson", "task/gold.txt", "task/submissions/\x1b[31mred.txt").out
    assert shown.startswith("\\x1b[31mred  0.")


def test_an_interval_is_that_of_python(qeframe_command, files):
    gold, a = ([float(line) for line in files.joinpath(f"{name}.txt").read_text().split()] for name in ("gold", "a"))
    options = ("--interval", "bootstrap(draws=200)", "--confidence", "0.8", "--seed", "4")
    found = json.loads(qeframe_command("score", "pearson", "gold.txt", "a.txt", "b.txt", *options, "--json").out)
    expected = qeframe.score("pearson", gold, a, interval="bootstrap(draws=200)", confidence=0.8, seed=4)
    assert found["scores"]["a"] == expected.value
    assert found["intervals"]["a"] == {"low": expected.low, "high": expected.high}
    assert (found["interval"], found["confidence"], found["seed"]) == ("bootstrap(draws=200)", 0.8, 4)
    printed = qeframe_command("score", "pearson", "gold.txt", "a.txt", "b.txt", *options).out.splitlines()
    assert printed[0].split("  ") == ["submission", "pearson", " low (80 %)", "high (80 %)"]
    assert printed[1].split() == ["a", *(f"{x:.6f}" for x in (expected.value, expected.low, expected.high))]


def test_an_interval_of_too_few_units_and_of_single_units(qeframe_command, files):
    few = qeframe_command("score", "pearson", "gold.txt", "a.txt", "--interval", "default")
    assert few.out.splitlines()[1].split()[2:] == ["n/a", "n/a"]
    why = "6 units or groups: a jackknife error needs at least 7"
    assert few.err == f"qeframe: warning: a has no interval: {why}\n"
    record = qeframe_command("score", "pearson", "gold.txt", "a.txt", "--interval", "default", "--json")
    assert json.loads(record.out)["without"] == {"a": why}
    refused = qeframe_command("score", "pearson", "gold.txt", "a.txt", "--interval", "default", "--each", "unit")
    assert (refused.status, refused.out) == (2, "")
    assert "a single unit or document has no interval; leave --each or --interval out" in refused.err


@pytest.mark.parametrize("command", ["score", "compare"])
def test_the_remedy_for_missing_units_is_the_option(qeframe_command, files, command):
    files.joinpath("g.txt").write_text("".join(f"{i} {i * i}\n" for i in range(9)))
    files.joinpath("full.txt").write_text("".join(f"{i} {i % 4}\n" for i in range(9)))
    files.joinpath("few.txt").write_text("".join(f"{i} {i % 3}\n" for i in range(8)))
    refused = qeframe_command(command, "mae", "g.txt", "full.txt", "few.txt")
    assert refused.status == 2
    assert "or give --missing score_as_worst or give --missing drop_for_all to go on without it" in refused.err
    assert qeframe_command(command, "mae", "g.txt", "full.txt", "few.txt", "--missing", "drop_for_all").status == 0


def test_units_that_were_left_out_are_counted_in_words(qeframe_command, files):
    (files / "gold_ids.txt").write_text("1 0.1\n2 0.4\n3 0.3\n4 0.9\n")
    (files / "few.txt").write_text("1 0.2\n2 0.3\n")
    found = qeframe_command("score", "mae", "gold_ids.txt", "few.txt", "--missing", "drop_for_all")
    assert "qeframe: warning: 2 units: not answered by every submission" in found.err
    quiet = qeframe_command("score", "mae", "gold_ids.txt", "few.txt", "--missing", "drop_for_all", "--quiet")
    assert (quiet.status, quiet.out, quiet.err) == (0, found.out, "")


def test_scores_that_few_units_carry_are_told(qeframe_command, tmp_path):
    (tmp_path / "g.txt").write_text("".join(f"{i % 7}\n" for i in range(40)), encoding="utf-8")
    (tmp_path / "a.txt").write_text("".join(f"{i % 5 + 400 * (i == 3)}\n" for i in range(40)), encoding="utf-8")
    given = ("score", "mae", tmp_path / "g.txt", tmp_path / "a.txt", "--interval", "default")
    told = qeframe_command(*given).err
    assert told.startswith("qeframe: warning: few units carry mae of a (2 units with 0.98 of its jackknife variance)")
    few = json.loads(qeframe_command(*given, "--json").out)["few_units"]["a"]
    assert (few["units"], few["share"] > 0.9) == (2, True)


def test_the_command_gives_the_reason_beside_a_score_that_is_undefined(qeframe_command, tmp_path):
    for name, values in (("gold", range(8)), ("a", [3, 1, 2, 5, 4, 7, 6, 8]), ("const", [0.3] * 8)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{value}\n" for value in values))
    files = [tmp_path / f"{name}.txt" for name in ("gold", "a", "const")]
    shown = qeframe_command("score", "pearson", *files)
    assert "const n/a" in " ".join(shown.out.split())
    assert "warning: pearson of const is undefined: its answers are constant" in shown.err
    assert json.loads(qeframe_command("score", "pearson", *files, "--json").out)["undefined"] == {
        "const": "its answers are constant"
    }
    compared = qeframe_command("compare", "pearson", *files)
    assert "pearson of const is undefined: its answers are constant" in compared.err
