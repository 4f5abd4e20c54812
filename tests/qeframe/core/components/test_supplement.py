"""What a supplement is made of, and what it may return."""

import attrs
import numpy as np
import pytest
from attrs import frozen

import qeframe
from qeframe.api.saved import evaluation_from_json
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.supplement import Supplement
from tests.qeframe.core.components.made_plugins import plugin
from tests.qeframe.core.evaluation.made_contests import made_task, profile


@frozen(kw_only=True)
class Gap:
    """The difference of a pair in units of alpha."""

    size: float
    largest: bool = False


def gaps(contest, significant, rules):
    first, second = contest.pairs
    sizes = (contest.oriented[first] - contest.oriented[second]) / rules.alpha
    return [Gap(size=float(size), largest=bool(size == sizes.max())) for size in sizes]


def covered(given):
    leading = given.submissions[int(np.argmax(given.contest.oriented))]
    return {"units": sum(given.contest.sizes), "leading": leading, "undefined": float("nan")}


def counted(scores):
    return [{"units": len(scores.ids)} for _ in scores.contest.oriented]


def supplement(name="own", **answers):
    return Supplement(name=name, summary="", **answers)


def evaluated(*supplements, tasks=()):
    rules = attrs.evolve(profile("mae"), name="made")
    return qeframe.evaluate(rules, list(tasks) or [made_task()], supplements=list(supplements))


def test_each_kind_of_supplement_is_in_the_result():
    asked = (
        supplement("gaps", of_pairs=gaps, value=Gap),
        supplement("covered", of_evaluation=covered),
        supplement("counted", of_scores=counted),
    )
    made = evaluated(*asked, tasks=(made_task(), made_task("en-ru", 30, 1)))
    assert made.supplements["covered"]["units"] == 70
    assert all(pair.supplements["gaps"].size >= 0 for pair in made.comparisons)
    assert {pair.task for pair in made.comparisons if pair.supplements["gaps"].largest} == {"", "en-de", "en-ru"}
    primary = made.submissions[0].scores["mae"]
    assert {name: result.details["units"] for name, result in primary.tasks.items()} == {"en-de": 40, "en-ru": 30}


def test_values_without_a_class_are_read_back(monkeypatch):
    asked = (supplement("gaps", of_pairs=gaps, value=Gap), supplement("covered", of_evaluation=covered))
    made = evaluated(*asked)
    found = evaluation_from_json(made.to_json())
    assert found.to_json() == made.to_json()
    assert found.supplements["covered"]["units"] == 40
    assert found.comparisons[0].supplements["gaps"] == attrs.asdict(made.comparisons[0].supplements["gaps"])
    assert (found.comparisons[0].equivalence, found.detectable, found.influence) == (None, None, None)
    registry = qeframe.load(extra={"own": plugin(qeframe_supplements=list(asked))})
    monkeypatch.setattr("qeframe.api.saved.load", lambda: registry)
    assert evaluation_from_json(made.to_json()).comparisons == made.comparisons


def test_a_mistake_in_a_supplement_is_named_with_its_place(monkeypatch):
    made = evaluated("influence", "equivalence(delta=1)").to_json()
    with pytest.raises(DataError, match=r"influence\.units: must be a whole number, not \"40\""):
        evaluation_from_json(made.replace('"units": 40', '"units": "40"'))
    with pytest.raises(DataError, match=r"comparisons\[0\]\.equivalence\.delta: must be a number or null, not true"):
        evaluation_from_json(made.replace('"delta": 1.0', '"delta": true'))


@pytest.mark.parametrize("given", [{}, {"of_pairs": gaps, "of_scores": counted}])
def test_a_supplement_has_one_function(given):
    with pytest.raises(DataError, match=r"^supplement 'own' has one of of_pairs, of_scores and of_evaluation, not "):
        supplement(**given)


def test_details_have_no_value_and_no_tables():
    with pytest.raises(DataError, match="gives details of scores, which have no value and no tables"):
        supplement(of_scores=counted, value=Gap)


def test_a_unit_of_several_parts_has_no_weight(registry):
    from tests.qeframe.assembly.made_sets import profile as of_parts
    from tests.qeframe.assembly.made_sets import two_pairs

    parts = '[[parts]]\nmetric = ["system_pearson", "segment_pearson"]\n'
    rules = of_parts(registry, parts, test='"jackknife"', correction='"holm"')
    found = []

    def look(given):
        found.append((given.metric, given.describe(3).name, given.not_left_out))
        given.contest.weighted(np.ones(15))

    with pytest.raises(CapabilityError, match=r"^a unit belongs to several parts of a task set; run a profile with"):
        qeframe.evaluate(rules, two_pairs(), supplements=[supplement(of_evaluation=look)], registry=registry)
    assert [(metric, name) for metric, name, _ in found] == [("overall", "3")]
    made = qeframe.evaluate(rules, two_pairs(), influence=2, registry=registry)
    assert made.influence.reason == found[0][2]
