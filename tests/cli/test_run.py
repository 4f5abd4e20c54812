"""``qeframe run``: results, what-if, files, and every kind of bad input."""

import json
import os
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.report.folders.result_folder import ResultFolder

FILES = {"evaluation.json", "scores.tsv", "comparisons.tsv", "leaderboard.md", "leaderboard.tex"}


def test_leaderboard(qeframe_command, task_folder):
    outcome = qeframe_command("run", "qe_sentence", "task")
    assert outcome.status == 0
    ranked = [line for line in outcome.out.splitlines() if line.lstrip()[:1].isdigit()]
    assert [next(name for name in ("good", "fair", "flat") if name in line) for line in ranked] == [
        "good",
        "fair",
        "flat",
    ]
    assert "n/a" in outcome.out, "a constant prediction has no correlation"
    assert outcome.err.splitlines() == [
        "qeframe: warning: 2 of 3 pairs cannot be tested and do not count in the correction: there is no score of flat",
        "qeframe: warning: 'jackknife_and_exchange': 6 units are too few for the jackknife: all exchanges of the units "
        "were enumerated instead",
        "qeframe: warning: pearson of flat is undefined: "
        "the metric does not say why; often answers or gold are constant, no pair is decided, or units are too few",
        "qeframe: warning: no interval of pearson, spearman, mae and 1 other for fair, good, flat: 6 units or groups: "
        "a jackknife error needs at least 7",
    ]


def test_json_is_the_file(qeframe_command, task_folder, tmp_path):
    outcome = qeframe_command("run", "qe_sentence", "task", "--json", "--out", "out", "--seed", 3)
    assert outcome.out == (tmp_path / "out" / "evaluation.json").read_text()
    assert {path.name for path in (tmp_path / "out").iterdir()} >= FILES
    evaluation = json.loads(outcome.out)
    assert [s["name"] for s in evaluation["submissions"]] == ["good", "fair", "flat"]
    assert [s["rank"] for s in evaluation["submissions"]] == [1, 2, 3]
    assert evaluation["submissions"][2]["scores"]["pearson"]["value"] is None
    assert evaluation["signature"]["seed"] == 3
    assert len(evaluation["comparisons"]) == 3


def test_same_bytes_for_a_seed_whatever_the_workers(qeframe_command, task_folder):
    first = qeframe_command("run", "qe_sentence", "task", "--json", "--seed", 5)
    again = qeframe_command("run", "qe_sentence", "task", "--json", "--seed", 5, "--workers", 3)
    other = qeframe_command("run", "qe_sentence", "task", "--json", "--seed", 6)
    assert first.out == again.out
    assert first.out != other.out


def test_what_if(qeframe_command, task_folder):
    changed = qeframe_command(
        "run", "qe_sentence", "task", "--json", "--set", "primary=delta_avg", "--set", "test=randomization", "--set",
        "ties=input", "--set", "alpha=.01",
    )  # fmt: skip
    evaluation = json.loads(changed.out)
    assert evaluation["primary"] == "delta_avg(ties=input)"
    assert evaluation["signature"]["changed"] == {
        "primary": "delta_avg",
        "test": "randomization",
        "ties": "input",
        "alpha": ".01",
    }
    assert "set:ties=input" in evaluation["signature"]["text"]
    assert {c["test"] for c in evaluation["comparisons"]} == {"randomization"}


def test_a_profile_may_be_a_file(qeframe_command, task_folder, tmp_path):
    (tmp_path / "mine.toml").write_text('extends = "qe_sentence"\nprimary = "mae"\ntest = ""\n')
    evaluation = json.loads(qeframe_command("run", "mine.toml", "task", "--json").out)
    assert evaluation["profile"] == "mine"
    assert evaluation["primary"] == "mae"
    assert evaluation["comparisons"] == []
    assert {s["cluster"] for s in evaluation["submissions"]} == {None}


def test_quiet(qeframe_command, task_folder):
    assert "written to out" in qeframe_command("run", "qe_sentence", "task", "--out", "out").err
    assert qeframe_command("run", "qe_sentence", "task", "--out", "out", "--quiet").err == ""


def test_output_that_cannot_be_written(refused, task_folder, tmp_path):
    (tmp_path / "file").write_text("")
    assert "file: is a file, not a folder" in refused("run", "qe_sentence", "task", "--out", "file")
    assert "file/below: cannot be written" in refused("run", "qe_sentence", "task", "--out", "file/below")


def test_other_files_and_a_second_run_are_refused_before_the_files_are_read(refused, task_folder, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    said = "mine: holds files that no run wrote, or that were changed since: 'notes.txt'; move them away"
    assert said in refused("run", "qe_sentence", "nowhere", "--out", "mine")
    with ResultFolder.take(tmp_path / "new" / "out"):
        said = "new/out: another run is writing it; wait for it, or name another folder"
        assert refused("run", "qe_sentence", "nowhere", "--out", "new/out") == said
    assert not (tmp_path / "new").exists()


def test_results_that_would_replace_their_input_are_refused(qeframe_command, refused, task_folder, tmp_path):
    assert "task: holds files that no run wrote" in refused("run", "qe_sentence", "task", "--out", "task")
    assert qeframe_command("demo", "--out", "made", "--quiet").status == 0
    said = "made: holds the input made/task, which the results would replace; name another folder for --out"
    assert said in refused("run", "qe_sentence", "made/task", "--out", "made")


def test_names_that_would_harm_a_terminal_or_a_spreadsheet(qeframe_command, task_folder, tmp_path):
    (task_folder / "submissions" / "good.txt").rename(task_folder / "submissions" / "\x1b[31mred.txt")
    (task_folder / "submissions" / "fair.txt").rename(task_folder / "submissions" / "=1+1.txt")
    outcome = qeframe_command("run", "qe_sentence", "task", "--out", "out")
    assert "\x1b" not in outcome.out + outcome.err
    assert "\\x1b[31mred" in outcome.out
    for name in ("scores.tsv", "comparisons.tsv"):
        lines = (tmp_path / "out" / name).read_text().splitlines()
        cells = {cell for line in lines for cell in line.split("\t")}
        assert {"'=1+1", "\\x1b[31mred"} <= cells
        assert "=1+1" not in cells


def write(folder, name, text):
    (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)


GOOD = "0.1\n0.2\n0.3\n0.4\n0.5\n0.6\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "good.txt: the file is empty"),
        (GOOD.replace("0.3", "high"), "good.txt:3: 'high' is not a number"),
        (GOOD.replace("0.3", "nan"), "good.txt:3:"),
        (GOOD.replace("0.3", "inf"), "good.txt:3:"),
        (GOOD[:-4], "good.txt: 5 lines, the gold has 6 (task/gold.txt)"),
        (GOOD + "0.7\n", "good.txt: 7 lines, the gold has 6 (task/gold.txt)"),
        (b"\x00\x01\x02" + GOOD.encode(), "good.txt:"),
        (GOOD.encode("utf-16"), "good.txt:"),
        ("1" * (2**20 + 1) + "\n", "good.txt:1:"),
    ],
    ids=["empty", "word", "nan", "inf", "missing", "extra", "binary", "utf-16", "long line"],
)
def test_bad_submission(refused, task_folder, tmp_path, text, said):
    write(task_folder, "submissions/good.txt", text)
    assert said in refused("run", "qe_sentence", "task", "--out", "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("policy", "units"), [("score_as_worst", 6), ("drop_for_all", 4)])
def test_missing_units_by_a_named_policy(qeframe_command, task_folder, policy, units):
    for name in ("gold.txt", "submissions/good.txt", "submissions/fair.txt", "submissions/flat.txt"):
        lines = (task_folder / name).read_text().splitlines()
        write(task_folder, name, "".join(f"{number} {line}\n" for number, line in enumerate(lines)))
    lines = (task_folder / "submissions/good.txt").read_text().splitlines(keepends=True)
    write(task_folder, "submissions/good.txt", "".join(lines[:4]))
    evaluation = json.loads(qeframe_command("run", "qe_sentence", "task", "--set", f"missing={policy}", "--json").out)
    assert evaluation["signature"]["units"] == {"task": f"{units} x segment"}
    assert [(entry["what"], entry["count"]) for entry in evaluation["dropped"]][1:] == []
    assert evaluation["dropped"][0]["count"] == 2


def test_three_segments_are_a_stated_result(qeframe_command, task_folder):
    for name in ("gold.txt", "submissions/good.txt", "submissions/fair.txt", "submissions/flat.txt"):
        lines = (task_folder / name).read_text().splitlines(keepends=True)
        write(task_folder, name, "".join(lines[:3]))
    evaluation = json.loads(qeframe_command("run", "qe_sentence", "task", "--set", "test=williams", "--json").out)
    assert {c["p"] for c in evaluation["comparisons"]} == {None}
    assert not any(c["significant"] for c in evaluation["comparisons"])


def test_a_path_that_is_too_long(refused, task_folder):
    long = "x" * 300
    for arguments in (("qe_sentence", long), ("qe_sentence", "task", "--out", long), (long + ".toml", "task")):
        assert "too long" in refused("run", *arguments)


def test_a_pipe_that_the_user_names(qeframe_command, task_folder):
    reading, writing = os.pipe()
    os.write(writing, (task_folder / "gold.txt").read_bytes())
    os.close(writing)
    outcome = qeframe_command("score", "rmse", "task/gold.txt", f"/dev/fd/{reading}")
    os.close(reading)
    assert (outcome.status, outcome.out.split()[1]) == (0, "0.000000")


def test_a_result_that_cannot_be_written_is_printed(qeframe_command, task_folder, monkeypatch):
    def full(*_given, **_options):
        raise DataError("no space is left", path="results", remedy="free some")

    monkeypatch.setattr("qeframe.report.write_report", full)
    for how in ((), ("--json",)):
        printed = qeframe_command("run", "qe_sentence", "task", *how, "--quiet").out
        outcome = qeframe_command("run", "qe_sentence", "task", "--out", "results", *how, "--quiet")
        assert (outcome.status, outcome.out) == (2, printed)
        assert outcome.err == "qeframe: results: no space is left; free some\n"


def test_rankings_without_submissions_are_counted(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header = "srclang,trglang,srcIndex,judgeId,system1Id,system2Id,system1rank,system2rank"
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "rankings.csv").write_text(f"{header}\nCzech,English,1,ann,A,B,1,2\n")
    outcome = qeframe_command("run", "wmt12_metrics_segment", "t", "--set", "computed=[]")
    assert outcome.status == 0
    assert "there is no submission to evaluate: only the counts of the gold are reported" in outcome.err


def test_the_page_of_a_run_says_how_to_make_it_again(qeframe_command, task_folder):
    outcome = qeframe_command(
        "run", "qe_sentence", "task", "--out", "r", "--set", "alpha=.01", "--quiet", "--seed", "4"
    )
    assert outcome.status == 0, outcome.err
    page = Path("r/report.html").read_text(encoding="utf-8")
    assert "qeframe run r/rules.toml task --seed 4 --out again\n" in page.replace("</code>", "\n")
    assert "changed for this run" in page
    assert not [path for path in Path("r").iterdir() if path.suffix in {".svg", ".png"}]


def test_figures_are_drawn_if_they_are_asked_for(qeframe_command, task_folder):
    fast = ("--set", "interval=", "--quiet")
    outcome = qeframe_command("run", "qe_sentence", "task", "--out", "r", "--figures", "png", *fast)
    assert outcome.status == 0, outcome.err
    assert sorted(path.name for path in Path("r").glob("*.png")) == ["correlations.png", "significance.png"]


def test_what_is_resampled_is_a_choice_of_a_rule(qeframe_command, tmp_path, monkeypatch):
    """The signature names it."""
    monkeypatch.chdir(tmp_path)
    qeframe_command("demo", "word", "--quiet", "--json", "--out", "made")
    chosen = ("--set", "interval=bootstrap(draws=40)", "--set", "test=", "--json", "--quiet")
    found = [
        json.loads(qeframe_command("run", "qe_word", "made/task", *chosen, "--set", f"resample={how}").out)
        for how in ("unit", "length")
    ]
    run = ("run", "qe_word", "made/task", *chosen[:-2], "--quiet", "--set", "resample=length")
    assert "resample:length" in qeframe_command(*run).out
    widths = []
    for record in found:
        (first,) = [each["scores"]["mcc"] for each in record["submissions"] if each["name"] == "Iris"]
        widths.append((first["low"], first["high"]))
    assert len(set(widths)) == 2


def test_the_audit_of_the_winner_is_on_the_page(qeframe_command, refused, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    qeframe_command("demo", "--quiet")
    task = Path("qeframe-demo/task")
    assert "--audit is a section of the page" in refused("run", "qe_sentence", task, "--audit")
    outcome = qeframe_command("run", "qe_sentence", task, "--set", "primary=mae", "--audit", "--out", "o", "--quiet")
    assert outcome.status == 0
    page = Path("o/report.html").read_bytes()
    assert b"by transforming its own answers it could have gained" in page
    qeframe_command("report", "o", "--html", "again.html")
    assert Path("again.html").read_bytes() == page
    assert "is a task set" in refused("run", "wmt23_metrics", task, "--audit", "--out", "p")
