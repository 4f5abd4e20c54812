"""Sections: against the rule in plain Python, and the numbers of RewardBench."""

import tomllib
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.preferences.kind import preferences_batches
from qeframe.plugin import Preferences
from qeframe_preferences import section_accuracy, section_tau
from tests.plugins.qeframe_preferences import slow

SCHEME = tomllib.loads(files("qeframe_preferences").joinpath("schemes/rewardbench.toml").read_text(encoding="utf-8"))
SECTIONS = {each["name"]: (each["weight"], each["subsets"]) for each in SCHEME["section"]}


def by_section(batch):
    """Return the part of each section of a batch that has pairs, by its name."""
    units = {name: np.flatnonzero(batch.section == code) for code, name in enumerate(batch.section_names)}
    return {name: batch.take(found) for name, found in units.items() if len(found)}


@given(preferences_batches())
def test_equal_sections(batch):
    for rule, slowly in (("decisions", slow.accuracy), ("judgebench", slow.judgebench)):
        expected = np.mean([slowly(part) for part in by_section(batch).values()])
        score = qeframe.score(f"section_accuracy(rule={rule})", batch, None)
        assert score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_sections_of_rewardbench(seed):
    rng = np.random.default_rng(seed)
    subsets = [name for _, members in SECTIONS.values() for name in members]
    names = rng.choice(subsets[: rng.integers(2, len(subsets) + 1)], 200).tolist()
    decisions = rng.choice([1, 0, -1], 200).tolist()
    batch = Preferences.from_plain([1] * 200, decisions, sections=names)
    for ties in (0.0, 0.5):
        accuracies = {name: slow.accuracy(part, ties) for name, part in by_section(batch).items()}
        expected = slow.section_mean(accuracies, SECTIONS.values())
        metric = f"section_accuracy(scheme=rewardbench, ties={ties:g})"
        assert qeframe.score(metric, batch, None) == pytest.approx(expected, abs=1e-12)


def test_the_numbers_of_rewardbench():
    examples = {name: sum(members.values()) for name, (_, members) in SECTIONS.items()}
    assert examples == {"Chat": 358, "Chat Hard": 456, "Safety": 740, "Reasoning": 2 * 984, "Prior Sets": 4}
    assert sum(examples.values()) - 4 - (984 - 447) == 2985
    assert [weight for weight, _ in SECTIONS.values()] == [1, 1, 1, 1, 0.5]


def test_details_have_the_accuracy_of_each_section():
    batch = Preferences.from_plain(["A"] * 3, ["A", "B", "A"], sections=["math-prm", "math-prm", "hep-go"])
    sections = section_accuracy(scheme="rewardbench").details(batch)["sections"]
    assert sections["Reasoning"] == pytest.approx((984 * 0.5 + 164) / (984 + 164))
    assert np.isnan(sections["Chat"])


def test_an_unknown_subset_is_named():
    batch = Preferences.from_plain(["A"], ["A"], sections=["math"])
    with pytest.raises(DataError, match=r"subset 'math' is in no section of the scheme; set scheme=equal"):
        qeframe.score("section_accuracy(scheme=rewardbench)", batch, None)


ACES = tomllib.loads(files("qeframe_preferences").joinpath("schemes/aces.toml").read_text(encoding="utf-8"))
CATEGORIES = {each["name"]: (each["weight"], [*each["subsets"]]) for each in ACES["section"]}
TOY = {
    "addition": ([3, 2, 1, 5], [1, 2, 2, 4]),
    "omission": ([1, 1], [0, 0]),
    "nonsense": ([2, 2, 2], [1, 2, 3]),
    "lexical-overlap": ([5], [4]),
    "copy-source": ([1, 2], [2, 1]),
    "do-not-translate": ([1], [1]),
    "hyponym-replacement": ([2, 3], [1, 1]),
    "hypernym-replacement": ([2, 0], [1, 1]),
    "real-world-knowledge-entailment": ([1], [0]),
    "similar-language-high": ([1, 2, 3], [0, 0, 9]),
    "punctuation:deletion_all": ([1, 1], [0, 2]),
}
"""Scores of good and incorrect translations, of which the functions of the official program make 12."""


def preferred(scores):
    """Return a batch in which the good translation is A, from scores by phenomenon."""
    rows = [(name, int(np.sign(a - b))) for name, (good, bad) in scores.items() for a, b in zip(good, bad, strict=True)]
    return Preferences.from_plain([1] * len(rows), [sign for _, sign in rows], sections=[name for name, _ in rows])


def test_the_numbers_of_aces():
    assert {name: len(phenomena) for name, (_, phenomena) in CATEGORIES.items()} == {
        **dict.fromkeys(("addition", "omission", "overtranslation", "undertranslation", "do not translate"), 1),
        "mistranslation": 47,
        "untranslated": 3,
        "real-world knowledge": 7,
        "wrong language": 2,
        "punctuation": 4,
    }
    assert sum(weight for weight, _ in CATEGORIES.values()) == pytest.approx(29.1)


def test_the_aces_score_of_the_official_functions():
    batch = preferred(TOY)
    assert qeframe.score("section_tau(scheme=aces)", batch, None) == pytest.approx(12, abs=1e-12)
    details = section_tau(scheme="aces").details(batch)
    assert details["subsets"]["nonsense"] == pytest.approx(-1 / 3)
    assert details["sections"]["mistranslation"] == pytest.approx(1 / 3)
    tied = preferred({name: ([0], [0]) for name in TOY})
    assert qeframe.score("section_tau(scheme=aces)", tied, None) == pytest.approx(-29.1)


@pytest.mark.parametrize("seed", range(10))
def test_the_aces_score_against_loops(seed):
    rng = np.random.default_rng(seed)
    scores = {
        name: rng.integers(0, 3, (2, rng.integers(1, 5))).tolist()
        for _, phenomena in CATEGORIES.values()
        for name in rng.permutation(phenomena)[: rng.integers(1, 5)].tolist()
    }
    batch = preferred(scores)
    assert qeframe.score("section_tau(scheme=aces)", batch, None) == pytest.approx(slow.aces(scores, CATEGORIES))
    taus = [slow.tau(good, bad) for good, bad in scores.values()]
    assert qeframe.score("section_tau", batch, None) == pytest.approx(np.mean(taus))


def test_a_category_without_an_example_has_no_aces_score():
    assert np.isnan(qeframe.score("section_tau(scheme=aces)", preferred({"addition": ([1], [0])}), None))
    with pytest.raises(DataError, match=r"section_tau: subset 'math' is in no section of the scheme"):
        qeframe.score("section_tau(scheme=aces)", preferred({"math": ([1], [0])}), None)


@given(preferences_batches())
def test_tau_is_of_the_accuracies_of_sections(batch):
    accuracy = qeframe.score("section_accuracy", batch, None)
    assert qeframe.score("section_tau", batch, None) == pytest.approx(2 * accuracy - 1, abs=1e-12)
