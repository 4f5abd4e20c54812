"""What the parameters of `mtme` and its selection choose: what takes part in each language pair, and which metrics."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import did_you_mean
from qeframe.plugin.readers import Dropped, SubmissionKind, is_added
from qeframe_wmt.readers.metrics.mtme.score_files import LAYOUT, Folder, MetricFile
from qeframe_wmt.selections.selection import Level, PairSelection, Selection, load_selection, selection_names

OFFICIAL = "official"  # within a list: what the selection lists

Named = Literal["all"] | tuple[str, ...]


@frozen(kw_only=True)
class Choices:
    """The parameters of `mtme`, which documents them."""

    selection: Selection  # without a name: none is known
    level: Level
    units: Literal["systems", "segments"]
    domain: str
    gold: str | Mapping[str, str]
    references: tuple[str, ...] | Mapping[str, str]
    human_references: Literal["official"] | bool
    outliers: tuple[str, ...]
    primaries: Named
    pairs: Named
    human_row: str

    @property
    def of_segments(self) -> bool:
        """Whether scores of segments are read."""
        return self.level == "seg" or self.units == "segments"

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels whose scores are read."""
        return ("seg", "sys") if self.level == "sys" and self.units == "segments" else (self.level,)

    @property
    def tables(self) -> Mapping[str, Mapping[str, str]]:
        """The parameters that are given by language pair."""
        given = {"gold": self.gold, "references": self.references}
        return {key: value for key, value in given.items() if isinstance(value, Mapping)}

    @property
    def named(self) -> dict[str, tuple[str, ...]]:
        """The names that each parameter gives for all language pairs, without "official"; each should be in a file."""
        named = {
            "references": self.references if isinstance(self.references, tuple) else (),
            "outliers": self.outliers,
            "primaries": self.primaries if self.primaries != "all" else (),
            "human_row": (self.human_row,) if self.human_row else (),
        }
        return {key: tuple(name for name in names if name != OFFICIAL) for key, names in named.items()}


@frozen(kw_only=True)
class PairChoice:
    """What takes part in one language pair."""

    pair: str
    gold: str  # the name of the human scores
    standard: tuple[str, ...]  # the references that are no systems and that metrics may use
    scored: tuple[str, ...] | None  # the other references that are scored as systems; None: all
    outliers: tuple[str, ...]  # the systems that are left out
    listed: tuple[str, ...] | None  # the base names of the metrics that enter; None: all


def choose_pairs(folder: Folder, choices: Choices) -> tuple[list[PairChoice], list[Dropped]]:
    """Return what takes part in each language pair of a folder, and the pairs that take no part, each with a reason."""
    present = folder.pairs
    _check_tables(choices, present)
    wanted = _wanted_pairs(choices, present)
    chosen: list[PairChoice] = []
    dropped: list[Dropped] = []
    absent = sorted(wanted.difference(present))
    if choices.selection.name and absent:
        reason = f"in the selection {choices.selection.name}, not in the folder: {', '.join(absent)}"
        dropped.append(Dropped("", "language pair", len(absent), reason))
    for pair in present:
        gold = _gold_of(pair, folder, choices)
        if reason := _why_not(pair, gold, folder, choices, wanted):
            dropped.append(Dropped(pair, "language pair", 1, reason))
        else:
            chosen.append(_choice(pair, gold, choices))
    if not chosen:
        raise _no_pair(folder, choices, present, dropped)
    return chosen, dropped


def _why_not(pair: str, gold: str, folder: Folder, choices: Choices, wanted: set[str]) -> str:
    """Return why a pair takes no part; empty if it does."""
    selection = choices.selection
    if selection.name and not gold:
        return f"not in the selection {selection.name}: name its gold and reference to add it"
    if pair not in wanted:
        return "not in the official ranking, pairs=all adds it" if OFFICIAL in choices.pairs else "not in pairs"
    if not gold:
        return f"no human scores of the level {choices.level}"
    if any(gold not in folder.golds(pair, level) for level in choices.levels):
        return f"no human scores named '{gold}'"
    return ""


def _check_tables(choices: Choices, present: Sequence[str]) -> None:
    pairs = sorted({*present, *choices.selection.pairs})
    for key, table in choices.tables.items():
        for pair in table:
            if pair not in pairs:
                raise DataError(f"{key}: there is no language pair '{pair}'", remedy=did_you_mean(pair, pairs))


def _wanted_pairs(choices: Choices, present: Sequence[str]) -> set[str]:
    """Return the language pairs that are asked for: by name, as official ones, or by their own gold."""
    selection = choices.selection
    if choices.pairs == "all":
        return {*present, *selection.pairs}
    wanted: set[str] = set()
    for pair in choices.pairs:
        if pair == OFFICIAL:
            listed = selection.official or tuple(selection.pairs) if selection.name else present
            wanted.update(listed, *choices.tables.values())
        elif pair in present:
            wanted.add(pair)
        else:
            raise DataError(f"pairs: there is no language pair '{pair}' here", remedy=did_you_mean(pair, present))
    return wanted


def _gold_of(pair: str, folder: Folder, choices: Choices) -> str:
    """Return the name of the gold of a pair; empty if none is chosen."""
    if isinstance(choices.gold, str) and choices.gold:
        return choices.gold
    if isinstance(choices.gold, Mapping) and pair in choices.gold:
        return choices.gold[pair]
    if choices.selection.name:
        selected = choices.selection.of(pair)
        return selected.gold.get(choices.level, "") if selected else ""
    names = folder.golds(pair, choices.level)
    if len(names) > 1:
        what = f"several golds for {pair}: {', '.join(names)}"
        remedy = f'choose one, gold={names[0]} or gold={{{pair}="{names[0]}"}}, or give a selection'
        raise DataError(what, path=folder.path / "human-scores", remedy=remedy)
    return names[0] if names else ""


def _no_pair(folder: Folder, choices: Choices, present: Sequence[str], dropped: Sequence[Dropped]) -> DataError:
    """Return the error of a folder in which no language pair takes part."""
    names = sorted({name for _, name, _ in folder.humans})
    where = folder.path / "human-scores"
    selection = choices.selection
    if choices.gold and isinstance(choices.gold, str):
        what = f"no human scores LP.{choices.gold}.{choices.level}.score are here"
        return DataError(what, path=where, remedy=did_you_mean(choices.gold, names, LAYOUT))
    if selection.name and present and not set(present) & set(selection.pairs):
        what = f"the selection {selection.name} does not know the language pair {present[0]}"
        own = "give gold and references for it, or take no selection: --set selection="
        other = f"{did_you_mean(present[0], selection.pairs)} Or {own}"
        remedy = _other_selections(folder, choices.level) or other
        return DataError(what, path=where, remedy=remedy)
    reasons = "; ".join(f"{note.task}: {note.reason}" for note in dropped if note.task in present)
    return DataError(f"no language pair takes part{f' ({reasons})' if reasons else ''}", path=where, remedy=LAYOUT)


def _other_selections(folder: Folder, level: Level) -> str:
    """Return which selections have the gold of most language pairs that are here; empty if none has any."""
    counts: dict[str, int] = {}
    for name in selection_names():
        pairs = load_selection(name).pairs.items()
        counts[name] = sum(selected.gold.get(level) in folder.golds(pair, level) for pair, selected in pairs)
    names = [name for name, count in counts.items() if count and count == max(counts.values())]
    return f"these may be data of {' or '.join(names)}: --set selection={names[-1]}" if names else ""


def _choice(pair: str, gold: str, choices: Choices) -> PairChoice:
    selected, primaries = choices.selection.of(pair), choices.primaries
    standard, official = _standard(pair, selected, choices), choices.selection.metrics_of(pair)
    scored: tuple[str, ...] | None = None if choices.human_references else ()
    if choices.human_references == OFFICIAL:
        scored = selected.references_scored if selected else None
    return PairChoice(
        pair=pair,
        gold=gold,
        standard=standard,
        scored=None if scored is None else tuple(name for name in scored if name not in standard),
        outliers=_expanded(choices.outliers, selected.outliers if selected else ()),
        listed=None
        if primaries == "all" or (OFFICIAL in primaries and not official)
        else _expanded(primaries, official),
    )


def _standard(pair: str, selected: PairSelection | None, choices: Choices) -> tuple[str, ...]:
    given = choices.references
    if isinstance(given, Mapping):
        return (given[pair],) if pair in given else (selected.reference,) if selected else ()
    return given or ((selected.reference,) if selected else ())


def _expanded(names: tuple[str, ...], listed: tuple[str, ...]) -> tuple[str, ...]:
    """Return names with what the selection lists in place of "official"."""
    return tuple(dict.fromkeys(meant for name in names for meant in (listed if name == OFFICIAL else (name,))))


NOT_LISTED = "not in the list of metrics that take part"
"""The reason for which a metric is left out, unless a parameter names it."""


@frozen
class EnteringMetric:
    """A metric that enters: its name, the kind of submission that it is, and its files by level."""

    name: str
    kind: SubmissionKind
    files: Mapping[str, Path]


@frozen(kw_only=True)
class Entering:
    """The metrics of a language pair."""

    metrics: tuple[EnteringMetric, ...]
    references: frozenset[str]  # those that some metric used, and those whose texts are there
    known: tuple[str, ...]  # the base names of all metrics
    dropped: tuple[Dropped, ...]  # the metrics that do not enter, and official ones without a file


def choose_metrics(folder: Folder, selection: Selection, chosen: PairChoice, systems: Sequence[str]) -> Entering:
    """Return the metrics that enter in a language pair whose `systems` have human scores.

    A metric enters if its base name does, or if the user enters it, and all references that it used are standard ones.
    """
    files = folder.metrics(chosen.pair)
    texts = folder.references(chosen.pair)
    used = {name for metric in files for name in metric.references if name != "all"}
    references = frozenset({*used, *texts})
    _check_standard(folder, chosen, used, {*references, *systems})
    standard = {*chosen.standard, *(["all"] if references and references <= set(chosen.standard) else [])}
    named = {metric for metric in files if chosen.listed is None or metric.base in chosen.listed}
    listed = [metric for metric, of in files.items() if metric in named or any(map(is_added, of.values()))]
    entering = [metric for metric in listed if not chosen.standard or standard.issuperset(metric.references)]
    counts, official = Counter(metric.base for metric in entering), selection.metrics_of(chosen.pair)

    def entered(metric: MetricFile) -> EnteringMetric:
        is_base = selection.name and counts[metric.base] == 1  # a list names the one variant by its base
        is_real = not official or metric.base in official
        kind: SubmissionKind = "baseline" if metric.base in selection.baselines else "real" if is_real else "unofficial"
        return EnteringMetric(metric.base if is_base else metric.name, kind, files[metric])

    return Entering(
        metrics=tuple(map(entered, entering)),
        references=references,
        known=tuple(dict.fromkeys(metric.base for metric in files)),
        dropped=tuple(_dropped(files, listed, entering, chosen)),
    )


def _check_standard(folder: Folder, chosen: PairChoice, used: set[str], in_files: set[str]) -> None:
    """Raise a `DataError` if no standard reference is in any file, although some metric used another reference."""
    if chosen.standard and used and not in_files.intersection(chosen.standard):
        what = f"the standard reference '{chosen.standard[0]}' is in no file"
        remedy = f'{did_you_mean(chosen.standard[0], sorted(used))} Give references={{{chosen.pair}="NAME"}}'
        raise DataError(what, path=folder.path / "metric-scores" / chosen.pair, remedy=remedy)


def _dropped(
    files: Mapping[MetricFile, Mapping[str, Path]],
    listed: Sequence[MetricFile],
    entering: Sequence[MetricFile],
    chosen: PairChoice,
) -> list[Dropped]:
    unlisted = sorted({metric.base for metric in files} - {metric.base for metric in listed})
    others = [metric.name for metric in listed if metric not in entering]
    absent = sorted(set(chosen.listed or ()) - {metric.base for metric in files})
    standard = " or ".join(chosen.standard)
    reasons = (
        (NOT_LISTED, unlisted),
        (f"computed with another reference than {standard}", others),
        ("in the list of metrics that take part, without a file", absent),
    )
    return [Dropped(chosen.pair, "submission", len(n), f"{reason}: {', '.join(n)}") for reason, n in reasons if n]
