"""Compare the studentized exchange with what qeframe chooses, on the same data: error rates, and power.

Run as ``python docs/studies/studentized_exchange.py --data FOLDER [--runs N]``, with the folder of all data. Ten
submissions of equal true score are drawn under a law, and all pairs are tested by both; of power eight submissions on
four levels. ``studentized_exchange.tsv`` beside this file has the means over data sets. It is written after every
hundred of a cell, and a cell with ``--runs`` of them is not continued. Then the tables of
``docs/reference/calibration.md`` are written from it, as they are without ``--data``.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import evolve
from calibration import GIVEN, PAGE, RARE
from error_rates import Simulation
from laws import Law, equalized_answers, find_law
from power_and_warnings import NOISE, drawn

import qeframe
from qeframe.core.metric import Metric
from qeframe.core.registry import Registry
from qeframe.core.significance import Correction, SignificanceTest, adjust_jointly, run
from qeframe.plugin import FloatArray, Ragged, Tags
from qeframe.report import Cell, Column, Table, as_tsv

STORED = Path(__file__).with_suffix(".tsv")
DRAWS, SEED, BLOCK, FAMILY, MOST_OF_POWER = 499, 4100, 100, 10, 200
RULES = {
    "new": (f"studentized_exchange(draws={DRAWS})", f"max_t(draws={DRAWS}, studentize=true)"),
    "default": (f"jackknife_and_exchange(draws={DRAWS})", f"romano_wolf_and_max_t(draws={DRAWS})"),
}
LEVELS = (0.05, 0.01)
DOCUMENTS = "scores_in_documents(length=10, unequal=true)"
CELLS = [
    *(
        ("pearson", law, n)
        for law in ("normal", "zeros_60", "zeros_90", "gross_errors", "ordinal")
        for n in (30, 100, 500)
    ),
    *(("pearson", law, n) for law in ("heteroscedastic_t3", "near_copies") for n in (30, 100)),
    *(("pearson", law, 100) for law in ("many_scales", "mqm_like")),
    *(("pearson", DOCUMENTS, n) for n in (120, 300, 1000)),
    *(("pearson", f"equalized {name}", n) for name in GIVEN for n in (30, 100, 500)),
    *(("mcc", RARE, n) for n in (30, 100, 500)),
    *(("mcc", "uneven_taggers", n) for n in (30, 100)),
    *(("f1_mult", law, n) for law in (RARE, "uneven_taggers") for n in (30, 100)),
    ("f1_bad", RARE, 100),
    *(("mae", law, n) for law in ("zeros_60", "gross_errors") for n in (30, 100)),
    *(("mae", law, 100) for law in ("normal", "zeros_90", "heteroscedastic_t3")),
    *(("spearman", law, n) for law in ("normal", "zeros_60") for n in (30, 100)),
    ("spearman", "zeros_90", 100),
    *(("pearson", f"alternating_{law}", 100) for law in ("t3", "skewed", "uniform", "t6")),
]
"""Metric, law, units; those of the last line are not promised to hold."""
POWER = [
    *(("pearson", law, n) for law, n in (("normal", 200), ("zeros_60", 50), ("zeros_60", 200), ("zeros_90", 200))),
    *(("pearson", law, n) for law, n in (("ordinal", 100), ("heteroscedastic_t3", 200), ("gross_errors", 100))),
    *(("mae", law, 100) for law in ("normal", "zeros_60", "gross_errors")),
    ("spearman", "zeros_60", 100),
    ("mcc", "uneven_taggers", 100),
]
MEANS = [f"{rule} {of} {size}" for rule in RULES for of in ("pairs", "squares", "family") for size in LEVELS]
"""Means over data sets: the share of pairs with p at most each level, its square, and of families with any such claim.

Of power the share of true differences that p finds at .05, its square, and what the adjusted p finds, and its square.
"""
KEYS = ["what", "metric", "law", "units", "runs", "seconds"]


def laws_from_data(data: Path, registry: Registry) -> dict[str, Law]:
    """Return the laws of real answers whose correlations were made equal."""
    laws = {}
    for name, (profile, folder) in GIVEN.items():
        (task,) = qeframe.read_tasks(qeframe.choose_profile(profile, (), registry), data / folder, registry)
        laws[f"equalized {name}"] = equalized_answers(list(task.batches.values()), f"equalized {name}")
    return laws


def _on_levels(simulation: Simulation, number: int) -> list[Any]:
    """Return eight submissions on four levels, two on each: of tags, more of them flipped on each level."""
    law, units = simulation.law, simulation.units
    if law.kind is not Tags:
        return list(drawn(law, units, number, SEED).batches.values())
    rng = np.random.default_rng([SEED, units, number])
    batches: Sequence[Any] = law.draw(rng, units, 2 * len(NOISE))
    flipped = []
    for nth, batch in enumerate(batches):
        tags, offsets = batch.predicted.values, batch.predicted.offsets
        wrong = rng.random(len(tags)) < 0.1 * NOISE[nth // 2]
        flipped.append(evolve(batch, predicted=Ragged((tags ^ wrong).astype(np.int8), offsets)))
    return flipped


def claims(
    simulation: Simulation, number: int, rules: tuple[str, str], registry: Registry, batches: Any
) -> tuple[Any, ...]:
    """Return the contest, p and adjusted p of all pairs; NaN is 1."""
    contest = simulation.contest(number, batches, as_given=False)
    test, correction = registry.get(SignificanceTest, rules[0]), registry.get(Correction, rules[1])
    pairwise = run(test, contest, "two")
    adjusted = adjust_jointly(correction, contest, pairwise, "two")
    return contest, np.nan_to_num(pairwise.p, nan=1.0), np.nan_to_num(adjusted, nan=1.0)


def summed(what: str, simulation: Simulation, numbers: Sequence[int], registry: Registry) -> FloatArray:
    """Return the sums over data sets of what `MEANS` lists."""
    sums = np.zeros(len(MEANS))
    for number in numbers:
        batches = simulation.batches(number) if what == "size" else _on_levels(simulation, number)
        found = []
        for rules in RULES.values():
            contest, p, adjusted = claims(simulation, number, rules, registry, batches)
            if what == "size":
                shares = [float((p <= size).mean()) for size in LEVELS]
                found += [
                    *shares,
                    *(share**2 for share in shares),
                    *(float((adjusted <= size).any()) for size in LEVELS),
                ]
            else:
                better, worse = (side // 2 for side in contest.pairs)
                told = [((values <= LEVELS[0]) & (better < worse))[better != worse].mean() for values in (p, adjusted)]
                found += [told[0], 0.0, told[0] ** 2, 0.0, told[1], told[1] ** 2]
        sums += found
    return sums


def stored() -> dict[tuple[str, ...], list[float]]:
    """Return by cell the number of data sets, the processor time, and the means."""
    if not STORED.exists():
        return {}
    with STORED.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, delimiter="\t"))[1:]
    return {tuple(row[:4]): [float(value) for value in row[4:]] for row in rows}


def store(cells: dict[tuple[str, ...], list[float]]) -> None:
    """Write all cells."""
    lines = ["\t".join([*KEYS, *MEANS])]
    lines += ["\t".join([*key, *(f"{value:.6g}" for value in values)]) for key, values in cells.items()]
    STORED.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure(data: Path, runs: int) -> None:
    """Measure all cells, a block of data sets of each after the other."""
    registry = qeframe.load()
    given = laws_from_data(data, registry)
    asked = [*(("size", *cell) for cell in CELLS), *(("power", *cell) for cell in POWER)]
    for done in range(0, runs, BLOCK):
        for what, metric, law, units in asked:
            cells, key = stored(), (what, metric, law, str(units))
            values = cells.get(key, [0.0] * (2 + len(MEANS)))
            if values[0] > done or (what == "power" and done >= MOST_OF_POWER):
                continue
            simulation = Simulation(
                metric=registry.get(Metric, metric),
                law=given[law] if law in given else find_law(law),
                units=units,
                submissions=FAMILY if what == "size" else 2 * len(NOISE),
                resample="document" if law == DOCUMENTS else "unit",
                seed=SEED,
            )
            begun = time.process_time()
            sums = summed(what, simulation, range(done, done + BLOCK), registry)
            means = (np.array(values[2:]) * done + sums) / (done + BLOCK)
            cells[key] = [done + BLOCK, values[1] + time.process_time() - begun, *means]
            store(cells)


BOUNDS = {"new pairs 0.05": 0.065, "new family 0.05": 0.075, "new pairs 0.01": 0.02, "new family 0.01": 0.03}
"""What the new test had to keep in each cell in order to become the default."""
OF = {"pairs": "pair", "family": "family"}


def table(what: str) -> Table:
    """Return the error rates, ``what="size"``, or the power of all cells."""
    rows = {key: dict(zip(KEYS[4:] + MEANS, values, strict=True)) for key, values in stored().items() if key[0] == what}
    bounds = BOUNDS if what == "size" else {}
    shown = [(kind, size, rule) for kind in OF for size in LEVELS[: len(bounds) // 2 or 1] for rule in RULES]
    columns = [
        (Column("metric", "left", key=True), [Cell(key[1]) for key in rows]),
        (Column("law", "left"), [Cell(key[2]) for key in rows]),
        (Column("units"), [Cell(key[3]) for key in rows]),
    ]
    for kind, size, rule in shown:
        mean = f"{rule} {kind} {size}"
        cells = [Cell(f"{row[mean]:.3f}", row[mean] > bounds.get(mean, 1.0)) for row in rows.values()]
        columns.append((Column(f"{OF[kind]}, {rule}, {size:g}"), cells))
    if what == "size":
        return Table.from_columns("Error rates", columns, strong_means="above the bound that was set before")
    return Table.from_columns("True differences that are found", columns)


FILES = {"size": "studentized-exchange.tsv", "power": "studentized-exchange-power.tsv"}
"""The tables beside the page, by what they have."""


def write(folder: Path = PAGE.parent) -> None:
    """Write the tables beside the page."""
    for what, name in FILES.items():
        (folder / name).write_text(as_tsv(table(what)), encoding="utf-8")


def main() -> None:
    """Measure what is not stored, and write the tables of the page."""
    parser = argparse.ArgumentParser(description="Compare the studentized exchange with the default.")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--runs", type=int, default=1000)
    given = parser.parse_args()
    if given.data:
        measure(given.data, given.runs)
    write()


if __name__ == "__main__":
    main()
