"""Generated pairs of answers, and what judges decided: the layouts of JudgeBench and of RewardBench."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qeframe.plugin.readers import ExampleRequest, Files

Record = dict[str, Any]


class _Judge(NamedTuple):
    """How often a judge knows the better answer, else prefers the first one, and makes no decision."""

    knows: float
    first: float
    nothing: float


_JUDGES: Mapping[str, _Judge] = {
    "Larch-large": _Judge(0.45, 0.20, 0.00),
    "Larch-small": _Judge(0.30, 0.25, 0.01),
    "Maple-eager": _Judge(0.20, 0.70, 0.00),
    "Nutmeg-terse": _Judge(0.35, 0.30, 0.06),
}
_GUESSING = _Judge(0.00, 0.00, 0.00)
_SOURCES = ("coding", "knowledge", "mathematics", "reasoning")
_WORDS = {1: "A>B", -1: "B>A"}

_MODELS: Mapping[str, float] = {"Oak-27b": 1.5, "Oak-8b": 1.1, "Pine": 1.3, "Quince-mini": 0.6}
"""The mean difference of the scores of the chosen and the rejected answer, in standard deviations."""
_WEAK = 0.1
_SUBSETS: Mapping[str, tuple[int, float]] = {
    # share of the examples, and what makes them easier
    "alpacaeval-easy": (50, 1.0),
    "mt-bench-easy": (28, 0.8),
    "mt-bench-hard": (37, -0.5),
    "llmbar-adver-neighbor": (67, -0.8),
    "refusals-dangerous": (50, 0.2),
    "xstest-should-respond": (77, 0.4),
    "math-prm": (90, 0.1),
    "hep-python": (82, 0.3),
}


def decided_pairs(
    request: ExampleRequest,
    decisions: Sequence[str],
    label: str,
    a: str,
    b: str,
    id: str,
    section: str,
    *,
    as_shown: bool,
) -> Files:
    """Return pairs with one correct answer, and judges that decided in one or both orders of the answers.

    The words are the paths of the columns; `as_shown`: in the second order too, what is shown first is called A.
    """

    def task(rng: np.random.Generator, pair: str) -> Files:
        labels = rng.choice([1, -1], request.units)
        ids = [{id: f"pair-{i:03}"} if id else {} for i in range(request.units)]
        gold = _gold(rng, ids, a, b, section, [_SOURCES[i % len(_SOURCES)] for i in range(request.units)])
        if label:
            gold = [_with(record, label, _WORDS[int(right)]) for record, right in zip(gold, labels, strict=True)]
        files = {"gold.jsonl": _lines(gold)}
        for name, judge in request.with_baselines(_JUDGES, _GUESSING).items():
            orders = _decisions(rng, labels, judge, 1 if as_shown else -1)
            records: list[Record] = [dict(record) for record in ids]
            for path, column in zip(decisions, orders, strict=False):
                records = [_with(record, path, word) for record, word in zip(records, column, strict=True)]
            files[f"submissions/{name}.jsonl"] = _lines(records)
        return files

    return request.in_folders(task)


def _decisions(rng: np.random.Generator, labels: NDArray[Any], judge: _Judge, second: int) -> list[list[str | None]]:
    """Return the decisions in both orders: those of the second are multiplied by `second`."""
    knows = rng.random(len(labels)) < judge.knows
    orders = []
    for shown, sign in ((labels, 1), (-labels, second)):
        by_position = np.where(rng.random(len(labels)) < judge.first, 1, rng.choice([1, -1], len(labels)))
        preferred = sign * np.where(knows, shown, by_position)
        decided = rng.random(len(labels)) >= judge.nothing
        orders.append([_WORDS[int(side)] if any_ else None for side, any_ in zip(preferred, decided, strict=True)])
    return orders


def scored_pairs(
    request: ExampleRequest, scores: Sequence[str], label: str, a: str, b: str, id: str, section: str
) -> Files:
    """Return chosen and rejected answers in subsets, and models that scored each answer alone."""
    total = sum(share for share, _ in _SUBSETS.values())
    counts = [max(round(share * request.units / total), 1) for share, _ in _SUBSETS.values()]
    subsets = [name for name, count in zip(_SUBSETS, counts, strict=True) for _ in range(count)]
    easier = np.repeat([shift for _, shift in _SUBSETS.values()], counts)

    def task(rng: np.random.Generator, pair: str) -> Files:
        ids = [{id: i} if id else {} for i in range(len(subsets))]
        right = {label: "A>B"} if label else {}
        gold = [record | right for record in _gold(rng, ids, a, b, section, subsets)]
        files = {"gold.jsonl": _lines(gold)}
        for name, quality in request.with_baselines(_MODELS, _WEAK).items():
            chosen, rejected = rng.standard_normal((2, len(subsets)))
            chosen = chosen + quality * (1 + 0.5 * easier)
            rows = zip(ids, np.round(chosen, 2).tolist(), np.round(rejected, 2).tolist(), strict=True)
            records = [_with(_with(dict(record), scores[0], c), scores[1], r) for record, c, r in rows]
            files[f"submissions/{name}.jsonl"] = _lines(records)
        return files

    return request.in_folders(task)


def _gold(
    rng: np.random.Generator, ids: Sequence[Record], a: str, b: str, section: str, sections: Sequence[str]
) -> list[Record]:
    """Return pairs with the texts of both answers, and their sections, where these have columns."""
    lengths = rng.integers(20, 80, (len(ids), 2)).tolist()
    texts = [{a: "x" * of_a, b: "x" * of_b} if a else {} for of_a, of_b in lengths]
    named = [{section: name} if section else {} for name in sections]
    return [{**id, **text, **name} for id, text, name in zip(ids, texts, named, strict=True)]


def _with(record: Record, path: str, value: object) -> Record:
    """Return a record with a value at a path such as ``judgments.0.decision``; lists grow as needed."""
    place: Any = record
    keys = path.split(".")
    for key, following in pairwise(keys):
        empty: Any = [] if following.isdigit() else {}
        if isinstance(place, list):
            place.extend({} for _ in range(int(key) + 1 - len(place)))
            place = place[int(key)]
        else:
            place = place.setdefault(key, empty)
    place[keys[-1]] = value
    return record


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)
