"""Generated shared tasks: equal for equal seeds, and evaluated as they were drawn."""

import click
import pytest

import qeframe
from qeframe.cli.commands.demo import demo
from qeframe.cli.shared.demo_files import write_demo
from qeframe.core.errors import DataError

(TASKS,) = (
    option.type.choices for option in demo.params if isinstance(option.type, click.Choice) and option.name == "task"
)


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("task", TASKS)
def test_equal_seeds_give_equal_files(tmp_path, task):
    first, again, other = (contents(write_demo(task, tmp_path / str(n), seed)[1]) for n, seed in enumerate((1, 1, 2)))
    assert first == again != other
    assert first.keys() == other.keys()


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "task").write_text("")
    with pytest.raises(DataError, match=r"cannot be written: .*; name another folder for --out"):
        write_demo("word", tmp_path, 1)


@pytest.mark.parametrize("task", ["document_annotations", "judgebench", "rewardbench"])
def test_the_baseline_is_last(tmp_path, task):
    profile, folder = write_demo(task, tmp_path, 1)
    evaluation = qeframe.evaluate(profile, folder, settings=["test=", "interval="])
    assert evaluation.submissions[-1].name == "baseline"


def test_errors_of_several_spans_are_worth_more_than_single_ones(tmp_path):
    profile, folder = write_demo("document_annotations", tmp_path, 1)
    evaluation = qeframe.evaluate(profile, folder, settings=["test=", "interval=", "secondary=[mpp_f]"])
    scores = {each.name: next(iter(each.scores.values())).value for each in evaluation.submissions}
    assert scores["Quince-joint"] > scores["Quince-single"] > scores["baseline"]
