"""What is found of measures on given data: a row for each measure, and their agreement; as JSON and back."""

import json
import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import attrs
import numpy as np
from attrs import field, frozen
from cattrs import Converter

from qeframe.core.display import Drawn
from qeframe.core.errors import DataError
from qeframe.core.evaluation.canonical_json import canonical_json, plain_values
from qeframe.core.resampling.rounding import ROUNDING
from qeframe.core.short_repr import Brief
from qeframe.core.tasks.task import LeftOut
from qeframe.gaming.gaming_gate import Gamed
from qeframe.statistics.ranks import mid_ranks
from qeframe.studies.measures.verdicts import Verdicts
from qeframe.studies.simulation import Share

FORMAT = 1
"""Of the JSON. It grows when a key is removed or says something else; new keys do not change it."""
_INFINITE = "infinite"


@frozen(kw_only=True, repr=False)
class TrustRow(Brief):
    """One measure on one data set.

    Parameters
    ----------
    metric : str
    higher_is_better : bool
    scores : mapping of str to float
        Of all submissions, the best first; NaN if undefined.
    first : tuple of str
        The submissions with the best score, up to rounding.
    verdicts : Verdicts
        Of all pairs of submissions, by the default test, two-sided: who may be the best, and how many pairs are
        separated.
    reliability : float
        Split-half reliability of the ranking: the mean rank correlation r of the scores in two random halves of the
        units, stepped up to all units by Spearman and Brown's formula, 2 r / (1 + r). NaN with fewer than three
        submissions, or if no split has defined scores.
    needed, needed_high : float
        How many units separate the first from the second submission with a power of .8, at the observed difference and
        at the lower end of its interval (infinite if that holds 0). NaN where there is no standard error.
    year_test : str
        The test of the profile; empty if it cannot be used with the measure.
    year_error, default_error : Share or None
        How often the test of the profile and the default test reject at alpha when answers of two submissions are
        exchanged at random, unit by unit: the null hypothesis is true then. None where it cannot be run so.
    gamed : Gamed or None
        How far the measure can be gamed; None if not asked for or if the metric has no gold side.
    """

    metric: str
    higher_is_better: bool = True
    scores: Mapping[str, float] = field(factory=dict)
    first: tuple[str, ...] = ()
    verdicts: Verdicts = field(factory=Verdicts)
    reliability: float = math.nan
    needed: float = math.nan
    needed_high: float = math.nan
    year_test: str = ""
    year_error: Share | None = None
    default_error: Share | None = None
    gamed: Gamed | None = None

    @property
    def score(self) -> float:
        """The best score; NaN if none is defined."""
        return self.scores[self.first[0]] if self.first else math.nan

    def to_plain(self) -> dict[str, Any]:
        """Return values of JSON; an infinite number is a word, one that is not known is null."""
        plain = {attribute.name: plain_values(getattr(self, attribute.name)) for attribute in attrs.fields(type(self))}
        return plain | {name: _INFINITE for name in ("needed", "needed_high") if getattr(self, name) == math.inf}


@frozen(kw_only=True, repr=False)
class TrustedData(Brief):
    """All measures on one data set.

    Parameters
    ----------
    name, profile, title : str
    unit : str
    units, submissions, tasks : int
    measures : tuple of TrustRow
    """

    name: str
    profile: str
    title: str
    unit: str
    units: int
    submissions: int
    tasks: int
    measures: tuple[TrustRow, ...]

    def rank_correlations(self) -> dict[tuple[str, str], float]:
        """Return, for each two measures, Spearman's correlation of the scores of the submissions.

        Scores are oriented so that higher is better. NaN where fewer than two submissions have a score under both
        measures, or all of these are equal.
        """
        return {(a.metric, b.metric): _rank_correlation(a, b) for a, b in combinations(self.measures, 2)}


def _rank_correlation(first: TrustRow, second: TrustRow) -> float:
    both = [name for name in first.scores if math.isfinite(first.scores[name] + second.scores.get(name, math.nan))]
    sides = [
        mid_ranks(
            np.array([row.scores[name] if row.higher_is_better else -row.scores[name] for name in both]), slack=ROUNDING
        )
        for row in (first, second)
    ]
    a, b = (ranks - ranks.sum() / max(1, len(both)) for ranks in sides)
    spread = math.sqrt(float((a**2).sum() * (b**2).sum()))
    return float((a * b).sum()) / spread if spread else math.nan


@frozen(kw_only=True, repr=False)
class Trust(Drawn):
    """Which measures can be trusted, on one or more data sets.

    Parameters
    ----------
    splits, runs : int
        Random halves of the units, and data sets of exchanged answers (0: none).
    alpha : float
    seed : int
    data : tuple of TrustedData
        In the order of the caller.
    left_out : tuple of LeftOut
        The submissions that were not read, with the reasons.
    """

    splits: int
    runs: int
    alpha: float
    seed: int
    data: tuple[TrustedData, ...]
    left_out: tuple[LeftOut, ...] = ()

    def to_json(self) -> str:
        """Return canonical JSON with the number of its format: equal inputs, plugins and seed give equal bytes."""
        values = {attribute.name: getattr(self, attribute.name) for attribute in attrs.fields(Trust)}
        return canonical_json(
            {"format": FORMAT, **{name: value for name, value in values.items() if name != "left_out" or value}}
        )


def trust_from_json(text: str) -> Trust:
    """Return what `Trust.to_json` wrote.

    Raises
    ------
    DataError
        If the text is none of this, or has a format of a later version.
    """
    converter = Converter()
    converter.register_structure_hook(float, lambda value, _: _number(value))
    try:
        record = json.loads(text)
        if record["format"] != FORMAT:
            what = f"this is format {record['format']} of a study of measures, and this version reads {FORMAT}"
            raise DataError(what, remedy="read it with the version that wrote it")
        return converter.structure(record, Trust)
    except DataError:
        raise
    except Exception as error:  # groups of errors of cattrs, or of JSON
        raise DataError("this is no study of measures", remedy="give the trust.json of 'qeframe trust'") from error


def _number(value: Any) -> float:
    return math.nan if value is None else math.inf if value == _INFINITE else float(value)
