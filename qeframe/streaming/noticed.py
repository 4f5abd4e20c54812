"""What a submission is, as far as sums over chunks tell it: constant, a copy, its sign turned."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import define, field

from qeframe.additions.notices import LEAST, flat_values, is_numeric, on_constant, on_equal, on_equal_to_gold, on_turned
from qeframe.core.batches.base import Batch, FloatArray
from qeframe.core.errors import counted

NOT_LOOKED_FOR = "answers that are shifted, almost constant, or a copy on another scale"
"""What a notice of `qeframe.evaluate` says and sums over chunks do not tell."""


@define(eq=False)
class _Sums:
    """Of pairs of numbers: counts, and sums of their distances from the first pair and of products of these."""

    count: int = 0
    first: FloatArray = field(factory=lambda: np.zeros(2))
    sums: FloatArray = field(factory=lambda: np.zeros(2))
    products: FloatArray = field(factory=lambda: np.zeros((2, 2)))

    def add(self, pairs: FloatArray) -> None:
        if not self.count:
            self.first = pairs[:, :1].copy()
        away = pairs - self.first
        self.count += away.shape[1]
        self.sums = self.sums + away.sum(axis=1)
        self.products = self.products + away @ away.T

    def correlation(self) -> float:
        """Return Pearson's correlation; NaN if a side is constant."""
        covariances = self.products - np.outer(self.sums, self.sums) / max(1, self.count)
        scale = np.sqrt(max(0.0, covariances[0, 0]) * max(0.0, covariances[1, 1]))
        return float(covariances[0, 1] / scale) if scale > 0 else np.nan


@define(eq=False)
class Noticed:
    """What is known of a submission after some chunks.

    `low`, `high`: the ends of its answers. `has_gold`, `equals_gold`: whether there is a gold of numbers, and all
    answers so far equal it.
    """

    low: float = np.inf
    high: float = -np.inf
    values: int = 0
    has_gold: bool = True
    equals_gold: bool = True
    _with_gold: _Sums = field(factory=_Sums)

    def update(self, batch: Batch) -> None:
        """Take the next chunk."""
        answers, gold = flat_values(batch, "predicted"), flat_values(batch, "gold")
        if not is_numeric(answers) or not len(answers):
            return
        self.values += len(answers)
        self.low, self.high = min(self.low, float(answers.min())), max(self.high, float(answers.max()))
        self.has_gold = self.has_gold and is_numeric(gold) and len(gold) == len(answers)
        if self.has_gold:
            self.equals_gold = self.equals_gold and bool((gold == answers).all())
            self._with_gold.add(np.array([gold, answers], dtype=np.float64))

    @property
    def is_constant(self) -> bool:
        """Whether all answers are equal."""
        return self.low == self.high

    def correlation(self) -> float:
        """Return the correlation with the gold; NaN without a gold of numbers, or for a constant."""
        return self._with_gold.correlation() if self.has_gold and not self.is_constant else np.nan


def plain_noticed(noticed: Noticed) -> dict[str, Any]:
    """Return what is known of a submission as values of JSON."""
    plain = attrs.asdict(noticed, value_serializer=lambda _own, _name, value: _listed(value))
    return {name.removeprefix("_"): value for name, value in plain.items()}


def noticed_of(plain: Mapping[str, Any]) -> Noticed:
    """Return what `plain_noticed` made plain."""
    count, *sums = plain["with_gold"].values()
    return Noticed(**{**plain, "with_gold": _Sums(count, *map(np.array, sums))})


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def notices_of_chunks(
    noticed: Mapping[str, Noticed], digests: Sequence[str], units: int, unit: str, *, signs: bool
) -> Iterator[str]:
    """Yield what is remarkable about the answers of submissions, in the words of notices on data in memory.

    `noticed`: by submission.
    `digests`: of the values of each submission.
    `unit`: what a unit is called.
    `signs`: whether signs are looked at: not where a metric on vectors does it.
    """
    if units < LEAST:
        return
    yield from (
        on_constant(name, seen_answers.low, counted(units, unit))
        for name, seen_answers in noticed.items()
        if seen_answers.is_constant
    )
    alike: dict[str, list[str]] = {}
    for (name, side), digest in zip(noticed.items(), digests, strict=True):
        if side.values and not side.is_constant:
            alike.setdefault(digest, []).append(name)
            if side.has_gold and side.equals_gold:
                yield on_equal_to_gold(name, side.values)
    for names in alike.values():
        if len(names) > 1:
            yield on_equal(names, noticed[names[0]].values)
    if signs:
        yield from on_turned({name: seen_answers.correlation() for name, seen_answers in noticed.items()}, units)
