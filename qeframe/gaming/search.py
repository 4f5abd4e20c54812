"""Attacks found by search: a hill climb with restarts over the parameters that attacks declare as their space.

A point of a space is an attack with parameters, by the name that reads it back: ``tag_grammar(sentences=0.45)``. It is
tried on a few golds. A climb begins at the best of some random points. It goes to a better neighbor, one value up or
down in one parameter or another word, until none is better; then it starts again elsewhere. The best point of a space
is the find. Its index on these golds is too good, since it was chosen on them: it is measured again on others.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from math import prod
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import generator
from qeframe.core.batch import Batch
from qeframe.core.calls import format_call
from qeframe.core.metric import Attack
from qeframe.core.processes import EndedError
from qeframe.core.registry import Registry
from qeframe.core.runner import Runner
from qeframe.gaming.audit_gold import AuditGold, Case
from qeframe.gaming.indices import COUNTING
from qeframe.gaming.many_golds import measured_index
from qeframe.gaming.one_gold import ScoredGold, Variant, generated
from qeframe.gaming.scoring import best_real

TRIES = 400
"""How many points of a space are tried by default."""
_GOLDS = 4
_SCREENED = 16
"""A climb begins at the best of so many random points."""
_MOST_UNITS = 1000
"""A search tries points on so many golds, of at most so many units each."""

Point = tuple[int, ...]
"""The position of the value of each parameter of a space."""


@frozen
class Searched:
    """What a search in one space found for one metric.

    `space`: the attack that declares the space.
    `found`: the best point, by its name; empty if no point of the space can be made on the gold.
    `tried`: how many points were tried.
    `size`: how many points the space has.
    """

    metric: str
    space: str
    found: str
    tried: int
    size: int


def spaces_on(kind: type[Batch], registry: Registry, names: Sequence[str] = ()) -> list[Attack]:
    """Return the blind and cosmetic attacks on a kind of batch that declare a space, of all or of the named ones."""
    attacks = [a for a in registry.all(Attack) if a.space and a.manner in COUNTING]
    return [a for a in attacks if a.changes_all_of(kind) and (not names or a.name in names)]


def search_spaces(
    cases: Sequence[Case],
    registry: Registry,
    *,
    names: Sequence[str] = (),
    tries: int = TRIES,
    seed: int = 0,
    runner: Runner | None = None,
) -> tuple[list[Searched], bool]:
    """Search all spaces for attacks on the metrics of cases.

    `cases`: with the given golds that points are tried on; without any, generated ones.
    `registry`: what reads the names of points.
    `names`: the attacks whose spaces are searched; by default all.
    `tries`: how many points of each space are tried at most.
    `seed`: the result depends on it, not on the runner.

    Returns in the order of the cases, then of the spaces. Whether all was searched; an interrupt by the user ends the
    search early.
    """
    work = [(case, space) for case in cases for space in spaces_on(case.metric.kind, registry, names)]
    results: list[Searched] = []
    try:
        results.extend((runner or Runner()).imap(partial(_search, registry=registry, tries=tries, seed=seed), work))
    except EndedError:
        raise
    except KeyboardInterrupt:
        return results, False
    return results, True


def halves_of(gold: AuditGold, seed: int) -> tuple[AuditGold, AuditGold]:
    """Return the two halves of a given gold: one to search on, one to measure the finds on."""
    order = np.random.default_rng([seed, len(gold.batch)]).permutation(len(gold.batch))
    parts = (np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :]))
    first, second = (
        AuditGold(
            name=f"{gold.name}, {which} half",
            description=gold.description,
            batch=gold.batch.take(part),
            real={name: batch.take(part) for name, batch in gold.real.items()},
        )
        for which, part in zip(("first", "second"), parts, strict=True)
    )
    return first, second


def _search(item: tuple[Case, Attack], *, registry: Registry, tries: int, seed: int) -> Searched:
    case, space = item
    name, scored = case.name, _golds(case, seed)
    values = {key: tuple(allowed) for key, allowed in space.space.items()}

    def at(point: Point) -> Attack:
        chosen = {key: choices[i] for (key, choices), i in zip(values.items(), point, strict=True)}
        return registry.get(Attack, format_call(space.name, chosen))

    def index_of_point(point: Point) -> float:
        variant = Variant(at(point))
        rows = [row for gold in scored for row in gold.rows({name: [variant]}).values()]
        return measured_index(rows)[0] if rows else -np.inf

    sizes = [len(value) for value in values.values()]
    climbs = _Climbs(index_of_point, sizes, [_is_ordered(value) for value in values.values()], tries)
    best = climbs.best(generator(seed, "search", name, space.name))
    found = "" if best is None else at(best).name
    return Searched(metric=name, space=space.name, found=found, tried=len(climbs.known), size=prod(sizes))


def _is_ordered(values: Sequence[Any]) -> bool:
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _golds(case: Case, seed: int) -> list[ScoredGold]:
    """Return the golds that points are tried on."""
    metrics, kind = {case.name: case.metric}, case.metric.kind
    if case.golds:
        return [ScoredGold(gold.batch, metrics, seed, gold.name, best_real(case.metric, gold)) for gold in case.golds]
    golds = [generated(kind, metrics, seed=seed, name=f"search {number}") for number in range(_GOLDS)]
    return [ScoredGold(_first(gold.gold), metrics, seed, gold.name) for gold in golds]


def _first(batch: Batch) -> Batch:
    return batch if len(batch) <= _MOST_UNITS else batch.take(np.arange(_MOST_UNITS))


@frozen(eq=False)
class _Climbs:
    """Climbs in one space, until so many points are known; no point is tried twice."""

    index_of: Callable[[Point], float]
    sizes: Sequence[int]
    ordered: Sequence[bool]
    tries: int
    known: dict[Point, float] = field(factory=dict, init=False)

    def best(self, rng: np.random.Generator) -> Point | None:
        """Return the best of all points that were tried, the first of equally good ones; None if none can be made."""
        if prod(self.sizes) <= self.tries:
            for point in product(*map(range, self.sizes)):
                self._index(point)
        else:
            while len(self.known) < self.tries:
                points = [tuple(int(i) for i in rng.integers(self.sizes)) for _ in range(_SCREENED)]
                self._climb(max(points, key=self._index), rng)
        defined = [point for point, index in self.known.items() if np.isfinite(index)]
        return max(defined, key=lambda point: self.known[point], default=None)

    def _climb(self, point: Point, rng: np.random.Generator) -> None:
        index = self._index(point)
        while len(self.known) < self.tries:
            neighbors = self._neighbors(point)
            better = next(
                (n for n in (neighbors[i] for i in rng.permutation(len(neighbors))) if self._index(n) > index), None
            )
            if better is None:
                return
            point, index = better, self._index(better)

    def _neighbors(self, point: Point) -> list[Point]:
        neighbors = []
        for axis, (size, ordered) in enumerate(zip(self.sizes, self.ordered, strict=True)):
            at = point[axis]
            others = (at - 1, at + 1) if ordered else range(size)
            neighbors += [(*point[:axis], i, *point[axis + 1 :]) for i in others if 0 <= i < size and i != at]
        return neighbors

    def _index(self, point: Point) -> float:
        if point not in self.known:
            if len(self.known) >= self.tries:
                return -np.inf
            index = self.index_of(point)
            self.known[point] = -np.inf if np.isnan(index) else index
        return self.known[point]
