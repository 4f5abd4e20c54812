"""A folder of twenty submissions with six kinds of broken ones: one list, and results without them."""

import json
import random
import re
import shlex
from pathlib import Path

import pytest

import qeframe
from qeframe.core.errors import SubmissionsError
from qeframe.core.profile_files import find_profile
from tests.runs.generated_tasks import generate, quick_settings

PROFILE = "wmt22_qe_sentence"
READER = "qe_sentence(header_lines=3)"
UNITS, TEAMS = 40, 20
FIRST = "qeframe: 6 files of submissions cannot be used; repair them, or go on without them: --skip-invalid, or "
BROKEN = {
    "team02": (11, "NaN (a missing value)"),
    "team05": (13, "segment 8 of team05 occurs twice"),
    "team08": (None, "segment 36 is missing in team08 (and 3 more)"),
    "team11": (4, "LP 'en-cs' in a folder named en-de"),
    "team14": (1, "0 header lines of one column instead of 3"),
    "team17": (7, "1 column instead of 4 columns by tabs"),
}


@pytest.fixture
def came_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(2024)
    gold = [draw.random() for _ in range(UNITS)]
    folder = Path("en-de") / "submissions"
    folder.mkdir(parents=True)
    Path("en-de/gold.txt").write_text("".join(f"{value}\n" for value in gold))
    for team in range(1, TEAMS + 1):
        name = f"team{team:02}"
        rows = [f"en-de\tm\t{i}\t{value + draw.gauss(0, 0.02 * team):.4f}" for i, value in enumerate(gold)]
        match name:
            case "team02":
                rows[7] = "en-de\tm\t7\tNaN"
            case "team05":
                rows[9] = rows[8]
            case "team08":
                rows = rows[:-4]
            case "team11":
                rows = [row.replace("en-de", "en-cs") for row in rows]
            case "team17":
                rows[3] = rows[3].replace("\t", " ")
        head = [] if name == "team14" else ["1", "2", "1"]
        (folder / f"{name}.tsv").write_text("\n".join([*head, *rows]) + "\n")
    return folder


def test_files_in_another_layout_have_one_line_each(qeframe_command, tmp_path):
    folder = tmp_path / "en-de" / "submissions"
    folder.mkdir(parents=True)
    (folder.parent / "gold.txt").write_text("0.1\n0.2\n")
    rows = "".join(f"en-de\tm\tmt\t{i // 2}\t{i % 2}\tw\tOK\n" for i in range(4))
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(f"1\n2\n1\n{rows}")
    outcome = qeframe_command("run", PROFILE, folder.parent)
    assert outcome.status == 2
    first, *others = outcome.err.splitlines()
    assert first.startswith("qeframe: 2 files of submissions cannot be used")
    assert len(others) == 2
    assert all("looks like 7 columns by tabs" in line and "header_lines=6" not in line for line in others)


def test_validate_lists_all_mistakes(qeframe_command, came_in):
    outcome = qeframe_command("validate", PROFILE, "en-de")
    assert outcome.status == 1
    assert outcome.out.splitlines()[0] == f"en-de for {PROFILE}: 6 mistakes; submissions without one: 14 of 20"
    assert re.findall(r"^team\d\d$", outcome.out, re.MULTILINE) == list(BROKEN)
    record = json.loads(qeframe_command("validate", PROFILE, "en-de", "--json").out)
    found = {each["submission"]: each for each in record["mistakes"]}
    assert {name: found[name]["line"] for name in BROKEN} == {name: line for name, (line, _) in BROKEN.items()}
    assert all(found[name]["what"].startswith(what) and found[name]["remedy"] for name, (_, what) in BROKEN.items())
    assert len(record["valid"]["en-de"]) == 14
    assert {each["task"] for each in record["mistakes"]} == {"en-de"}
    settings = {name: found[name]["setting"] for name in BROKEN if found[name]["setting"]}
    assert set(settings) == {"team08", "team11", "team14"}, "what an organizer can do instead is apart"
    assert "repair the header (organizers: set header_lines=0 in the reader qe_sentence)" in outcome.out


def test_a_table_of_teams_and_tasks(qeframe_command, came_in):
    other = Path("all/ro-en/submissions")
    other.mkdir(parents=True)
    Path("en-de").rename("all/en-de")
    (other.parent / "gold.txt").write_text(Path("all/en-de/gold.txt").read_text())
    for name in ("team01", "team02", "team14"):
        text = Path(f"all/en-de/submissions/{name}.tsv").read_text().replace("en-de", "ro-en").replace("NaN", "0.1")
        (other / f"{name}.tsv").write_text(text)
    outcome = qeframe_command("validate", PROFILE, "all", "--set", "task_order=[ro-en]")
    rows = {
        line.split()[0]: line.split()[1:] for line in outcome.out.splitlines() if re.match(r"(team|subm)\S+  ", line)
    }
    assert rows["submission"] == ["ro-en", "en-de", "valid"]
    assert rows["team01"] == ["valid", "valid", "2", "of", "2"]
    assert rows["team02"] == ["valid", "1", "mistake*", "1", "of", "2"]
    assert rows["team03"] == ["–", "valid", "1", "of", "1"]
    assert rows["team14"] == ["1", "mistake*", "1", "mistake*", "0", "of", "2"]
    qeframe_command("validate", PROFILE, "all", "--html", "check.html", "--quiet")
    assert "Submissions: 20" in Path("check.html").read_text()


def test_validate_writes_a_page(qeframe_command, came_in):
    assert qeframe_command("validate", PROFILE, "en-de", "--html", "check.html", "--quiet").status == 1
    page = Path("check.html").read_text()
    assert all(name in page and what.partition("'")[0] in page for name, (_, what) in BROKEN.items())


def test_validate_without_a_gold_checks_each_file(qeframe_command, came_in):
    Path("en-de/gold.txt").unlink()
    record = json.loads(qeframe_command("validate", PROFILE, "en-de", "--json").out)
    assert [each["submission"] for each in record["mistakes"]] == ["team02", "team05", "team14", "team17"]
    like = qeframe_command("validate", PROFILE, came_in, "--like", came_in / "team01.tsv", "--json")
    assert [each["submission"] for each in json.loads(like.out)["mistakes"]] == sorted(BROKEN)


def test_validate_names_what_is_remarkable(qeframe_command, came_in):
    for name in BROKEN:
        (came_in / f"{name}.tsv").unlink()
    (came_in / "copy.tsv").write_bytes((came_in / "team01.tsv").read_bytes())
    outcome = qeframe_command("validate", PROFILE, "en-de")
    assert outcome.status == 0
    assert "copy" in outcome.err
    assert "team01" in outcome.err


def test_run_lists_all_and_stops(qeframe_command, came_in):
    outcome = qeframe_command("run", PROFILE, "en-de", "--out", "out")
    assert (outcome.status, outcome.out) == (2, "")
    first, *lines = outcome.err.splitlines()
    assert first.startswith("qeframe: 6 files of submissions cannot be used")
    assert sorted(line.split(":")[0].strip() for line in lines) == list(BROKEN)
    assert not Path("out").exists() or not any(Path("out").iterdir())


def test_one_broken_file_is_one_line(refused, came_in):
    for name in list(BROKEN)[1:]:
        (came_in / f"{name}.tsv").unlink()
    assert refused("run", PROFILE, "en-de").startswith(f"{came_in / 'team02.tsv'}:11: NaN")


def test_run_goes_on_without_them(qeframe_command, came_in):
    outcome = qeframe_command(
        "run", PROFILE, "en-de", "--skip-invalid", "--exclude", "team20=two days late", "--out", "out", "--quiet"
    )
    assert outcome.status == 1, "a rule left something out"
    written = json.loads(Path("out/evaluation.json").read_text())
    assert {each["submission"]: each["by"] for each in written["left_out"]} == {
        "team20": "exclude",
        **dict.fromkeys(BROKEN, "skip_invalid"),
    }
    assert written["left_out"][0] == {
        "submission": "team20",
        "files": ["submissions/team20.tsv"],
        "reason": "two days late",
        "by": "exclude",
    }
    assert len(written["submissions"]) == 13
    page = Path("out/report.html").read_text()
    for said in (outcome.out, page, Path("out/leaderboard.md").read_text()):
        assert "left out by --exclude (two days late)" in re.sub(r"\\(?=[_-])", "", said)
        assert "left out by --skip-invalid (line 11: NaN" in said


def test_a_result_without_them_is_that_of_a_folder_without_them(qeframe_command, came_in):
    named = [option for name in BROKEN for option in ("--exclude", name)]
    outcome = qeframe_command("run", PROFILE, "en-de", *named, "--json", "--quiet")
    assert outcome.status == 0, "whoever is named is left out on purpose"
    for name in BROKEN:
        (came_in / f"{name}.tsv").unlink()
    bare = json.loads(qeframe_command("run", PROFILE, "en-de", "--json", "--quiet").out)
    said = json.loads(outcome.out)
    assert said["signature"]["left_out"].startswith("6:")
    assert f"|left_out:{said['signature']['left_out']}|" in said["signature"]["text"]
    assert {**said, "left_out": 0, "signature": 0} == {**bare, "left_out": 0, "signature": 0}


def test_names_that_nobody_has(refused, came_in):
    named = [option for name in BROKEN for option in ("--exclude", name)]
    assert refused("run", PROFILE, "en-de", *named, "--exclude", "team99").startswith("unknown submission 'team99'")


def test_nothing_is_left(qeframe_command, came_in):
    for path in came_in.iterdir():
        path.write_text("x\n")
    outcome = qeframe_command("run", PROFILE, "en-de", "--skip-invalid")
    assert outcome.status == 2
    first = "qeframe: 20 files of submissions cannot be used; repair them, no other submission is here"
    assert outcome.err.splitlines()[0] == first
    for path in list(came_in.iterdir())[1:]:
        path.unlink()
    for options in ((), ("--skip-invalid",)):  # the remedy does not name an option that leaves none
        alone = qeframe_command("run", PROFILE, "en-de", *options)
        assert alone.status == 2
        assert "--skip-invalid" not in alone.err


def test_from_python(came_in):
    with pytest.raises(SubmissionsError) as raised:
        qeframe.evaluate(PROFILE, "en-de")
    assert {each.submission for each in raised.value.mistakes} == set(BROKEN)
    evaluation = qeframe.evaluate(PROFILE, "en-de", exclude={"team01": "withdrawn"}, skip_invalid=True)
    assert [each.reason for each in evaluation.left_out if each.by == "exclude"] == ["withdrawn"]
    assert len(evaluation.submissions) == 13
    with pytest.raises(qeframe.DataError, match="give the path"):
        qeframe.evaluate(PROFILE, [], exclude=["x"])


@pytest.fixture
def metric_scores(tmp_path, monkeypatch, registry):
    """Scores of three metrics in two language pairs, of which one has a score that is no number in the first."""
    monkeypatch.chdir(tmp_path)
    profile = find_profile("wmt23_metrics_segment", registry)
    folder = generate(profile, registry, Path("data"))
    broken = folder / "metric-scores/en-de/YiSi-1-refA.seg.score"
    broken.write_text(re.sub(r"\S+$", "abc", broken.read_text().rstrip()) + "\n")
    return ["wmt23_metrics_segment", folder, *quick_settings(profile, registry), "--json", "--quiet"]


def test_metrics_have_their_names_and_one_reason(qeframe_command, metric_scores):
    record = json.loads(qeframe_command("run", *metric_scores, "--skip-invalid").out)
    (left_out,) = record["left_out"]
    assert left_out["submission"] == "YiSi-1"
    assert left_out["files"] == [f"metric-scores/en-de/YiSi-1-refA.{level}.score" for level in ("seg", "sys")]
    assert {each["name"]: each.get("absent") for each in record["submissions"]}["YiSi-1"] == ["en-de"]
    assert not any("YiSi-1" in each["reason"] for each in record["dropped"])


def test_a_metric_is_excluded_by_its_name(qeframe_command, metric_scores):
    outcome = qeframe_command("run", *metric_scores, "--exclude", "YiSi-1=late")
    assert outcome.status == 0
    record = json.loads(outcome.out)
    assert len(record["left_out"][0]["files"]) == 4
    assert not any("YiSi-1" in each["reason"] for each in record["dropped"])


def test_a_baseline_may_be_excluded(qeframe_command, came_in):
    for name in BROKEN:
        (came_in / f"{name}.tsv").unlink()
    Path("own.toml").write_text(f'extends = "{PROFILE}"\nbaselines = ["team01"]\n')
    outcome = qeframe_command("run", "own.toml", "en-de", "--exclude", "team01", "--json", "--quiet")
    assert outcome.status == 0
    assert json.loads(outcome.out)["dropped"] == []


def test_a_file_is_excluded_by_its_path(qeframe_command, came_in):
    paths = [option for name in BROKEN for option in ("--exclude", str(came_in / f"{name}.tsv"))]
    assert qeframe_command("run", PROFILE, "en-de", *paths, "--quiet").status == 0


COMMANDS = {
    "power": ("power", PROFILE, "en-de", "--draws", 5),
    "distinguish": ("distinguish", PROFILE, "en-de", "--metric", "mae", "--draws", 20),
    "attacks": ("distinguish", PROFILE, "en-de", "--metric", "mae", "--by-attacks", "--draws", 2000),
    "sensitivity": shlex.split(
        f"sensitivity en-de --profiles {PROFILE},qe_sentence --set 'reader={READER}' --set test="
    ),
    "audit": ("audit", "--profile", PROFILE, "en-de", "--attack", "shrink", "--no-claims", "mae"),
}
"""Commands that read the submissions of a task, beside run."""


@pytest.mark.parametrize("name", COMMANDS)
def test_other_commands_leave_out_too(qeframe_command, came_in, name):
    """Without an option the mistakes are listed; a rule leaves out files with status 1, the user with status 0."""
    command = COMMANDS[name]
    refused = qeframe_command(*command)
    assert (refused.status, refused.err.startswith(FIRST)) == (2, True), refused.err
    skipped = qeframe_command(*command, "--skip-invalid")
    assert skipped.status == 1
    said = [line for line in skipped.err.splitlines() if "left out by --skip-invalid" in line]
    assert [line.split(": ")[2].partition(" ")[0] for line in said] == list(BROKEN)
    paths = [option for team in BROKEN for option in ("--exclude", f"{came_in / team}.tsv=late")]
    excluded = qeframe_command(*command, *paths)
    assert excluded.status == 0, excluded.err
    assert sum("left out by --exclude" in line and line.endswith(": late") for line in excluded.err.splitlines()) == 6
    assert skipped.out == excluded.out.replace("left out by --exclude", "left out by --skip-invalid")


@pytest.mark.parametrize("name", ["power", "distinguish", "attacks", "sensitivity"])
def test_records_say_who_was_left_out(qeframe_command, came_in, name):
    record = json.loads(qeframe_command(*COMMANDS[name], "--skip-invalid", "--json", "--quiet").out)
    assert [each["submission"] for each in record["left_out"]] == list(BROKEN)


def test_an_export_without_those_that_are_excluded(qeframe_command, metric_scores):
    profile, path, *_ = metric_scores
    words = ("export", profile, path, "--format", "mtme(gold=mqm)", "--out", "written")
    outcome = qeframe_command(*words, "--exclude", "YiSi-1")
    assert outcome.status == 0, outcome.err
    names = {each.name for each in Path("written/metric-scores").rglob("*") if each.is_file()}
    assert names
    assert not [each for each in names if each.startswith("YiSi-1")]


def test_an_audit_of_generated_gold_has_nothing_to_leave_out(refused):
    assert "--exclude and --skip-invalid need submissions" in refused("audit", "mae", "--skip-invalid")
