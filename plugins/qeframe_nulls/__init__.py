"""Laws of data under which all submissions are equally good, to measure how often tests reject a true null hypothesis.

`numbers` draws gold scores and predictions, `values` one value per unit, `tag_sequences` tags of words, `score_grids`
segments by systems, `two_classes` detections and scores of tokens, `marked_spans` error spans, `judges` preferences.
"""

from collections.abc import Sequence

from qeframe.plugin import Parametric, hookimpl
from qeframe.plugin.audit import NullModel
from qeframe_nulls import judges, marked_spans, numbers, score_grids, tag_sequences, two_classes, values

__all__ = ["qeframe_null_models"]


@hookimpl
def qeframe_null_models() -> Sequence[NullModel | Parametric[NullModel]]:
    """Return the null models of all kinds of data that have one."""
    return [
        *numbers.NULL_MODELS,
        *(Parametric(model) for model in (values.independent_values, values.values_in_documents)),
        Parametric(tag_sequences.equal_taggers),
        Parametric(score_grids.equal_metrics),
        Parametric(two_classes.equal_detectors),
        Parametric(two_classes.equal_token_scorers),
        Parametric(marked_spans.equal_span_detectors),
        Parametric(judges.equal_judges),
    ]
