"""What a command costs before it computes anything: processor time, in units of ``import numpy``.

Run as ``python tests/benchmarks/start.py``. Every statement runs in fresh processes, the statements in turn, so that a
busy machine slows all of them; the least time of each counts.
"""

import os
import sys
import tempfile
from pathlib import Path

REPEATS = 9
PYTHON = {"numpy": "import numpy", "qeframe": "import qeframe", "a door": "from qeframe.plugin import Metric"}


def seconds(arguments: list[str]) -> float:
    """Return the processor time of a process."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process compiles all modules anew
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        quiet = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), stream) for stream in (1, 2)]
        process = os.posix_spawn(sys.executable, [sys.executable, *arguments], environment, file_actions=quiet)
        _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"python {' '.join(arguments)} failed")
    return usage.ru_utime + usage.ru_stime


def commands(folder: Path) -> dict[str, list[str]]:
    """Write a task of five units, and return the command lines."""
    (folder / "submissions").mkdir()
    for name, numbers in {"gold": "12435", "submissions/a": "12345", "submissions/b": "21354"}.items():
        (folder / f"{name}.txt").write_text("\n".join(numbers) + "\n")
    gold, run = str(folder / "gold.txt"), ["run", "qe_sentence", str(folder), "--json", "--quiet"]
    lines = [["--help"], ["plugins"], ["profiles"], ["score", "pearson", gold, gold], run]
    return {f"qeframe {line[0]}": ["-m", "qeframe", *line] for line in lines}


def main() -> None:
    """Print one line for each statement."""
    with tempfile.TemporaryDirectory() as folder:
        runs = {f"import of {name}": ["-c", code] for name, code in PYTHON.items()} | commands(Path(folder))
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(REPEATS):
            for name, arguments in runs.items():
                times[name].append(seconds(arguments))
    unit = min(times["import of numpy"])
    for name, measured in times.items():
        sys.stdout.write(f"{name:24}{min(measured):6.3f} s, {min(measured) / unit:5.2f} times the import of numpy\n")


if __name__ == "__main__":
    main()
