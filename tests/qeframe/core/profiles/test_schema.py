"""The keys of a profile, their types, and what a profile knows of each."""

import attrs
import pytest

from qeframe.core.profiles.schema import (
    REQUIRED_KEYS,
    RULE_KEYS,
    Profile,
    Provenance,
    as_profile,
    shown,
    unknown_keys,
    wrong_types,
)

LEAST = {"reader": "lines", "primary": "accuracy"}


def test_the_keys():
    assert set(REQUIRED_KEYS) == set(LEAST)
    assert len(RULE_KEYS) == len(set(RULE_KEYS))
    assert not {"name", "stated", "changed", "provenance"} & set(RULE_KEYS)


def test_values_of_toml_become_values_of_python():
    profile = as_profile({**LEAST, "secondary": ["mae"], "weights": {"en-de": 2}, "alpha": 1, "strict": False})
    assert (profile.secondary, profile.weights, profile.strict) == (("mae",), {"en-de": 2.0}, False)
    assert type(profile.alpha) is float
    assert profile.metrics == ("accuracy", "mae")


def test_a_profile_is_frozen():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Profile(**LEAST).alpha = 0.5


def test_the_provenance_of_a_rule():
    profile = Profile(**LEAST, provenance={"alpha": Provenance(source="S")}, changed={"test": ""})
    assert profile.certainty("alpha") == Provenance(certainty="read", source="S", note="")
    assert profile.certainty("test") == Provenance(certainty="chosen", source="changed for this run")
    assert profile.certainty("strict") == Provenance(certainty="chosen", source="qeframe's default")


def test_unknown_keys_come_with_the_nearest():
    assert unknown_keys({**LEAST, "provenance": {}, "alfa": 1}) == ["alfa: unknown key, did you mean 'alpha'?"]


def test_right_types_are_accepted():
    assert wrong_types(LEAST | {"alpha": 1, "year": 2000, "sided": "", "best": "low", "weights": {"a": 0}}) == []
    assert wrong_types({"unknown": object()}) == []


@pytest.mark.parametrize(
    ("key", "value", "mistake"),
    [
        ("year", True, "year: must be a whole number, not True"),
        ("strict", 1, "strict: must be true or false, not 1"),
        ("title", 1, "title: must be a word in quotes, not 1"),
        ("secondary", [1], "secondary: must be a list of words, not [1]"),
        ("sided", "three", "sided: must be one or two, not 'three'"),
        ("weights", {"a": -1}, "weights.a: must be a finite number that is not negative, not -1"),
        ("year", 2**63, "year: the number has too many digits"),
        ("provenance", [], "provenance: must be a table, not []"),
    ],
)
def test_wrong_types(key, value, mistake):
    assert wrong_types({key: value}) == [mistake]


def test_long_values_are_cut_in_messages():
    assert shown("x" * 100) == "'" + "x" * 79 + "..."
    assert shown([10**5000]) == "this list"


def test_rules_that_no_source_confirms():
    unsure = {key: Provenance(certainty="unconfirmed") for key in ("primary", "alpha", "reader")}
    profile = Profile(**LEAST, provenance=unsure)
    assert profile.unconfirmed == ("reader", "primary", "alpha")
    assert attrs.evolve(profile, test="").unconfirmed == ("reader", "primary")
    assert attrs.evolve(profile, changed={"primary": "mae"}).unconfirmed == ("reader", "alpha")
