"""The tables of parts: keys, types, and what they multiply out to."""

import pytest

from qeframe.core.profiles.schema import Profile, selection_of
from qeframe.task_sets.part_tables import part_rules, wrong_parts


def rules(*tables, exchanges="joint"):
    return part_rules(Profile(reader="mtme", primary="overall", parts=tables, exchanges=exchanges))


def test_lists_multiply_out():
    table = {
        "metric": ["segment_pearson", "tau_b"],
        "parameters": {"grouping": ["none", "item"]},
        "read": {"domain": ["", "news"], "references": [["refA", "refB"]]},
        "level": "segment",
    }
    made = rules(table)
    assert len(made) == 8
    assert (made[0].metric, dict(made[0].read)) == (
        "segment_pearson(grouping=none)",
        {"domain": "", "references": ("refA", "refB")},
    )
    assert made[-1].metric == "tau_b(grouping=item)"
    assert made[-1].labels == {
        "metric": "tau_b",
        "level": "segment",
        "grouping": "item",
        "domain": "news",
        "references": "[refA, refB]",
    }


def test_defaults_of_a_part():
    (rule,) = rules({"metric": "acc_eq"})
    assert (rule.weight, rule.scale, rule.test, rule.pool, rule.pairs, rule.selection) == (
        1.0,
        None,
        None,
        False,
        (),
        "",
    )


def test_the_selection_does_not_depend_on_the_order_of_parameters():
    assert selection_of({"level": "sys", "domain": "news"}) == selection_of({"domain": "news", "level": "sys"})
    assert selection_of({"level": "sys", "pool": True}) == "level=sys, pool=true"


def test_the_official_exchanges_replace_keys():
    table = {
        "metric": "system_pearson",
        "read": {"level": "sys", "units": "segments"},
        "official": {"read": {"units": "systems"}, "test": "permutation(unit=system)", "metric": "system_spearman"},
    }
    (joint,), (official,) = rules(table), rules(table, exchanges="official")
    assert (joint.metric, joint.selection, joint.test) == ("system_pearson", "level=sys, units=segments", None)
    assert (official.metric, official.test) == ("system_spearman", "permutation(unit=system)")
    assert official.selection == "level=sys, units=systems"


@pytest.mark.parametrize(
    ("table", "mistake"),
    [
        ({}, "metric is missing"),
        ({"metric": "m", "weights": 1}, "unknown key 'weights', did you mean 'weight'"),
        ({"metric": []}, "metric must be a word in quotes, or a list of words, not []"),
        ({"metric": "m", "weight": -1}, "weight must be a finite number that is not negative"),
        ({"metric": "m", "weight": float("nan")}, "weight must be a finite number"),
        ({"metric": "m", "weight": True}, "weight must be"),
        ({"metric": "m", "weight": "pear"}, "weight must be"),
        ({"metric": "m", "scale": [1, 1]}, "scale must be a list of two different numbers"),
        ({"metric": "m", "scale": [0, 1, 2]}, "scale must be"),
        ({"metric": "m", "pairs": "en-de"}, "pairs must be a list of different words"),
        (
            {"metric": "m", "pool": True, "pairs": ["en-de", "en-de"]},
            "pairs must be a list of different words, not ['en-de', 'en-de']",
        ),
        ({"metric": "m", "pool": 1}, "pool must be true or false"),
        ({"metric": "m", "read": {"level": []}}, "read must be a table"),
        ({"metric": "m", "parameters": {"x": {}}}, "parameters must be a table"),
        ({"metric": "m", "official": {"weight": 1}}, "official must be a table of the keys metric"),
        ({"metric": "m", "level": 2}, "level must be a word in quotes"),
        ({"metric": "m", "test": 2}, "test must be a word in quotes"),
    ],
)
def test_mistakes(table, mistake):
    wrong = wrong_parts({"parts": [{"metric": "fine"}, table]})
    assert any(each.startswith(f"parts: table 2: {mistake}") for each in wrong)


def test_a_wrong_type_of_the_key_is_not_reported_twice():
    assert not wrong_parts({"parts": 1})
    assert not wrong_parts({})
