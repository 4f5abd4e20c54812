"""What a supplement returns: a value for each pair, more details of each score, or one value of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from qeframe.core.batches.base import BoolArray
from qeframe.core.components.checks.work import at_work, failure_of, full_name
from qeframe.core.components.component import Component, is_foreign
from qeframe.core.components.supplement import PairRules, Supplement, SupplementInput, TaskScores
from qeframe.core.returned import StatisticError, WrongReturnError, describe

if TYPE_CHECKING:
    from qeframe.core.evaluation.contest import Contest


@contextmanager
def _at_work(supplement: Supplement, where: str, metric: Component | None = None) -> Iterator[None]:
    """Run code of a supplement; the failure of a statistic is named as that of the metric."""
    with at_work(supplement, where, watched=is_foreign(supplement)):
        try:
            yield
        except StatisticError as error:
            if metric is None:
                raise
            cause = error.cause
            raise failure_of(full_name(metric), "score", cause) from cause


def values_of_pairs(supplement: Supplement, contest: Contest, significant: BoolArray, rules: PairRules) -> list[Any]:
    """Return the value of every pair."""
    assert supplement.of_pairs is not None
    with _at_work(supplement, "of_pairs"):
        values = supplement.of_pairs(contest, significant, rules)
        return [
            _checked(supplement, "of_pairs", value) for value in _each(values, len(significant), "of_pairs", "pair")
        ]


def more_details(supplement: Supplement, scores: TaskScores, metric: Component) -> list[Mapping[str, Any]]:
    """Return more details of the score of every submission."""
    assert supplement.of_scores is not None
    with _at_work(supplement, "of_scores", metric):
        details = _each(supplement.of_scores(scores), len(scores.contest.oriented), "of_scores", "submission")
        for detail in details:
            if not (isinstance(detail, Mapping) and _is_plain(detail)):
                raise WrongReturnError("of_scores", describe(detail), "a mapping to values of JSON for each submission")
        return list(details)


def value_of_evaluation(supplement: Supplement, given: SupplementInput) -> Any:
    """Return the value of an evaluation."""
    assert supplement.of_evaluation is not None
    with _at_work(supplement, "of_evaluation"):
        return _checked(supplement, "of_evaluation", supplement.of_evaluation(given))


def tables(supplement: Supplement, value: Any, evaluation: Any, kind: type) -> list[Any]:
    """Return the tables of a supplement, which are of a class; none where it has none."""
    if supplement.tables is None:
        return []
    with _at_work(supplement, "tables"):
        returned = supplement.tables(value, evaluation)
        if not isinstance(returned, Sequence) or not all(isinstance(table, kind) for table in returned):
            raise WrongReturnError("tables", describe(returned), f"a sequence of {kind.__name__}")
        return list(returned)


def _each(values: Any, count: int, where: str, what: str) -> Sequence[Any]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise WrongReturnError(where, describe(values), f"a sequence with one value for each {what}")
    if len(values) != count:
        raise WrongReturnError(where, f"{len(values)} values", f"{count}, one for each {what}")
    return values


def _checked(supplement: Supplement, where: str, value: Any) -> Any:
    if supplement.value is not None and not isinstance(value, supplement.value):
        raise WrongReturnError(where, describe(value), f"a {supplement.value.__name__}")
    if not _is_plain(value):
        raise WrongReturnError(where, describe(value), "values that JSON has")
    return value


def _is_plain(value: Any) -> bool:
    """Return whether a value can be written as JSON: numbers, texts, arrays, and frozen values and tables of such."""
    match value:
        case str() | int() | float() | None:
            return True
        case Mapping():
            return all(map(_is_plain, value.values()))
        case np.ndarray() | np.generic():
            return value.dtype.kind in "biufU"
        case list() | tuple() | set() | frozenset():
            return all(map(_is_plain, value))
    return attrs.has(type(value)) and all(_is_plain(getattr(value, a.name)) for a in attrs.fields(type(value)))
