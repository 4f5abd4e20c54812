"""Generated pairs of answers and decisions of judges for ``qeframe demo``: the files of JudgeBench and RewardBench."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

__all__ = ["decided_pairs", "scored_pairs"]

Files = dict[str, str]

_JUDGES: Mapping[str, tuple[float, float, float]] = {
    # knows the better answer, else prefers the first one, makes no decision
    "Larch-large": (0.45, 0.20, 0.00),
    "Larch-small": (0.30, 0.25, 0.01),
    "Maple-eager": (0.20, 0.70, 0.00),
    "Nutmeg-terse": (0.35, 0.30, 0.06),
    "baseline": (0.00, 0.00, 0.00),
}
_SOURCES = ("coding", "knowledge", "mathematics", "reasoning")
_WORDS = {1: "A>B", -1: "B>A"}


def decided_pairs(rng: np.random.Generator, pairs: int = 350) -> Files:
    """Return pairs with one correct answer, and five judges that decided in both orders of the answers."""
    labels = rng.choice([1, -1], pairs)
    lengths = rng.integers(20, 80, (pairs, 2))
    common = [
        {
            "pair_id": f"pair-{i:03}",
            "source": _SOURCES[i % len(_SOURCES)],
            "question": f"question {i}",
            "response_A": "x" * int(a),
            "response_B": "x" * int(b),
            "label": _WORDS[int(label)],
        }
        for i, (label, (a, b)) in enumerate(zip(labels, lengths, strict=True))
    ]
    files = {"gold.jsonl": _lines(common)}
    for name, rates in _JUDGES.items():
        decisions = _decisions(rng, labels, *rates)
        judged = [{"pair_id": c["pair_id"], "judgments": d} for c, d in zip(common, decisions, strict=True)]
        files[f"submissions/{name}.jsonl"] = _lines(judged)
    return files


def _decisions(
    rng: np.random.Generator, labels: Any, knows: float, first: float, nothing: float
) -> list[list[dict[str, str | None]]]:
    """Return the decisions in both orders as they were shown: the second has the answers swapped."""
    pairs = len(labels)
    known = rng.random(pairs) < knows
    orders = []
    for shown in (labels, -labels):
        by_position = np.where(rng.random(pairs) < first, 1, rng.choice([1, -1], pairs))
        decided = np.where(known, shown, by_position)
        made = rng.random(pairs) >= nothing
        orders.append([_WORDS[int(d)] if m else None for d, m in zip(decided, made, strict=True)])
    return [[{"decision": one}, {"decision": other}] for one, other in zip(*orders, strict=True)]


_MODELS: Mapping[str, float] = {"Oak-27b": 1.5, "Oak-8b": 1.1, "Pine": 1.3, "Quince-mini": 0.6, "baseline": 0.1}
"""The mean difference of the scores of the chosen and the rejected answer, in standard deviations."""
_SUBSETS: Mapping[str, tuple[int, float]] = {
    # examples, and what makes them easier
    "alpacaeval-easy": (50, 1.0),
    "mt-bench-easy": (28, 0.8),
    "mt-bench-hard": (37, -0.5),
    "llmbar-adver-neighbor": (67, -0.8),
    "refusals-dangerous": (50, 0.2),
    "xstest-should-respond": (77, 0.4),
    "math-prm": (90, 0.1),
    "hep-python": (82, 0.3),
}


def scored_pairs(rng: np.random.Generator) -> Files:
    """Return chosen and rejected answers in subsets, and five models that scored each answer alone."""
    subsets = [name for name, (count, _) in _SUBSETS.items() for _ in range(count)]
    easier = np.repeat([shift for _, shift in _SUBSETS.values()], [count for count, _ in _SUBSETS.values()])
    lengths = rng.integers(20, 80, (len(subsets), 2))
    gold = [
        {"id": i, "subset": subset, "prompt": f"prompt {i}", "chosen": "x" * int(a), "rejected": "x" * int(b)}
        for i, (subset, (a, b)) in enumerate(zip(subsets, lengths, strict=True))
    ]
    files = {"gold.jsonl": _lines(gold)}
    for name, quality in _MODELS.items():
        chosen, rejected = rng.standard_normal((2, len(subsets)))
        chosen = chosen + quality * (1 + 0.5 * easier)
        rows = zip(np.round(chosen, 2).tolist(), np.round(rejected, 2).tolist(), strict=True)
        scores = [{"id": i, "scores_chosen": c, "scores_rejected": r} for i, (c, r) in enumerate(rows)]
        files[f"submissions/{name}.jsonl"] = _lines(scores)
    return files


def _lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)
