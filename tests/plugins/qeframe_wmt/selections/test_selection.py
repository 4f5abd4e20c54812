"""The selections of the data sets, as the official program has them."""

import pytest

from qeframe.core.errors import DataError
from qeframe_wmt.selections.selection import load_selection, selection_names

COUNTS = {
    "wmt20": (18, 0, 0, 0),
    "wmt21_news": (3, 3, 16, 0),
    "wmt21_tedtalks": (3, 3, 16, 0),
    "wmt22": (3, 3, 22, 0),
    "wmt23": (9, 3, 18, 14),
    "wmt24": (11, 3, 13, 13),
    "wmt25": (16, 16, 12, 8),
}
"""By data set: language pairs, those of the official ranking, primary metrics, baselines."""


@pytest.mark.parametrize("name", COUNTS)
def test_counts(name):
    found = load_selection(name)
    counts = (len(found.pairs), len(found.official), len(found.primaries), len(found.baselines))
    assert counts == COUNTS[name]
    assert set(found.official) <= set(found.pairs)
    for pair in found.pairs:
        listed = found.metrics_of(pair)
        assert len(set(listed)) == len(listed)
    assert (found.certainty, found.source) == ("read", "google-research/mt-metrics-eval, meta_info and tasks")
    assert found.title.startswith(f"WMT{name[3:5]} metrics task")


def test_there_are_no_others():
    assert selection_names() == sorted(COUNTS)


@pytest.mark.parametrize(
    ("name", "pair", "gold", "reference", "scored", "outliers"),
    [
        ("wmt20", "cs-en", "wmt-raw", "ref", (), ("zlabs-nlp.1149", "CUNI-DocTransformer.1457")),
        ("wmt20", "km-en", "wmt-raw", "ref", (), ()),
        ("wmt21_news", "en-de", "mqm", "refC", (), ()),
        ("wmt21_news", "zh-en", "mqm", "refB", (), ()),
        ("wmt21_news", "de-fr", "wmt-raw", "refA", (), ()),
        ("wmt21_tedtalks", "en-de", "mqm", "refA", (), ()),
        ("wmt22", "en-de", "mqm", "refA", (), ("M2M100_1.2B-B4",)),
        ("wmt22", "zh-en", "mqm", "refA", (), ()),
        ("wmt23", "en-de", "mqm", "refA", (), ("synthetic_ref",)),
        ("wmt23", "he-en", "mqm", "refB", ("refA",), ()),
        ("wmt23", "ja-en", "da-sqm", "refA", (), ()),
        ("wmt24", "en-de", "mqm", "refB", ("refA",), ("MSLC",)),
        ("wmt24", "ja-zh", "mqm", "refA", (), ("MSLC",)),
        ("wmt24", "en-is", "esa", "refA", (), ()),
        ("wmt25", "en-ko_KR", "mqm", "refA", (), ()),
        ("wmt25", "en-sr_Cyrl_RS", "esa-human1", "refA", (), ()),
    ],
)
def test_pairs(name, pair, gold, reference, scored, outliers):
    found = load_selection(name).of(pair)
    assert (found.gold["seg"], found.reference) == (gold, reference)
    assert (found.references_scored, found.outliers) == (scored, outliers)


def test_scores_of_systems_have_a_gold_of_their_own_until_2021():
    assert load_selection("wmt20").of("cs-en").gold["sys"] == "wmt-z"
    assert load_selection("wmt21_news").of("cs-en").gold["sys"] == "wmt-z"


def test_metrics_of_single_pairs():
    found = load_selection("wmt21_news")
    own = {pair: found.metrics_of(pair)[16:] for pair in ("en-de", "en-ru", "zh-en", "cs-en")}
    assert own == {
        "en-de": ("cushLEPOR(LM)",),
        "en-ru": ("hLEPOR",),
        "zh-en": ("cushLEPOR(LM)", "RoBLEURT"),
        "cs-en": (),
    }


def test_a_pair_that_no_selection_knows():
    assert load_selection("wmt22").of("cs-en") is None


def test_unknown():
    with pytest.raises(DataError, match=r"^unknown selection 'wmt2'; did you mean 'wmt25'"):
        load_selection("wmt2")
