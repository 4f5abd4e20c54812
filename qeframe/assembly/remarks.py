"""What an evaluation has besides scores, comparisons and ranks: warnings, rank sets by valid rules, columns."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs
import numpy as np

from qeframe.assembly.columns import add_columns
from qeframe.assembly.compare import compare_by_valid_rules
from qeframe.assembly.declared_groups import remarks_on_groups
from qeframe.assembly.remarks_on_results import remarks_on_evaluation
from qeframe.core.comparison import Compared
from qeframe.core.pair import Comparison, canonical_json, rank_sets
from qeframe.core.result import Evaluation, ScoredSubmission, ValidRules
from qeframe.core.task import Dropped, LeftOut

if TYPE_CHECKING:
    from qeframe.assembly.evaluate import Assembled


def add_remarks(evaluation: Evaluation, of: Assembled) -> Evaluation:
    """Return an evaluation with warnings, valid rank sets, and the aggregate over columns if asked for."""
    board, whole, request = of.board, of.whole, of.request
    found = compare_by_valid_rules(
        of.resolved, whole, of.rules, of.tasks, request.seed, request.registry, request.runner
    )
    submissions, valid = evaluation.submissions, None
    if found is not None:
        compared, _ = found
        of_valid = compared.rules
        valid = ValidRules(test=of_valid.test.name, sided=of_valid.side, correction=of_valid.correction.name)
        submissions = _set_rank_sets(submissions, compared)
    remarks = [f"{task.name}: {remark}" for task in board.tasks for remark in task.remarks]  # what readers say
    if of.resolved.parts:
        from qeframe.assembly.remarks_on_parts import remarks_on_parts  # a profile of parts is rare

        remarks += remarks_on_parts(of.resolved, board, whole.contests[0], evaluation, valid)
    else:
        remarks += remarks_on_evaluation(of, evaluation.comparisons, valid)
        remarks += remarks_on_groups(board, of.resolved) if of.rules is not None else ()
    ranked_by = [pair for pair in evaluation.comparisons if pair.metric == evaluation.metrics[0]]
    remarks += on_untested_winners(submissions, ranked_by)
    warnings = tuple(dict.fromkeys(remarks))
    added = attrs.evolve(evaluation, submissions=submissions, warnings=warnings, valid_rules=valid)
    return add_columns(added, board, of.results, of.resolved)


def _set_rank_sets(submissions: Sequence[ScoredSubmission], compared: Compared) -> tuple[ScoredSubmission, ...]:
    """Return submissions with the rank sets that a comparison allows; None without a score."""
    low, high = rank_sets(compared.better)
    scored = ~np.isnan(compared.contest.oriented)
    sets = {name: (int(low[nth]), int(high[nth])) for nth, name in enumerate(compared.names) if scored[nth]}
    return tuple(attrs.evolve(submission, rank_set=sets.get(submission.name)) for submission in submissions)


def on_untested_winners(submissions: Sequence[ScoredSubmission], comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield a warning for marked submissions whose difference from one at rank 1 could not be tested."""
    marked = [s for s in submissions if (s.winner if s.may_be_best is None else s.may_be_best)]
    first = {submission.name for submission in marked if submission.rank == 1}
    others = {submission.name for submission in marked} - first
    untested: dict[str, set[str]] = {}
    for pair in comparisons:
        if not pair.task and pair.p != pair.p:
            for name, other in ((pair.a, pair.b), (pair.b, pair.a)):
                if name in others and other in first:
                    untested.setdefault(pair.reason or "no reason is given", set()).add(name)
    for reason, names in untested.items():
        listed = ", ".join(sorted(names))
        differ = "differences could" if len(names) > 1 else "difference could"
        yield f"marked only because the {differ} not be tested: {listed}; {reason}"


def add_left_out(evaluation: Evaluation, left_out: Sequence[LeftOut]) -> Evaluation:
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
