"""Made campaigns of WMT26 of any size, with planted damage, and submissions to the three tasks.

``python -m tests.plugins.qeframe_wmt.made_campaigns FOLDER [DAMAGE ...]`` writes those of full size: 23 language pairs
with 12,352 items of 20 systems.
"""

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

FULL = {"pairs": 23, "items": 12_352, "systems": 20}
DAMAGE = ("reset", "clicks", "missing-system", "emoji", "empty-campaign")
DOMAINS = ("news", "social", "speech", "edu", "software", "literary")
_LANGUAGES = (
    "deu isl jpn ukr slk zho kor hye lit kaz bel ekk arz rus ind lij lld ces est fin pol ita nld".split()  # noqa: SIM905
)
_SEGMENTS, _SHOWN, _ANNOTATORS = 4, 3, 12
_SCREENS = 4  # that a document has, each with three systems
_CHALLENGE = 8  # the items of a challenge set
_SYLLABLES = np.array(["la", "me", "ni", "ba", "ce", "di", "mo", "gu", "po", "ru", "sa", "lu"])


def write(
    folder: Path,
    *,
    pairs: int,
    items: int,
    systems: int,
    submissions: int = 2,
    seed: int = 0,
    damage: Collection[str] = DAMAGE,
) -> None:
    """Write ``annotations.json``, ``input.jsonl`` with a challenge set, and submissions into a folder.

    reset: the first annotator of every second pair takes back the first half of the work. clicks: the last annotator of
    the first pair clicks at random. missing-system: the last system is not in the second pair. emoji: texts of the
    domain "social" have them. empty-campaign: there is one more campaign, without a screen.
    """
    rng = np.random.default_rng(seed)
    names = ["Human (postediting)", *(f"System {number:02d}" for number in range(1, systems))]
    campaigns: dict[str, list[dict[str, Any]]] = {}
    inputs: list[dict[str, Any]] = []
    for number in range(pairs):
        of_pair = names[:-1] if number == 1 and "missing-system" in damage else names
        language = f"{_LANGUAGES[number]}_Latn"
        count = items * (number + 1) // pairs - items * number // pairs
        documents = _documents(rng, count, of_pair, emoji="emoji" in damage)
        campaigns[f"eng_Latn---{language} v3"] = _screens(
            rng,
            documents,
            of_pair,
            clicks=number == 0 and "clicks" in damage,
            reset=number % 2 == 1 and "reset" in damage,
        )
        for document in documents:
            for item, texts in document:
                key = f"official_###_eng_Latn_###_{language}_###_{item}"
                inputs.append({"item_id": key, "src": "ba ce", "ref": None, "hyps": texts, "resources": {"asr": None}})
    if "empty-campaign" in damage:
        campaigns["eng_Latn---sme_Latn v3"] = []
    for number in range(_CHALLENGE):
        key = f"challenge_###_en_###_de_DE_###_negation_###_d0_###_{number}"
        hyps = dict.fromkeys(names[:2], "la me ni" * 4)
        inputs.append({"item_id": key, "src": "ba ce", "ref": None, "hyps": hyps})
    (folder / "submissions").mkdir(parents=True, exist_ok=True)
    _write_json(folder / "annotations.json", campaigns)
    _write_lines(folder / "input.jsonl", inputs)
    for number in range(submissions):
        predicted = [_predicted(rng, each, names, 6.0 + 6 * number) for each in inputs]
        _write_lines(folder / "submissions" / f"metric{number + 1}.jsonl", predicted)


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def _write_lines(path: Path, values: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values), encoding="utf-8")


Document = list[tuple[str, dict[str, str]]]  # the id and the translations of every segment


def _documents(rng: np.random.Generator, items: int, systems: list[str], *, emoji: bool) -> list[Document]:
    documents = []
    for first in range(0, items, _SEGMENTS):
        domain = DOMAINS[first // _SEGMENTS % len(DOMAINS)]
        documents.append(
            [
                (
                    f"{domain}_###_d{first}_###_{segment}",
                    {name: _text(rng, emoji=emoji and domain == "social") for name in systems},
                )
                for segment in range(min(_SEGMENTS, items - first))
            ]
        )
    return documents


def _text(rng: np.random.Generator, *, emoji: bool) -> str:
    words = " ".join(rng.choice(_SYLLABLES, 40).tolist())
    return f"{words[:30]} \N{GRINNING FACE} {words[30:]}" if emoji else words


def _screens(
    rng: np.random.Generator, documents: list[Document], systems: list[str], *, clicks: bool, reset: bool
) -> list[dict[str, Any]]:
    screens: list[dict[str, Any]] = []
    for document in documents:
        for _ in range(_SCREENS):
            annotator = int(rng.integers(_ANNOTATORS))
            shown = [systems[i] for i in rng.choice(len(systems), _SHOWN, replace=False)]
            random = clicks and annotator == _ANNOTATORS - 1
            screens.append(
                {
                    "annotation": [
                        {name: _annotation(rng, texts[name], systems.index(name), clicks=random) for name in shown}
                        for _, texts in document
                    ],
                    "item": [
                        {"item_id": item, "src": "ba ce", "tgt": {name: texts[name] for name in shown}}
                        for item, texts in document
                    ],
                    "actions": [{"time": 1785000000.0 + t, "action": "score", "index": t} for t in range(12)],
                    "user_id": f"user{annotator}",
                    "item_i": len(screens),
                }
            )
    if reset:
        screens.insert(len(screens) // 2, {"user_id": "user0", "annotation": "__RESET__"})
    return screens


def _annotation(rng: np.random.Generator, text: str, place: int, *, clicks: bool) -> dict[str, Any]:
    score = rng.integers(0, 101) if clicks else np.clip(rng.normal(94 - 2.2 * place, 10), 0, 100)
    marks = []
    length = len(text.encode("utf-16-le")) // 2
    if score < 88:
        start = int(rng.integers(0, 25))
        severity = "major" if score < 60 else "minor"
        marks.append({"start_i": start, "end_i": start + 3, "category": None, "severity": severity})
    if score < 45:
        marks.append({"start_i": length, "end_i": length, "category": None, "severity": "major"})
    return {"score": round(float(score)), "error_spans": marks}


def _predicted(rng: np.random.Generator, item: dict[str, Any], systems: list[str], noise: float) -> dict[str, Any]:
    names = list(item["hyps"])
    scores = {name: round(float(rng.normal(94 - 2.2 * systems.index(name), noise)), 2) for name in names}
    marked = {
        name: [{"start": int(rng.integers(0, 20)), "end": 24, "severity": "minor", "category": "x"}] if of < 88 else []
        for name, of in scores.items()
    }
    return {
        "item_id": item["item_id"],
        "task1_pred": {
            name: {"errors": errors, "omission": None, "instruction_fault": None} for name, errors in marked.items()
        },
        "task2_pred": {name: min(max(score, 0.0), 100.0) for name, score in scores.items()},
        "task3_pred": {name: int(score >= 88) for name, score in scores.items()},
    }


if __name__ == "__main__":
    write(Path(sys.argv[1]), **FULL, damage=sys.argv[2:] or DAMAGE)
