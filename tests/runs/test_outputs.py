"""What `qeframe run --out` writes: all of it, and the same numbers as in memory."""

import math
from collections.abc import Mapping

import attrs
import pytest

import qeframe
from qeframe.api.saved import evaluation_from_json
from tests.fuzz.detection_tasks import DETECTION_TASKS
from tests.fuzz.small_tasks import SMALL_TASKS
from tests.fuzz.verdicts import outcome_of
from tests.runs.agreement import FILES, contents
from tests.written import write_files

TASKS = {**SMALL_TASKS, **DETECTION_TASKS}


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def written(name, folder):
    """Write the files of a small task into a folder, and return the task."""
    task = TASKS[name]
    write_files(folder, task.files)
    return task


@pytest.mark.parametrize("profile", [f"wmt{year}_metrics_segment" for year in (12, 13, 14, 20)])
def test_human_rankings_with_excluded_cells(profile, tmp_path):
    reader = {"wmt14": "decided_pairs", "wmt20": "wmt20_darr"}.get(profile[:5], "rankings")
    task = written(reader, tmp_path / "t")
    arguments = [*attrs.evolve(task, profile=profile).command("t"), "--out", "o", "--explain"]
    outcome = outcome_of(arguments)
    assert outcome.status == 0, outcome
    assert set(contents(tmp_path / "o")) == FILES
    assert (tmp_path / "o" / "evaluation.json").read_text(encoding="utf-8") == outcome.out
    assert " x x x, " in (tmp_path / "o" / "leaderboard.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TASKS)
def test_an_evaluation_is_equal_to_what_is_read_of_its_json(name, tmp_path):
    task = written(name, tmp_path)
    rules = qeframe.choose_profile(task.profile, [f"reader={task.reader}", *task.settings])
    evaluation = qeframe.evaluate(
        rules, qeframe.read_tasks(rules, tmp_path), explain=True, detectable=True, influence=2
    )
    check_same(evaluation, evaluation_from_json(evaluation.to_json()), "evaluation")


FAULTS = {
    "qeframe.report.result_files.evaluation_folder.as_latex": "leaderboard.tex",
    "qeframe.report.result_files.evaluation_folder.leaderboard": (
        "leaderboard.md, leaderboard.tex, leaderboard_notes.tex"
    ),
    "qeframe.report.result_files.evaluation_folder.score_records": "scores.tsv",
    "qeframe.report.result_files.evaluation_folder.page_of_stored": "report.html",
    "qeframe.report.result_files.evaluation_folder.as_stored": "the tables and the page",
    "qeframe.report.html.evaluation_page.panels": "report.html",
}


@pytest.mark.parametrize(("place", "lost"), FAULTS.items())
def test_a_fault_costs_one_file_and_report_makes_it_again(place, lost, tmp_path, monkeypatch):
    arguments = written("rankings", tmp_path / "t").command("t")
    assert outcome_of([*arguments, "--out", "whole", "--quiet"]).status == 0
    printed = outcome_of(arguments)
    with monkeypatch.context() as broken:
        broken.setattr(place, planted)
        outcome = outcome_of([*arguments, "--out", "o", "--quiet"])
    assert (outcome.status, outcome.out) == (2, printed.out)
    assert outcome.err.startswith(f"qeframe: {lost} could not be made: ZeroDivisionError: planted; o has the other")
    assert outcome.err.count("\n") == 1
    missing = (
        {*lost.split(", ")}
        if "." in lost
        else FILES - {".qeframe.json", "evaluation.json", "report.json", "rules.toml"}
    )
    assert set(contents(tmp_path / "o")) == FILES - missing
    assert outcome_of(["report", "o", "--quiet"]).status == 0
    whole, again = contents(tmp_path / "whole"), contents(tmp_path / "o")
    for name in FILES - {".qeframe.json", "report.json", "report.html"}:
        assert whole[name] == again[name], name
    assert again["report.html"] == whole["report.html"].replace(b"run whole/", b"run o/")


def test_the_evaluation_is_written_before_anything_is_drawn(tmp_path, monkeypatch):
    arguments = written("rankings", tmp_path / "t").command("t")
    monkeypatch.setattr("qeframe.report.result_files.evaluation_folder.page_of_stored", interrupted)
    assert outcome_of([*arguments, "--out", "o", "--quiet"]).status != 0
    assert set(contents(tmp_path / "o")) == FILES - {"report.html"}


def planted(*_arguments, **_options):
    raise ZeroDivisionError("planted")


def interrupted(*_arguments, **_options):
    raise KeyboardInterrupt


def check_same(one, other, place):
    """Compare two values, place by place: of the same type, and NaN only where the other is NaN."""
    assert type(one) is type(other), f"{place}: {one!r} became {other!r}"
    if attrs.has(type(one)):
        for field in attrs.fields(type(one)):
            check_same(getattr(one, field.name), getattr(other, field.name), f"{place}.{field.name}")
    elif isinstance(one, Mapping):
        assert set(one) == set(other), place
        for key in one:
            check_same(one[key], other[key], f"{place}[{key!r}]")
    elif isinstance(one, list | tuple):
        assert len(one) == len(other), place
        for nth, (mine, its) in enumerate(zip(one, other, strict=True)):
            check_same(mine, its, f"{place}[{nth}]")
    else:
        assert one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other)), place
