"""The warnings of an evaluation, each on the case that calls for it."""

import numpy as np
import pytest

import qeframe
from qeframe import Comparison, Submission, Task
from qeframe.assembly.remarks import remarks_on_claimed_pairs, remarks_on_family, too_few_draws
from qeframe.core.comparison import ComparisonRules
from qeframe.core.errors import ResultWarning
from qeframe.plugin import Correction, Scores, SignificanceTest


def rules(draws=99, factor=1.0, alpha=0.05) -> ComparisonRules:
    test = SignificanceTest(name="test", summary="", needs="bind", run=lambda *_: None, least_p=1 / (1 + draws))
    correction = Correction(name="times", summary="", adjust=lambda p: np.minimum(p * factor, 1))
    return ComparisonRules(test=test, correction=correction, alpha=alpha)


def comparison(a, b, task="", **numbers) -> Comparison:
    given = {"difference": 1.0, "p": 0.01, "p_adjusted": 0.01, "least_p": 0.01, **numbers}
    return Comparison(a=a, b=b, metric="m", task=task, test="test", sided="two", significant=False, **given)


@pytest.mark.parametrize(("factor", "needed"), [(4.0, ""), (10.0, "ask for at least 200 draws")])
def test_draws_that_the_correction_makes_too_few(factor, needed):
    warning = too_few_draws(rules(factor=factor), 3)
    assert warning.endswith(needed)
    assert bool(warning) is bool(needed)


def test_an_empty_family_and_a_test_without_a_bound_have_no_warning():
    assert too_few_draws(rules(factor=100.0), 0) == ""
    unbounded = ComparisonRules(
        test=SignificanceTest(name="t", summary="", needs="vectors", run=lambda *_: None), correction=rules().correction
    )
    assert too_few_draws(unbounded, 10) == ""


def equally_spaced(submissions, units=60) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return gold and submissions of which each is better than the next."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=units)
    return gold, {f"s{i}": gold + (0.1 + 0.2 * i) * rng.normal(size=units) for i in range(submissions)}


@pytest.mark.parametrize(
    ("submissions", "test", "correction"),
    [
        (11, "default", "default"),
        (33, "jackknife_and_exchange(draws=99)", "romano_wolf_and_max_t(draws=99)"),
        (33, "exchange(draws=99)", "max_t(draws=99)"),
    ],
)
def test_a_correction_by_joint_draws_makes_no_family_too_large(submissions, test, correction):
    gold, answers = equally_spaced(submissions)
    found = qeframe.compare("mae", gold, answers, test=test, correction=correction)
    draws = 10_000 if test == "default" else 99  # an adjusted p is near alpha
    assert min(pair.p_adjusted for pair in found) == pytest.approx(1 / (1 + draws))
    assert any(pair.significant for pair in found)
    assert not [warning for warning in found.warnings if "no difference can be significant" in warning]


@pytest.mark.parametrize(
    ("submissions", "correction", "draws"), [(3, "holm", 1000), (11, "holm", 10_000), (11, "none", 1000)]
)
def test_a_default_test_draws_on_until_a_correction_without_draws_can_claim_a_pair(submissions, correction, draws):
    gold, answers = equally_spaced(submissions)
    found = qeframe.compare("mae", gold, answers, correction=correction)
    assert {pair.least_p for pair in found} == {1 / (1 + draws)}
    assert any(pair.significant for pair in found)
    task = Task(name="t", batches={Submission(name): Scores.from_plain(gold, each) for name, each in answers.items()})
    rules = ["secondary=", "interval=", "primary=mae", f"correction={correction}"]
    assert qeframe.evaluate("qe_sentence", task, settings=rules).signature.draws == "1000+10000"


def test_equal_submissions_are_not_told_to_draw_on():
    """More draws would be taken if one pair had the smallest p of those that were."""
    rng = np.random.default_rng(0)
    gold = rng.normal(size=60)
    found = qeframe.compare("mae", gold, {f"s{i}": gold + rng.normal(size=60) for i in range(12)}, correction="holm")
    assert {pair.least_p for pair in found} == {1 / 1001}
    assert not [warning for warning in found.warnings if "no difference can be significant" in warning]


@pytest.mark.filterwarnings("ignore::qeframe.core.errors.ResultWarning")
def test_no_more_draws_are_taken_where_the_most_are_not_enough():
    """5,050 pairs under holm need 101,000 draws, and 100,000 are the most."""
    gold, answers = equally_spaced(101, units=20)
    assert {pair.least_p for pair in qeframe.compare("mae", gold, answers, correction="holm")} == {1 / 1001}


@pytest.mark.filterwarnings("ignore::qeframe.core.errors.ResultWarning")
def test_too_few_joint_draws_are_told_also_where_the_test_draws_nothing():
    gold, answers = equally_spaced(3)
    found = qeframe.compare("mae", gold, answers, test="jackknife", correction="romano_wolf(draws=15)")
    (warning,) = [warning for warning in found.warnings if "no difference can be significant" in warning]
    assert warning == (
        "no difference can be significant: the smallest p is 0.062 with the correction 'romano_wolf(draws=15)' of 3 "
        "pairs, alpha is 0.05; ask for at least 20 draws: romano_wolf(draws=20)"
    )
    draws = {"test": "exchange(draws=30)", "correction": "max_t(draws=30)"}
    alone, together = (qeframe.compare(metric, gold, answers, **draws).warnings for metric in ("mae", ["mae", "rmse"]))
    assert not [warning for warning in alone if "no difference" in warning]
    assert [warning for warning in together if "of 3 pairs under 2 metrics" in warning and "at least 40" in warning]


def test_a_claimed_pair_of_unlike_errors_is_named_in_every_way_of_comparing(registry):
    """Few units decide the error of b, so that the claim that a is better is less certain than its p."""
    rng = np.random.default_rng(3)
    gold = rng.normal(size=200)
    b = 0.5 * gold + rng.normal(size=200)
    b[:4] += [30.0, -30.0, 25.0, -25.0]
    answers = {"a": 0.8 * gold + 0.5 * rng.normal(size=200), "b": b}
    with pytest.warns(ResultWarning, match="a and b: few units decide"):
        found = qeframe.compare("pearson", gold, answers, registry=registry)
    assert found[0].significant
    (claim,) = [warning for warning in found.warnings if "few units decide" in warning]
    assert claim.startswith("'jackknife_and_exchange': a and b: few units decide the error of one score, many that of")
    task = Task(name="t", batches={Submission(name): Scores.from_plain(gold, of) for name, of in answers.items()})
    assert claim in qeframe.evaluate("qe_sentence", [task], registry=registry).warnings


def test_pairs_without_a_score_are_counted_by_task():
    pairs = [comparison("a", "b", "en-de"), comparison("a", "c", "en-de", difference=np.nan, p=np.nan)]
    assert list(remarks_on_family(rules(), pairs)) == [
        "1 of 2 pairs on en-de cannot be tested and do not count in the correction: there is no score of c"
    ]
    pairs = [comparison(*names, difference=np.nan, p=np.nan) for names in ("ab", "ac", "bc")]
    (told,) = remarks_on_family(rules(), pairs)
    assert told == "3 of 3 pairs cannot be tested and do not count in the correction: no two submissions have a score"


def test_a_reason_is_told_as_one_of_a_test_or_of_none():
    pairs = [comparison("a", "b", "", p=0.5, reason="by the exchange of answers alone: a score is perfect")]
    assert list(remarks_on_family(rules(), pairs)) == [
        "1 of 1 pair: tested by the exchange of answers alone: a score is perfect"
    ]
    (warning,) = remarks_on_family(rules(), [comparison("a", "b", "", p=np.nan, reason="nothing varies")])
    assert warning == "1 of 1 pair cannot be tested by 'test': nothing varies"


def test_few_exchanges_that_were_enumerated_name_their_tasks():
    pairs = [comparison("a", "b", task, p=0.125, least_p=0.125) for task in ("x", "y")]
    (warning,) = remarks_on_family(rules(), pairs)
    assert warning.startswith("no difference can be significant on x, y: the smallest p of test is 0.12")
    assert warning.endswith("all exchanges were enumerated: there are too few units")


def with_gross_errors(rng, units):
    """Return noise of which eight values are off."""
    noise, chosen = rng.normal(size=units), rng.choice(units, 8, replace=False)
    noise[chosen] += rng.choice([-1, 1], 8) * 12
    return noise


def test_only_claimed_pairs_are_told_to_have_unlike_errors_and_three_are_named():
    rng, units = np.random.default_rng(1), 600
    gold = rng.normal(size=units)
    answers = {"a": gold + 0.4 * rng.normal(size=units), "b": gold + 0.42 * rng.normal(size=units)}
    answers |= {
        name: gold + size * with_gross_errors(rng, units) for name, size in (("c", 0.35), ("d", 0.5), ("e", 0.7))
    }
    batches = {Submission(name): Scores.from_plain(gold, values) for name, values in answers.items()}
    found = qeframe.evaluate("qe_sentence", Task(name="t", batches=batches), settings=["interval="])
    told = [warning for warning in found.warnings if "few units decide" in warning or "the same holds" in warning]
    assert [warning.split(": ")[1] for warning in told[:3]] == ["a and d", "a and e", "b and d"]
    assert told[3] == "'jackknife_and_exchange': the same holds for 1 other pair"  # b and e
    assert len(told) == 4, "after the correction, no test alone would claim a and c"
    assert {("a", "c"), ("b", "c")}.isdisjoint((c.a, c.b) for c in found.comparisons if c.significant)


def test_pairs_that_one_of_two_tests_alone_would_claim_are_named_with_both_p():
    apart = {"jackknife": 0.004, "exchange": 0.08}
    pairs = [comparison("a", f"b{i}", p=0.08, p_adjusted=0.12, p_of=apart) for i in range(4)]
    pairs += [
        comparison("a", "near", p_of={"jackknife": 0.0055, "exchange": 0.0075}),
        comparison("a", "alone", p_of={"jackknife": np.nan, "exchange": 0.01}),
        comparison("a", "one"),
        comparison("a", "draws", p_of={"jackknife": 0.0001, "exchange": 0.01}),
        comparison("a", "corrected", p=0.08, p_adjusted=0.16, p_of={"jackknife": 0.03, "exchange": 0.08}),
    ]
    (told,) = remarks_on_claimed_pairs(rules(), None, pairs)
    assert told == (
        "'test': of its tests, one alone is significant and the other not: a and b0 (jackknife 0.004, "
        "exchange 0.080), a and b1 (jackknife 0.004, exchange 0.080), a and b2 (jackknife 0.004, exchange 0.080) and 1 "
        "other pair; few units decide, and --influence shows them"
    )
    assert list(remarks_on_claimed_pairs(rules(), None, pairs[4:])) == []
