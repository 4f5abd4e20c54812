"""Slices and costly units, and attacks that are entered beside the real submissions."""

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.attacks import enter_attacks
from qeframe.api.read import choose_profile
from qeframe.core.display import canonical_json
from qeframe.core.errors import DataError
from qeframe.core.metric import Attack
from qeframe.core.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.report import explanations

GOLD = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
DOMAINS = ("news", "news", "news", "news", "chat", "chat", "chat", "chat")


@pytest.fixture
def task():
    spoiled = GOLD.copy()
    spoiled[6] = -20.0
    answers = {"good": GOLD + np.array([0.1, -0.1, 0.2, 0, 0, 0.1, 0, 0]), "spoiled": spoiled}
    batches = {Submission(n): Scores(ids=np.arange(10, 18), gold=GOLD, predicted=p) for n, p in answers.items()}
    return Task(name="made", batches=batches, groups={"domain": DOMAINS})


def evaluated(task, registry, metric):
    rules = choose_profile("qe_sentence", [f"primary={metric}", "test=bootstrap(draws=50)", "interval="], registry)
    return {s.name: s for s in qeframe.evaluate(rules, task, explain=True, registry=registry).submissions}


@pytest.mark.parametrize("metric", ["pearson", "spearman", "mae"])
def test_the_unit_that_cost_most_is_named_by_its_id(task, registry, metric):
    details = evaluated(task, registry, metric)["spoiled"].scores[metric].details
    worst = details["worst_units"][0]
    assert worst["id"] == 16
    rest = np.arange(8) != 6
    batch = list(task.batches.values())[1].take(rest)
    assert worst["score_without"] == pytest.approx(qeframe.score(metric, batch, None, registry=registry))
    assert worst["gain"] > 0
    gains = [unit["gain"] for unit in details["worst_units"]]
    assert gains == sorted(gains, reverse=True)


def test_nothing_is_explained_unless_it_is_asked_for(task, registry):
    rules = choose_profile("qe_sentence", ["test=", "interval="], registry)
    plain = qeframe.evaluate(rules, task, registry=registry)
    assert all(not {"slices", "worst_units"} & set(s.scores[plain.primary].details) for s in plain.submissions)


@pytest.mark.parametrize("metric", ["pearson", "spearman", "mae"])
def test_slices_are_the_scores_of_the_groups_alone(task, registry, metric):
    slices = evaluated(task, registry, metric)["spoiled"].scores[metric].details["slices"]["domain"]
    batch = list(task.batches.values())[1]
    for domain in ("news", "chat"):
        alone = batch.take(np.array([d == domain for d in DOMAINS]))
        assert slices[domain] == pytest.approx(qeframe.score(metric, alone, None, registry=registry))


@pytest.mark.parametrize("metric", ["spearman", "mae"])
def test_what_would_be_too_much_work_is_left_out_and_said_so(task, registry, metric, monkeypatch):
    monkeypatch.setattr("qeframe.supplements.influence._MOST_WEIGHTS", 2 * 8 * 2)
    details = evaluated(task, registry, metric)["spoiled"].scores[metric].details
    assert set(details["slices"]["domain"]) == {"news", "chat"}
    assert bool(details["worst_units"]) == (metric == "mae")
    assert ("not_computed" in details) == (metric == "spearman")
    monkeypatch.setattr("qeframe.supplements.influence._MOST_WEIGHTS", 1)
    details = evaluated(task, registry, metric)["spoiled"].scores[metric].details
    assert list(details.get("not_computed", {})) == (["slices domain", "worst_units"] if metric == "spearman" else [])
    assert ("domain" in details["slices"]) == (metric == "mae")


def test_what_is_left_out_is_printed_by_explain(task, registry, monkeypatch):
    monkeypatch.setattr("qeframe.supplements.influence._MOST_WEIGHTS", 1)
    rules = choose_profile("qe_sentence", ["primary=spearman", "test=", "interval="], registry)
    tables = explanations(qeframe.evaluate(rules, task, explain=True, registry=registry))
    assert [table.title for table in tables] == ["spearman: left out", "spearman: left out"]
    assert tables[1].notes == ("the metric is not additive, and would be recomputed for each of 8 units",)


@pytest.mark.parametrize("metric", ["mae", "spearman"])
def test_slices_of_a_macro_average_are_of_their_own_parts(task, registry, metric):
    """News and chat have two documents each: their scores are the means of those, not undefined for the others."""
    documents = ("a", "a", "b", "b", "c", "c", "d", "d")
    grouped = attrs.evolve(task, groups={"domain": DOMAINS, "document": documents})
    rules = choose_profile(
        "qe_sentence", [f"primary={metric}", "within=macro(by=document)", "test=", "interval="], registry
    )
    explained = qeframe.evaluate(rules, grouped, explain=True, registry=registry)
    (spoiled,) = (s for s in explained.submissions if s.name == "spoiled")
    batch = list(task.batches.values())[1]
    alone = {
        d: qeframe.score(metric, batch.take(np.array([x == d for x in documents])), None, registry=registry)
        for d in "abcd"
    }
    slices = spoiled.scores[metric].details["slices"]
    assert slices["document"] == pytest.approx(alone)
    assert slices["domain"] == pytest.approx(
        {"news": (alone["a"] + alone["b"]) / 2, "chat": (alone["c"] + alone["d"]) / 2}
    )


def gold_itself(batch, rng):
    return Scores(ids=batch.ids, gold=batch.gold, predicted=batch.gold + 1e-9 * rng.standard_normal(len(batch)))


def attack(manner="blind", name="thief", kind=Scores):
    return Attack(name=name, summary="", kind=kind, manner=manner, knowledge="all", answer=gold_itself)


def test_an_attack_changes_nothing_for_the_real_submissions(task, registry):
    plain = evaluated(task, registry, "pearson")
    attacked = evaluated(enter_attacks([task], [attack()])[0], registry, "pearson")
    assert attacked["thief"].kind == "attack"
    assert attacked["thief"].rank == 1
    assert attacked["thief"].cluster is None
    assert canonical_json(plain) == canonical_json({name: attacked[name] for name in plain})


def test_attacks_that_need_an_honest_submission_are_left_out(task):
    (same,) = enter_attacks([task], [attack(manner="cosmetic"), attack(manner="selection")])
    assert list(same.batches) == list(task.batches)


def test_attacks_on_other_kinds_are_left_out(task):
    class Other(Scores):
        """Another kind of batch."""

    (same,) = enter_attacks([task], [attack(kind=Other)])
    assert list(same.batches) == list(task.batches)


def test_what_an_attack_draws_depends_on_seed_and_names_only(task):
    def drawn(seed, *attacks):
        (entered,) = enter_attacks([task], attacks, seed=seed)
        return next(batch.predicted for s, batch in entered.batches.items() if s.name == "thief")

    assert (drawn(1, attack()) == drawn(1, attack(name="other"), attack())).all()
    assert (drawn(1, attack()) != drawn(2, attack())).any()


def test_a_submission_may_not_have_the_name_of_an_attack(task):
    with pytest.raises(DataError, match="has the name of the attack 'good'"):
        enter_attacks([task], [attack(name="good")])
