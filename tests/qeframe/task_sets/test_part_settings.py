"""Parameters of metrics, changed in the parts of a profile by settings."""

import pytest

import qeframe
from qeframe.api.read import choose_profile
from qeframe.core.profiles.load import profile_from_toml
from qeframe.task_sets.part_tables import part_rules


def made(text, registry):
    return profile_from_toml(text, "made.toml", "made", registry)


@pytest.mark.parametrize("exchanges", ["joint", "official"])
@pytest.mark.parametrize(
    "official", ['{metric = "spa"}', '{metric = "spa(permutations=7)"}', "{parameters = {permutations = 7}}"]
)
def test_a_parameter_changes_under_the_official_exchanges_too(registry, exchanges, official):
    text = f'reader = "mtme"\nexchanges = "{exchanges}"\n[[parts]]\nmetric = "spa"\nofficial = {official}\n'
    profile = choose_profile(made(text, registry), ["permutations=10"], registry)
    assert [rule.metric for rule in part_rules(profile)] == ["spa(permutations=10)"]


@pytest.mark.parametrize("exchanges", ["joint", "official"])
def test_a_parameter_that_only_an_official_metric_has(registry, exchanges):
    text = f'reader = "mtme"\nexchanges = "{exchanges}"\n[[parts]]\nmetric = "acc_eq"\nofficial = {{metric = "spa"}}\n'
    before = made(text, registry)
    if exchanges == "joint":
        with pytest.raises(qeframe.QeframeError, match="unknown profile key 'permutations'"):
            choose_profile(before, ["permutations=10"], registry)
    else:
        after = choose_profile(before, ["permutations=10"], registry)
        assert [rule.metric for rule in part_rules(after)] == ["spa(permutations=10)"]
