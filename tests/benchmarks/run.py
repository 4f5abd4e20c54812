"""The benchmark page, by one command: ``python tests/benchmarks/run.py [--release PYTHON] [MODULE ...]``.

Every module of this folder with a table ``ROWS`` is measured row by row; every other one is run as it is, and its lines
are kept. Each has a process of its own, and two minutes, or as many as its ``LIMIT_SECONDS`` says. The figures are
written to ``docs/reference/benchmarks.json``, the page to ``docs/reference/benchmarks.md``. Modules that are named are
measured anew; the figures of the others are kept. PYTHON is the interpreter of an environment with the previous
release, for its times: of the same row in the benchmarks of its source tree, or of ours if it can run it. Where neither
is possible the file says why. QEFRAME_DATA names the data of the shared tasks.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "docs" / "reference"
OTHERS = {"run", "rows"}
MOST_SECONDS = 120
WHOLE = "whole_runs"
"""The module whose lines are rows of commands."""
MISSED = "a target was missed"


def machine() -> dict[str, Any]:
    """Describe the machine and what the figures depend on."""
    try:
        found = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    except OSError:
        found = None
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 0
    return {
        "date": date.today().isoformat(),
        "processor": found[1] if found else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory": round(memory / 2**30),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), **{name: version(name) for name in ("numpy", "scipy")}},
    }


def modules() -> list[str]:
    """Return the modules that measure something."""
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in OTHERS and not path.stem.startswith("_"))


def has_rows(module: str) -> bool:
    """Return whether a module declares rows; it is not imported for this."""
    return re.search(r"^ROWS\b", (HERE / f"{module}.py").read_text(encoding="utf-8"), re.MULTILINE) is not None


def limit(module: str) -> float:
    """Return the seconds that a module may take."""
    found = re.search(r"^LIMIT_SECONDS = (\d+)", (HERE / f"{module}.py").read_text(encoding="utf-8"), re.MULTILINE)
    return float(found[1]) if found else MOST_SECONDS


def run(*command: str, python: str = sys.executable, most: float = 0, folder: Path | None = None) -> tuple[str, str]:
    """Run Python in a folder of benchmarks; return what it printed, and why it failed, if it did."""
    most, folder = most or MOST_SECONDS, folder or HERE
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(
            [python, *command], cwd=folder, env=environment, capture_output=True, text=True, timeout=most, check=False
        )
    except subprocess.TimeoutExpired as error:
        printed = error.stdout or b""
        return (printed.decode() if isinstance(printed, bytes) else printed), f"not finished after {most:g} s"
    last = (done.stderr.strip().splitlines() or [""])[-1]
    missed = MISSED if done.returncode == 1 and not last else last
    return done.stdout, missed if done.returncode else ""


def figures(module: str, release: str | None = None) -> dict[str, Any]:
    """Measure a module, with the interpreter of the previous release too."""
    most = limit(module)
    if module == WHOLE:
        with tempfile.TemporaryDirectory() as folder:
            printed, failed = run(f"{module}.py", folder, *([release] if release else []), most=most)
        return {"whole": list(map(json.loads, printed.splitlines())), "lines": [failed] if failed else []}
    if not has_rows(module):
        printed, failed = run(f"{module}.py", most=most)
        return {"lines": [*printed.strip().splitlines(), *([failed] if failed else [])]}
    counted, failed = run("-c", f"import {module}; print(len({module}.ROWS))")
    if failed:
        return {"lines": [failed]}
    found: dict[str, Any] = {"rows": [], "lines": []}
    for nth in range(int(counted)):
        printed, failed = run("rows.py", module, str(nth), most=most)
        if failed:
            found["lines"].append(f"row {nth + 1}: {failed}")
            continue
        row = json.loads(printed)
        if release:
            row |= before(module, row, release, most)
        found["rows"].append(row)
    return found


_SAME = """
import json, sys
from importlib import import_module
from rows import seconds
module, *wanted = sys.argv[1:]
rows = [row for row in import_module(module).ROWS if [row.number, row.what, json.dumps(dict(row.sizes))] == wanted]
if not rows:
    sys.exit("the release has no such row")
side = rows[0].ours(rows[0].sizes)
side()
print(seconds(side, rows[0].repeats))
"""
"""Prints the time of a row of a module, found by its number, what it is and its sizes."""


def before(module: str, row: Mapping[str, Any], release: str, most: float) -> dict[str, Any]:
    """Return the time of a row in the previous release, or why there is none."""
    place = "import qeframe; print(qeframe.__file__)"
    own = Path(run("-c", place, python=release)[0].strip()).parents[1] / "tests" / "benchmarks"
    given = (module, row["number"], row["what"], json.dumps(row["sizes"]))
    whys = []
    for folder in [*([own] if (own / f"{module}.py").exists() else []), HERE]:
        printed, failed = run("-c", _SAME, *given, python=release, most=most, folder=folder)
        if not failed:
            return {"before": float(printed)}
        whys.append(failed)
    return {"before": None, "no_before": whys[0]}


def page(kept: Mapping[str, Any]) -> str:
    """Return the page of all figures."""
    return "\n".join(_page(kept)) + "\n"


def _page(kept: Mapping[str, Any]) -> Iterator[str]:
    on, made = kept["machine"], kept["modules"]
    yield "# Benchmarks\n"
    yield "Made by `python tests/benchmarks/run.py`: processor time, the best of several runs, one thread of BLAS."
    yield "[benchmarks.json](benchmarks.json) has all figures: also memory, the bound that no way"
    yield "of computing can leave out, the times of the previous release, and what the modules without a row print.\n"
    yield f"* {on['date']}: {on['processor']}, {on['cores']} cores, {on['memory']} GB, {on['system']}"
    yield "* " + ", ".join(f"{name} {number}" for name, number in on["versions"].items()) + "\n"
    rows = [row for module in made.values() for row in module.get("rows", []) if row["ratio"]]
    missed = [module for module, found in made.items() if MISSED in found["lines"]]
    missed += sorted({f"row {row['number']}" for row in rows if row["ratio"] < row["target"]})
    if missed:
        yield f"A target was missed in {', '.join(missed)}.\n"
    if rows:
        yield "## Against the plain loop or a peer\n"
        yield "In brackets: the factor of time when this size is doubled.\n"
        yield "| row | computation | seconds | loop | ratio | target |"
        yield "|---|---|---|---|---|---|"
        yield from map(_row, sorted(rows, key=lambda row: (len(row["number"]), row["number"])))
        yield ""
    if whole := made.get(WHOLE, {}).get("whole"):
        yield "## Whole runs\n"
        yield "Processor time of the command and its children, that of the previous release, and peak memory.\n"
        yield "| run | seconds | before | MB |"
        yield "|---|---|---|---|"
        yield from map(_whole, whole)


def _whole(row: Mapping[str, Any]) -> str:
    cells = [row["name"]]
    for who in ("now", "before"):
        found = row.get(who, {})
        cells.append(f"{found['seconds']:.1f}" if "seconds" in found else found.get("failed", ""))
    memory = f"{row['now']['megabytes']:.0f}" if "megabytes" in row["now"] else ""
    return f"| {' | '.join(cells)} | {memory} |"


def _row(row: Mapping[str, Any]) -> str:
    sizes = ", ".join(f"{name} = {size:,} ({row['growth'][name]:.1f})" for name, size in row["sizes"].items())
    target = f"{row['target']:,.4g}" if row["target"] else ""
    cells = (row["number"], f"{row['what']}; {sizes}", f"{row['seconds']:.4f}", f"{row['loop']:,.2f}")
    return f"| {' | '.join(cells)} | {row['ratio']:,.0f} | {target} |"


def main(chosen: list[str]) -> int:
    """Measure the modules that are named, or all, and write the page."""
    release, chosen = (chosen[1], chosen[2:]) if chosen[:1] == ["--release"] else (None, chosen)
    if unknown := sorted(set(chosen) - set(modules())):
        sys.stderr.write(f"there is no benchmark '{unknown[0]}'; there are {', '.join(modules())}\n")
        return 2
    stored, before = REFERENCE / "benchmarks.json", {}
    if chosen and stored.exists():
        before = json.loads(stored.read_text(encoding="utf-8"))["modules"]
    for module in chosen or modules():
        sys.stderr.write(f"{module}\n")
        before[module] = figures(module, release)
        kept = {"machine": machine(), "modules": {name: before[name] for name in modules() if name in before}}
        stored.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
        (REFERENCE / "benchmarks.md").write_text(page(kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
