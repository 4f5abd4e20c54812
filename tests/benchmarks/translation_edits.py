"""Row 20 of the formulations: TER of many systems, against sacrebleu, on the outputs and the reference of WMT12.

Run as ``QEFRAME_DATA=FOLDER python tests/benchmarks/translation_edits.py [PAIRS [OF_SACREBLEU]]``. The defaults are
20,000 pairs, and 3,000 of them for sacrebleu, which are drawn; its time is scaled up. Times are of the processor; both
sides begin with strings and split them. Exit status 1 if a number differs or the target is missed.
"""

import os
import resource
import sys
import time
from pathlib import Path

import numpy as np
from sacrebleu.metrics import TER

from qeframe.kinds.texts.batch import Texts
from qeframe_texts import ter
from qeframe_texts.translation_edits.edits import EditMemory

LIMIT_SECONDS = 900

LEAST = 30.0


def pairs_of_systems(folder: Path, count: int) -> tuple[list[str], list[str]]:
    """Return translations of systems and their references, system after system, cs-en before en-cs."""
    candidates: list[str] = []
    references: list[str] = []
    for pair, language in (("cs-en", "en"), ("en-cs", "cs")):
        reference = lines(folder / f"newstest2012-ref.{language}")
        for path in sorted((folder / pair).iterdir()):
            candidates += lines(path)
            references += reference
    return candidates[:count], references[:count]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def counted(candidates: list[str], references: list[str]) -> np.ndarray:
    """Return edits and reference lengths, (pairs, 2), as the metric counts them, with nothing in memory."""
    extract = ter().bind.extract
    sys.modules[ter.__module__]._MEMORY = EditMemory()
    return extract(Texts.from_plain(references, candidates))


def counted_by_sacrebleu(candidates: list[str], references: list[str]) -> np.ndarray:
    return np.array(TER()._extract_corpus_statistics(candidates, [references]), dtype=np.float64)


def main(arguments: list[str]) -> int:
    """Measure and compare; return 1 if a target is missed."""
    count = int(arguments[0]) if arguments else 20_000
    candidates, references = pairs_of_systems(Path(os.environ["QEFRAME_DATA"]) / "wmt12-metrics" / "text", count)
    count = len(candidates)
    of_sacrebleu = int(arguments[1]) if len(arguments) > 1 else min(count, 3000)
    counted(candidates[:50], references[:50])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        ours = counted(candidates, references)
        best = min(best, time.process_time() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    some = np.random.default_rng(0).permutation(count)[:of_sacrebleu]
    start = time.process_time()
    theirs = counted_by_sacrebleu([candidates[i] for i in some], [references[i] for i in some])
    loop = (time.process_time() - start) * count / len(some)
    equal = int((ours[some] == theirs).all(axis=1).sum())
    sys.stdout.write(
        f"row 20: TER of {count:,} pairs {best:.2f} s ({1000 * best / count:.3f} ms each), sacrebleu {loop:.1f} s "
        f"({1000 * loop / count:.2f} ms each): {loop / best:.0f} times (target {LEAST:.0f}); equal {equal:,} of "
        f"{len(some):,}; peak {peak:.0f} MB, {before:.0f} MB before\n"
    )
    return int(equal < len(some) or loop / best < LEAST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
