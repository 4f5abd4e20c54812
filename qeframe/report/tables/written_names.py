"""Names of metrics as papers write them: a page and a paper have them in their headings."""

import re

_WHOLE = {
    "f1_average": "mean F1",
    "f1_weighted": "weighted F1",
    "per": "PER",
    "spa_acc_eq": "mean of SPA and acc*eq",
    "ter": "TER",
}
"""Names that are written so only by themselves: "per" is a word too."""
_PARTS = {
    "acc_eq": "acc*eq",
    "auc": "AUC",
    "auroc": "AUROC",
    "bleu": "BLEU",
    "brier": "Brier score",
    "cder": "CDER",
    "chrf": "chrF",
    "cohen_kappa": "Cohen's kappa",
    "delta_avg": "DeltaAvg",
    "ece": "ECE",
    "f1": "F1",
    "f1_bad": "F1-BAD",
    "f1_mult": "F1-mult",
    "f1_ok": "F1-OK",
    "f_beta": "F-beta",
    "gtm": "GTM",
    "gtm_f": "GTM F",
    "kendall": "Kendall's tau",
    "kendall_like": "Kendall-like tau",
    "kendall_tau_b": "Kendall's tau-b",
    "kendall_tau_c": "Stuart's tau-c",
    "krippendorff_alpha": "Krippendorff's alpha",
    "mae": "MAE",
    "mcc": "MCC",
    "mpp": "MPP",
    "mpp_f": "MPP F",
    "nist": "NIST",
    "pearson": "Pearson's r",
    "rmse": "RMSE",
    "spa": "SPA",
    "spearman": "Spearman's rho",
    "tau_b": "Kendall's tau-b",
    "tau_c": "Stuart's tau-c",
    "wer": "WER",
}
_PART = re.compile(rf"(?<![^_])({'|'.join(sorted(_PARTS, key=len, reverse=True))})(?![^_])|_")


def written_name(metric: str) -> str:
    """Return the name of a metric as a paper writes it; of an unknown name the words in it.

    Parameters
    ----------
    metric : str
        With parameters if there are any, which follow in brackets.

    Examples
    --------
    >>> written_name("segment_pearson"), written_name("kendall(ties=wmt14)")
    ("segment Pearson's r", "Kendall's tau (ties=wmt14)")
    """
    name, bracket, parameters = metric.partition("(")
    written = _WHOLE.get(name) or _PART.sub(lambda found: _PARTS.get(found[0], " "), name)
    return f"{written} ({parameters}" if bracket else written
