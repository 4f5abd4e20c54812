"""The table of comparisons: every pair of submissions, the better one first."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from qeframe.core.errors import counted
from qeframe.core.findings import SIMULTANEOUS, Comparison, Entered
from qeframe.core.result import Evaluation
from qeframe.report.layouts.number_format import decimals_for, format_interval, format_number, format_p
from qeframe.report.layouts.table import Cell, Column, Strip, Table
from qeframe.report.tables.standings import standing
from qeframe.report.tables.task_columns import warning_notes

_PLAIN = "significant"
_BY = "by: which of the tests gave p, the larger of theirs; alone: the other one is undefined or was not run"
_SHARED: dict[str, Callable[[Comparison], str]] = {
    "metric": lambda c: c.metric,
    "task": lambda c: c.task,
    "test": lambda c: c.test,
    "sided": lambda c: c.sided,
}

_SCORES: Mapping[str, Callable[[Comparison], float]] = {"better": lambda c: c.score_a, "worse": lambda c: c.score_b}


def comparison_list(evaluation: Evaluation) -> Table:
    """Return the table of an evaluation's comparisons."""
    title = f"{evaluation.title or evaluation.profile}: comparisons"
    return pair_table(
        evaluation.comparisons,
        title,
        alpha=evaluation.signature.rules.get("alpha"),
        notes=[*warning_notes(evaluation), evaluation.signature.text],
        strong_means=_significant(evaluation),
    )


def entered_tables(entered: Entered, evaluation: Evaluation) -> list[Table]:
    """Return what is known of a submission that the user entered: comparisons, influential units, gains by attacks."""
    tables = [_influential_units(entered, evaluation)] if entered.influential else []
    tables += [_gains(entered)] if entered.gains else []
    if entered.comparisons:
        title = f"{entered.name}: comparisons"
        alpha = evaluation.signature.rules.get("alpha")
        tables.append(pair_table(entered.comparisons, title, alpha=alpha, strong_means=_significant(evaluation)))
    return tables


def _influential_units(entered: Entered, evaluation: Evaluation) -> Table:
    units, unit = entered.influential, entered.unit
    score = next(s for s in evaluation.submissions if s.name == entered.name).scores[evaluation.primary].value
    moves = [moved.score - score for moved in units]
    decimals = decimals_for(moves)
    several = any(moved.unit.task for moved in units)
    changing = f"{counted(entered.changing, unit)} can each be left out to change its rank: first those"
    return Table.from_columns(
        f"{entered.name}: influential {unit}s",
        [
            *([(Column("task", "left"), [Cell(moved.unit.task) for moved in units])] if several else []),
            (Column(unit, "left", key=True), [Cell(moved.unit.name) for moved in units]),
            (Column("score without it"), [Cell(f"{move:+.{decimals}f}") for move in moves]),
            (Column("rank without it"), [Cell(str(moved.rank), moved.rank != entered.rank) for moved in units]),
        ],
        notes=[
            f"score without it: the difference from {score:.6g}",
            f"{changing}, then those that move its score most"
            if entered.changing
            else f"no {unit} alone changes its rank",
        ],
        strong_means="another rank" if entered.changing else "",
    )


def _gains(entered: Entered) -> Table:
    gains = entered.gains
    decimals, of_gains = (decimals_for(getattr(gain, name) for gain in gains) for name in ("score", "gain"))
    shown = [Cell(format_number(gain.gain, of_gains), round(gain.gain, of_gains) > 0) for gain in gains]
    return Table.from_columns(
        f"{entered.name}: gains by known transformations of its answers",
        [
            (Column("attack", "left", key=True), [Cell(gain.attack) for gain in gains]),
            (Column("setting", "left"), [Cell(gain.setting) for gain in gains]),
            (Column("score"), [Cell(format_number(gain.score, decimals)) for gain in gains]),
            (Column("gain"), shown),
            (Column("rank"), [Cell(str(gain.rank)) for gain in gains]),
        ],
        notes=[
            *dict.fromkeys(f"{gain.attack}: {gain.summary}" for gain in gains),
            "no attack adds information; a setting is chosen on each half of the units, the worse of two counts",
        ],
        strong_means="better than its own answers" if any(cell.strong for cell in shown) else "",
    )


def pair_table(
    pairs: Sequence[Comparison],
    title: str,
    *,
    alpha: float | None = None,
    notes: Sequence[str] = (),
    strong_means: str = _PLAIN,
) -> Table:
    """Return one row for each comparison; properties that all share are in a note, others in columns.

    The adjusted p of a significant difference is emphasized.

    Parameters
    ----------
    pairs : sequence of Comparison
    title : str
    alpha : float, optional
        The threshold of p, from which the confidence of the intervals follows.
    notes : sequence of str
        More lines below the table, such as a signature.
    strong_means : str
        The meaning of emphasized p-values, such as the threshold and the correction. Where no pair is significant, a
        note says so by these words.
    """
    some = any(c.significant for c in pairs)
    shared = {key: {value_of(c) for c in pairs} for key, value_of in _SHARED.items()}
    strips: list[Strip] = [
        (Column("better", "left", key=True), [Cell(c.a) for c in pairs]),
        (Column("worse", "left", key=True), [Cell(c.b) for c in pairs]),
    ]
    for key, values in shared.items():
        if len(values) > 1:
            strips.append((Column(key, "left"), [Cell(_SHARED[key](c)) for c in pairs]))
    strips += _verdicts(pairs)
    common = [f"{key}: {value}" for key, values in shared.items() if len(values) == 1 for value in values if value]
    return Table.from_columns(
        title,
        strips,
        notes=[
            *([f"none is {strong_means}"] if pairs and not some and strong_means != _PLAIN else []),
            *([", ".join(common)] if common else []),
            *([_BY] if any(c.by for c in pairs) else []),
            *_interval_note(pairs, alpha),
            *_equivalence_note(pairs),
            *notes,
        ],
        strong_means=strong_means if some else "",
    )


def _interval_note(pairs: Sequence[Comparison], alpha: float | None) -> list[str]:
    """Return what the intervals of differences are, and which test they belong to where it is another one."""
    if not any(c.interval for c in pairs):
        return []
    levels = [] if alpha is None else sorted({1 - alpha * (2 if c.sided == "one" else 1) for c in pairs})
    level = f" with confidence {' or '.join(f'{100 * each:g} %' for each in levels)}" if levels else ""
    together = any(c.interval.endswith(SIMULTANEOUS) for c in pairs)
    whose_of = {(c.test, c.interval.removesuffix(SIMULTANEOUS)) for c in pairs if c.interval}
    others = sorted({whose.partition("(")[0] for test, whose in whose_of if whose != test})
    agrees = (
        "which may hold 0 where the correction finds a difference" if together else "without 0 where p is below alpha"
    )
    whose = f", by {', '.join(others)}, which need not agree with p" if others else f", {agrees}"
    of = "the differences of all pairs together" if together else "the difference of the pair alone"
    return [f"interval: of {of}{level}{whose}"]


def _verdicts(pairs: Sequence[Comparison]) -> list[Strip]:
    precision = {m: decimals_for(c.difference for c in pairs if c.metric == m) for m in {c.metric for c in pairs}}
    scores = {m: decimals_for(s for c in pairs if c.metric == m for s in (c.score_a, c.score_b)) for m in precision}
    ends = [Cell(format_interval(c.low, c.high, precision[c.metric])) for c in pairs]
    return [
        *(
            (Column(f"score of {which}"), [Cell(format_number(score(c), scores[c.metric])) for c in pairs])
            for which, score in _SCORES.items()
            if not all(math.isnan(score(c)) for c in pairs)
        ),
        (Column("difference"), [Cell(format_number(c.difference, precision[c.metric])) for c in pairs]),
        *([(Column("interval"), ends)] if any(cell.text for cell in ends) else []),
        (Column("p"), [Cell(format_p(c.p)) for c in pairs]),
        *([(Column("by", "left"), [Cell(c.by) for c in pairs])] if any(c.by for c in pairs) else []),
        (Column("adjusted p"), [Cell(format_p(c.p_adjusted), c.significant) for c in pairs]),
        *_equivalences(pairs, precision),
    ]


def _equivalences(pairs: Sequence[Comparison], precision: Mapping[str, int]) -> Iterator[Strip]:
    """Yield the columns of equivalence, if it was asked for: the interval of the difference, and the verdict."""
    tested = [c.equivalence for c in pairs]
    if not any(tested):
        return
    ends = [
        format_interval(result.low, result.high, precision[c.metric]) if result else ""
        for c, result in zip(pairs, tested, strict=True)
    ]
    yield Column("equivalence interval"), [Cell(text) for text in ends]
    yield Column("equivalence p"), [Cell(format_p(result.p_adjusted) if result else "") for result in tested]
    yield Column("verdict", "left"), [Cell(result.verdict if result else "") for result in tested]


def _equivalence_note(pairs: Sequence[Comparison]) -> list[str]:
    deltas = sorted({c.equivalence.delta for c in pairs if c.equivalence})
    if not deltas:
        return []
    tests = sorted({c.test.partition("(")[0] for c in pairs if c.equivalence})
    of_test = f" by {', '.join(tests)}" + ("" if tests == ["jackknife"] else ", which need not agree with the interval")
    return [
        f"equivalent: the difference is smaller than {', '.join(f'{delta:g}' for delta in deltas)} by two one-sided "
        "jackknife tests, whose p the correction adjusts without joint draws (their interval: of the pair alone, with "
        f"confidence 1 - 2 alpha); different: significant{of_test}, and not shown to be that small"
    ]


def _significant(evaluation: Evaluation) -> str:
    rules = evaluation.signature.rules
    at = f" at alpha = {rules['alpha']:g}" if "alpha" in rules else ""
    return f"significant{at}, correction {rules.get('correction', 'none')}"


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
    beaten, better, others = _standing(entered)
    rest = f"no difference from {_listed(others)} was found" if others else "it differs significantly from all"
    return f"It beats {_listed(beaten)} and is beaten by {_listed(better)}; {rest}."


def _standing(entered: Entered, task: str = "") -> tuple[list[str], list[str], list[str]]:
    return standing(entered.name, [pair for pair in entered.comparisons if pair.task == task])


def _in_task(entered: Entered, task: str) -> str:
    beaten, better, others = _standing(entered, task)
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
