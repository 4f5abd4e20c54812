"""A profile is checked as a whole, extends once, can be changed for a what-if, and says where every rule comes from."""

import subprocess
import sys
from types import ModuleType
from typing import Literal

import attrs
import numpy as np
import pytest

from qeframe import hookimpl
from qeframe.batches.scores import Scores
from qeframe.batches.texts import Texts
from qeframe.components.aggregation import Aggregation
from qeframe.components.hookspecs import COMPONENT_HOOKS
from qeframe.components.loader import load
from qeframe.components.metric import Metric
from qeframe.components.parametric import Parametric
from qeframe.components.ranking import RankingRule
from qeframe.components.reader import Reader
from qeframe.components.significance import Correction, SignificanceTest
from qeframe.errors import DataError, ProfileError, QeframeError, UnknownNameError
from qeframe.profiles.load import differences, find_profile, profile_from_toml
from qeframe.profiles.overrides import change_profile
from qeframe.profiles.schema import RULE_KEYS, Profile, Provenance
from qeframe.resampling.statistic import additive

SMALL = 'reader = "lines"\nprimary = "accuracy"\n'
"""The least that a profile states; `NEUTRAL` names components of the registry below instead of the built-in ones."""
NEUTRAL = 'within = "pool"\nacross = "average"\ninterval = ""\ntest = ""\ncorrection = "raw"\nranking = "order"\n'


def accuracy(*, margin: float = 0.0, best: Literal["low", "high"] = "low") -> Metric:
    return Metric(
        name="accuracy",
        summary="",
        kind=Scores,
        bind=additive(
            columns=("units",), extract=lambda batch: np.ones((len(batch), 1)), score=lambda sums: sums[..., 0]
        ),
    )


def resampled(*, draws: int = 100) -> SignificanceTest:
    if draws < 1:
        raise DataError(f"draws must be at least 1, not {draws}")
    return SignificanceTest(
        name="resampled", summary="", needs="bind", run=lambda *_: None, interval=lambda *_: None, sides=("two",)
    )


def components() -> ModuleType:
    plain = {"summary": "", "aggregate": lambda scores, weights, higher: scores[..., 0]}
    brought = {
        "qeframe_metrics": [
            Parametric(accuracy),
            attrs.evolve(accuracy(), name="error"),
            attrs.evolve(accuracy(), name="overlap", kind=Texts),
        ],
        "qeframe_aggregations": [
            Aggregation(name="pool", pools=True, **plain),
            Aggregation(name="declared", weighting="declared", **plain),
            Aggregation(name="average", **plain),
            Aggregation(name="per_group", by="document", **plain),
        ],
        "qeframe_significance_tests": [
            Parametric(resampled),
            SignificanceTest(name="signs", summary="", needs="per_unit", run=lambda *_: None, sides=("one",)),
        ],
        "qeframe_corrections": [Correction(name="raw", summary="", adjust=lambda p: p)],
        "qeframe_ranking_rules": [RankingRule(name="order", summary="", rank=lambda standing: None)],
        "qeframe_readers": [Reader(name="lines", summary="", kind=Scores, read=lambda path, best: ())],
    }
    module = ModuleType("components")
    for hook, values in brought.items():
        assert hook in COMPONENT_HOOKS
        setattr(module, hook, _hook(hook, values))
    return module


def _hook(name: str, returned: object):
    def implementation():
        return returned

    implementation.__name__ = name
    return hookimpl(implementation)


@pytest.fixture
def build(tmp_path, registry):
    """Build a registry of the components above and of profiles with the given texts."""

    def from_texts(**texts: str):
        files = {name: tmp_path / f"{name}.toml" for name in texts}
        for name, text in texts.items():
            files[name].write_text(text, encoding="utf-8")
        profiles = ModuleType("profiles")
        profiles.qeframe_profiles = _hook("qeframe_profiles", files)
        everything = [p.origin.plugin for p in registry.plugins]
        return load(extra={"components": components(), "profiles": profiles}, block=everything)

    return from_texts


@pytest.fixture
def read(build):
    """Read a profile from a text, beside registered ones."""

    def from_text(text: str, **texts: str) -> Profile:
        return profile_from_toml(text, "own.toml", "own", build(**texts))

    return from_text


def failure(error: type[QeframeError], call, *arguments, **options) -> str:
    """Return the one line that a call fails with."""
    with pytest.raises(error) as caught:
        call(*arguments, **options)
    (line,) = str(caught.value).splitlines()
    return line


# --- what is read ----------------------------------------------------------------------------------------------------


def test_every_registered_profile_holds_together(registry):
    assert registry.profiles
    for name in registry.profiles:
        assert find_profile(name, registry).name == name


def test_a_profile_needs_little(read):
    profile = read(SMALL + NEUTRAL)
    assert (profile.name, profile.reader, profile.metrics) == ("own", "lines", ("accuracy",))
    assert (profile.missing, profile.alpha, profile.strict, profile.weights) == ("error", 0.05, True, {})


def test_the_least_profile_works_with_the_built_in_components(registry):
    profile = profile_from_toml('reader = "qe_plain"\nprimary = "pearson"\n', "own.toml", "own", registry)
    assert profile.test == "bootstrap(draws=1000)"


def test_every_rule_is_read(read):
    text = SMALL + NEUTRAL.replace('interval = ""', 'interval = "resampled(draws=5)"').replace('test = ""', "")
    text = text.replace('"average"', '"declared"')
    profile = read(
        text + 'title = "T"\nyear = 2014\nlevel = "sentence"\ngold = "HTER"\nbest = "high"\nmissing = "drop_for_all"\n'
        'baselines = ["b"]\ncomputed = ["overlap"]\n'
        'secondary = ["error"]\nresample = "document"\nconfidence = 0.9\ntest = "signs"\n'
        'sided = "one"\nalpha = 0.01\nstrict = false\nsource = "S"\n[weights]\nen-de = 2\nde-en = 0.5\n'
        '[provenance.alpha]\ncertainty = "inferred"\nsource = "a script"\nnote = "N"\n'
    )
    assert profile == Profile(
        name="own",
        title="T",
        year=2014,
        level="sentence",
        gold="HTER",
        best="high",
        reader="lines",
        missing="drop_for_all",
        baselines=("b",),
        computed=("overlap",),
        primary="accuracy",
        secondary=("error",),
        within="pool",
        across="declared",
        weights={"en-de": 2.0, "de-en": 0.5},
        resample="document",
        interval="resampled(draws=5)",
        confidence=0.9,
        test="signs",
        sided="one",
        correction="raw",
        alpha=0.01,
        strict=False,
        ranking="order",
        source="S",
        provenance={"alpha": Provenance(certainty="inferred", source="a script", note="N")},
        stated=frozenset({*RULE_KEYS, "provenance"}),
    )
    assert profile.metrics == ("accuracy", "error")


def test_a_profile_is_frozen(read):
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        read(SMALL + NEUTRAL).alpha = 0.5


def test_a_rule_says_how_certain_it_is(read):
    text = SMALL + NEUTRAL + 'source = "the findings"\nalpha = 0.01\n[provenance.alpha]\ncertainty = "unconfirmed"\n'
    profile = read(text)
    assert profile.certainty("alpha") == Provenance(certainty="unconfirmed")
    assert profile.certainty("primary") == Provenance(certainty="read", source="the findings")
    assert profile.certainty("strict") == Provenance(certainty="chosen", source="qeframe's default")


# --- extending -------------------------------------------------------------------------------------------------------


def test_a_profile_extends_another(build):
    base = SMALL + NEUTRAL + 'alpha = 0.01\ntitle = "Base"\n[provenance]\nalpha = {note = "a"}\ntitle = {note = "t"}\n'
    own = 'extends = "base"\nprimary = "error"\n[provenance]\nalpha = {note = "own"}\n'
    profile = find_profile("mine", build(base=base, mine=own))
    assert (profile.name, profile.primary, profile.reader) == ("mine", "error", "lines")
    assert (profile.alpha, profile.title) == (0.01, "Base")
    assert {key: fact.note for key, fact in profile.provenance.items()} == {"alpha": "own", "title": "t"}
    assert {"primary", "alpha", "reader"} <= profile.stated
    assert "strict" not in profile.stated


def test_a_profile_extends_once(build):
    found = build(base=SMALL + NEUTRAL, middle='extends = "base"\n', top='extends = "middle"\n')
    assert find_profile("middle", found).primary == "accuracy"
    message = failure(ProfileError, find_profile, "top", found)
    assert message == "profile 'top': extends 'middle', which extends another; a profile extends once"


def test_a_profile_cannot_extend_itself(build):
    message = failure(ProfileError, find_profile, "mine", build(mine='extends = "mine"\n' + SMALL + NEUTRAL))
    assert "a profile extends once" in message


def test_an_unknown_base_is_told_with_the_nearest(read):
    message = failure(QeframeError, read, 'extends = "bsae"\n', base=SMALL + NEUTRAL)
    assert "unknown profile 'bsae'; did you mean 'base'?" in message


# --- mistakes, all at once -------------------------------------------------------------------------------------------


def test_what_is_missing_is_told_at_once(read):
    assert failure(ProfileError, read, "") == "own.toml: primary: is missing; reader: is missing"


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("alfa = 0.05\n", ["alfa: unknown key, did you mean 'alpha'?"]),
        ("zzz = 1\n", ["zzz: unknown key, known: across, alpha,"]),
        ("name = 'x'\n", ["name: unknown key"]),
        ("stated = ['alpha']\n", ["stated: unknown key"]),
        ("changed = {}\n", ["changed: unknown key"]),
        ("'a\\nb' = 1\n", ["a\\nb: unknown key"]),
        (
            "alfa = 1\nprimery = 'x'\nyear = 'x'\n",
            ["alfa: unknown key, did you mean 'alpha'?", "primery: unknown key, did you mean 'primary'?", "year: must"],
        ),
        ("year = '2014'\n", ["year: must be a whole number, not '2014'"]),
        ("year = 2014.0\n", ["year: must be a whole number, not 2014.0"]),
        ("year = true\n", ["year: must be a whole number, not True"]),
        ("alpha = '0.05'\n", ["alpha: must be a number, not '0.05'"]),
        ("alpha = true\n", ["alpha: must be a number, not True"]),
        ("confidence = 'x'\n", ["confidence: must be a number, not 'x'"]),
        ("strict = 1\n", ["strict: must be true or false, not 1"]),
        ("title = 3\n", ["title: must be a word in quotes, not 3"]),
        ("baselines = 'b'\n", ["baselines: must be a list of words, not 'b'"]),
        ("secondary = [1]\n", ["secondary: must be a list of words, not [1]"]),
        ("weights = 3\n", ["weights: must be a table of numbers, not 3"]),
        ("weights = {a = 'x'}\n", ["weights"]),
        ("provenance = 'x'\n", ["provenance: must be a table, not 'x'"]),
        ("best = 'middle'\n", ["best: ", "middle", "low", "high"]),
        ("sided = 'three'\n", ["sided: ", "three", "one", "two"]),
        ("missing = 'drop'\n", ["missing: ", "drop", "error", "score_as_worst", "drop_for_all"]),
        ("[provenance.alfa]\n", ["provenance.alfa: unknown key, did you mean 'alpha'?"]),
        ("[provenance.alpha]\nsauce = 'x'\n", ["provenance.alpha.sauce: unknown key, did you mean 'source'?"]),
        ("[provenance.alpha]\ncertainty = 'sure'\n", ["provenance.alpha.certainty: must be read or inferred"]),
        ("provenance = {alpha = 3}\n", ["provenance.alpha: must be a table, not 3"]),
        ("weights = {a = 1, b = -1}\n", ["weights.b: must be a finite number that is not negative, not -1"]),
        ("weights = {a = nan, b = inf, c = 1}\n", ["weights.a: must be", "not nan; weights.b: must be", "not inf"]),
        ("weights = {a = true}\n", ["weights.a: must be a finite number that is not negative, not True"]),
        (f"weights = {{a = {10**400}}}\n", ["weights.a: must be a finite number that is not negative, not 1000"]),
        (f"alpha = {10**400}\n", ["alpha: the number has too many digits"]),
        (f"year = 0x{'f' * 5000}\n", ["year: the number has too many digits"]),
        (f"title = [0x{'f' * 5000}]\n", ["title: must be a word in quotes, not this list"]),
    ],
)
def test_every_mistake_of_the_file_is_told(read, text, mistakes):
    message = failure(ProfileError, read, SMALL + NEUTRAL + text)
    assert message.startswith("own.toml: ")
    for mistake in mistakes:
        assert mistake in message


def test_a_mistake_is_told_once_and_in_plain_words(read):
    text = SMALL + NEUTRAL + "alfa = 1\nbest = 'middle'\n"
    assert failure(ProfileError, read, text) == (
        "own.toml: alfa: unknown key, did you mean 'alpha'?; best: must be low or high, not 'middle'"
    )


def test_weights_that_are_words_are_refused(read):
    failure(ProfileError, read, SMALL + NEUTRAL + "weights = {a = '1'}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("title = " + "{a=" * 5000 + "1" + "}" * 5000, "nested too deeply"),
        ("year = " + "9" * 5000, "a number has too many digits"),
    ],
)
def test_what_cannot_be_read_is_told(read, text, said):
    message = failure(ProfileError, read, SMALL + text + "\n")
    assert message.startswith("own.toml cannot be read: ")
    assert said in message


def test_what_is_not_toml_is_told_with_line_and_column(read):
    message = failure(ProfileError, read, SMALL + "alpha = = 3\n")
    assert message == "own.toml is not TOML: Invalid value (at line 3, column 9)"


def test_a_registered_file_that_is_not_text_is_told(build, tmp_path):
    found = build(mine=SMALL)
    tmp_path.joinpath("mine.toml").write_bytes(b"title = '\xff'")
    assert failure(ProfileError, find_profile, "mine", found).startswith("profile 'mine' cannot be read: ")
    tmp_path.joinpath("mine.toml").unlink()
    assert failure(ProfileError, find_profile, "mine", found).startswith("profile 'mine' cannot be read: ")


def test_an_unknown_profile_is_told_with_the_nearest(build):
    found = build(wmt14=SMALL + NEUTRAL)
    message = failure(UnknownNameError, find_profile, "wmt41", found)
    assert message == "unknown profile 'wmt41'; did you mean 'wmt14'?"
    message = failure(UnknownNameError, find_profile, "else", found)
    assert message.startswith("unknown profile 'else'; 'qeframe profiles' lists them (blocked: ")


# --- rules that do not hold together ---------------------------------------------------------------------------------


def ruled(**rules: str) -> str:
    """Return the text of a profile with some rules replaced."""
    stated = dict(line.split(" = ") for line in (SMALL + NEUTRAL).splitlines())
    return "".join(f"{key} = {value}\n" for key, value in {**stated, **rules}.items())


@pytest.mark.parametrize(
    ("rules", "mistake"),
    [
        ({"primary": '"acuracy"'}, "primary: unknown metric 'acuracy'; did you mean 'accuracy'?"),
        ({"primary": '""'}, "primary: cannot read the name ''"),
        (
            {"primary": '"accuracy(margn=1)"'},
            "primary: unknown parameter of accuracy 'margn'; did you mean 'margin'?",
        ),
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
            "weights: 'average' weighs all tasks alike and has no use for them; choose another across, or weights = {}",
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
def test_rules_that_do_not_hold_together(read, rules, mistake):
    message = failure(ProfileError, read, ruled(**rules))
    assert message.startswith("own.toml: ")
    assert mistake in message


def test_every_rule_that_does_not_hold_is_told_at_once(read):
    message = failure(ProfileError, read, ruled(primary='"x"', within='"y"', secondary='["z"]', alpha="2"))
    for start in ("primary: unknown metric 'x'", "within: unknown", "secondary: unknown metric 'z'", "alpha: must"):
        assert start in message


# --- what if ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def change(build):
    """Change settings of a small profile."""
    found = build()
    rules_of = {"across": '"declared"'}

    def settings(*changes: str, **rules: str) -> Profile:
        return change_profile(profile_from_toml(ruled(**rules_of, **rules), "own.toml", "own", found), changes, found)

    return settings


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("alpha=0.01", "alpha", 0.01),
        (" alpha = 0.01 ", "alpha", 0.01),
        ("strict=false", "strict", False),
        ("best=high", "best", "high"),
        ('best="high"', "best", "high"),
        ("title=2014", "title", "2014"),
        ("title=true", "title", "true"),
        ("title=a = b", "title", "a = b"),
        ("test=resampled(draws=7)", "test", "resampled(draws=7)"),
        ("test=", "test", ""),
        ("secondary=['error']", "secondary", ("error",)),
        ("secondary=error", "secondary", ("error",)),
        ('secondary="error"', "secondary", ("error",)),
        ("secondary=[error]", "secondary", ("error",)),
        ("secondary=", "secondary", ()),
        ("baselines=a-b, c", "baselines", ("a-b", "c")),
        ("secondary=error, accuracy(margin=1, best=high)", "secondary", ("error", "accuracy(margin=1, best=high)")),
        ("weights={en-de = 2}", "weights", {"en-de": 2.0}),
        ("primary=error", "primary", "error"),
        ("margin=0.5", "primary", "accuracy(margin=0.5)"),
        ("margin=2", "primary", "accuracy(margin=2)"),
        ("margin=0", "primary", "accuracy"),
    ],
)
def test_a_setting_changes_one_rule_and_is_told(change, setting, key, value):
    before, after = change(), change(setting)
    assert getattr(after, key) == value
    assert type(getattr(after, key)) is type(value)
    given_key, _, given_value = setting.partition("=")
    assert after.changed == {given_key.strip(): given_value.strip()}
    assert after.certainty(given_key.strip()).certainty == "chosen"
    assert after.certainty(given_key.strip()).source == "changed for this run"
    assert {k for k, _, _ in differences(before, after)} <= {key}


def test_settings_are_applied_in_order(change):
    profile = change("primary=error", "primary=accuracy", "margin=1", "margin=2", "alpha=0.5")
    assert (profile.primary, profile.alpha) == ("accuracy(margin=2)", 0.5)
    assert profile.changed == {"primary": "accuracy", "margin": "2", "alpha": "0.5"}


def test_a_parameter_is_added_to_those_that_the_metric_has(change):
    assert change("margin=1", primary='"accuracy(best=high)"').primary == "accuracy(margin=1, best=high)"


def test_a_parameter_goes_to_all_metrics_of_the_family_that_have_the_same_value(change):
    profile = change("margin=2", primary='"accuracy"', secondary='["accuracy(best=high)", "error"]')
    assert profile.metrics == ("accuracy(margin=2)", "accuracy(margin=2, best=high)", "error")
    profile = change("margin=2", primary='"accuracy"', secondary='["accuracy(margin=1)"]')
    assert profile.metrics == ("accuracy(margin=2)", "accuracy", "accuracy(margin=1)")
    profile = change("margin=1", primary='"accuracy"', secondary='["accuracy(margin=1)"]')
    assert profile.metrics == ("accuracy(margin=1)", "accuracy")


def test_a_key_of_the_profile_goes_before_a_parameter_of_its_name(change):
    profile = change("best=high")
    assert (profile.best, profile.primary) == ("high", "accuracy")


def test_without_settings_nothing_changes(change, build):
    profile = change()
    assert change_profile(profile, [], build()) is profile


@pytest.mark.parametrize(
    ("setting", "error", "message"),
    [
        ("alpha", DataError, "cannot read the setting 'alpha'; write KEY=VALUE"),
        ("alpha=x", DataError, "cannot set alpha: must be a number, not 'x'"),
        ("strict=no", DataError, "cannot set strict: must be true or false, not 'no'"),
        ("year=1e3", DataError, "cannot set year: must be a whole number, not 1000.0"),
        ("secondary=eror", ProfileError, "profile 'own': secondary: unknown metric 'eror'; did you mean 'error'?"),
        ("secondary=1", DataError, "cannot set secondary: must be a list of words, not 1"),
        ("best=middle", DataError, "cannot set best: "),
        ("alpha=2", ProfileError, "profile 'own': alpha: must lie between 0 and 1, not 2.0"),
        ("primary=eror", ProfileError, "profile 'own': primary: unknown metric 'eror'; did you mean 'error'?"),
        ("alfa=1", UnknownNameError, "unknown profile key 'alfa'; did you mean 'alpha'?"),
        ("margn=1", UnknownNameError, "unknown profile key 'margn'; did you mean 'margin'"),
        ("margin=big", DataError, "accuracy: parameter margin = 'big' must be a number"),
        ("margin=)(", DataError, "cannot set margin: ')(' is not one value; write one KEY=VALUE for each rule"),
        ("margin=1, best=high", DataError, "cannot set margin: '1, best=high' is not one value"),
        ("margin=1e999", DataError, "cannot set margin: '1e999' is not one value"),
        ("margin=0.5\nalpha=0.5", DataError, "the setting 'margin=0.5 alpha=0.5' has several lines; write one"),
        ("alpha=0.5\nstrict=false", DataError, "the setting 'alpha=0.5 strict=false' has several lines"),
        ("alpha=0.5\rstrict=false", DataError, "the setting 'alpha=0.5 strict=false' has several lines"),
        ("alpha=0.5, strict=false", DataError, "cannot set alpha: must be a number, not '0.5, strict=false'"),
        ("alpha=" + "9" * 5000, ProfileError, "profile 'own': alpha: must lie between 0 and 1, not inf"),
        ("baselines=" + "[" * 5000, DataError, "cannot set baselines: must be a list of words, not '[["),
        ("weights={en-de = nan}", DataError, "cannot set weights.en-de: must be a finite number"),
        ("name=x", UnknownNameError, "unknown profile key 'name'"),
        ("stated=[]", UnknownNameError, "unknown profile key 'stated'"),
        ("changed={}", UnknownNameError, "unknown profile key 'changed'"),
        ("provenance={}", UnknownNameError, "unknown profile key 'provenance'"),
        ("=1", UnknownNameError, "unknown profile key ''"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(change, setting, error, message):
    assert failure(error, change, setting).startswith(message)


def test_a_metric_without_parameters_takes_none(change):
    message = failure(UnknownNameError, change, "primary=error", "margin=1")
    assert message.startswith("unknown profile key 'margin'")


# --- comparing -------------------------------------------------------------------------------------------------------


def test_differences_are_the_rules_that_differ(read):
    first = read(ruled(alpha="0.01", title='"A"'))
    second = read(ruled(secondary='["error"]'))
    assert differences(first, second) == [("title", "A", ""), ("secondary", (), ("error",)), ("alpha", 0.01, 0.05)]
    assert differences(first, first) == []
    assert differences(first, attrs.evolve(first, name="other", changed={"alpha": "0.01"})) == []


def test_the_converter_is_loaded_only_when_a_profile_is_read():
    code = "import sys, qeframe.profiles.load; sys.exit('cattrs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
