"""How metrics agree with human judges on documents of any size: the experiment of Turian, Shen and Melamed (2003).

A pseudo-document is a number of sentences drawn with replacement, each with one of the judges who saw it, drawn at
random. It is a vector of counts, so that human and automatic scores of all documents are matrix products.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import field, frozen
from scipy.sparse import csr_array

from qeframe.batches.base import BoolArray, FloatArray, IntArray
from qeframe.batches.ragged import Ragged
from qeframe.batches.texts import Texts, text_array
from qeframe.components.metric import Metric
from qeframe.components.registry import Registry
from qeframe.errors import DataError
from qeframe.evaluation.comparison import compare
from qeframe.evaluation.result import Comparison
from qeframe.resampling.correlation import spearman_of_rows
from qeframe.resampling.parallel import Runner
from qeframe.resampling.statistic import Statistic
from qeframe.studies.pseudo_documents import documents, means
from qeframe.tasks.assessments import Assessments
from qeframe.tasks.reading import Reading
from qeframe.tasks.text_files import SegmentTexts, read_texts

__all__ = ["BETWEEN_JUDGES", "Curve", "compare_curves", "correlate", "study"]

BETWEEN_JUDGES = "between judges"


@frozen(kw_only=True, eq=False)
class Curve:
    """The correlations of one metric, or of one judge, with a judge: over sizes of documents.

    Parameters
    ----------
    name : str
        A metric, or `BETWEEN_JUDGES`.
    scale : str
    references : int
        How many references the metric saw; 0 for judges.
    sizes : tuple of int
        Sentences of a document.
    values : (sizes, draws) float64
        Spearman's correlation over the systems in every document; 0 where the metric does not tell the systems apart,
        NaN where the judges do not.
    """

    name: str
    scale: str
    references: int
    sizes: tuple[int, ...]
    values: FloatArray = field(repr=False)

    @property
    def label(self) -> str:
        """The name, and the number of references if there are several."""
        return f"{self.name}, {self.references} references" if self.references > 1 else self.name

    @property
    def mean(self) -> FloatArray:
        """(sizes,) float64: the mean over all documents with a correlation; NaN if there is none."""
        known = np.isfinite(self.values)
        total = np.where(known, self.values, 0).sum(axis=1)
        return np.divide(total, known.sum(axis=1), out=np.full(len(total), np.nan), where=known.any(axis=1))

    @property
    def spread(self) -> FloatArray:
        """(sizes,) float64: the standard deviation over documents; NaN for fewer than two."""
        count = np.isfinite(self.values).sum(axis=1)
        squares = np.nansum((self.values - self.mean[:, None]) ** 2, axis=1)
        return np.sqrt(np.divide(squares, count - 1, out=np.full(len(count), np.nan), where=count > 1))

    @property
    def undefined(self) -> FloatArray:
        """(sizes,) float64: the share of documents without a correlation."""
        return np.isnan(self.values).mean(axis=1)


def correlate(
    assessments: Assessments,
    candidates: Mapping[str, Texts],
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    *,
    draws: int = 1000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[Curve]:
    """Correlate metrics, and judges among each other, with judges on pseudo-documents.

    The score of a system in a document is a mean of the judges' z-scores, or the metric of its sentences; where a judge
    did not judge a system, that sentence counts for neither side of that system. A judge who looked at a segment twice
    is drawn twice as often.

    Parameters
    ----------
    assessments : Assessments
        Of one scale; at least two systems.
    candidates : mapping of str to Texts
        The translations and references of every system, all segments that were judged, named by their ids.
    metrics : sequence of Metric
        On `Texts`. Where lower scores are better they are negated.
    sizes : sequence of int
        How many sentences a document has, from 1.
    draws : int
        Documents of each size.
    seed : int
        Equal seeds give equal documents, whatever the metrics and the other sizes.
    runner : Runner, optional
        Where metrics are computed and documents drawn, and who is told of the progress.

    Returns
    -------
    list of Curve
        One for each metric and, where segments were seen by several judges, one between judges, on those segments.

    Raises
    ------
    DataError
        For fewer than two systems, a size or a number of draws below 1, a metric on anything else than texts, or a
        judged segment without texts.

    References
    ----------
    Turian, Shen and Melamed (2003), Evaluation of Machine Translation and its Evaluation, MT Summit IX.
    """
    _check(assessments, metrics, sizes, draws)
    texts = _judged_texts(assessments, candidates)
    found = _with_metrics(assessments, texts, metrics, sizes, draws, seed, runner or Runner())
    several = int(next(iter(texts.values())).gold.lengths.max())
    scale, steps = assessments.scale, tuple(sizes)
    curves = [
        Curve(name=metric.name, scale=scale, references=several, sizes=steps, values=values)
        for metric, values in zip(metrics, found, strict=True)
    ]
    judges = _between_judges(assessments, sizes, draws, seed)
    if judges is not None:
        curves.append(Curve(name=BETWEEN_JUDGES, scale=scale, references=0, sizes=steps, values=judges))
    return curves


@frozen(eq=False)
class _Experiment:
    """Metrics bound to the texts of all systems: from a size to correlations with judges, (metrics, draws)."""

    z: FloatArray
    segments: IntArray
    metrics: Sequence[Metric]
    statistics: Sequence[Sequence[Statistic]]
    draws: int
    seed: int

    def __call__(self, size: int) -> FloatArray:
        numbers, at = np.unique(self.segments, return_inverse=True)
        members = csr_array((np.ones(len(at)), (np.arange(len(at)), at)), shape=(len(at), len(numbers)))
        values = np.full((len(self.metrics), self.draws), np.nan)
        for part, counts in documents(at, size, self.draws, (self.seed, size, 0)):
            human = means(counts, self.z)
            for k, metric in enumerate(self.metrics):
                scores = _scores(self.statistics[k], counts, np.isfinite(self.z), members)
                values[k, part] = spearman_of_rows(human, scores if metric.higher_is_better else -scores)
        return values


def _with_metrics(
    assessments: Assessments,
    texts: Mapping[str, Texts],
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    draws: int,
    seed: int,
    runner: Runner,
) -> FloatArray:
    """Return the correlations between judges and metrics, (metrics, sizes, draws)."""
    pairs = [(metric, texts[name]) for metric in metrics for name in assessments.systems]
    bound, width = runner.map(_bound, pairs), len(assessments.systems)
    statistics = [bound[at : at + width] for at in range(0, len(bound), width)]
    z = assessments.standardized()
    experiment = _Experiment(z, assessments.segments, metrics, statistics, draws, seed)
    return np.stack(runner.map(experiment, sizes), axis=1)


def _bound(pair: tuple[Metric, Texts]) -> Statistic:
    metric, texts = pair
    return metric.bind(texts)


def _between_judges(assessments: Assessments, sizes: Sequence[int], draws: int, seed: int) -> FloatArray | None:
    """Return the correlations between two judges of the same translations, (sizes, draws); None without any."""
    z, (first, second) = assessments.standardized(), assessments.pairs()
    if not len(first):
        return None
    seen = np.isfinite(z[first]) & np.isfinite(z[second])
    sides = [np.where(seen, z[looks], np.nan) for looks in (first, second)]
    values = np.full((len(sizes), draws), np.nan)
    for nth, size in enumerate(sizes):
        for part, counts in documents(assessments.segments[first], size, draws, (seed, size, 1)):
            values[nth, part] = spearman_of_rows(*(means(counts, side) for side in sides))
    return values


def study(
    reading: Reading,
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    *,
    references: Sequence[int] = (),
    draws: int = 1000,
    seed: int = 0,
    runner: Runner | None = None,
) -> list[Curve]:
    """Correlate metrics with judges on every scale of a task, with so many of its references each.

    Parameters
    ----------
    reading : Reading
        With assessments and texts.
    references : sequence of int
        How many references the metrics see, one curve each; all of them by default.
    metrics, sizes, draws, seed, runner
        As of `correlate`.

    Returns
    -------
    list of Curve
        Scale after scale; the one between judges once a scale.

    Raises
    ------
    DataError
        If the task has no assessments, no texts, or fewer references; and as of `correlate`.
    """
    if reading.texts is None or not reading.assessments:
        lacking = "texts" if reading.assessments else "scores of single judges"
        remedy = "give the texts beside the judgments" if reading.assessments else "choose another reader"
        raise DataError(f"task '{reading.name}' has no {lacking}", path=reading.gold.path or None, remedy=remedy)
    read = read_texts(reading.texts)
    numbers = tuple(dict.fromkeys(references)) or (len(read.references),)
    if not 1 <= min(numbers) <= max(numbers) <= len(read.references):
        what = f"{max(numbers)} references were asked for, task '{reading.name}' has {len(read.references)}"
        raise DataError(what, remedy="ask for at least one, and no more than there are")
    curves: list[Curve] = []
    for assessments in reading.assessments:
        for number in numbers:
            candidates = _candidates(read, number, reading.texts.first)
            found = correlate(assessments, candidates, metrics, sizes, draws=draws, seed=seed, runner=runner)
            curves += [curve for curve in found if curve.references or number == numbers[-1]]
    return curves


def _candidates(read: SegmentTexts, references: int, first: int) -> dict[str, Texts]:
    ids = np.arange(first, first + len(read.references[0]))
    flat = text_array([text for row in zip(*read.references[:references], strict=True) for text in row])
    gold = Ragged.from_lengths(flat, np.full(len(ids), references))
    return {name: Texts(ids=ids, gold=gold, predicted=text_array(texts)) for name, texts in read.systems.items()}


def compare_curves(
    curves: Sequence[Curve], size: int, *, correction: str = "holm", registry: Registry | None = None
) -> list[Comparison]:
    """Test by Wilcoxon's signed ranks which metrics correlate higher in documents of a size.

    Parameters
    ----------
    curves : sequence of Curve
        Of one scale. Documents without a correlation in one of them are left out.
    size : int

    Returns
    -------
    list of Comparison
        All pairs, the higher mean first; empty for fewer than two curves of metrics.

    Notes
    -----
    As in the paper, the units are documents drawn from the same sentences: the p-value says whether the draws suffice
    to tell two means apart, and falls with their number. It says nothing of other sentences or systems.
    """
    of = {curve.label: curve.values[curve.sizes.index(size)] for curve in curves if curve.references}
    if len(of) < 2:
        return []
    known = np.isfinite(np.stack(list(of.values()))).all(axis=0)
    values = {label: row[known] for label, row in of.items()}
    return compare("mean", None, values, test="wilcoxon", correction=correction, registry=registry)


def _check(assessments: Assessments, metrics: Sequence[Metric], sizes: Sequence[int], draws: int) -> None:
    if len(assessments.systems) < 2:
        raise DataError("systems are correlated, and there are fewer than two", remedy="give at least two")
    if draws < 1 or not sizes or min(sizes) < 1:
        raise DataError("there must be at least one document, and one sentence in it")
    for metric in metrics:
        if not issubclass(metric.kind, Texts):
            raise DataError(f"{metric.name} works on {metric.kind.__name__}", remedy="name metrics on Texts")


def _judged_texts(assessments: Assessments, candidates: Mapping[str, Texts]) -> dict[str, Texts]:
    """Return the texts of every system, one row for each segment that was judged, ascending."""
    wanted, chosen = np.unique(assessments.segments), {}
    for name in assessments.systems:
        if name not in candidates:
            raise DataError(f"system '{name}' was judged, but has no texts")
        ids = candidates[name].ids
        absent = np.setdiff1d(wanted, ids)
        if len(absent):
            raise DataError(f"segment {absent[0]} was judged, but '{name}' has no text of it")
        order = np.argsort(ids)
        chosen[name] = candidates[name].take(order[np.searchsorted(ids[order], wanted)])
    return chosen


def _scores(statistics: Sequence[Statistic], counts: FloatArray, judged: BoolArray, members: csr_array) -> FloatArray:
    """Return the metric of each system's judged sentences in each document, (draws, systems)."""
    return np.stack([of((counts * judged[:, i]) @ members) for i, of in enumerate(statistics)], axis=1)
