"""Whole runs: processor time and memory of commands, also of the previous release.

``python tests/benchmarks/whole_runs.py FOLDER [PYTHON [REPEATS [FIRST]]]``, from run number FIRST on. FOLDER gets the
generated tasks and the results. QEFRAME_DATA names the data of the shared tasks. PYTHON is the interpreter of an
environment that has the previous release.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

Run = tuple[str, list[str]]
LIMIT_SECONDS = 3600


def generated(folder: Path, pairs: int, submissions: int, units: int) -> Path:
    """Write tasks of numbers, each a folder with gold and submissions; return their folder, or that of the only one."""
    name = folder / f"{pairs}x{submissions}x{units}"
    for pair in range(pairs):
        rng = np.random.default_rng(pair)
        task = name / f"{chr(97 + pair // 26)}{chr(97 + pair % 26)}-en" if pairs > 1 else name
        gold = rng.normal(size=units)
        (task / "submissions").mkdir(parents=True, exist_ok=True)
        sides = {"gold.txt": gold}
        for nth in range(submissions):
            sides[f"submissions/s{nth:03d}.txt"] = gold + (1 + nth / submissions) * rng.normal(size=units)
        for file, values in sides.items():
            (task / file).write_text("".join(f"{value:.4f}\n" for value in values))
    return name


def runs(folder: Path, data: Path) -> Iterator[Run]:
    """Yield what is run: its name, and the arguments of the command. OUT stands for a folder."""
    small, wide = generated(folder, 100, 20, 1000), generated(folder, 1, 200, 10_000)
    ten = generated(folder, 1, 10, 1000)
    yield "start of a small run", ["run", "qe_sentence", str(ten)]
    yield "WMT12 metrics, segments", ["run", "wmt12_metrics_segment", str(data / "wmt12-metrics")]
    yield "WMT14 QE, task 1.2", ["run", "wmt14_qe_task1_2", str(data / "wmt14-qe-task1.2"), "--out", "OUT"]
    yield "WMT20 metrics, segments", ["run", "wmt20_metrics_segment", str(data / "wmt20-metrics"), "--out", "OUT"]
    yield "WMT22 QE, words", ["run", "wmt22_qe_word", str(data / "wmt22-qe" / "word"), "--out", "OUT"]
    yield ("WMT23 metrics, page", ["run", "wmt23_metrics", str(data / "wmt23-metrics-pairs"), "--out", "OUT"])
    yield "100 pairs x 20 x 1,000, page", ["run", "qe_sentence", str(small), "--out", "OUT"]
    yield "200 submissions x 10,000, page", ["run", "qe_sentence", str(wide), "--out", "OUT"]
    yield "audit of 10 metrics", ["audit", *AUDITED]
    yield ("sensitivity to 4 profiles", ["sensitivity", str(data / "wmt12-metrics"), "--profiles", SENSITIVE])
    for name, doubled in GROWTH.items():
        pairs, submissions, units, draws = (size * (2 if size == doubled else 1) for size in GROWING)
        rules = [f"test=permutation(draws={draws})", f"correction=romano_wolf(draws={draws})"]
        task = str(generated(folder, pairs, submissions, units))
        yield name, ["run", "qe_sentence", task, *(part for rule in rules for part in ("--set", rule)), "--out", "OUT"]


GROWING = (4, 10, 2000, 10_000)
"""Language pairs, submissions, units, draws of the run whose sizes are doubled one by one."""
GROWTH = {
    "growth, 4 pairs x 10 submissions x 2,000, 10,000 draws": None,
    "growth, pairs x 2 (law: 2)": 4,
    "growth, submissions x 2 (law: 2 to 4)": 10,
    "growth, units x 2 (law: 2)": 2000,
    "growth, draws x 2 (law: 2)": 10_000,
}
"""The names of these runs with the law that the factor of time should follow, and the size that is doubled."""


AUDITED = ["pearson", "spearman", "mae", "rmse", "delta_avg", "kendall_tau_b", "mcc", "f1_mult", "f1_bad", "f1_ok"]
SENSITIVE = "wmt12_metrics_segment,wmt13_metrics_segment,wmt11_metrics_segment,wmt10_metrics_segment"


def measured(command: list[str], folder: Path, nth: int) -> dict[str, float | str]:
    """Return the processor time of a command and its children, and their peak memory; or why it failed."""
    out = folder / f"out-{nth}"
    command = [str(out) if part == "OUT" else part for part in command]
    begun = time.monotonic()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_environment(folder)
    ) as process:
        assert process.stderr is not None
        said = process.stderr.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        return {"failed": (said.strip().splitlines() or ["failed"])[-1][:100]}
    return {
        "seconds": used.ru_utime + used.ru_stime,
        "megabytes": used.ru_maxrss / 1024,
        "wall": time.monotonic() - begun,
    }


def _environment(folder: Path) -> dict[str, str]:
    one = {"OPENBLAS_NUM_THREADS": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    return {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **one}


def table(folder: Path, release: str | None, repeats: int = 2, first: int = 0) -> Iterator[dict[str, object]]:
    """Yield a row for each run: the least of several of this version and, with its interpreter, of the release."""
    for nth, (name, arguments) in enumerate(runs(folder, Path(os.environ.get("QEFRAME_DATA", ".")))):
        if nth < first:
            continue
        row: dict[str, object] = {"name": name, "command": " ".join(arguments[:2])}
        versions = {"now": sys.executable, **({"before": release} if release else {})}
        found: dict[str, list[dict[str, float | str]]] = {who: [] for who in versions}
        for _ in range(repeats):
            for who, python in versions.items():
                found[who].append(measured([python, "-m", "qeframe", *arguments, "--quiet"], folder, nth))
        for who, every in found.items():
            row[who] = min(every, key=lambda each: float(each.get("seconds", np.inf)))
        yield row


def show(row: dict[str, object]) -> None:
    """Write a row as a line of JSON."""
    sys.stdout.write(json.dumps(row) + "\n")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    """Write a row for each run."""
    folder, release = Path(arguments[0]), arguments[1] if len(arguments) > 1 else None
    folder.mkdir(parents=True, exist_ok=True)
    for row in table(folder.absolute(), release, *map(int, arguments[2:])):
        show(row)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
