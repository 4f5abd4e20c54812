"""The parts of a task set: names, weights, scales, language pairs that are absent."""

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe import DataError, ProfileError, Runner, Submission, Task
from qeframe.assembly.parts import bind_parts, divide_weights, share_ids, take_weights
from qeframe.assembly.scoreboard import name_samples
from qeframe.core import swaps
from qeframe.core.draws import bootstrap_counts, draw_blocks, exchange_masks, named_key
from qeframe.plugin import Metric, Scores, Tags
from tests.qeframe.assembly.made_sets import profile, resolved, task, two_pairs


def bound(registry, tasks, *args, **changed):
    return bind_parts(resolved(registry, *args, **changed), tasks, 0, Runner())


def registered(registry, *args):
    """Return resolved rules as if an installed distribution stated them."""
    rules = resolved(registry, *args)
    return attrs.evolve(rules, profile=attrs.evolve(rules.profile, own=frozenset()))


def test_one_part_for_each_pair_or_for_all(registry):
    board = bound(registry, two_pairs())
    assert [part.name for part in board.entries] == [
        "all pairs pairwise_accuracy", "en-de system_pearson", "he-en system_pearson", "en-de segment_pearson",
        "he-en segment_pearson", "en-de acc_eq", "he-en acc_eq",
    ]  # fmt: skip
    assert [part.weight for part in board.entries] == [0.25, *[0.125] * 6]
    assert [part.scale for part in board.entries] == [(0, 1), *[(-1, 1)] * 4, (0, 1), (0, 1)]
    assert [submission.name for submission in board.submissions] == ["m0", "m1", "m2"]


def test_a_pooled_score_is_over_the_pairs_of_systems_of_all_language_pairs(registry):
    tasks = two_pairs()
    pooled = bound(registry, tasks).entries[0].contest.oriented
    alone = [[qeframe.score("pairwise_accuracy", b, None) for b in each.batches.values()] for each in tasks]
    assert pooled == pytest.approx((6 * np.array(alone[0]) + 10 * np.array(alone[1])) / 16)


def test_a_correlation_is_not_pooled(registry):
    parts = '[[parts]]\nmetric = "segment_pearson"\npool = true'
    with pytest.raises(qeframe.QeframeError, match="cannot be pooled"):
        bound(registry, two_pairs(), parts)


def test_a_pair_that_is_absent_is_named_and_its_parts_leave(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\npairs = ["en-de", "zh-en", "he-en"]\nweight = 3'
    board = bind_parts(registered(registry, parts), two_pairs(), 0, Runner())
    assert [part.weight for part in board.entries] == [0.5, 0.5]
    (note,) = board.dropped
    assert (note.task, note.what, note.count) == ("zh-en", "language pair", 1)
    only = registered(registry, '[[parts]]\nmetric = "acc_eq"\npairs = ["zh-en"]')
    with pytest.raises(DataError, match="no submission in any language pair of the parts: zh-en"):
        bind_parts(only, two_pairs(), 0, Runner())


def test_a_pair_that_the_user_sets_and_that_matches_nothing(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\npairs = ["en-de", "he-em"]'
    message = "parts: 'he-em' is the name of no language pair in the data; did you mean 'he-en'"
    with pytest.raises(DataError, match=message) as error:
        bound(registry, two_pairs(), parts)
    assert str(error.value).startswith("made.toml: ")
    without = [two_pairs()[0], attrs.evolve(two_pairs()[1], batches={})]
    assert len(bound(registry, without, parts.replace("he-em", "he-en")).dropped) == 1


def test_a_pair_that_is_there_must_have_every_selection(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\n[[parts]]\nmetric = "segment_pearson"\nread = {level = "sys"}'
    tasks = [*two_pairs(), task("en-de", selection="level=sys")]
    with pytest.raises(DataError, match="he-en has no submission for segment_pearson with level=sys"):
        bound(registry, tasks, parts)


def test_parts_of_one_metric_are_named_by_what_they_read(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\nread = {domain = ["", "news"], human_references = [false, true]}'
    texts = ['domain="", human_references=false', 'domain="", human_references=true']
    texts += ["domain=news, human_references=false", "domain=news, human_references=true"]
    board = bound(registry, [task("en-de", selection=text) for text in texts], parts)
    names = ["en-de acc_eq", "en-de acc_eq human references", "en-de acc_eq news", "en-de acc_eq news human references"]
    assert [part.name for part in board.entries] == names


def test_two_equal_parts(registry):
    with pytest.raises(DataError, match="two parts are the same: en-de acc_eq"):
        bound(registry, [task("en-de")], '[[parts]]\nmetric = ["acc_eq", "acc_eq()"]')


def test_scales(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\nscale = [0.5, 0.75]'
    (part,) = bound(registry, [task("en-de")], parts).entries
    assert (part.factor * (np.array([0.5, 0.75]) - part.origin)).tolist() == [0.0, 1.0]
    unbounded = attrs.evolve(registry.get(Metric, "acc_eq"), bounds=(-np.inf, np.inf))
    rules = resolved(registry, '[[parts]]\nmetric = "acc_eq"')
    rules = attrs.evolve(rules, parts=(attrs.evolve(rules.parts[0], metric=unbounded),))
    with pytest.raises(DataError, match="has no bounds"):
        bind_parts(rules, [task("en-de")], 0, Runner())


def test_weights_of_what_is_left(registry):
    parts = '[[parts]]\nmetric = "acc_eq"\nweight = 0\n[[parts]]\nmetric = "segment_pearson"\npairs = ["zh-en"]'
    with pytest.raises(DataError, match="weights of the parts sum to 0"):
        bind_parts(registered(registry, parts), two_pairs(), 0, Runner())
    with pytest.raises(ProfileError, match="the weights sum to 0"):
        profile(registry, '[[parts]]\nmetric = "acc_eq"\nweight = 0')


DOMAINS = '[[parts]]\nmetric = "segment_pearson"\nread = {domain = ["", "news"]}'


def domains(rows):
    """Return a language pair of 12 segments, and some of its segments as a domain."""
    whole, news = task("en-de", 1, 12, 4, selection='domain=""'), task("en-de", 1, 12, 4, selection="domain=news")
    return whole, attrs.evolve(news, batches={s: batch.take(np.array(rows)) for s, batch in news.batches.items()})


ROWS = [1, 2, 5, 6, 7, 9]


def test_parts_on_different_units_are_drawn_on_the_union_of_them(registry):
    whole, news = bound(registry, domains(ROWS), DOMAINS).entries
    alone = bound(registry, domains(ROWS)[:1], DOMAINS.replace('["", "news"]', '[""]')).entries[0]
    assert (whole.contest.resample(20) == alone.contest.resample(20)).all()
    blocks = draw_blocks((*named_key(0, "en-de"), 1), 20, 12)
    counts = np.concatenate([bootstrap_counts(block, 12) for block in blocks])[:, ROWS]
    bind = registry.get(Metric, "segment_pearson").bind
    by_hand = [[bind(batch)(weights) for batch in news.tasks[0].batches.values()] for weights in counts]
    assert news.contest.resample(20) == pytest.approx(np.array(by_hand), nan_ok=True)


@pytest.mark.parametrize(("unit", "width"), [("segment", 1), ("cell", 4)])
def test_a_cell_of_two_parts_is_swapped_in_both(registry, unit, width):
    parts = [part.contest.along(unit).terms[0] for part in bound(registry, domains(ROWS), DOMAINS).entries]
    assert swaps.key_of(parts[0]) == swaps.key_of(parts[1])
    blocks, total, exhaustive = swaps.blocks_of(parts[1], 100, enumerable=False)
    assert (total, exhaustive) == (100, False)
    masks = np.concatenate([exchange_masks(block, 12 * width) for block in blocks]).reshape(100, 12, width)
    by_hand = swaps.exchange_of(parts[1])(masks[:, ROWS].reshape(100, -1), *parts[1].pairs)
    assert parts[1].exchanged_differences(100, parts[1].pairs) == pytest.approx(by_hand, abs=1e-12)


def test_all_exchanges_of_few_units_are_enumerated_for_the_part_alone(registry):
    _, news = (part.contest.along("segment") for part in bound(registry, domains(ROWS), DOMAINS).entries)
    assert news.count_exchanges(64, lambda differences, _: differences >= 0)[1:] == (64, True)


def test_exchanges_along_pairs_of_different_units_have_their_own_draws(registry):
    parts = bound(registry, domains(ROWS), DOMAINS.replace("segment_pearson", "acc_eq")).entries
    by_pair = [part.contest.along("pair").terms[0] for part in parts]
    assert swaps.key_of(by_pair[0]) != swaps.key_of(by_pair[1])
    by_system = [part.contest.along("system").terms[0] for part in parts]
    assert swaps.key_of(by_system[0]) == swaps.key_of(by_system[1])


def test_parts_on_different_units_that_are_drawn_apart_are_samples_of_their_own(registry):
    """By the official exchanges each reading is drawn by itself, though the draws have one key."""
    official = bound(registry, domains(ROWS), DOMAINS, exchanges='"official"')
    first, second = (part.contest.terms[0].sample for part in official.entries)
    assert first.key == second.key
    assert official.contests[0].sizes == (12, len(ROWS))
    assert bound(registry, domains(ROWS), DOMAINS).contests[0].sizes == (12,)


def without(part, left_out):
    """Return what a part adds to the sum without some units of those that are drawn together."""
    (term,) = part.contest.terms
    kept = ~np.isin(term.sample.drawn_members, left_out)
    return part.factor * (term.weighted(kept.astype(float)) - part.origin)


@pytest.mark.parametrize("first", ["", "news"])
def test_a_unit_or_a_group_is_left_out_of_all_readings_that_have_it(registry, first):
    order = DOMAINS if not first else DOMAINS.replace('["", "news"]', '["news", ""]')
    board = bound(registry, domains(ROWS), order)
    overall = board.contests[0]
    jackknife = overall.jackknife()
    for unit in range(12):
        assert jackknife[unit] == pytest.approx(sum(without(part, [unit]) for part in board.entries), abs=1e-12)
    left_out, sizes = overall.without_groups(4, 8)
    assert (left_out.shape, sizes) == ((5, 8, 3), (8,)), "though the domain has six units"
    for group in range(8):
        expected = sum(without(part, [group, group + 8]) for part in board.entries)
        assert left_out[0, group] == pytest.approx(expected, abs=1e-12)


def test_a_sum_is_smooth_if_all_of_its_parts_are(registry):
    for metrics, smooth in ((("segment_pearson",) * 1, True), (("segment_pearson", "acc_eq"), False)):
        text = f"[[parts]]\nmetric = {list(metrics)}".replace("'", '"')
        board = bound(registry, [task("en-de", 1, 12, 4)], text)
        overall = board.contests[0]
        assert overall.smooth is smooth
        assert [part.contest.smooth for part in board.entries] == [name == "segment_pearson" for name in metrics]


def test_groups_of_parts_on_different_units_are_drawn_together(registry):
    """Documents of two segments: the domain has three of six."""
    whole, news = domains([0, 1, 4, 5, 10, 11])
    whole = attrs.evolve(whole, groups={"document": [f"d{i // 2}" for i in range(12)]})
    news = attrs.evolve(news, groups={"document": ["d0", "d0", "d2", "d2", "d5", "d5"]})
    parts = [part.contest.terms[0] for part in bound(registry, [whole, news], DOMAINS, resample='"document"').entries]
    joint = parts[1].sample.joint
    assert joint.ids[joint.members].tolist() == parts[1].sample.unit_ids.tolist()
    assert [len(joint.ids), len(joint.members)] == [6, 3]
    assert swaps.key_of(parts[0]) == swaps.key_of(parts[1])
    assert parts[1].resample(5).shape == (5, 3)


@pytest.mark.parametrize(
    ("rows", "unit", "warned"), [(range(12), "pair", False), (ROWS, "pair", True), (ROWS, "cell", False)]
)
def test_a_warning_where_exchanges_are_not_joint(registry, rows, unit, warned):
    made = profile(registry, DOMAINS.replace("segment_pearson", "acc_eq"), test=f'"permutation(draws=50, unit={unit})"')
    found = qeframe.evaluate(made, domains(list(rows)), registry=registry)
    assert any("en-de: parts swap decisions on pairs" in warning for warning in found.warnings) == warned
    official = bound(registry, domains(list(rows)), DOMAINS, exchanges='"official"')
    assert [part.contest.terms[0].sample.joint for part in official.entries] == [None, None]


def test_weights_of_wmt23_and_weights_that_sum_to_0():
    """The pooled accuracy weighs as much as there are language pairs."""
    assert take_weights(["pairs", *[1.0] * 6], [2, *[1] * 6]).tolist() == [0.25, *[0.125] * 6]
    with pytest.raises(DataError, match="sum to 0"):
        take_weights([0.0, 0.0], [1, 1])


def test_the_weight_is_divided_level_by_level():
    labels = [{"pair": "a", "metric": "x"}, {"pair": "a", "metric": "y"}, {"pair": "b", "metric": "x"}]
    assert divide_weights(labels, ["pair", "metric"]).tolist() == [0.25, 0.25, 0.5]
    assert divide_weights(labels, ["metric", "pair"]).tolist() == [0.25, 0.5, 0.25]
    assert divide_weights(labels, ["pair", "unknown"]).tolist() == [0.25, 0.25, 0.5]


def slow(labels, levels):
    """The share of one part, multiplied from its own path."""
    shares = []
    for own in labels:
        share, alike = 1.0, labels
        for level in levels:
            share /= len({other.get(level, "") for other in alike})
            alike = [other for other in alike if other.get(level, "") == own.get(level, "")]
        shares.append(share / len(alike))
    return shares


@given(st.lists(st.fixed_dictionaries({"a": st.sampled_from("xy"), "b": st.sampled_from("xyz")}), min_size=1))
def test_division_is_the_product_along_the_path(labels):
    weights = divide_weights(labels, ["a", "b"])
    assert np.allclose(weights, slow(labels, ["a", "b"]))
    assert weights.sum() == pytest.approx(1.0)


LEVELS = """
[[parts]]
metric = "spearman"
reader = "qe_sentence"
folder = "sentence"
[[parts]]
metric = "mcc"
reader = "tag_lines"
folder = "word"
"""


def two_levels(registry, *, words=(0, 12), **changed):
    """Return the parts of a language pair of 12 sentences, and of the tags of some sentences."""
    rules = resolved(registry, LEVELS, sided='"two"', **changed)
    rng = np.random.default_rng(3)
    gold, ids = rng.normal(size=12), np.arange(*words)
    tags = [rng.choice(["OK", "BAD"], 5).tolist() for _ in ids]
    answers = [[np.where(rng.random(5) < 0.3, "BAD", t).tolist() for t in tags] for _ in range(3)]
    names = [Submission(f"m{nth}") for nth in range(3)]
    numbers = {s: Scores(ids=np.arange(12), gold=gold, predicted=gold + rng.normal(size=12)) for s in names}
    tagged = {
        s: attrs.evolve(Tags.from_plain(tags, a), ids=ids.astype(np.int64)) for s, a in zip(names, answers, strict=True)
    }
    selections = [part.rule.selection for part in rules.parts]
    tasks = [Task(name="en-de", batches=b, selection=s) for b, s in zip((numbers, tagged), selections, strict=True)]
    return rules, tasks, bind_parts(rules, tasks, 0, Runner())


def test_levels_on_the_same_sentences_are_drawn_and_left_out_together(registry):
    """Every sentence is left out of both levels: their scores are computed again without it."""
    _, tasks, board = two_levels(registry)
    overall = board.contests[0]
    assert name_samples(board.entries) == [("en-de",), ("en-de",)]
    assert overall.sizes == (12,)
    spearman, mcc = registry.get(Metric, "spearman"), registry.get(Metric, "mcc")
    for unit in range(12):
        kept = np.delete(np.arange(12), unit)
        scores = [
            [metric.bind(batch.take(kept))(np.ones(11)) for batch in task.batches.values()]
            for metric, task in zip((spearman, mcc), tasks, strict=True)
        ]
        expected = sum((np.array(of_level) + 1) / 4 for of_level in scores)
        assert overall.jackknife()[unit] == pytest.approx(expected)
    counts = np.concatenate([bootstrap_counts(b, 12) for b in draw_blocks((*named_key(0, "en-de"), 1), 7, 12)])
    for part, metric, each in zip(board.entries, (spearman, mcc), tasks, strict=True):
        by_hand = [[metric.bind(batch)(weights * 1.0) for batch in each.batches.values()] for weights in counts]
        assert part.contest.resample(7) == pytest.approx(np.array(by_hand), nan_ok=True)


def test_an_answer_is_swapped_in_both_levels(registry):
    _, _, board = two_levels(registry)
    first, second = (part.contest.terms[0] for part in board.entries)
    assert swaps.key_of(first) == swaps.key_of(second)
    masks = [
        np.concatenate([exchange_masks(block, 12) for block in swaps.blocks_of(each, 40, enumerable=False)[0]])
        for each in (first, second)
    ]
    assert (masks[0] == masks[1]).all()


def test_some_of_the_sentences_are_drawn_on_the_union(registry):
    _, _, board = two_levels(registry, words=(4, 10))
    assert name_samples(board.entries) == [("en-de",), ("en-de",)]
    overall = board.contests[0]
    assert overall.sizes == (12,)


def test_levels_on_other_sentences_are_independent(registry):
    _, _, board = two_levels(registry, words=(100, 112))
    first, second = board.entries
    assert name_samples(board.entries) == [("en-de 1",), ("en-de 2",)]
    assert first.contest.terms[0].sample.key == named_key(0, "en-de") != second.contest.terms[0].sample.key
    overall = board.contests[0]
    assert overall.sizes == (12, 12)


@pytest.mark.parametrize("test", ["default", "jackknife", "bootstrap(draws=50)", "exchange(draws=50)"])
def test_overall_scores_of_levels_are_tested(registry, test):
    _, tasks, _ = two_levels(registry)
    rules = profile(registry, LEVELS, test=f'"{test}"', sided='"two"', correction='"holm"')
    evaluation = qeframe.evaluate(rules, tasks, registry=registry)
    assert [c.task for c in evaluation.comparisons if not np.isnan(c.p)].count("") == 3
    assert [part.samples for part in evaluation.parts] == [("en-de",), ("en-de",)]


@given(st.lists(st.sets(st.integers(0, 8), min_size=1), min_size=1, max_size=5))
def test_readings_that_share_an_id(readings):
    """Group by group, add what shares an id until nothing does."""
    left, expected = list(range(len(readings))), []
    while left:
        group = [left.pop(0)]
        while more := [n for n in left if any(readings[n] & readings[m] for m in group)]:
            group += more
            left = [n for n in left if n not in more]
        expected.append(sorted(group))
    assert share_ids([np.array(sorted(ids)) for ids in readings]) == sorted(expected)


def test_a_metric_against_the_humans_is_warned_of_in_each_level(registry):
    tasks = two_pairs()
    turned = [attrs.evolve(each, batches={**each.batches, Submission("turned"): against(each)}) for each in tasks]
    rules = profile(registry, test='""')
    told = [w for w in qeframe.evaluate(rules, turned).warnings if "check the sign" in w]
    assert len(told) == 1
    assert told[0].startswith("negative correlation with the gold of turned on en-de system_pearson (-")
    assert not any("m0 " in w or "acc_eq" in w for w in told)
    assert [w for w in qeframe.evaluate(rules, tasks).warnings if "turned" in w] == []


def against(each):
    batch = next(iter(each.batches.values()))
    return attrs.evolve(batch, predicted=-(batch.gold**3))
