"""The benchmark page, by one command: ``python tests/benchmarks/run.py [--release PYTHON] [MODULE ...]``.

Every module of this folder with a table ``ROWS`` is measured row by row; every other one is run as it is, and its lines
are kept. Each has a process of its own, and two minutes, or as many as its ``LIMIT_SECONDS`` says. The figures are
written to ``docs/reference/benchmarks.json``, the page to ``docs/reference/benchmarks.md``. Modules that are named are
measured anew; the figures of the others are kept. PYTHON is the interpreter of an environment with the previous
release, for a column of its times: of the same row in the benchmarks of its source tree, or of ours if it can run it.
Where neither is possible the page says why. QEFRAME_DATA names the data of the shared tasks.
"""

import json
import math
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
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
    missed = "a target was missed" if done.returncode == 1 and not last else last
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
    yield "Made by `python tests/benchmarks/run.py`: processor time, the best of several runs, one thread of BLAS.\n"
    yield f"* {on['date']}: {on['processor']}, {on['cores']} cores, {on['memory']} GB, {on['system']}"
    yield "* " + ", ".join(f"{name} {number}" for name, number in on["versions"].items()) + "\n"
    rows = [row for module in made.values() for row in module.get("rows", [])]
    if rows:
        yield "## Against the plain loop or a peer\n"
        yield (
            "The growth is an exponent: 1 means that twice the size takes twice the time. The bound is what no way of "
            "computing the row\ncan leave out, measured in the same run, and its share of our time. Before: the "
            "previous release. A target in points is a\nshare of the bound.\n"
        )
        yield "| row | computation | seconds | before | loop | ratio | target | bound | share | MB | growth |"
        yield "|---|---|---|---|---|---|---|---|---|---|---|"
        for row in sorted(rows, key=lambda row: (len(row["number"]), row["number"])):
            yield _row(row)
        yield ""
        yield from empty_cells(rows)
    for module, found in made.items():
        if found.get("whole"):
            yield "## Whole runs\n"
            yield (
                "Processor time of the command and its children, and its peak memory; the least of a few runs of "
                "both versions in turn.\nBefore: the previous release. The default rules differ: now two "
                "tests are made, and a page shows valid clusters too.\n"
            )
            yield "| run | seconds | before | ratio | MB | MB before |"
            yield "|---|---|---|---|---|---|"
            yield from map(_whole, found["whole"])
            yield ""
        if found["lines"]:
            yield f"## {module}\n\n```text"
            yield from (line.rstrip() for line in found["lines"])
            yield "```\n"


def empty_cells(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield why rows have no time of the previous release."""
    numbers: dict[str, list[str]] = {}
    for row in rows:
        if row.get("before") is None:
            numbers.setdefault(row.get("no_before", "it was not run"), []).append(row["number"])
    for why, of in numbers.items():
        if why.startswith("ModuleNotFoundError"):
            why = f"the release has no such row, and ours needs what it lacks ({why.partition(': ')[2]})"
        yield f"* No time before in row {', '.join(dict.fromkeys(of))}: {why}."
    yield "* Modules below that print lines in place of rows have no column of the previous release.\n"


def _whole(row: Mapping[str, Any]) -> str:
    now, before = row["now"], row.get("before", {})
    ratio = f"{now['seconds'] / before['seconds']:.2f}" if "seconds" in now and "seconds" in before else ""
    seconds = [f"{each['seconds']:.1f}" if "seconds" in each else each.get("failed", "") for each in (now, before)]
    memory = [f"{each['megabytes']:.0f}" if "megabytes" in each else "" for each in (now, before)]
    return f"| {' | '.join((row['name'], *seconds, ratio, *memory))} |"


def _row(row: Mapping[str, Any]) -> str:
    sizes = ", ".join(f"{name} = {size:,}" for name, size in row["sizes"].items())
    growth = ", ".join(f"{name} {math.log2(factor):.1f}" for name, factor in row["growth"].items())
    before = "" if row.get("before") is None else f"{row['before']:.4f}"
    loop = "" if row["loop"] is None else f"{row['loop']:,.2f}"
    ratio = "" if row["ratio"] is None else f"{row['ratio']:,.0f}"
    target = f"{row['target']:,.4g}" if row["target"] else f"{row['share']:.2g}".lstrip("0") if row.get("share") else ""
    bound = "" if row.get("bound") is None else f"{row['bound']:.4f}"
    share = f"{row['bound'] / row['seconds']:.2f}" if bound else ""
    cells = (
        row["number"],
        f"{row['what']}; {sizes}",
        f"{row['seconds']:.4f}",
        before,
        loop,
        ratio,
        target,
        bound,
        share,
    )
    return f"| {' | '.join(cells)} | {row['megabytes']:.0f} | {growth} |"


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
