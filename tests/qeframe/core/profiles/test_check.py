"""Rules must name registered components, lie in their ranges, and fit each other."""

import attrs
import pytest

from qeframe.core.errors import CapabilityError, ProfileError
from qeframe.core.profiles.check import check_profile
from tests.qeframe.core.profiles.small_registry import NEUTRAL, SMALL, failure, ruled


@pytest.mark.parametrize(
    ("rules", "mistake"),
    [
        ({"primary": '"acuracy"'}, "primary: unknown metric 'acuracy'; did you mean 'accuracy'?"),
        ({"primary": '""'}, "primary: cannot read the name ''"),
        ({"primary": '"accuracy(margn=1)"'}, "primary: unknown parameter of accuracy 'margn'; did you mean 'margin'?"),
        ({"primary": '"accuracy(margin=big)"'}, "primary: accuracy: parameter margin = 'big' must be a number"),
        ({"secondary": '["error", "eror"]'}, "secondary: unknown metric 'eror'; did you mean 'error'?"),
        ({"reader": '"line"'}, "reader: unknown reader 'line'; did you mean 'lines'?"),
        ({"within": '"pol"'}, "within: unknown aggregation 'pol'; did you mean 'pool'?"),
        ({"across": '""'}, "across: cannot read the name ''"),
        (
            {"across": '"per_group"'},
            "across: 'per_group' combines groups of units, not tasks; there are: average, declared",
        ),
        ({"across": '"pool"'}, "across: 'pool' combines groups of units, not tasks; there are: average, declared"),
        ({"within": '"average"'}, "within: 'average' combines tasks, not groups of units; there are: per_group, pool"),
        (
            {"weights": "{en-de = 1}"},
            "weights: 'average' weighs all tasks equally; choose another across, or weights = {}",
        ),
        ({"computed": '["accuracy"]'}, "computed: 'accuracy' is not computed from texts"),
        ({"test": '"signs(draws=3)"'}, "test: significance test 'signs' has no parameters"),
        ({"test": '"resampled(draws=0)"'}, "test: draws must be at least 1, not 0"),
        ({"test": '"resampled"', "sided": '"one"'}, "sided: 'resampled' is two-sided"),
        ({"interval": '"signs"'}, "interval: 'signs' gives no intervals"),
        ({"correction": '"rw"'}, "correction: unknown correction 'rw'; did you mean 'raw'?"),
        ({"ranking": '"ordr"'}, "ranking: unknown ranking rule 'ordr'; did you mean 'order'?"),
        *[
            ({key: value}, f"{key}: must lie between 0 and 1, not ")
            for key in ("alpha", "confidence")
            for value in ("0", "1", "1.5", "-0.1", "nan", "inf")
        ],
    ],
)
def test_rules_that_contradict_each_other(read, rules, mistake):
    message = failure(ProfileError, read, ruled(**rules))
    assert message.startswith("own.toml: ")
    assert mistake in message


def test_every_mistake_is_reported_at_once(read):
    message = failure(ProfileError, read, ruled(primary='"x"', within='"y"', secondary='["z"]', alpha="2"))
    for start in ("primary: unknown metric 'x'", "within: unknown", "secondary: unknown metric 'z'", "alpha: must"):
        assert start in message


def test_a_profile_of_python_is_checked_by_its_name(read, build):
    wrong = attrs.evolve(read(SMALL + NEUTRAL), name="mine", primary="acuracy", alpha="x")
    message = failure(ProfileError, check_profile, wrong, build())
    assert message == "profile 'mine': alpha: must be a number, not 'x'"
    message = failure(ProfileError, check_profile, attrs.evolve(wrong, alpha=0.5), build(), "here")
    assert message == "here: primary: unknown metric 'acuracy'; did you mean 'accuracy'?"


def test_the_reader_matters_only_where_files_are_read(read, build):
    without = attrs.evolve(read(SMALL + NEUTRAL), reader="")
    check_profile(without, build(), reads=False)
    assert "reader: cannot read the name ''" in failure(ProfileError, check_profile, without, build())


def test_a_test_that_the_metric_does_not_allow(read):
    assert failure(CapabilityError, read, ruled(test='"of_means"')) == (
        "own.toml: test 'of_means' needs a mean of one value per unit, which metric 'accuracy' is not; "
        "tests that resample (need 'bind') or exchange units (need 'exchange') work for every metric"
    )
