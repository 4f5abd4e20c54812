"""The components that qeframe chooses where a rule says "default"."""

import pytest

import qeframe
from qeframe.api.read import choose_profile
from qeframe.core.components.metric import Metric
from qeframe.core.components.significance import Correction, SignificanceTest
from qeframe.core.profiles.defaults import (
    chosen_correction,
    chosen_interval,
    chosen_test,
    default_correction,
    with_defaults,
)
from qeframe.core.profiles.load import find_profile
from qeframe.core.profiles.resolved import resolve


def test_every_metric_has_a_default_test(registry):
    for metric in registry.all(Metric):
        test = chosen_test("default", metric, registry)
        expected = "bootstrap_t" if metric.exchange is None else "exchange"
        assert test.name == ("jackknife_and_exchange" if metric.smooth else expected)
        assert chosen_interval("default", registry, smooth=metric.smooth).interval is not None


def test_a_name_or_a_component_is_taken_as_it_is(registry):
    metric = registry.get(Metric, "pearson")
    test = registry.get(SignificanceTest, "sign")
    assert chosen_test(test, metric, registry) is test
    assert chosen_test("williams", metric, registry).name == "williams"
    assert chosen_interval("", registry, smooth=True) is None
    assert chosen_correction("bh", test, registry) is registry.get(Correction, "bh")


@pytest.mark.parametrize(
    ("test", "correction"),
    [
        ("jackknife_and_exchange", "romano_wolf_and_max_t"),
        ("exchange(draws=99)", "max_t(standardize=as_needed)"),
        ("jackknife", "romano_wolf"),
        ("bootstrap_t", "romano_wolf"),
        ("bootstrap", "holm"),
        ("williams", "holm"),
    ],
)
def test_the_correction_follows_the_test(registry, test, correction):
    assert default_correction(registry.get(SignificanceTest, test)) == correction


def test_a_profile_that_says_nothing_by_default_stays_as_it_is(registry):
    profile = choose_profile("wmt14_qe_task1_2", ["interval="], registry)
    assert with_defaults(profile, registry) is profile


def test_the_score_over_tasks_and_parts_decides(registry):
    for settings, expected in (([], "jackknife_and_exchange"), (["across=average_rank"], "bootstrap_t")):
        assert with_defaults(choose_profile("qe_sentence", settings, registry), registry).test == expected
    smooth = choose_profile("wmt26_task2_pearson", ["test=default", "sided="], registry)
    rough = choose_profile("wmt26_task2", ["test=default", "sided="], registry)
    assert with_defaults(smooth, registry).test == "jackknife_and_exchange"
    assert with_defaults(rough, registry).test == "exchange"
    tests = {part.test.name for part in resolve(rough, registry).parts if part.test and part.rule.test is None}
    assert tests == {"exchange"}


def test_unknown_metrics_are_left_to_the_check(registry):
    profile = qeframe.core.profiles.schema.Profile(reader="qe_plain", primary="no_such_metric")
    assert with_defaults(profile, registry) is profile


def test_no_profile_chooses_a_test_that_assumes_normality(registry):
    """What qeframe chose itself is the default; rules of shared tasks keep their names."""
    for name in registry.profiles:
        profile = find_profile(name, registry)
        if profile.certainty("test").certainty == "chosen" and profile.test:
            assert profile.test in {"default", "either_t_test"}, name
