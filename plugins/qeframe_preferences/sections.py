"""Accuracy and tau by subset, subsets combined to sections, and sections to one number."""

import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, DataError, FloatArray, Metric, Preferences, ratio
from qeframe_preferences.decision_metrics import check_credit, credit_rows, right_rows

_COLUMNS = 3


@frozen
class _Scheme:
    """Which subsets make a section, and what subsets and sections weigh; none: each subset is a section of weight 1."""

    sections: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    members: tuple[tuple[str, int, float], ...] = ()  # the name of a subset, its section and its weight there

    def of(self, subsets: Sequence[str], metric: str) -> "_SectionScore":
        """Return the score for the subsets of a batch; `metric` is named where one is unknown."""
        if not self.members:
            ones = (1.0,) * len(subsets)
            return _SectionScore(tuple(subsets), ones, tuple(range(len(subsets))), ones)
        places = {name: (section, weight) for name, section, weight in self.members}
        for name in subsets:
            if name not in places:
                what = f"{metric}: subset '{name}' is in no section of the scheme"
                remedy = f"set scheme=equal, or use its subsets, such as {', '.join([*places][:3])}"
                raise DataError(what, remedy=remedy)
        sections = tuple(places[name][0] for name in subsets)
        return _SectionScore(self.sections, self.weights, sections, tuple(places[name][1] for name in subsets))


@frozen
class _SectionScore:
    """The score of sums: weighted means of subsets in sections, and of sections; what has no pair is left out."""

    names: tuple[str, ...]
    section_weights: tuple[float, ...]
    section: tuple[int, ...]
    subset_weights: tuple[float, ...]
    ties: float = 0.0

    def by_subset(self, sums: FloatArray) -> FloatArray:
        """Return the accuracy of each subset, (..., subsets); NaN where it has no pair."""
        cells = sums.reshape(*sums.shape[:-1], len(self.section), _COLUMNS)
        return ratio(cells[..., 1] + self.ties * cells[..., 2], cells[..., 0])

    def by_section(self, sums: FloatArray) -> FloatArray:
        """Return the accuracy of each section, (..., sections); NaN where it has no pair."""
        belongs = np.equal.outer(np.array(self.section), np.arange(len(self.names)))
        return _mean_of_defined(self.by_subset(sums), belongs * np.array(self.subset_weights)[:, None])

    def __call__(self, sums: FloatArray) -> FloatArray:
        return _mean_of_defined(self.by_section(sums), np.array(self.section_weights)[:, None])[..., 0]


@frozen
class _AcesScore:
    """The sum of the taus of categories times their weights; NaN where a category has no pair."""

    accuracies: _SectionScore

    def __call__(self, sums: FloatArray) -> FloatArray:
        taus = _as_tau(self.accuracies.by_section(sums))
        return np.asarray(taus @ np.array(self.accuracies.section_weights))


@frozen
class _MeanTau:
    """The mean of the taus of sections; what has no pair is left out."""

    accuracies: _SectionScore

    def __call__(self, sums: FloatArray) -> FloatArray:
        return _as_tau(self.accuracies(sums))


def _as_tau(accuracy: FloatArray) -> FloatArray:
    """Return (C - D) / (C + D) of C / (C + D)."""
    return 2.0 * accuracy - 1.0


def _mean_of_defined(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return means over the last axis, (..., m) and (m, k) to (..., k); undefined values are left out."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0) @ weights, defined.astype(np.float64) @ weights)


@cache
def _scheme(name: str) -> _Scheme:
    if name == "equal":
        return _Scheme()
    file = files("qeframe_preferences").joinpath("schemes").joinpath(f"{name}.toml")
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    sections: list[dict[str, Any]] = table["section"]
    members = [(s, i, float(weight)) for i, section in enumerate(sections) for s, weight in section["subsets"].items()]
    weights = tuple(float(section["weight"]) for section in sections)
    return _Scheme(tuple(section["name"] for section in sections), weights, tuple(members))


@frozen
class _BySubset:
    """The credits of each pair in the three columns of its subset, zeros elsewhere, (n, 3 * subsets)."""

    credits: Callable[[Preferences], FloatArray]

    def __call__(self, batch: Preferences) -> FloatArray:
        credits = batch.rows(self.credits)
        rows = np.zeros((len(batch), len(batch.section_names), _COLUMNS))
        rows[np.arange(len(batch)), batch.section, : credits.shape[1]] = credits
        return rows.reshape(len(batch), -1)


def _sparse_rows(batch: Preferences) -> Any:
    """Return the rows of decisions as a sparse array: a table may have many pairs in many subsets."""
    from scipy.sparse import csr_array

    credits, units = batch.rows(credit_rows), len(batch)
    first = np.repeat(_COLUMNS * batch.section, _COLUMNS).reshape(units, _COLUMNS)
    columns, starts = (first + np.arange(_COLUMNS)).ravel(), _COLUMNS * np.arange(units + 1)
    return csr_array((credits.ravel(), columns, starts), shape=(units, _COLUMNS * len(batch.section_names)))


def section_accuracy(
    *,
    scheme: Literal["equal", "rewardbench"] = "equal",
    rule: Literal["decisions", "judgebench"] = "decisions",
    ties: float = 0.0,
) -> Metric:
    """Mean over sections of the accuracy in each, so that large sections count no more than small ones.

    A section is a weighted mean of the accuracies of its subsets, the score a weighted mean of the sections. Subsets
    and sections without a pair are left out, also of a resample; intervals of small subsets come from few pairs.

    Parameters
    ----------
    scheme : {"equal", "rewardbench"}
        equal: every subset of the file is a section of its own, with weight 1. rewardbench: the sections Chat, Chat
        Hard, Safety and Reasoning with weight 1, the prior sets with weight 0.5. There a subset weighs its number of
        examples; math-prm, which has 447, weighs 984, as much as all code. Each prior set weighs the same.
    rule : {"decisions", "judgebench"}
        The accuracy of a subset: `preference_accuracy`, or `judgebench_accuracy`.
    ties : float
        The credit of a tie, as in `preference_accuracy`; without effect under the rule of JudgeBench.

    Returns
    -------
    Metric
        On `Preferences`, in [0, 1]; undefined (NaN) only without pairs. Its details give the accuracy of each section.

    References
    ----------
    Lambert et al. (2024), RewardBench; rewardbench/constants.py and analysis/get_benchmark_results.py of
    allenai/reward-bench.
    """
    check_credit("section_accuracy", ties)
    extract = _BySubset(right_rows if rule == "judgebench" else credit_rows)

    def score_for(batch: Preferences) -> _SectionScore:
        return attrs.evolve(_scheme(scheme).of(batch.section_names, "section_accuracy"), ties=ties)

    def bind(batch: Preferences) -> Additive:
        return Additive(batch.rows(extract), score_for(batch), batch.unit)

    def details(batch: Preferences) -> dict[str, Any]:
        score = score_for(batch)
        accuracies = score.by_section(batch.rows(extract).sum(axis=0))
        return {"sections": {name: float(a) for name, a in zip(score.names, accuracies, strict=True)}}

    return Metric(
        name="section_accuracy",
        summary="Mean over sections of the accuracy in each, with the weights of a scheme",
        source="RewardBench: Lambert et al. (2024)",
        formula=r"\frac{\sum_{s} w_s A_s}{\sum_{s} w_s}, \qquad A_s = \frac{\sum_{u \in s} w_u a_u}{\sum_{u \in s} "
        r"w_u}",
        symbols="$w_s$ is the weight of section $s$, $A_s$ the accuracy in it, $w_u$ the weight of its subset $u$ in "
        "the scheme; $a_u$ is the accuracy of the judge in subset $u$ by the parameter `rule`. With `scheme=equal` "
        "each subset is a section, and all weights are 1. What has no pair is left out.",
        kind=Preferences,
        bind=bind,
        smooth=True,
        interval_scale="logit",
        details=details,
        bounds=(0.0, 1.0),
        claims=("monotone", "abstention_proof"),
        known_weaknesses={"blind": 0.23, "cosmetic": 0.05},
    )


_ACES = 29.1  # the sum of the weights of the categories of ACES


def section_tau(*, scheme: Literal["equal", "aces"] = "equal") -> Metric:
    """Kendall-like tau by section: of C right and D other decisions, (C - D) / (C + D). A tie counts as wrong.

    The tau of a section is twice its accuracy without credit for ties, less 1. In a challenge set of good and incorrect
    translations, C are the pairs in which the good one has the higher score.

    Parameters
    ----------
    scheme : {"equal", "aces"}
        equal: the mean over the sections of the file, each with weight 1; sections without a pair are left out. aces:
        the ACES-score. The sections of the file are the phenomena of ACES; a category is the unweighted mean over its
        phenomena, and the score the sum of the categories times their weights: 5 for addition, omission,
        mistranslation, overtranslation and undertranslation, 1 for untranslated, do not translate, real-world knowledge
        and wrong language, 0.1 for punctuation.

    Returns
    -------
    Metric
        On `Preferences`, in [-1, 1], or in [-29.1, 29.1] with ``scheme=aces``; a judge that ties everything gets the
        smallest value. Undefined (NaN) without pairs, and with ``scheme=aces`` if a category has no pair, also in a
        resample. Its details give the tau of each section, or of each category, and of each subset.

    References
    ----------
    Amrhein, Moghe and Guillou (2022), ACES; aces/cli/evaluate.py of EdinburghNLP/ACES.
    """
    score = _AcesScore if scheme == "aces" else _MeanTau

    def accuracies(batch: Preferences) -> _SectionScore:
        return _scheme(scheme).of(batch.section_names, "section_tau")

    def bind(batch: Preferences) -> Additive:
        return Additive(batch.rows(_sparse_rows), score(accuracies(batch)), batch.unit)

    def details(batch: Preferences) -> dict[str, Any]:
        of, sums = accuracies(batch), batch.rows(_sparse_rows).sum(axis=0)
        taus = {"sections": (of.names, of.by_section(sums)), "subsets": (batch.section_names, of.by_subset(sums))}
        return {key: dict(zip(names, _as_tau(values).tolist(), strict=True)) for key, (names, values) in taus.items()}

    return Metric(
        name="section_tau",
        summary="Kendall-like tau with ties as wrong, by section: the mean of sections, or the ACES-score",
        source="ACES: Amrhein, Moghe and Guillou (2022)",
        formula=r"\frac{1}{S} \sum_{s} \tau_s, \qquad \tau_s = \frac{C_s - D_s}{C_s + D_s}",
        symbols="$C_s$ is the number of right decisions in section $s$ of $S$ and $D_s$ the number of the others, ties "
        "among them. With `scheme=aces` it is $\\sum_{k} w_k \\bar\\tau_k$, where $\\bar\\tau_k$ is the mean over the "
        "phenomena of category $k$ and $w_k$ its weight.",
        kind=Preferences,
        bind=bind,
        smooth=True,
        details=details,
        bounds=(-_ACES, _ACES) if scheme == "aces" else (-1.0, 1.0),
        claims=("monotone", "abstention_proof"),
        known_weaknesses={"blind": 0.23, "cosmetic": 0.05},
    )
