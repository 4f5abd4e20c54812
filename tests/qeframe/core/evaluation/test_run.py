import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import CapabilityError, DataError, Evaluation, Profile, ProfileError, QeframeError, Runner
from qeframe.core.task import Dropped, Submission, Task
from qeframe.kinds.scores.batch import Scores

RULE_KEYS = Profile(reader="none", primary="pearson", interval="bootstrap(draws=300)", test="bootstrap(draws=300)")
SPREADS = {"good": 0.3, "poor": 1.0, "noise": 5.0}


def make_task(name: str = "en-de", *, units: int = 40, seed: int = 0, without: str = "", **options: Any) -> Task:
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=units)
    answers = {name: gold + spread * rng.normal(size=units) for name, spread in SPREADS.items()}
    batches = {Submission(n): Scores.from_plain(gold, a) for n, a in answers.items() if n != without}
    return Task(name=name, batches=batches, **options)


def run(task: Any, **changes: Any) -> Evaluation:
    seed = changes.pop("seed", 0)
    runner = changes.pop("runner", None)
    return qeframe.evaluate(attrs.evolve(RULE_KEYS, **changes), task, seed=seed, runner=runner)


def values(evaluation: Evaluation, metric: str = "pearson") -> dict[str, float]:
    return {s.name: s.scores[metric].value for s in evaluation.submissions}


def test_one_task() -> None:
    task = make_task()
    found = run(task, secondary=("mae", "spearman", "pearson"))
    assert [s.name for s in found.submissions] == ["good", "poor", "noise"]
    assert [s.rank for s in found.submissions] == [1, 2, 3]
    assert found.metrics == ("pearson", "mae", "spearman")
    assert dict(found.higher_is_better) == {"pearson": True, "mae": False, "spearman": True}
    for submission, batch in task.batches.items():
        (scored,) = (s for s in found.submissions if s.name == submission.name)
        for metric, result in scored.scores.items():
            assert result.value == pytest.approx(qeframe.score(metric, batch, None), abs=1e-12)
            assert result.low < result.value < result.high
            assert result.tasks == {}
    assert [(c.a, c.b, c.task) for c in found.comparisons] == [
        ("good", "poor", ""),
        ("good", "noise", ""),
        ("poor", "noise", ""),
    ]
    assert {c.metric for c in found.comparisons} == {"pearson"}


def test_rank_shares_are_shares_of_draws() -> None:
    """Without ties every submission takes one rank in every draw, and every rank is taken by one submission."""
    found = run(make_task(units=12, seed=5), test="bootstrap(draws=300, p=percentile)", correction="none")
    shares = np.array([s.rank_shares for s in found.submissions])
    assert shares.sum(axis=0) == pytest.approx(np.ones(3))
    assert shares.sum(axis=1) == pytest.approx(np.ones(3))


def test_the_winner_is_not_alone_where_nothing_is_significant() -> None:
    found = run(make_task(units=6), test="randomization(draws=64)", alpha=0.001)
    assert [s.cluster for s in found.submissions] == [1, 1, 1]
    assert all(s.winner for s in found.submissions)
    apart = run(make_task(units=400), test="williams", sided="one", correction="none")
    assert [s.cluster for s in apart.submissions] == [1, 2, 2]
    assert [s.cluster for s in run(make_task(units=400), test="williams", ranking="clusters").submissions] == [1, 2, 3]


def test_without_a_test_nothing_is_compared() -> None:
    found = run(make_task(), test="", interval="")
    assert found.comparisons == ()
    assert {s.cluster for s in found.submissions} == {None}
    assert np.isnan([s.scores["pearson"].low for s in found.submissions]).all()
    assert all(s.rank_shares == () for s in found.submissions)


def test_several_tasks_are_evaluated_apart_and_averaged() -> None:
    tasks = [make_task("en-de", seed=1), make_task("en-ru", seed=2, units=60), make_task("zh-en", seed=3)]
    found = run(tasks)
    for scored in found.submissions:
        apart = scored.scores["pearson"].tasks
        assert list(apart) == ["en-de", "en-ru", "zh-en"]
        assert scored.scores["pearson"].value == pytest.approx(np.mean([r.value for r in apart.values()]), abs=1e-12)
        mean_width = np.mean([r.high - r.low for r in apart.values()])
        assert scored.scores["pearson"].high - scored.scores["pearson"].low < mean_width
    for task in tasks:
        alone = {s.name: qeframe.score("pearson", b, None) for s, b in task.batches.items()}
        assert alone == pytest.approx({s.name: s.scores["pearson"].tasks[task.name].value for s in found.submissions})
    assert [c.task for c in found.comparisons] == [""] * 3 + ["en-de"] * 3 + ["en-ru"] * 3 + ["zh-en"] * 3
    assert len(found.signature.units) == 3


def test_tasks_have_draws_of_their_own() -> None:
    """Two copies of a task are resampled independently: the interval of their mean is narrower by a root of two."""
    twice = [make_task("a", units=100), make_task("b", units=100)]
    scored = run(twice, interval="bootstrap(draws=2000)", test="").submissions[1].scores["pearson"]
    alone = scored.tasks["a"].high - scored.tasks["a"].low
    assert (scored.high - scored.low) / alone == pytest.approx(1 / np.sqrt(2), abs=0.06)


def test_a_submission_that_lacks_a_task_has_no_aggregate() -> None:
    tasks = [make_task("en-de", without="good"), make_task("en-ru", seed=2)]
    found = run(tasks)
    good = found.submissions[-1]
    assert good.name == "good"
    assert np.isnan(good.scores["pearson"].value)
    assert list(good.scores["pearson"].tasks) == ["en-ru"]
    assert (good.rank, good.cluster, good.winner) == (3, None, False)
    assert (good.absent, good.rank_set) == (("en-de",), None)
    assert not any("cannot be tested" in warning for warning in found.warnings), "it is not compared over all tasks"
    (left,) = (c for c in found.comparisons if not c.task)
    assert "good" not in (left.a, left.b)
    assert left.p_adjusted == left.p, "the family has one pair"
    assert run(tasks, across='mean(exclude=["en-de"])').submissions[0].name == "good"


@pytest.mark.parametrize(
    ("correction", "draws", "needed"),
    [("bonferroni", 1000, 1100), ("holm", 1000, 1100), ("bh", 1000, None), ("holm", 1100, None), ("none", 10, 20)],
)
def test_too_few_draws_to_declare_anything_significant_are_warned_of(correction, draws, needed) -> None:
    rng = np.random.default_rng(0)
    gold = rng.normal(size=40)
    batches = {Submission(f"s{i}"): Scores.from_plain(gold, gold + (i + 0.1) * rng.normal(size=40)) for i in range(11)}
    task = Task(name="many", batches=batches)
    found = run(task, test=f"randomization(draws={draws})", interval="", correction=correction)
    warned = [warning for warning in found.warnings if "no difference can be significant" in warning]
    assert [f"ask for at least {needed} draws" in warning for warning in warned] == ([True] if needed else [])
    assert any(c.significant for c in found.comparisons) == (needed is None)


@pytest.mark.parametrize(("units", "said"), [(4, True), (9, False)])
def test_too_few_units_to_declare_anything_significant_are_warned_of(units: int, said: bool) -> None:
    """Of 4 units 16 exchanges are enumerated: the smallest two-sided p is 2/16, with any number of draws."""
    gold = np.arange(units, dtype=float)
    batches = {Submission("a"): Scores.from_plain(gold, gold), Submission("b"): Scores.from_plain(gold, gold + 1)}
    task = Task(name="few", batches=batches)
    found = run([task, attrs.evolve(task, name="too")], test="randomization", interval="")
    warned = [warning for warning in found.warnings if "no difference can be significant" in warning]
    assert len(warned) == said
    assert {c.least_p for c in found.comparisons if c.task} == {2 / 2**units}
    if said:
        assert "significant on few, too: the smallest p of randomization is 0.12, and" in warned[0]
        assert warned[0].endswith("all exchanges were enumerated: there are too few units")


def test_weights_of_tasks() -> None:
    tasks = [make_task("en-de", seed=1), make_task("en-ru", seed=2, units=120)]
    apart = [values(run(task, test="", interval="")) for task in tasks]
    quiet: dict[str, Any] = {"test": "", "interval": ""}
    for options, share in (
        ({"across": "weighted"}, 40 / 160),
        ({"across": "weighted", "weights": {"en-de": 3.0, "en-ru": 1.0}}, 0.75),
        ({"across": "weighted", "weights": {"en-de": 0.0, "en-ru": 2.0}}, 0.0),
        ({"across": 'weighted(exclude=["en-de"])', "weights": {"en-ru": 2.0}}, 0.0),
        ({"across": 'weighted(exclude=["en-ru"])'}, 1.0),
    ):
        expected = {n: share * apart[0][n] + (1 - share) * apart[1][n] for n in SPREADS}
        assert values(run(tasks, **options, **quiet)) == pytest.approx(expected, abs=1e-12), options


@pytest.mark.parametrize(
    ("across", "weights", "said"),
    [
        (
            "weighted",
            {"en-de": 1.0, "en-rv": 1.0},
            "task 'en-rv' is given a weight, .* no such task; did you mean 'en-ru'",
        ),
        ("weighted(exclude=[xx])", {}, "task 'xx' is excluded, but there is no such task; known: en-de, en-ru"),
        ("weighted", {"en-de": 1.0}, "task 'en-ru' has no weight, but other tasks have one; give it a weight; 0"),
        ("weighted", {"en-de": 0.0, "en-ru": 0.0}, "one must be positive; change 'weights'"),
        ("weighted", {"en-de": -1.0, "en-ru": 2.0}, "weights.en-de: must be a finite number that is not negative"),
        ("weighted", {"en-de": np.nan, "en-ru": 2.0}, "weights.en-de: must be a finite number that is not negative"),
        ("mean", {"en-de": 1.0, "en-ru": 2.0}, "weights: 'mean' weighs all tasks equally"),
        (
            "pooled",
            {"en-de": 1.0, "en-ru": 2.0},
            "weights: 'pooled' weighs tasks by the count 'system_pairs'; choose another",
        ),
        ("micro", {}, "across: 'micro' combines groups of units, not tasks; there are: autorank, average_rank, mean, "),
    ],
)
def test_weights_that_do_not_fit_the_tasks(across: str, weights: dict[str, float], said: str) -> None:
    with pytest.raises(QeframeError, match=said):
        run([make_task("en-de"), make_task("en-ru")], across=across, weights=weights, test="", interval="")


def test_tasks_have_names_of_their_own() -> None:
    with pytest.raises(DataError, match="two tasks are named 'en-de'; name every task differently"):
        run([make_task("en-de"), make_task("en-ru"), make_task("en-de", seed=1)])


def test_a_metric_that_is_named_twice_is_evaluated_once() -> None:
    found = run(make_task(), secondary=("mae", "pearson()", "mae()", "delta_avg(ties=average)", "delta_avg"))
    assert found.metrics == ("pearson", "mae", "delta_avg")


def test_a_profile_made_by_hand_is_checked() -> None:
    for wrong, said in (
        ({"alpha": np.nan}, "alpha: must lie between 0 and 1"),
        ({"alpha": "high"}, "alpha: must be a number"),
        ({"within": "mean"}, "within: 'mean' combines tasks"),
        ({"secondary": "mae"}, "secondary: must be a list of words"),
    ):
        with pytest.raises(ProfileError, match=said):
            run(make_task(), **wrong)


def test_where_the_test_is_undefined_for_every_pair_nobody_wins() -> None:
    found = run(make_task(units=3), test="williams")
    assert all(np.isnan(c.p) for c in found.comparisons)
    assert {s.cluster for s in found.submissions} == {None}
    assert any("undefined for 3 of 3 pairs" in warning for warning in found.warnings)
    assert run(make_task(units=40), test="williams").submissions[0].winner


def test_average_ranks_are_better_when_lower() -> None:
    tasks = [make_task("en-de", seed=1), make_task("en-ru", seed=2)]
    found = run(tasks, across="average_rank", secondary=("mae",))
    assert values(found) == {"good": 1.0, "poor": 2.0, "noise": 3.0}
    assert values(found, "mae") == {"good": 1.0, "poor": 2.0, "noise": 3.0}
    assert not any(found.higher_is_better.values())
    (pair,) = (c for c in found.comparisons if (c.a, c.b, c.task) == ("good", "noise", ""))
    assert pair.difference == -2.0


def test_tests_that_do_not_work_across_tasks_are_run_within_them() -> None:
    tasks = [make_task("en-de", seed=1), make_task("en-ru", seed=2)]
    williams = run(tasks, test="williams")
    assert {c.task for c in williams.comparisons} == {"en-de", "en-ru"}
    assert {s.cluster for s in williams.submissions} == {None}
    ranks = run(tasks, across="average_rank", test="randomization(draws=50)")
    assert "" not in {c.task for c in ranks.comparisons}
    assert "" in {c.task for c in run(tasks, test="randomization(draws=50)").comparisons}


def test_macro_averages_over_documents() -> None:
    labels = ["a"] * 10 + ["b"] * 30
    task = make_task(groups={"document": labels})
    found = run(task, primary="mae", within="macro(by=document)", test="randomization(draws=50)")
    for submission, batch in task.batches.items():
        assert isinstance(batch, Scores)
        errors = np.abs(batch.gold - batch.predicted)
        expected = (errors[:10].mean() + errors[10:].mean()) / 2
        assert values(found, "mae")[submission.name] == pytest.approx(expected)
    with pytest.raises(DataError, match="there is no grouping 'domain'"):
        run(task, within="macro(by=domain)")


def test_documents_are_resampled_where_the_profile_says_so() -> None:
    task = make_task(groups={"document": [f"d{i // 10}" for i in range(40)]})
    found = run(task, resample="document")
    assert found.signature.rules["resample"] == "document"
    assert run(task).submissions != found.submissions
    assert values(run(task)) == pytest.approx(values(found), abs=1e-12)
    with pytest.raises(DataError, match="there is no grouping 'judge'"):
        run(task, resample="judge")


def test_a_submission_against_the_gold_is_warned_of() -> None:
    task = make_task()
    gold = next(iter(task.batches.values())).gold  # type: ignore[attr-defined]
    turned = {**task.batches, Submission("turned"): Scores.from_plain(gold, -(gold**3))}
    (warning,) = run(attrs.evolve(task, batches=turned), secondary=("mae",)).warnings
    assert warning.startswith("negative correlation with the gold of turned (pearson -0.")
    assert warning.endswith("): check the sign of the scores")
    both = run([attrs.evolve(task, batches=turned), make_task("en-ru", seed=3)])
    assert [w.split(" -0.")[0] for w in both.warnings if "cannot be tested" not in w] == [
        "negative correlation with the gold of turned on en-de (pearson"
    ]
    assert run(task).warnings == ()


def test_undefined_scores_are_last_and_null() -> None:
    task = make_task()
    gold = next(iter(task.batches.values())).gold  # type: ignore[attr-defined]
    constant = {Submission("constant"): Scores.from_plain(gold, np.zeros(40)), **task.batches}
    found = run(attrs.evolve(task, batches=constant))
    last = found.submissions[-1]
    assert (last.name, last.rank, last.cluster) == ("constant", 4, None)
    assert last.scores["pearson"].details["undefined_draws"] == 300
    shown = json.loads(found.to_json())["submissions"][-1]["scores"]["pearson"]
    assert (shown["value"], shown["low"], shown["high"]) == (None, None, None)


def test_what_was_dropped_and_read_is_told() -> None:
    task = make_task(dropped=(Dropped("en-de", "unit", 2, "empty"),))
    assert run([task, make_task("en-ru")]).dropped == (Dropped("en-de", "unit", 2, "empty"),)


def test_the_signature_says_what_made_the_result() -> None:
    signature = run(make_task(), seed=9).signature
    assert signature.seed == 9
    assert signature.qeframe == qeframe.__version__
    assert set(signature.versions) == {"numpy", "scipy"}
    assert "qeframe_scoring" in signature.plugins
    assert dict(signature.units) == {"en-de": "40 x segment"}
    assert signature.rules["primary"] == "pearson"
    assert signature.rules["correction"] == "holm"
    assert signature.text == (
        f"qeframe:{qeframe.__version__}|profile:|primary:pearson|test:bootstrap(draws=300)|correction:holm"
        f"|ranking:not_worse_than_best|resample:unit|rules:{signature.digest}|seed:9"
    )
    assert "|set:alpha=0.1|" in run(make_task(), changed={"alpha": "0.1"}).signature.text


def test_rules_that_do_not_fit_are_refused() -> None:
    with pytest.raises(CapabilityError, match="profile 'rules': test 'williams' needs a correlation"):
        run(make_task(), name="rules", primary="mae", test="williams")
    with pytest.raises(DataError, match="to evaluate"):
        run([])


def test_equal_seeds_and_any_workers_give_equal_bytes() -> None:
    tasks = [make_task("en-de", seed=1), make_task("en-ru", seed=2)]
    expected = run(tasks, seed=4).to_json()
    assert run(tasks, seed=4).to_json() == expected
    assert run(tasks, seed=5).to_json() != expected
    with ThreadPoolExecutor(2) as executor:
        assert run(tasks, seed=4, runner=Runner(executor)).to_json() == expected


PROGRAM = """
import sys
sys.path.insert(0, {folder!r})
from test_run import make_task, run
labels = {{"document": [f"d{{i % 7}}" for i in range(40)]}}
tasks = [make_task("en-de", seed=1, groups=labels), make_task("en-ru", seed=2, groups=labels)]
print(run(tasks, seed=4, secondary=("spearman",), resample="document").to_json(), end="")
"""


def test_the_hash_seed_changes_no_byte() -> None:
    """Nothing may depend on the order of a set: not a number, not the order of a list."""
    program = PROGRAM.format(folder=os.path.dirname(__file__))
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "4242")
    }
    (output,) = outputs
    assert json.loads(output)["primary"] == "pearson"


def with_attacks(task: Task, answers: dict[str, Any]) -> Task:
    gold = next(iter(task.batches.values())).gold  # type: ignore[attr-defined]
    added = {Submission(name, "attack"): Scores.from_plain(gold, values) for name, values in answers.items()}
    return attrs.evolve(task, batches={**task.batches, **added})


def test_an_attack_has_the_average_rank_of_entering_alone() -> None:
    """Two attacks: neither counts in the average rank of the other or of a real submission."""
    tasks = [make_task(name, seed=seed) for name, seed in (("en-de", 1), ("en-ru", 2), ("en-cs", 3))]
    rng = np.random.default_rng(9)
    cheats = [{"worst": -1.0 * gold, "middle": gold + 0.6 * rng.normal(size=40)} for gold in map(gold_of, tasks)]
    both = run([with_attacks(t, c) for t, c in zip(tasks, cheats, strict=True)], across="average_rank", interval="")
    found = {s.name: (s.scores["pearson"].value, s.rank) for s in both.submissions}
    assert found == {"good": (1.0, 1), "poor": (2.0, 2), "noise": (3.0, 3), "worst": (4.0, 4), "middle": (2.0, 2)}
    for name in ("worst", "middle"):
        alone = [with_attacks(t, {name: c[name]}) for t, c in zip(tasks, cheats, strict=True)]
        as_real = [
            attrs.evolve(t, batches={Submission(s.name): batch for s, batch in t.batches.items()}) for t in alone
        ]
        entered = {s.name: s for s in run(as_real, across="average_rank", interval="").submissions}
        assert found[name] == (entered[name].scores["pearson"].value, entered[name].rank)
    again = run([with_attacks(t, c) for t, c in zip(tasks, cheats, strict=True)], across="average_rank")
    assert {s.name: s.rank for s in again.submissions} == {name: rank for name, (_, rank) in found.items()}


def gold_of(task: Task) -> Any:
    return next(iter(task.batches.values())).gold  # type: ignore[attr-defined]


def test_an_attack_that_a_task_lacks_has_no_aggregate_to_be_ranked_by() -> None:
    tasks = [make_task("en-de", seed=1), make_task("en-ru", seed=2)]
    found = run([with_attacks(tasks[0], {"perfect": gold_of(tasks[0])}), tasks[1]])
    (attack,) = (s for s in found.submissions if s.kind == "attack")
    assert attack.rank == 4


def test_an_attack_that_ties_with_a_real_submission_shares_its_rank() -> None:
    task = make_task()
    # Attacks are computed in a product of their own, and some kernels of BLAS round the rows of each product otherwise.
    # Mean absolute errors of whole numbers are exact.
    whole: dict[Any, Any] = {
        name: attrs.evolve(batch, predicted=np.rint(8 * batch.predicted), gold=np.rint(8 * batch.gold))  # type: ignore[attr-defined]
        for name, batch in task.batches.items()
    }
    task = attrs.evolve(task, batches=whole)
    copied = {s.name: batch.predicted for s, batch in whole.items()}
    found = run(with_attacks(task, {"copy": copied["poor"]}), primary="mae")
    assert [(s.name, s.rank) for s in found.submissions] == [("good", 1), ("poor", 2), ("copy", 2), ("noise", 3)]


def test_draws_depend_on_the_name_of_the_task_not_on_its_position() -> None:
    first, second = make_task("en-de"), make_task("he-en", seed=1)

    def ends(evaluation: Evaluation, name: str) -> list[tuple[float, float]]:
        results = {s.name: s.scores["pearson"] for s in evaluation.submissions}
        own = {key: result.tasks.get(name, result) for key, result in results.items()}
        return [(own[key].low, own[key].high) for key in sorted(own)]

    both, turned = run([first, second]), run([second, first])
    assert ends(both, "en-de") == ends(turned, "en-de") == ends(run(first), "en-de")
    folders = [run(make_task(name)) for name in ("results-1", "results-2")]
    assert ends(folders[0], "") == ends(folders[1], "")


def test_a_test_that_cannot_compare_aggregates_names_those_that_can() -> None:
    tasks = [make_task("en-de"), make_task("ro-en", seed=1)]
    (warning,) = [each for each in run(tasks, test="williams").warnings if "cannot compare aggregates" in each]
    able = warning.rpartition("; ")[2]
    assert able.startswith(
        "--set test=bootstrap or --set test=bootstrap_t or --set test=exchange or --set test=jackknife"
    )
    assert "steiger" not in able
    assert not any("aggregates" in each for each in run(tasks, test="jackknife").warnings)


@pytest.mark.parametrize(
    "test", ["default", "bootstrap(draws=200)", "bootstrap_t(draws=200)", "randomization(draws=200)"]
)
@pytest.mark.parametrize(
    ("metric", "change"),
    [
        ("pearson", lambda gold, answers: 0.37 * answers - 5),
        ("spearman", lambda gold, answers: 0.37 * answers - 5),
        ("mae", lambda gold, answers: 2 * gold - answers),
        ("rmse", lambda gold, answers: 2 * gold - answers),
    ],
)
def test_scores_that_are_equal_but_for_rounding_share_rank_and_cluster(metric: str, change: Any, test: str) -> None:
    rng = np.random.default_rng(0)
    gold = rng.normal(size=60)
    answers = gold + rng.normal(size=60)
    sides = {"first": answers, "other": change(gold, answers), "poor": gold + 9 * rng.normal(size=60)}
    task = Task(name="t", batches={Submission(name): Scores.from_plain(gold, each) for name, each in sides.items()})
    found = qeframe.evaluate("qe_sentence", task, settings=[f"primary={metric}", f"test={test}"])
    by_name = {each.name: each for each in found.submissions}
    first, other = by_name["first"], by_name["other"]
    assert first.scores[metric].value == pytest.approx(other.scores[metric].value, rel=1e-13)
    assert (first.rank, first.cluster) == (other.rank, other.cluster) == (1, 1)
    assert by_name["poor"].rank == 3
    pair = next(each for each in found.comparisons if {each.a, each.b} == {"first", "other"})
    if metric == "pearson" or test in {"default", "bootstrap_t(draws=99)"}:
        assert (pair.p, pair.significant) == (1, False)
    assert not pair.significant


@pytest.mark.parametrize("units", [40, 1])
def test_there_are_no_rank_sets_where_no_pair_could_be_tested(units: int) -> None:
    """Rules that control any false claim: one unit cannot be resampled."""
    task = make_task()
    task = attrs.evolve(task, batches={who: batch.take(np.arange(units)) for who, batch in task.batches.items()})
    found = run(task, primary="mae", test="bootstrap(draws=99)", correction="holm", interval="")
    for submission in found.submissions:
        tested = units > 1
        assert (submission.cluster is not None, submission.rank_set is not None) == (tested, tested)


@pytest.mark.parametrize("ranking", ["not_outperformed", "clusters"])
@pytest.mark.parametrize("correction", ["default", "none"])  # a controlled family, and one with valid tests beside it
def test_a_submission_alone_is_not_marked_as_one_that_may_be_best(ranking, correction):
    gold = np.random.default_rng(3).normal(size=30)
    task = Task(name="t", batches={Submission("a"): Scores.from_plain(gold, gold + np.sin(np.arange(30)))})
    found = qeframe.evaluate("qe_sentence", task, settings=[f"ranking={ranking}", f"correction={correction}"])
    (alone,) = found.submissions
    assert (alone.rank, alone.rank_set, alone.may_be_best) == (1, None, None)
    assert not re.search("may be best|rank set|official", str(found.whole()))
