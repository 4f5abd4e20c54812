"""Former spellings in the rules of a profile are replaced, with a warning for each."""

import warnings

import attrs
import pytest

from qeframe.core.errors import FormerSpellingWarning
from qeframe.core.profiles.former_spellings import present_rules, present_spellings
from qeframe.core.profiles.load import find_profile


@pytest.fixture
def judged(registry):
    return find_profile("wmt14_metrics_segment", registry)


def test_only_rules_with_a_former_spelling_are_returned_and_warned_of(registry):
    table = {"test": "randomisation(draws=50)", "primary": "pearson", "secondary": ["mae", "rmse"], "alpha": 0.1}
    with pytest.warns(FormerSpellingWarning, match="'randomisation' is now spelled 'randomization'"):
        assert present_rules(table, registry) == {"test": "randomization(draws=50)"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert present_rules({"test": "randomization", "resample": "segment", "metric": 3}, registry) == {}


def test_the_unit_is_that_of_the_kind_of_batch(registry):
    """The unit 'judgement' is a former name of judgments alone."""
    with pytest.warns(FormerSpellingWarning, match="unit 'judgement' is now spelled 'judgment'"):
        found = present_rules({"resample": "judgement", "primary": "kendall"}, registry)
    assert found == {"resample": "judgment"}
    with pytest.warns(FormerSpellingWarning, match="unit 'judgement' is now spelled 'judgment'"):
        within_groups = present_rules({"resample": "segment/judgement", "primary": "kendall"}, registry)
    assert within_groups == {"resample": "segment/judgment"}
    assert present_rules({"resample": "judgement", "primary": "mae"}, registry) == {}
    assert present_rules({"resample": "judgement", "primary": "unknown"}, registry) == {}


def test_settings_of_a_changed_profile_are_replaced_too(registry, judged):
    former = attrs.evolve(judged, resample="judgement", changed={"resample": "judgement", "alpha": "0.1"})
    with pytest.warns(FormerSpellingWarning):
        present = present_spellings(former, registry)
    assert present.resample == "judgment"
    assert dict(present.changed) == {"resample": "judgment", "alpha": "0.1"}


def test_a_profile_in_the_present_spelling_is_returned_itself(registry, judged):
    assert present_spellings(judged, registry) is judged
