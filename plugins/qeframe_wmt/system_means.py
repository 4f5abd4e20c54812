"""Published scores of systems that are the means of published scores of segments: challenge sets of 2025."""

from pathlib import Path

from qeframe.plugin.data import KnownDifference, PublishedColumn, PublishedTable

_METRICS = ("BERTScore", "YiSi-1")
_ROUNDED = (
    "The scores of segments were returned with six decimals; the score of the system is the mean of unrounded ones."
)
_DIFFERENT = ("mslc-a ja-zh_CN hyp-3", "mslc-a ja-zh_CN hyp-5")
_ROWS = {
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


def _means(folder: Path) -> dict[tuple[str, str], float]:
    """Return the mean of each metric over the segments of each system; chrF and BLEU are computed over all texts."""
    from qeframe_wmt.readers.metrics.challenge_sets import wmt25_challenge_sets

    return {
        (f"{reading.name} {system}", scored.name): float(mean)
        for reading in wmt25_challenge_sets().read(folder, "high")
        for scored in reading.submissions
        for system, mean in zip(reading.systems, scored.values.mean(axis=0), strict=True)
        if scored.name in _METRICS
    }


SYSTEM_MEANS_OF_2025 = PublishedTable(
    name="wmt25_challenge_sets_systems",
    summary="Scores of systems, against the means of the scores of segments that were returned",
    source="WMT25 metrics task, challenge sets, systems.tsv",
    data="wmt25_challenge_sets",
    paths=("wmt25-challenge-sets", "."),
    columns=tuple(PublishedColumn(title=metric) for metric in _METRICS),
    rows=_ROWS,
    compute=_means,
    known=tuple(KnownDifference(row=row, column="YiSi-1", reason=_ROUNDED, within=1e-6) for row in _DIFFERENT),
)
"""The published system scores of the metrics whose score of a system is the mean over segments."""
