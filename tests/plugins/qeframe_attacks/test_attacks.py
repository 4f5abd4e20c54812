"""The attacks of every kind: what they hand in, what they know, and gold of which nothing can be made."""

import numpy as np
import pytest

from qeframe.core.metric import Attack
from qeframe.core.ragged import Ragged
from qeframe.gaming.audit_gold import generate_gold, honest
from qeframe.kinds.detections.batch import Detections
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe.kinds.post_edits.batch import PostEdits
from qeframe.kinds.preferences.batch import Preferences
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.spans import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.token_scores.batch import TokenScores


@pytest.fixture(scope="module")
def attacks(registry):
    return {attack.name: attack for attack in registry.all(Attack)}


def answer(attacks, name, batch, *, setting=None, seed=0):
    attack = attacks[name]
    how = attack.settings[setting] if setting else attack.answer
    return how(batch, np.random.default_rng(seed))


def plain(predicted):
    if isinstance(predicted, Ragged):
        return [row.tolist() for row in predicted]
    return np.where(predicted != predicted, None, predicted).tolist()  # NaN is not equal to itself


EMPTY = {
    Scores: Scores(ids=np.arange(0), gold=np.empty(0), predicted=np.empty(0)),
    Detections: Detections(ids=np.arange(0), gold=np.empty(0), predicted=np.empty(0)),
    TokenScores: TokenScores.from_plain([], []),
    Judgments: Judgments.from_plain("", []),
    Grid: Grid.from_plain([], []),
    Tags: Tags.from_plain([], []),
    Spans: Spans.from_plain([], []),
    Texts: Texts.from_plain([], []),
    Preferences: Preferences.from_plain([], []),
    PostEdits: PostEdits.from_plain([(0.5, "")], [(0.5, "")]).take(np.empty(0, np.int64)),
}
SMALL = {
    Scores: Scores.from_plain([1.0, 1.0], [2.0, 2.0]),
    Detections: Detections.from_plain([1.0, 1.0], [2.0, 2.0]),
    TokenScores: TokenScores.from_plain([[], [1.0]], [[], [0.5]]),
    Judgments: Judgments.from_plain("=", [0]),
    Grid: Grid.from_plain([[1.0, None]], [[2.0, 2.0]]),
    Tags: Tags.from_plain([[], ["OK"]], [[], ["OK"]]),
    Spans: Spans.from_plain([[]], [[]], text=[0]),
    Texts: Texts.from_plain(["", "a"], ["", "a"]),
    Preferences: Preferences.from_plain(["tie"], [None]),
    PostEdits: PostEdits.from_plain([(0.5, ""), (0.5, "a")], [(0.5, ""), (0.5, "a")]),
}


@pytest.mark.parametrize("golds", [EMPTY, SMALL], ids=["empty", "small"])
def test_gold_of_which_nothing_can_be_made_is_answered_all_the_same(golds, attacks):
    for attack in attacks.values():
        batch = golds[attack.kind]
        for how in (attack.answer, *attack.settings.values()):
            given = how(batch, np.random.default_rng(0))
            assert len(given) == len(batch)
            assert len(given.predicted) == len(batch)


def test_every_attack_says_what_it_is(attacks):
    for attack in attacks.values():
        assert attack.source, attack.name
        assert attack.knowledge, attack.name
        assert (attack.tries > 1) == (attack.manner == "selection")
    manners = {attack.manner for attack in attacks.values()}
    assert manners == {"blind", "cosmetic", "informed", "selection"}


def test_tags_in_blocks(attacks):
    batch = Tags.from_plain([["OK"] * 4, ["OK"] * 3, []], [["OK"] * 4, ["OK"] * 3, []])
    assert plain(answer(attacks, "block_tagging", batch).predicted) == [[0, 0, 1, 1], [0, 0, 1], []]
    assert plain(answer(attacks, "block_tagging", batch, setting="share=0.9").predicted) == [[1] * 4, [1] * 3, []]


def test_tags_at_every_rate(attacks):
    batch = generate_gold(Tags).batch
    for setting in attacks["over_tagging"].settings:
        tags = answer(attacks, "over_tagging", batch, setting=setting).predicted.values
        assert tags.mean() == pytest.approx(float(setting.removeprefix("rate=")), abs=0.01)


def test_blocks_of_the_most_frequent_kind_of_error(attacks):
    gold = [["OK", "Fluency", "Fluency", "Accuracy"]]
    batch = Tags.from_plain(gold, gold, classes=["OK", "Accuracy", "Fluency"])
    assert plain(answer(attacks, "block_tagging", batch).predicted) == [[0, 0, 2, 2]]


def test_spans_everywhere_and_nowhere(attacks):
    batch = Spans.from_plain([[(1, 2, "minor")], []], [[], []], text=[5, 3])
    both = [[[0, 5, 0], [0, 5, 1]], [[0, 3, 0], [0, 3, 1]]]
    assert plain(answer(attacks, "every_severity", batch).predicted) == both
    assert plain(answer(attacks, "every_character", batch, setting="severity=major").predicted) == [
        [[0, 5, 1]],
        [[0, 3, 1]],
    ]
    assert plain(answer(attacks, "no_span", batch).predicted) == [[], []]


def test_numbers(attacks):
    batch = Scores.from_plain([1.0, 2.0, 6.0], [1.0, 3.0, 5.0])
    assert plain(answer(attacks, "constant_mean", batch).predicted) == [3.0] * 3
    assert plain(answer(attacks, "constant_median", batch).predicted) == [2.0] * 3
    assert plain(answer(attacks, "reversed_ranking", batch).predicted) == [5.0, 4.0, 0.0]
    assert plain(answer(attacks, "shrink", batch).predicted) == [2.0, 3.0, 4.0]
    fitted = answer(attacks, "shift_and_scale", batch, setting="factor=1").predicted
    assert fitted.mean() == pytest.approx(3.0)
    assert fitted.std() == pytest.approx(batch.gold.std())
    assert plain(answer(attacks, "round_scores", batch, setting="levels=3").predicted) == [1.0, 3.0, 5.0]
    assert set(answer(attacks, "round_scores", batch, setting="levels=2").predicted) == {1.0, 5.0}
    assert plain(answer(attacks, "tie_scores", batch, setting="share=0.3").predicted) == [1.0, 3.0, 5.0]
    assert len(set(plain(answer(attacks, "random_scores", batch).predicted))) == 3


def test_continuous_answers_keep_the_order_of_the_levels(attacks):
    levels = np.tile([1.0, 2.0, 5.0], 20)
    given = answer(attacks, "continuous_answers", Scores.from_plain(levels, levels)).predicted
    assert len(np.unique(given)) == 60
    assert given[levels == 1].max() < given[levels == 2].min()
    assert given[levels == 2].max() < given[levels == 5].min()


def test_judgments(attacks):
    batch = Judgments.from_plain("<<>>", [0.0, 3.0, 0.0, -1.0])
    assert plain(answer(attacks, "always_tie", batch).metric_relations()) == [0, 0, 0, 0]
    assert 0 not in answer(attacks, "never_tie", batch).metric_relations()
    broken = answer(attacks, "break_ties", batch)
    assert broken.metric_relations()[[1, 3]].tolist() == [1, -1]
    assert np.abs(broken.predicted[[0, 2], 0]).tolist() == [0.5, 0.5]
    assert plain(answer(attacks, "tie_unsure", batch, setting="share=0.8").metric_relations()) == [0, 1, 0, 0]


def test_grids(attacks):
    gold = [[1.0, 3.0], [5.0, None]]
    batch = Grid.from_plain(gold, [[1.0, 1.5], [2.0, 9.0]])
    assert plain(answer(attacks, "segment_means", batch).predicted) == [[2.0, 2.0], [5.0, 5.0]]
    assert plain(answer(attacks, "system_means", batch).predicted) == [[3.0, 3.0], [3.0, 3.0]]
    kept = answer(attacks, "abstain_items", batch, setting="kept=0.5").predicted
    assert plain(kept) == [[1.25, 1.25], [2.0, 9.0]]
    tied = Grid.from_plain([[1.0, 2.0, 3.0]], [[1.0, 1.0, 2.0]])
    untied = answer(attacks, "untie_grid", tied).predicted[0]
    assert untied[0] != untied[1]
    assert untied[2] > max(untied[:2])
    assert plain(answer(attacks, "all_equal", batch).predicted) == [[0.0, 0.0], [0.0, 0.0]]


def test_texts(attacks):
    batch = Texts.from_plain(["a a b", "a c"], ["a x b", "c"])
    assert plain(answer(attacks, "no_word", batch).predicted) == ["", ""]
    assert plain(answer(attacks, "one_word", batch).predicted) == ["a", "a"]
    assert plain(answer(attacks, "whole_vocabulary", batch).predicted) == ["a b c"] * 2
    assert [text.count(" ") for text in answer(attacks, "pad", batch).predicted] == [5, 3]
    assert plain(answer(attacks, "pad_with_frequent", batch, setting="words=1").predicted) == ["a x b a", "c a"]
    assert plain(answer(attacks, "drop_isolated", batch).predicted) == ["x", ""]


def test_a_bag_of_frequent_words_is_as_long_as_asked_and_has_the_likeliest_first(attacks):
    batch = generate_gold(Texts).batch
    for setting in ("length=1", "length=2"):
        texts = [text.split() for text in answer(attacks, "frequent_words", batch, setting=setting).predicted]
        times = int(setting.removeprefix("length="))
        assert [len(words) for words in texts] == [times * len(text.split()) for text in batch.predicted]
        longest = max(texts, key=len)
        assert longest[0] == "w0"
        assert longest.count("w0") > longest.count("w1") > longest.count("w5") >= 1


def test_attacks_go_on_from_any_honest_submission(attacks):
    for kind in (Scores, Judgments, Grid, Texts):
        batch = honest(generate_gold(kind).batch.take(np.arange(30)), 0.5, np.random.default_rng(0))
        for attack in attacks.values():
            if attack.manner == "cosmetic" and attack.kind is kind:
                given = attack.answer(batch, np.random.default_rng(0))
                assert plain(given.predicted) != plain(batch.predicted) or attack.name in ("continuous_answers",)


def test_decisions_without_looking(attacks):
    batch = Detections.from_plain([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4])
    assert answer(attacks, "all_positive", batch).predicted.tolist() == [1, 1, 1, 1]
    assert answer(attacks, "all_negative", batch).predicted.tolist() == [0, 0, 0, 0]
    many = batch.take(np.arange(4000) % 4)
    assert answer(attacks, "random_decisions", many).predicted.mean() == pytest.approx(0.5, abs=0.05)
    assert answer(attacks, "random_decisions", many, setting="rate=0.1").predicted.mean() == pytest.approx(
        0.1, abs=0.03
    )


def test_numbers_of_tokens_without_looking(attacks):
    batch = TokenScores.from_plain(["OK BAD", "BAD OK OK"], [[1, 2], [3, 4, 5]])
    assert set(answer(attacks, "equal_token_scores", batch).predicted.values) == {0}
    assert [np.diff(row).min() > 0 for row in answer(attacks, "later_tokens", batch).predicted] == [True, True]
    assert sorted(answer(attacks, "random_token_scores", batch).predicted.values) == [0, 1, 2, 3, 4]


def test_spans_of_other_shapes(attacks):
    batch = Spans.from_plain([[(1, 2, "minor")], []], [[], []], text=[5, 3])
    short = plain(answer(attacks, "short_spans", batch, setting="length=3,severity=major").predicted)
    assert short == [[[0, 3, 1], [3, 5, 1]], [[0, 3, 1]]]
    middle = plain(answer(attacks, "middle_span", batch, setting="share=0.5,severity=minor").predicted)
    assert middle == [[[1, 4, 0]], [[0, 3, 0]]]


def test_texts_of_unknown_length_are_marked_to_the_last_span_of_the_gold(attacks):
    batch = Spans.from_plain([[(1, 3, "minor")], []], [[], []])
    assert plain(answer(attacks, "short_spans", batch).predicted) == [[[0, 1, 0], [1, 2, 0], [2, 3, 0]], []]


def test_random_spans_are_as_many_and_as_long_as_the_gold_has(attacks):
    batch = generate_gold(Spans).batch
    for times in (0.5, 4.0):
        spans = answer(attacks, "random_spans", batch, setting=f"times={times}").predicted
        assert len(spans.values) / len(batch.gold.values) == pytest.approx(times, rel=0.1)
        assert (spans.values[:, 1] <= batch.text[spans.row_of_value]).all()
        assert spans.values[:, 2].mean() == pytest.approx(batch.gold.values[:, 2].mean(), abs=0.05)


def test_spans_of_a_submission_in_other_cuts(attacks):
    batch = Spans.from_plain([[], [], []], [[(1, 4, "minor"), (6, 8, "major")], [], [(2, 2, "minor")]], text=[9, 3, 4])
    assert plain(answer(attacks, "widened_spans", batch, setting="by=1").predicted) == [
        [[0, 5, 0], [5, 9, 1]],
        [],
        [[1, 3, 0]],
    ]
    pieces = [[[1, 2, 0], [2, 4, 0], [6, 7, 1], [7, 8, 1]], [], [[2, 2, 0]]]
    assert plain(answer(attacks, "split_spans", batch).predicted) == pieces
    assert plain(answer(attacks, "one_span", batch).predicted) == [[[1, 8, 1]], [], [[2, 2, 0]]]
    double = [[[1, 4, 0], [1, 4, 1], [6, 8, 1], [6, 8, 0]], [], [[2, 2, 0], [2, 2, 1]]]
    assert plain(answer(attacks, "both_severities", batch).predicted) == double


def test_spans_of_the_densest_segments_alone(attacks):
    side = [[(0, 2, "minor")], [], [(0, 2, "minor"), (3, 4, "major")], [(1, 2, "minor")]]
    batch = Spans.from_plain([[]] * 4, side, text=[4, 9, 4, 9])
    kept = [[], [], [[0, 2, 0], [3, 4, 1]], []]
    assert plain(answer(attacks, "few_segments", batch).predicted) == kept
    half = [[[0, 2, 0]], [], [[0, 2, 0], [3, 4, 1]], []]
    assert plain(answer(attacks, "few_segments", batch, setting="share=0.5").predicted) == half
    assert plain(answer(attacks, "few_segments", batch.take(np.array([1]))).predicted) == [[]]


def test_other_cuts_end_what_was_one_error(attacks):
    side = [[(0, 2, "minor"), (3, 4, "minor")]]
    batch = Spans.from_plain(side, side, text=[4], errors=([[0, 0]], [[0, 0]]))
    for name in ("split_spans", "one_span", "both_severities", "widened_spans", "few_segments"):
        changed = answer(attacks, name, batch).predicted
        assert changed.has_parts == (name == "widened_spans")


def test_corrections(attacks):
    gold = [(0.5, "a b"), (0.75, "c d e"), (0.25, "f g")]
    batch = PostEdits.from_plain(gold, [(0.9, "x")] * 3)
    handed_in = {
        name: answer(attacks, name, batch) for name in ("unedited", "rewrite_all", "wrong_language", "edit_one_segment")
    }
    assert handed_in["unedited"].after.tolist() == [text for _, text in gold]
    assert plain(handed_in["unedited"].predicted) == [score for score, _ in gold]
    one = handed_in["edit_one_segment"]
    assert plain(one.predicted) == [0.5, 0.75, 0.75]
    assert (one.after[:2].tolist(), one.after[2].split()[0]) == (["a b", "c d e"], "f")
    for name in ("rewrite_all", "wrong_language"):
        assert [len(text.split()) for text in handed_in[name].after] == [2, 3, 2]
        assert not set(" ".join(handed_in[name].after).split()) & set("abcdefg")
    assert plain(handed_in["wrong_language"].predicted) == [0.728272] * 3


def test_an_attack_on_scores_is_none_on_corrections(attacks):
    assert attacks["unedited"].changes_all_of(PostEdits)
    assert attacks["constant_mean"].changes_all_of(Detections)
    assert not attacks["constant_mean"].changes_all_of(PostEdits)


@pytest.mark.parametrize(("best", "quantile"), [("low", 0.95), ("high", 0.05)])
def test_the_constant_of_the_tail_is_in_the_middle_of_the_worst_tenth(attacks, best, quantile):
    batch = Scores(ids=np.arange(41), gold=np.arange(41.0) ** 2, predicted=np.zeros(41), best=best)
    assert answer(attacks, "constant_tail", batch).predicted.tolist() == [(40 * quantile) ** 2] * 41
