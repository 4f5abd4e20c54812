"""Parts of a profile with few tests."""

import attrs
import pytest

import qeframe
from qeframe import CapabilityError, ProfileError, UnknownNameError, change_profile, choose_profile
from qeframe.core.profile import REQUIRED_KEYS, RULE_KEYS, Profile, Provenance, as_profile
from qeframe.core.profile_checks import check_profile, choose_correction, choose_interval, chosen_test, with_defaults
from qeframe.core.profile_files import profile_from_toml
from qeframe.core.profile_tables import shown, wrong_keys
from qeframe.core.resolve import chosen_metrics, resolve
from qeframe.plugin import Metric, SignificanceTest
from qeframe.report.result_files.evaluation_folder import profile_to_toml
from tests.outcome import failure
from tests.qeframe.core.profiles.small_registry import NEUTRAL, SMALL, ruled
from tests.registered import PROFILES, REGISTRY, profile_named


# Rules must name registered components, lie in their ranges, and fit each other.
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
        ({"across": '"per_group"'},
         "across: 'per_group' combines groups of units, not tasks; there are: average, declared"),
        ({"across": '"pool"'}, "across: 'pool' combines groups of units, not tasks; there are: average, declared"),
        ({"within": '"average"'}, "within: 'average' combines tasks, not groups of units; there are: per_group, pool"),
        ({"weights": "{en-de = 1}"},
         "weights: 'average' weighs all tasks equally; choose another across, or weights = {}"),
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
)  # fmt: skip
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
    profile = attrs.evolve(read(SMALL + NEUTRAL), reader="nothing")
    assert resolve(profile, build(), reads=False).reader is None
    assert "reader: unknown reader 'nothing'" in failure(ProfileError, resolve, profile, build())


def test_a_test_that_the_metric_does_not_allow(read):
    assert failure(CapabilityError, read, ruled(test='"of_means"')) == (
        "own.toml: test 'of_means' needs a mean of one value per unit, which metric 'accuracy' is not; "
        "tests that resample (need 'bind') or exchange units (need 'exchange') work for every metric"
    )


# The components that qeframe chooses where a rule says "default".
def test_every_metric_has_a_default_test(registry):
    for metric in registry.all(Metric):
        test = chosen_test("default", metric, registry)
        takes_long = metric.exchange is None or getattr(metric.exchange, "recomputes", False)
        expected = "bootstrap_t" if takes_long else "exchange"
        assert test.name == ("jackknife_and_exchange" if metric.smooth else expected)
        assert registry.get(SignificanceTest, choose_interval("default", smooth=metric.smooth)).interval is not None


def test_a_name_or_a_component_is_taken_as_it_is(registry):
    metric = registry.get(Metric, "pearson")
    test = registry.get(SignificanceTest, "sign")
    assert chosen_test(test, metric, registry) is test
    assert chosen_test("williams", metric, registry).name == "williams"
    assert choose_interval("", smooth=True) == ""
    assert choose_correction("bh", test) == "bh"


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
    assert choose_correction("default", registry.get(SignificanceTest, test)) == correction


def test_profiles_without_an_open_default_and_unknown_metrics_stay_as_they_are(registry):
    profile = choose_profile("wmt14_qe_task1_2", ["interval="], registry)
    assert with_defaults(profile, registry) is profile
    profile = qeframe.core.profile.Profile(reader="qe_plain", primary="no_such_metric")
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


def test_no_profile_chooses_a_test_that_assumes_normality(registry):
    """What qeframe chose itself is the default; rules of shared tasks keep their names."""
    for name in registry.profiles:
        profile = profile_named(name)
        if profile.certainty("test").certainty == "chosen" and profile.test:
            assert profile.test in {"default", "either_t_test"}, name


# A profile is resolved into the components that it names.
def test_every_name_is_looked_up(read, build):
    text = ruled(secondary='["error"]', computed='["overlap", "overlap"]', interval='"resampled(draws=5)"')
    profile = read(text)
    resolved = resolve(profile, build())
    assert resolved.profile is profile
    assert resolved.reader is not None
    names = (resolved.reader, resolved.within, resolved.across, resolved.correction, resolved.ranking)
    assert [component.name for component in names] == ["lines", "pool", "average", "raw", "order"]
    assert [metric.name for metric in resolved.metrics] == ["accuracy", "error"]
    assert [metric.name for metric in resolved.computed] == ["overlap"]
    assert resolved.interval is not None
    assert resolved.interval.name == "resampled(draws=5)"
    assert resolved.test is None


def test_a_metric_that_is_named_twice_appears_once(build):
    known = build()
    metrics = chosen_metrics(["error", "accuracy", "accuracy()", "accuracy(margin=0)", "accuracy(margin=1)"], known)
    assert [metric.name for metric in metrics] == ["error", "accuracy", "accuracy(margin=1)"]
    assert all(isinstance(metric, Metric) for metric in metrics)
    assert chosen_metrics([], known) == ()
    with pytest.raises(UnknownNameError):
        chosen_metrics(["nothing"], known)


# The keys of a profile, their types, and what a profile knows of each.
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
    assert wrong_keys({**LEAST, "provenance": {}, "alfa": 1}) == ["alfa: unknown key, did you mean 'alpha'?"]


def test_right_types_are_accepted():
    assert wrong_keys(LEAST | {"alpha": 1, "year": 2000, "sided": "", "best": "low", "weights": {"a": 0}}) == []


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
        ("yaer", 2**63, "yaer: unknown key, did you mean 'year' or 'reader'?"),
        ("provenance", [], "provenance: must be a table, not []"),
    ],
)
def test_wrong_types(key, value, mistake):
    assert wrong_keys({key: value}) == [mistake]


def test_long_values_are_cut_in_messages():
    assert shown("x" * 100) == "'" + "x" * 79 + "..."
    assert shown([10**5000]) == "this list"


def test_rules_that_no_source_confirms():
    unsure = {key: Provenance(certainty="unconfirmed") for key in ("primary", "alpha", "reader")}
    profile = Profile(**LEAST, provenance=unsure)
    assert profile.unconfirmed == ("reader", "primary", "alpha")
    assert attrs.evolve(profile, test="").unconfirmed == ("reader", "primary")
    assert attrs.evolve(profile, changed={"primary": "mae"}).unconfirmed == ("reader", "alpha")


# Rules that a result writes read back as the profile that they were.


def read_back(profile):
    """Read the written rules; what qeframe's defaults are is not remembered of a default."""
    return profile_from_toml(profile_to_toml(profile, "1"), "rules.toml", "rules", REGISTRY)


@pytest.mark.parametrize("name", PROFILES)
def test_every_profile_reads_back(name):
    profile = profile_named(name)
    again = read_back(profile)
    assert attrs.evolve(again, provenance={}) == attrs.evolve(profile, provenance={})
    assert {key: again.certainty(key) for key in profile.rules} == {
        key: profile.certainty(key) for key in profile.rules
    }
    assert [again.set_by_user(key) for key in profile.rules] == [profile.set_by_user(key) for key in profile.rules]
    assert again.unconfirmed == profile.unconfirmed


def test_what_settings_changed_is_remembered():
    settings = ["across=weighted", 'title=a "b"\\ \x7f c']
    profile = change_profile(profile_named("wmt22_qe_sentence"), settings, REGISTRY)
    again = read_back(profile)
    assert (again.changed, again.title, again.across) == (profile.changed, 'a "b"\\ \x7f c', "weighted")
    assert again.certainty("across") == Provenance(certainty="chosen", source="changed for this run")
    assert again.set_by_user("across")
    assert not again.set_by_user("baselines")


@pytest.mark.parametrize(
    "table", ["resolved = 1", "[resolved]\nname = 1", "[resolved]\nown = 'x'", "[resolved]\nx = 1"]
)
def test_a_table_that_no_result_wrote(table):
    assert "resolved" in failure(ProfileError, profile_from_toml, table, "rules.toml", "rules", REGISTRY)
