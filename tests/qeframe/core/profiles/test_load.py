"""A profile is read from its file and from those that it extends, and checked as a whole."""

import subprocess
import sys

import attrs
import pytest

from qeframe.core.errors import ProfileError
from qeframe.core.profile import RULE_KEYS, Profile, Provenance
from qeframe.core.profile_files import differences, find_profile, profile_from_toml, stated_provenance
from qeframe.core.profile_tables import wrong_keys
from qeframe.core.resolve import resolve
from tests.outcome import failure
from tests.qeframe.core.profiles.small_registry import NEUTRAL, SMALL, ruled

HERE = Provenance(certainty="chosen", source="set here")
DEFAULT = Provenance(certainty="chosen", source="qeframe's default")


# --- one file --------------------------------------------------------------------------------------------------------


def test_every_registered_profile_is_sound(registry):
    assert registry.profiles
    for name in registry.profiles:
        assert find_profile(name, registry).name == name


def test_a_profile_needs_little_and_without_a_source_a_rule_is_set_here(read):
    profile = read(SMALL + NEUTRAL)
    assert (profile.name, profile.reader, profile.metrics) == ("own", "lines", ("accuracy",))
    assert (profile.missing, profile.alpha, profile.strict, profile.weights) == ("error", 0.05, True, {})
    assert profile.certainty("primary") == HERE
    assert profile.certainty("alpha") == DEFAULT


def test_the_least_profile_works_with_the_built_in_components(registry):
    profile = profile_from_toml('reader = "qe_plain"\nprimary = "pearson"\n', "own.toml", "own", registry)
    assert profile.test == "default"
    resolved = resolve(profile, registry)
    assert resolved.test is not None
    assert (resolved.test.name, resolved.correction.name) == ("jackknife_and_exchange", "romano_wolf_and_max_t")


def test_draws_are_told_of_a_test_that_states_a_least_p(registry):
    resolved = resolve(find_profile("qe_sentence", registry), registry)
    assert resolved.draws == "1000+10000"
    assert attrs.evolve(resolved, adaptive=False).draws == "1000"
    without = attrs.evolve(resolved.test, least_p=0.0, more=attrs.evolve(resolved.test.more, least_p=0.0))
    assert attrs.evolve(resolved, test=without).draws == ""


def test_every_rule_is_read(read):
    text = SMALL + NEUTRAL.replace('interval = ""', 'interval = "resampled(draws=5)"').replace('test = ""', "")
    text = text.replace('"average"', '"declared"')
    profile = read(
        text + 'title = "T"\nyear = 2014\nlevel = "sentence"\ngold = "HTER"\nbest = "high"\nmissing = "drop_for_all"\n'
        'baselines = ["b"]\n'
        'valid = { shown = false }\ncomputed = ["overlap"]\ncolumns = ["error", "size"]\nacross_columns = "declared"\n'
        'partial = "apart"\ntask_order = ["de-en"]\ndivide = []\nexchanges = "joint"\noverall = "mean"\nparts = []\n'
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
        task_order=("de-en",),
        columns=("error", "size"),
        across_columns="declared",
        resample="document",
        interval="resampled(draws=5)",
        confidence=0.9,
        test="signs",
        sided="one",
        correction="raw",
        alpha=0.01,
        strict=False,
        ranking="order",
        valid={"shown": False},
        source="S",
        provenance=dict.fromkeys(RULE_KEYS, Provenance(source="S"))
        | {"alpha": Provenance(certainty="inferred", source="a script", note="N")},
        stated=frozenset(RULE_KEYS),
        own=frozenset(RULE_KEYS),
    )
    assert profile.metrics == ("accuracy", "error")


def test_a_rule_states_how_certain_it_is(read):
    text = SMALL + NEUTRAL + 'source = "the findings"\nalpha = 0.01\n[provenance.alpha]\ncertainty = "inferred"\n'
    profile = read(text)
    assert profile.certainty("alpha") == Provenance(certainty="inferred", source="the findings")
    assert profile.certainty("primary") == Provenance(certainty="read", source="the findings")
    assert profile.certainty("strict") == DEFAULT


# --- extending -------------------------------------------------------------------------------------------------------

BASE = """
title = "Base"
reader = "lines"
primary = "accuracy"
alpha = 0.01
source = "the findings"

[provenance]
chosen = ["title"]

[provenance.alpha]
certainty = "inferred"
note = "a guess"
"""


def test_a_profile_extends_another(build):
    profile = find_profile("mine", build(base=BASE, mine='extends = "base"\nprimary = "error"\n' + NEUTRAL))
    assert (profile.name, profile.primary, profile.reader) == ("mine", "error", "lines")
    assert (profile.alpha, profile.title) == (0.01, "Base")
    assert {"primary", "alpha", "reader"} <= profile.stated
    assert "strict" not in profile.stated


def test_what_is_replaced_does_not_keep_the_reasons(build):
    profile = find_profile("mine", build(base=BASE, mine='extends = "base"\nalpha = 0.1\n' + NEUTRAL))
    assert profile.certainty("alpha") == HERE
    assert profile.certainty("within") == HERE
    assert profile.source == "the findings"


def test_what_is_replaced_was_read_in_the_own_source_if_there_is_one(build):
    profile = find_profile(
        "mine", build(base=BASE, mine='extends = "base"\nalpha = 0.1\nsource = "a page"\n' + NEUTRAL)
    )
    assert profile.certainty("alpha") == Provenance(source="a page")
    assert profile.certainty("source") == Provenance(source="a page")


def test_what_is_not_replaced_keeps_its_source(build):
    profile = find_profile("mine", build(base=BASE, mine='extends = "base"\nsource = "a page"\n' + NEUTRAL))
    assert profile.certainty("alpha") == Provenance(certainty="inferred", source="the findings", note="a guess")
    assert profile.certainty("reader") == Provenance(source="the findings")
    assert profile.certainty("title") == HERE


def test_a_key_that_is_not_replaced_can_be_explained_anew(build):
    own = 'extends = "base"\n' + NEUTRAL + '[provenance]\nread = ["alpha"]\nreader = {note = "as before"}\n'
    profile = find_profile("mine", build(base=BASE, mine=own))
    assert profile.alpha == 0.01
    assert profile.certainty("alpha") == Provenance(source="the findings")
    assert profile.certainty("reader") == Provenance(source="the findings", note="as before")


def test_a_chain_of_profiles(build):
    known = build(
        base=BASE, middle='extends = "base"\nalpha = 0.1\n' + NEUTRAL, top='extends = "middle"\nyear = 2000\n'
    )
    profile = find_profile("top", known)
    assert (profile.reader, profile.alpha, profile.year, profile.ranking) == ("lines", 0.1, 2000, "order")
    assert [profile.certainty(key) for key in ("reader", "alpha", "year")] == [
        Provenance(source="the findings"),
        HERE,
        HERE,
    ]


# --- mistakes, all at once -------------------------------------------------------------------------------------------


def test_what_is_missing_is_reported_at_once(read):
    assert failure(ProfileError, read, "") == "own.toml: primary: is missing; reader: is missing"


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("alfa = 0.05\n", ["alfa: unknown key, did you mean 'alpha'?"]),
        ("zzz = 1\n", ["zzz: unknown key, known: across, across_columns, alpha,"]),
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
        ("[provenance]\nread = 'alpha'\n", ["provenance.read: must be a list of keys, not 'alpha'"]),
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
def test_every_mistake_of_the_file_is_reported(read, text, mistakes):
    message = failure(ProfileError, read, SMALL + NEUTRAL + text)
    assert message.startswith("own.toml: ")
    for mistake in mistakes:
        assert mistake in message


def test_a_mistake_is_reported_once_and_in_plain_words(read):
    text = SMALL + NEUTRAL + "alfa = 1\nbest = 'middle'\n"
    assert failure(ProfileError, read, text) == (
        "own.toml: alfa: unknown key, did you mean 'alpha'?; best: must be low or high, not 'middle'"
    )


def test_weights_that_are_words_are_refused(read):
    failure(ProfileError, read, SMALL + NEUTRAL + "weights = {a = '1'}\n")


def test_the_mistakes_of_all_files_are_reported_at_once(read):
    message = failure(
        ProfileError,
        read,
        'extends = "base"\nalpha = 2\n',
        base='primary = "accuracy"\nyear = "x"\nyaer = 1\n' + NEUTRAL,
    )
    assert message == (
        "own.toml: alpha: must lie between 0 and 1, not 2; reader: is missing; "
        "yaer: unknown key, did you mean 'year' or 'reader'? (in profile 'base'); "
        "year: must be a whole number, not 'x' (in profile 'base')"
    )


def test_a_mistake_hides_no_other_mistake_of_the_same_file(read):
    text = ruled(primary='"acuracy"') + '[provenance]\nread = ["alfa"]\nchosen = ["test", "test"]\n'
    message = failure(ProfileError, read, text)
    for mistake in (
        "primary: unknown metric",
        "provenance.read: unknown key 'alfa'",
        "provenance.test: is named twice",
    ):
        assert mistake in message


def test_a_file_of_no_profile_is_reported(build, tmp_path):
    known = build(mine=SMALL)
    tmp_path.joinpath("mine.toml").write_bytes(b"title = '\xff'")
    assert failure(ProfileError, find_profile, "mine", known).startswith("profile 'mine' cannot be read: ")


# --- comparing -------------------------------------------------------------------------------------------------------


def test_differences_are_the_rules_that_differ(read):
    first = read(ruled(alpha="0.01", title='"A"'))
    second = read(ruled(secondary='["error"]'))
    assert differences(first, second) == [("title", "A", ""), ("secondary", (), ("error",)), ("alpha", 0.01, 0.05)]
    assert differences(first, first) == []
    assert differences(first, attrs.evolve(first, name="other", changed={"alpha": "0.01"})) == []


def test_the_converter_is_loaded_only_when_a_profile_is_read():
    code = "import sys, qeframe.core.profile_files; sys.exit('cattrs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_keys_of_a_file_of_the_user(read, build):
    text = SMALL + NEUTRAL
    assert read('extends = "base"\nbaselines = ["b"]\n', base=text).own == {"baselines"}
    assert find_profile("base", build(base=text)).own == frozenset()


def test_an_extended_profile_whose_provenance_is_no_table(read):
    for own, base in (("provenance = 5\n", ""), ("", "provenance = 5\n")):
        with pytest.raises(ProfileError, match="provenance: must be a table, not 5"):
            read('extends = "base"\n' + own, base=base + SMALL + NEUTRAL)


def stated(facts):
    return stated_provenance(facts, source="the findings", chosen_by="somebody")


def test_keys_in_lists_have_the_source_of_their_certainty():
    facts = {"read": ["gold"], "inferred": ["best"], "unconfirmed": ["alpha"], "chosen": ["ranking", "test"]}
    chosen = Provenance(certainty="chosen", source="somebody")
    assert stated(facts) == {
        "gold": Provenance(certainty="read", source="the findings"),
        "best": Provenance(certainty="inferred", source="the findings"),
        "alpha": Provenance(certainty="unconfirmed", source="Not found in a source that could be opened"),
        "ranking": chosen,
        "test": chosen,
    }


def test_a_table_states_what_differs():
    facts = {
        "gold": {"note": "N"},
        "alpha": {"certainty": "unconfirmed", "source": "a rumor"},
        "best": {"certainty": "inferred", "source": ""},
        "test": {},
    }
    assert stated(facts) == {
        "gold": Provenance(source="the findings", note="N"),
        "alpha": Provenance(certainty="unconfirmed", source="a rumor"),
        "best": Provenance(certainty="inferred"),
        "test": Provenance(source="the findings"),
    }


def test_without_a_table_nothing_is_stated():
    assert stated({}) == {}
    assert wrong_keys({}) == []


@pytest.mark.parametrize(
    ("facts", "mistakes"),
    [
        ({"read": "gold"}, ["provenance.read: must be a list of keys, not 'gold'"]),
        ({"read": ["gold", 1]}, ["provenance.read: must be a list of keys, not ['gold', 1]"]),
        ({"read": {"note": "N"}}, ["provenance.read: must be a list of keys, not {'note': 'N'}"]),
        ({"read": ["god"]}, ["provenance.read: unknown key 'god', did you mean 'gold'?"]),
        ({"raed": ["gold"]}, ["provenance.raed: unknown key, did you mean 'read'", "provenance.raed: must be a table"]),
        ({"name": {}}, ["provenance.name: unknown key"]),
        ({"gold": "read"}, ["provenance.gold: must be a table, not 'read'"]),
        ({"gold": {"nota": "N"}}, ["provenance.gold.nota: unknown key, did you mean 'note'?"]),
        ({"gold": {"note": 1}}, ["provenance.gold.note: must be a word in quotes"]),
        ({"gold": {"certainty": "sure"}},
         ["provenance.gold.certainty: must be read or inferred or unconfirmed or chosen"]),
        ({"read": ["gold"], "chosen": ["gold"]}, ["provenance.gold: is named twice; name it once"]),
        ({"read": ["gold", "gold"]}, ["provenance.gold: is named twice; name it once"]),
        ({"read": ["gold"], "gold": {"note": "N"}}, ["provenance.gold: is named twice; name it once"]),
        ({"read": ["god"], "alpha": 1, "chosen": ["best"], "inferred": ["best"]},
         ["provenance.read: unknown key", "provenance.alpha: must be a table", "provenance.best: is named twice"]),
    ],
)  # fmt: skip
def test_every_mistake_is_found(facts, mistakes):
    found = wrong_keys({"provenance": facts})
    assert len(found) == len(mistakes)
    for message, start in zip(found, mistakes, strict=True):
        assert message.startswith(start)
