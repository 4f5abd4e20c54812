"""Which parts a task set has: the tables of a profile, multiplied out over the language pairs that are there."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from qeframe.assembly.scoreboard import submissions_of
from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, check_kind
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Metric
from qeframe.core.resolve import ResolvedPart, ResolvedProfile, refuse_absent
from qeframe.core.task import Dropped, Submission, Task


@frozen(kw_only=True, eq=False)
class Planned:
    """A part before anything is bound: its rule, and the tasks of its language pairs."""

    resolved: ResolvedPart
    tasks: tuple[Task, ...]

    @property
    def labels(self) -> Mapping[str, str]:
        """What tells the part from others, the language pairs among them."""
        return {**self.resolved.rule.labels, "pair": ",".join(task.name for task in self.tasks)}


@frozen(kw_only=True, eq=False)
class Plan:
    """The parts of a task set before anything is bound, all submissions of their tasks, and what is left out."""

    parts: tuple[Planned, ...]
    submissions: tuple[Submission, ...]
    dropped: tuple[Dropped, ...]


def plan_parts(resolved: ResolvedProfile, tasks: Sequence[Task], *, complete: bool) -> Plan:
    """Return the parts of the language pairs that are there, and a note on each pair that is not.

    `complete`: whether a language pair that is there must have every selection, and a pooled part an outcome.
    """
    by_selection = {(task.selection, task.name): task for task in tasks if task.batches}
    names = _names_by_source(resolved.parts, tasks)
    for part in resolved.parts:
        names_there, where = names[_source(part)], "the name of no language pair in the data"
        absent_pairs = [pair for pair in part.rule.pairs if pair not in names_there]
        refuse_absent(resolved.profile, "parts", absent_pairs, names_there, where)
    answered = _names_by_source(resolved.parts, [task for task in tasks if task.batches])
    planned: list[Planned] = []
    absent: dict[str, None] = {}
    notes: list[Dropped] = []
    entered: list[Task] = []
    for rule in resolved.parts:
        names_there = answered[_source(rule)]
        if complete and not names_there and any(answered.values()):
            what = f"there is no submission for {rule.rule.metric} ({rule.rule.selection})"
            raise DataError(what, remedy="complete the data, or leave the part out")
        wanted = rule.rule.pairs or names_there
        absent |= dict.fromkeys(pair for pair in wanted if pair not in names_there)
        present = [pair for pair in wanted if pair in names_there]
        if not complete:
            present = [pair for pair in present if (rule.rule.selection, pair) in by_selection]
        chosen = [_task(rule, by_selection, pair) for pair in present]
        entered += chosen
        groups = [_with_outcomes(rule, chosen, notes, complete=complete)] if rule.rule.pool else [[t] for t in chosen]
        planned += [Planned(resolved=rule, tasks=tuple(group)) for group in groups if group]
    if not entered:
        named = f": {', '.join(absent)}" if absent else ""
        raise DataError(f"there is no submission in any language pair of the parts{named}", remedy="check the path")
    reason = "not in the data; its parts leave, and the weights follow"
    return Plan(
        parts=tuple(planned),
        submissions=submissions_of(entered),
        dropped=(*(Dropped(pair, "language pair", 1, reason) for pair in absent), *notes),
    )


def _source(part: ResolvedPart) -> tuple[str, str]:
    """Return where a part reads: parts of one source have the same language pairs, those of others may have more."""
    return part.rule.folder, part.rule.reader


def _names_by_source(parts: Sequence[ResolvedPart], tasks: Sequence[Task]) -> dict[tuple[str, str], list[str]]:
    """Return the names of the tasks that each source has; those of a selection of no part are of PATH itself."""
    source_of = {part.rule.selection: _source(part) for part in parts}
    names: dict[tuple[str, str], dict[str, None]] = {source: {} for source in source_of.values()}
    for task in tasks:
        names.setdefault(source_of.get(task.selection, ("", "")), {})[task.name] = None
    return {source: list(of_source) for source, of_source in names.items()}


def _with_outcomes(part: ResolvedPart, tasks: Sequence[Task], notes: list[Dropped], *, complete: bool) -> list[Task]:
    """Return the tasks with an outcome; the others, such as one of a single system, have no share in a pooled score."""
    kept = [task for task in tasks if count_outcomes(part.metric, next(iter(task.batches.values())))]
    names = {task.name for task in kept}
    lacking = [task.name for task in tasks if task.name not in names]
    if complete and lacking and not kept:
        what = f"there is nothing to score for {part.metric.name} in any language pair: {', '.join(lacking)}"
        raise DataError(what, remedy="leave the part out, or complete the data")
    reason = (
        f"nothing to score for {part.metric.name}: a single system, or no gold; the pooled score is that of the others"
    )
    notes += [Dropped(name, "language pair of a pooled part", 1, reason) for name in lacking]
    return kept


def _task(part: ResolvedPart, by_selection: Mapping[tuple[str, str], Task], pair: str) -> Task:
    task = by_selection.get((part.rule.selection, pair))
    if task is None:
        how = f" with {part.rule.selection}" if part.rule.selection else ""
        what = f"{pair} has no submission for {part.rule.metric}{how}, but other parts of the task set have"
        raise DataError(what, remedy=f"complete the data of {pair}, or leave the pair out of the parts")
    return task


def count_outcomes(metric: Metric, batch: Batch) -> int:
    """Return of how many outcomes the score of a metric is the mean; 0 if there are none, and the score is undefined.

    Raises CapabilityError if the metric is not a mean of outcomes or of values per unit.
    """
    check_kind(batch, metric.kind, f"metric '{metric.name}'")
    if metric.outcomes is not None:
        return len(checked.outcomes(metric, batch))
    if metric.per_unit is not None:
        return len(checked.per_unit(metric, batch))
    raise CapabilityError(
        f"metric '{metric.name}' cannot be pooled over language pairs: it is neither a mean over pairs nor a mean of "
        "one value per unit"
    )


def name_parts(planned: Sequence[Planned]) -> list[str]:
    """Return a name for each part: pair, metric, and level or reading if parts of the same metric differ in them.

    Raises DataError if two parts are the same.
    """
    names = []
    for part in planned:
        rule, reads = part.resolved.rule, _read_by(part)
        alike = [_read_by(other) for other in planned if other.resolved.metric.name == part.resolved.metric.name]
        differing = [key for key in reads if any(read.get(key) != reads[key] for read in alike)]
        words = ["all pairs" if rule.pool else part.tasks[0].name, part.resolved.metric.name]
        words += [word for key in differing if (word := _word(key, reads[key]))]
        names.append(" ".join(words))
    repeated = next((name for position, name in enumerate(names) if name in names[:position]), None)
    if repeated is not None:
        raise DataError(f"two parts are the same: {repeated}", remedy="state each part of the profile once")
    return names


def _read_by(part: Planned) -> dict[str, object]:
    rule = part.resolved.rule
    reads = {"source": rule.level or rule.reader} if rule.folder or rule.reader else {}
    return {**reads, **rule.read}


def _word(key: str, value: object) -> str:
    """Return a parameter of the reader in a name: ``news``, ``human_references``; nothing for false and empty."""
    return key.replace("_", " ") if value is True else "" if value is False else str(value)
