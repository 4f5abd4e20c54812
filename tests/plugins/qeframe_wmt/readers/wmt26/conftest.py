"""Small files of WMT26, as objects."""

import json
from collections.abc import Callable
from typing import Any

import pytest

ID = "official_###_eng_Latn_###_deu_Latn_###_news_###_d1_###_{}"


def as_lines(*objects: Any) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


@pytest.fixture
def esa() -> Callable[..., dict[str, Any]]:
    """Make a line of gold: the annotations of systems, each (score, marks)."""

    def make(number: int | str = 0, text: str = "0123456789", **systems: Any) -> dict[str, Any]:
        scores = {
            name: [
                {
                    "score": score,
                    "errors": [dict(zip(("start_i", "end_i", "severity"), mark, strict=True)) for mark in marks],
                }
                for score, *marks in annotations
            ]
            for name, annotations in systems.items()
        }
        key = ID.format(number) if isinstance(number, int) else number
        return {"doc_id": key, "src_text": "x", "tgt_text": dict.fromkeys(systems, text), "scores": scores}

    return make
