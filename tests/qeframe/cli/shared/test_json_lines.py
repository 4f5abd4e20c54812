"""JSON lines: a record on each line, each with what identifies it, written as soon as it is there."""

import contextlib
import json
import math
import subprocess
import sys

import click
import pytest

from qeframe.cli.app import main
from qeframe.cli.shared.json_lines import EvaluationLines, write_line
from qeframe.cli.shared.standard_streams import whole_output
from tests.plugins.qeframe_store.test_changes import evaluation, outcome, submission


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_a_record_is_one_line_of_ascii_whatever_the_names_hold(capsys):
    write_line("x", {"name": "a\nb \udcff \u2028", "value": math.nan}, task="\u00e9")
    out = capsys.readouterr().out
    assert out.isascii()
    assert records(out) == [{"record": "x", "task": "\u00e9", "name": "a\nb \udcff \u2028", "value": None}]


def test_a_record_is_written_before_the_command_ends(capsys):
    with whole_output():
        click.echo("a table")
        write_line("x", {"n": 1})
        assert records(capsys.readouterr().out) == [{"record": "x", "n": 1}]
    assert capsys.readouterr().out == "a table\n"


def test_every_comparison_is_written_once_and_the_run_last(capsys):
    pair, other = outcome("A", "B", significant=True, task="de"), outcome("A", "B", significant=False)
    scored = submission("A", 0.5, 1, {"de": 0.25})
    lines = EvaluationLines("p")
    lines.comparison(pair)
    lines.finish(evaluation(scored, comparisons=(other, pair), warnings=("w",)))
    written = records(capsys.readouterr().out)
    kinds = [one["record"] for one in written]
    assert kinds == ["comparison", "comparison", "submission", "score", "score", "warning", "run"]
    assert {one["profile"] for one in written} == {"p"}
    assert [(one["task"], one["value"]) for one in written if one["record"] == "score"] == [("", 0.5), ("de", 0.25)]


CODE = """
import sys
from qeframe.cli.app import main
main(["plugins", "--jsonl"])
"""


def test_a_reader_that_stops_reading_gets_no_message():
    process = subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141
    process.stderr.close()


@pytest.mark.needs_program("jq")
def test_jq_reads_it(capfdbinary):
    with contextlib.suppress(SystemExit):
        main(["plugins", "--jsonl"])
    picked = subprocess.run(
        ["jq", "-r", 'select(.hook == "metrics") | .name'],
        input=capfdbinary.readouterr().out,
        capture_output=True,
        check=True,
    )
    assert b"pearson\n" in picked.stdout
