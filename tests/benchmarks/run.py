"""The benchmark page, by one command: ``python tests/benchmarks/run.py [MODULE ...]``.

Every module of this folder with a table ``ROWS`` is measured row by row; every other one is run as it is, and its lines
are kept. Each has a process of its own, and at most two minutes. The figures are written to
``docs/reference/benchmarks.json``, the page to ``docs/reference/benchmarks.md``. Modules that are named are measured
anew; the figures of the others are kept.
"""

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REFERENCE = HERE.parents[1] / "docs" / "reference"
OTHERS = {"run", "rows"}
MOST_SECONDS = 120


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


def run(*command: str) -> tuple[str, str]:
    """Run Python in this folder; return what it printed, and why it failed, if it did."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(HERE)}
    try:
        done = subprocess.run(
            [sys.executable, *command],
            cwd=HERE,
            env=environment,
            capture_output=True,
            text=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        printed = error.stdout or b""
        return (printed.decode() if isinstance(printed, bytes) else printed), f"not finished after {MOST_SECONDS} s"
    last = (done.stderr.strip().splitlines() or [""])[-1]
    missed = "a target was missed" if done.returncode == 1 and not last else last
    return done.stdout, missed if done.returncode else ""


def figures(module: str) -> dict[str, Any]:
    """Measure a module."""
    if not has_rows(module):
        printed, failed = run(f"{module}.py")
        return {"lines": [*printed.strip().splitlines(), *([failed] if failed else [])]}
    counted, failed = run("-c", f"import {module}; print(len({module}.ROWS))")
    if failed:
        return {"lines": [failed]}
    found: dict[str, Any] = {"rows": [], "lines": []}
    for nth in range(int(counted)):
        printed, failed = run("rows.py", module, str(nth))
        if failed:
            found["lines"].append(f"row {nth + 1}: {failed}")
        else:
            found["rows"].append(json.loads(printed))
    return found


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
        yield "Growth is the time with one size doubled, over the time without.\n"
        yield "| row | computation | seconds | loop | ratio | target | MB | growth |"
        yield "|---|---|---|---|---|---|---|---|"
        for row in sorted(rows, key=lambda row: (len(row["number"]), row["number"])):
            yield _row(row)
        yield ""
    for module, found in made.items():
        if found["lines"]:
            yield f"## {module}\n\n```text"
            yield from (line.rstrip() for line in found["lines"])
            yield "```\n"


def _row(row: Mapping[str, Any]) -> str:
    sizes = ", ".join(f"{name} = {size:,}" for name, size in row["sizes"].items())
    growth = ", ".join(f"{name} {factor:.1f}" for name, factor in row["growth"].items())
    loop = "" if row["loop"] is None else f"{row['loop']:,.2f}"
    ratio = "" if row["ratio"] is None else f"{row['ratio']:,.0f}"
    cells = (row["number"], f"{row['what']}; {sizes}", f"{row['seconds']:.4f}", loop, ratio)
    target = f"{row['target']:,.0f}" if row["target"] else ""
    return f"| {' | '.join(cells)} | {target} | {row['megabytes']:.0f} | {growth} |"


def main(chosen: list[str]) -> int:
    """Measure the modules that are named, or all, and write the page."""
    if unknown := sorted(set(chosen) - set(modules())):
        sys.stderr.write(f"there is no benchmark '{unknown[0]}'; there are {', '.join(modules())}\n")
        return 2
    stored, before = REFERENCE / "benchmarks.json", {}
    if chosen and stored.exists():
        before = json.loads(stored.read_text(encoding="utf-8"))["modules"]
    for module in chosen or modules():
        sys.stderr.write(f"{module}\n")
        before[module] = figures(module)
    kept = {"machine": machine(), "modules": {name: before[name] for name in modules() if name in before}}
    stored.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    (REFERENCE / "benchmarks.md").write_text(page(kept), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
