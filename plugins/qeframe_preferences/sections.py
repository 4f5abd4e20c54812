"""Accuracy by subset, subsets combined to sections, and sections to one number."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, DataError, FloatArray, Metric, Preferences, ratio
from qeframe_preferences.accuracy import check_credit, credit_rows, right_rows

_COLUMNS = 3


@frozen
class _Scheme:
    """Which subsets make a section, and what subsets and sections weigh.

    Parameters
    ----------
    sections : tuple of str
    weights : tuple of float
        Of the sections.
    members : tuple of (str, int, float)
        The name of a subset, its section and its weight there. Empty: each subset is a section of weight 1.
    """

    sections: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    members: tuple[tuple[str, int, float], ...] = ()

    def of(self, subsets: Sequence[str]) -> _SectionScore:
        """Return the score for the subsets of a batch."""
        if not self.members:
            ones = (1.0,) * len(subsets)
            return _SectionScore(tuple(subsets), ones, tuple(range(len(subsets))), ones)
        known = {name: (section, weight) for name, section, weight in self.members}
        unknown = [name for name in subsets if name not in known]
        if unknown:
            what = f"section_accuracy: subset '{unknown[0]}' is in no section of the scheme"
            raise DataError(what, remedy=f"set scheme=equal, or use its subsets, such as {', '.join([*known][:3])}")
        found = [known[name] for name in subsets]
        sections, weights = tuple(section for section, _ in found), tuple(weight for _, weight in found)
        return _SectionScore(self.sections, self.weights, sections, weights)


@frozen
class _SectionScore:
    """The score of sums: weighted means of subsets in sections, and of sections; what has no pair is left out."""

    names: tuple[str, ...]
    section_weights: tuple[float, ...]
    section: tuple[int, ...]
    subset_weights: tuple[float, ...]
    ties: float = 0.0

    def by_section(self, sums: FloatArray) -> FloatArray:
        """Return the accuracy of each section, (..., sections); NaN where it has no pair."""
        cells = sums.reshape(*sums.shape[:-1], len(self.section), _COLUMNS)
        accuracy = ratio(cells[..., 1] + self.ties * cells[..., 2], cells[..., 0])
        belongs = np.equal.outer(np.array(self.section), np.arange(len(self.names)))
        return _mean_of_defined(accuracy, belongs * np.array(self.subset_weights)[:, None])

    def __call__(self, sums: FloatArray) -> FloatArray:
        return _mean_of_defined(self.by_section(sums), np.array(self.section_weights)[:, None])[..., 0]


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
    members = [(s, i, float(weight)) for i, each in enumerate(sections) for s, weight in each["subsets"].items()]
    weights = tuple(float(each["weight"]) for each in sections)
    return _Scheme(tuple(each["name"] for each in sections), weights, tuple(members))


def _by_subset(batch: Preferences, credits: FloatArray) -> FloatArray:
    """Return the credits of each pair in the three columns of its subset, zeros elsewhere, (n, 3 * subsets)."""
    rows = np.zeros((len(batch), len(batch.section_names), _COLUMNS))
    rows[np.arange(len(batch)), batch.section, : credits.shape[1]] = credits
    return rows.reshape(len(batch), -1)


def _rows_of_decisions(batch: Preferences) -> FloatArray:
    return _by_subset(batch, batch.rows(credit_rows))


def _rows_of_judgebench(batch: Preferences) -> FloatArray:
    return _by_subset(batch, batch.rows(right_rows))


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
    extract = _rows_of_judgebench if rule == "judgebench" else _rows_of_decisions

    def score_for(batch: Preferences) -> _SectionScore:
        of_subsets = _scheme(scheme).of(batch.section_names)
        names, weights, section = of_subsets.names, of_subsets.section_weights, of_subsets.section
        return _SectionScore(names, weights, section, of_subsets.subset_weights, ties)

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
        details=details,
        bounds=(0.0, 1.0),
        claims=("monotone", "abstention_proof"),
    )
