"""Laws of data under which all submissions are equally good, to measure how often tests reject a true null hypothesis.

`numbers` draws gold scores and predictions, `values` one value per unit, `tags_and_spans` tags of words and error
spans, `metrics_and_judges` segments by systems and preferences, `two_classes` detections and scores of tokens.
"""

from collections.abc import Sequence

from qeframe.plugin import Parametric, hookimpl
from qeframe.plugin.audit import NullModel
from qeframe_nulls import metrics_and_judges, numbers, tags_and_spans, two_classes, values

__all__ = ["qeframe_null_models"]


@hookimpl
def qeframe_null_models() -> Sequence[NullModel | Parametric[NullModel]]:
    """Return the null models of all kinds of data that have one."""
    return [
        *numbers.NULL_MODELS,
        *(Parametric(model) for model in (values.independent_values, values.values_in_documents)),
        Parametric(tags_and_spans.equal_taggers),
        Parametric(tags_and_spans.uneven_taggers),
        Parametric(metrics_and_judges.equal_metrics),
        Parametric(two_classes.equal_detectors),
        Parametric(two_classes.equal_token_scorers),
        Parametric(tags_and_spans.equal_span_detectors),
        Parametric(metrics_and_judges.equal_judges),
    ]
