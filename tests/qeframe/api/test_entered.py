"""What a user enters beside the submissions."""

import math
from types import SimpleNamespace

import attrs
import numpy as np
import pandas
import pytest

import qeframe
from qeframe import Comparison, Submission, Task
from qeframe.api.entered import place as of_entered
from qeframe.api.entered.entering import Entering
from qeframe.api.saved import evaluation_from_json
from qeframe.core.findings import AttackGain, Entered, InfluentialUnit, Unit, ValidPlace
from qeframe.core.metric import Attack
from qeframe.core.reader import ExampleRequest, Reader
from qeframe.core.result import Result
from qeframe.plugin import Grid, Preferences, Scores, Tags, Values
from qeframe.report.tables.comparisons import entered_tables, place_in_words
from qeframe.report.tables.standings import standing
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.qeframe.assembly.made_sets import WMT23, profile, two_pairs
from tests.registered import PROFILES, REGISTRY, profile_named

UNITS = 60
RNG = np.random.default_rng(8)
GOLD = RNG.normal(size=UNITS).round(6)
OTHERS = {f"S{nth}": GOLD + (nth + 1) / 3 * RNG.normal(size=UNITS) for nth in range(4)}
MINE = (1.3 * (GOLD + 0.8 * RNG.normal(size=UNITS))).round(6)


def made(*settings, mine=MINE, **more):
    batches = {Submission(name): Scores.from_plain(GOLD, answers) for name, answers in OTHERS.items()}
    task = Task(name="t", batches=batches, numbered_from=1)
    return task, qeframe.evaluate("qe_sentence", task, settings=["interval=", *settings], enter={"mine": mine}, **more)


def test_influential_units_are_those_of_scores_without_each():
    """The slow way: every unit is taken out of every submission, and the ranks are counted."""
    _, found = made("test=")
    (place,) = found.entered
    scores, ranks = [], []
    for unit in range(UNITS):
        kept = np.delete(np.arange(UNITS), unit)
        r = {name: np.corrcoef(GOLD[kept], answers[kept])[0, 1] for name, answers in {**OTHERS, "mine": MINE}.items()}
        scores.append(r["mine"])
        ranks.append(1 + sum(r[name] > r["mine"] for name in OTHERS))
    changes = np.array(ranks) != place.rank
    moves = np.abs(np.array(scores) - np.corrcoef(GOLD, MINE)[0, 1])
    order = sorted(range(UNITS), key=lambda unit: (not changes[unit], -moves[unit]))[:5]
    assert place.changing == changes.sum()
    assert [each.unit.name for each in place.influential] == [str(unit + 1) for unit in order]
    assert [each.rank for each in place.influential] == [ranks[unit] for unit in order]
    assert [each.score for each in place.influential] == pytest.approx([scores[unit] for unit in order])


def test_the_valid_rules_give_a_rank_set_where_those_of_the_profile_do_not():
    """The slow way: the profile with the valid rules."""
    _, found = made("test=jackknife", "sided=two", "correction=none")
    (place,) = found.entered
    assert place.rank_set is None
    _, valid = made("test=valid")
    (by_valid,) = valid.entered
    assert by_valid.valid is None
    assert (place.valid.rank_set, place.valid.beats, place.valid.beaten_by) == (
        by_valid.rank_set,
        *(tuple(names) for names in standing(by_valid.name, by_valid.comparisons)[:2]),
    )
    assert place.valid.test == by_valid.comparisons[0].test


def test_copies_are_noticed():
    for mine, said in ((GOLD, "t: mine equals the gold in all 60 values"), (OTHERS["S2"], "t: mine equals S2 in all")):
        _, found = made(mine=mine)
        assert [text for text in found.warnings if text.startswith(said)] != []
    task, found = made()
    assert found.warnings == qeframe.evaluate("qe_sentence", task, settings=["interval="]).warnings


def test_ranks_by_task_and_a_submission_that_lacks_one():
    task, _ = made("test=")
    tasks = [task, attrs.evolve(task, name="u")]
    both = qeframe.evaluate(
        "qe_sentence", tasks, settings=["test=", "interval="], enter={"mine": {"t": MINE, "u": GOLD}}
    )
    assert both.entered[0].ranks == {"t": both.entered[0].ranks["t"], "u": 1}
    half = qeframe.evaluate("qe_sentence", tasks, settings=["interval="], enter={"mine": {"u": GOLD}})
    (place,) = half.entered
    assert (place.absent, place.ranks, place.gains) == (("t",), {"u": 1}, ())
    assert {pair.task for pair in place.comparisons} == {"u"}
    (scored,) = [each for each in half.submissions if each.name == "mine"]
    assert scored.absent == ("t",)
    ranked = [each for each in half.submissions if each.kind != "entered"]
    assert repr(ranked) == repr(list(qeframe.evaluate("qe_sentence", tasks, settings=["interval="]).submissions))


def test_a_result_that_was_written_is_read_again():
    gold = [0.1, 0.2, 0.4, 0.3, 0.6, 0.9]
    task = Task(
        name="t",
        batches={
            Submission("A"): Scores.from_plain(gold, [0.2, 0.1, 0.4, 0.5, 0.6, 0.7]),
            Submission("B"): Scores.from_plain(gold, [0.5, 0.1, 0.4, 0.2, 0.6, 0.3]),
        },
    )
    found = qeframe.evaluate("qe_sentence", task, enter={"mine": [0.1, 0.3, 0.2, 0.5, 0.4, 0.6]})
    assert evaluation_from_json(found.to_json()).entered == found.entered
    untested = qeframe.evaluate("qe_sentence", task, settings=["test="], enter={"mine": gold})
    assert untested.entered[0].comparisons == ()


# The answers of a submission, entered as values, are its answers again, whatever the reader and the kind of batch.


def first_profiles():
    """Return the first profile of every reader."""
    by_reader = {}
    for name in PROFILES:
        rules = profile_named(name)
        reader = with_example(REGISTRY.get(Reader, rules.reader), REGISTRY)
        if reader.example and not rules.parts:
            by_reader.setdefault(reader.name.partition("(")[0], name)
    return list(by_reader.values())


def plain(batch):
    """Return the answers of a batch as the values that a user has."""
    if isinstance(batch, Tags):
        return [[batch.classes[code] for code in row] for row in batch.predicted]
    found = REGISTRY.find_kind(type(batch)).plain(batch)["predicted"]
    if isinstance(batch, Preferences):
        return [words.split() for words in found]
    return found if hasattr(batch, "after") or not isinstance(batch.predicted, np.ndarray) else batch.predicted


def framed(task, batch, answers):
    """Return the answers as a shuffled frame of labels, where units have names and an answer is one cell of a frame."""
    names = [task.unit_name(unit) for unit in batch.ids]
    if isinstance(batch, Grid):
        index = pandas.Index(names, name="segment")
        return pandas.DataFrame(batch.predicted, index=index, columns=task.systems).sample(frac=1, random_state=3)
    return pandas.DataFrame({"segment": names, "score": list(answers)}).sample(frac=1, random_state=3)


@pytest.mark.parametrize("profile", first_profiles())
def test_answers_are_entered_again(profile, tmp_path):
    rules = qeframe.choose_profile(profile)
    reader = with_example(REGISTRY.get(Reader, rules.reader), REGISTRY)
    root = reader.write_example(tmp_path, ExampleRequest(baselines=rules.baselines, best=rules.best))
    tasks = [task for task in qeframe.read_tasks(rules, root) if task.batches]
    of_tasks = {task.name: next(iter(task.batches.items())) for task in tasks}
    given = {name: plain(batch) for name, (_, batch) in of_tasks.items()}
    frames = {task.name: framed(task, of_tasks[task.name][1], given[task.name]) for task in tasks}
    labeled = issubclass(reader.kind, (Values, Grid, Tags)) and "post_edits" not in reader.kind.__module__
    for value in (given, frames) if labeled else (given,):
        for source in (None, tasks):
            found = (
                qeframe.read_tasks(rules, root, enter={"copy": value})
                if source is None
                else Entering.of({"copy": value}, REGISTRY).in_tasks(tasks)
            )
            for task in (task for task in found if task.batches):
                _, batch = of_tasks[task.name]
                copy = task.batches[Submission("copy", "entered")]
                assert repr(plain(copy)) == repr(plain(batch)), (profile, task.name)


# What an entered submission would gain by known transformations of its answers.
def test_gains_are_those_of_transformed_answers():
    """Under the mean absolute error answers that are too wide gain by shrinking: the slow way is to shrink them."""
    _, found = made("test=", "primary=mae")
    (place,) = found.entered
    assert place.gains[0].attack in {"shrink", "shift_and_scale"}
    own = np.abs(GOLD - MINE).mean()
    for each in (each for each in place.gains if each.attack == "shrink"):
        factors = [float(setting.partition("=")[2]) for setting in each.setting.split(" or ")]
        errors = [np.abs(GOLD - (MINE.mean() + factor * (MINE - MINE.mean()))).mean() for factor in factors]
        assert each.score == pytest.approx(max(errors))
        assert each.gain == pytest.approx(own - max(errors))
        assert each.rank == 1 + sum(np.abs(GOLD - other).mean() < max(errors) for other in OTHERS.values())
    assert list(place.gains) == sorted(place.gains, key=lambda each: (-each.gain, each.attack))
    assert [gain.gain for gain in made("test=", "primary=pearson")[1].entered[0].gains if gain.attack == "shrink"] == [
        0
    ]


def test_what_else_is_asked_of_the_evaluation_is_not_asked_of_the_attacks():
    rules = ["interval=", "test=jackknife", "correction=holm", "primary=mae"]
    task, found = made("test=", "primary=mae")
    both = qeframe.evaluate("qe_sentence", [task], settings=rules, enter={"mine": MINE}, equivalence=0.1, influence=1)
    assert both.entered[0].gains == found.entered[0].gains


def test_a_task_without_submissions_changes_nothing():
    task, found = made("test=", "primary=mae")
    empty = attrs.evolve(task, name="u", batches={})
    enter = {"mine": {"t": MINE}}
    both = qeframe.evaluate("qe_sentence", [task, empty], settings=["interval=", "test=", "primary=mae"], enter=enter)
    assert both.entered[0].gains == found.entered[0].gains
    assert both.entered[0].absent == ()


# Sentences on an entered submission.
def comparison(a, b, task="", *, significant=True, p=0.01):
    return Comparison(
        a=a, b=b, metric="m", task=task, test="t", sided="two", difference=0.1, p=p, p_adjusted=p,
        significant=significant, least_p=0.0,
    )  # fmt: skip


def test_two_sentences_and_one_on_parts():
    pairs = [comparison("A", "mine"), comparison("mine", "B"), comparison("mine", "C", significant=False)]
    entered = Entered(name="mine", rank=2, of=3, rank_set=(2, 3), comparisons=(*pairs, comparison("mine", "A", "x")))
    assert place_in_words(entered)[0] == (
        "mine takes rank 2 of 4; by the tests its rank is 2 to 3. It beats 1 (B) and is beaten by 1 (A); "
        "no difference from 1 (C) was found. By part: x beats 1, is beaten by 0."
    )
    one = Entered(name="mine", rank=1, of=1, rank_set=(1, 1), comparisons=(comparison("mine", "B"),), ranks={"x": 1})
    assert place_in_words(one)[0] == (
        "mine takes rank 1 of 2; by the tests its rank is 1. It beats 1 (B) and is beaten by none; "
        "it differs significantly from all. By part: x rank 1."
    )
    partial = Entered(name="mine", rank=4, of=3, absent=("y",), comparisons=entered.comparisons[3:], ranks={"x": 1})
    assert place_in_words(partial)[0] == (
        "mine is not in y, so that it is listed apart over all tasks. By part: x rank 1, beats 1, is beaten by 0."
    )


def test_many_names_are_counted():
    pairs = tuple(comparison("mine", f"S{number}") for number in range(12))
    assert (
        "12 (S0, S1, S2, S3, S4, S5, S6, S7 and 4 more)"
        in place_in_words(Entered(name="mine", rank=1, of=12, comparisons=pairs))[0]
    )


@pytest.mark.parametrize("pairs", [(), (comparison("mine", "A", p=math.nan, significant=False),)])
def test_without_a_test(pairs):
    assert place_in_words(Entered(name="mine", rank=1, of=2, comparisons=pairs)) == (
        "mine takes rank 1 of 3; no difference was tested.",
    )


def test_more_sentences():
    unit = InfluentialUnit(unit=Unit(task="en-de", name="7"), score=0.25, rank=3)
    gain = AttackGain(attack="shrink", summary="s", setting="factor=0.5", score=0.5, gain=0.25, rank=1)
    valid = ValidPlace(test="t", sided="two", correction="c", rank_set=(1, 2), beats=("A",))
    place = Entered(name="mine", rank=2, of=3, valid=valid, influential=(unit,), unit="segment", gains=(gain,))
    assert place_in_words(place)[1:] == (
        "By rules that limit the chance of a false claim (t, two-sided, correction c) it beats 1 and is beaten by 0; "
        "by the tests its rank is 1 to 2.",
        "No single segment changes its rank; without segment 7 of en-de, which moves its score most, the score is "
        "0.25.",
        "By one of 1 known transformations of its answers (shrink, factor=0.5) it would gain 0.25 and take rank 1.",
    )
    single = place_in_words(attrs.evolve(place, changing=1))[2]
    assert single == "Without segment 7 of en-de it would take another rank (3)."
    changing = place_in_words(attrs.evolve(place, changing=4, gains=(attrs.evolve(gain, gain=0.0),)))[1:]
    assert changing[1] == "Without any one of 4 segments, such as segment 7 of en-de, it would take another rank (3)."
    assert changing[2].endswith("which add no information, would gain anything.")
    *_, kept = place_in_words(attrs.evolve(place, gains=(attrs.evolve(gain, rank=2),)))
    none = "None of 1 known transformations of its answers, which add no information, would change its rank"
    assert kept == f"{none}; the largest gain is 0.25 (shrink, factor=0.5)."
    *_, tiny = place_in_words(attrs.evolve(place, gains=(attrs.evolve(gain, rank=2, gain=0.000191),)))
    assert tiny == f"{none}."
    assert len(place_in_words(Entered(name="mine", rank=1, of=2))) == 1


def test_of_two_settings_that_halves_chose_the_smaller_gain_is_told():
    def scored(**scores):
        submissions = [
            SimpleNamespace(name=name, rank=1, scores={"mae": Result(value=value)}) for name, value in scores.items()
        ]
        return SimpleNamespace(primary="mae", higher_is_better={"mae": False}, submissions=submissions)

    attack = REGISTRY.all(Attack)[0]
    for first, second in ((0.5, 0.25), (0.25, 0.5)):
        rows = {"r0": (attack, "a"), "r1": (attack, "b")}
        (gain,) = of_entered._gains("mine", scored(mine=1.0), rows, scored(r0=1.0 - first, r1=1.0 - second))
        assert (gain.gain, gain.score, gain.setting) == (0.25, 0.75, "ab"[first > second])


def test_by_valid_rules_it_beats_those_whom_it_is_better_than(monkeypatch):
    rules = SimpleNamespace(test=SimpleNamespace(name="t"), side="two", correction=SimpleNamespace(name="c"))
    contest = SimpleNamespace(pairs=(np.array([0, 1, 0]), np.array([1, 2, 2])))
    compared = SimpleNamespace(names=["A", "mine", "B"], contest=contest, significant=[True, True, False], rules=rules)
    found = compared, SimpleNamespace(rank_set=lambda nth: (nth, nth))
    monkeypatch.setattr(of_entered, "compare_by_valid_rules", lambda made: found)
    expected = ValidPlace(test="t", sided="two", correction="c", rank_set=(1, 1), beats=("B",), beaten_by=("A",))
    assert of_entered._place_by_valid_rules("mine", None) == expected


def test_a_rank_in_a_part_where_low_scores_are_good_is_that_of_the_lowest():
    def scored(name, rising, falling):
        tasks = {"rising": Result(value=rising), "falling": Result(value=falling)}
        return SimpleNamespace(name=name, kind="unofficial", scores={"overall": Result(value=0.5, tasks=tasks)})

    parts = [SimpleNamespace(name=name, higher_is_better=name == "rising") for name in ("rising", "falling")]
    submissions = [scored("mine", 0.1, 0.1), scored("other", 0.5, 0.5)]
    found = SimpleNamespace(primary="overall", higher_in_tasks={}, parts=parts, submissions=submissions)
    assert of_entered._rank_by_task(found, "mine") == {"rising": 2, "falling": 1}


def test_a_gain_that_prints_as_zero_is_not_better():
    gains = tuple(
        AttackGain(attack=f"a{gain}", summary="s", score=0.5, gain=gain, rank=2) for gain in (0.25, 1e-6, -1.0)
    )
    _, found = made("test=")
    [table] = [t for t in entered_tables(attrs.evolve(found.entered[0], gains=gains), found) if "gains" in t.title]
    assert [(row[3].text, row[3].strong) for row in table.rows] == [
        ("0.250", True),
        ("0.000", False),
        ("-1.000", False),
    ]
    [table] = [t for t in entered_tables(attrs.evolve(found.entered[0], gains=gains[1:]), found) if "gains" in t.title]
    assert not table.strong_means


def test_in_a_task_set_it_precedes_those_that_it_beats(registry):
    """Its rank is that of the first one that it beats, before which it stands in every table."""
    tasks = [
        attrs.evolve(task, batches={**task.batches, Submission("z", "entered"): attrs.evolve(last, predicted=better)})
        for task in two_pairs()
        for last in [task.batches[Submission("m2")]]
        for better in [last.predicted + 0.5 * last.gold]
    ]
    found = qeframe.evaluate(profile(registry, WMT23, test='""'), tasks, registry=registry)
    values = [scored.scores["overall"].value for scored in found.submissions]
    assert found.submissions[-1].name != "z"
    assert values == sorted(values, reverse=True)
