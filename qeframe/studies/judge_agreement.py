"""How metrics agree with human judges on documents of any size: the experiment of Turian, Shen and Melamed (2003).

A pseudo-document is a sample of sentences drawn with replacement. Each sentence comes with one of its judges, drawn at
random. A pseudo-document is stored as a vector of counts, so the scores of all documents are matrix products.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import evolve, frozen
from scipy.sparse import csr_array

from qeframe.core import metric_calls as checked
from qeframe.core.batch import Batch, BoolArray, FloatArray, IntArray
from qeframe.core.draws import bounded_slices, checked_seed
from qeframe.core.errors import DataError
from qeframe.core.metric import Metric
from qeframe.core.runner import Runner
from qeframe.core.statistic import Statistic
from qeframe.data.reading import Assessments, Reading
from qeframe.data.translations import SegmentTexts, read_texts
from qeframe.statistics.correlation import pearson_of_rows, spearman_of_rows
from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve

_ARRAYS_OF_COUNTS = 2
"""The number of arrays (draws, rows) in memory at once: counts as whole numbers, and as weights."""


def draw_documents(groups: IntArray, size: int, draws: int, key: Sequence[int]) -> list[tuple[slice, FloatArray]]:
    """Draw documents as counts of rows. Each sentence is drawn as a group first, then as a row of that group.

    `groups` (rows,): the group of every row: the segment of a judgment, or of a pair of judgments.
    `size`: Number of sentences in a document.
    `draws`: Number of documents.
    `key`: Seeds the generator.

    Returns for each block of documents: which draws they are, and how often each row occurs; every row of counts sums
    to `size`.
    """
    rng = np.random.default_rng(key)
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sizes = np.diff(starts, append=len(order))
    chosen = rng.integers(len(starts), size=(draws, size))
    rows = order[starts[chosen] + np.floor(rng.random((draws, size)) * sizes[chosen]).astype(np.int64)]
    parts = bounded_slices(draws, _ARRAYS_OF_COUNTS * len(groups))
    return [(part, _counts(rows[part], len(groups))) for part in parts]


def _counts(rows: IntArray, width: int) -> FloatArray:
    flat = (rows + width * np.arange(len(rows))[:, None]).ravel()
    return np.bincount(flat, minlength=len(rows) * width).reshape(len(rows), width).astype(np.float64)


def document_means(counts: FloatArray, values: FloatArray) -> FloatArray:
    """Return the mean of `values`, (rows, systems), in each document, (draws, systems); NaN if there is no value."""
    total, counted = counts @ np.nan_to_num(values), counts @ np.isfinite(values)
    return np.divide(total, counted, out=np.full(total.shape, np.nan), where=counted > 0)


def correlate_with_judges(
    assessments: Assessments,
    candidates: Mapping[str, Batch],
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    *,
    draws: int = 1000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[AgreementCurve]:
    """Correlate metrics with judges, and judges with each other, on pseudo-documents.

    The human score of a system in a document is the mean of the judges' z-scores. The automatic score is the metric of
    the same sentences. A sentence whose judge did not judge a system is left out of both scores of that system. A judge
    who judged a segment twice is drawn twice as often.

    Parameters
    ----------
    assessments : Assessments
        Of one scale; at least two systems.
    candidates : mapping of str to Batch
        By system: the translations and references of all judged segments; the ids are the segments.
    metrics : sequence of Metric
        On `Texts`. Scores of which lower is better are negated.
    sizes : sequence of int
        Numbers of sentences in a document, at least 1.
    draws : int
        Number of documents of each size.
    seed : int
        Equal seeds give equal documents. The documents do not depend on the metrics or on the other sizes.
    runner : Runner, optional
        Runs the computation and reports its progress.

    Returns
    -------
    list of AgreementCurve
        One for each metric. If some segments have several judges, one more between judges, on those segments.

    Raises
    ------
    DataError
        If there are fewer than two systems, a size or the number of draws is below 1, a metric does not work on texts,
        or a judged segment has no texts.

    References
    ----------
    Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, MT Summit IX.
    """
    _check(assessments, metrics, sizes, draws)
    seed = checked_seed(seed)
    texts = _judged_texts(assessments, candidates)
    values_of_metrics = _with_metrics(assessments, texts, metrics, sizes, draws, seed, runner or Runner())
    of_system: Any = next(iter(texts.values()))
    references = int(of_system.gold.lengths.max())
    scale, sizes = assessments.scale, tuple(sizes)
    curves = [
        AgreementCurve(name=metric.name, scale=scale, references=references, sizes=sizes, values=values)
        for metric, values in zip(metrics, values_of_metrics, strict=True)
    ]
    judges = _between_judges(assessments, sizes, draws, seed)
    if judges is not None:
        curves.append(AgreementCurve(name=BETWEEN_JUDGES, scale=scale, references=0, sizes=sizes, values=judges))
    return curves


@frozen(eq=False)
class _Experiment:
    """Metrics bound to the texts of all systems. A call maps a size to correlations with judges, (metrics, draws)."""

    z: FloatArray
    segments: IntArray
    metrics: Sequence[Metric]
    statistics: Sequence[Sequence[Statistic]]
    draws: int
    seed: int

    def __call__(self, size: int) -> FloatArray:
        distinct, segment = np.unique(self.segments, return_inverse=True)
        looks = np.arange(len(segment))
        members = csr_array((np.ones(len(segment)), (looks, segment)), shape=(len(segment), len(distinct)))
        values = np.full((len(self.metrics), self.draws), np.nan)
        for part, counts in draw_documents(segment, size, self.draws, (self.seed, size, 0)):
            human = document_means(counts, self.z)
            for k, metric in enumerate(self.metrics):
                scores = _scores(metric, self.statistics[k], counts, np.isfinite(self.z), members)
                values[k, part] = spearman_of_rows(human, scores if metric.higher_is_better else -scores)
        return values


def _with_metrics(
    assessments: Assessments,
    texts: Mapping[str, Batch],
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    draws: int,
    seed: int,
    runner: Runner,
) -> FloatArray:
    """Return the correlations between judges and metrics, (metrics, sizes, draws)."""
    pairs = [(metric, texts[name]) for metric in metrics for name in assessments.systems]
    bound, systems = runner.map(_bound, pairs), len(assessments.systems)
    statistics = [bound[start : start + systems] for start in range(0, len(bound), systems)]
    z = assessments.standardized()
    experiment = _Experiment(z, assessments.segments, metrics, statistics, draws, seed)
    return np.stack(runner.map(experiment, sizes), axis=1)


def _bound(pair: tuple[Metric, Batch]) -> Statistic:
    metric, texts = pair
    return checked.bind(metric, texts)


def _between_judges(assessments: Assessments, sizes: Sequence[int], draws: int, seed: int) -> FloatArray | None:
    """Return the correlations between two judges of the same translations, (sizes, draws); None if there are none."""
    z, (first, second) = assessments.standardized(), assessments.pairs()
    if not len(first):
        return None
    seen = np.isfinite(z[first]) & np.isfinite(z[second])
    sides = [np.where(seen, z[looks], np.nan) for looks in (first, second)]
    values = np.full((len(sizes), draws), np.nan)
    for nth, size in enumerate(sizes):
        for part, counts in draw_documents(assessments.segments[first], size, draws, (seed, size, 1)):
            values[nth, part] = spearman_of_rows(*(document_means(counts, side) for side in sides))
    return values


@frozen(kw_only=True)
class JudgePair:
    """How far two judges agree on the translations that both judged.

    Parameters
    ----------
    scale : str
    first, second : str
        The judges, in alphabetical order.
    translations : int
        Pairs of judgments of the same translation.
    correlation : float
        Pearson's, of the z-scores of each judge; NaN for fewer than three translations, or if one of both judges gives
        all the same score.
    """

    scale: str
    first: str
    second: str
    translations: int
    correlation: float


def judge_pairs(assessments: Assessments) -> list[JudgePair]:
    """Return the agreement of each two judges who judged the same translations, the worst pair first.

    References
    ----------
    Turian, Shen and Melamed (2003), figure 3: the judges who agree least bound what a metric can be asked for.
    """
    z, judges = assessments.standardized(), assessments.judges
    looks_of: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for a, b in zip(*(side.tolist() for side in assessments.pairs()), strict=True):
        lesser, greater = (a, b) if judges[a] < judges[b] else (b, a)
        looks_of.setdefault((judges[lesser], judges[greater]), []).append((lesser, greater))
    pairs = []
    for (first, second), looks in looks_of.items():
        x, y = z[np.array(looks).T]
        both = np.isfinite(x) & np.isfinite(y)
        r = float(pearson_of_rows(x[both], y[both], np.ones(both.sum()))) if both.sum() > 2 else np.nan
        if both.any():
            pairs.append(
                JudgePair(
                    scale=assessments.scale, first=first, second=second, translations=int(both.sum()), correlation=r
                )
            )
    return sorted(pairs, key=lambda pair: (np.nan_to_num(pair.correlation, nan=np.inf), pair.first, pair.second))


def _check(assessments: Assessments, metrics: Sequence[Metric], sizes: Sequence[int], draws: int) -> None:
    if len(assessments.systems) < 2:
        raise DataError("a correlation over systems needs at least two systems", remedy="give more systems")
    if draws < 1 or not sizes or min(sizes) < 1:
        raise DataError(
            "draws and sizes must be at least 1", remedy="draw one document or more, of one sentence or more"
        )
    _check_kinds(metrics)


def _check_kinds(metrics: Sequence[Metric]) -> None:
    for metric in metrics:
        if not metric.kind.from_texts:
            raise DataError(
                f"{metric.name} works on {metric.kind.__name__}, not on Texts", remedy="name metrics on Texts"
            )


def _judged_texts(assessments: Assessments, candidates: Mapping[str, Batch]) -> dict[str, Batch]:
    """Return the texts of every system: one row for each judged segment, in ascending order."""
    judged, texts_of = np.unique(assessments.segments), {}
    for name in assessments.systems:
        if name not in candidates:
            raise DataError(f"system '{name}' was judged, but has no texts", remedy="give its translations")
        ids = candidates[name].ids
        absent = np.setdiff1d(judged, ids)
        if len(absent):
            raise DataError(
                f"segment {absent[0]} was judged, but '{name}' has no text of it", remedy="give its translation"
            )
        order = np.argsort(ids)
        texts_of[name] = candidates[name].take(order[np.searchsorted(ids[order], judged)])
    return texts_of


def _scores(
    metric: Metric, statistics: Sequence[Statistic], counts: FloatArray, judged: BoolArray, members: csr_array
) -> FloatArray:
    """Return the metric of each system's judged sentences in each document, (draws, systems)."""
    drawn = ((counts * judged[:, i]) @ members for i in range(len(statistics)))
    return np.stack([checked.scores(metric, *drawn_task) for drawn_task in zip(statistics, drawn, strict=True)], axis=1)


def correlate_task(
    reading: Reading,
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    *,
    references: Sequence[int] = (),
    draws: int = 1000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[AgreementCurve]:
    """Correlate metrics with judges on every human scale of a task, for each number of references.

    Parameters
    ----------
    reading : Reading
        With assessments and texts.
    references : sequence of int
        Numbers of references to give to the metrics, one curve each. By default all references of the task.
    metrics, sizes, draws, seed, runner
        As in `correlate_with_judges`.

    Returns
    -------
    list of AgreementCurve
        Scale by scale. The curve between judges occurs once for each scale.

    Raises
    ------
    DataError
        If the task has no assessments, no texts, or too few references; and as in `correlate_with_judges`.
    """
    if reading.texts is None or not reading.assessments:
        lacking = "texts" if reading.assessments else "scores of single judges"
        remedy = "give the texts beside the judgments" if reading.assessments else "choose another reader"
        raise DataError(f"task '{reading.name}' has no {lacking}", path=reading.gold.path or None, remedy=remedy)
    texts = read_texts(reading.texts)
    numbers = tuple(dict.fromkeys(references)) or (len(texts.references),)
    if not 1 <= min(numbers) <= max(numbers) <= len(texts.references):
        what = f"{max(numbers)} references were asked for, task '{reading.name}' has {len(texts.references)}"
        raise DataError(what, remedy="ask for at least one, and for no more than the task has")
    curves: list[AgreementCurve] = []
    for assessments in reading.assessments:
        for number in numbers:
            candidates = _candidates(texts, number, reading.texts.first, metrics)
            added = correlate_with_judges(
                assessments, candidates, metrics, sizes, draws=draws, seed=seed, runner=runner
            )
            curves += [curve for curve in added if curve.references or number == numbers[-1]]
    return curves


def _candidates(texts: SegmentTexts, references: int, first: int, metrics: Sequence[Metric]) -> dict[str, Batch]:
    """Return the batch of every system, with the given number of references; the first segment has the id `first`."""
    _check_kinds(metrics)
    gold = [list(row) for row in zip(*texts.references[:references], strict=True)]
    ids = np.arange(first, first + len(gold))
    return {
        name: evolve(metrics[0].kind.from_plain(gold, translations), ids=ids)
        for name, translations in texts.systems.items()
    }
