"""Generated tasks of WMT26: items, human annotation and predictions as JSON, one object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

__all__ = ["wmt26_files"]

_PAIRS = ("ces_Latn-ukr_Cyrl", "eng_Latn-deu_Latn", "eng_Latn-isl_Latn")
_DOMAINS = ("news", "social", "speech")
_DOCUMENTS, _SEGMENTS = 8, 4
_MT_SYSTEMS: Mapping[str, float] = {"Alder": 0.5, "Beech": 0.9, "Cypress": 1.3, "Douglas": 1.8, "Elder": 2.6}
"""The systems and the mean number of errors in a translation, in the easiest language pair."""
_HARDER: Mapping[str, float] = {"ces_Latn-ukr_Cyrl": 1.0, "eng_Latn-deu_Latn": 1.2, "eng_Latn-isl_Latn": 2.0}
_SUBMISSIONS: Mapping[str, tuple[float, float]] = {
    # share of true errors found, mean number of wrong marks in a translation
    "Willow-large": (0.75, 0.3),
    "Willow-small": (0.65, 0.4),
    "Yew": (0.55, 0.2),
    "Zelkova-eager": (0.80, 1.5),
    "baseline": (0.35, 0.6),
}
_SYLLABLES = ("ka", "lo", "mi", "ru", "se", "ta", "vo", "ne")
_MAJOR, _FOUND_BY_PERSON, _OMITTED = 0.35, 0.9, 0.08
_POINTS = {"minor": 6.0, "major": 18.0}


@frozen
class _Translation:
    """A translation and its true errors: start, end (exclusive), severity; and the severity of an omission."""

    text: str
    errors: tuple[tuple[int, int, str], ...]
    omission: str | None


def wmt26_files(rng: np.random.Generator, task: int) -> dict[str, str]:
    """Return the files of a generated task: input, gold with two annotations a translation, and submissions.

    Parameters
    ----------
    task : {1, 2, 3}
        The predictions that submissions have. In tasks 2 and 3 one submission has those of the task before alone.
    """
    items = _items(rng)
    files = {"input.jsonl": _lines([_input(key, outputs) for key, outputs in items.items()])}
    files["gold.jsonl"] = _lines([_annotated(rng, key, outputs) for key, outputs in items.items()])
    for name, (recall, wrong) in _SUBMISSIONS.items():
        predicted = (_predicted(rng, key, outputs, recall, wrong) for key, outputs in items.items())
        earlier = task - 1 if name == "Yew" and task > 1 else task
        files[f"submissions/{name}.jsonl"] = _lines(
            [{"item_id": p["item_id"], **_of_task(p, earlier)} for p in predicted]
        )
    if task == 3:
        files["thresholds.jsonl"] = _lines([{"submission": "Yew", "threshold": 95, "inclusive": True}])
    return files


def _of_task(predicted: Mapping[str, Any], task: int) -> dict[str, Any]:
    return {f"task{task}_pred": predicted[f"task{task}_pred"]}


def _lines(objects: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def _items(rng: np.random.Generator) -> dict[str, dict[str, _Translation]]:
    """Return the translations of every item by its id."""
    return {
        f"official_###_{pair.replace('-', '_###_')}_###_{_DOMAINS[document % 3]}_###_d{document}_###_{segment}": {
            system: _translation(rng, errors * _HARDER[pair]) for system, errors in _MT_SYSTEMS.items()
        }
        for pair in _PAIRS
        for document in range(_DOCUMENTS)
        for segment in range(_SEGMENTS)
    }


def _text(rng: np.random.Generator) -> str:
    words = ["".join(rng.choice(_SYLLABLES, rng.integers(1, 4))) for _ in range(rng.integers(8, 20))]
    return " ".join(words).capitalize() + "."


def _translation(rng: np.random.Generator, mean_errors: float) -> _Translation:
    text = _text(rng)
    omission = str(rng.choice(["minor", "major"])) if rng.random() < _OMITTED * mean_errors else None
    return _Translation(text, tuple(_spans(rng, len(text), int(rng.poisson(mean_errors)))), omission)


def _spans(rng: np.random.Generator, length: int, count: int) -> list[tuple[int, int, str]]:
    starts = sorted(rng.choice(length - 12, size=count, replace=False).tolist())
    return [
        (start, start + int(rng.integers(3, 12)), "major" if rng.random() < _MAJOR else "minor") for start in starts
    ]


def _input(key: str, outputs: Mapping[str, _Translation]) -> dict[str, Any]:
    return {"item_id": key, "src": "A generated source.", "ref": None, "hyps": {s: t.text for s, t in outputs.items()}}


def _annotated(rng: np.random.Generator, key: str, outputs: Mapping[str, _Translation]) -> dict[str, Any]:
    scores = {
        system: [_annotation(rng, translation, f"annotator{number}") for number in (1, 2)]
        for system, translation in outputs.items()
    }
    texts = {system: translation.text for system, translation in outputs.items()}
    return {"doc_id": key, "src_text": "A generated source.", "tgt_text": texts, "scores": scores}


def _annotation(rng: np.random.Generator, translation: _Translation, annotator: str) -> dict[str, Any]:
    """Return what a person says, who overlooks some errors; ends are inclusive."""
    seen = [error for error in translation.errors if rng.random() < _FOUND_BY_PERSON]
    marks: list[dict[str, Any]] = [{"start_i": start, "end_i": end - 1, "severity": how} for start, end, how in seen]
    if translation.omission is not None:
        marks.append({"start_i": "missing", "end_i": "missing", "severity": translation.omission})
    lost = sum(_POINTS[mark["severity"]] for mark in marks)
    score = round(float(np.clip(rng.normal(96 - lost, 4), 0, 100)))
    return {"score": score, "annotator": annotator, "times": [], "errors": marks}


def _predicted(
    rng: np.random.Generator, key: str, outputs: Mapping[str, _Translation], recall: float, wrong: float
) -> dict[str, Any]:
    spans = {system: _marked(rng, translation, recall, wrong) for system, translation in outputs.items()}
    scores = {system: _score(rng, marked) for system, marked in spans.items()}
    free = {system: int(score >= 92) for system, score in scores.items()}
    return {"item_id": key, "task1_pred": spans, "task2_pred": scores, "task3_pred": free}


def _marked(rng: np.random.Generator, translation: _Translation, recall: float, wrong: float) -> dict[str, Any]:
    found = [error for error in translation.errors if rng.random() < recall]
    found += _spans(rng, len(translation.text), int(rng.poisson(wrong)))
    errors = [{"start": start, "end": end, "severity": how, "category": None} for start, end, how in sorted(found)]
    omission = translation.omission if rng.random() < recall else None
    return {"errors": errors, "omission": omission, "instruction_fault": None}


def _score(rng: np.random.Generator, marked: Mapping[str, Any]) -> float:
    severities = [error["severity"] for error in marked["errors"]]
    severities += [marked["omission"]] if marked["omission"] else []
    lost = sum(_POINTS[severity] for severity in severities)
    return round(float(np.clip(rng.normal(97 - lost, 3), 0, 100)), 1)
