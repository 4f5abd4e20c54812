"""What the commands share: parts with few tests."""

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import qeframe
from qeframe.cli.commands.demo import demo
from qeframe.cli.commands.score import read_metric_input
from qeframe.cli.shared.command_line import command_line
from qeframe.cli.shared.demo_files import write_demo
from qeframe.cli.shared.evaluations import evaluate_path, show_evaluation
from qeframe.cli.shared.options import laws_required, path_type
from qeframe.cli.shared.pages import page_bytes, take_out, write_page, written_to
from qeframe.cli.shared.progress import working
from qeframe.cli.shared.sampling import sizes_of
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.reader import ExampleRequest
from qeframe.report.layouts.table import Cell, Column, Table
from tests.plugins.qeframe_wmt.examples.by_reader import write_example


# The line that repeats a command.
@click.command(name="do")
@click.argument("words", nargs=-1)
@click.option("--profile", nargs=2, default=None)
@click.option("--set", "settings", multiple=True)
@click.option("--claims/--no-claims", default=True)
@click.option("--explain", is_flag=True)
@click.option("--seed", type=int, default=0)
@click.option("--out")
@click.option("--workers", type=int, default=1)
@click.option("--json", "as_json", is_flag=True)
def do(**_):
    click.echo(command_line())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "qeframe do"),
        ("a 'b c' --seed 3", "qeframe do a 'b c' --seed 3"),
        ("--set a=1 --set 'b=x y' p", "qeframe do p --set a=1 --set 'b=x y'"),
        ("--profile p path --no-claims --explain", "qeframe do --profile p path --no-claims --explain"),
        ("a --out x --workers 4 --json", "qeframe do a"),
        ("--seed 1 -- -a", "qeframe do --seed 1 -- -a"),
        ("'$(rm)' '`x`'", "qeframe do '$(rm)' '`x`'"),
    ],
)
def test_what_was_given_is_said_again(given, said):
    shown = CliRunner().invoke(do, shlex.split(given))
    assert shown.output == f"{said}\n"
    assert CliRunner().invoke(do, shlex.split(said)[2:]).output == shown.output


def test_a_command_is_said_with_its_group():
    assert command_line() == ""
    group = click.Group("keep", {"do": do})
    program = click.Group("program", {"keep": group, "do": do})
    assert CliRunner().invoke(program, ["keep", "do", "a"]).output == "qeframe keep do a\n"
    assert CliRunner().invoke(program, ["do", "a"]).output == "qeframe do a\n"


# Generated shared tasks: equal for equal seeds, and evaluated as they were drawn.
(TASKS,) = (
    option.type.choices for option in demo.params if isinstance(option.type, click.Choice) and option.name == "task"
)


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.newest
@pytest.mark.parametrize("task", TASKS)
def test_equal_seeds_give_equal_files(tmp_path, task):
    first, again, other = (contents(write_demo(task, tmp_path / str(n), seed)[1]) for n, seed in enumerate((1, 1, 2)))
    assert first == again != other
    assert first.keys() == other.keys()


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "task").write_text("")
    with pytest.raises(DataError, match=r"cannot be written: .*; name another folder for --out"):
        write_demo("word", tmp_path, 1)


def test_errors_of_several_spans_are_worth_more_than_single_ones(tmp_path):
    rules, registry = qeframe.choose_profile("wmt19_qe_document_annotations"), qeframe.load()
    folder = write_example(rules, registry, tmp_path, ExampleRequest(seed=1, units=60, baselines=("baseline",)))
    evaluation = qeframe.evaluate(rules, folder, settings=["test=", "interval=", "secondary=[mpp_f]"])
    scores = {each.name: next(iter(each.scores.values())).value for each in evaluation.submissions}
    assert scores["Quince-joint"] > scores["Quince-single"] > scores["baseline"]


# Evaluate the tasks in a path, and show the result.
@pytest.fixture
def evaluated(tmp_path):
    profile, folder = write_demo("sentence", tmp_path, 2015)
    settings = ["test=", "interval=", "secondary=[]"]
    return evaluate_path(profile, folder, settings, seed=1, workers=1, quiet=True)


def test_what_is_evaluated(evaluated):
    evaluation, tasks = evaluated
    assert (len(tasks), tasks[0].name, len(evaluation.submissions)) == (1, "task", 8)
    assert evaluation.signature.rules["test"] == ""


def test_json_is_the_file_that_is_written(evaluated, tmp_path, capsys):
    evaluation, tasks = evaluated
    show_evaluation(evaluation, tasks, out=tmp_path / "out", as_json=True, quiet=False)
    shown = capsys.readouterr()
    assert json.loads(shown.out)["profile"] == "qe_sentence"
    assert shown.out == (tmp_path / "out" / "evaluation.json").read_text()
    assert f"files written to {tmp_path / 'out'}" in shown.err


def test_quiet_prints_the_table_alone(evaluated, capsys):
    evaluation, tasks = evaluated
    show_evaluation(evaluation, tasks, out=None, as_json=False, quiet=True, explain=True)
    shown = capsys.readouterr()
    assert "Aster-ensemble" in shown.out
    assert shown.err == ""


CODE = """
import sys
from qeframe.cli.app import main
main(["plugins", "--json"])
"""


def test_a_reader_that_stops_reading_gets_no_message():
    process = subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141
    process.stderr.close()


# The laws need optional dependencies.
def test_a_missing_dependency_is_named_with_the_remedy_and_other_errors_pass():
    with pytest.raises(DataError, match=r"the laws need hypothesis; pip install 'qeframe\[test\]'"), laws_required():
        raise ModuleNotFoundError("No module named 'hypothesis'", name="hypothesis")
    with pytest.raises(ValueError, match="other"), laws_required():
        raise ValueError("other")


# The input of one metric.
@pytest.fixture
def files(tmp_path):
    sides = {"gold": "1 1\n2 2\n3 3\n", "mine": "3 3\n1 2\n2 5\n", "short": "1 1\n2 2\n"}
    for name, text in sides.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return [tmp_path / f"{name}.txt" for name in sides]


def test_units_are_joined_by_id(files):
    gold, mine, _ = files
    metric, batches, groups = read_metric_input("mae", gold, [mine], "high", "error", [])
    assert (metric.name, list(batches), dict(groups)) == ("mae", ["mine"], {})
    assert batches["mine"].gold.tolist() == [1, 2, 3]
    assert batches["mine"].predicted.tolist() == [2, 5, 3]


def test_units_that_are_dropped_are_reported(files, capsys):
    gold, _, short = files
    with pytest.raises(DataError):
        read_metric_input("mae", gold, [short], "high", "error", [])
    _, batches, _ = read_metric_input("mae", gold, [short], "high", "drop_for_all", [])
    assert len(batches["short"]) == 2
    assert capsys.readouterr().err.startswith("qeframe: warning: 1 ")


def test_an_unknown_metric(files):
    with pytest.raises(UnknownNameError, match="unknown metric 'mea'; did you mean"):
        read_metric_input("mea", files[0], [files[1]], "high", "error", [])


# Options that several commands share.
@click.command()
@click.argument("path", type=path_type)
def show(path):
    click.echo(repr(path))


def test_an_empty_path_is_not_the_current_folder():
    assert "PosixPath('a')" in CliRunner().invoke(show, ["a"]).output
    refused = CliRunner().invoke(show, [""])
    assert refused.exit_code == 2
    assert "the path is empty; '.' is the current folder" in refused.output


# Pages of commands.
TABLE = Table(title="T", columns=(Column("x"),), rows=((Cell("bad\udcff"),),))


def test_a_page_is_written_and_named_or_refused(tmp_path, capsys):
    page = page_bytes("Title", [TABLE], notes=["a note"])
    write_page(tmp_path / "new" / "x.html", page, quiet=False)
    assert (tmp_path / "new" / "x.html").read_bytes() == page
    assert b"bad\\udcff" in page
    assert capsys.readouterr().err == f"qeframe: written to {tmp_path / 'new' / 'x.html'}, in a new folder\n"
    write_page(tmp_path / "y.html", page, quiet=True)
    assert capsys.readouterr().err == ""
    write_page(None, b"", quiet=False)
    with pytest.raises(DataError, match="cannot be written"):
        write_page(tmp_path, b"", quiet=False)


def test_a_replaced_file_and_a_new_folder_are_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert written_to(Path("a.html")) == "written to a.html"
    assert written_to(Path("none/below/a.html")) == "written to none/below/a.html, in a new folder"
    Path("a.html").write_text("")
    assert written_to(Path("a.html")) == "written to a.html, in place of an earlier file"


# The runner of a command, and what it shows.
@pytest.mark.parametrize("quiet", [False, True])
def test_plain_lines_where_there_is_no_terminal(capsys, monkeypatch, quiet):
    monkeypatch.setattr("qeframe.api.progress._INTERVAL", 0.02)
    with working("drawing", quiet=quiet) as runner:
        runner.map(abs, [-1, -2])
        time.sleep(0.2)
    told = capsys.readouterr().err.splitlines()
    begun, done = "qeframe: drawing, 0 s so far", "qeframe: drawing, 2 of 2 blocks, 0 s so far"
    assert set(told) <= {begun, done}
    assert told[-1:] == ([] if quiet else [done])


def test_the_same_word_of_long_work_is_said_once(capsys):
    with working("drawing") as runner:
        runner.on_notice("long")
        runner.on_notice("long")
    assert capsys.readouterr().err == "qeframe: long\n"


# The folder of ``--out``.


def test_a_folder_is_free_again_when_the_command_ends(tmp_path):
    @click.command()
    @click.argument("fails", type=bool)
    def command(fails):
        take_out(tmp_path / "new" / "out")
        assert list(tmp_path.rglob("*lock"))
        if fails:
            raise ValueError("failed")

    for fails in ("true", "false"):
        assert (CliRunner().invoke(command, [fails]).exit_code == 1) == (fails == "true")
        assert list(tmp_path.iterdir()) == []
    assert take_out(None) is None


def test_an_input_that_the_results_would_replace_is_refused(tmp_path):
    (tmp_path / "out" / "task").mkdir(parents=True)
    (tmp_path / "out" / "task").rmdir()
    with pytest.raises(DataError, match=r"out: holds the input .*task, which the results would replace; name another"):
        take_out(tmp_path / "out", tmp_path / "out" / "task")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    take_out(tmp_path / "out", tmp_path / "other").close()


# The sample sizes that ``qeframe distinguish --by-sampling`` is asked for; its output is tested with the command.
def test_sizes_of_the_text_and_of_the_listing():
    assert sizes_of(0) == (100, 200, 500, 1000, 2000, 5000, 10_000)
    assert sizes_of(2500) == (2500, 5000, 7500, 10_000)
    assert len(sizes_of(100)) == 100
    assert sizes_of(3000)[-1] == 9000


@pytest.mark.parametrize("step", [1, 10_001])
def test_other_steps_are_refused(step):
    with pytest.raises(DataError, match="the step must lie from 2 to 10,000"):
        sizes_of(step)
