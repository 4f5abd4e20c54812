"""Broken files, profiles, options and settings: each is refused in one line, harmless, or undetectable with a reason.

The cases are determined by a seed. A verdict of *defect* fails the test. A pipe that the user names may be silent for a
second only, so that the cases with a pipe that nobody writes are quick.
"""

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from qeframe.core.reader import Reader
from tests.fuzz.breakages import Breakage, breakages_of
from tests.fuzz.cloned_trees import CLONED
from tests.fuzz.detection_tasks import DETECTION_TASKS
from tests.fuzz.json_breakages import LEAST_BREAKAGES, json_breakages_of
from tests.fuzz.json_tasks import JSON_TASKS
from tests.fuzz.published_trees import PUBLISHED
from tests.fuzz.rating_tasks import RATING_TASKS
from tests.fuzz.rules_and_options import PLAIN_RULES, BrokenCommand, broken_options, broken_profiles, broken_settings
from tests.fuzz.small_tasks import SMALL_TASKS, SmallTask
from tests.fuzz.verdicts import Outcome, Verdict, Verdicts, judge, outcome_of
from tests.written import write_files

pytestmark = pytest.mark.slow

LEAST_CASES = 1000
LEAST = 30
"""The least number of breakages of a format."""
FILES = {**SMALL_TASKS, **DETECTION_TASKS, **RATING_TASKS}
JSON_FILES = [
    (name, file) for name, task in JSON_TASKS.items() for file in task.files if not file.endswith("two.jsonl")
]
COMMANDS = {"profiles": broken_profiles, "settings": broken_settings, "options": broken_options}
OUT = Path("out")


@pytest.fixture
def empty_folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QEFRAME_PIPE_SECONDS", "1")
    return Path()


def lay_out(task: SmallTask) -> None:
    """Write the files of a task into the folder ``t``, and nothing else beside it."""
    for entry in Path().iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()
    write_files("t", task.files)


def run(arguments: Sequence[str], case: str) -> Outcome:
    """Run a command; where it is refused, run it with ``--out`` too, which must change nothing."""
    outcome = outcome_of(arguments)
    if outcome.status == 2 and arguments[0] == "run" and "--out" not in arguments:
        again = outcome_of([arguments[0], "--out", str(OUT), *arguments[1:]])
        assert again == outcome, f"{case}: {outcome} without --out, {again} with it"
    return outcome


def verdict_on_files(task: SmallTask, breakage: Breakage, usual: Outcome) -> Verdict:
    lay_out(task)
    breakage.apply(Path("t"))
    outcome = run(task.command("t"), f"{task.name} | {breakage.name}")
    named = [f"t/{breakage.file}", *(f"t/{file}" for file in task.files), "t/", "t:"]
    return judge(
        outcome, usual, named=named, line=breakage.line, undetectable=breakage.undetectable,
        must_be_refused=breakage.must_be_refused, out=OUT,
    )  # fmt: skip


def verdict_on_command(command: BrokenCommand, usual: Outcome) -> Verdict:
    lay_out(SMALL_TASKS["qe_plain"])
    command.prepare(Path())
    outcome = run(command.arguments, command.name)
    return judge(
        outcome, usual, named=command.named, undetectable=command.undetectable,
        must_be_refused=command.must_be_refused, out=OUT,
    )  # fmt: skip


EVERY = int(os.environ.get("QEFRAME_EVERY_NTH_CASE", "12"))
"""Of the broken files and commands, one in so many is tried; 1 tries all of them."""


def verdicts_on_files(task: SmallTask, breakages: Iterable[Breakage]) -> list[tuple[str, Verdict]]:
    """Return the name of each case, and the verdict on it."""
    lay_out(task)
    usual = outcome_of(task.command("t"))
    assert usual.status == 0, usual
    return [(f"{task.name} | {each.name}", verdict_on_files(task, each, usual)) for each in breakages]


def assert_no_defect(verdicts: Sequence[tuple[str, Verdict]], kind: str) -> None:
    """Print the count of every verdict; fail for a defect."""
    counts = Counter(verdict.kind for _, verdict in verdicts)
    columns = (kind, str(len(verdicts)), *(f"{each.value}: {counts[each]}" for each in Verdicts))
    sys.stdout.write("\t".join(columns) + "\n")
    wrong = [f"{case}: {verdict.reason.strip()}" for case, verdict in verdicts if verdict.kind is Verdicts.DEFECT]
    assert not wrong, "\n".join([f"{len(wrong)} defects", *wrong])


@pytest.mark.parametrize("name", FILES)
def test_broken_files(name, empty_folder):
    assert_no_defect(verdicts_on_files(FILES[name], list(breakages_of(FILES[name]))[::EVERY]), name)


@pytest.mark.parametrize(("name", "file"), JSON_FILES)
def test_broken_json(name, file, empty_folder):
    breakages = json_breakages_of(JSON_TASKS[name])[file]
    assert len({breakage.name for breakage in breakages}) == len(breakages) >= LEAST_BREAKAGES
    assert_no_defect(verdicts_on_files(JSON_TASKS[name], breakages[::EVERY]), f"{name} {file}")


@pytest.mark.parametrize("kind", COMMANDS)
def test_broken_commands(kind, empty_folder):
    task = SMALL_TASKS["qe_plain"]
    lay_out(task)
    Path("p.toml").write_text(PLAIN_RULES, encoding="utf-8")
    usual = outcome_of(["run", "p.toml", "t", "--json"] if kind == "profiles" else task.command("t"))
    assert usual.status == 0, usual
    assert_no_defect([(each.name, verdict_on_command(each, usual)) for each in list(COMMANDS[kind]())[::EVERY]], kind)


def all_cases() -> list[str]:
    of_files = [f"{name} | {each.name}" for name, task in FILES.items() for each in breakages_of(task)]
    return of_files + [command.name for make in COMMANDS.values() for command in make()]


def test_there_are_enough_cases_and_each_has_its_own_name():
    cases = all_cases()
    assert len(cases) >= LEAST_CASES
    assert [name for name, count in Counter(cases).items() if count > 1] == []
    assert all(len(breakages_of(task)) >= LEAST for task in (DETECTION_TASKS | RATING_TASKS).values())


def test_every_reader_is_tried(registry):
    built_in = set(registry.names(Reader))
    others = (*DETECTION_TASKS.values(), *JSON_TASKS.values(), *RATING_TASKS.values())
    tasks = [*SMALL_TASKS.values(), *PUBLISHED.values(), *CLONED.values(), *others]
    assert {task.reader.partition("(")[0] for task in tasks} >= built_in
