"""Reading a table of MQM ratings of 300,000 lines: the reader against a plain script of the csv module.

Run by hand: ``python tests/benchmarks/ratings.py [FILE]``. The table is made by repetition of side-by-side ratings,
each time with other names of documents, without the column of metadata. FILE is such a table; by default that of WMT23
below QEFRAME_DATA. Times are of the processor. Exit status 1 if the target is missed.
"""

import csv
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from qeframe_wmt.readers.metrics.ratings.mqm_and_sqm import mqm_ratings

LIMIT_SECONDS = 300

LINES, REPEATS, MOST = 300_000, 3, 4.0
"""The target: at most four times as long as the script, which checks nothing and keeps no ratings."""
FOLDER = Path(os.environ.get("QEFRAME_DATA", ".")) / "mqm-side-by-side-2023"
HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def repeated(path: Path) -> str:
    """Return a table whose documents are those of the file, several times."""
    rows = [line.split("\t")[:9] for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]
    segments = max(int(row[3]) for row in rows)
    lines = [HEADER]
    for copy in range(LINES // len(rows) + 1):
        for system, document, number, segment, *rest in rows:
            place = (f"{document}.{copy}", number, str(int(segment) + copy * segments))
            lines.append("\t".join((system, *place, *rest)))
    return "\n".join(lines[: LINES + 1]) + "\n"


def plain(path: Path) -> dict[tuple[str, str, int], float]:
    """Score the table as mt-metrics-eval does."""
    weights = {"Major": 5.0, "Minor": 1.0, "Major/Non-translation!": 25.0, "Minor/Fluency/Punctuation": 0.1}
    raters: dict[tuple[str, str, int], dict[str, float]] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            name = f"{row['severity']}/{row['category']}"
            while name and name not in weights:
                name = name.rpartition("/")[0]
            lost = raters.setdefault((row["system"], row["doc"], int(row["doc_id"])), {})
            lost[row["rater"]] = lost.get(row["rater"], 0.0) + weights.get(name, 0.0)
    return {place: -sum(lost.values()) / len(lost) for place, lost in raters.items()}


def seconds(work: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> int:
    (path,) = map(Path, sys.argv[1:]) if sys.argv[1:] else FOLDER.rglob("sxs_*.tsv")
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "ratings.tsv"
        table.write_text(repeated(path), encoding="utf-8")
        read = partial(mqm_ratings(repeated="add").read, table, "high")
        script, reader = seconds(lambda: plain(table)), seconds(read)
        (task,) = read()
        means = sorted(plain(table).values())
        ours = sorted(value for value in task.gold.values.ravel().tolist() if value == value)
        assert max(abs(a - b) for a, b in zip(means, ours, strict=True)) < 1e-9
        size = table.stat().st_size / 2**20
    ratio = reader / script
    sys.stdout.write(
        f"{LINES} lines, {size:.0f} MiB: script {script:.2f} s, reader {reader:.2f} s, ratio {ratio:.2f}\n"
    )
    return int(reader > MOST * script)


if __name__ == "__main__":
    sys.exit(main())
