"""Published scores of systems that are the means of published scores of segments: challenge sets of WMT25."""

import pytest

from qeframe_wmt.readers.metrics.challenge_sets import wmt25_challenge_sets

METRICS = ("BERTScore", "YiSi-1")
ROWS = {
    "SSA-MTE en-amh hyp1": ("", "0.921365"),
    "SSA-MTE en-hau hyp1": ("", "0.917562"),
    "SSA-MTE en-kik hyp1": ("", "0.865813"),
    "SSA-MTE en-kin hyp1": ("", "0.901684"),
    "SSA-MTE en-luo hyp1": ("", "0.883077"),
    "SSA-MTE en-twi hyp1": ("", "0.899539"),
    "SSA-MTE en-yor hyp1": ("", "0.884937"),
    "SSA-MTE fr-ewe hyp1": ("", "0.894402"),
    "SSA-MTE fr-wol hyp1": ("", "0.863266"),
    "SSA-MTE pt-nya hyp1": ("", "0.855514"),
    "SSA-MTE pt-vmw hyp1": ("", "0.862825"),
    "mslc-a ja-zh_CN hyp-1": ("0.473639", "0.408307"),
    "mslc-a ja-zh_CN hyp-2": ("0.589612", "0.555216"),
    "mslc-a ja-zh_CN hyp-3": ("0.639959", "0.612427"),
    "mslc-a ja-zh_CN hyp-4": ("0.688493", "0.666666"),
    "mslc-a ja-zh_CN hyp-5": ("0.715395", "0.697724"),
    "mslc-a ja-zh_CN hyp-6": ("0.755100", "0.741421"),
    "mslc-b cs-en hyp-1": ("0.997690", "0.996923"),
    "mslc-b cs-en_GB hyp-1": ("0.996925", "0.996923"),
    "mslc-b cs-en_US hyp-1": ("0.996925", "0.996923"),
    "mslc-b ja-zh_CN hyp-1": ("0.000000", "0"),
    "mslc-b1 ja-zh_CN hyp-1": ("0.528057", "0.492561"),
    "mslc-b1 ja-zh_CN hyp-2": ("0.885569", "0.858351"),
}  # by set, language pair and hypothesis, the scores in 3-scored/baseline/ID/systems.tsv; empty where there is none
ROUNDED = {("mslc-a ja-zh_CN hyp-3", "YiSi-1"): "0.612426", ("mslc-a ja-zh_CN hyp-5", "YiSi-1"): "0.697725"}
"""The scores of segments were returned with six decimals; the score of the system is the mean of unrounded ones."""
PUBLISHED = [
    pytest.param(row, metric, text, id=f"{row} {metric}")
    for row, texts in ROWS.items()
    for metric, text in zip(METRICS, texts, strict=True)
    if text
]


@pytest.fixture(scope="module")
def means(shared_data):
    """Return the mean of each metric over the segments of each system; chrF and BLEU are computed over all texts."""
    return {
        (f"{reading.name} {system}", scored.name): float(mean)
        for reading in wmt25_challenge_sets().read(shared_data("wmt25-challenge-sets"), "high")
        for scored in reading.submissions
        for system, mean in zip(reading.systems, scored.values.mean(axis=0), strict=True)
        if scored.name in METRICS
    }


@pytest.mark.parametrize(("row", "metric", "text"), PUBLISHED)
def test_the_score_of_a_system_is_the_mean_over_its_segments(means, row, metric, text):
    decimals = len(text.partition(".")[2])
    computed = f"{means[row, metric]:.{decimals}f}"
    assert float(computed) == float(ROUNDED.get((row, metric), text))
    assert abs(means[row, metric] - float(text)) <= 1e-6
