"""A small valid task for each reader of JSON lines."""

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from tests.fuzz.small_tasks import FAIR, GOLD, GOOD, SEED, RatedFile, SmallTask

__all__ = ["JSON_TASKS"]

_PAIRS = ("eng_Latn-deu_Latn", "ces_Latn-ukr_Cyrl")
_SYSTEMS = ("A", "B", "C")
_TEXT = "Die Tür geht heute nicht auf, sehr bald."
_QUICK = ("test=randomization(draws=100)", "interval=bootstrap(draws=50)")


def _ids() -> list[str]:
    return [
        f"official_###_{pair.replace('-', '_###_')}_###_news_###_d{n // 2}_###_{n}" for pair in _PAIRS for n in range(4)
    ]


def _lines(objects: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in objects)


def _marks(chosen: random.Random, clean: bool) -> list[dict[str, Any]]:
    starts = [] if clean else chosen.sample(range(20), 2)
    return [{"start_i": s, "end_i": s + 4, "severity": chosen.choice(["minor", "major"])} for s in starts]


def _esa() -> str:
    chosen = random.Random(SEED)
    return _lines(
        [
            {
                "doc_id": key,
                "src_text": "The door does not open.",
                "tgt_text": dict.fromkeys(_SYSTEMS, _TEXT),
                "scores": {
                    system: [
                        {"score": chosen.randrange(85, 100) - 40 * dirty, "errors": _marks(chosen, not dirty)}
                        for dirty in [(number + column) % 3 > 0] * 2
                    ]
                    for column, system in enumerate(_SYSTEMS)
                },
            }
            for number, key in enumerate(_ids())
        ]
    )


def _cesa() -> str:
    chosen = random.Random(SEED)
    campaigns: dict[str, list[dict[str, Any]]] = {}
    for number, key in enumerate(_ids()):
        _, source, target, item = key.split("_###_", 3)
        annotation = {
            system: {
                "score": chosen.randrange(85, 100) - 40 * ((number + column) % 3 > 0),
                "error_spans": _marks(chosen, (number + column) % 3 == 0),
            }
            for column, system in enumerate(_SYSTEMS)
        }
        screen = {
            "annotation": [annotation],
            "actions": [],
            "item": [{"item_id": item, "src": "The door does not open.", "tgt": dict.fromkeys(_SYSTEMS, _TEXT)}],
            "user_id": "calm-river",
            "item_i": number,
        }
        campaigns.setdefault(f"{source}---{target} v3", []).append(screen)
    return json.dumps(campaigns, ensure_ascii=False, indent=1) + "\n"


def _predicted(name: str, *tasks: int) -> str:
    chosen = random.Random(f"{SEED} {name}")

    def marked() -> dict[str, Any]:
        errors = [
            {"start": s, "end": s + 5, "severity": chosen.choice(["minor", "major"]), "category": None}
            for s in chosen.sample(range(20), chosen.randrange(3))
        ]
        return {"errors": errors, "omission": chosen.choice([None, "minor"]), "instruction_fault": None}

    def of_task(task: int) -> dict[str, Any]:
        make = {1: marked, 2: lambda: chosen.randrange(1000) / 10, 3: lambda: chosen.randrange(2)}[task]
        return {system: make() for system in _SYSTEMS}

    return _lines([{"item_id": key, **{f"task{task}_pred": of_task(task) for task in tasks}} for key in _ids()])


def _input() -> str:
    source = {"src": "The door does not open.", "ref": {"text": _TEXT, "type": "postedit"}}
    return _lines([{"item_id": key, **source, "hyps": dict.fromkeys(_SYSTEMS, _TEXT)} for key in _ids()])


def _files(gold: str, *tasks: int, **extra: str) -> dict[str, str]:
    submissions = {f"submissions/{name}.jsonl": _predicted(name, *tasks) for name in ("one", "two")}
    name = "gold.json" if gold.startswith("{\n") else "gold.jsonl"
    return {name: gold, **submissions, **{f"{name}.jsonl": text for name, text in extra.items()}}


def _mqm() -> str:
    error = {"start": 0, "end": 3, "category": "style", "severity": "minor", "score": 1, "is_source_error": False}
    return _lines(
        [
            {"document_id": "d", "segment_id": n, "system_id": system, "rater_id": "r", "errors": [error] * (n % 3)}
            for system in _SYSTEMS
            for n in range(4)
        ]
    )


class _SingleFile(SmallTask):
    """A task that is one file."""

    def command(self, path: str) -> list[str]:
        """Return the arguments of the command that evaluates the file in a folder."""
        (file,) = self.files
        return super().command(f"{path}/{file}")


def _automatic() -> dict[str, str]:
    scores = {
        name: [round(0.1 * k + 0.01 * n, 3) for n in range(8)] for k, name in enumerate(("one", "two", "three"), 1)
    }
    return {
        f"{system}.jsonl": _lines(
            [
                {
                    "language_pair": "en-is_IS",
                    "domain": "news",
                    "document_id": f"d{first}",
                    "metric_scores": {"K": of[first : first + 4], "X": [-3 * value for value in of[first : first + 4]]},
                }
                for first in (0, 4)
            ]
        )
        for system, of in scores.items()
    }


def _table() -> str:
    return _lines([{"segment": f"s{i}", "gold": gold, "good": GOOD[i], "fair": FAIR[i]} for i, gold in enumerate(GOLD)])


_THRESHOLDS = _lines([{"submission": name, "threshold": 60.5, "inclusive": name == "one"} for name in ("one", "two")])

_TASKS = (
    SmallTask("wmt26_spans", "wmt26_task1", _files(_esa(), 1, input=_input()), _QUICK, "esa"),
    SmallTask("wmt26_spans", "wmt26_task1", _files(_cesa(), 1), _QUICK, "cesa"),
    SmallTask("wmt26_scores", "wmt26_task2", _files(_esa(), 2), ("least=2",), "esa"),
    SmallTask("wmt26_error_free", "wmt26_task3", _files(_esa(), 2, 3, thresholds=_THRESHOLDS), _QUICK, "esa"),
    _SingleFile("wmt26_systems", "wmt26_systems", {"annotations.json": _cesa()}, (), "cesa"),
    SmallTask("automatic_scores", "wmt25_autorank", _automatic()),
    _SingleFile("table", "qe_sentence", {"scores.jsonl": _table()}, label="objects"),
    RatedFile("esa_ratings", "", {"annotations.json": _cesa()}, label="cesa"),
    RatedFile("mqm_ratings(layout=lines)", "", {"en-de.jsonl": _mqm()}),
)

JSON_TASKS = {task.name: task for task in _TASKS}
"""Every small task of JSON lines by its name."""
