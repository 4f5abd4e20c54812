"""The laws of data: what they draw, and that they draw what the stored rates were measured on."""

import numpy as np
import pytest
from laws import (
    LAWS,
    equal_detectors,
    equal_judges,
    equal_metrics,
    equal_span_detectors,
    equal_taggers,
    exchanged_answers,
    find_law,
    independent_values,
    uneven_taggers,
    values_in_documents,
)
from scipy.special import ndtr

import qeframe
from qeframe.plugin import Scores


def test_effects_of_segments_and_systems() -> None:
    def spread(**effects: float) -> tuple[float, float]:
        model = equal_metrics(systems=40, **effects)
        one, other = model.draw(np.random.default_rng(3), 400, 2)
        away = one.predicted - other.predicted
        return float(away.mean(axis=1).std()), float(away.mean(axis=0).std())

    plain, by_segment, by_system = spread(), spread(segment_effect=1.0), spread(system_effect=1.0)
    assert by_segment[0] > 3 * plain[0]
    assert by_system[1] > 3 * plain[1]
    assert by_segment[1] < 2 * plain[1]


def test_what_a_judge_knows_and_how_it_guesses():
    batches = equal_judges(ties=0.2, quality=0.5, first=0.75).draw(np.random.default_rng(3), 40_000, 2)
    for batch in batches:
        assert (batch.gold == batches[0].gold).all()
        assert (batch.gold == 0).mean() == pytest.approx(0.2, abs=0.01)
        tied = batch.gold == 0
        assert (batch.decisions[tied, 0] == 0).mean() == pytest.approx(0.5, abs=0.02)
        guessed = tied & (batch.decisions[:, 0] != 0)
        assert (batch.decisions[guessed] == [1, -1]).mean(axis=0) == pytest.approx([0.75, 0.75], abs=0.02)
        assert np.isnan(batch.scores).all()
        assert np.bincount(batch.section).tolist() == [10_000] * 4


def draw(name: str, units: int = 100_000, submissions: int = 3) -> tuple[np.ndarray, np.ndarray]:
    batches = find_law(name).draw(np.random.default_rng(8), units, submissions)
    assert all(batch.gold is batches[0].gold or np.array_equal(batch.gold, batches[0].gold) for batch in batches)
    return batches[0].gold, np.stack([batch.predicted for batch in batches])


HALF = [
    *("normal", "t3_residuals", "discrete_gold", "lognormal_gold", "scaled", "unequal_residuals", "heteroscedastic"),
    *("many_scales", "alternating_skewed"),
]


@pytest.mark.parametrize("name", HALF)
def test_correlations_are_one_half(name: str) -> None:
    gold, predicted = draw(name)
    assert [np.corrcoef(gold, one)[0, 1] for one in predicted] == pytest.approx([0.5] * 3, abs=0.03)


def test_scores_like_those_of_mqm_have_many_zeros_and_a_long_tail() -> None:
    gold, predicted = draw("mqm_like")
    assert 0.45 < (gold == 0).mean() < 0.55
    assert gold.max() == 0
    assert gold.min() < -25
    found = [np.corrcoef(gold, one)[0, 1] for one in predicted]
    assert found == pytest.approx([found[0]] * 3, abs=0.02)


def test_only_the_first_submission_differs_in_scale() -> None:
    _, predicted = draw("scaled")
    assert predicted.std(axis=1) == pytest.approx([3, 1, 1], rel=0.03)


def test_share_of_bad_words_and_agreement() -> None:
    batches = equal_taggers(bad=0.1, quality=0.5).draw(np.random.default_rng(2), 5000, 2)
    gold = batches[0].gold.values
    assert gold.mean() == pytest.approx(0.1, abs=0.01)
    for batch in batches:
        assert batch.predicted.values.mean() == pytest.approx(0.1, abs=0.01)
        assert (batch.predicted.values == gold).mean() == pytest.approx(0.5 + 0.5 * (0.01 + 0.81), abs=0.01)


def test_counts_and_ends():
    batches = equal_span_detectors(spans=2, found=0.7).draw(np.random.default_rng(4), 5000, 2)
    for batch in batches:
        assert (batch.gold.values == batches[0].gold.values).all()
        for side in (batch.gold, batch.predicted):
            start, end, severity = side.values.T
            assert ((start >= 0) & (start < end) & (end <= 120)).all()
            assert len(side.values) / 5000 == pytest.approx(2, abs=0.1)
            assert severity.mean() == pytest.approx(0.35, abs=0.03)
    assert len(batches[0].predicted.values) != len(batches[1].predicted.values)


def test_all_are_found_and_none():
    (all_found,) = equal_span_detectors(found=1).draw(np.random.default_rng(5), 300, 1)
    assert (all_found.predicted.lengths == all_found.gold.lengths).all()
    moved = np.abs(all_found.predicted.values - all_found.gold.values)
    assert moved[:, :2].max() <= 3 + 3  # an end is moved beyond a start that was moved beyond it
    assert not moved[:, 2].any()
    (empty,) = equal_span_detectors().draw(np.random.default_rng(5), 0, 1)
    assert len(empty) == 0


def test_share_of_positives_calibration_and_auroc():
    batches = equal_detectors(positive=0.3, separation=1.5).draw(np.random.default_rng(1), 20_000, 2)
    for batch in batches:
        assert batch.gold is batches[0].gold or (batch.gold == batches[0].gold).all()
        assert batch.gold.mean() == pytest.approx(0.3, abs=0.01)
        sure = (batch.predicted > 0.4) & (batch.predicted < 0.6)
        assert batch.gold[sure].mean() == pytest.approx(batch.predicted[sure].mean(), abs=0.03)
        assert qeframe.score("auroc", batch.gold, batch.predicted) == pytest.approx(ndtr(1.5 / 2**0.5), abs=0.01)
    assert (batches[0].predicted != batches[1].predicted).all()


def test_half_of_the_variance_is_shared() -> None:
    one, other = independent_values().draw(np.random.default_rng(1), 50_000, 2)
    assert np.corrcoef(one.predicted, other.predicted)[0, 1] == pytest.approx(0.5, abs=0.02)


def test_documents() -> None:
    model = values_in_documents(length=10, share=0.4)
    (one, _) = model.draw(np.random.default_rng(1), 40_000, 2)
    means = one.predicted.reshape(-1, 10).mean(axis=1)
    assert means.var() == pytest.approx(0.4 + 0.06, abs=0.03)
    labels = model.groups(25)["document"]
    assert (labels[0], labels[9], labels[10], len(set(labels))) == ("document 1", "document 1", "document 2", 3)


@pytest.mark.parametrize("name", ["alternating_t3", "alternating_t6", "alternating_uniform"])
def test_every_second_submission_has_other_residuals(name: str) -> None:
    gold, predicted = draw(name)
    assert [np.corrcoef(gold, one)[0, 1] for one in predicted] == pytest.approx([0.8] * 3, abs=0.03)
    first, second, third = (np.mean((one - 0.8 * gold) ** 4) / 0.36**2 for one in predicted)
    assert second == pytest.approx(3, abs=0.1)
    assert min(first, third) > 4


def test_gross_errors_are_few_and_large() -> None:
    gold, predicted = draw("gross_errors")
    away = np.abs(predicted - 0.7 * gold) > 5
    assert away.mean() == pytest.approx(0.03 * 0.62, abs=0.002)


def test_laws_that_all_submissions_share() -> None:
    for name in ("heteroscedastic_t3", "near_copies", "multiplied"):
        gold, predicted = draw(name)
        found = [np.corrcoef(gold, one)[0, 1] for one in predicted]
        assert found == pytest.approx([found[0]] * 3, abs=0.06)
    _, copies = draw("near_copies")
    assert np.corrcoef(copies)[0, 1] > 0.9
    _, scaled = draw("many_scales")
    assert scaled.std(axis=1) == pytest.approx([1, 10.5, 20], rel=0.05)


@pytest.mark.parametrize(("bad", "spread", "low", "high"), [(0.12, 1.2, 0.15, 0.25), (0.008, 1.6, 0.01, 0.03)])
def test_sentences_of_uneven_taggers_differ(bad, spread, low, high) -> None:
    one, other = uneven_taggers(bad=bad, spread=spread).draw(np.random.default_rng(2), 3000, 2)
    assert one.gold is other.gold
    lengths = np.diff(one.gold.offsets)
    assert (lengths.min(), lengths.max()) == (4, 44)
    assert low < one.gold.values.mean() < high
    of_sentence = np.add.reduceat(one.gold.values, one.gold.offsets[:-1])
    assert np.sort(of_sentence)[-300:].sum() > 0.3 * of_sentence.sum()  # a tenth of the sentences
    assert one.predicted.values.mean() == pytest.approx(other.predicted.values.mean(), rel=0.1)


def test_a_law_has_its_name_with_its_parameters() -> None:
    assert find_law("equal_metrics(systems=6, segment_effect=1)").name == "equal_metrics(systems=6, segment_effect=1)"
    assert {find_law(name).name for name in LAWS} == set(LAWS)


# Real answers, exchanged unit by unit.
GOLD = np.arange(6.0)
BATCHES = [Scores.from_plain(GOLD, GOLD + 10 * (1 + i), best="high") for i in range(3)]


def test_answers_stay_with_their_units() -> None:
    drawn = exchanged_answers(BATCHES, "three").draw(np.random.default_rng(1), 400, 3)
    gold = drawn[0].gold
    assert set(gold) == set(GOLD)
    answered = np.stack([one.predicted for one in drawn])
    assert (np.sort(answered, axis=0) == gold + np.array([[10.0], [20.0], [30.0]])).all()
    orders = np.unique((answered - gold).T, axis=0, return_counts=True)
    assert len(orders[0]) == 6
    assert (abs(orders[1] - 400 / 6) < 30).all()


def test_some_of_the_submissions() -> None:
    law = exchanged_answers(BATCHES, "three")
    seen = {
        tuple(sorted({int(x // 10) for one in law.draw(np.random.default_rng(i), 20, 2) for x in one.predicted}))
        for i in range(20)
    }
    assert seen == {(1, 2), (1, 3), (2, 3)}
