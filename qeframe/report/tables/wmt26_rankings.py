"""The tables of the rankings of the human evaluation of 2026."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from qeframe.core.result import Evaluation
from qeframe.report.layouts.number_format import format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.supplements.wmt26_rankings import AVERAGE, NOT_AVERAGED


def wmt26_tables(evaluation: Evaluation) -> list[Table]:
    """Return a table of each language pair, of all systems, and of the best ones by domain; none if not asked for."""
    value = evaluation.supplements.get("wmt26_rankings")
    if value is None:
        return []
    last = [evaluation.signature.text]
    tables = [_pair_table(pair, rows, value["seeds"]) for pair, rows in value["pairs"].items()]
    return [_global_table(value["global_order"], last), *_domain_tables(value["domains"], last), *tables]


def _pair_table(pair: str, rows: Sequence[Mapping[str, Any]], seeds: int) -> Table:
    columns = [
        (Column("system", "left", key=True), [Cell(row["system"]) for row in rows]),
        (Column("mean"), [Cell(format_number(row["mean"], 2)) for row in rows]),
        (Column("items"), [Cell(str(row["items"])) for row in rows]),
    ]
    texts = {"range": "range", "border": "border below", "valid_border": "valid border below"}
    columns += [
        (Column(name, "left"), [Cell(row[key]) for row in rows]) for key, name in texts.items() if key in rows[0]
    ]
    notes = ["cluster: every system above is better than every one below; neighbor: than the next one alone"]
    if "cluster_share" in rows[0]:
        for key, name in (("cluster_share", "cluster"), ("neighbor_share", "neighbor or cluster")):
            columns.append((Column(f"{name}, of seeds"), [Cell(format_number(row[key], 3)) for row in rows]))
        notes.append(f"of seeds: the share of {seeds} seeds with such a border; the official program has no seed")
    return Table.from_columns(f"{pair}: ranking of systems", columns, notes=notes)


def _global_table(rows: Sequence[Mapping[str, Any]], last: Sequence[str]) -> Table:
    notes = ["share better: the mean over language pairs of the share of systems with a higher mean; lower is better"]
    if len({row["language_pairs"] for row in rows}) > 1:
        notes.append("every system counts in its language pairs; in the leaderboard only those count that lack none")
    return Table.from_columns(
        "all language pairs: order of systems",
        [
            (Column("system", "left", key=True), [Cell(row["system"]) for row in rows]),
            (Column("share better"), [Cell(format_number(row["share_better"], 4)) for row in rows]),
            (Column("language pairs"), [Cell(str(row["language_pairs"])) for row in rows]),
        ],
        notes=[*notes, *last],
    )


def _domain_tables(domains: Mapping[str, Mapping[str, float]], last: Sequence[str]) -> Iterator[Table]:
    """Yield the table of the best system in each domain: the easiest language pair and the easiest domain first."""
    if not domains:
        return
    names = dict.fromkeys(name for of_pair in domains.values() for name in of_pair if name != AVERAGE)
    means = {name: np.mean([of_pair[name] for of_pair in domains.values() if name in of_pair]) for name in names}
    pairs = sorted(domains, key=lambda pair: -domains[pair].get(AVERAGE, -np.inf))
    columns = [(Column("language pair", "left", key=True), [Cell(pair) for pair in pairs])]
    for name in [*sorted(names, key=lambda name: -means[name]), AVERAGE]:
        texts = [format_number(domains[pair][name], 2) if name in domains[pair] else "" for pair in pairs]
        columns.append((Column(name), [Cell(text) for text in texts]))
    notes = [f"without human translations; the average leaves out {' and '.join(sorted(NOT_AVERAGED))}", *last]
    yield Table.from_columns("best mean of a system by domain", columns, notes=notes)
