"""The golds that attacks are tried on."""

import numpy as np
import pytest

import qeframe
from qeframe.core.task import Submission, Task
from qeframe.gaming.audit_gold import (
    QUALITIES,
    audit_golds_of,
    generate_gold,
    generated_batch,
    honest,
    honest_answers,
    mirrored,
    perfect,
    rearranged,
)
from qeframe.plugin import DataError, Grid, Judgments, Metric, Ragged, Scores, Spans, Tags, Texts, Values


def test_the_generated_gold_has_a_description_where_there_is_one():
    assert generate_gold(Scores, 0).description == "2000 scores from beta(1.2, 3.2), low is good"
    with pytest.raises(DataError, match="there is no generated gold for metrics on Values"):
        generate_gold(Values, 0)


def test_generated_golds_depend_on_the_seed_and_the_name():
    first = generated_batch(Scores, 0, "measured 0")
    assert np.array_equal(first.gold, generated_batch(Scores, 0, "measured 0").gold)
    assert not np.array_equal(first.gold, generated_batch(Scores, 1, "measured 0").gold)
    assert not np.array_equal(first.gold, generated_batch(Scores, 0, "measured 1").gold)
    assert len(honest_answers(first, 0, "measured 0")) == len(QUALITIES)


def test_golds_of_tasks_and_plain_values(registry):
    mae = registry.get(Metric, "mae")
    (given,) = audit_golds_of([1.0, 2.0, 3.0], mae)
    assert (given.name, given.description, given.real) == ("given", "3 units given", {})
    assert given.batch.predicted.tolist() == [1.0, 2.0, 3.0]
    batch = Scores.from_plain([1.0, 2.0], [2.0, 2.0])
    task = Task(name="t", batches={Submission("x"): batch, Submission("y", "attack"): batch})
    (of_task,) = audit_golds_of(task, mae)
    assert list(of_task.real) == ["x"]
    assert of_task.batch.predicted.tolist() == [1.0, 2.0]


KINDS = [Scores, Tags, Judgments, Grid, Texts, Spans]


@pytest.fixture(scope="module")
def golds():
    return {kind: generate_gold(kind, 3).batch for kind in KINDS}


def plain(predicted):
    return [row.tolist() for row in predicted] if isinstance(predicted, Ragged) else predicted.tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_equal_seeds_give_equal_gold_and_other_seeds_other_gold(kind, golds):
    assert plain(generate_gold(kind, 3).batch.predicted) == plain(golds[kind].predicted)
    assert plain(generate_gold(kind, 4).batch.predicted) != plain(golds[kind].predicted)


def test_the_generated_gold_is_as_described(golds):
    tags = golds[Tags].gold
    starts = np.flatnonzero(np.diff(tags.values, prepend=0) == 1)
    assert tags.values.mean() == pytest.approx(0.18, abs=0.006)
    assert tags.values.sum() / len(starts) == pytest.approx(2.2, abs=0.05)
    assert tags.lengths.mean() == pytest.approx(20, abs=0.4)
    assert tags.lengths.std() == pytest.approx(7, abs=0.3)
    scores = golds[Scores].gold
    assert scores.mean() == pytest.approx(1.2 / 4.4, abs=0.008)
    assert scores.var() == pytest.approx(1.2 * 3.2 / (4.4**2 * 5.4), rel=0.05)
    assert (golds[Judgments].human == 0).mean() == pytest.approx(0.2, abs=0.005)
    cells = golds[Grid].gold
    upper = np.triu_indices(cells.shape[1], 1)
    assert (cells[:, upper[0]] == cells[:, upper[1]]).mean() == pytest.approx(0.2, abs=0.02)
    words = [len(text.split()) for text in golds[Texts].predicted]
    assert np.mean(words) == pytest.approx(25, abs=0.6)
    assert np.std(words) == pytest.approx(8, abs=0.4)
    counts = np.unique(" ".join(golds[Texts].predicted).split(), return_counts=True)[1]
    assert counts.max() / counts.sum() == pytest.approx(1 / np.sum(1 / np.arange(1, 5001)), rel=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_the_gold_handed_in_is_better_than_honest_work_and_that_than_chance(kind, golds, registry):
    batch = golds[kind].take(np.arange(min(200, len(golds[kind]))))
    rng = np.random.default_rng(0)
    names = {
        Scores: "pearson", Tags: "mcc", Judgments: "kendall", Grid: "segment_pearson", Texts: "per",
        Spans: "span_f1",
    }  # fmt: skip
    metric = registry.get(Metric, names[kind])
    sign = 1 if metric.higher_is_better else -1
    answers = [rearranged(batch, rng), *(honest(batch, quality, rng) for quality in QUALITIES), perfect(batch)]
    oriented = [sign * float(metric.bind(answer)(np.ones(len(batch)))) for answer in answers]
    assert oriented == sorted(oriented)
    assert len(set(oriented)) == len(oriented)


@pytest.mark.parametrize("quality", QUALITIES)
def test_the_stated_quality_is_the_correlation(quality, golds, registry):
    rng = np.random.default_rng(0)
    for kind, metric in ((Scores, "pearson"), (Tags, "mcc"), (Grid, "segment_pearson")):
        answer = honest(golds[kind], quality, rng)
        assert qeframe.score(metric, answer, None, registry=registry) == pytest.approx(quality, abs=0.03)


def test_judgments_of_honest_submissions_have_the_ties_of_the_gold(golds):
    answer = honest(golds[Judgments], 0.5, np.random.default_rng(0))
    assert (answer.metric_relations() == 0).sum() == (answer.human == 0).sum()


@pytest.mark.parametrize("kind", [Scores, Tags, Judgments, Grid])
def test_rearranged_answers_are_those_of_the_gold(kind, golds):
    batch = golds[kind].take(np.arange(50))
    answer = rearranged(batch, np.random.default_rng(1))
    own, given = (
        np.sort(np.asarray(getattr(b.predicted, "values", b.predicted)).ravel()) for b in (perfect(batch), answer)
    )
    if kind is Judgments:
        own, given = (np.sort(b.metric_relations()) for b in (perfect(batch), answer))
    assert np.array_equal(own, given)


def test_no_text_keeps_its_own_reference():
    batch = Texts.from_plain(list("abcdef"), list("abcdef"))
    for seed in range(20):
        answer = rearranged(batch, np.random.default_rng(seed))
        assert not (answer.predicted == batch.predicted).any()
        assert sorted(answer.predicted) == list("abcdef")


def test_spans_of_another_segment_fit_the_text():
    gold = [[(0, 10, "minor")], [(90, 100, "major"), (50, 60, "minor")], []]
    batch = Spans.from_plain(gold, gold, text=[10, 100, 30])
    for seed in range(10):
        answer = rearranged(batch, np.random.default_rng(seed))
        assert (answer.predicted.values[:, 1] <= batch.text[answer.predicted.row_of_value]).all()
        assert len(answer.predicted.values) == 3


def test_a_rearranged_grid_has_no_hole_where_the_gold_has_none():
    gold = np.array([[1.0, 2.0, np.nan], [3.0, np.nan, np.nan], [4.0, 5.0, 6.0]])
    batch = Grid.from_plain(gold, np.nan_to_num(gold))
    for seed in range(10):
        assert not np.isnan(rearranged(batch, np.random.default_rng(seed)).predicted).any()


def test_mirrored_systems_are_in_reverse_order():
    gold = np.arange(12.0).reshape(3, 4)
    answer = mirrored(perfect(Grid.from_plain(gold, gold)))
    assert answer.predicted.mean(axis=0).argsort().tolist() == [3, 2, 1, 0]
    assert mirrored(Scores.from_plain([1, 2], [1, 2])) is None


@pytest.mark.parametrize("act", [perfect, lambda b: rearranged(b, None), lambda b: honest(b, 0.5, None)])
def test_a_batch_without_gold_is_refused(act):
    with pytest.raises(DataError, match="Values has no gold side"):
        act(Values.from_plain(None, [1.0]))
