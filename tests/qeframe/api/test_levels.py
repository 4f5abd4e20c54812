"""Profiles whose parts have readers of their own: folders, submissions of all levels, what is entered and checked."""

import shutil

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.api.submissions import validate_folder
from qeframe.core.reader import ExampleRequest
from qeframe.plugin import DataError, Metric
from tests.plugins.qeframe_wmt.examples.by_reader import write_example

QUICK = ("test=", "interval=")
TEAMS = ("Aster", "Birch", "Cedar")


@pytest.fixture(scope="module")
def rules(registry):
    return choose_profile("qe_parts", QUICK, registry)


@pytest.fixture(scope="module")
def made(rules, registry, tmp_path_factory):
    folder = tmp_path_factory.mktemp("levels")
    request = ExampleRequest(units=12, pairs=2, baselines=("baseline",), names=TEAMS)
    assert write_example(rules, registry, folder, request) == folder
    return folder


@pytest.fixture
def folder(made, tmp_path):
    return shutil.copytree(made, tmp_path / "task")


def test_each_level_is_read_in_its_folder(rules, folder):
    tasks = read_tasks(rules, folder)
    assert sorted((task.name, task.selection.partition(",")[0]) for task in tasks) == [
        (pair, level) for pair in ("en-cs", "en-de") for level in ("sentence", "span", "word")
    ]
    paths = [each.path for task in tasks for each in task.inputs]
    assert all((folder / path).is_file() for path in paths)
    assert len(set(paths)) == len(paths)
    (words,) = (task for task in tasks if task.name == "en-cs" and "word" in task.selection)
    assert words.files["Birch"] == ("word/en-cs/submissions/Birch.txt",)


def test_the_overall_score_is_that_of_each_level_alone(rules, folder, registry):
    """Every level is evaluated by itself, by a profile of one metric."""
    whole = qeframe.evaluate(rules, folder)
    total = dict.fromkeys((*TEAMS, "baseline"), 0.0)
    for part in rules.parts:
        plain = attrs.evolve(rules, parts=(), divide=(), reader=part["reader"], primary=part["metric"])
        alone = qeframe.evaluate(plain, folder / part["folder"])
        worst, best = registry.get(Metric, part["metric"]).bounds
        for scored in alone.submissions:
            tasks = scored.scores[alone.primary].tasks
            total[scored.name] += np.mean([(each.value - worst) / (best - worst) for each in tasks.values()]) / 3
    assert {s.name: s.scores["overall"].value for s in whole.submissions} == pytest.approx(total)


def test_one_pair_with_its_levels_in_its_folder(rules, folder):
    for level in ("sentence", "word", "span"):
        shutil.move(folder / level / "en-de", folder / "of_level")
        shutil.rmtree(folder / level)
        shutil.move(folder / "of_level", folder / level)
    moved = folder.rename(folder.with_name("en-de"))
    tasks = read_tasks(rules, moved)
    assert {task.name for task in tasks} == {"en-de"}
    assert tasks[0].inputs[0].path == "sentence/gold.txt"
    assert [part.name for part in qeframe.evaluate(rules, moved).parts] == [
        "en-de pearson",
        "en-de mcc",
        "en-de span_f1(rule=2023)",
    ]


def test_a_level_may_have_other_pairs_but_not_none(rules, folder):
    shutil.rmtree(folder / "word" / "en-cs")
    assert len(qeframe.evaluate(rules, folder).parts) == 5
    shutil.rmtree(folder / "word")
    with pytest.raises(DataError, match="there is no folder 'word', which parts of the profile read; add it"):
        read_tasks(rules, folder)


def test_all_mistakes_of_all_levels(rules, folder):
    for level, line in (("sentence", "x\ty\n"), ("word", "x\ty\n")):
        with (folder / level / "en-de" / "submissions" / "Birch.txt").open("a") as file:
            file.write(line)
    checked = validate_folder(rules, folder)
    assert [(each.submission, each.place.relative_to(folder).parts[0]) for each in checked.mistakes] == [
        ("Birch", "sentence"),
        ("Birch", "word"),
    ]
    assert checked.valid["word/en-de"] == ("Aster", "Cedar", "baseline")
    assert checked.valid["word/en-cs"] == (*TEAMS, "baseline")
    skipped = qeframe.evaluate(rules, folder, skip_invalid=True)
    by_name = {each.name: each for each in skipped.submissions}
    assert by_name["Birch"].absent == ("en-de pearson", "en-de mcc")
    excluded = qeframe.evaluate(rules, folder, exclude={"Birch": "late"})
    assert "Birch" not in {each.name for each in excluded.submissions}
    (left_out,) = excluded.left_out
    assert len(left_out.files) == 6


def test_without_gold_each_file_is_checked_by_the_reader_of_its_folder(rules, folder):
    for level in ("sentence", "word", "span"):
        files = list((folder / level / "en-de" / "submissions").iterdir())
        shutil.rmtree(folder / level / "en-cs")
        for file in files:
            file.rename(folder / level / file.name)
        shutil.rmtree(folder / level / "en-de")
    checked = validate_folder(rules, folder)
    assert not checked.mistakes
    assert checked.valid["span"] == ("Aster", "Birch", "Cedar", "baseline")
    with pytest.raises(DataError, match="--like is the input of one of sentence, word, span"):
        validate_folder(rules, folder, like=folder / "word" / "Birch.txt")


def test_a_submission_is_entered_with_the_folders_of_all_levels(rules, folder, tmp_path):
    for level, ending in (("sentence", "txt"), ("word", "txt"), ("span", "tsv")):
        (tmp_path / "mine" / level).mkdir(parents=True)
        for pair in ("en-cs", "en-de"):
            given = folder / level / pair / "submissions" / f"Birch.{ending}"
            shutil.copy(given, tmp_path / "mine" / level / f"{pair}.{ending}")
    evaluation = qeframe.evaluate(rules, folder, enter={"mine": tmp_path / "mine"})
    scores = {each.name: each.scores["overall"].value for each in evaluation.submissions}
    assert scores["mine"] == scores["Birch"]
    shutil.rmtree(tmp_path / "mine" / "word")
    with pytest.raises(DataError, match="'mine' has no folder 'word', which parts of the profile read"):
        qeframe.evaluate(rules, folder, enter={"mine": tmp_path / "mine"})
