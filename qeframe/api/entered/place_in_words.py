"""Sentences on the place of a submission that the user entered."""

import math
from collections.abc import Iterator, Sequence

from qeframe.core.errors import counted
from qeframe.core.pair import Entered

_MOST_NAMES = 8
"""The names that a sentence lists."""
_LEAST_GAIN = 0.0005
"""A smaller gain does not show in scores of three decimals."""


def place_in_words(entered: Entered) -> tuple[str, ...]:
    """Return what a result says of a submission that was entered alone among the others.

    Parameters
    ----------
    entered : Entered
        Of ``entered`` of an evaluation.

    Returns
    -------
    tuple of str
        First a text of two sentences, its rank and whom it beats, with one more on single tasks if there are several.
        Then, where there is something to say, a sentence each on its place by valid rules, on influential units, and on
        gains by known transformations.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate(
    ...     "qe_sentence", tasks, enter={"mine": [1, 2, 4, 5]}, settings=["test=", "interval="]
    ... )
    >>> qeframe.place_in_words(evaluation.entered[0])[0]
    'mine takes rank 1 of 3; no difference was tested.'
    """
    return (" ".join(_place(entered)), *_rest(entered))


def _place(entered: Entered) -> Iterator[str]:
    if entered.absent:
        yield f"{entered.name} is not in {', '.join(entered.absent)}, so that it is listed apart over all tasks."
    else:
        tested = any(not math.isnan(pair.p) for pair in entered.comparisons if not pair.task)
        place = f"{entered.name} takes rank {entered.rank} of {entered.of + 1}"
        yield f"{place}{_ranks_in_words(entered.rank_set)}." if tested else f"{place}; no difference was tested."
        if tested:
            yield _told_apart(entered)
    if tasks := entered.ranks or dict.fromkeys(pair.task for pair in entered.comparisons if pair.task):
        yield f"By part: {'; '.join(_in_task(entered, task) for task in tasks)}."


def _told_apart(entered: Entered) -> str:
    beaten, better, others = entered.standing()
    rest = f"no difference from {_listed(others)} was found" if others else "it was told apart from all"
    return f"It beats {_listed(beaten)} and is beaten by {_listed(better)}; {rest}."


def _in_task(entered: Entered, task: str) -> str:
    beaten, better, others = entered.standing(task)
    rank = [f"rank {entered.ranks[task]}"] if task in entered.ranks else []
    counts = [f"beats {len(beaten)}", f"is beaten by {len(better)}"] if beaten or better or others else []
    return f"{task} {', '.join([*rank, *counts])}"


def _rest(entered: Entered) -> Iterator[str]:
    if (valid := entered.valid) is not None:
        rules = f"{valid.test}, {valid.sided}-sided, correction {valid.correction}"
        counts = f"beats {len(valid.beats)} and is beaten by {len(valid.beaten_by)}"
        ranks = _ranks_in_words(valid.rank_set)
        yield f"By rules that limit the chance of a false claim ({rules}) it {counts}{ranks}."
    if entered.influential:
        first = entered.influential[0]
        name = f"{entered.unit} {first.unit.name}{f' of {first.unit.task}' if first.unit.task else ''}"
        several = f"any one of {counted(entered.changing, entered.unit)}, such as {name},"
        without = name if entered.changing == 1 else several
        none = f"No single {entered.unit} changes its rank; without {name}, which moves its score most, the score is"
        changed = f"Without {without} it would take another rank ({first.rank})."
        yield changed if entered.changing else f"{none} {first.score:.6g}."
    if entered.gains:
        best = entered.gains[0]
        way = f"{best.attack}, {best.setting}" if best.setting else best.attack
        tried = f"{len(entered.gains)} known transformations of its answers"
        if best.gain > 0 and best.rank != entered.rank:
            yield f"By one of {tried} ({way}) it would gain {best.gain:.3g} and take rank {best.rank}."
        else:
            keeps = "would change its rank" if best.gain > 0 else "would gain anything"
            most = f"; the largest gain is {best.gain:.3g} ({way})" if best.gain >= _LEAST_GAIN else ""
            yield f"None of {tried}, which add no information, {keeps}{most}."


def _ranks_in_words(rank_set: tuple[int, int] | None) -> str:
    if rank_set is None:
        return ""
    first, last = rank_set
    return f"; by the tests its rank is {first}" + (f" to {last}" if last > first else "")


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{len(names)} ({', '.join(names[:_MOST_NAMES])}{more})" if names else "none"
