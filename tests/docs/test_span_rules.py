"""The page that compares the rules of error spans: its numbers are stored, and these come from the data."""

import json
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.metric import Metric
from tests.docs.studies import loaded_study

DOCS = Path(__file__).parents[2] / "docs"
STORED = json.loads((DOCS / "explanation" / "span-rules.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def study():
    return loaded_study("span_rules")


def test_the_table_is_that_of_the_stored_numbers(study, tmp_path):
    page = (DOCS / "explanation" / "span-rules.md").read_text(encoding="utf-8")
    (tmp_path / "span-rules.md").write_text(page, encoding="utf-8")
    study.write(tmp_path, STORED)
    assert (tmp_path / "span-rules.md").read_text(encoding="utf-8") == page


def test_what_is_said_of_attacks_is_stored():
    page = " ".join((DOCS / "explanation" / "span-rules.md").read_text(encoding="utf-8").split())
    twice, nothing = (STORED["scores"][name] for name in ("every_severity", "no_span"))
    first, second, silence = (
        f"{each['score']:.3f}"[1:] for each in (twice["2023"], twice["2025"], nothing["MPP macro"])
    )
    assert f"marking every character twice scores {first}, and the rule of 2025 gives it {second}." in page
    assert f"no span at all scores {silence}, more than the poor submission has" in page
    assert nothing["MPP macro"]["score"] > STORED["scores"]["poor"]["MPP macro"]["score"]


def test_a_small_annotation(study, tmp_path):
    error = {"start": 0, "end": 4, "category": "fluency/grammar", "severity": "minor", "is_source_error": False}
    lines = ["A\t" + json.dumps({"errors": [error, {**error, "is_source_error": True}]}), "A\tNone"]
    lines += ["refA\t" + json.dumps({"errors": [{**error, "end": 9}]}), "refA\tNone"]
    (tmp_path / "small").write_text("\n".join(lines) + "\n")
    batch, left_out = study.read(tmp_path / "small")
    assert (len(batch), batch.text.tolist(), batch.categories) == (1, [9], ("fluency/grammar",))
    assert left_out == {
        "spans of the source": 1, "translations of references": 2, "translations without annotation": 1,
    }  # fmt: skip


def test_the_stored_numbers_come_from_the_data(study, shared_data):
    file = shared_data("wmt23-metrics-pairs/human-scores/en-de.mqm.merged.seg.rating")
    batch, left_out = study.read(file)
    assert STORED["counts"] == {"translations": len(batch), "spans": len(batch.gold.values), "left out": left_out}
    made = study.submission(batch, study.QUALITIES["excellent"], np.random.default_rng(study.SEED))
    registry = qeframe.load()
    for rule, name in study.RULES.items():
        score = float(registry.get(Metric, name).bind(made)(np.ones(len(made))))
        assert score == pytest.approx(STORED["scores"]["excellent"][rule]["score"], abs=1e-6)
