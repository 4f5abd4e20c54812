"""Small valid files of ratings by columns: tables of errors and of scores, and ``.seg.rating`` of mt-metrics-eval."""

import json
import random
from collections.abc import Mapping

from tests.fuzz.small_tasks import SEED, RatedFile, SmallTask

__all__ = ["RATING_TASKS"]

_SYSTEMS = ("alpha", "beta")
_SEGMENTS = 4


def _chosen(*key: object) -> random.Random:
    return random.Random(f"{SEED} {key}")


def _table() -> str:
    header = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
    kinds = (("style", "minor"), ("accuracy/omission", "major"), ("no-error", "no-error"))
    rows = [
        (system, "doc", "1", segment, "rater1", "The door.", "Die Tür.", *_chosen(system, segment).choice(kinds))
        for system in _SYSTEMS
        for segment in range(1, _SEGMENTS + 1)
    ]
    return "".join("\t".join(map(str, row)) + "\n" for row in (header, *rows))


def _scores() -> str:
    header = ("system", "doc", "seg_id", "rater", "score")
    rows = [
        (system, "doc", segment, "rater1", _chosen(system, segment).randint(0, 6))
        for system in _SYSTEMS
        for segment in range(1, _SEGMENTS + 1)
    ]
    return "".join("\t".join(map(str, row)) + "\n" for row in (header, *rows))


def _rating(system: str, segment: int) -> str:
    error = {"start": 0, "end": 3, "category": "style", "severity": "minor", "score": 1, "is_source_error": False}
    return "None" if segment % 4 == 3 else json.dumps({"errors": [error] * (segment % 3)})


def _ratings() -> str:
    return "".join(
        f"{system}\t{_rating(system, segment)}\trater1\n" for system in _SYSTEMS for segment in range(_SEGMENTS)
    )


RATING_TASKS: Mapping[str, SmallTask] = {
    task.name: task
    for task in (
        RatedFile("mqm_ratings", "", {"ratings.tsv": _table()}, (), "table"),
        RatedFile("sqm_ratings", "", {"ratings.tsv": _scores()}, (), "scores"),
        RatedFile("mqm_ratings(layout=rating)", "", {"en-de.mqm.seg.rating": _ratings()}, (), "rating"),
    )
}
"""The tasks by name."""
