"""Row 14 of the formulations: reading 200,000 lines of tags against a plain loop in Python, and seven columns.

Run as ``python tests/benchmarks/tagging_files.py [LINES]``. Both sides are run in turn on lines that are in memory, and
the best of several runs counts. Seven columns are read from disk, against a loop that does as much.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from qeframe.data.text_lines import TextFile, read_text_lines
from qeframe.kinds.tags.lines import tags_by_line
from qeframe_wmt import word_columns_2020

REPEATS = 7
LEAST_RATIO = 10.0
CODES = {"OK": 0, "BAD": 1}


def drawn(lines: int) -> list[str]:
    """Draw tags of sentences: lengths N(20, 7), BAD at .18."""
    rng = np.random.default_rng(1)
    lengths = np.maximum(1, rng.normal(20, 7, size=lines).astype(int))
    ends = np.cumsum(lengths)
    tags = np.where(rng.random(ends[-1]) < 0.18, "BAD", "OK").tolist()
    return [" ".join(tags[end - length : end]) for end, length in zip(ends.tolist(), lengths.tolist(), strict=True)]


def loop_over_lines(lines: list[str]) -> list[list[int]]:
    return [[CODES[tag] for tag in line.split()] for line in lines]


def loop_over_columns(path: Path) -> list[list[int]]:
    sentences: dict[int, list[int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[3:]:
        _, _, _, segment, index, _, tag = line.split("\t")
        row = sentences.setdefault(int(segment), [])
        if int(index) != len(row):
            raise ValueError(line)
        row.append(CODES[tag])
    return list(sentences.values())


def seven_columns(lines: list[str]) -> str:
    rows = [
        f"en-de\tx\tMT\t{segment}\t{index}\tword{index}\t{tag}\n"
        for segment, line in enumerate(lines)
        for index, tag in enumerate(line.split())
    ]
    return "1\n2\n3\n" + "".join(rows)


def best_of(*works: Callable[[], object]) -> list[float]:
    """Return the best time of each, run in turn."""
    best = [float("inf")] * len(works)
    for _ in range(REPEATS):
        for nth, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[nth] = min(best[nth], time.perf_counter() - start)
    return best


def main(lines: int = 200_000) -> bool:
    """Print both comparisons, and return whether row 14 is reached."""
    texts = drawn(lines)
    file = TextFile(Path("gold.tags"), tuple(texts), "")
    if [row.tolist() for row in tags_by_line(file)[1]] != loop_over_lines(texts):
        raise AssertionError("the two sides disagree")
    looped, fast = best_of(lambda: loop_over_lines(texts), lambda: tags_by_line(file))
    sys.stdout.write(f"{lines} tag lines: loop {looped:.3f} s, qeframe {fast:.3f} s, {looped / fast:.1f} times\n")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "submissions").mkdir()
        (root / "gold.tags").write_text("\n".join(texts))
        path = root / "submissions" / "a.txt"
        path.write_text(seven_columns(texts[: lines // 10]))
        (root / "gold.tags").write_text("\n".join(texts[: lines // 10]))
        reader = word_columns_2020()
        by_line, plain = best_of(lambda: loop_over_lines(_lines_of(root)), lambda: read_text_lines(root / "gold.tags"))
        slow, quick = best_of(lambda: loop_over_columns(path), lambda: reader.read(root, "low"))
    sys.stdout.write(f"reading the file itself, {lines // 10} lines: {plain:.3f} s (with a loop {by_line:.3f} s)\n")
    columns = f"{lines // 10} sentences of seven columns"
    sys.stdout.write(f"{columns}: loop {slow:.3f} s, qeframe {quick:.3f} s, {slow / quick:.1f} times\n")
    return looped / fast >= LEAST_RATIO


def _lines_of(root: Path) -> list[str]:
    return (root / "gold.tags").read_text().splitlines()


if __name__ == "__main__":
    sys.exit(0 if main(*map(int, sys.argv[1:])) else 1)
