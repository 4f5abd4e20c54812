"""The profiles of 2026 state of every rule how certain it is: most were not announced."""

import pytest

from qeframe.api.overrides import change_profile
from qeframe.core.components.loading.loader import load
from qeframe.core.profiles.load import find_profile
from qeframe_wmt import qeframe_profiles

NAMES = sorted(name for name in qeframe_profiles() if name.startswith("wmt26_"))


@pytest.fixture(scope="module")
def registry():
    return load(block=())


def test_every_task_and_the_systems_are_there():
    tasks = {"wmt26_task1", "wmt26_task2", "wmt26_task2_pearson", "wmt26_task3", "wmt26_task3_pooled"}
    assert set(NAMES) == {*tasks, "wmt26_systems", "wmt26_systems_pair", "wmt26_human"}


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_states_how_certain_it_is(name, registry):
    found = find_profile(name, registry)
    assert found.year == 2026
    assert found.stated <= set(found.provenance)
    for key in found.stated - {"title", "year", "source"}:
        fact = found.provenance[key]
        assert fact.note or fact.certainty == "read", key


@pytest.mark.parametrize(
    ("name", "key"),
    [("wmt26_task1", "primary"), ("wmt26_task2", "parts"), ("wmt26_task3", "across"), ("wmt26_task1", "reader")],
)
def test_what_was_not_announced_is_unconfirmed(name, key, registry):
    assert find_profile(name, registry).provenance[key].certainty == "unconfirmed"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("wmt26_task1", ["gold=cesa", "annotators=each", "missing_marks=drop", "ends=exclusive", "primary=mpp_f"]),
        ("wmt26_task2", ["gold=cesa", "annotators=first", "cascade=no", "minor=2", "major=10", "scale=any"]),
        ("wmt26_task3", ["least_score=90", "annotators=every", "marks=scored", "one_class=keep", "by=all"]),
        ("wmt26_systems", ["gold=esa", "pair=en-de_DE"]),
    ],
)
def test_each_plausible_reading_is_a_parameter(name, settings, registry):
    changed = change_profile(find_profile(name, registry), settings, registry)
    for setting in settings:
        key, _, value = setting.partition("=")
        assert key in changed.changed
        assert value in (changed.primary if key == "primary" else changed.reader)
