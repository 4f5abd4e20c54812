"""Selections: gold, reference, systems and submissions of a data set, by language pair.

A selection belongs to the data set, not to the rules of a year: the rules of one year run on the data of another.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from attrs import field, frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import did_you_mean

Level = Literal["seg", "sys"]


@frozen(kw_only=True)
class PairSelection:
    """What takes part in one language pair."""

    gold: Mapping[str, str]  # the name of the human scores at each level, "seg" and "sys"
    reference: str  # it is no system, and metrics may use no other reference
    references_scored: tuple[str, ...] = ()  # other references that are scored as systems
    outliers: tuple[str, ...] = ()  # systems that are left out
    primaries: tuple[str, ...] = ()  # of this pair alone


@frozen(kw_only=True)
class Selection:
    """What takes part in the metrics task of one data set; title, source, certainty and note say where it was read."""

    name: str
    title: str = ""
    source: str = ""
    certainty: str = ""
    note: str = ""
    pairs: Mapping[str, PairSelection] = field(factory=dict)  # by language pair
    others: PairSelection | None = None  # for language pairs that are not named; None: they take no part
    official: tuple[str, ...] = ()  # the language pairs of the official ranking
    # base names of the primary metrics of all pairs; empty: there is no list, every metric takes part
    primaries: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()  # base names of the organizers' own metrics

    def of(self, pair: str) -> PairSelection | None:
        """Return the selection of a language pair, None if it takes no part."""
        return self.pairs.get(pair, self.others)

    def metrics_of(self, pair: str) -> tuple[str, ...]:
        """Return the base names of the metrics that take part in a pair; none if there is no list."""
        selected = self.of(pair)
        return (*self.primaries, *(selected.primaries if selected else ()), *self.baselines)


def selection_names() -> list[str]:
    """Return the names of all selections."""
    entries = files(__package__ or "").iterdir()
    return sorted(entry.name.removesuffix(".toml") for entry in entries if entry.name.endswith(".toml"))


@cache
def load_selection(name: str) -> Selection:
    """Return a selection; raise a `DataError` if there is none of that name."""
    names = selection_names()
    if name not in names:
        raise DataError(f"unknown selection '{name}'", remedy=did_you_mean(name, names))
    table = tomllib.loads(files(__package__ or "").joinpath(f"{name}.toml").read_text("utf-8"))
    pairs = {pair: _pair(values) for pair, values in table.pop("pairs", {}).items()}
    others = _pair(table.pop("others")) if "others" in table else None
    return Selection(name=name, pairs=pairs, others=others, **{key: _frozen(value) for key, value in table.items()})


def _pair(table: Mapping[str, Any]) -> PairSelection:
    gold = table["gold"]
    golds = {"seg": gold, "sys": gold} if isinstance(gold, str) else dict(gold)
    return PairSelection(gold=golds, **{key: _frozen(value) for key, value in table.items() if key != "gold"})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
