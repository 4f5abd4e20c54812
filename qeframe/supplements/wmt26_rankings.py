"""The rankings of the human evaluation of 2026: of each language pair, of all systems, and the best ones by domain."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from qeframe.core.batch import BoolArray, FloatArray
from qeframe.core.errors import DataError
from qeframe.core.ranking import RankingInput, RankingRule
from qeframe.supplements.given import ComparedTask, SupplementInput

_PEOPLE = "Human ("
"""How the names of human translations begin, which are not among the best systems of a domain."""
NOT_AVERAGED = frozenset({"edu", "factchecking"})
AVERAGE = "average"
_MOST_SEEDS = 10_000


def wmt26_rankings(*, border_seeds: int = 0) -> Callable[[SupplementInput], dict[str, Any]]:
    """Rank the systems of each language pair, with ranges and borders, and all systems by the share of better ones.

    Parameters
    ----------
    border_seeds : int
        Over how many seeds of the test each border and each range is also counted, since the official program has no
        seed. 0: over none.

    References
    ----------
    WMT26 general MT task, humeval/02b-analyze_results.py.
    """
    if not 0 <= border_seeds <= _MOST_SEEDS:
        raise DataError(f"border_seeds must be from 0 to {_MOST_SEEDS}, not {border_seeds}")
    return partial(_rankings, border_seeds=border_seeds)


def _rankings(given: SupplementInput, *, border_seeds: int) -> dict[str, Any]:
    compared = given.compared()
    if given.ranking is None or not compared:
        raise DataError("rankings of language pairs need tasks", remedy="leave wmt26_rankings out of 'supplements'")
    return {
        "pairs": {task.name: _ranking(task, given, given.ranking, border_seeds) for task in compared},
        "global_order": _global_order(compared),
        "domains": {task.name: _best_by_domain(task) for task in compared if "domain" in task.groups},
        "seeds": border_seeds,
    }


def _ranking(task: ComparedTask, given: SupplementInput, rule: RankingRule, seeds: int) -> list[dict[str, Any]]:
    """Return the systems of a language pair, the best first."""
    means = task.contest.oriented
    order = [int(i) for i in np.argsort(-np.nan_to_num(means, nan=-np.inf), kind="stable")]
    items = (~np.isnan(task.contest.per_unit())).sum(axis=1)
    rows: list[dict[str, Any]] = [
        {"system": task.submissions[i], "mean": float(means[i]), "items": int(items[i])} for i in order
    ]
    if task.better is not None:
        for row, border, ends in zip(rows, *_borders(task.better, order, means, rule), strict=True):
            row |= {"border": border, "range": ends}
        if seeds:
            for row, shares in zip(rows, _over_seeds(task, given, rule, order, seeds), strict=True):
                row |= shares
    if task.valid is not None:
        for row, border in zip(rows, _borders(task.valid, order, means, rule)[0], strict=True):
            row["valid_border"] = border
    return rows


def _borders(
    better: BoolArray, order: Sequence[int], means: FloatArray, rule: RankingRule
) -> tuple[list[str], list[str]]:
    """Return the border after each system, "cluster", "neighbor" or "", and its range of ranks, "2-3"."""
    ranking = rule.rank(RankingInput(oriented=means, better=better))
    borders = [
        "cluster" if ranking.cluster[i] != ranking.cluster[j] else "neighbor" if better[i, j] else ""
        for i, j in pairwise(order)
    ]
    first, last = (ranking.rank, ranking.rank) if ranking.ranges is None else ranking.ranges
    return [*borders, ""], [f"{first[i]}-{last[i]}" for i in order]


def _over_seeds(
    task: ComparedTask, given: SupplementInput, rule: RankingRule, order: Sequence[int], seeds: int
) -> Iterator[dict[str, Any]]:
    """Yield, for each system, how often there is a border after it, and how often it has each range."""
    rules = given.rules
    if rules is None or rules.test.over_seeds is None:
        raise DataError("the test has one seed, that of the run", remedy="leave border_seeds at 0")
    first, second = task.contest.pairs
    significant = rules.significant(rules.test.over_seeds(task.contest, seeds))
    means, found = task.contest.oriented, []
    for of_seed in significant:
        better = np.zeros((len(means), len(means)), dtype=np.bool_)
        better[first, second] = of_seed
        found.append(_borders(better, order, means, rule))
    for place in range(len(order)):
        borders = Counter(of_borders[place] for of_borders, _ in found)
        ranges = Counter(of_ranges[place] for _, of_ranges in found)
        yield {
            "cluster_share": borders["cluster"] / seeds,
            "neighbor_share": (borders["cluster"] + borders["neighbor"]) / seeds,
            "range_shares": {ends: count / seeds for ends, count in ranges.most_common()},
        }


def _global_order(compared: Sequence[ComparedTask]) -> list[dict[str, Any]]:
    """Return all systems by the mean, over their language pairs, of the share of systems with a higher mean."""
    shares: dict[str, list[float]] = {}
    for task in compared:
        means = task.contest.oriented
        known = ~np.isnan(means)
        for name, mean in zip(task.submissions, means, strict=True):
            if not np.isnan(mean):
                shares.setdefault(name, []).append(float((means > mean).sum() / known.sum()))
    order = sorted(shares, key=lambda name: (float(np.mean(shares[name])), name))
    return [
        {"system": name, "share_better": float(np.mean(shares[name])), "language_pairs": len(shares[name])}
        for name in order
    ]


def _best_by_domain(task: ComparedTask) -> dict[str, float]:
    """Return the best mean of a system in each domain, human translations aside, and the average of most domains."""
    systems = [i for i, name in enumerate(task.submissions) if not name.startswith(_PEOPLE)]
    values, domains = task.contest.per_unit()[systems], np.array(task.groups["domain"])
    best: dict[str, float] = {}
    for domain in dict.fromkeys(task.groups["domain"]):
        of_domain = values[:, domains == domain]
        scored = of_domain[(~np.isnan(of_domain)).any(axis=1)]
        if len(scored):
            best[domain] = float(np.nanmean(scored, axis=1).max())
    averaged = [mean for domain, mean in best.items() if domain not in NOT_AVERAGED]
    return {**best, **({AVERAGE: float(np.mean(averaged))} if averaged else {})}
