"""The way from files to one number of a submission, and what set its rank; all of it from an evaluation."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import field, frozen

from qeframe.core.display import plain_values
from qeframe.core.errors import DataError, UnknownNameError, counted
from qeframe.core.findings import Comparison
from qeframe.core.result import Evaluation, Result, ScoredSubmission
from qeframe.core.task import UNRANKED, Dropped, Input, LeftOut
from qeframe.report.layouts.number_format import format_p
from qeframe.report.tables.left_out import participation


@frozen(kw_only=True)
class TracedTask:
    """The score in one task or part, and what it adds to the aggregate.

    `units`: their number and kind; empty where the result does not say.
    `share`: the weight of the task; the shares of all tasks sum to 1.
    `scaled`: the score as it enters the aggregate: on the scale of 0 to 1 for a part, else as it is.
    `scale` (float, float): the scores that become 0 and 1.
    """

    name: str
    units: str
    share: float
    result: Result
    scaled: float
    scale: tuple[float, float] = (0.0, 1.0)


@frozen(kw_only=True)
class Trace:
    """The way from files to a number.

    `rules`: the rules that lead from answers to the number, and by which it was compared.
    `own`, `others`: the files of the submission, and those that are of no submission, such as the gold.
    `left_out`: the files of the submission that were left out on request.
    `apart`: which tasks it lacks and why, in words; empty if it lacks none.
    `sum`: the sum of shares times scaled scores; NaN unless the aggregate is such a sum.
    `comparisons`: those of this submission under the primary metric: over all tasks, or in each where it is not
      compared over all.
    `ranked`: how many submissions have a rank; one more with a submission that was entered alone.
    `ahead`: the submissions with a lower rank.
    """

    submission: str
    metric: str
    result: Result
    rules: Mapping[str, Any]
    own: tuple[Input, ...]
    others: tuple[Input, ...]
    dropped: tuple[Dropped, ...]
    left_out: tuple[LeftOut, ...] = ()
    apart: str = ""
    tasks: tuple[TracedTask, ...]
    sum: float
    scored: ScoredSubmission
    comparisons: tuple[Comparison, ...] = field(default=())
    ranked: int
    ahead: tuple[str, ...]

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON."""
        scored = {key: plain_values(getattr(self.scored, key)) for key in ("kind", "rank", "cluster", "rank_set")}
        keys = [attribute.name for attribute in attrs.fields(Trace) if attribute.name not in ("scored", "ranked")]
        return {**{key: plain_values(getattr(self, key)) for key in keys}, **scored}


_RULES = ("reader", "missing", "within", "across", "partial", "resample", "interval", "confidence")
_OF_RANK = ("test", "sided", "correction", "alpha", "strict", "ranking")


def trace(evaluation: Evaluation, submission: str, metric: str = "") -> Trace:
    """Return the way from files to the score of a submission under a metric.

    `metric`: empty: the primary metric. Raises DataError if the submission was left out. Raises UnknownNameError if
    there is no such submission or metric.
    """
    by_name = {other.name: other for other in evaluation.submissions}
    apart = next((row for row in participation(evaluation) if row.submission == submission), None)
    if apart is not None and submission not in by_name:
        raise DataError(f"{submission} has no number: {apart.in_words}", remedy="see left_out in the result")
    if submission not in by_name:
        raise UnknownNameError("submission", submission, by_name)
    chosen, scored = metric or evaluation.primary, by_name[submission]
    if chosen not in scored.scores:
        raise UnknownNameError("metric", chosen, scored.scores)
    rules, inputs = evaluation.signature.rules, evaluation.signature.inputs
    result, of_submissions = scored.scores[chosen], {path for paths in evaluation.files.values() for path in paths}
    tasks = _tasks(evaluation, chosen, scored)
    is_sum = bool(evaluation.parts) or str(rules.get("across", "")).partition("(")[0] in ("mean", "weighted")
    is_primary = chosen == evaluation.primary
    names = {task.name for task in tasks} | set(evaluation.tasks)
    ranked = [other for other in evaluation.submissions if other.kind not in UNRANKED and not other.absent]
    place = next((entry for entry in evaluation.entered if entry.name == submission), None)
    return Trace(
        submission=submission,
        metric=chosen,
        result=result,
        rules={key: rules[key] for key in (*_RULES, *(_OF_RANK if is_primary else ())) if key in rules},
        own=tuple(file for file in inputs if file.path in evaluation.files.get(submission, ())),
        others=tuple(file for file in inputs if file.path not in of_submissions),
        dropped=tuple(entry for entry in evaluation.dropped if not entry.task or entry.task in names),
        tasks=tasks,
        sum=math.fsum(t.share * t.scaled for t in tasks if t.share)
        if is_sum and not math.isnan(result.value) and len(tasks) > 1
        else math.nan,
        left_out=tuple(exclusion for exclusion in evaluation.left_out if exclusion.submission == submission),
        apart="" if apart is None else apart.in_words,
        scored=scored if place is None else attrs.evolve(scored, rank_set=place.rank_set),
        comparisons=_comparisons((place or evaluation).comparisons, submission) if is_primary else (),
        ranked=len(ranked) + (place is not None),
        ahead=tuple(other.name for other in ranked if other.rank < scored.rank)
        if is_primary and not math.isnan(result.value)
        else (),
    )


def _comparisons(pairs: Sequence[Comparison], submission: str) -> tuple[Comparison, ...]:
    """Return the comparisons of a submission over all tasks; those in each task where there are none."""
    involved = [pair for pair in pairs if submission in (pair.a, pair.b)]
    return tuple([pair for pair in involved if not pair.task] or involved)


def _tasks(evaluation: Evaluation, metric: str, scored: ScoredSubmission) -> tuple[TracedTask, ...]:
    result = scored.scores[metric]
    scales = {part.name: part.scale for part in evaluation.parts if metric == evaluation.primary}
    shares = {part.name: part.weight for part in evaluation.parts} or dict(evaluation.shares)
    of_tasks = result.tasks or {next(iter(evaluation.tasks), ""): result}
    if scored.absent and evaluation.signature.rules.get("partial") == "mean_of_own":
        own = {
            name: share for name, share in shares.items() if name in of_tasks and not math.isnan(of_tasks[name].value)
        }
        shares = {name: share / math.fsum(own.values()) for name, share in own.items() if share}
    traced = []
    for name, in_task in of_tasks.items():
        worst, best = scales.get(name, (0.0, 1.0))
        traced.append(
            TracedTask(
                name=name,
                units=evaluation.signature.units.get(name, ""),
                share=shares.get(name, 1.0 if len(of_tasks) == 1 and not shares else 0.0),
                result=in_task,
                scaled=(in_task.value - worst) / (best - worst),
                scale=(worst, best),
            )
        )
    return tuple(traced)


def trace_lines(traced: Trace, evaluation: Evaluation) -> list[str]:
    """Return a trace as lines of text."""
    rules = traced.rules
    lines = [
        f"{traced.submission} under {traced.metric}: {_number(traced.result.value)}{_rank(traced)}",
        f"profile {evaluation.profile}, qeframe {evaluation.signature.qeframe}, seed {evaluation.signature.seed}",
        "",
        "1. Files",
        *_files("of the submission", traced.own),
        *_files("of all (gold, texts, tables)", traced.others),
        "",
        "2. What was read",
        *(f"  {key}: {rules[key]}" for key in ("reader", "missing") if key in rules),
        *[
            f"  dropped{f' in {d.task}' if d.task else ''}: {counted(d.count, d.what)}, {d.reason}"
            for d in traced.dropped
        ],
        *[f"  {exclusion.in_words}" for exclusion in traced.left_out],
        *([] if traced.dropped or traced.left_out else ["  nothing was dropped or filled"]),
        "",
        "3. Score in each task",
        *_scores(traced),
        "",
        "4. Over all tasks",
        *_aggregate(traced, bool(evaluation.parts)),
        "",
        "5. Rank",
        *_ranking(traced),
    ]
    changed = [f"  {key} = {value}" for key, value in evaluation.signature.changed.items()]
    return [*lines, *(["", "Rules that were changed for this run", *changed] if changed else [])]


def _rank(traced: Trace) -> str:
    if "ranking" not in traced.rules:
        return ""
    scored = traced.scored
    if scored.absent and traced.rules.get("partial", "last") == "apart":
        return ", no rank over all tasks"
    ends = "" if scored.rank_set is None else f", rank set {scored.rank_set[0]} to {scored.rank_set[1]}"
    best = ", may be best" if scored.may_be_best else ""
    return f", rank {scored.rank} of {traced.ranked}{ends}{best}{', an official winner' if scored.winner else ''}"


def _files(what: str, files: Sequence[Input]) -> list[str]:
    listed = [f"    {file.path}  sha256 {file.sha256}" for file in files]
    return [f"  {what}: {'' if files else 'the result names none'}".rstrip(), *listed]


def _scores(traced: Trace) -> list[str]:
    lines = []
    for task in traced.tasks:
        interval = _interval(task.result)
        worst, best = task.scale
        scaled = (
            f", scaled from {worst:g}..{best:g} to 0..1: {_number(task.scaled)}" if task.scale != (0.0, 1.0) else ""
        )
        units = f" on {task.units.replace(' x ', ' ')}s" if task.units else ""
        score = f"{_number(task.result.value)}{interval}{units}"
        lines.append(f"  {task.name or 'the task'}: {score}, weight {task.share:.6g}{scaled}")
    return lines


_PARTIAL = {
    "apart": "it has no score and no rank over all tasks, and changes no other rank",
    "last": "it has the rank after all others over all tasks, and changes no other rank",
    "mean_of_own": "it has the aggregate of its own tasks and the rank that it would take, and changes no other rank",
}


def _aggregate(traced: Trace, has_parts: bool) -> list[str]:
    absent, rule = traced.scored.absent, traced.rules.get("partial", "last")
    if len(traced.tasks) < 2 and not absent:
        return [f"  one task: its score is the number{_interval(traced.result)}"]
    how = "weighted mean of the scaled scores of the parts" if has_parts else str(traced.rules.get("across", ""))
    lines = [f"  {how} = {_number(traced.result.value)}{_interval(traced.result)}"]
    if absent:
        lines.append(f"  {traced.apart}")
        lines.append(f"  by the rule partial = {rule}: {_PARTIAL[rule]}")
    if not math.isnan(traced.sum):
        lines += ["  weights of its own tasks, scaled so that they sum to 1:"] if absent else []
        terms = " + ".join(f"{t.share:.6g} x {_number(t.scaled)}" for t in traced.tasks if t.share)
        lines.append(f"  {terms} = {_number(traced.sum)}")
    if not math.isnan(traced.result.low):
        confidence = 100 * float(traced.rules.get("confidence", 0.95))
        by = f"{traced.rules.get('interval')}, resampled: {traced.rules.get('resample')}"
        lines.append(f"  interval of {confidence:g} % by {by}")
    return lines


def _ranking(traced: Trace) -> list[str]:
    if "ranking" not in traced.rules:
        return ["  a secondary metric: it ranks and compares nothing"]
    rules, pairs, name = traced.rules, traced.comparisons, traced.submission
    lines = [f"  ahead by score: {', '.join(traced.ahead) or 'none'}"]
    if math.isnan(traced.result.value):
        lines = ["  without a score over all tasks, none is ahead or behind by score"]
    if not pairs:
        return [*lines, "  not compared"]
    in_tasks = any(pair.task for pair in pairs)
    lines += ["  not compared over all tasks; the comparisons in each:"] if in_tasks else []
    side = {"one": "one-sided", "two": "two-sided"}.get(pairs[0].sided, pairs[0].sided)
    corrected = rules.get("correction", "none") != "none"
    threshold = (
        f"{'adjusted p' if corrected else 'p'} {'<' if rules.get('strict', True) else '<='} {rules.get('alpha')}"
    )
    lines.append(f"  test {pairs[0].test}, {side}, correction {rules.get('correction')}; significant: {threshold}")
    for pair in pairs:
        other = pair.b if pair.a == name else pair.a
        verdict = "undecided" if not pair.significant else "better than" if pair.a == name else "worse than"
        difference = pair.difference if pair.a == name else -pair.difference
        by = f" by {pair.by}" if pair.by and not pair.reason else ""
        p = "" if math.isnan(pair.p) else f"p {format_p(pair.p)}{by}"
        p += f", adjusted {format_p(pair.p_adjusted)}" if p and corrected else ""
        p = ", ".join(filter(None, [p, pair.reason]))
        where = f" in {pair.task}" if pair.task else ""
        lines.append(f"    {verdict} {other}{where}: difference {difference:+.6g}, {p}")
    worse = sum(pair.significant and pair.b == name for pair in pairs)
    better = sum(pair.significant and pair.a == name for pair in pairs)
    if traced.scored.rank_set is not None:
        first, last = traced.scored.rank_set
        lines.append(
            f"  rank set: from 1 + {worse} (significantly better) = {first} "
            f"to {traced.ranked} - {better} (significantly worse) = {last}"
        )
    if traced.scored.cluster is not None:
        lines.append(f"  cluster {traced.scored.cluster} by the rule {rules['ranking']}")
    return lines


def _interval(result: Result) -> str:
    return "" if math.isnan(result.low) else f" ({_number(result.low)} to {_number(result.high)})"


def _number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.6g}"
