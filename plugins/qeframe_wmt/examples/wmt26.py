"""Generated tasks of WMT26: items and predictions as JSON, one object a line, and human annotation of two years."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import rows
from qeframe_wmt.examples.spans import BASELINE, MARKERS, Marker, Span, drawn_spans, drawn_text, marked

_DOMAINS = ("news", "social", "speech")
_SOURCE = "A generated source."
_SEGMENTS = 4  # of a document
_MT_SYSTEMS: Mapping[str, float] = {"Alder": 0.5, "Beech": 0.9, "Cypress": 1.3, "Douglas": 1.8, "Elder": 2.6}
"""The systems and the mean number of errors in a translation, in the easiest language pair."""
_PAIRS: Mapping[str, float] = {"ces_Latn-ukr_Cyrl": 1.0, "eng_Latn-deu_Latn": 1.2, "eng_Latn-isl_Latn": 2.0}
_FOUND_BY_PERSON, _OMITTED = 0.9, 0.08
_ERROR_FREE = 92  # the score from which a submission calls a translation free of errors
_POINTS = {"minor": 6.0, "major": 18.0}


@frozen
class _Translation:
    """A translation and its true errors: start, end (exclusive), severity; and the severity of an omission."""

    text: str
    errors: tuple[Span, ...]
    omission: str | None


Items = Mapping[str, Mapping[str, _Translation]]  # the translations of every item by its id, and by system


def predictions(request: ExampleRequest, *, task: int) -> Files:
    """Return the files of a generated task: input, gold with two annotations a translation, and submissions.

    Submissions have the predictions of all tasks; in tasks 2 and 3 one submission has those of the task before alone.
    """
    rng = request.rng()
    items = _items(rng, request)
    files = {
        "input.jsonl": _lines(
            {"item_id": key, "src": _SOURCE, "ref": None, "hyps": {system: out.text for system, out in outputs.items()}}
            for key, outputs in items.items()
        ),
        "gold.json": _campaigns(_annotated_items(rng, items)),
    }
    markers = request.with_baselines(MARKERS, BASELINE)
    for name, marker in markers.items():
        tasks = (task - 1,) if name == "Yew" and task > 1 else (1, 2, 3)
        files[f"submissions/{name}.jsonl"] = _lines(
            _predicted(rng, key, outputs, marker, tasks) for key, outputs in items.items()
        )
    if task == 3 and "Yew" in markers:
        files["thresholds.jsonl"] = _lines([{"submission": "Yew", "threshold": 95, "inclusive": True}])
    return files


def campaigns(request: ExampleRequest) -> Files:
    """Return the annotation of campaigns alone, as it is published in 2026."""
    rng = request.rng()
    return {"annotations.json": _campaigns(_annotated_items(rng, _items(rng, request)))}


def campaign_of_2025(request: ExampleRequest) -> Files:
    """Return the annotation of a campaign alone, as it was published in 2025."""
    rng = request.rng()
    annotated = _annotated_items(rng, _items(rng, request))
    return {"campaign.jsonl": _lines({"doc_id": key, **of_item} for key, of_item in annotated.items())}


def appraise(request: ExampleRequest) -> Files:
    """Return the table of Appraise: two annotators of each translation, a tutorial and an attention check."""
    rng, cells = request.rng(), []
    for user in ("engdeu01", "engdeu02"):
        cells.append(f"{user},ende-tutorial1,1000001,TGT,eng,deu,0,ende-tutorial1,False,[],1.5,2.5")
        for segment in range(request.units):
            document = f"test-en-{_DOMAINS[segment % 3]}_d{segment // 3}"
            cells += [
                f"{user},{system},{segment},TGT,eng,deu,{rng.integers(40, 100)},{document},False,[],3.5,4.5"
                for system in _MT_SYSTEMS
            ]
        cells.append(f"{user},Alder,0,BAD,eng,deu,10,{document}#bad,False,[],3.5,4.5")
    return {"campaign.csv": "\n".join(cells) + "\n"}


def _lines(objects: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in objects)


def _items(rng: np.random.Generator, request: ExampleRequest) -> Items:
    return {
        f"official_###_{pair.replace('-', '_###_')}_###_{_DOMAINS[document % 3]}_###_d{document}_###_{segment}": {
            system: _translation(rng, errors * _PAIRS[pair]) for system, errors in _MT_SYSTEMS.items()
        }
        for pair in list(_PAIRS)[: request.pairs]
        for document in range(max(request.units // _SEGMENTS, 1))
        for segment in range(_SEGMENTS)
    }


def _translation(rng: np.random.Generator, mean_errors: float) -> _Translation:
    text = drawn_text(rng)
    omission = str(rng.choice(["minor", "major"])) if rng.random() < _OMITTED * mean_errors else None
    return _Translation(text, tuple(drawn_spans(rng, len(text), int(rng.poisson(mean_errors)))), omission)


def _annotated_items(rng: np.random.Generator, items: Items) -> dict[str, dict[str, Any]]:
    """Return the texts and two annotations of each translation, as in a line of 2025 but for its id."""
    return {
        key: {
            "src_text": _SOURCE,
            "tgt_text": {system: translation.text for system, translation in outputs.items()},
            "scores": {
                system: [_annotation(rng, translation) | {"annotator": f"annotator{number}"} for number in (1, 2)]
                for system, translation in outputs.items()
            },
        }
        for key, outputs in items.items()
    }


def _campaigns(annotated: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one object with a campaign of each language pair, a screen for each annotator and item."""
    campaigns: dict[str, list[dict[str, Any]]] = {}
    for number in (0, 1):
        for key, of_item in annotated.items():
            _, source, target, item = key.split("_###_", 3)
            screens = campaigns.setdefault(f"{source}---{target} v3", [])
            screens.append(_screen(item, of_item, number, len(screens)))
    return json.dumps(campaigns, ensure_ascii=False, indent=1) + "\n"


def _screen(item: str, of_item: Mapping[str, Any], number: int, position: int) -> dict[str, Any]:
    texts = of_item["tgt_text"]
    annotation = {
        system: {
            "score": given[number]["score"],
            "error_spans": [_with_token(mark, len(texts[system])) for mark in given[number]["errors"]],
        }
        for system, given in of_item["scores"].items()
    }
    shown = {"item_id": item, "src": _SOURCE, "tgt": texts}
    return {"annotation": [annotation], "actions": [], "item": [shown], "user_id": f"user{number}", "item_i": position}


def _with_token(mark: Mapping[str, Any], length: int) -> dict[str, Any]:
    """Return a mark of 2026, which is after the text if it is one on ``[missing]``."""
    return {key: length if value == "missing" else value for key, value in mark.items()} | {"category": None}


def _annotation(rng: np.random.Generator, translation: _Translation) -> dict[str, Any]:
    """Return what a person says, who overlooks some errors; ends are inclusive."""
    seen = [error for error in translation.errors if rng.random() < _FOUND_BY_PERSON]
    marks: list[dict[str, Any]] = [{"start_i": start, "end_i": end - 1, "severity": how} for start, end, how in seen]
    if translation.omission is not None:
        marks.append({"start_i": "missing", "end_i": "missing", "severity": translation.omission})
    lost = sum(_POINTS[mark["severity"]] for mark in marks)
    score = round(float(np.clip(rng.normal(96 - lost, 4), 0, 100)))
    return {"score": score, "times": [], "errors": marks}


def _predicted(
    rng: np.random.Generator, key: str, outputs: Mapping[str, _Translation], marker: Marker, tasks: Iterable[int]
) -> dict[str, Any]:
    spans = {system: _marked(rng, translation, marker) for system, translation in outputs.items()}
    scores = {system: _score(rng, of_text) for system, of_text in spans.items()}
    free = {system: int(score >= _ERROR_FREE) for system, score in scores.items()}
    answers = {1: spans, 2: scores, 3: free}
    return {"item_id": key, **{f"task{number}_pred": answers[number] for number in tasks}}


def _marked(rng: np.random.Generator, translation: _Translation, marker: Marker) -> dict[str, Any]:
    spans = marked(rng, translation.errors, len(translation.text), marker)
    errors = [{"start": start, "end": end, "severity": how, "category": None} for start, end, how in spans]
    omission = translation.omission if rng.random() < marker.recall else None
    return {"errors": errors, "omission": omission, "instruction_fault": None}


def _score(rng: np.random.Generator, marked: Mapping[str, Any]) -> float:
    severities = [error["severity"] for error in marked["errors"]]
    severities += [marked["omission"]] if marked["omission"] else []
    lost = sum(_POINTS[severity] for severity in severities)
    return round(float(np.clip(rng.normal(97 - lost, 3), 0, 100)), 1)


def sqm_ratings(request: ExampleRequest, *, fields: Sequence[str]) -> Files:
    """Return scalar ratings from 0 to 6, a table with a header or with the given fields alone."""
    rng = request.rng()
    names = fields or ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "score")
    table = []
    for system in list(_MT_SYSTEMS)[: request.submissions]:
        for n in range(1, request.units + 1):
            cells = {"system": system, "doc": "doc", "doc_id": n, "seg_id": n, "rater": "rater1", "source": _SOURCE}
            table.append([{**cells, "score": int(rng.integers(0, 7))}.get(name, "Ein Text.") for name in names])
    return {"ratings.tsv": rows(table if fields else [names, *table])}


def mqm_ratings(request: ExampleRequest, *, layout: str) -> Files:
    """Return MQM ratings: a table of errors, a rating of a segment a line, or a JSON object of a segment a line."""
    rng, systems = request.rng(), list(_MT_SYSTEMS)[: request.submissions]
    counts = {(system, n): int(rng.integers(0, 3)) for system in systems for n in range(request.units)}
    error = {"start": 0, "end": 3, "category": "style", "severity": "minor", "score": 1, "is_source_error": False}
    if layout == "lines":
        ids = ({"document_id": "d", "segment_id": n, "system_id": system, "rater_id": "r"} for system, n in counts)
        return {
            "en-de.jsonl": _lines({**id, "errors": [error] * k} for id, k in zip(ids, counts.values(), strict=True))
        }
    if layout == "rating":
        cells = ((system, json.dumps({"errors": [error] * k}) if k else "None") for (system, _), k in counts.items())
        return {"en-de.mqm.seg.rating": rows((*cell, "rater1") for cell in cells)}
    kinds = (("no-error", "no-error"), ("style", "minor"), ("accuracy/omission", "major"))
    header = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
    table = [(s, "doc", "1", n + 1, "rater1", _SOURCE, "Ein Text.", *kinds[k]) for (s, n), k in counts.items()]
    return {"ratings.tsv": rows([header, *table])}
