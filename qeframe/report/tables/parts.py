"""The parts of a task set: rank and score of every submission in each, as the papers of the tasks print them."""

import math
from collections.abc import Iterator, Mapping, Sequence

from qeframe.core.result import Evaluation, PartScore, ScoredPart, ScoredSubmission
from qeframe.core.task import UNRANKED
from qeframe.report.layouts.number_format import UNDEFINED, decimals_for, exact, format_number
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.leaderboard import KIND_MARKS, cluster_borders, ranked_submissions
from qeframe.report.tables.task_columns import ARROWS, warning_notes
from qeframe.report.tables.written_names import written_name

MOST_PARTS = 16
"""A task set with more parts has no table of them in the terminal; its file has."""


def parts_table(evaluation: Evaluation) -> Table | None:
    """Return a column for the overall score and one for each part, the best submission first; None without parts.

    A cell has the score, and in brackets the cluster, or the rank where nothing was tested. The first cluster is
    emphasized. A submission that is not ranked has its scores alone.
    """
    if not evaluation.parts:
        return None
    ranked = ranked_submissions(evaluation)
    names = [f"{s.name} {KIND_MARKS[s.kind]}".rstrip() for s in ranked]
    overall = {s.name: _overall(s, evaluation.primary) for s in ranked}
    scored = [
        (evaluation.primary, evaluation.higher_is_better[evaluation.primary], overall),
        *((p.metric, p.higher_is_better, _scores_in(p, evaluation.primary, ranked)) for p in evaluation.parts),
    ]
    columns = [
        (Column("submission", "left", key=True), [Cell(name) for name in names]),
        *(
            (
                Column(f"{metric} {ARROWS[higher]}", written=f"{written_name(metric)} {ARROWS[higher]}"),
                _cells(scores, ranked),
            )
            for metric, higher, scores in scored
        ),
    ]
    clusters = [score.cluster for part in evaluation.parts for score in part.submissions.values()]
    clusters += [submission.cluster for submission in ranked]
    tested = any(cluster is not None for cluster in clusters)
    places = "the cluster in the part" if any((c or 0) > 2 for c in clusters) else "1 for winners of the part, else 2"
    return Table.from_columns(
        f"{evaluation.title or evaluation.profile}: parts",
        columns,
        heads=[row for row in _heads(evaluation) if any(row[1:])],
        notes=[
            f"in brackets: {places if tested else 'the rank in the part'}",
            _meaning(evaluation),
            *_on_samples(evaluation.parts),
            *warning_notes(evaluation),
        ],
        strong_means="winner of the part" if tested else "rank 1 in the part",
        borders=cluster_borders(ranked),
    )


def part_records(evaluation: Evaluation) -> Table:
    """Return a row for every submission in every part, at full precision, for programs."""
    columns = ("part", "metric", "pairs", "level", "selection", "weight", "worst", "best")
    scores = ("submission", "value", "low", "high", "rank", "cluster")
    details = {part.name: details_in(evaluation, part) for part in evaluation.parts}
    reported = dict.fromkeys(name for of_part in details.values() for of_name in of_part.values() for name in of_name)
    rows = [
        (
            *(part.name, part.metric, ",".join(part.pairs), part.level, part.selection),
            *(repr(part.weight), *map(repr, part.scale)),
            *(name, *map(exact, (score.value, score.low, score.high)), str(score.rank), str(score.cluster or "")),
            *(exact(details[part.name].get(name, {}).get(key, math.nan)) for key in reported),
        )
        for part in evaluation.parts
        for name, score in part.submissions.items()
    ]
    return Table.of_texts("parts", (*columns, *scores, *(f"details.{name}" for name in reported)), rows)


def details_in(evaluation: Evaluation, part: ScoredPart) -> dict[str, dict[str, float]]:
    """Return the numbers that the metric of a part reports beside each score, by submission: a calibrated threshold."""
    in_part = {s.name: s.scores[evaluation.primary].tasks.get(part.name) for s in evaluation.submissions}
    return {
        name: {key: value for key, value in result.details.items() if isinstance(value, (int, float))}
        for name, result in in_part.items()
        if result is not None
    }


def _overall(scored: ScoredSubmission, primary: str) -> PartScore:
    rank = 0 if scored.kind in UNRANKED else scored.rank
    return PartScore(value=scored.scores[primary].value, rank=rank, cluster=scored.cluster)


def _scores_in(part: ScoredPart, primary: str, ranked: Sequence[ScoredSubmission]) -> dict[str, PartScore]:
    """Return the scores of a part, also of submissions that are not ranked, which have no rank there: 0."""
    scores = dict(part.submissions)
    for submission in ranked:
        result = submission.scores[primary].tasks.get(part.name)
        if submission.kind in UNRANKED and result is not None:
            scores[submission.name] = PartScore(value=result.value, rank=0)
    return scores


def _cells(scores: Mapping[str, PartScore], ranked: Sequence[ScoredSubmission]) -> list[Cell]:
    decimals = decimals_for(score.value for score in scores.values())
    tested = any(score.cluster is not None for score in scores.values())
    cells = []
    for submission in ranked:
        score = scores.get(submission.name)
        if score is None or math.isnan(score.value):
            cells.append(Cell(UNDEFINED))
            continue
        place = score.cluster if tested else score.rank
        number = format_number(score.value, decimals)
        cells.append(Cell(f"{number} ({place})" if place else number, place == 1))
    return cells


def scale_in_words(part: ScoredPart) -> str:
    """Return how the scores of a part are scaled before they are averaged; empty where 0 and 1 are the ends already."""
    worst, best = part.scale
    return "" if (worst, best) == (0.0, 1.0) else f"{worst:g}..{best:g} → 0..1"


def _heads(evaluation: Evaluation) -> list[list[str]]:
    """Return the rows of the heading: language pairs, level, selection where parts differ in it, weight, scale."""
    parts, is_mean = evaluation.parts, evaluation.signature.rules.get("overall", "mean") == "mean"
    rows = [
        ["language pairs", "", *(", ".join(part.pairs) for part in parts)],
        ["level", "", *(part.level for part in parts)],
        ["weight", "", *(f"{part.weight:.4g}" for part in parts)],
        ["scale", "", *(scale_in_words(part) if is_mean else "" for part in parts)],
    ]
    alike = [(part.metric, part.pairs) for part in parts]
    if len(set(alike)) < len(alike):
        rows.insert(2, ["selection", "", *(part.selection for part in parts)])
    return rows


def _meaning(evaluation: Evaluation) -> str:
    if evaluation.signature.rules.get("overall") == "cluster_ranks":
        return "overall: the weighted mean of the clusters of the parts"
    return "overall: the weighted mean of the scores, each scaled from its worst and best value to 0 and 1"


def _on_samples(parts: Sequence[ScoredPart]) -> Iterator[str]:
    """Yield which levels of a language pair are resampled together; nothing where there is one level."""
    pairs_of: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    levels: dict[str, dict[str, dict[str, None]]] = {}
    for part in parts:
        for pair, sample in zip(part.pairs, part.samples, strict=True):
            levels.setdefault(pair, {}).setdefault(sample, {})[part.level or part.metric] = None
    for pair, samples in levels.items():
        pairs_of.setdefault(tuple(tuple(names) for names in samples.values()), []).append(pair)
    if len({part.level for part in parts}) < 2:
        return
    for groups, pairs in pairs_of.items():
        said = [
            f"{', '.join(group[:-1])} and {group[-1]} together" if len(group) > 1 else f"{group[0]} by itself"
            for group in groups
        ]
        yield f"resampled in {', '.join(pairs)}: {'; '.join(said)}"
