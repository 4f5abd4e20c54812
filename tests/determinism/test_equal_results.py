"""What must not change a result, to the last bit, and what p-values must be, by the rules of eight profiles."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs
import pytest
from attrs import frozen

from tests.fuzz.small_tasks import SMALL_TASKS

pytestmark = pytest.mark.slow


@frozen
class Twins:
    """A task in which one submission stands twice, under two names.

    Parameters
    ----------
    task : str
        One of the small tasks.
    original, copy : str
        The file of the submission, and that of its copy.
    names : (str, str)
        The names of the two submissions.
    rules : mapping of str to object
        The profile and the settings, where they are not those of the task.
    """

    task: str
    original: str
    copy: str
    names: tuple[str, str]
    rules: Mapping[str, object] = {}

    @property
    def files(self) -> dict[str, str]:
        """The files of the task and the copy; where a file holds the submission's name, the copy holds its own."""
        files = dict(SMALL_TASKS[self.task].files)
        return files | {self.copy: files[self.original].replace("one\t", "twin\t")}

    def command(self, *options: str) -> list[str]:
        """Return the arguments that evaluate it, from the folder that holds the folder of the task."""
        return [*attrs.evolve(SMALL_TASKS[self.task], **self.rules).command(self.task), *options]


def _submission(task: str) -> Twins:
    return Twins(task, "submissions/fair.txt", "submissions/twin.txt", ("fair", "twin"))


def _segments(profile: str) -> Twins:
    settings = ("test=permutation(draws=19, unit=cell, standardize=true)", "interval=", "primaries=all")
    files = (f"metric-scores/en-de/{name}-refA.seg.score" for name in ("one", "twin"))
    return Twins("mtme", *files, ("one-refA", "twin-refA"), {"profile": profile, "settings": settings})


PROFILES = {
    "qe_sentence": _submission("qe_plain"),
    "qe_word": _submission("word_columns_2020"),
    "wmt23_qe_span": _submission("spans_2023"),
    "wmt12_metrics_segment": Twins("rankings", "scores/one.seg.scr", "scores/twin.seg.scr", ("one", "twin")),
    "wmt20_metrics_segment": Twins(
        "wmt20_darr", "scores/one.cs-en.seg.tsv", "scores/twin.cs-en.seg.tsv", ("one", "twin")
    ),
    "wmt22_metrics_segment": _segments("wmt22_metrics_segment"),
    "wmt23_metrics_segment": attrs.evolve(_segments("wmt23_metrics_segment"), rules={}),
    "wmt24_metrics_system": _segments("wmt24_metrics_system"),
}
"""Each with a task that is evaluated by it."""

ALL_AT_ONCE = """
import json, sys
from qeframe.cli import main
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as stop:
        assert not stop.code, arguments
    print("\\n----", flush=True)
"""


def _write(files: Mapping[str, str], folder: Path, *, backwards: bool = False) -> None:
    for name in sorted(files, reverse=backwards):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(files[name], encoding="utf-8")


def _results(folder: Path, *options: str, **environment: str) -> list[str]:
    """Return what the evaluations by all profiles print, in a process of their own."""
    commands = json.dumps([twins.command(*options) for twins in PROFILES.values()])
    done = subprocess.run(
        [sys.executable, "-c", ALL_AT_ONCE, commands],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n----\n")[:-1]


@pytest.fixture(scope="module")
def tasks(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("tasks")
    for twins in PROFILES.values():
        _write(twins.files, folder / twins.task)
    return folder


@pytest.fixture(scope="module")
def usual(tasks) -> list[str]:
    return _results(tasks, PYTHONHASHSEED="0", OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")


@pytest.mark.parametrize("position", range(len(PROFILES)), ids=PROFILES)
def test_a_submission_does_not_differ_from_its_copy_and_no_p_is_0(usual, position):
    result = json.loads(usual[position])
    twins = set(list(PROFILES.values())[position].names)
    pairs = {frozenset((each["a"], each["b"])): each for each in result["comparisons"]}
    assert pairs[frozenset(twins)]["p"] == 1
    assert pairs[frozenset(twins)]["difference"] == 0
    others = [each["p"] for each in result["comparisons"]]
    assert len(others) == 3
    assert all(0 < p <= 1 for p in others)
    assert all(0 < each["p_adjusted"] <= 1 for each in result["comparisons"])


@pytest.mark.parametrize(
    ("seed", "workers", "threads"), [("1", "1", "2"), ("4294967295", "2", "1"), ("random", "3", "2")]
)
def test_hash_seeds_workers_and_threads_of_blas_change_nothing(tasks, usual, seed, workers, threads):
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    variables = dict.fromkeys(names, threads)
    assert _results(tasks, "--workers", workers, PYTHONHASHSEED=seed, **variables) == usual


def test_the_order_of_files_in_a_folder_changes_nothing(tasks, usual, tmp_path):
    for twins in PROFILES.values():
        _write(twins.files, tmp_path / twins.task, backwards=True)
    assert _results(tmp_path) == usual


@pytest.mark.parametrize("backwards", [False, True])
def test_the_order_in_which_a_system_lists_files_changes_nothing(tasks, usual, monkeypatch, capsys, backwards):
    from qeframe.cli import main

    listed = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        return iter(sorted(listed(path), reverse=backwards))

    monkeypatch.setattr(Path, "iterdir", iterdir)
    monkeypatch.chdir(tasks)
    for twins, expected in zip(PROFILES.values(), usual, strict=True):
        main(twins.command())
        assert capsys.readouterr().out.strip() == expected.strip()


REAL = {
    "wmt12_metrics_segment": ("wmt12-metrics", ("computed=per", "test=bootstrap(draws=200)")),
    "wmt23_metrics_system": ("wmt23-metrics", ("test=permutation(draws=200, unit=pair)",)),
}
"""Profiles of which real data are shared: the folder, and settings that make it short."""


@pytest.mark.parametrize("profile", REAL)
def test_real_data_give_equal_bits(profile, shared_data):
    name, settings = REAL[profile]
    folder = shared_data(name)
    command = ["run", profile, str(folder), "--json", *(part for each in settings for part in ("--set", each))]
    printed = {_printed([*command, "--workers", workers], seed, workers) for seed, workers in (("0", "1"), ("7", "2"))}
    assert len(printed) == 1
    comparisons = json.loads(printed.pop())["comparisons"]
    assert all(0 < each["p"] <= 1 for each in comparisons if each["p"] is not None)


def _printed(command: list[str], seed: str, threads: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": threads}
    arguments = [sys.executable, "-m", "qeframe", *command]
    done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
