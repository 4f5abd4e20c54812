"""Every input under random mutations: refused in one line or read, never an unforeseen error or a hang.

The fast suite tries a few of each family. ``QEFRAME_FUZZ=N`` tries N of each, from another seed with
``QEFRAME_FUZZ_SEED``.
"""

import json
import os
import random
import re
import shutil
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import qeframe
from qeframe.core.errors import QeframeError
from tests.fuzz.detection_tasks import DETECTION_TASKS
from tests.fuzz.json_tasks import JSON_TASKS
from tests.fuzz.mutations import COLUMN_EDITS, LIBRARIES, mutated, mutated_columns
from tests.fuzz.published_trees import PUBLISHED
from tests.fuzz.rating_tasks import RATING_TASKS
from tests.fuzz.rules_and_options import PLAIN_RULES
from tests.fuzz.small_tasks import SMALL_TASKS, SmallTask
from tests.fuzz.test_broken_input import empty_folder, lay_out
from tests.fuzz.verdicts import REFUSAL, Outcome, outcome_of

__all__ = ["FAMILIES", "empty_folder", "tried"]

CASES = int(os.environ.get("QEFRAME_FUZZ", "0"))
SEED = os.environ.get("QEFRAME_FUZZ_SEED", "1")

ALL_TASKS = {**SMALL_TASKS, **JSON_TASKS, **PUBLISHED, **DETECTION_TASKS, **RATING_TASKS}
_UNFORESEEN = re.compile(r"raised in module|failed in|QEFRAME_TRACEBACK|Traceback|Errno")
_ONE_LINE = re.compile(rf"(qeframe: warning: [^\n]+\n|qeframe: note[^\n]+\n)*({REFUSAL.pattern})")

Said = tuple[str, str]
"""What became of a case: "refused", "same", "other" or "DEFECT"; and the message, for the last two what is odd."""
Family = Callable[[random.Random], tuple[str, Said]]


def _judged(arguments: list[str], usual: Outcome) -> Said:
    outcome = outcome_of(arguments)
    if outcome.status is None:
        return "DEFECT", "it hangs"
    if _UNFORESEEN.search(outcome.err) or outcome.status not in (0, 2):
        return "DEFECT", f"status {outcome.status}: {outcome.err[-600:]}"
    if outcome.status == 2:
        odd = not _ONE_LINE.fullmatch(outcome.err) or outcome.out
        return ("DEFECT", f"not one line: {outcome.err[-600:]}") if odd else ("refused", outcome.err)
    return ("same" if _numbers(outcome) == _numbers(usual) else "other"), outcome.err


def _numbers(outcome: Outcome) -> Any:
    try:
        return outcome.numbers
    except (ValueError, KeyError, TypeError, AttributeError):
        return outcome.out


_usual: dict[str, Outcome] = {}


def _usually(arguments: list[str], name: str) -> Outcome:
    """Return what a command does before the mutation, computed once."""
    if name not in _usual:
        _usual[name] = outcome_of(arguments)
        assert _usual[name].status == 0, (arguments, _usual[name])
    return _usual[name]


def _mutate(path: Path, chosen: random.Random) -> str:
    name, content = mutated(path.read_bytes(), chosen)
    path.write_bytes(content)
    return f"{path}: {name}"


def of_files(chosen: random.Random) -> tuple[str, Said]:
    """A file of a task, read by `run`, `ratings` or `validate`."""
    name = chosen.choice(list(ALL_TASKS))
    task = ALL_TASKS[name]
    lay_out(task)
    command, file = task.command("t"), chosen.choice(list(task.files))
    arguments = command
    settings = [part for each in (f"reader={task.reader}", *task.settings) for part in ("--set", each)]
    if file.startswith("submissions/") and task.profile and chosen.random() < 0.3:
        arguments = ["validate", task.profile, f"t/{file}", *settings, "--json"]
    usual = outcome_of(arguments) if arguments[0] == "validate" else _usually(arguments, f"{arguments[0]} {name}")
    what = _mutate(Path("t", file), chosen)
    return f"{arguments[0]} {name} {what}", _judged(arguments, usual)


_PLAIN = SMALL_TASKS["qe_plain"]


def of_plain_files(chosen: random.Random) -> tuple[str, Said]:
    """Plain files of numbers, texts and tags for `score` and `compare`."""
    kind, metric = chosen.choice([("numbers", "pearson"), ("texts", "wer"), ("tags", "f1_mult")])
    line = {"numbers": "0.{}5", "texts": "a b{} c", "tags": "OK BAD OK"}[kind]
    sides = {side: "".join(line.format(i * n % 7) + "\n" for i in range(1, 9)) for n, side in enumerate("gab", 1)}
    lay_out(SmallTask("", "", sides))
    commands = {"score": ["score", metric], "compare": ["compare", metric, "--json", "--test", "bootstrap(draws=50)"]}
    name = chosen.choice(list(commands))
    arguments = [*commands[name], "t/g", "t/a", "t/b"]
    usual = _usually(arguments, f"plain {name} {kind}")
    what = _mutate(Path("t", chosen.choice("gab")), chosen)
    return f"{name} {kind} {what}", _judged(arguments, usual)


def _three_columns() -> dict[str, Any]:
    return {name: [i * factor % 9 / 9 for i in range(9)] for name, factor in (("gold", 1), ("a", 4), ("b", 5))}


_SETTINGS = (
    *("primary=pearson", "secondary=[spearman, mae]", "test=bootstrap(draws=100)", "correction=holm", "alpha=0.05"),
    *("missing=error", "best=high", "across=mean", "interval=jackknife", "baselines=[]", "level=sentence", "year=2026"),
    *("reader=qe_plain", "sided=two", "title=Ours", "strict=true", "ranking=not_worse_than_best"),
)


def of_rules(chosen: random.Random) -> tuple[str, Said]:
    """A profile of TOML, or a changed rule."""
    lay_out(_PLAIN)
    Path("p.toml").write_text(PLAIN_RULES, encoding="utf-8")
    arguments = ["run", "p.toml", "t", "--json"]
    usual = _usually(arguments, "rules")
    if chosen.random() < 0.5:
        what = _mutate(Path("p.toml"), chosen)
    else:
        setting = chosen.choice(_SETTINGS)
        usual = _usually([*arguments, "--set", setting], setting)
        name, text = mutated(setting.encode(), chosen)
        what = f"--set {setting}: {name}"
        arguments = [*arguments, "--set", text.decode("utf-8", "surrogateescape").replace("\0", "\x01")]
    return what, _judged(arguments, usual)


def _results() -> None:
    """Write results of one command: two runs."""
    lay_out(_PLAIN)
    quick = ["run", "qe_sentence", "t", "--set", "test=randomization(draws=100)", "--quiet"]
    for arguments in ([*quick, "--out", "t/one"], [*quick, "--out", "t/two", "--set", "secondary=[]"]):
        assert outcome_of(arguments).status == 0, (arguments, outcome_of(arguments))
    shutil.rmtree("../kept", ignore_errors=True)
    shutil.copytree("t", "../kept")


def of_results(chosen: random.Random) -> tuple[str, Said]:
    """A file of a result."""
    if not Path("../kept").exists():
        _results()
    lay_out(SmallTask("", "", {}))
    shutil.copytree("../kept", "t", dirs_exist_ok=True)
    command = {
        "report": (["report", "t/one"], "one"),
        "report --html": (["report", "t/one", "--html", "t/page.html"], "one"),
        "diff": (["diff", "t/one", "t/two", "--json"], "one"),
    }
    name = chosen.choice(list(command))
    arguments, folder = command[name]
    if f"results {name}" not in _usual:
        _usually(arguments, f"results {name}")
        return of_results(chosen)  # the first run of a command wrote into the folders
    usual = _usual[f"results {name}"]
    files = sorted(path for path in Path("t", folder).rglob("*") if path.is_file())
    telling = [path for path in files if path.suffix in {".json", ""} or path.name.startswith(".")]
    what = _mutate(chosen.choice(telling if chosen.random() < 0.9 and telling else files), chosen)
    return f"{name} {what}", _judged(arguments, usual)


def _frame_columns(shape: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the columns of a frame, and the names under which `tasks_from_frame` takes them."""
    rows = [(pair, unit, system) for pair in ("de", "fr") for unit in range(4) for system in ("A", "B")]
    values = [(i * 7 % 16) / 16 for i in range(16)]
    columns: dict[str, Any] = {"gold": values, "a": values[::-1], "b": [*values[5:], *values[:5]]}
    if shape == "wide":
        return columns, {"submissions": ["a", "b"]}
    labels = {"task": [row[0] for row in rows], "unit": [row[1] for row in rows], "system": [row[2] for row in rows]}
    if shape == "grid":
        return {**labels, **columns}, {"unit": "unit", "system": "system", "task": "task", "submissions": ["a", "b"]}
    unit = [i % 8 for i in range(16)]
    columns = {"unit": unit, "gold": [i / 8 for i in unit], "name": ["a"] * 8 + ["b"] * 8, "score": values}
    return columns, {"unit": "unit", "submission": "name", "score": "score"}


def _python(call: Callable[[], Any], usual: Any) -> Said:
    """Return what became of a call of Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            result = call()
    except QeframeError as error:
        message = str(error)
        return ("DEFECT" if _UNFORESEEN.search(message) or "\n" in message else "refused"), message
    except Exception as error:
        return "DEFECT", f"{type(error).__name__}: {error}"
    return ("same" if result == usual else "other"), ""


def _task_values(tasks: Any) -> str:
    return repr(
        [
            (task.name, str(task.dropped), [(str(each), _sides(batch)) for each, batch in task.batches.items()])
            for task in tasks
        ]
    )


def _sides(batch: Any) -> dict[str, Any]:
    return {name: np.asarray(getattr(batch, name)).tolist() for name in ("gold", "predicted")}


def of_frames(chosen: random.Random) -> tuple[str, Said]:
    """A data frame of any library as tasks."""
    shape = chosen.choice(["wide", "long", "grid"])
    columns, names = _frame_columns(shape)
    what, changed = mutated_columns(columns, chosen)
    if chosen.random() < 0.2:
        again, changed = mutated_columns(changed, chosen) if changed else ("", changed)
        what = f"{what}, {again}"
    library = (
        chosen.choice(list(LIBRARIES)) if chosen.random() < 0.6 else chosen.choice(["pandas", "polars", "pyarrow"])
    )
    missing = chosen.choice(["error", "drop_for_all", "score_as_worst"])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            frame = LIBRARIES[library](changed)
    except Exception as error:
        return f"{shape} {library} {what}: no such frame", ("refused", f"by the library: {type(error).__name__}")

    def call(frame: Any = frame) -> str:
        tasks = qeframe.tasks_from_frame(frame, missing=missing, **names)
        if evaluated:
            qeframe.evaluate("wmt23_metrics_segment" if shape == "grid" else "qe_sentence", tasks, settings=["test="])
        return _task_values(tasks)

    evaluated = chosen.random() < 0.3
    usual = call(pd.DataFrame(columns))
    return f"{shape} {library} {what}", _python(call, usual)


def of_values(chosen: random.Random) -> tuple[str, Said]:
    """Lists, arrays and columns for `score` and `compare`."""
    makers: dict[str, Callable[[Any], Any]] = {
        "list": list,
        "tuple": tuple,
        "array": np.array,
        "iterator": iter,
        "dict": lambda v: dict(enumerate(v)),
        "set": set,
        "objects": lambda v: np.array(v, dtype=object),
        "text": str,
        "pandas": pd.Series,
        "pandas, labeled": lambda v: pd.Series(v, index=[f"x{i}" for i in range(len(v))]),
        "polars": pl.Series,
        "polars, not strict": lambda v: pl.Series(v, strict=False),
        "pyarrow": lambda v: pa.array(v),
        "chunked": lambda v: pa.chunked_array([pa.array(v)]),
        "frame": lambda v: pd.DataFrame({"x": v}),
        "masked": lambda v: np.ma.array(v, mask=[i == 2 for i in range(len(v))]),
        "matrix": lambda v: np.array(v)[:, None],
        "category": lambda v: pd.Series(v, dtype="category"),
        "index": pd.Index,
        "strings": lambda v: np.array(v, dtype="U"),
        "nullable": lambda v: pd.Series(v).convert_dtypes(),
        "sparse": lambda v: pd.Series(pd.arrays.SparseArray(v)),
    }
    gold, a, b = _three_columns().values()
    kind = chosen.choice(["gold", "submission"])
    edit = chosen.choice(list(COLUMN_EDITS)) if chosen.random() < 0.8 else "nothing"
    maker = chosen.choice(list(makers))
    old = gold if kind == "gold" else a
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            new = makers[maker](COLUMN_EDITS[edit](list(old), chosen) if edit != "nothing" else old)
    except Exception as error:
        return f"{maker} {edit}: no such values", ("refused", f"by the library: {type(error).__name__}")
    gold, a = (new, a) if kind == "gold" else (gold, new)
    metric = chosen.choice(["pearson", "spearman", "mae", "rmse", "delta_avg", "f1_mult", "wer"])
    name = chosen.choice(["score", "interval", "compare"])
    calls: dict[str, Callable[[Any, Any], Any]] = {
        "score": lambda gold, a: qeframe.score(metric, gold, a),
        "interval": lambda gold, a: str(qeframe.score(metric, gold, a, interval="bootstrap(draws=20)").value),
        "compare": lambda gold, a: str(qeframe.compare(metric, gold, {"a": a, "b": b}, test="bootstrap(draws=20)")),
    }
    try:
        usual = calls[name](*list(_three_columns().values())[:2])
    except QeframeError:
        usual = None
    return f"{name} {metric} {kind} {maker} {edit}", _python(lambda: calls[name](gold, a), usual)


FAMILIES: dict[str, tuple[Family, int]] = {
    "files": (of_files, 8), "plain files": (of_plain_files, 8), "rules": (of_rules, 8),
    "results": (of_results, 8), "frames": (of_frames, 30), "values": (of_values, 30),
}  # fmt: skip
"""Each family, and how many cases of it the fast suite tries."""


def tried(family: str, count: int, seed: str = SEED) -> Iterator[tuple[str, Said]]:
    """Yield the name of each case, and what became of it."""
    for i in range(count):
        yield FAMILIES[family][0](random.Random(f"{seed} {family} {i}"))


@pytest.mark.parametrize("family", FAMILIES)
def test_mutations(family, empty_folder):
    cases = list(tried(family, CASES or FAMILIES[family][1]))
    counts = Counter(kind for _, (kind, _) in cases)
    wrong = [f"{name}: {message}" for name, (kind, message) in cases if kind == "DEFECT"]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(cases)} ({json.dumps(counts)})", *wrong])
