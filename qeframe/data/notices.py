"""What a submission is, seen from its answers (a copy, constant but for few, shifted, its sign turned) and its name.

Each notice is a warning with its figures. None changes a number.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from qeframe.core.batch import Batch, FloatArray
from qeframe.core.errors import code_point, counted
from qeframe.core.ragged import Ragged
from qeframe.core.task import Task

_LEAST = 20
"""Fewer units can be equal, constant or in order by chance."""

_FEW = 2
"""So many answers that differ from all others are few: a score hangs on them."""

_LAGS = (-3, -2, -1, 1, 2, 3)
"""By how many units answers may be shifted."""

_ERRORS = 6.0
"""How many standard errors of Fisher's z a correlation must be from another one: .19 of 1,000 units."""

_PERFECT = 1.0 - 1e-12
"""The largest correlation that has a z."""

_SAME = 1e-9
"""How far from 1 the correlation of equal answers on two scales may be: their digits are rounded."""

_NEAR = 1e-4
"""How far apart the correlations of such answers with the gold can be."""

_FAR = 0.15
"""How far in Fisher's z it must be at least, for any number of units."""


_LATIN = str.maketrans(
    "АаВЕеЅѕІіЈјКкМНОоРрСсТтУуХхһԁԛԝԌΑΒΕΖΗΙΚΜΝΟοΡΤΥΧαινρυı", "AaBEeSsIiJjKkMHOoPpCcTtYyXxhdqwGABEZHIKMNOoPTYXaivpui"
)
"""Cyrillic and Greek letters, and others, that look like Latin ones in most fonts."""


@frozen(eq=False)
class _Answers:
    """The answers of a submission, and the gold, as arrays.

    `answers`, `gold`: all values of a side, flat; None where a kind has none of its own.
    """

    name: str
    batch: Batch
    answers: Any
    gold: Any


def on_answers(tasks: Sequence[Task], names: Sequence[str], *, signs: bool) -> Iterator[str]:
    """Yield what readers say, what is to be said of the gold, of `names` that look alike, and of answers.

    `signs`: as in `notices`.
    """
    yield from (f"{task.name}: {remark}" for task in tasks for remark in task.remarks)
    of_gold = ((task.name, next(iter(task.batches.values())).gold_warning()) for task in tasks)
    yield from (f"{name}: {warning}" for name, warning in of_gold if warning)
    yield from on_look_alike_names(names)
    yield from notices(tasks, signs=signs)


def notices(tasks: Iterable[Task], *, signs: bool = True) -> Iterator[str]:
    """Yield what is remarkable about the answers of submissions, for each task.

    `signs`: whether signs are looked at: not where a metric on vectors does it.
    """
    for task in tasks:
        if task.units >= _LEAST and task.has_gold:
            of_task = [
                _Answers(submission.name, batch, _flat_values(batch, "predicted"), _flat_values(batch, "gold"))
                for submission, batch in task.batches.items()
            ]
            for check in _CHECKS if signs else _CHECKS[:-1]:
                yield from (f"{task.name}: {notice}" for notice in check(of_task))


def _looks(name: str) -> str:
    """Return what a reader sees of a name: without case, blanks, invisible characters, and one form of each letter."""
    shown = (c for c in unicodedata.normalize("NFKC", name).translate(_LATIN) if unicodedata.category(c)[0] not in "ZC")
    return "".join("-" if unicodedata.category(c) == "Pd" else c for c in shown).casefold()


def on_look_alike_names(names: Sequence[str]) -> Iterator[str]:
    """Yield the names that look the same, or differ in case or blanks only, with the characters that differ."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(_looks(name), name)
        if other == name:
            continue
        both = zip_longest(other, name, fillvalue="")
        at, (first, second) = next((at, pair) for at, pair in enumerate(both) if pair[0] != pair[1])
        yield (
            f"the names '{other}' and '{name}' look alike, or differ in case or blanks only: character {at + 1} is "
            f"{_named(first)} in one and {_named(second)} in the other; check that they are two submissions, nothing "
            "was renamed"
        )


def _named(character: str) -> str:
    return code_point(character) if character else "not there"


def _constant(of_task: Sequence[_Answers]) -> Iterator[str]:
    for side in of_task:
        units = counted(len(side.batch), side.batch.unit)
        if _is_constant(side):
            what = f"has one answer for all, {_shown(side.answers.flat[0])}" if side.answers.size else "marks nothing"
            yield f"{side.name} is constant: it {what} ({units})"
        elif _is_numeric(side.answers):
            usual = np.median(side.answers)
            few = int((side.answers != usual).sum())
            if few <= _FEW:
                yield (
                    f"{side.name} is almost constant: all but {few} of {counted(len(side.answers), 'value')} equal "
                    f"{_shown(usual)}; its score, intervals and tests depend on these few"
                )


def _equal_to_gold(of_task: Sequence[_Answers]) -> Iterator[str]:
    for side in of_task:
        if not _is_constant(side) and _equals_gold(side):
            yield f"{side.name} equals the gold in all {counted(len(side.answers), 'value')}"


def _equal_to_another(of_task: Sequence[_Answers]) -> Iterator[str]:
    by_digest: dict[bytes, list[_Answers]] = {}
    for side in of_task:
        if side.answers is not None and not _is_constant(side):
            by_digest.setdefault(_digest(side.batch), []).append(side)
    for alike in by_digest.values():
        if len(alike) > 1:
            first, *others = (submission.name for submission in alike)
            verb = "equal" if len(others) > 1 else "equals"
            yield f"{', '.join(others)} {verb} {first} in all {counted(len(alike[0].answers), 'value')}"


def _on_another_scale(of_task: Sequence[_Answers]) -> Iterator[str]:
    """Yield the submissions that are the gold, or another submission, times a factor plus a constant."""
    kept: list[tuple[float, _Answers]] = []
    for name, r in _with_gold(of_task).items():
        side = next(submission for submission in of_task if submission.name == name)
        values = counted(len(side.answers), "value")
        if abs(r) > 1 - _SAME:
            if not _equals_gold(side):
                yield f"{name} is the gold on another scale: their correlation is {r:.0f} to rounding in {values}"
        elif not np.isnan(r):
            near = (other for size, other in kept if abs(size - abs(r)) < _NEAR)
            alike = (other for other in near if len(other.answers) == len(side.answers))
            first = next((o for o in alike if abs(_correlation(side.answers, o.answers)) > 1 - _SAME), None)
            if first is None:
                kept.append((abs(r), side))
            elif not (side.answers == first.answers).all():
                r = _correlation(side.answers, first.answers)
                yield f"{name} is {first.name} on another scale: their correlation is {r:.0f} to rounding in {values}"


def _shifted(of_task: Sequence[_Answers]) -> Iterator[str]:
    for side in of_task:
        gold, answers = _by_unit(side.batch, "gold"), _by_unit(side.batch, "predicted")
        if gold is None or answers is None or _is_constant(side):
            continue
        here = _correlation(gold, answers)
        at = {lag: _correlation(gold[max(0, -lag) : len(gold) - max(0, lag)], _moved(answers, lag)) for lag in _LAGS}
        lag = max(at, key=lambda lag: abs(np.nan_to_num(at[lag])))
        if _is_far(abs(at[lag]), abs(np.nan_to_num(here)), len(gold)):
            yield (
                f"{side.name} looks shifted by {counted(abs(lag), side.batch.unit)}: its correlation with the gold is "
                f"{at[lag]:.2f} there and {here:.2f} in place; check its order"
            )


def _turned(of_task: Sequence[_Answers]) -> Iterator[str]:
    """Yield the submissions whose correlations with the gold are negative where those of others are positive."""
    correlations, units = _with_gold(of_task), max((len(entry.batch) for entry in of_task), default=0)
    for name, r in correlations.items():
        others = [other for another, other in correlations.items() if another != name and not np.isnan(other)]
        if others and np.median(others) > _FAR and _is_far(-r, 0.0, units):
            yield (
                f"{name} may have the wrong sign: its correlation with the gold is {r:.2f}, the median of the "
                f"others is {np.median(others):.2f}; check the sign of its answers"
            )


def _with_gold(of_task: Sequence[_Answers]) -> dict[str, float]:
    """Return the correlation with the gold of each submission of numbers; NaN for a constant."""
    return {
        entry.name: _correlation(entry.gold, entry.answers)
        for entry in of_task
        if _is_numeric(entry.gold) and _is_numeric(entry.answers) and len(entry.gold) == len(entry.answers)
    }


_CHECKS: Sequence[Callable[[Sequence[_Answers]], Iterator[str]]] = (
    _constant,
    _equal_to_gold,
    _equal_to_another,
    _on_another_scale,
    _shifted,
    _turned,
)
"""What is looked for, the sign last."""


def _is_far(r: float, other: float, units: int) -> bool:
    """Return whether a correlation is far above another one, in Fisher's z."""
    z, base = (np.arctanh(np.clip(value, -_PERFECT, _PERFECT)) for value in (r, other))
    return bool(z - base > max(_FAR, _ERRORS / np.sqrt(max(1, units - 3))))


def _is_constant(submission: _Answers) -> bool:
    answers = submission.answers
    return answers is not None and (answers.size == 0 or bool((answers == answers.flat[0]).all()))


def _equals_gold(submission: _Answers) -> bool:
    answers, gold = submission.answers, submission.gold
    if answers is None or gold is None or answers.shape != gold.shape or not (answers == gold).all():
        return False
    sides = [getattr(submission.batch, side) for side in ("gold", "predicted")]
    lengths = [side.lengths if isinstance(side, Ragged) else 1 for side in sides]
    return bool(np.all(lengths[0] == lengths[1]))


def _is_numeric(values: Any) -> bool:
    """Return whether values are an array of numbers, one beside the other."""
    return isinstance(values, np.ndarray) and values.dtype.kind in "fiu" and values.ndim == 1


def _flat_values(batch: Batch, side: str) -> Any:
    """Return all values of a side, in the cells that both sides have; None if the kind has no such side."""
    values = getattr(batch, side, None)
    if isinstance(values, Ragged):
        return values.values
    if batch.crossed and values is not None:
        return np.asarray(values)[batch.present]
    return values


def _digest(batch: Batch) -> bytes:
    """Return a hash of all answers and of their division into units; 0 and -0 are equal."""
    values: Any = getattr(batch, "predicted", None)
    flat = np.asarray(_flat_values(batch, "predicted"))
    digest = hashlib.sha256(
        "\0".join(map(str, flat)).encode() if flat.dtype.kind in "OU" else (flat + 0.0).astype(np.float64).tobytes()
    )
    if isinstance(values, Ragged):
        for name in sorted({field.name for field in attrs.fields(type(values))} - {"values", "texts"}):
            digest.update(np.asarray(getattr(values, name)).tobytes())
    if batch.crossed:
        digest.update(batch.present.tobytes())
    return digest.digest()


def _by_unit(batch: Batch, side: str) -> FloatArray | None:
    """Return one number for each unit: a mean, or how much is marked or written; None if the kind has no such side."""
    values = getattr(batch, side, None)
    if isinstance(values, Ragged):
        numbers = values.values
        if numbers.dtype.kind in "OU":
            return None
        sizes = (numbers[:, 1] - numbers[:, 0]) if numbers.ndim > 1 else numbers
        sums = np.add.reduceat(np.append(sizes, 0).astype(np.float64), values.offsets[:-1])
        sums[values.lengths == 0] = 0.0
        return np.asarray(sums / np.maximum(1, values.lengths) if numbers.ndim == 1 else sums)
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiu":
        return None
    if not batch.crossed:
        return values.astype(np.float64) if values.ndim == 1 else None
    present = batch.present
    return np.asarray(np.where(present, values, 0.0).sum(axis=1) / np.maximum(1, present.sum(axis=1)))


def _moved(answers: FloatArray, lag: int) -> FloatArray:
    return answers[lag:] if lag > 0 else answers[:lag]


def _correlation(a: FloatArray, b: FloatArray) -> float:
    """Return Pearson's correlation; NaN if a side is constant."""
    a, b = a - np.mean(a), b - np.mean(b)
    scale = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / scale) if scale > 0 else np.nan


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, (int, float, np.number)) else repr(str(value)[:40])
