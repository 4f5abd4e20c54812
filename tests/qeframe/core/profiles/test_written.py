"""Rules that a result writes read back as the profile that they were."""

import attrs
import pytest

from qeframe.api.overrides import change_profile
from qeframe.core.components.loading.loader import load
from qeframe.core.errors import ProfileError
from qeframe.core.profiles.load import find_profile, profile_from_toml
from qeframe.core.profiles.schema import Provenance
from qeframe.report.result_files.rules_file import profile_to_toml

REGISTRY = load()


def read_back(profile):
    """Read the written rules; what qeframe's defaults are is not remembered of a default."""
    return profile_from_toml(profile_to_toml(profile, "1"), "rules.toml", "rules", REGISTRY)


@pytest.mark.parametrize("name", sorted(REGISTRY.profiles))
def test_every_profile_reads_back(name):
    profile = find_profile(name, REGISTRY)
    again = read_back(profile)
    assert attrs.evolve(again, provenance={}) == attrs.evolve(profile, provenance={})
    assert {key: again.certainty(key) for key in profile.rules} == {
        key: profile.certainty(key) for key in profile.rules
    }
    assert [again.set_by_user(key) for key in profile.rules] == [profile.set_by_user(key) for key in profile.rules]
    assert again.unconfirmed == profile.unconfirmed


def test_what_settings_changed_is_remembered():
    settings = ["across=weighted", 'title=a "b"\\ \x7f c']
    profile = change_profile(find_profile("wmt22_qe_sentence", REGISTRY), settings, REGISTRY)
    again = read_back(profile)
    assert (again.changed, again.title, again.across) == (profile.changed, 'a "b"\\ \x7f c', "weighted")
    assert again.certainty("across") == Provenance(certainty="chosen", source="changed for this run")
    assert again.set_by_user("across")
    assert not again.set_by_user("baselines")


@pytest.mark.parametrize(
    "table", ["resolved = 1", "[resolved]\nname = 1", "[resolved]\nown = 'x'", "[resolved]\nx = 1"]
)
def test_a_table_that_no_result_wrote(table):
    with pytest.raises(ProfileError, match="resolved"):
        profile_from_toml(table, "rules.toml", "rules", REGISTRY)
