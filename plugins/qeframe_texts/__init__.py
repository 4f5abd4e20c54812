"""Metrics on texts: BLEU and chrF from the counts of sacrebleu; TER, WER, PER, CDER and NIST from their definitions."""

from collections.abc import Sequence

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe_texts.bleu_metrics import bleu, sentence_bleu
from qeframe_texts.chrf_metric import chrf
from qeframe_texts.gain_to_edits import edit_rate, gain_to_edit_ratio
from qeframe_texts.nist_metric import nist
from qeframe_texts.ter_metric import ter
from qeframe_texts.word_error_rates import cder, per, wer

__all__ = [
    "bleu",
    "cder",
    "chrf",
    "edit_rate",
    "gain_to_edit_ratio",
    "nist",
    "per",
    "qeframe_metrics",
    "sentence_bleu",
    "ter",
    "wer",
]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Return the metrics on texts and on corrections."""
    texts = (bleu, cder, chrf, nist, per, sentence_bleu, ter, wer)
    return [edit_rate, *(Parametric(build) for build in (*texts, gain_to_edit_ratio))]
