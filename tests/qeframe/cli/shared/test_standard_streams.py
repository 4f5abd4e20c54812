"""Standard output appears when a command has ended, whole, or not at all."""

import sys

import click
import pytest

from qeframe.cli.shared.standard_streams import whole_output


def both():
    click.echo("before", err=True)
    sys.stdout.write("a result\n")
    click.echo("after", err=True)
    click.echo("more of it")


def test_a_result_is_written_when_the_block_ends(capsys):
    with whole_output():
        both()
        assert capsys.readouterr() == ("", "before\n")
    assert capsys.readouterr() == ("a result\nmore of it\n", "after\n")


@pytest.mark.parametrize("error", [OSError(), KeyboardInterrupt(), SystemExit(2), SystemExit("message")])
def test_a_result_that_is_not_whole_is_never_written(capsys, error):
    def fails():
        with whole_output():
            both()
            raise error

    with pytest.raises(type(error)):
        fails()
    assert capsys.readouterr() == ("", "before\nafter\n")


@pytest.mark.parametrize("status", [None, 0, 1])
def test_an_exit_that_reports_a_failed_check_has_a_result(capsys, status):
    def reports():
        with whole_output():
            click.echo("one law is broken")
            sys.exit(status)

    with pytest.raises(SystemExit):
        reports()
    assert capsys.readouterr().out == "one law is broken\n"


def test_the_streams_describe_those_that_they_stand_for(capsys):
    real = sys.stdout
    with whole_output():
        kept = sys.stdout
        assert (kept.encoding, kept.errors, kept.isatty()) == (real.encoding, real.errors, real.isatty())
        with pytest.raises(TypeError):
            kept.write(b"bytes")
    assert sys.stdout is real


def test_streams_that_the_caller_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    with whole_output():
        print("nowhere")  # noqa: T201
