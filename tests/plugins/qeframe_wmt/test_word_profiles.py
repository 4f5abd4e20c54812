"""The profiles of the word-level and span tasks state what is known of every year, and how certain it is."""

from functools import cache

import pytest

from qeframe.core.profiles.load import find_profile
from qeframe.core.profiles.schema import RULE_KEYS
from qeframe_wmt import qeframe_profiles

WORDS = sorted(name for name in qeframe_profiles() if "_qe_word" in name)
SPANS = sorted(name for name in qeframe_profiles() if "_qe_span" in name)
RANDOMIZATION = ("randomization(draws=10000)", "two", "bonferroni", 0.05, False, "not_worse_than_best")
SIGNIFICANCE = ("test", "sided", "correction", "alpha", "strict", "ranking")


@pytest.fixture(scope="module")
def profile(registry):
    return cache(lambda name: find_profile(name, registry))


def rules(found, keys=SIGNIFICANCE):
    return tuple(getattr(found, key) for key in keys)


def test_every_year_and_stream_is_there():
    years = {f"wmt{year}_qe_word" for year in range(13, 24)}
    streams = {f"wmt{year}_qe_word_{stream}" for year in range(18, 22) for stream in ("gaps", "source")}
    others = {"wmt14_qe_word_level1", "wmt14_qe_word_fine", "wmt19_qe_word_only"}
    assert set(WORDS) == years | streams | others
    assert [f"wmt{year}_qe_span" for year in (23, 24, 25)] == SPANS


@pytest.mark.parametrize(
    ("name", "primary", "secondary", "reader"),
    [
        ("wmt13_qe_word", "f1_weighted", ["f1_ok", "f1_bad"], "tag_lines"),
        (
            "wmt14_qe_word",
            "f1_weighted(classes=non_ok)",
            ["f1_ok", "f1_bad", "mcc"],
            "word_columns_2014(column=binary)",
        ),
        ("wmt14_qe_word_level1", "f1_weighted(classes=non_ok)", ["mcc"], "word_columns_2014(column=level1)"),
        ("wmt14_qe_word_fine", "f1_weighted(classes=non_ok)", ["mcc"], "word_columns_2014(column=fine)"),
        ("wmt15_qe_word", "f1_bad", ["f1_ok", "f1_weighted", "seqcor"], "word_columns_2015"),
        ("wmt16_qe_word", "f1_mult", ["f1_bad", "f1_ok"], "word_columns_2015"),
        ("wmt17_qe_word", "f1_mult", ["f1_bad", "f1_ok"], "word_columns_2015"),
        ("wmt18_qe_word", "f1_mult", ["f1_ok", "f1_bad"], "tag_lines(layout=words_and_gaps, stream=words)"),
        ("wmt18_qe_word_source", "f1_mult", ["f1_ok", "f1_bad"], "tag_lines(layout=source)"),
        ("wmt19_qe_word", "f1_mult", ["f1_ok", "f1_bad", "mcc"], "tag_lines(layout=words_and_gaps)"),
        (
            "wmt20_qe_word",
            "mcc",
            ["f1_ok", "f1_bad", "f1_mult"],
            "word_columns_2020(header_lines=0, compare=case_insensitive)",
        ),
        (
            "wmt21_qe_word_gaps",
            "mcc",
            ["f1_ok", "f1_bad", "f1_mult"],
            "word_columns_2020(header_lines=2, stream=gaps, published=task2_word, repository=wmt21)",
        ),
        (
            "wmt22_qe_word",
            "mcc",
            ["f1_ok", "f1_bad", "seqcor"],
            'word_columns_2020(header_lines=3, published="task1_word-level")',
        ),
        (
            "wmt23_qe_word",
            "mcc",
            ["f1_mult"],
            "word_columns_2020(header_lines=3, compare=case_insensitive, published=task1_word_level, repository=wmt23)",
        ),
        (
            "wmt23_qe_span",
            "span_f1(rule=2023)",
            ["span_precision(rule=2023)", "span_recall(rule=2023)"],
            "spans_2023(beyond=clip, published=task2)",
        ),
        ("wmt24_qe_span", "span_f1(rule=2023)", ["span_precision(rule=2023)", "span_recall(rule=2023)"], "spans_2023"),
        ("wmt25_qe_span", "span_f1(rule=2025)", ["span_precision(rule=2025)", "span_recall(rule=2025)"], "spans_2025"),
    ],
)
def test_official_metrics_and_layouts(name, primary, secondary, reader, profile):
    found = profile(name)
    assert (found.primary, list(found.secondary), found.reader) == (primary, secondary, reader)


@pytest.mark.parametrize("name", [name for name in WORDS if int(name[3:5]) >= 15])
def test_randomization_with_bonferroni_since_2015(name, profile):
    found = profile(name)
    assert rules(found) == RANDOMIZATION
    certain = found.certainty("test").certainty
    assert certain == ("read" if found.year in (2016, 2017) else "unconfirmed")
    assert found.certainty("correction").certainty == "unconfirmed"


@pytest.mark.parametrize("name", [*(name for name in WORDS if int(name[3:5]) < 15), *SPANS])
def test_where_the_task_is_silent_qeframe_chooses(name, profile):
    found = profile(name)
    assert rules(found) == ("default", "two", "default", 0.05, True, "not_worse_than_best")
    assert {found.certainty(key).certainty for key in SIGNIFICANCE} == {"chosen"}


@pytest.mark.parametrize("name", [name for name in WORDS if name.count("_") == 3])
def test_streams_differ_in_what_is_scored(name, profile):
    stream, whole = profile(name), profile(name.rpartition("_")[0])
    different = {key for key in RULE_KEYS if getattr(stream, key) != getattr(whole, key)}
    assert {"title", "reader"} <= different <= {"title", "reader", "gold", "secondary"}


def test_averages_over_language_pairs(profile):
    read = {name: profile(name).certainty("across").certainty for name in WORDS}
    assert {read[f"wmt{year}_qe_word"] for year in range(20, 24)} == {"read"}
    assert {read[f"wmt{year}_qe_word"] for year in (14, 17, 18, 19)} == {"chosen"}


def test_the_baseline_of_2022_is_known(profile):
    assert profile("wmt22_qe_word").baselines == ("OrganizersBaselines",)
