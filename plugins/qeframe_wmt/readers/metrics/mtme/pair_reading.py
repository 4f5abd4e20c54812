"""One language pair as a `Reading`: its gold, the metrics that enter, and the count of everything else."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from attrs import frozen

from qeframe.plugin import Best, BoolArray, Grid, IntArray
from qeframe.plugin.calls import counted
from qeframe.plugin.readers import Dropped, Reading, TextFiles, UnitValues, has_folder, input_of
from qeframe_wmt.readers.metrics.mtme.cells import GoldCells, ScoreTables
from qeframe_wmt.readers.metrics.mtme.choices import Choices, Entering, EnteringMetric, PairChoice, choose_metrics
from qeframe_wmt.readers.metrics.mtme.score_files import Folder, ParsedFiles, SegmentLabels, find_stored, read_labels


def read_scores(
    name: str,
    files: Mapping[str, Path],
    choices: Choices,
    labels: SegmentLabels | None,
    parsed: ParsedFiles,
    rated: BoolArray | None = None,
) -> ScoreTables | str:
    """Return the scores of a metric or of humans, or what is lacking.

    `files` are by level: seg, sys, domain. `rated`: the segments whose means may take the place of scores of systems.
    """
    if choices.of_segments and "seg" not in files:
        return "no segment scores"
    segments = parsed.systems(files["seg"]) if choices.of_segments else None
    if choices.level == "seg":
        return ScoreTables(name=name, segments=segments)
    if not choices.domain:
        if "sys" in files:
            return ScoreTables(name=name, segments=segments, systems=parsed.systems(files["sys"]))
        if "seg" not in files or rated is None:
            return "no system scores"
        of_segments = parsed.systems(files["seg"])
        if len(of_segments.cells) != len(rated):
            return f"no system scores, and scores of {counted(len(of_segments.cells), 'segment')}, not of {len(rated)}"
        return ScoreTables(name=name, segments=segments, systems=of_segments.means(rated), averaged=True)
    systems = None
    if "domain" in files:
        systems = parsed.domains(files["domain"]).of_domain(choices.domain)
    elif "seg" in files and labels is not None:
        systems = labels.means(parsed.systems(files["seg"]), choices.domain)
    if systems is None:
        return f"no scores of the domain '{choices.domain}'"
    return ScoreTables(name=name, segments=segments, systems=systems, averaged="domain" not in files)


def locate_texts(
    folder: Folder, pair: str, systems: Sequence[str], standard: Sequence[str], segments: IntArray, *, whole: bool
) -> tuple[TextFiles | None, tuple[Dropped, ...]]:
    """Return where the texts of the systems of a language pair are, and what is lacking.

    A reference that is scored as a system has its text in ``references``. The standard references are by default all
    whose texts are there and that are no systems; segments are numbered from 1. There are no texts if there is no
    folder of them, or if the text of a system or of all references is lacking.
    """
    outputs = folder.path / "system-outputs" / pair
    if not has_folder(outputs):
        return None, ()
    given = {name: _reference(folder, pair, name) for name in folder.references(pair)}
    names = [name for name in (standard or given) if name in given and name not in systems]
    files = {name: find_stored(outputs, f"{name}.txt") or given.get(name) for name in systems}
    absent = [name for name, file in files.items() if file is None]
    if absent:
        return None, (Dropped(pair, "text", len(absent), f"no file of translations: {', '.join(absent)}"),)
    if not names:
        return None, (Dropped(pair, "text", len(systems), "there is no text of a standard reference"),)
    texts = TextFiles(
        pair=pair,
        systems={name: file for name, file in files.items() if file is not None},
        references=tuple(given[name] for name in names),
        segments=segments,
        root=folder.path,
        whole=whole,
        source=find_stored(folder.path / "sources", f"{pair}.txt"),
        reference_names=tuple(names),
    )
    return texts, ()


def _reference(folder: Folder, pair: str, name: str) -> Path:
    place = folder.path / "references"
    return find_stored(place, f"{pair}.{name}.txt") or place / f"{pair}.{name}.txt"


@frozen(kw_only=True, eq=False)
class PairReader:
    """Reads one language pair of a folder."""

    folder: Folder
    choices: Choices
    chosen: PairChoice
    parsed: ParsedFiles

    def read(self, best: Best) -> Reading | Dropped:
        """Return the reading, or why the pair takes no part."""
        pair, domain = self.chosen.pair, self.choices.domain
        labels = read_labels(self.folder.path, pair) if self.choices.of_segments or domain else None
        if domain and (labels is None or domain not in labels.labels["domain"]):
            return Dropped(pair, "language pair", 1, f"no segment of the domain '{domain}'")
        scores = read_scores("gold", self.folder.human_files(pair, self.chosen.gold), self.choices, labels, self.parsed)
        if isinstance(scores, str):
            return Dropped(pair, "language pair", 1, f"{scores} named '{self.chosen.gold}'")
        return self._reading(scores, labels, best)

    def _reading(self, scores: ScoreTables, labels: SegmentLabels | None, best: Best) -> Reading:
        entering = choose_metrics(self.folder, self.choices.selection, self.chosen, scores.scored_systems)
        rivals = self._rivals(entering, labels)
        read = [(metric, tables) for metric, tables in rivals if isinstance(tables, ScoreTables)]
        systems, excluded = self._systems(scores, entering, [tables for _, tables in read])
        if labels is not None and scores.segments is not None:
            labels.check_length(scores.segments)
        domain_rows = labels.inside(self.choices.domain) if labels is not None and self.choices.domain else None
        inside = domain_rows if scores.segments is not None else None
        gold = GoldCells.of(scores, systems, inside, self._remedies(entering))
        files = [*(table.file for table in scores.tables), *([labels.file] if labels else [])]
        files += [table.file for _, tables in read for table in tables.tables]
        known = self._known([*systems, *(name for name, _ in excluded)], entering)
        submissions = [self._submission(metric, tables, gold) for metric, tables in read]
        whole = self.choices.level == "sys"
        texts, no_texts = locate_texts(
            self.folder, self.chosen.pair, gold.systems, self.chosen.standard, gold.rows + 1, whole=whole
        )
        count, segments = len(systems), {"segments": len(gold.rows)} if scores.segments is not None else {}
        return Reading(
            name=self.chosen.pair,
            kind=Grid,
            gold=UnitValues(name="gold", ids=gold.rows + 1, values=gold.cells, path=str(scores.file.path)),
            submissions=tuple(submissions),
            groups=labels.of(gold.rows) if labels is not None and scores.segments is not None else {},
            best=best,
            dropped=(
                *(Dropped(self.chosen.pair, "system", 1, f"{name}: {reason}") for name, reason in excluded),
                *self._dropped(gold, rivals, [scores, *(tables for _, tables in read)]),
                *entering.dropped,
                *self._unanswered(submissions, gold),
                *no_texts,
            ),
            inputs=tuple(dict.fromkeys(input_of(file, self.folder.path) for file in files)),
            counts={"systems": count, "system_pairs": count * (count - 1) // 2, **segments},
            texts=texts,
            systems=gold.systems,
            level=self.choices.level,
            averaged=() if domain_rows is None else tuple(str(row + 1) for row in np.flatnonzero(domain_rows)),
            remarks=tuple(self._on_other_segments([metric for metric, _ in read], scores, gold)),
            unmatched={key: [n for n in names if n not in known[key]] for key, names in self.choices.named.items()},
            known=known,
            may_be_unanswered=True,
        )

    def _on_other_segments(
        self, metrics: Sequence[EnteringMetric], scores: ScoreTables, gold: GoldCells
    ) -> Iterator[str]:
        """Say where scores of systems are means of all segments, and humans rated some; official selections know it."""
        rated, names = self._rated, list[str]()
        if rated is None or rated.all():
            return
        for metric in metrics:
            if not {"seg", "sys"} <= metric.files.keys():
                continue
            cells, whole = (self.parsed.systems(metric.files[level]) for level in ("seg", "sys"))
            at = [name for name in gold.systems if name in cells.systems and name in whole.systems]
            if len(cells.cells) != len(rated) or not at:
                continue
            of_segments = cells.cells[:, [cells.systems.index(name) for name in at]]
            stated = whole.cells[0, [whole.systems.index(name) for name in at]]
            of_all, of_rated = of_segments.mean(axis=0), of_segments[rated].mean(axis=0)
            if np.abs(stated - of_all).max() < 0.1 * np.abs(of_all - of_rated).max():
                names.append(metric.name)
        if names:
            count = f"{rated.sum()} of {len(rated)} segments"
            shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
            says = f"scores of systems by {shown} are means of all"
            yield f"humans rated {count}, {says}: --set level=seg takes the rated"

    @cached_property
    def _rated(self) -> BoolArray | None:
        """Which segments humans rated, where systems are scored; None where an official selection knows better."""
        files = self.folder.human_files(self.chosen.pair, self.chosen.gold)
        if self.choices.selection.name or self.choices.level == "seg" or self.choices.domain or "seg" not in files:
            return None
        return np.asarray(~np.isnan(self.parsed.systems(files["seg"]).cells).all(axis=1))

    def _known(self, systems: Sequence[str], entering: Entering) -> dict[str, list[str]]:
        """Return the names that are in a file, by the parameter that could give them."""
        translations = sorted({*systems, *entering.references})
        return {
            "references": translations,
            "outliers": translations,
            "primaries": list(entering.known),
            "human_row": sorted({name for pair, name, _ in self.folder.humans if pair == self.chosen.pair}),
        }

    def _remedies(self, entering: Entering) -> dict[str, str]:
        """Return how to state the standard reference, for each reference of a pair that has none stated."""
        if self.chosen.standard:
            return {}
        setting = "no reference is set for {pair}; if it is {name}: --set 'references={{{pair}=\"{name}\"}}'"
        return {name: setting.format(pair=self.chosen.pair, name=name) for name in entering.references}

    def _rivals(
        self, entering: Entering, labels: SegmentLabels | None
    ) -> list[tuple[EnteringMetric, ScoreTables | str]]:
        """Return each metric that enters with its scores, or with what it lacks."""
        rivals = list(entering.metrics)
        if self.choices.human_row:
            name = self.choices.human_row
            rivals.append(EnteringMetric(f"human ({name})", "human", self.folder.human_files(self.chosen.pair, name)))
        common = self.choices, labels, self.parsed, self._rated
        return [(rival, read_scores(rival.name, rival.files, *common)) for rival in rivals]

    def _systems(
        self, scores: ScoreTables, entering: Entering, read: Sequence[ScoreTables]
    ) -> tuple[list[str], list[tuple[str, str]]]:
        """Return the systems that are compared, and those that are not, each with the reason."""
        chosen, scored = self.chosen, set(scores.scored_systems)
        humans = entering.references if chosen.scored is not None else frozenset()
        systems, excluded = [], []
        for name in dict.fromkeys([*scores.named_systems, *(name for tables in read for name in tables.named_systems)]):
            if name in chosen.standard:
                excluded.append((name, "a reference"))
            elif name in chosen.outliers:
                excluded.append((name, "an outlier"))
            elif name in humans and name not in (chosen.scored or ()):
                excluded.append((name, "a reference that is not scored as a system"))
            elif name not in scored:
                excluded.append((name, "no human scores"))
            else:
                systems.append(name)
        return systems, excluded

    def _submission(self, metric: EnteringMetric, tables: ScoreTables, gold: GoldCells) -> UnitValues:
        cells, truth = gold.of_humans(tables) if metric.kind == "human" else (gold.of_metric(tables), None)
        path = str(tables.file.path)
        ids = gold.rows + 1
        return UnitValues(name=metric.name, ids=ids, values=cells, path=path, kind=metric.kind, gold=truth)

    def _dropped(
        self, gold: GoldCells, rivals: Iterable[tuple[EnteringMetric, object]], read: Iterable[ScoreTables]
    ) -> Iterator[Dropped]:
        """Count what is left out: segments without human scores, metrics, and scores that are means."""
        pair = self.chosen.pair
        if gold.unscored:
            yield Dropped(pair, "segment", gold.unscored, "no human scores")
        if gold.outside:
            yield Dropped(pair, "segment", gold.outside, f"not of the domain '{self.choices.domain}'")
        lacking: dict[str, list[str]] = {}
        for metric, lack in rivals:
            if isinstance(lack, str):
                lacking.setdefault(lack, []).append(metric.name)
        for lack, names in sorted(lacking.items()):
            yield Dropped(pair, "submission", len(names), f"{lack}: {', '.join(names)}")
        if averaged := [tables.name for tables in read if tables.averaged]:
            level, segments = ("domain", "segments") if self.choices.domain else ("system", "rated segments")
            reason = f"no file of {level} scores, means of {segments} are used: {', '.join(averaged)}"
            yield Dropped(pair, f"{level} score", len(averaged), reason)

    def _unanswered(self, submissions: Iterable[UnitValues], gold: GoldCells) -> Iterator[Dropped]:
        """Count the cells of the gold that other human scores lack."""
        for side in submissions:
            absent = 0 if side.gold is None else int((np.isnan(side.gold) & ~np.isnan(gold.cells)).sum())
            if absent:
                reason = f"missing in {side.name}, left out of its own scores"
                yield Dropped(self.chosen.pair, "answer", absent, reason)
