"""One task under several profiles: the winners of each, and how often two profiles order a pair differently."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from attrs import frozen

from qeframe.core.result import Evaluation, ScoredSubmission
from qeframe.core.task import UNRANKED


@frozen
class Reversals:
    """The pairs of submissions that two evaluations order differently.

    Parameters
    ----------
    first, second : str
        The profiles.
    reversed : int
        How many pairs the two order in opposite ways.
    pairs : int
        How many pairs have different ranks in both.
    """

    first: str
    second: str
    reversed: int
    pairs: int


def count_reversals(evaluations: Sequence[Evaluation]) -> list[Reversals]:
    """Return the reversals between every two evaluations.

    A pair of submissions counts if both evaluations give both submissions a score and give them different ranks.
    Attacks never count.
    """
    return [_reversals(first, other) for first, other in combinations(evaluations, 2)]


def _reversals(evaluation: Evaluation, other: Evaluation) -> Reversals:
    ranks, others = _ranks(evaluation), _ranks(other)
    common = [name for name in ranks if name in others]
    signs = [(ranks[a] - ranks[b]) * (others[a] - others[b]) for a, b in combinations(common, 2)]
    return Reversals(evaluation.profile, other.profile, sum(s < 0 for s in signs), sum(s != 0 for s in signs))


def _ranks(evaluation: Evaluation) -> dict[str, int]:
    """Return the rank of every submission with a score over all tasks, attacks left out."""
    ranked = (s for s in evaluation.submissions if s.kind not in UNRANKED and not s.absent)
    return {s.name: s.rank for s in ranked if (value := s.scores[evaluation.primary].value) == value}


def winners(evaluation: Evaluation) -> list[str]:
    """Return the winners by the ranking rule; if nothing was tested, the submissions at rank 1."""
    return [s.name for s in evaluation.submissions if s.winner] or firsts(evaluation)


def firsts(evaluation: Evaluation) -> list[str]:
    """Return the submissions at rank 1."""
    return [name for name, rank in _ranks(evaluation).items() if rank == 1]


def same_winner(evaluations: Sequence[Evaluation]) -> str:
    """Return whether the same submission is first under all evaluations, and whether the winners are the same.

    The exceptions are named. Winners by a ranking rule are more than the submission at rank 1 where others are not
    significantly worse; they are left out where no evaluation names others than those at rank 1.
    """
    names = [evaluation.profile for evaluation in evaluations]
    first = [frozenset(firsts(evaluation)) for evaluation in evaluations]
    won = [frozenset(winners(evaluation)) for evaluation in evaluations]
    said = f"the same submission is first under {_shared(names, first)}"
    return said if won == first else f"{said}. The winners are the same under {_shared(names, won)}"


def _shared(profiles: Sequence[str], leaders: Sequence[frozenset[str]]) -> str:
    """Return under how many profiles what is the same, and how the others differ from it."""
    usual = max(leaders, key=leaders.count)
    said = [f"{leaders.count(usual)} of {len(leaders)}: {_listed(usual)}"]
    for profile, names in zip(profiles, leaders, strict=True):
        if names != usual:
            more, fewer = names - usual, usual - names
            changed = _listed(names) if (more and fewer) or not names else f"also {_listed(more)}" if more else ""
            said.append(f"under {profile} {changed or f'without {_listed(fewer)}'}")
    return "; ".join(said)


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def sensitivity_record(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Return a record for JSON.

    Returns
    -------
    dict
        ``profiles``: the submissions at rank 1, the winners, warnings and signature of each evaluation;
        ``submissions``: rank and score of each submission under each profile; ``reversals``: see `count_reversals`;
        ``same_winner``: the sentence.
    """
    by_name = [{s.name: s for s in evaluation.submissions} for evaluation in evaluations]
    kinds = {name: submission.kind for submissions in by_name for name, submission in submissions.items()}
    return {
        "profiles": [
            {
                **{name: getattr(evaluation, name) for name in ("profile", "title", "primary", "warnings")},
                "first": firsts(evaluation),
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
                    evaluation.profile: _record_of(submissions[name], evaluation)
                    for evaluation, submissions in zip(evaluations, by_name, strict=True)
                    if name in submissions
                },
            }
            for name, kind in kinds.items()
        ],
        "reversals": count_reversals(evaluations),
        "same_winner": same_winner(evaluations),
    }


def _record_of(submission: ScoredSubmission, evaluation: Evaluation) -> Mapping[str, Any]:
    result = submission.scores[evaluation.primary]
    return {
        "rank": submission.rank,
        "winner": submission.name in winners(evaluation),
        "value": result.value,
        "low": result.low,
        "high": result.high,
    }
