"""The generated task of every reader: its own, or one that only tests need."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from qeframe.core.calls import Parametric, parse_call
from qeframe.core.loader import load
from qeframe.core.profile import Profile
from qeframe.core.reader import ExampleRequest, Files, Generator, Reader
from qeframe.core.registry import Registry
from qeframe.core.resolve import resolve
from qeframe_wmt.examples.lines import in_folders
from qeframe_wmt.examples.quality_estimation import tag_lines
from qeframe_wmt.readers.word.wmt14_to_19 import _ACCURACY, _FLUENCY
from qeframe_wmt.readers.word.wmt20_to_23_columns import _TOKENS, TYPES
from qeframe_wmt.selections.selection import Selection, load_selection
from tests.plugins.qeframe_wmt.examples import metrics, quality_estimation, spans

Parameters = Mapping[str, Any]


def _published(of: Parameters, without: Any) -> Any:
    return of["published"] if of["repository"] == "wmt22" else without


def _score_columns(of: Parameters) -> Generator:
    return partial(
        quality_estimation.score_columns,
        header=of["header_lines"],
        first=of["first_segment"],
        missing=of["gold_missing"],
        published=_published(of, ()),
        track=of["track"],
    )


def _columns_2020(of: Parameters) -> Generator:
    return partial(
        in_folders,
        quality_estimation.columns_2020,
        header=of["header_lines"],
        kind=TYPES[of["stream"]],
        tokens=of["tokens"] or _TOKENS[of["stream"]],
        published=_published(of, ""),
    )


def _detections(of: Parameters) -> Generator:
    return partial(
        in_folders,
        quality_estimation.detections,
        header=of["header_lines"],
        classes=of["answers"] == "classes",
        low=of["answers"] == "scores" and of["positive"] == "low",
        mark=of["gold_positive"],
        ids=of["segments"] == "ids",
        published=_published(of, ""),
        board=of["leaderboard"],
    )


def _mtme(of: Parameters) -> Generator:
    selection = load_selection(of["selection"]) if of["selection"] else Selection(name="")

    def generate(request: ExampleRequest) -> Files:
        """Generate what the selection chooses: its first official pairs, and their first metrics and last baseline."""
        official = selection.official or tuple(selection.pairs) or request.language_pairs
        return metrics.grids(request, [_grid_pair(pair, request, selection, of) for pair in official[: request.pairs]])

    return generate


def _grid_pair(pair: str, request: ExampleRequest, selection: Selection, of: Parameters) -> metrics.GridPair:
    selected, listed = selection.of(pair), selection.metrics_of(pair)
    gold = of["gold"] if isinstance(of["gold"], str) else of["gold"].get(pair, "")
    reference = selected.reference if selected else "refA"
    return metrics.GridPair(
        pair=pair,
        gold=gold or (selected.gold[of["level"]] if selected else "mqm"),
        reference=reference,
        scored=["refB" if reference == "refA" else "refA"],
        outliers=selected.outliers if selected else (),
        metrics=[*listed[: request.submissions - 1], *listed[-1:]],
    )


def _table(of: Parameters) -> Generator:
    if of["holds"] == "tags":
        return partial(in_folders, tag_lines, gaps=False, gold="gold.tags")
    return metrics.wide_table if of["holds"] == "grid" else quality_estimation.wide_table


def _in_folders(task: Callable[..., Files], *names: str, **renamed: str) -> Callable[[Parameters], Generator]:
    return lambda of: partial(
        in_folders, task, **{name: of[name] for name in names}, **{to: of[name] for to, name in renamed.items()}
    )


def _with(task: Callable[..., Files], *names: str, **fixed: str) -> Callable[[Parameters], Generator]:
    return lambda of: partial(task, **{name: of[name] for name in names}, **fixed)


GENERATORS: Mapping[str, Callable[[Parameters], Generator]] = {
    "aces": _with(metrics.aces),
    "assessed_texts": _with(metrics.assessed_texts),
    "automatic_scores": _with(metrics.automatic_scores),
    "corrections_2025": _in_folders(spans.corrections_2025, "gold", "before", "after"),
    "decided_pairs": _with(metrics.decided_pairs, "level"),
    "document_annotations": lambda of: partial(
        in_folders, spans.document_annotations, with_method=of["layout"] == 2020
    ),
    "explained_sentences": _in_folders(quality_estimation.explained_sentences, "published"),
    "explained_words": _in_folders(quality_estimation.explained_words, "published"),
    "graham_table": _with(quality_estimation.graham_table),
    "human_scores": _with(metrics.human_scores),
    "mslc": _with(metrics.mslc),
    "mtme": _mtme,
    "qe_detection": _detections,
    "qe_four_columns": _in_folders(quality_estimation.four_columns),
    "qe_sentence": _score_columns,
    "rankings": _with(metrics.rankings, "level"),
    "spans_2023": _in_folders(spans.spans_2023, header="header_lines"),
    "spans_2025": _in_folders(spans.spans_2025, "set_id"),
    "table": _table,
    "wmt20_darr": _with(metrics.assessments, "reference_set", level="seg"),
    "wmt20_systems": _with(metrics.assessments, "reference_set", level="sys"),
    "wmt25_challenge_sets": _with(metrics.challenge_sets, "rising", "level"),
    "wmt25_equal_pairs": _with(metrics.equal_pairs, "name"),
    "wmt25_mslc_b": _with(metrics.mslc_b),
    "word_columns_2014": lambda _: partial(
        in_folders, quality_estimation.columns_2014, accuracy=_ACCURACY, fluency=_FLUENCY
    ),
    "word_columns_2015": lambda of: partial(
        in_folders, quality_estimation.columns_2015, tokens=of["tokens"] or "mt_tok"
    ),
    "word_columns_2020": _columns_2020,
}


def with_example(reader: Reader, registry: Registry | None = None) -> Reader:
    """Return a reader with the generated task that tests have for it."""
    registry = registry or load()
    call = parse_call(reader.name)
    if call.name not in GENERATORS:
        return reader
    component = registry.entry(Reader, call.name).component
    of = {}
    if isinstance(component, Parametric):
        given = {key: component.checked(key, value) for key, value in call.parameters.items()}
        of = {key: parameter.default for key, parameter in component.parameters.items()} | given
    return attrs.evolve(reader, example=GENERATORS[call.name](of))


def write_example(profile: Profile, registry: Registry, folder: Path, request: ExampleRequest) -> Path | None:
    """Write a generated task that a profile reads: that of its reader, or of each reader of its parts.

    Result: what is evaluated: a file or folder. None: a reader generates no task.
    """
    resolved = resolve(profile, registry)
    selections = {part.rule.selection for part in resolved.parts if part.rule.reader or part.rule.folder}
    readers = [reader for selection, reader in resolved.selections.items() if selection in selections]
    all_replaced = selections and selections >= {*resolved.selections}
    readers += [] if resolved.reader is None or all_replaced else [resolved.reader]
    places = [with_example(reader, registry).write_example(folder, request) for reader in readers]
    return None if None in places else places[0] if len(places) == 1 else folder
