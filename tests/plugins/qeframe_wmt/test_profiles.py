"""The shipped profiles are sound and state of every rule where it was read and how certain it is."""

import pytest

from qeframe.api.overrides import change_profile
from qeframe.core.profile import RULE_KEYS, Provenance
from qeframe_wmt import qeframe_profiles
from tests.registered import profile_named

NAMES = sorted(name for name in qeframe_profiles() if name.startswith("qe_") or name[5:].startswith("_qe_"))
METRICS = sorted(name for name in qeframe_profiles() if "_metrics_" in name)
DESCRIPTIONS = {"title", "year", "level", "source"}
SIGNIFICANCE = ("test", "sided", "alpha", "strict")


def certainties(profile, *keys):
    return {key: profile.certainty(key).certainty for key in keys}


def test_every_year_is_there():
    variants = [f"wmt{year}_qe_sentence_{variant}" for year in range(12, 19) for variant in ("scoring", "ranking")]
    sentences = [f"wmt{year}_qe_sentence" for year in range(19, 25)]
    assert {*variants, *sentences, "wmt14_qe_task1_2", "qe_sentence"} <= set(NAMES)


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


OFFICIAL = """
wmt12_qe_sentence_scoring | mae | rmse | high | qe_four_columns(column=score)
wmt12_qe_sentence_ranking | delta_avg | spearman | high | qe_four_columns(column=rank)
wmt13_qe_sentence_scoring | mae | rmse | low | qe_four_columns(column=score)
wmt13_qe_time_scoring | mae | rmse | low | qe_four_columns(column=score)
wmt14_qe_sentence_ranking | delta_avg | spearman | low | qe_four_columns(column=rank)
wmt14_qe_hter_ranking | delta_avg | spearman | low | qe_four_columns(column=rank)
wmt14_qe_time_scoring | mae | rmse | low | qe_four_columns(column=score)
wmt14_qe_task1_2 | pearson | mae, rmse, spearman, delta_avg | low | graham_table
wmt15_qe_sentence_ranking | delta_avg | spearman | low | qe_four_columns(column=rank)
wmt16_qe_sentence_scoring | pearson | mae, rmse | low | qe_four_columns(column=score)
wmt17_qe_sentence_ranking | spearman | delta_avg | low | qe_four_columns(column=rank)
wmt18_qe_sentence_ranking | spearman |  | low | qe_four_columns(column=rank)
wmt19_qe_sentence | pearson | spearman, mae, rmse | low | qe_plain
wmt20_qe_sentence | pearson | mae, rmse | high | qe_sentence(header_lines=0, published=["task1_da"], repository=wmt20)
wmt20_qe_hter | pearson | mae, rmse | low | qe_sentence(header_lines=0)
wmt21_qe_sentence | pearson | mae, rmse | high | qe_sentence(header_lines=2, published=["task1_da"], repository=wmt21)
wmt22_qe_sentence | spearman | pearson, mae, rmse | high | \
    qe_sentence(header_lines=3, published=["task1_da", "task1_mqm"])
wmt22_qe_sentence_mqm | spearman | pearson, mae, rmse | high | qe_sentence(header_lines=3, published=["task1_mqm"])
wmt23_qe_sentence | spearman | pearson, kendall_tau_b | high | \
    qe_sentence(header_lines=3, gold_missing=-100, published=["task1_sentence_level"], repository=wmt23)
wmt24_qe_sentence | spearman | pearson, kendall_tau_b | high | qe_sentence(header_lines=3)
wmt13_qe_word | f1_weighted | f1_ok, f1_bad | low | tag_lines
wmt14_qe_word | f1_weighted(classes=non_ok) | f1_ok, f1_bad, mcc | low | word_columns_2014(column=binary)
wmt14_qe_word_level1 | f1_weighted(classes=non_ok) | mcc | low | word_columns_2014(column=level1)
wmt14_qe_word_fine | f1_weighted(classes=non_ok) | mcc | low | word_columns_2014(column=fine)
wmt15_qe_word | f1_bad | f1_ok, f1_weighted, seqcor | low | word_columns_2015
wmt16_qe_word | f1_mult | f1_bad, f1_ok | low | word_columns_2015
wmt17_qe_word | f1_mult | f1_bad, f1_ok | low | word_columns_2015
wmt18_qe_word | f1_mult | f1_ok, f1_bad | low | tag_lines(layout=words_and_gaps, stream=words)
wmt18_qe_word_source | f1_mult | f1_ok, f1_bad | low | tag_lines(layout=source)
wmt19_qe_word | f1_mult | f1_ok, f1_bad, mcc | low | tag_lines(layout=words_and_gaps)
wmt20_qe_word | mcc | f1_ok, f1_bad, f1_mult | low | word_columns_2020(header_lines=0, compare=case_insensitive)
wmt21_qe_word_gaps | mcc | f1_ok, f1_bad, f1_mult | low | \
    word_columns_2020(header_lines=2, stream=gaps, published=task2_word, repository=wmt21)
wmt22_qe_word | mcc | f1_ok, f1_bad, seqcor | low | word_columns_2020(header_lines=3, published="task1_word-level")
wmt23_qe_word | mcc | f1_mult | low | \
    word_columns_2020(header_lines=3, compare=case_insensitive, published=task1_word_level, repository=wmt23)
wmt23_qe_span | span_f1(rule=2023) | span_precision(rule=2023), span_recall(rule=2023) | low | \
    spans_2023(beyond=clip, published=task2)
wmt24_qe_span | span_f1(rule=2023) | span_precision(rule=2023), span_recall(rule=2023) | low | spans_2023
wmt25_qe_span | span_f1(rule=2025) | span_precision(rule=2025), span_recall(rule=2025) | low | spans_2025
"""
"""By profile: the primary and the secondary metrics, which values are good, and the reader."""


@pytest.mark.parametrize("row", OFFICIAL.strip().splitlines())
def test_official_metrics(row, profile):
    name, *expected = (cell.strip() for cell in row.split("|"))
    found = profile(name)
    assert [found.primary, ", ".join(found.secondary), found.best, found.reader] == expected


@pytest.mark.parametrize("year", range(12, 19))
def test_official_significance_of_the_first_years(year, profile):
    found = profile(f"wmt{year}_qe_sentence_scoring")
    expected = ("bootstrap(draws=1000)", "") if year < 16 else ("williams", "one")
    assert (found.test, found.sided) == expected
    rules = (found.correction, found.alpha, found.strict, found.ranking)
    assert rules == ("none", 0.05, False, "not_worse_than_best")
    assert certainties(found, "test", "alpha", "strict") == dict.fromkeys(("test", "alpha", "strict"), "unconfirmed")
    assert found.certainty("ranking").certainty == ("read" if year == 14 else "unconfirmed")


def test_graham_read_everything(profile):
    found = profile("wmt14_qe_task1_2")
    assert (found.test, found.sided, found.correction, found.alpha) == ("williams", "one", "none", 0.05)
    assert found.baselines == ("baseline",)
    keys = ("primary", "secondary", "test", "sided", "correction", "alpha", "ranking")
    assert certainties(found, *keys) == dict.fromkeys(keys, "read")


@pytest.mark.parametrize("year", [2019, 2020, 2021, 2022])
def test_williams_is_not_confirmed_for_the_middle_years(year, profile):
    found = profile(f"wmt{year % 100}_qe_sentence")
    assert (found.test, found.sided, found.correction, found.strict) == ("williams", "one", "none", False)
    assert certainties(found, *SIGNIFICANCE) == dict.fromkeys(SIGNIFICANCE, "unconfirmed")
    assert found.certainty("correction").certainty == "inferred"


@pytest.mark.parametrize("name", ["wmt23_qe_sentence", "wmt24_qe_sentence", "qe_sentence"])
def test_where_the_task_is_silent_qeframe_chooses(name, profile):
    found = profile(name)
    rules = (found.test, found.sided, found.correction, found.strict, found.ranking)
    ranking = "not_worse_than_best" if found.year else "not_outperformed"
    assert rules == ("default", "two", "default", True, ranking)
    keys = (*SIGNIFICANCE, "correction", "ranking")
    assert certainties(found, *keys) == dict.fromkeys(keys, "chosen")


def test_averages_over_language_pairs(profile):
    assert profile("wmt20_qe_sentence").across == 'mean(exclude=["ru-en"])'
    assert profile("wmt20_qe_hter").across == "mean"
    read = {year: profile(f"wmt{year}_qe_sentence").certainty("across").certainty for year in range(19, 25)}
    assert read == {19: "chosen", 20: "read", 21: "read", 22: "read", 23: "read", 24: "unconfirmed"}


def test_a_missing_metric_is_noted(profile):
    for name in ("wmt23_qe_sentence", "wmt24_qe_sentence"):
        assert "Kendall" in profile(name).certainty("secondary").note


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
SPANS = sorted(name for name in qeframe_profiles() if "_qe_span" in name)
RANDOMIZATION = ("randomization(draws=10000)", "two", "bonferroni", 0.05, False, "not_worse_than_best")
SIGNIFICANCE_WORD = ("test", "sided", "correction", "alpha", "strict", "ranking")


def rules(found, keys=SIGNIFICANCE_WORD):
    return tuple(getattr(found, key) for key in keys)


def test_every_year_and_stream_is_there():
    years = {f"wmt{year}_qe_word" for year in range(13, 24)}
    streams = {f"wmt{year}_qe_word_{stream}" for year in range(18, 22) for stream in ("gaps", "source")}
    others = {"wmt14_qe_word_level1", "wmt14_qe_word_fine", "wmt19_qe_word_only"}
    assert set(WORDS) == years | streams | others
    assert [f"wmt{year}_qe_span" for year in (23, 24, 25)] == SPANS


@pytest.mark.parametrize("name", [name for name in WORDS if int(name[3:5]) >= 15])
def test_randomization_with_bonferroni_since_2015(name, profile):
    found = profile(name)
    assert rules(found) == RANDOMIZATION
    certain = found.certainty("test").certainty
    assert certain == ("read" if found.year in (2016, 2017) else "unconfirmed")
    assert found.certainty("correction").certainty == "unconfirmed"


@pytest.mark.parametrize("name", [*(name for name in WORDS if int(name[3:5]) < 15), *SPANS])
def test_where_the_task_is_silent_qeframe_chooses_word(name, profile):
    found = profile(name)
    assert rules(found) == ("default", "two", "default", 0.05, True, "not_worse_than_best")
    assert {found.certainty(key).certainty for key in SIGNIFICANCE_WORD} == {"chosen"}


@pytest.mark.parametrize("name", [name for name in WORDS if name.count("_") == 3])
def test_streams_differ_in_what_is_scored(name, profile):
    stream, whole = profile(name), profile(name.rpartition("_")[0])
    different = {key for key in RULE_KEYS if getattr(stream, key) != getattr(whole, key)}
    assert {"title", "reader"} <= different <= {"title", "reader", "gold", "secondary"}


def test_averages_over_language_pairs_word(profile):
    read = {name: profile(name).certainty("across").certainty for name in WORDS}
    assert {read[f"wmt{year}_qe_word"] for year in range(20, 24)} == {"read"}
    assert {read[f"wmt{year}_qe_word"] for year in (14, 17, 18, 19)} == {"chosen"}


def test_the_baseline_of_2022_is_known(profile):
    assert profile("wmt22_qe_word").baselines == ("OrganizersBaselines",)


NAMES_2026 = sorted(name for name in qeframe_profiles() if name.startswith("wmt26_"))


def test_every_task_and_the_systems_are_there():
    tasks = {"wmt26_task1", "wmt26_task2", "wmt26_task2_pearson", "wmt26_task3", "wmt26_task3_pooled", "wmt26_tasks"}
    assert set(NAMES_2026) == {*tasks, "wmt26_systems", "wmt26_systems_pair", "wmt26_human"}


@pytest.mark.parametrize("name", NAMES_2026)
def test_every_rule_states_how_certain_it_is(name):
    found = profile_named(name)
    assert found.year == 2026
    assert found.stated <= set(found.provenance)
    for key in found.stated - {"title", "year", "source"}:
        fact = found.provenance[key]
        assert fact.note or fact.certainty == "read", key


@pytest.mark.parametrize(
    ("name", "key"),
    [("wmt26_task1", "primary"), ("wmt26_task2", "parts"), ("wmt26_task3", "across"), ("wmt26_task1", "reader")],
)
def test_what_was_not_announced_is_unconfirmed(name, key):
    assert profile_named(name).provenance[key].certainty == "unconfirmed"


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
