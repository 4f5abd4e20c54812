"""Synthetic labelings of Logacheva et al. (2016): what a word-level metric must not reward.

Where precision or recall is a parameter, the counts follow from the gold and only the positions are drawn. With more
classes than OK and BAD, every class but OK is an error. Then the class that represents BAD is the most frequent error
in the gold, the first of equally frequent ones.
"""

from collections.abc import Callable
from functools import partial
from typing import Literal

import attrs
import numpy as np
from numpy.typing import NDArray

from qeframe.plugin import BoolArray, DataError, IntArray, Ragged, Tags
from qeframe.plugin.audit import Attack

__all__ = ["all_bad", "all_good", "bad_code", "optimistic", "pessimistic", "random_tags", "tag_at_random"]

_SOURCE = "Logacheva et al. (2016), WMT"
_attack = partial(Attack, kind=Tags, source=_SOURCE)
_blind = partial(_attack, manner="blind", knowledge="nothing")


def _answered(batch: Tags, tags: NDArray[np.int8]) -> Tags:
    return attrs.evolve(batch, predicted=Ragged(tags, batch.gold.offsets))


def bad_code(batch: Tags) -> int:
    """Return the number of the class BAD; without it, of the most frequent error in the gold."""
    if "BAD" in batch.classes:
        return batch.class_code("BAD")
    counts = np.bincount(batch.gold.values, minlength=len(batch.classes))
    counts[batch.class_code("OK")] = -1
    return int(counts.argmax())


def _tag_all(code: Callable[[Tags], int], batch: Tags, rng: np.random.Generator) -> Tags:
    return _answered(batch, np.full(len(batch.gold.values), code(batch), dtype=np.int8))


def _ok_code(batch: Tags) -> int:
    return batch.class_code("OK")


def _tag_bad(batch: Tags, positions: IntArray) -> Tags:
    """Return the batch with BAD at the given positions and OK elsewhere."""
    tags = np.full(len(batch.gold.values), _ok_code(batch), dtype=np.int8)
    tags[positions] = bad_code(batch)
    return _answered(batch, tags)


def _gold_bad(batch: Tags) -> BoolArray:
    """Return which tokens are errors: not OK, (tokens,)."""
    return batch.gold.values != _ok_code(batch)


def _draw(positions: IntArray, count: float, rng: np.random.Generator) -> IntArray:
    """Draw `count` of the positions, rounded; all of them if there are fewer."""
    return rng.choice(positions, min(round(count), len(positions)), replace=False, shuffle=False)


def _tag_few(precision: float, recall: float, batch: Tags, rng: np.random.Generator) -> Tags:
    bad = _gold_bad(batch)
    hits = _draw(np.flatnonzero(bad), recall * bad.sum(), rng)
    false_alarms = _draw(np.flatnonzero(~bad), len(hits) / precision - len(hits), rng)
    tags = _tag_bad(batch, false_alarms).predicted.values.copy()
    tags[hits] = batch.gold.values[hits]
    return _answered(batch, tags)


def _tag_many(bad_recall: float, ok_recall: float, batch: Tags, rng: np.random.Generator) -> Tags:
    bad = _gold_bad(batch)
    hits = _draw(np.flatnonzero(bad), bad_recall * bad.sum(), rng)
    kept = _draw(np.flatnonzero(~bad), ok_recall * (~bad).sum(), rng)
    false_alarms = ~bad
    false_alarms[kept] = False
    return _tag_bad(batch, np.concatenate([hits, np.flatnonzero(false_alarms)]))


def tag_at_random(rate: float | Literal["prior"], batch: Tags, rng: np.random.Generator) -> Tags:
    """Tag every token BAD with the given probability; "prior": every class with its share in the gold."""
    tokens = len(batch.gold.values)
    if rate != "prior":
        return _tag_bad(batch, np.flatnonzero(rng.random(tokens) < rate))
    ends = np.cumsum(np.bincount(batch.gold.values, minlength=len(batch.classes)))
    drawn = np.searchsorted(ends, rng.integers(max(tokens, 1), size=tokens), side="right")
    return _answered(batch, drawn.astype(np.int8))


def _share(owner: str, positive: bool = False, **given: float) -> None:
    """Raise a `DataError` unless every parameter is between 0 and 1."""
    for key, value in given.items():
        if not (0 <= value <= 1) or (positive and value == 0):
            raise DataError(f"{owner}: parameter {key} = {value} must be {'above 0' if positive else '0'} to 1")


all_bad = _blind(
    name="all_bad", summary="Tags every token BAD", answer=partial(_tag_all, bad_code), refutes="constant_proof"
)

all_good = _blind(
    name="all_good", summary="Tags every token OK", answer=partial(_tag_all, _ok_code), refutes="constant_proof"
)


def optimistic(*, precision: float = 0.9, recall: float = 0.1) -> Attack:
    """Tag nearly everything OK: few BAD tags, most of them right.

    Parameters
    ----------
    precision : float
        Share of the BAD tags that are right, above 0.
    recall : float
        Share of the gold BAD tokens that are found.

    Returns
    -------
    Attack
        On `Tags`. ``round(recall * B)`` of the B gold tokens that are not OK get their gold tag. As many OK tokens as
        the precision requires are tagged BAD, all of them if there are fewer. If no gold token is BAD, all are tagged
        OK.

    Raises
    ------
    DataError
        If a parameter is not between 0 and 1.

    References
    ----------
    Logacheva et al. (2016), WMT: 98 % OK, BAD precision .9, BAD recall .1.
    """
    _share("optimistic", positive=True, precision=precision)
    _share("optimistic", recall=recall)
    return _attack(
        name="optimistic",
        summary="Tags nearly everything OK: a few BAD tags, most of them right",
        manner="informed",
        knowledge="the positions and tags of some BAD tokens",
        answer=partial(_tag_few, precision, recall),
    )


def pessimistic(*, bad_recall: float = 0.9, ok_recall: float = 0.1) -> Attack:
    """Tag nearly everything BAD.

    Parameters
    ----------
    bad_recall, ok_recall : float
        Shares of the gold BAD and of the gold OK tokens that are tagged right.

    Returns
    -------
    Attack
        On `Tags`. ``round(bad_recall * B)`` of the B gold tokens that are not OK are tagged BAD, and
        ``round(ok_recall * G)`` of the G gold OK tokens OK. If the sum of both shares is at most 1, as by default, this
        is no better than tagging at random and counts as blind.

    Raises
    ------
    DataError
        If a parameter is not between 0 and 1.

    References
    ----------
    Logacheva et al. (2016), WMT: 90 % BAD, BAD recall .9, OK recall .1.
    """
    _share("pessimistic", bad_recall=bad_recall, ok_recall=ok_recall)
    as_chance = bad_recall + ok_recall <= 1 + 1e-12
    return _attack(
        name="pessimistic",
        summary="Tags nearly everything BAD; no better than chance at the paper's parameters",
        manner="blind" if as_chance else "informed",
        knowledge="nothing" if as_chance else "the positions of some OK and BAD tokens",
        answer=partial(_tag_many, bad_recall, ok_recall),
        left_out={"knowledge": "it takes exact shares of both classes from the gold, as it says"},
    )


def random_tags(*, rate: float | Literal["prior"] = "prior") -> Attack:
    """Tag every token at random, independent of its gold tag and of the other tokens.

    Parameters
    ----------
    rate : float or "prior"
        The probability of BAD; "prior": every class with its share in the gold, also with more than two classes.

    Returns
    -------
    Attack
        On `Tags`.

    Raises
    ------
    DataError
        If the rate is not between 0 and 1.

    References
    ----------
    Logacheva et al. (2016), WMT: the class prior.
    """
    if not isinstance(rate, str):
        _share("random_tags", rate=rate)
    return _blind(
        name="random_tags",
        summary="Tags every token at random, by default with the class shares of the gold",
        knowledge="the class shares of the gold" if rate == "prior" else "nothing",
        answer=partial(tag_at_random, rate),
        refutes="blind_proof",
    )
