"""Parts of the Python API."""

import inspect
import json
import math
import pickle
import re
from pathlib import Path

import attrs
import numpy as np
import pytest
from scipy.stats import pearsonr

import qeframe
from qeframe import (
    DataError,
    PluginError,
    Profile,
    ProfileError,
    Submission,
    Task,
    UnknownNameError,
    find_profile,
    metric_from,
)
from qeframe.api.arrays.comparing import compare
from qeframe.api.attacks import enter_attacks
from qeframe.api.evaluate import evaluate, requested
from qeframe.api.overrides import change_profile
from qeframe.api.read import choose_profile, with_names_in_readings, with_names_of_submissions
from qeframe.api.submissions import reader_of_file, validate_folder
from qeframe.assembly.evaluate import EvaluationRequest, evaluate_tasks
from qeframe.cli import main
from qeframe.core.metric import Attack
from qeframe.core.origin import Origin
from qeframe.core.resolve import resolve
from qeframe.plugin import Grid, Scores, Tags, Texts, Values
from tests.written import write_files


# Names that match nothing in what was read: a mistake where the user set them, else a count.
def task(name):
    return Task(name=name, batches={Submission("A"): Scores.from_plain([1, 2], [2, 1])})


def test_baselines_of_the_profile_that_no_task_has_are_counted_in_the_last(registry):
    profile = attrs.evolve(find_profile("wmt22_qe_sentence", registry), baselines=("A", "B", "C", "B"))
    first, last = with_names_of_submissions(profile, [task("x"), task("y")])
    assert first.dropped == ()
    (note,) = last.dropped
    assert (note.what, note.count) == ("baseline name", 2)
    assert note.reason == "listed by the profile but of no submission: B, C"
    assert with_names_of_submissions(profile, []) == []


def test_baselines_that_the_user_set_are_a_mistake(registry):
    profile = change_profile(find_profile("qe_sentence", registry), ["baselines=[A,B]"], registry)
    with pytest.raises(DataError, match="'B' is the name of no submission"):
        with_names_of_submissions(profile, [task("x")])
    named = change_profile(profile, ["baselines=[A]"], registry)
    assert with_names_of_submissions(named, [task("x")])[0].dropped == ()


def test_nothing_read_has_nothing_absent(registry):
    assert with_names_in_readings(find_profile("qe_sentence", registry), []) == []


# Attacks from Python equal those of the command line; ranks of attacks, each entered alone.
GOLD = [0.1, 0.5, 0.3, 0.9, 0.45, 0.2]


@pytest.fixture
def folder(tmp_path):
    sides = {
        "gold.txt": GOLD,
        "submissions/good.txt": [0.1, 0.4, 0.35, 0.8, 0.5, 0.3],
        "submissions/fair.txt": [0.3, 0.2, 0.4, 0.6, 0.5, 0.3],
    }
    return write_files(tmp_path, sides)


def test_attacks_from_python_are_those_of_the_command_line(folder, capsys, registry):
    main(["run", "qe_sentence", str(folder), "--with-attacks", "--json", "--seed", "3", "--quiet"])
    printed = capsys.readouterr().out
    assert qeframe.evaluate("qe_sentence", folder, attacks=True, seed=3).to_json() == printed
    names = [s["name"] for s in json.loads(printed)["submissions"] if s["kind"] == "attack"]
    assert names
    assert qeframe.evaluate("qe_sentence", folder, attacks=names, seed=3).to_json() == printed
    components = [registry.get(Attack, name) for name in names]
    assert qeframe.evaluate("qe_sentence", folder, attacks=components, seed=3).to_json() == printed


def made(values, name="given"):
    def answer(batch, rng):
        return attrs.evolve(batch, predicted=np.array(values, dtype=float))

    return Attack(name=name, summary="", kind=Scores, manner="blind", knowledge="nothing", answer=answer)


def test_each_attack_has_the_rank_that_it_takes_alone(folder):
    tasks = qeframe.read_tasks(qeframe.choose_profile("qe_sentence"), folder)
    both = qeframe.evaluate("qe_sentence", tasks, attacks=[made(GOLD, "best"), made(GOLD, "equal")])
    assert {s.name: s.rank for s in both.submissions} == {"best": 1, "equal": 1, "good": 1, "fair": 2}
    undefined = qeframe.evaluate("qe_sentence", tasks, attacks=[made([1] * 6, "flat")])
    assert {s.name: s.rank for s in undefined.submissions} == {"good": 1, "fair": 2, "flat": 3}


@pytest.mark.parametrize("name", ["given", "given (odd 1.0)"])
def test_a_submission_with_the_name_of_an_attack_is_refused(name):
    task = Task(name="t", batches={Submission(name): Scores.from_plain(GOLD, GOLD)})
    foreign = attrs.evolve(made(GOLD), origin=Origin("odd", "odd", "1.0"))
    with pytest.raises(DataError, match=re.escape(f"has the name of the attack '{name}'; give the submission another")):
        enter_attacks([task], [foreign])


# Submissions are checked without evaluating them: a folder without a gold file by file, one file by its reader.
@pytest.fixture(scope="module")
def rules(registry):
    return choose_profile("qe_parts", (), registry)


def test_a_folder_without_a_gold_is_checked_file_by_file(registry, tmp_path):
    (tmp_path / "submissions").mkdir()
    for name, text in {"a": "1\n2\nx\n4\n", "b": "1\n", "c": "4\n2\n3\n1\n"}.items():
        (tmp_path / "submissions" / f"{name}.txt").write_text(text)
    checked = validate_folder(choose_profile("qe_sentence", (), registry), tmp_path)
    assert [each.submission for each in checked.mistakes] == ["a"]
    assert checked.valid == {"": ("b", "c")}


@pytest.mark.parametrize(
    ("path", "level", "expected"),
    [
        ("in/word/a.txt", "", "word_columns_2020"),
        ("a.txt", "span", "spans_2023"),
        ("in/word/a.txt", "sentence", "qe_sentence"),
    ],
)
def test_which_reader_a_file_is_for(rules, registry, path, level, expected):
    assert reader_of_file(resolve(rules, registry), Path(path), level).name == expected


def test_a_file_that_is_for_no_reader_or_for_several(rules, registry):
    resolved = resolve(rules, registry)
    with pytest.raises(DataError, match="reads several levels, and the path names none; give --level: sentence, word"):
        reader_of_file(resolved, Path("a.txt"))
    with pytest.raises(DataError, match="there is no level 'words'; give --level: sentence, word, span"):
        reader_of_file(resolved, Path("a.txt"), "words")
    plain = resolve(choose_profile("qe_sentence", (), registry), registry)
    assert reader_of_file(plain, Path("word/a.txt")) is plain.reader
    with pytest.raises(DataError, match="the profile has no level 'word'; leave out --level"):
        reader_of_file(plain, Path("a.txt"), "word")


# What an evaluation is asked for.
def asked(registry, *supplements, **keywords):
    profile = attrs.evolve(choose_profile("qe_sentence", (), registry), supplements=supplements)
    return requested(profile, **keywords)


def test_what_is_not_asked_for_is_not_computed(registry):
    assert asked(registry) == {"explain": None, "equivalence": None, "asked": {}}


def test_keywords_ask_for_fields(registry):
    found = asked(registry, "wmt26_rankings", explain=True, equivalence=0.1, detectable=0.9, influence=np.int64(3))
    assert list(found.pop("asked")) == ["detectable", "influence", "supplements"]
    assert all(map(callable, found.values()))


def test_a_supplement_that_is_unknown_or_named_twice_is_refused(registry):
    with pytest.raises(DataError, match=r"^'wmt26_rankings' is named twice; name it once$"):
        asked(registry, "wmt26_rankings", "wmt26_rankings(border_seeds=2)")
    with pytest.raises(UnknownNameError, match=r"unknown supplement 'wmt26_ranking'; did you mean 'wmt26_rankings'"):
        asked(registry, "wmt26_ranking")
    with pytest.raises(DataError, match="border_seeds must be from 0"):
        asked(registry, "wmt26_rankings(border_seeds=-1)")
    with pytest.raises(DataError, match="parameter border_seeds = 'x' must be a whole number"):
        asked(registry, "wmt26_rankings(border_seeds=x)")


@pytest.mark.parametrize(
    "wrong",
    [
        {"equivalence": 0.0},
        {"equivalence": float("nan")},
        {"detectable": 1.0},
        {"detectable": 0.0},
        {"influence": -1},
        {"influence": 2.5},
    ],
)
def test_numbers_out_of_range(registry, wrong):
    with pytest.raises(DataError):
        asked(registry, **wrong)


def correlation(gold, predicted):
    """Pearson's correlation."""
    return pearsonr(gold, predicted).statistic


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    gold = rng.normal(size=30)
    return gold, {name: gold + rng.normal(size=30) for name in "ABC"}


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_the_same_numbers_as_the_metric_with_sums(scores, test):
    gold, submissions = scores
    metric = metric_from(correlation)
    assert (metric.name, metric.summary) == ("correlation", "Pearson's correlation")
    assert qeframe.score(metric, gold, submissions["A"]) == pytest.approx(
        qeframe.score("pearson", gold, submissions["A"]), abs=1e-12
    )
    found, expected = (compare(each, gold, submissions, test=f"{test}(draws=99)") for each in (metric, "pearson"))
    assert [(c.a, c.b, c.p) for c in found] == [(c.a, c.b, c.p) for c in expected]


def right_tags(gold, predicted):
    return np.mean([g == p for pair in zip(gold, predicted, strict=True) for g, p in zip(*pair, strict=True)])


def found_texts(gold, predicted):
    return float(sum(text in references for references, text in zip(gold, predicted, strict=True)))


def test_other_kinds_of_batch():
    right = metric_from(right_tags, kind=Tags)
    assert qeframe.score(right, [["OK", "BAD"], ["OK"]], [["OK", "OK"], ["OK"]]) == pytest.approx(2 / 3)
    longest = metric_from(lambda predicted: float(max(predicted)), kind=Values, name="longest")
    assert qeframe.score(longest, None, [1, 5, 2]) == 5
    cells = metric_from(lambda gold, predicted: float((gold == predicted).sum()), kind=Grid, name="cells")
    assert qeframe.score(cells, [[1, 2], [3, 4]], [[1, 0], [3, 4]]) == 3
    assert qeframe.score(metric_from(found_texts, kind=Texts), [["a", "b"], ["c"]], ["b", "d"]) == 1


def test_a_draw_without_a_unit_is_undefined(scores):
    gold, submissions = scores
    statistic = metric_from(correlation).bind(Scores.from_plain(gold, submissions["A"]))
    found = statistic(np.stack([np.zeros(30), np.ones(30)]))
    assert math.isnan(found[0])
    assert not math.isnan(found[1])
    assert (statistic.units, statistic.unit) == (30, "segment")
    with pytest.raises(DataError, match="defined on whole units"):
        statistic(np.full(30, 0.5))


def test_functions_that_cannot_be_metrics():
    with pytest.raises(DataError, match="'<lambda>' is not the name of a metric; give name="):
        metric_from(lambda gold, predicted: 1.0)
    with pytest.raises(PluginError, match=r"metric 'words' .* words returned 'a', not a number"):
        qeframe.score(metric_from(lambda gold, predicted: "a", name="words"), [1, 2], [3, 4])


def share_right(gold, predicted):
    """Share of equal numbers."""
    return float(np.mean(np.asarray(gold) == predicted))


def test_the_metric_pickles_where_its_function_does():
    metric = metric_from(share_right, bounds=(0, 1))
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert qeframe.score(again, [1, 2, 3], [1, 2, 4]) == pytest.approx(2 / 3)
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        pickle.dumps(metric_from(lambda gold, predicted: 0.5, name="half"))


RULES = Profile(reader="qe_plain", primary="pearson", interval="", test="")
VALUES = {"gold.txt": [1.0, 2.0, 3.0, 5.0], "submissions/a.txt": [1.0, 3.0, 2.0, 5.0]}


@pytest.fixture
def task_files(tmp_path):
    return write_files(tmp_path, VALUES)


def test_a_path_and_its_tasks_give_equal_results(task_files):
    read = evaluate(RULES, task_files, seed=2)
    assert evaluate(RULES, qeframe.read_tasks(RULES, task_files), seed=2).to_json() == read.to_json()


def test_tasks_need_no_file_and_no_reader(registry):
    gold, values = (np.array(values) for values in VALUES.values())
    task = Task(name="t", batches={Submission("a"): Scores.from_plain(gold, values)})
    rules = Profile(reader="there is none", primary="pearson", interval="", test="")
    request = EvaluationRequest(seed=0, registry=registry)
    made = evaluate_tasks(resolve(rules, registry, reads=False), [task], request)
    assert made.to_json() == evaluate(rules, task).to_json()
    with pytest.raises(ProfileError, match="reader: "):
        evaluate(rules, "folder")


def test_the_keywords_are_those_of_the_last_release():
    assert list(inspect.signature(qeframe.evaluate).parameters)[:11] == [
        "profile", "task", "settings", "attacks", "explain", "equivalence", "detectable", "influence", "seed",
        "registry", "runner",
    ]  # fmt: skip


@pytest.mark.parametrize("attacks", ["constant", 3])
def test_attacks_are_a_list_or_all(task_files, attacks):
    with pytest.raises(DataError, match=f"attacks cannot be {attacks!r}; give True, or a list of names or of attacks"):
        evaluate(RULES, task_files, attacks=attacks)
