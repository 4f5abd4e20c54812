"""The tables of the gaming audit: metrics by attacks, the attacks on one metric, claims, and gains."""

import math
from collections.abc import Callable, Iterator, Sequence

from qeframe.core.display import beginning_of
from qeframe.core.metric import CLAIMS
from qeframe.gaming.audit import Audit, AuditedMetric
from qeframe.gaming.indices import ASKED, Attacked
from qeframe.gaming.winner import Gain, Gains
from qeframe.report.layouts.number_format import UNDEFINED, format_number
from qeframe.report.layouts.table import Cell, Column, Table

_STRONG = 0.05
"""The smallest index that is emphasized."""
_SAME = 1e-9
"""An index up to this is equal to that of the honest submission."""
MEANING = f"a blind or cosmetic index of {_STRONG} or more"
_NOTES = (
    "index: (attack - base) / (perfect - base); 0 is the base, 1 a perfect score; base: honest chance, or the honest "
    "submission that a cosmetic attack changes",
    "gaming: the gaming index, which is the largest index of a blind (b) or cosmetic (c) attack, at least 0; informed "
    "(i) attacks and selection (s) do not count",
)
_NOT_DETERMINED = "n.d."
_NOTE_NOT_DETERMINED = f"{_NOT_DETERMINED}: not determined, since the error is above {ASKED} with all golds drawn"
_NOTE_INTERVAL = "low, high: 95 % interval of the largest index, which holds for all attacks on the metric at once"
_NOTE_GOLDS = "golds: on how many golds the attack was tried"
_NOTE_RANK = "rank: that of the attack among the real submissions"
_NOTE_PLACES = (
    "place: from the first to the last possible one, 1 is the safest; metrics whose intervals overlap share places"
)
_NOTE_VERDICT = (
    f"verdict: can be gamed if the whole interval is at {_STRONG} or above, resists if it is below, unsure if it has "
    f"{_STRONG} in it"
)


def groups_by_attacks(audit: Audit) -> list[list[AuditedMetric]]:
    """Return the metrics in groups with the same attacks, in order of appearance."""
    groups: dict[tuple[str, ...], list[AuditedMetric]] = {}
    for metric in audit.metrics:
        groups.setdefault(tuple(attacked.attack for attacked in metric.attacks), []).append(metric)
    return list(groups.values())


def index_cell(value: float, *, counts: bool = True, determined: bool = True, decimals: int = 2) -> Cell:
    """Return an index, emphasized if it is large and counts."""
    if not determined:
        return Cell(_NOT_DETERMINED)
    return Cell(format_number(value, decimals), counts and not math.isnan(value) and value >= _STRONG)


def placed_metrics(audit: Audit) -> list[tuple[str, AuditedMetric]]:
    """Return the metrics with their places, the safest first.

    A place is a range: first and last possible one, by the metrics whose intervals are entirely above or below. Metrics
    with the same place are in alphabetical order. Those that are not determined have no place and come last, then those
    without an index.
    """
    measured = [m for m in audit.metrics if not math.isnan(m.gaming_index) and m.determined]
    intervals = [m.interval for m in measured]
    places = [
        (1 + sum(high < mine[0] for _, high in intervals), len(measured) - sum(low > mine[1] for low, _ in intervals))
        for mine in intervals
    ]
    ordered = sorted(zip(places, measured, strict=True), key=lambda placed: (placed[0], placed[1].metric))
    rest = sorted((m for m in audit.metrics if m not in measured), key=lambda m: (math.isnan(m.gaming_index), m.metric))
    shown = [(str(first) if first == last else f"{first}-{last}", metric) for (first, last), metric in ordered]
    return [*shown, *(("", metric) for metric in rest)]


def _verdict(metric: AuditedMetric) -> str:
    low, high = metric.interval
    if math.isnan(metric.gaming_index) or not metric.determined:
        return ""
    return "can be gamed" if low >= _STRONG else "resists" if high < _STRONG else "unsure"


def audit_summary(audit: Audit, title: str = "Which metrics can you trust?") -> Table:
    """Return a row for each metric, the safest first: its verdict, its gaming index, and the attack that reaches it."""
    placed = placed_metrics(audit)
    metrics = [metric for _, metric in placed]
    determined = all(metric.determined for metric in metrics)
    columns = [
        *([(Column("place"), [Cell(place) for place, _ in placed])] if len(placed) > 1 else []),
        (Column("metric", "left", key=True), [Cell(metric.metric) for metric in metrics]),
        (Column("verdict", "left"), [Cell(_verdict(metric)) for metric in metrics]),
        (Column("gaming"), [index_cell(metric.gaming_index, determined=metric.determined) for metric in metrics]),
        (Column("low"), [Cell(format_number(metric.low, 3)) for metric in metrics]),
        (Column("high"), [Cell(format_number(metric.high, 3)) for metric in metrics]),
        (Column("best attack", "left"), [Cell(_worst(metric, lambda a: a.name)) for metric in metrics]),
        (Column("kind", "left"), [Cell(_worst(metric, lambda a: a.kind)) for metric in metrics]),
        (Column("golds"), [Cell(_worst(metric, lambda a: str(a.golds))) for metric in metrics]),
        *([(Column("rank"), [Cell(_worst(m, lambda a: str(a.rank))) for m in metrics])] if _ranked(audit) else []),
    ]
    worst = {metric.worst.attack: metric.worst.summary for metric in metrics if metric.worst}
    notes = [_NOTE_VERDICT, *(f"{attack}: {does}" for attack, does in worst.items() if does), *_NOTES, _NOTE_INTERVAL]
    notes += [_NOTE_GOLDS, *([_NOTE_RANK] if _ranked(audit) else []), *([_NOTE_PLACES] if len(placed) > 1 else [])]
    notes += [] if determined else [_NOTE_NOT_DETERMINED]
    return Table.from_columns(title, columns, notes=[*notes, *_golds(audit)], strong_means=MEANING)


def _worst(metric: AuditedMetric, text: Callable[[Attacked], str]) -> str:
    return text(metric.worst) if metric.worst else ""


def _golds(audit: Audit) -> Iterator[str]:
    for name, description in audit.gold["sets"].items():
        yield f"{name}: {description}" if name not in description else description
    yield f"seed {audit.gold['seed']}"


def _ranked(audit: Audit) -> bool:
    return any(attacked.rank is not None for metric in audit.metrics for attacked in metric.attacks)


def audit_tables(audit: Audit) -> list[Table]:
    """Return the matrices of metrics by attacks, one for each group of metrics with the same attacks."""
    tables, groups = [], [group for group in groups_by_attacks(audit) if group[0].attacks]
    for group in groups:
        several = f" of {group[0].metric}{f' and {len(group) - 1} more' if len(group) > 1 else ''}"
        tables.append(_matrix(group, f"Gaming indices{several if len(groups) > 1 else ''}"))
        if _ranked(audit):
            tables.append(_ranks(group))
    return tables


def _heading(attacked: Attacked) -> str:
    return f"{attacked.attack} ({attacked.kind[0]})"


def _matrix(group: Sequence[AuditedMetric], title: str) -> Table:
    columns = [
        (Column("metric", "left", key=True), [Cell(metric.metric) for metric in group]),
        (Column("gaming"), [index_cell(metric.gaming_index, determined=metric.determined) for metric in group]),
    ]
    for position, attacked in enumerate(group[0].attacks):
        cells = [
            index_cell(attack.index, counts=attack.counts, determined=attack.determined)
            for attack in (metric.attacks[position] for metric in group)
        ]
        columns.append((Column(_heading(attacked)), cells))
    unknown = not all(m.determined and all(a.determined for a in m.attacks) for m in group)
    return Table.from_columns(title, columns, notes=[_NOTE_NOT_DETERMINED] if unknown else [], strong_means=MEANING)


def _ranks(group: Sequence[AuditedMetric]) -> Table:
    columns = [(Column("metric", "left", key=True), [Cell(metric.metric) for metric in group])]
    for position, attacked in enumerate(group[0].attacks):
        columns.append((Column(_heading(attacked)), [_rank(metric.attacks[position]) for metric in group]))
    return Table.from_columns("Ranks", columns, notes=[_NOTE_RANK], strong_means="above all real submissions")


def _rank(attacked: Attacked) -> Cell:
    return Cell(str(attacked.rank), attacked.rank == 1 and attacked.counts and attacked.index > _SAME)


def attack_table(metric: AuditedMetric) -> Table:
    """Return a row for each attack on one metric, the most successful first."""
    attacks = sorted(metric.attacks, key=lambda a: (not a.counts, math.isnan(a.index), -a.index))
    ranked = any(attacked.rank is not None for attacked in attacks)
    has_undefined = any(attacked.undefined > 0 for attacked in attacks)
    columns = [
        (Column("attack", "left", key=True), [Cell(a.name) for a in attacks]),
        (Column("kind", "left"), [Cell(a.kind) for a in attacks]),
        (Column("score"), [Cell(format_number(a.score, 3)) for a in attacks]),
        (Column("base"), [Cell(format_number(a.base, 3)) for a in attacks]),
        (Column("perfect"), [Cell(format_number(a.perfect, 3)) for a in attacks]),
        # with the decimals of the error, and of the gaming index in the title
        (Column("index"), [index_cell(a.index, counts=a.counts, determined=a.determined, decimals=3) for a in attacks]),
        (Column("error"), [Cell(format_number(a.error, 3)) for a in attacks]),
        (Column("golds"), [Cell(str(a.golds)) for a in attacks]),
        *([(Column("rank"), [Cell(str(a.rank)) for a in attacks])] if ranked else []),
        *([(Column("undefined"), [Cell(f"{a.undefined:.0%}") for a in attacks])] if has_undefined else []),
        (Column("knows", "left"), [Cell(a.knowledge) for a in attacks]),
    ]
    notes = [
        *_NOTES,
        _NOTE_GOLDS,
        *([_NOTE_RANK] if ranked else []),
        *(["the gaming index counts the finds of the search too"] if metric.finds else []),
        *([] if all(a.determined for a in attacks) else [_NOTE_NOT_DETERMINED]),
        *(["undefined: share of units or groups whose score is undefined under the attack"] if has_undefined else []),
    ]
    return Table.from_columns(f"{metric.metric}: {_gaming_of(metric)}", columns, notes=notes, strong_means=MEANING)


def _gaming_of(metric: AuditedMetric) -> str:
    """Return the gaming index of a metric in words."""
    if math.isnan(metric.gaming_index):
        return f"gaming index {UNDEFINED}"
    if not metric.determined:
        return "gaming index not determined"
    interval = f", 95 % interval {format_number(metric.low, 3)} to {format_number(metric.high, 3)}"
    return f"gaming index {format_number(metric.gaming_index, 3)}{'' if math.isnan(metric.low) else interval}"


_VERDICTS = {
    (True, True): "kept",
    (True, False): "BROKEN",
    (True, None): "claimed",
    (False, True): "(kept)",
    (False, False): "no",
    (False, None): "",
}


_MEANINGS = {
    "kept": "claimed, no counterexample was found",
    "(kept)": "not claimed, though none was found",
    "no": "not claimed, refuted",
    "claimed": "the metric claims it, not tried",
}
_REFUTED = "claimed, refuted by a counterexample or an attack"


def claims_table(audit: Audit) -> Table:
    """Return a row for each metric with the verdict on each claim.

    If no claim was searched for counterexamples, since the program for that is not installed or the search was not
    wanted, the title says so: only an attack can then refute a claim, and none is shown as kept.
    """
    verdicts = {m.metric: {c["claim"]: _VERDICTS[c["claimed"], c["holds"]] for c in m.claims} for m in audit.metrics}
    shown = [claim for claim in CLAIMS if any(by_claim.get(claim) for by_claim in verdicts.values())]
    columns = [(Column("metric", "left", key=True), [Cell(name) for name in verdicts])]
    columns += [
        (Column(c, "left"), [Cell(v.get(c, ""), v.get(c) == "BROKEN") for v in verdicts.values()]) for c in shown
    ]
    verdicts_found = {verdict for by_claim in verdicts.values() for verdict in by_claim.values()}
    was_searched = any(claim["tries"] or claim["exact"] for m in audit.metrics for claim in m.claims)
    notes = ["; ".join(f"{verdict}: {_MEANINGS[verdict]}" for verdict in _MEANINGS if verdict in verdicts_found)]
    notes += ["empty: the claim says nothing about such a metric"] if was_searched else []
    title = "Claims" if was_searched else "Claims, not searched for counterexamples"
    return Table.from_columns(title, columns, notes=list(filter(None, notes)), strong_means=_REFUTED)


def counterexample_lines(metric: AuditedMetric) -> list[str]:
    """Return one line for each claim that does not hold, with the smallest example; of long values the first few."""
    lines = []
    claimed = {claim["claim"] for claim in metric.claims if claim["claimed"]}
    for case in metric.counterexamples:
        broken = " (CLAIMED)" if case["claim"] in claimed else ""
        values = case["counterexample"].items()
        shown = [f"{name} {beginning_of(value, str)}" for name, value in values if name not in _OF_ATTACKS]
        example = f" [{', '.join(shown)}]" if shown else ""
        lines.append(f"{metric.metric} is not {case['claim']}{broken}: {case['what']}{example}. {case['exploit']}")
    return lines


_OF_ATTACKS = ("attack", "setting", "index", "error")
"""Details of an attack that refutes a claim; the sentence before them has them already."""


_CLEAR = 2.0
"""A gain is emphasized if it is above so many standard errors."""


def gain_tables(gains: Gains) -> list[Table]:
    """Return a table for each metric and task: a row for each submission, five columns for each attack."""
    parts: dict[tuple[str, str], list[Gain]] = {}
    for gain in gains.gains:
        parts.setdefault((gain.metric, gain.task), []).append(gain)
    notes = [
        "gain: the score with the attack minus the score without it, on the same units; above 0 is better",
        "setting: chosen on one half of the units and scored on the other; error: the standard error of the gain",
        "index: the gain divided by what is missing to a perfect score",
        "rank: among all submissions; rank after: if this submission alone attacked",
        *(f"{name}: {text}" if name not in text else text for name, text in gains.gold["sets"].items()),
        f"seed {gains.gold['seed']}",
    ]
    return [_table(f"{metric} on {task}", rows, notes) for (metric, task), rows in parts.items()]


def _table(title: str, rows: Sequence[Gain], notes: Sequence[str]) -> Table:
    submissions = list(dict.fromkeys(gain.submission for gain in rows))
    attacks = list(dict.fromkeys(gain.attack for gain in rows))
    by_name = {(gain.submission, gain.attack): gain for gain in rows}
    first = [by_name[name, attacks[0]] for name in submissions]
    columns = [
        (Column("submission", "left", key=True), [Cell(name) for name in submissions]),
        (Column("score"), [Cell(format_number(gain.score, 3)) for gain in first]),
        (Column("rank"), [Cell(str(gain.rank)) for gain in first]),
    ]
    for attack in attacks:
        tried = [by_name[name, attack] for name in submissions]
        columns += [
            (
                Column(attack),
                [Cell(format_number(attacked.gain, 3), attacked.gain > _CLEAR * attacked.error) for attacked in tried],
            ),
            (Column("error"), [Cell(format_number(attacked.error, 3)) for attacked in tried]),
            (Column("index"), [Cell(format_number(attacked.index, 3)) for attacked in tried]),
            (Column("setting", "left"), [Cell(attacked.setting) for attacked in tried]),
            (Column("rank after"), [Cell(str(attacked.attacked_rank)) for attacked in tried]),
        ]
    meaning = f"a gain above {_CLEAR:g} standard errors"
    return Table.from_columns(title, columns, notes=notes, strong_means=meaning)
