"""The glossary: each term in one sentence, in the order of the alphabet; the classes from their docstrings."""

import re
from pathlib import Path

import pytest

import qeframe
from qeframe import plugin

DOCS = Path(__file__).parents[2] / "docs"
TERMS = dict(
    re.findall(r"^(\S.*)\n: (.*)$", (DOCS / "reference" / "glossary.md").read_text(encoding="utf-8"), flags=re.M)
)
WANTED = (
    *("aggregation", "attack", "batch", "certainty", "claim", "cluster", "contest", "correction", "draw", "family"),
    *("gaming index", "gold", "honest chance", "metric", "oriented score", "profile", "provenance", "ranking rule"),
    *("audit", "cell", "generated gold", "hook", "item", "segment", "slice", "system"),
    *("known_weaknesses", "may be best", "rank set"),
    *("rows", "scoreboard", "signature", "statistic", "submission", "sums", "task", "tie policy", "unit", "weights"),
)


@pytest.fixture(scope="module")
def class_table(extensions):
    return extensions("class_table")


def test_there_are_at_most_50_terms_in_order():
    assert len(TERMS) <= 50
    assert list(TERMS) == sorted(TERMS, key=lambda term: term.replace("-", " "))


@pytest.mark.parametrize("term", WANTED)
def test_important_terms_are_there(term):
    assert term in TERMS


@pytest.mark.parametrize("term", TERMS)
def test_a_term_is_one_sentence_that_begins_with_it(term):
    meaning = TERMS[term]
    assert meaning.endswith(".")
    assert not re.search(r"[.!?] [A-Z]", meaning)
    assert term in meaning.lower()


def test_every_public_class_is_in_the_table(class_table):
    rows = class_table.class_table().splitlines()[2:]
    named = [re.match(r"\| `(\w+)` \|", row)[1] for row in rows]  # type: ignore[index]
    assert {"Metric", "Batch", "Evaluation", "Profile", "DataError"} <= set(named)
    assert named == sorted(set(named))
    for name in named:
        assert hasattr(qeframe, name) or hasattr(plugin, name)
    for row in rows:
        assert len(row.split(" | ")[1]) > 10, row


def test_first_sentence(class_table):
    def described():
        """Return a thing, e.g.
        of a kind. And more.

        Even more.
        """

    assert class_table.first_sentence(described) == "Return a thing, e.g. of a kind."
