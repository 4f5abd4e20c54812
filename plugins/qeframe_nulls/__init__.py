"""Laws of data under which all submissions are equally good, to measure how often tests reject a true null hypothesis.

`numbers` draws gold scores and predictions, and values of units without a gold; `tags_and_spans` tags of words and
error spans, `metrics_and_judges` segments by systems and preferences, `two_classes` detections and scores of tokens.
"""

from collections.abc import Sequence

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import places

_NULL_MODELS = {
    "numbers": [
        "normal",
        "t3_residuals",
        "elliptical_t3",
        "discrete_gold",
        "lognormal_gold",
        "mqm_like",
        "scaled",
        "unequal_residuals",
        "heteroscedastic",
        "gross_errors",
        "heteroscedastic_t3",
        "zeros_60",
        "zeros_90",
        "near_copies",
        "multiplied",
        "many_scales",
        "scores_in_documents",
        *(f"alternating_{residuals}" for residuals in ("t3", "t6", "uniform", "skewed")),
        "independent_values",
        "values_in_documents",
    ],
    "tags_and_spans": ["equal_taggers", "uneven_taggers", "equal_span_detectors"],
    "metrics_and_judges": ["equal_metrics", "equal_judges"],
    "two_classes": ["equal_detectors", "equal_token_scorers"],
}


@hookimpl
def qeframe_null_models() -> Sequence[str]:
    """Return the null models of all kinds of data that have one."""
    return places(__name__, _NULL_MODELS)
