"""The same task by several rules: who wins where, and how often two sets of rules disagree about an order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from attrs import frozen

from qeframe.evaluation.result import Evaluation, Scored

__all__ = ["Reversals", "count_reversals", "sensitivity_record", "winners"]


@frozen
class Reversals:
    """How many pairs of submissions two evaluations order the other way round, of how many that both rank apart."""

    first: str
    second: str
    reversed: int
    pairs: int


def count_reversals(evaluations: Sequence[Evaluation]) -> list[Reversals]:
    """Return the disagreements of every two evaluations.

    A pair of submissions counts if both evaluations score both of them and rank them apart; attacks never count.
    """
    return [_reversals(one, other) for one, other in combinations(evaluations, 2)]


def _reversals(one: Evaluation, other: Evaluation) -> Reversals:
    mine, theirs = _ranks(one), _ranks(other)
    signs = [
        (mine[a] - mine[b]) * (theirs[a] - theirs[b]) for a, b in combinations([n for n in mine if n in theirs], 2)
    ]
    return Reversals(one.profile, other.profile, sum(s < 0 for s in signs), sum(s != 0 for s in signs))


def _ranks(evaluation: Evaluation) -> dict[str, int]:
    """Return the rank of every honest submission with a score."""
    ranked = (s for s in evaluation.submissions if s.kind != "attack")
    return {s.name: s.rank for s in ranked if (value := s.scores[evaluation.primary].value) == value}


def winners(evaluation: Evaluation) -> list[str]:
    """Return the winners by the ranking rule; where nothing was tested, those at rank 1."""
    found = [s.name for s in evaluation.submissions if s.winner]
    return found or [name for name, rank in _ranks(evaluation).items() if rank == 1]


def sensitivity_record(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Return what `qeframe sensitivity --json` prints: profiles, submissions under each, reversals."""
    placed = [{s.name: s for s in evaluation.submissions} for evaluation in evaluations]
    named = {name: s.kind for of in placed for name, s in of.items()}
    return {
        "profiles": [
            {
                "profile": evaluation.profile,
                "title": evaluation.title,
                "primary": evaluation.primary,
                "winners": winners(evaluation),
                "signature": evaluation.signature.text,
            }
            for evaluation in evaluations
        ],
        "submissions": [
            {
                "name": name,
                "kind": kind,
                "profiles": {
                    evaluation.profile: _place(of[name], evaluation)
                    for evaluation, of in zip(evaluations, placed, strict=True)
                    if name in of
                },
            }
            for name, kind in named.items()
        ],
        "reversals": count_reversals(evaluations),
    }


def _place(scored: Scored, evaluation: Evaluation) -> Mapping[str, Any]:
    result = scored.scores[evaluation.primary]
    return {
        "rank": scored.rank,
        "winner": scored.name in winners(evaluation),
        "value": result.value,
        "low": result.low,
        "high": result.high,
    }
