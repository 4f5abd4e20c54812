"""Sections: against the rule in plain Python, and the numbers of RewardBench."""

import tomllib
from importlib.resources import files

import numpy as np
import pytest
import slow
from hypothesis import given

import qeframe
from qeframe.plugin import DataError, Preferences
from qeframe.testing import preferences_batches
from qeframe_preferences import section_accuracy

SCHEME = tomllib.loads(files("qeframe_preferences").joinpath("rewardbench.toml").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize("ties", [-0.1, 1.5])
def test_a_credit_is_a_share(ties):
    with pytest.raises(DataError, match=r"section_accuracy: ties = .* must be from 0 to 1"):
        qeframe.score(f"section_accuracy(ties={ties})", ["A"], ["A"])


def test_it_is_the_accuracy_where_there_is_one_section():
    batch = Preferences.from_plain(["A", "B", "A"], [["A", "tie"], "B", [None, "A"]])
    for ties in (0, 0.5):
        one = qeframe.score(f"section_accuracy(ties={ties})", batch, None)
        assert one == qeframe.score(f"preference_accuracy(ties={ties})", batch, None)


def test_it_is_that_of_section_tau_of_qeframe():
    batch = Preferences.from_plain(["A"] * 5, ["A", "B", "A", "tie", "A"], sections=[*"xxyyz"])
    assert qeframe.score("section_tau", batch, None) == 2 * qeframe.score("section_accuracy", batch, None) - 1
