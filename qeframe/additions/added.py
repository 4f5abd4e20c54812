"""An evaluation with all additions, and with what was left out on request."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs

from qeframe.additions.column_ranks import with_columns
from qeframe.additions.valid_clusters import valid_clusters_of
from qeframe.additions.warnings_on_results import remarks_on_evaluation
from qeframe.core.evaluation.canonical_json import canonical_json
from qeframe.core.evaluation.compared_pair import Comparison
from qeframe.core.evaluation.result import Evaluation, ScoredSubmission
from qeframe.core.evaluation.run import Evaluated
from qeframe.core.tasks.task import Dropped, LeftOut


def with_additions(evaluation: Evaluation, of: Evaluated) -> Evaluation:
    """Return an evaluation with its warnings, with valid clusters, and with the aggregate over columns if asked for."""
    board, rules, registry = of.scoreboard, of.rules, of.registry
    valid = valid_clusters_of(of.resolved, of.overall, rules, registry)
    ranked_by = [pair for pair in evaluation.comparisons if pair.metric == evaluation.metrics[0]]
    remarks = [
        *remarks_on_evaluation(board, rules, of.results, evaluation.comparisons, registry, valid, overall=of.overall),
        *on_untested_winners(evaluation.submissions, ranked_by),
    ]
    added = attrs.evolve(evaluation, warnings=tuple(remarks), valid_clusters=valid)
    return added if of.resolved.across_columns is None else with_columns(added, board, of.results, of.resolved)


def on_untested_winners(submissions: Sequence[ScoredSubmission], comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a warning for winners whose difference from one at rank 1 could not be tested."""
    first = {submission.name for submission in submissions if submission.rank == 1 and submission.winner}
    others = {submission.name for submission in submissions if submission.winner} - first
    untested: dict[str, set[str]] = {}
    for pair in comparisons:
        if not pair.task and pair.p != pair.p:
            for name, other in ((pair.a, pair.b), (pair.b, pair.a)):
                if name in others and other in first:
                    untested.setdefault(pair.reason or "no reason is given", set()).add(name)
    for reason, names in untested.items():
        listed = ", ".join(sorted(names))
        differ = "differences could" if len(names) > 1 else "difference could"
        yield f"among the winners only because the {differ} not be tested: {listed}; {reason}"


def with_left_out(evaluation: Evaluation, left_out: Sequence[LeftOut]) -> Evaluation:
    """Return an evaluation that says who was left out; its signature has the number, and a digest of which files."""
    if not left_out:
        return evaluation
    which = canonical_json(sorted([exclusion.submission, *exclusion.files] for exclusion in left_out))
    digest = hashlib.sha256(which.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    counted = f"{len({exclusion.submission for exclusion in left_out})}:{digest}"
    signature = attrs.evolve(evaluation.signature, left_out=counted)
    dropped = tuple(_without_names(evaluation.dropped, {exclusion.submission for exclusion in left_out}))
    return attrs.evolve(evaluation, left_out=tuple(left_out), signature=signature, dropped=dropped)


def _without_names(dropped: Iterable[Dropped], names: Collection[str]) -> Iterator[Dropped]:
    """Yield what was dropped without the submissions that were left out: a reader sees no file of theirs."""
    for entry in dropped:
        reason, _, listed = entry.reason.rpartition(": ")
        all_names = listed.split(", ")
        kept = [name for name in all_names if name not in names]
        if entry.what not in ("submission", "baseline name") or len(all_names) != entry.count or kept == all_names:
            yield entry
        elif kept:
            yield attrs.evolve(entry, count=len(kept), reason=f"{reason}: {', '.join(kept)}")
