"""Whole runs of every registered profile on a task that its reader generates: they end, and all outputs agree.

A new profile or reader joins by being registered. A new command must be covered by a way to use a task. The fast tests
run every profile, and make the page of each set of metrics again; the slow ones go every way for each kind of batch,
and some ways for each set of metrics. ``pytest tests/runs -m matrix`` uses every task in every way.
"""

from pathlib import Path

import click
import pytest

from qeframe.cli.app import app
from qeframe.core.reader import Reader
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.registered import PROFILES, REGISTRY, profile_named
from tests.runs.ways import WAYS, Case, NotApplicableError
from tests.schema import check_schema

FAST = {"out", "report"}
"""Ways that the fast tests go."""
COSTLY = {"audit", "everything", "processes"}
"""Ways that take seconds: the slow tests go them once for each kind of batch."""
BY_PROCESSES = "metrics"
"""The profile that the slow tests evaluate by processes: that each metric works in them is one of its laws."""
LARGE = {"wmt22_metrics"}
"""Sets of 201 parts, of which each run takes seconds: the slow tests leave them out, the fast ones run them."""


def representatives(*, by_metrics: bool) -> list[str]:
    """Return a profile of each kind of batch, and of each set of metrics or not."""
    found: dict[object, str] = {}
    for name in PROFILES:
        profile = profile_named(name)
        kind = REGISTRY.get(Reader, profile.reader).kind
        metrics = {
            part["metric"] if isinstance(part["metric"], str) else tuple(part["metric"]) for part in profile.parts
        }
        found.setdefault((kind, frozenset(metrics or profile.metrics)) if by_metrics else kind, name)
    return sorted(found.values())


TURNS = 16
"""The cheap ways are shared among so many sets of metrics on one kind of batch; fewer sets go more of them each."""


def ways_in_turn() -> list[tuple[str, set[str]]]:
    """Return a profile of each set of metrics with its ways; those of one kind of batch go all cheap ways together."""
    cheap = [name for name in WAYS if name not in COSTLY | FAST]
    of_kind: dict[object, list[str]] = {}
    for name in representatives(by_metrics=True):
        of_kind.setdefault(REGISTRY.get(Reader, profile_named(name).reader).kind, []).append(name)
    return [
        (name, set(cheap[number % turns :: turns]))
        for names in of_kind.values()
        for turns in [min(TURNS, len(names))]
        for number, name in enumerate(names)
    ]


IN_TURN = ways_in_turn()
ONE_OF_EACH_KIND = representatives(by_metrics=False)


@pytest.fixture
def case(request, tmp_path, monkeypatch) -> Case:
    monkeypatch.chdir(tmp_path)
    return Case(request.param, REGISTRY, quick=True)


@pytest.mark.parametrize(
    "case",
    [pytest.param(name, marks=() if name in ONE_OF_EACH_KIND else pytest.mark.newest) for name in PROFILES],
    indirect=True,
)
def test_a_run_and_its_report(case):
    WAYS["out"].go(case)
    if case.name in dict(IN_TURN):  # a page depends on what is scored, not on the profile
        WAYS["report"].go(case)
    check_schema(case.evaluation)


@pytest.mark.parametrize("case", ["qe_sentence"], indirect=True)
def test_progress_on_a_terminal_takes_nothing_from_the_output(case):
    WAYS["progress"].go(case)


def go_every_way(case: Case, ways: set[str]) -> None:
    """Use a task in several ways, all of them even if one fails; name each that fails."""
    wrong = []
    for name in (name for name in WAYS if name in ways):
        try:
            WAYS[name].go(case)
        except NotApplicableError:
            continue
        except Exception as error:
            wrong.append(f"{case.name}, {name}: {type(error).__name__}: {error}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "ways"), [pytest.param(*each, id=each[0]) for each in IN_TURN if each[0] not in LARGE], indirect=["case"]
)
def test_every_set_of_metrics_in_cheap_ways(case, ways):
    go_every_way(case, ways)


@pytest.mark.slow
@pytest.mark.parametrize("case", ONE_OF_EACH_KIND, indirect=True)
def test_every_kind_of_batch_in_the_costly_ways(case):
    go_every_way(case, COSTLY if case.name == BY_PROCESSES else COSTLY - {"processes"})


@pytest.mark.matrix
@pytest.mark.parametrize("case", PROFILES, indirect=True)
def test_every_profile_in_every_way(case):
    go_every_way(case, set(WAYS))


TASK = {"folder", "folders", "gold", "old", "path", "results"}
"""What the arguments of a command are called that is given a task, or the result of one."""


def commands(group: click.Group, before: str = "") -> dict[str, click.Command]:
    """Return all commands of the program by their words."""
    found: dict[str, click.Command] = {}
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        words = f"{before}{name}"
        found |= commands(command, f"{words} ") if isinstance(command, click.Group) else {words: command}
    return found


def test_every_command_that_is_given_a_task_is_covered():
    given = {
        words
        for words, command in commands(app).items()
        if TASK.intersection(each.name for each in command.params if isinstance(each, click.Argument))
        or any(each.name in {"profile", "given"} for each in command.params)
    }
    covered = {words for way in WAYS.values() for words in way.commands} | set(OTHERS)
    assert given - covered == set(), "add a way to tests/runs/ways.py"
    assert covered <= set(commands(app))
    assert BY_PROCESSES in ONE_OF_EACH_KIND


OTHERS = {"correlate": "assessed_texts", "ratings": "mqm_ratings"}
"""Commands on the tasks of readers that no profile names, and one of these readers."""


@pytest.mark.parametrize(
    "name", sorted(set(REGISTRY.names(Reader)) - {profile_named(p).reader.partition("(")[0] for p in PROFILES})
)
def test_readers_without_a_profile(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    case = Case(PROFILES[0], REGISTRY, quick=True)
    path = with_example(REGISTRY.get(Reader, name), REGISTRY).write_example(Path("task"))
    assert path is not None, f"reader {name} generates no task"
    if name.endswith("_ratings"):
        case.start("ratings", name, path)
        case.start("ratings", name, path, "--out", "rated")
        assert any(Path("rated").iterdir())
    else:
        case.start("correlate", path, "--reader", name, "--metric", "wer", "--sizes", "1,2", "--draws", "50")
