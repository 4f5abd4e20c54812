"""Accuracy by subset, subsets combined to sections, and sections to one number: the score of RewardBench."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, DataError, FloatArray, Metric, Preferences, ratio
from qeframe.plugin.kinds import NOT_ASKED
from qeframe_preferences.decision_metrics import is_right


@frozen
class _Sections:
    """The score of sums by subset: weighted means of subsets in sections, and of sections that have a pair."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    section: tuple[int, ...]  # of each subset
    subset_weights: tuple[float, ...]

    def by_section(self, sums: FloatArray) -> FloatArray:
        """Return the accuracy of each section, (..., sections); NaN where it has no pair."""
        cells = sums.reshape(*sums.shape[:-1], len(self.section), 2)
        belongs = np.equal.outer(np.array(self.section), np.arange(len(self.names)))
        return _mean_of_defined(ratio(cells[..., 1], cells[..., 0]), belongs * np.array(self.subset_weights)[:, None])

    def __call__(self, sums: FloatArray) -> FloatArray:
        return _mean_of_defined(self.by_section(sums), np.array(self.weights)[:, None])[..., 0]


def _mean_of_defined(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return means over the last axis, (..., m) and (m, k) to (..., k); undefined values are left out."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0) @ weights, defined.astype(np.float64) @ weights)


@cache
def _rewardbench() -> list[dict[str, Any]]:
    """Return the sections of RewardBench, each with its weight and its subsets."""
    text = files(__package__).joinpath("rewardbench.toml").read_text(encoding="utf-8")
    sections: list[dict[str, Any]] = tomllib.loads(text)["section"]
    return sections


def _sections(scheme: str, batch: Preferences) -> _Sections:
    subsets = batch.section_names
    if scheme == "equal":
        ones = (1.0,) * len(subsets)
        return _Sections(tuple(subsets), ones, tuple(range(len(subsets))), ones)
    found = _rewardbench()
    places = {name: (i, weight) for i, one in enumerate(found) for name, weight in one["subsets"].items()}
    unknown = next((name for name in subsets if name not in places), None)
    if unknown is not None:
        what = f"section_accuracy: subset '{unknown}' is in no section of the scheme"
        raise DataError(what, remedy=f"set scheme=equal, or use its subsets, such as {', '.join([*places][:3])}")
    names, weights = tuple(one["name"] for one in found), tuple(float(one["weight"]) for one in found)
    section, subset_weights = (tuple(places[name][i] for name in subsets) for i in (0, 1))
    return _Sections(names, weights, section, subset_weights)


def _credits(batch: Preferences, rule: str, ties: float) -> FloatArray:
    """Return the credit of each pair, (n,): a decision that was not made is wrong."""
    if rule == "judgebench":
        return is_right(batch)
    gold = batch.gold[:, None]
    right, tied = batch.decisions == gold, (batch.decisions == 0) & (gold != 0)
    return (right.sum(axis=1) + ties * tied.sum(axis=1)) / (batch.decisions != NOT_ASKED).sum(axis=1)


def _rows(batch: Preferences, rule: str, ties: float) -> FloatArray:
    """Return 1 and the credit of each pair in the two columns of its subset, zeros elsewhere, (n, 2 * subsets)."""
    rows = np.zeros((len(batch), len(batch.section_names), 2))
    rows[np.arange(len(batch)), batch.section] = np.stack([np.ones(len(batch)), _credits(batch, rule, ties)], axis=1)
    return rows.reshape(len(batch), -1)


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
    if not 0 <= ties <= 1:
        what = f"section_accuracy: ties = {ties} must be from 0 to 1"
        raise DataError(what, remedy="give 0, or 0.5 for half a credit")

    def bind(batch: Preferences) -> Additive:
        return Additive(_rows(batch, rule, ties), _sections(scheme, batch), batch.unit)

    def details(batch: Preferences) -> dict[str, Any]:
        sections = _sections(scheme, batch)
        accuracies = sections.by_section(_rows(batch, rule, ties).sum(axis=0))
        return {"sections": dict(zip(sections.names, accuracies.tolist(), strict=True))}

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
