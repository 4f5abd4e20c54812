"""The search for attacks: climbs, seeds, workers, interrupts, spaces of third parties."""

from concurrent.futures import ThreadPoolExecutor

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.metric import Attack
from qeframe.core.processes import EndedError
from qeframe.core.runner import Runner
from qeframe.gaming.audit_gold import AuditGold, Case
from qeframe.gaming.search import _Climbs, halves_of, search_spaces, spaces_on
from qeframe.plugin import Metric, Parametric, Scores, hookimpl


def constant_at(*, at: float = 0.0, side: str = "left") -> Attack:
    """Answer a number everywhere.

    Parameters
    ----------
    at : float
        The number.
    side : str
        A word that changes nothing.
    """
    return Attack(
        name="constant_at",
        summary="Answers a number everywhere",
        kind=Scores,
        manner="blind",
        knowledge="",
        answer=lambda batch, rng: attrs.evolve(batch, predicted=np.full(len(batch), at)),
        space={"at": tuple(i / 10 for i in range(11)), "side": ("left", "right")},
    )


class Mine:
    @staticmethod
    @hookimpl
    def qeframe_attacks():
        return [Parametric(constant_at)]


@pytest.fixture(scope="module")
def registry():
    return qeframe.load(extra={"mine": Mine})


def test_a_third_party_declares_a_space_and_the_find_is_a_recipe(registry):
    (metric,) = qeframe.audit("mae", attacks=["constant_at"], claims=False, search=True, registry=registry).metrics
    (find,), (searched,) = metric.finds, metric.searched
    assert find.attack == searched.found
    assert registry.get(Attack, find.attack).name == find.attack
    assert "at=0.2" in find.attack  # the median of beta(1.2, 3.2) is .24
    assert (searched.tried, searched.size) == (22, 22)
    (again,) = qeframe.audit("mae", attacks=[find.attack], claims=False, registry=registry).metrics
    assert again.attacks[0].index == find.index


def test_a_climb_finds_the_top_of_a_hill_without_trying_everything():
    tried = []

    def height(point):
        tried.append(point)
        return -float(sum((np.array(point) - (7, 2, 11)) ** 2))

    climbs = _Climbs(height, [20, 20, 20], [True, True, True], 400)
    assert climbs.best(np.random.default_rng(0)) == (7, 2, 11)
    assert len(tried) == len(set(tried)) == len(climbs.known) <= 400
    assert _Climbs(height, [3, 3], [True, False], 400)._neighbors((1, 1)) == [(0, 1), (2, 1), (1, 0), (1, 2)]


def test_what_cannot_be_made_is_no_find():
    assert _Climbs(lambda point: np.nan, [3], [True], 10).best(np.random.default_rng(0)) is None


def two_cases(registry):
    return [Case(name=name, metric=registry.get(Metric, name)) for name in ("mae", "rmse")]


def test_the_result_depends_on_the_seed_and_not_on_workers(registry):
    cases = two_cases(registry)

    def found(seed, runner=None):
        return search_spaces(cases, registry, names=["reshape_scores"], tries=20, seed=seed, runner=runner)

    alone, complete = found(1)
    assert complete
    with ThreadPoolExecutor(3) as executor:
        assert found(1, Runner(executor)) == (alone, True)
    assert [each.tried for each in alone] == [20, 20]


def test_an_interrupt_keeps_what_was_found_and_the_end_of_the_process_does_not(registry):
    def search(signal):
        def stop(done, total):
            if done == 2:
                raise signal

        return search_spaces(two_cases(registry), registry, names=["constant_at"], runner=Runner(on_progress=stop))

    results, complete = search(KeyboardInterrupt)
    assert not complete
    assert [each.metric for each in results] == ["mae"]
    with pytest.raises(EndedError):
        search(EndedError)


def test_every_declared_space_can_be_made(registry):
    """Each end of each parameter is read back by name."""
    spaces = [attack for attack in registry.all(Attack) if attack.space]
    assert {"tag_grammar", "mix_means", "word_list", "constant_at"} <= {attack.name for attack in spaces}
    for attack in spaces:
        assert attack.name in [each.name for each in spaces_on(attack.kind, registry)]
        for key, values in attack.space.items():
            for value in (values[0], values[-1]):
                found = registry.get(Attack, f"{attack.name}({key}={value})")
                assert registry.get(Attack, found.name).name == found.name


def test_a_given_gold_is_searched_on_one_half_and_measured_on_the_other(registry):
    gold = np.random.default_rng(0).random(101)
    batch = Scores.from_plain(gold, gold)
    first, second = halves_of(AuditGold(name="g", description="", batch=batch, real={"a": batch}), 0)
    assert sorted([*first.batch.ids, *second.batch.ids]) == list(range(101))
    assert len(first.real["a"]) == 50
    options = {"claims": False, "search": True, "attacks": ["constant_at", "constant_mean"], "registry": registry}
    (metric,) = qeframe.audit("mae", batch, **options).metrics
    assert [attacked.attack for attacked in metric.attacks] == ["constant_at", "constant_mean"]
    assert metric.finds[0].attack.startswith("constant_at(at=0.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "space", "least"),
    [("phrase_f1_mult", "tag_grammar", 0.55), ("seqcor", "tag_grammar", 0.05), ("segment_pearson", "mix_means", 0.25)],
)
def test_the_attacks_that_the_list_missed_are_found(registry, metric, space, least):
    (audited,) = qeframe.audit(metric, attacks=[space], claims=False, search=True, registry=registry).metrics
    assert audited.finds[0].index >= least
    assert audited.finds[0].low > 0
