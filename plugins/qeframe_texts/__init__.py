"""Metrics on texts: BLEU and chrF from the counts of sacrebleu; TER, WER, PER, CDER and NIST from their definitions."""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_METRICS = {
    "bleu_metrics": ["bleu", "sentence_bleu"],
    "chrf_metric": ["chrf"],
    "gain_to_edits": ["edit_rate", "gain_to_edit_ratio"],
    "nist_metric": ["nist"],
    "ter_metric": ["ter"],
    "word_error_rates": ["cder", "per", "wer"],
}
__getattr__, _names = lazy_names(__name__, _METRICS)
__all__ = [*_names(), "qeframe_metrics"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Return the metrics on texts and on corrections."""
    return places(__name__, _METRICS)
