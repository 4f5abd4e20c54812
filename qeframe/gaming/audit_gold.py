"""The golds that attacks are tried on, and the answers to them that an attack is measured by."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from qeframe.api.attacks import breach_of_knowledge, generator
from qeframe.core.batch import Batch
from qeframe.core.component import full_name, is_foreign
from qeframe.core.errors import DataError, PluginError
from qeframe.core.kind_parts import AuditAnswers, GeneratedGold
from qeframe.core.metric import Attack, Metric
from qeframe.core.task import Task
from qeframe.kinds.registered import find_kind, kind_of


def _answers(batch: Batch) -> AuditAnswers:
    kind = find_kind(type(batch))
    if kind is None or kind.audit is None:
        raise DataError(f"a batch of {type(batch).__name__} has no gold side that an attack could be measured by")
    return kind.audit


def perfect(batch: Batch) -> Any:
    """Return the batch with the gold handed in as the submission.

    Raises DataError if the kind of batch has no gold, or its `BatchKind` has no answers for the audit.
    """
    return _answers(batch).perfect(batch)


def rearranged(batch: Batch, rng: np.random.Generator) -> Any:
    """Return the batch with the gold's own answers given to other units, at random.

    Sentences are shuffled, their tags joined and cut again; scores, judgments and preferences are permuted; an item of
    a grid gets the row of another item with its systems shuffled; a segment gets the reference of another, or its spans
    stretched to the length of the text.

    Raises DataError if the kind of batch has no gold, or its `BatchKind` has no answers for the audit.
    """
    return _answers(batch).rearranged(batch, rng)


def honest(batch: Batch, quality: float, rng: np.random.Generator) -> Any:
    """Return the batch with a submission of a stated quality.

    `quality`: from 0 to 1. For scores and grids it is the correlation with the gold; mean and deviation are the gold's.
    For judgments it is the correlation of the variables that underlie the relations; there are as many ties as in the
    gold. For tags, texts, spans and preferences it is the share that is copied from the gold; the rest is drawn from
    elsewhere. Raises DataError if the kind of batch has no gold, or its `BatchKind` has no answers for the audit.
    """
    return _answers(batch).honest(batch, quality, rng)


def mirrored(batch: Batch) -> Any:
    """Return the same answers given to the opposite units, or None where the kind of batch has no such way.

    In a grid the best system by its mean answer is exchanged with the worst, the second best with the second worst, and
    so on, and the items likewise. Without the gold neither batch is preferable, and the mean of both scores has less
    noise than the mean of two independent ones.
    """
    kind = find_kind(type(batch))
    if kind is None or kind.audit is None or kind.audit.mirrored is None:
        return None
    return kind.audit.mirrored(batch)


QUALITIES = (0.3, 0.5, 0.7)
"""The qualities of the honest submissions that cosmetic attacks transform."""


@frozen(kw_only=True, eq=False)
class AuditGold:
    """One given gold that attacks are tried on.

    `description`: how the gold was made or read, in one line.
    `batch`: the gold, handed in as the submission.
    `real`: the submissions of a shared task. Without any, cosmetic attacks transform generated honest submissions.
    """

    name: str
    description: str
    batch: Batch
    real: Mapping[str, Batch] = field(factory=dict)


@frozen(kw_only=True, eq=False)
class Case:
    """One metric that attacks are tried on.

    `name`: as the caller named it.
    `golds`: those that are given; without any, golds are generated.
    `attacks`: those that fit; what a search found comes last.
    """

    name: str
    metric: Metric
    golds: Sequence[AuditGold] = ()
    attacks: Sequence[Attack] = ()

    def fits(self, attack: Attack) -> bool:
        """Return whether an attack can be tried on the golds."""
        kinds = [type(gold.batch) for gold in self.golds] or [self.metric.kind]
        return all(map(attack.changes_all_of, kinds))


_FEW = 60
"""Units on which an attack is held to what it states to know."""


def has_generated_gold(batch: type[Batch]) -> bool:
    """Return whether gold of a kind of batch can be generated."""
    kind = find_kind(batch)
    return kind is not None and kind.audit is not None and kind.audit.generate is not None


def generate_gold(batch: type[Batch], seed: int = 0) -> GeneratedGold:
    """Return the generated gold of a kind of batch: the same for everybody with the same seed.

    Raises DataError if the kind of batch has no generated gold.
    """
    if not has_generated_gold(batch):
        remedy = "audit it on real gold, if the kind has any"
        raise DataError(f"there is no generated gold for metrics on {batch.__name__}", remedy=remedy)
    audit: Any = kind_of(batch).audit
    gold: GeneratedGold = audit.generate(np.random.default_rng([seed, *batch.__name__.encode()]))
    return gold


def generated_batch(batch: type[Batch], seed: int, name: str) -> Batch:
    """Return one of the many generated golds of a kind of batch, by its name, handed in as the submission."""
    audit: Any = kind_of(batch).audit
    generated: Batch = audit.generate(generator(seed, batch.__name__, name)).batch
    return generated


def honest_answers(batch: Batch, seed: int, name: str) -> list[Batch]:
    """Return honest submissions to a gold, one of each quality."""
    return [honest(batch, quality, generator(seed, name, f"honest {quality}")) for quality in QUALITIES]


def within_knowledge(
    attacks: Sequence[Attack], kinds: Sequence[type[Batch]], seed: int, *, must: bool
) -> tuple[list[Attack], list[str]]:
    """Return the attacks that keep to what they state to know, and notes on those of third parties that do not.

    The attacks of qeframe are held to it by their law. Attacks for other kinds of batch are kept: they are not tried.

    Raises PluginError if an attack does not keep to it, and `must` says that it was asked for.
    """
    kept: list[Attack] = []
    notes: list[str] = []
    for attack in attacks:
        fits = is_foreign(attack) and any(attack.changes_all_of(kind) for kind in kinds)
        breach = _breach(attack, seed) if fits else ""
        if breach and must:
            raise PluginError(f"{full_name(attack)}: {breach}; it must be 'informed', or not read that")
        if breach:
            notes.append(f"{full_name(attack)} was left out: {breach}")
        else:
            kept.append(attack)
    return kept, notes


def _breach(attack: Attack, seed: int) -> str:
    kind = find_kind(attack.kind)
    if kind is None or kind.anonymous is None or not has_generated_gold(attack.kind):
        return ""
    gold = generated_batch(attack.kind, seed, "knowledge")
    few = gold.take(np.arange(min(len(gold), _FEW)))
    try:
        return breach_of_knowledge(attack, honest(few, 0.5, generator(seed, "knowledge")), kind.anonymous, seed=seed)
    except PluginError:
        return ""  # what fails is told where it is measured


def audit_golds_of(gold: Any, metric: Metric) -> list[AuditGold]:
    """Return the golds to try attacks on, of a gold that is given.

    `gold`: Plain values as `qeframe.score` takes them. Raises DataError if it is not of the metric's kind, a task has
    no submission, or no task has a gold; a task without one is left out if another has one.
    """
    if isinstance(gold, Task):
        gold = [gold]
    if isinstance(gold, Sequence) and len(gold) and all(isinstance(item, Task) for item in gold):
        tasks = [task for task in gold if task.has_gold]
        if not tasks:
            raise DataError("no task has a gold", remedy="an attack is measured against a gold")
        return [_gold_of_task(task, metric) for task in tasks]
    batch = gold if isinstance(gold, Batch) else metric.kind.from_gold(gold)
    _check(batch, metric)
    return [AuditGold(name="given", description=f"{len(batch)} units given", batch=perfect(batch))]


def _gold_of_task(task: Task, metric: Metric) -> AuditGold:
    real = {s.name: batch for s, batch in task.batches.items() if s.kind != "attack"}
    if not real:
        raise DataError(
            f"task '{task.name}' has no submission: the audit of real gold ranks attacks among the real ones",
            remedy="put at least one beside the gold",
        )
    batch = next(iter(real.values()))
    _check(batch, metric)
    description = f"{task.name}: {task.units} {task.unit}s, {len(real)} real submissions"
    return AuditGold(name=task.name, description=description, batch=perfect(batch), real=real)


def _check(batch: Batch, metric: Metric) -> None:
    if not isinstance(batch, metric.kind):
        what = f"'{metric.name}' is a metric on {metric.kind.__name__}, the gold is {type(batch).__name__}"
        raise DataError(what, remedy="ask for metrics on that kind of gold")
