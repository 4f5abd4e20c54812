"""How often the default interval of a difference covers the true one: python docs/studies/difference_intervals.py.

Two submissions of unlike quality are drawn under a law, and compared by default. The truth is the difference on 400,000
units. The result is written beside this file, one line for each law, metric and number of units.
"""

import warnings
from pathlib import Path

import numpy as np

import qeframe
from qeframe.core.errors import ResultWarning

RUNS = 100
UNITS = (30, 100)
LARGE = 400_000
OUT = Path(__file__).with_suffix(".tsv")


def normal(rng, n):
    """Return normal gold, and answers with correlations .6 and .5."""
    gold = rng.normal(size=n)
    return gold, [r * gold + np.sqrt(1 - r**2) * rng.normal(size=n) for r in (0.6, 0.5)]


def zeros(rng, n):
    """Return MQM-like gold with 60 % zeros, and answers with noise that grows with it."""
    size = rng.choice([1, 5, 1, 2], p=[0.4, 0.3, 0.2, 0.1], size=n) * rng.geometric(0.45, size=n)
    worth = np.where(rng.random(n) < 0.6, 0, np.minimum(25, size)).astype(float)
    noise = [
        (0.8 + 0.3 * worth) * np.abs(rng.normal(size=n)) * (rng.random(n) < 0.35 + 0.5 * (worth > 0)) for _ in "ab"
    ]
    return -worth, [-np.minimum(25, np.rint(s * worth + each)) for s, each in zip((0.6, 0.4), noise, strict=True)]


def gross_errors(rng, n):
    """Return normal gold, and answers of which 3 % are far off."""
    gold = rng.normal(size=n)
    return gold, [gold + s * rng.normal(size=n) + (rng.random(n) < 0.03) * 5 * rng.normal(size=n) for s in (0.8, 1.0)]


def documents(rng, n):
    """Return a gold and answers with a third of the residual variance by document, of ten units each."""
    document = np.arange(n) // 10
    gold = rng.normal(size=n)
    shared = rng.normal(size=(2, document[-1] + 1))[:, document]
    return gold, [0.6 * gold + s * (0.7 * by + rng.normal(size=n)) for s, by in zip((0.9, 1.1), shared, strict=True)]


def tags(rng, n):
    """Return sentences of 20 tags, 12 % BAD, and answers of which .10 and .14 are wrong."""
    gold = rng.random((n, 20)) < 0.12
    return gold, [gold ^ (rng.random((n, 20)) < wrong) for wrong in (0.10, 0.14)]


CASES = [
    *((law, metric) for law in (normal, zeros, gross_errors, documents) for metric in ("pearson", "mae")),
    *((tags, metric) for metric in ("mcc", "f1_mult")),
]


def plain(law, values):
    """Return rows of tags as names, and numbers as they are."""
    return np.where(values, "BAD", "OK").tolist() if law is tags else values


def main() -> None:
    """Measure all cases and write the table."""
    warnings.simplefilter("ignore", ResultWarning)
    lines = ["law\tmetric\tunits\truns\tcovered\terror\tmedian width"]
    for law, metric in CASES:
        gold, answers = law(np.random.default_rng([7, 0]), LARGE // (20 if law is tags else 1))
        truth = np.subtract(*(qeframe.score(metric, plain(law, gold), plain(law, given)) for given in answers))
        for units in UNITS:
            hits, widths = [], []
            for run in range(RUNS):
                gold, (a, b) = law(np.random.default_rng([7, units, run]), units)
                groups = [str(i // 10) for i in range(units)] if law is documents else None
                named = {"a": plain(law, a), "b": plain(law, b)}
                (pair,) = qeframe.compare(metric, plain(law, gold), named, groups=groups, seed=run)
                sign = 1 if pair.a == "a" else -1
                if pair.interval:
                    hits.append(pair.low <= sign * truth <= pair.high)
                    widths.append(pair.high - pair.low)
            share = float(np.mean(hits))
            error = np.sqrt(share * (1 - share) / len(hits))
            lines.append(
                f"{law.__name__}\t{metric}\t{units}\t{len(hits)}\t{share:.3f}\t{error:.3f}\t{np.median(widths):.3f}"
            )
            OUT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
