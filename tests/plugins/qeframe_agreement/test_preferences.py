"""Accuracy and bias of decisions, tau by section and the ACES-score, against slow loops and by hand."""

import math
import statistics
import tomllib
from importlib.resources import files

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe.kinds.preferences.kind import KIND, preferences_batches
from qeframe.plugin import Additive, Preferences
from qeframe.plugin.kinds import NOT_ASKED
from qeframe_agreement import preference_accuracy, preference_bias, section_tau


def slow_accuracy(batch, ties=0.0):
    rows = zip(batch.gold.tolist(), batch.decisions.tolist(), strict=True)
    total = 0.0
    for gold, decisions in rows:
        credits = [1.0 if d == gold else ties if d == 0 else 0.0 for d in decisions if d != NOT_ASKED]
        total += sum(credits) / len(credits)
    return total / len(batch)


@given(preferences_batches())
def test_accuracies_are_those_of_the_rules(batch):
    for ties in (0.0, 0.5, 1.0):
        expected = slow_accuracy(batch, ties)
        assert qeframe.score(preference_accuracy(ties=ties), batch) == pytest.approx(expected, abs=1e-12)


def test_scores_of_reward_models():
    batch = Preferences.from_plain(["A"] * 4, ["A", "A", "tie", "B"])
    assert isinstance(preference_accuracy().bind(batch), Additive)
    assert qeframe.score("preference_accuracy", batch, None) == 0.5
    assert qeframe.score("preference_accuracy(ties=0.5)", batch, None) == 0.625


@pytest.mark.parametrize("ties", [-0.1, 1.5])
def test_a_credit_is_a_share(ties):
    with pytest.raises(DataError, match=r"preference_accuracy: ties = .* must be from 0 to 1"):
        qeframe.score(f"preference_accuracy(ties={ties})", ["A"], ["A"])


def batch_of(scores):
    scores = np.array(scores, dtype=float).reshape(-1, 2)
    batch = Preferences.from_plain([0] * len(scores), np.sign(scores[:, 0] - scores[:, 1]).astype(int).tolist())
    return attrs.evolve(batch, predicted=np.concatenate([batch.predicted[:, :2], scores], axis=1))


GRID = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=20)


@given(GRID, st.booleans())
def test_against_plain_python(scores, signed):
    batch = batch_of(scores)
    shares = (sum(a > b for a, b in scores) - sum(a < b for a, b in scores)) / len(scores)
    spread = statistics.pstdev([score for pair in scores for score in pair])
    means = statistics.fmean(a - b for a, b in scores) / spread if spread else math.nan
    for of, expected in (("decisions", shares), ("scores", means)):
        expected = expected if signed else abs(expected)
        assert qeframe.score(preference_bias(of=of, signed=signed), batch, None) == pytest.approx(
            expected, nan_ok=True, abs=1e-12
        )


def test_a_constant_has_no_bias_in_decisions_and_none_in_scores():
    batch = batch_of([[2, 2], [2, 2]])
    assert qeframe.score(preference_bias(), batch, None) == 0
    assert math.isnan(qeframe.score(preference_bias(of="scores"), batch, None))


def test_the_sides_are_exchanged_with_the_sign():
    batch, other = batch_of([[1, 0], [3, 1], [0, 1]]), batch_of([[0, 1], [1, 3], [1, 0]])
    metric = preference_bias(of="scores", signed=True)
    assert qeframe.score(metric, batch, None) == -qeframe.score(metric, other, None) > 0


def test_details_tell_the_shares():
    details = preference_bias().details(batch_of([[1, 0], [3, 1], [0, 1], [1, 1]]))
    assert {name: details[name] for name in ("pairs", "prefers A", "prefers B", "tied")} == {
        "pairs": 4,
        "prefers A": 0.5,
        "prefers B": 0.25,
        "tied": 0.25,
    }


def slow_tau(good, bad):
    """Return the Kendall-like tau of pairs of scores; a tie is discordant."""
    concordant = sum(a > b for a, b in zip(good, bad, strict=True))
    discordant = sum(a <= b for a, b in zip(good, bad, strict=True))
    return (concordant - discordant) / (concordant + discordant)


def slow_aces(scores, categories):
    """Return the ACES-score of (good, bad) by phenomenon, from (weight, phenomena) by category."""
    total = 0.0
    for weight, phenomena in categories.values():
        taus = [slow_tau(*scores[name]) for name in phenomena if name in scores]
        total += weight * sum(taus) / len(taus)
    return total


ACES = tomllib.loads(files("qeframe_agreement").joinpath("preferences/aces.toml").read_text(encoding="utf-8"))
CATEGORIES = {each["name"]: (each["weight"], each["phenomena"]) for each in ACES["category"]}
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
    assert qeframe.score("section_tau(scheme=aces)", batch, None) == pytest.approx(slow_aces(scores, CATEGORIES))
    taus = [slow_tau(good, bad) for good, bad in scores.values()]
    assert qeframe.score("section_tau", batch, None) == pytest.approx(np.mean(taus))


def test_a_category_without_an_example_has_no_aces_score():
    assert np.isnan(qeframe.score("section_tau(scheme=aces)", preferred({"addition": ([1], [0])}), None))
    with pytest.raises(DataError, match=r"section_tau: subset 'math' is in no section of the scheme"):
        qeframe.score("section_tau(scheme=aces)", preferred({"math": ([1], [0])}), None)


@given(preferences_batches())
def test_tau_is_of_the_accuracies_of_sections(batch):
    units = [np.flatnonzero(batch.section == code) for code in range(len(batch.section_names))]
    accuracy = np.mean([slow_accuracy(batch.take(found)) for found in units if len(found)])
    assert qeframe.score("section_tau", batch, None) == pytest.approx(2 * accuracy - 1, abs=1e-12)


METRICS = ("preference_accuracy(ties=0.5)", "section_tau")


@pytest.fixture(scope="module")
def judges():
    gold = KIND.audit.generate(np.random.default_rng(1)).batch.take(np.arange(300))
    return {
        f"q{quality}": KIND.audit.honest(gold, quality, np.random.default_rng(i))
        for i, quality in enumerate((0.2, 0.8, 0.8))
    } | {"again": KIND.audit.honest(gold, 0.8, np.random.default_rng(9))}


@pytest.mark.parametrize("test", ["randomization(draws=500)", "bootstrap(draws=500)"])
@pytest.mark.parametrize("metric", METRICS)
def test_a_better_judge_is_told_from_a_worse_one(metric, test, judges):
    pairs = qeframe.compare(metric, None, judges, test=test, seed=1)
    by_name = {frozenset((pair.a, pair.b)): pair.p for pair in pairs}
    assert all(0 < p <= 1 for p in by_name.values())
    assert by_name[frozenset(("q0.2", "q0.8"))] < 0.01
    assert by_name[frozenset(("again", "q0.8"))] > 0.01
