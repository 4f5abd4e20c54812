"""``qeframe distinguish --by-sampling``: its rules, and what it finds."""

from collections.abc import Sequence
from typing import Any

from attrs import asdict, frozen

from qeframe.cli.shared.options import CommonOptions
from qeframe.core.batch import check_kind
from qeframe.core.display import plain_values
from qeframe.core.draws import named_key
from qeframe.core.errors import DataError
from qeframe.core.profile import Profile
from qeframe.core.registry import Registry
from qeframe.core.resolve import chosen_metrics
from qeframe.core.task import Task
from qeframe.report import Table
from qeframe.studies import sampling_table
from qeframe.studies.sampling.data_sets import Measured
from qeframe.studies.sampling.least_samples import SIZES, LeastSample, SampledMetric, sample_metrics, threshold_pairs


@frozen(kw_only=True)
class SamplingRules:
    """What `sample_metrics` is asked for."""

    base: float
    gaps: tuple[float, ...]
    every: bool = False
    sizes: tuple[int, ...]
    measured: Measured
    draws: int
    seed: int


def sizes_of(step: int) -> tuple[int, ...]:
    """Return the sample sizes: those of the paper's text for 0, else multiples of a step up to the largest of them."""
    if not step:
        return SIZES
    if step < 2 or step > SIZES[-1]:
        raise DataError(f"the step must lie from 2 to {SIZES[-1]:,}, not {step:,}", remedy="the paper has 100")
    return tuple(range(step, SIZES[-1] + 1, step))


def find_samples(
    profile: Profile,
    tasks: Sequence[Task],
    registry: Registry,
    names: Sequence[str],
    common: CommonOptions,
    *,
    rules: SamplingRules,
) -> tuple[dict[str, Any], list[Table]]:
    """Find the smallest samples of each metric, task by task; return the record and a table for each task.

    Raises DataError if a task has no tags or no submission.
    """
    metrics, found = chosen_metrics(names or profile.metrics, registry), []
    with common.working("sampling") as runner:
        for task in tasks:
            tags = [batch for submission, batch in task.batches.items() if submission.is_ranked]
            numbers = tags[0].unit_numbers() if tags else None
            if numbers is None or numbers.sizes is None:
                what = f"task '{task.name}' has no submission" if not tags else f"task '{task.name}' has no tags"
                raise DataError(f"{what}: --by-sampling draws sentences with tags", remedy="give a word-level task")
            for metric in metrics:
                check_kind(tags[0], metric.kind, f"metric '{metric.name}'")
            asked = asdict(rules, filter=lambda attribute, _: attribute.name != "seed")
            key = named_key(rules.seed, "sampling", task.name)
            rows = sample_metrics(tags, metrics, **asked, alpha=profile.alpha, key=key, runner=runner)
            found.append((task.name, len(tags), len(tags[0]), rows))
    return _record(profile, rules, found), [_table(profile, rules, *studied) for studied in found]


def _table(
    profile: Profile, rules: SamplingRules, name: str, submissions: int, sentences: int, rows: Sequence[SampledMetric]
) -> Table:
    bounded = "words with a wrong tag" if rules.measured == "wrong" else "words tagged BAD"
    notes = (
        f"percentages: {bounded} in data sets of {sentences:,} sentences, some tagged by {submissions} submissions, "
        "the others as in the gold",
        f"alpha {profile.alpha:g} for each column; moments of {rules.draws:,} data sets, p integrated",
        f"profile:{profile.name}|task:{name}|of:{rules.measured}|draws:{rules.draws}|seed:{rules.seed}",
    )
    title = f"{profile.title or profile.name}, {name}: samples that tell qualities apart"
    sizes = rules.sizes if len(rules.sizes) <= len(SIZES) else (rules.sizes[0], rules.sizes[-1])
    pairs = threshold_pairs(rules.base, rules.gaps, every=rules.every)
    return sampling_table(rows, title, pairs=pairs, sizes=sizes, notes=notes)


def _record(profile: Profile, rules: SamplingRules, studied: Sequence[tuple[Any, ...]]) -> dict[str, Any]:
    return {
        "profile": profile.name,
        "alpha": profile.alpha,
        **{name: getattr(rules, name) for name in ("base", "gaps", "sizes", "draws", "seed")},
        "pairs": threshold_pairs(rules.base, rules.gaps, every=rules.every),
        "of": rules.measured,
        "tasks": [
            {
                "name": name,
                "submissions": submissions,
                "sentences": sentences,
                "metrics": [{"metric": row.metric, "least": [_least(least) for least in row.least]} for row in rows],
            }
            for name, submissions, sentences, rows in studied
        ],
    }


def _least(least: LeastSample) -> dict[str, object]:
    """Return the record of one cell; a size that is infinite or undefined is null."""
    sizes = {name: getattr(least, name) for name in ("size", "low", "high")}
    whole = {name: int(size) if 0 < size < float("inf") else None for name, size in sizes.items()}
    return {**plain_values(least), **whole, "reversed": least.reversed}
