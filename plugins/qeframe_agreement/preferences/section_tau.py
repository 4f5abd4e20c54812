"""Kendall-like tau of pairs of answers by section: their mean, or the ACES-score."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
from attrs import frozen

from qeframe.plugin import Additive, DataError, FloatArray, Metric, Preferences, ratio
from qeframe_agreement.preferences.decisions import credit_rows

_COLUMNS = 2


@frozen
class _SectionTau:
    """The score of sums by subset: a section is the mean of its subsets, and what has no pair is left out."""

    names: tuple[str, ...]
    section: tuple[int, ...]  # of each subset
    weights: tuple[float, ...] = ()  # of the sections in their sum; empty: the mean of sections

    def by_subset(self, sums: FloatArray) -> FloatArray:
        """Return the tau of each subset, (..., subsets); NaN where it has no pair."""
        return _as_tau(self._accuracies(sums))

    def by_section(self, sums: FloatArray) -> FloatArray:
        """Return the tau of each section, (..., sections); NaN where it has no pair."""
        return _as_tau(self._by_section(sums))

    def __call__(self, sums: FloatArray) -> FloatArray:
        if self.weights:
            return np.asarray(self.by_section(sums) @ np.array(self.weights))
        return _as_tau(_mean_of_defined(self._by_section(sums), np.ones((len(self.names), 1)))[..., 0])

    def _accuracies(self, sums: FloatArray) -> FloatArray:
        cells = sums.reshape(*sums.shape[:-1], len(self.section), _COLUMNS)
        return ratio(cells[..., 1], cells[..., 0])

    def _by_section(self, sums: FloatArray) -> FloatArray:
        belongs = np.equal.outer(np.array(self.section), np.arange(len(self.names)))
        return _mean_of_defined(self._accuracies(sums), belongs.astype(np.float64))


def _as_tau(accuracy: FloatArray) -> FloatArray:
    """Return (C - D) / (C + D) of C / (C + D)."""
    return 2.0 * accuracy - 1.0


def _mean_of_defined(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return means over the last axis, (..., m) and (m, k) to (..., k); undefined values are left out."""
    defined = ~np.isnan(values)
    return ratio(np.where(defined, values, 0.0) @ weights, defined.astype(np.float64) @ weights)


@cache
def _categories() -> list[dict[str, Any]]:
    """Return the categories of ACES, each with its weight and its phenomena."""
    categories: list[dict[str, Any]] = tomllib.loads(
        files(__package__).joinpath("aces.toml").read_text(encoding="utf-8")
    )["category"]
    return categories


def _score_for(scheme: str, batch: Preferences) -> _SectionTau:
    subsets = batch.section_names
    if scheme == "equal":
        return _SectionTau(tuple(subsets), tuple(range(len(subsets))))
    places = {name: i for i, category in enumerate(_categories()) for name in category["phenomena"]}
    unknown = next((name for name in subsets if name not in places), None)
    if unknown is not None:
        what = f"section_tau: subset '{unknown}' is in no section of the scheme"
        raise DataError(what, remedy=f"set scheme=equal, or use its subsets, such as {', '.join([*places][:3])}")
    names = tuple(category["name"] for category in _categories())
    weights = tuple(float(category["weight"]) for category in _categories())
    return _SectionTau(names, tuple(places[name] for name in subsets), weights)


def _sparse_rows(batch: Preferences) -> Any:
    """Return for each pair 1 and its right decisions in the columns of its subset: many subsets, so a sparse array."""
    from scipy.sparse import csr_array

    credits, units = batch.rows(credit_rows)[:, :_COLUMNS], len(batch)
    first = np.repeat(_COLUMNS * batch.section, _COLUMNS).reshape(units, _COLUMNS)
    columns, starts = (first + np.arange(_COLUMNS)).ravel(), _COLUMNS * np.arange(units + 1)
    return csr_array((credits.ravel(), columns, starts), shape=(units, _COLUMNS * len(batch.section_names)))


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

    def bind(batch: Preferences) -> Additive:
        return Additive(batch.rows(_sparse_rows), _score_for(scheme, batch), batch.unit)

    def details(batch: Preferences) -> dict[str, Any]:
        of, sums = _score_for(scheme, batch), batch.rows(_sparse_rows).sum(axis=0)
        taus = {"sections": (of.names, of.by_section(sums)), "subsets": (batch.section_names, of.by_subset(sums))}
        return {key: dict(zip(names, values.tolist(), strict=True)) for key, (names, values) in taus.items()}

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
