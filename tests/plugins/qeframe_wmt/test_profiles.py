"""The shipped profiles are sound and state of every rule where it was read and how certain it is."""

import pytest

from qeframe.api.overrides import change_profile
from qeframe.core.profile import RULE_KEYS, Provenance
from qeframe_wmt import qeframe_profiles
from tests.registered import profile_named

NAMES = sorted(name for name in qeframe_profiles() if name.startswith("qe_") or name[5:].startswith("_qe_"))
METRICS = sorted(name for name in qeframe_profiles() if "_metrics_" in name)
DESCRIPTIONS = {"title", "year", "level", "source"}


@pytest.mark.parametrize("name", [*NAMES, *METRICS])
def test_every_rule_states_where_it_was_read(name, profile):
    found = profile(name)
    assert found.name == name
    stated = found.stated & (set(RULE_KEYS) - DESCRIPTIONS)
    scored = {"parts", "overall"} if found.parts else {"reader", "primary", "secondary"}
    scored |= {"across"} if name in METRICS else set()
    assert {"gold", "best", *scored, "test", "correction", "alpha", "ranking"} <= stated
    assert found.stated == set(found.provenance)
    for key in stated:
        fact = found.provenance[key]
        assert fact.source or fact.note, key
        assert fact.source or fact.certainty != "read", key
        assert not fact.source.startswith("Not found") or fact.certainty == "unconfirmed", key


def _level(name):
    if name == "qe_parts":
        return "sentence, word and span"
    if name.endswith(("_human", "_autorank")):
        return "system"
    if "qe_word" in name or name.endswith(("_explainable", "_phrase")):
        return "word"
    return next((level for level in ("span", "document") if f"qe_{level}" in name), "sentence")


@pytest.mark.parametrize("name", [name for name in NAMES if _level(name) != "system"])
def test_a_rule_that_is_not_stated_is_a_choice_of_qeframe(name, profile):
    assert profile(name).certainty("interval") == Provenance(certainty="chosen", source="qeframe's default")


@pytest.mark.parametrize("name", NAMES)
def test_titles_are_unique(name, profile):
    found = profile(name)
    assert found.title not in {profile(other).title for other in NAMES if other != name}
    assert found.level == _level(name)
    assert found.year == (0 if name.startswith("qe_") else 2000 + int(name[3:5]))


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("_ranking")])
def test_ranking_differs_from_scoring_in_what_is_ranked(name, profile):
    ranking, scoring = profile(name), profile(name.replace("_ranking", "_scoring"))
    different = {key for key in RULE_KEYS if getattr(ranking, key) != getattr(scoring, key)}
    assert {"title", "reader", "primary"} <= different <= {"title", "reader", "primary", "secondary"}
    assert (scoring.reader, ranking.reader) == ("qe_four_columns(column=score)", "qe_four_columns(column=rank)")


@pytest.mark.parametrize(
    ("name", "setting"),
    [
        ("wmt12_qe_sentence_scoring", "replicate=perl"),
        ("wmt13_qe_sentence_ranking", "replicate=perl"),
        ("wmt16_qe_sentence_ranking", "ties=ordinal"),
    ],
)
def test_the_official_script_is_a_setting_away(name, setting, profile, registry):
    found = profile(name)
    assert change_profile(found, [setting], registry).primary == f"{found.primary}({setting})"


WORDS = sorted(name for name in qeframe_profiles() if "_qe_word" in name)


@pytest.mark.parametrize("name", [name for name in WORDS if name.count("_") == 3])
def test_streams_differ_in_what_is_scored(name, profile):
    stream, whole = profile(name), profile(name.rpartition("_")[0])
    different = {key for key in RULE_KEYS if getattr(stream, key) != getattr(whole, key)}
    assert {"title", "reader"} <= different <= {"title", "reader", "gold", "secondary"}


NAMES_2026 = sorted(name for name in qeframe_profiles() if name.startswith("wmt26_"))


@pytest.mark.parametrize("name", NAMES_2026)
def test_every_rule_states_how_certain_it_is(name):
    found = profile_named(name)
    assert found.year == 2026
    assert found.stated <= set(found.provenance)
    for key in found.stated - {"title", "year", "source"}:
        fact = found.provenance[key]
        assert fact.note or fact.certainty == "read", key


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("wmt26_task1", ["annotators=each", "missing_marks=drop", "fault_marks=drop", "primary=mpp_f"]),
        ("wmt26_task2", ["annotators=first", "cascade=no", "minor=2", "major=10", "scale=any"]),
        ("wmt26_task3", ["least_score=90", "annotators=every", "marks=scored", "one_class=keep", "by=all"]),
        ("wmt26_systems", ["displayed_only=yes", "pair=en-de_DE"]),
    ],
)
def test_each_plausible_reading_is_a_parameter(name, settings, registry):
    changed = change_profile(profile_named(name), settings, registry)
    for setting in settings:
        key, _, value = setting.partition("=")
        assert key in changed.changed
        assert value in (changed.primary if key == "primary" else changed.reader)
