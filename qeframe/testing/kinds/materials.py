"""Materials: what the laws are tried on, for each kind of batch.

What the laws need of a kind is one `Material`, and all of them stand in `MATERIALS`. A kind that a plugin brings needs
one of its own, given to the checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import frozen
from hypothesis.strategies import SearchStrategy

from qeframe.batches.base import Batch, FloatArray
from qeframe.batches.grid import Grid
from qeframe.batches.judgments import Judgments
from qeframe.batches.scores import Scores, Values
from qeframe.batches.spans import Spans
from qeframe.batches.tags import Tags
from qeframe.batches.texts import Texts
from qeframe.testing.kinds import answers
from qeframe.testing.kinds.answers import Cells
from qeframe.testing.kinds.strategies import (
    panels_of_grids,
    panels_of_judgments,
    panels_of_scores,
    panels_of_spans,
    panels_of_tags,
    panels_of_texts,
    panels_of_values,
)

__all__ = ["MATERIALS", "Cells", "Material", "material_of"]

Panels = Callable[..., SearchStrategy[tuple[Any, ...]]]


@frozen(kw_only=True)
class Material:
    """What the laws are tried on, for one kind of batch.

    Only `panels` is needed; without the others there are no laws for the claims that need them. "Answers" are what
    the field `predicted` of a batch holds.

    Parameters
    ----------
    panels : callable
        With keywords `submissions`, `min_units` and `max_units`, to a strategy of tuples of batches on the same units.
    complete : callable, optional
        The same without missing cells, for claims.
    plain : callable, optional
        From a batch to plain values by name, "gold" and "predicted" among them.
    answer : callable, optional
        From a batch and answers to the batch with those, as if they had been handed in.
    own : callable, optional
        From a batch to the gold's own answers.
    constants : callable, optional
        From a batch to the answers that are the same for every unit, the likely ones.
    turned : callable, optional
        From a batch and answers to the ways in which these answers can be given to the units, each as often to
        every unit: the mean score of the gold's own answers is honest chance, exactly.
    corrected : callable, optional
        From a batch and a unit to answers with something of this unit set right, one thing at a time.
    rescaled : callable, optional
        From a batch, a scale and a shift to the answers shifted and then scaled.
    abstained : callable, optional
        From a batch and a unit to the answers where the submission has none for it.
    may_abstain : bool
        Whether a submission can give no answer within the batch; else the answer is the worst one, as the policy
        `score_as_worst` for missing units fills it in.
    padded : callable, optional
        From a batch and a unit to answers with words appended that are in no reference.
    ties : callable, optional
        From relations of pairs of translations, the human's and the metric's, to a batch with one pair a unit.
    """

    panels: Panels
    complete: Panels | None = None
    plain: Callable[[Any], Mapping[str, Any]] | None = None
    answer: Callable[[Any, Any], Batch] | None = None
    own: Callable[[Any], Any] | None = None
    constants: Callable[[Any], Sequence[Any]] | None = None
    turned: Callable[[Any, Any], Iterable[Any]] | None = None
    corrected: Callable[[Any, int], Iterable[Any]] | None = None
    rescaled: Callable[[Any, float, float], FloatArray] | None = None
    abstained: Callable[[Any, int], Any] | None = None
    may_abstain: bool = False
    padded: Callable[[Any, int], Iterable[Any]] | None = None
    ties: Callable[[Cells], Batch] | None = None


MATERIALS: Mapping[type[Batch], Material] = {
    Values: Material(panels=panels_of_values, plain=answers.values_plain, answer=answers.replace_answers),
    Scores: Material(
        panels=panels_of_scores,
        plain=answers.scores_plain,
        answer=answers.scores_answered,
        own=answers.scores_own,
        constants=answers.scores_constant,
        turned=answers.scores_turned,
        corrected=answers.scores_corrected,
        rescaled=answers.rescale,
        abstained=answers.scores_abstained,
    ),
    Grid: Material(
        panels=panels_of_grids,
        complete=partial(panels_of_grids, systems=(2, 3), complete=True),
        plain=answers.grids_plain,
        answer=answers.grids_answered,
        own=answers.grids_own,
        constants=answers.grids_constant,
        turned=answers.grids_turned,
        corrected=answers.grids_corrected,
        rescaled=answers.rescale,
        abstained=answers.grids_abstained,
        may_abstain=True,
        ties=answers.grids_of,
    ),
    Judgments: Material(
        panels=panels_of_judgments,
        plain=answers.judgments_plain,
        answer=answers.replace_answers,
        own=answers.judgments_own,
        constants=answers.judgments_constant,
        turned=answers.judgments_turned,
        corrected=answers.judgments_corrected,
        rescaled=answers.rescale,
        abstained=answers.judgments_abstained,
        ties=answers.judgments_of,
    ),
    Spans: Material(
        panels=panels_of_spans,
        plain=answers.spans_plain,
        answer=answers.replace_answers,
        own=answers.spans_own,
        constants=answers.spans_constant,
        turned=answers.spans_turned,
        corrected=answers.spans_corrected,
    ),
    Tags: Material(
        panels=panels_of_tags,
        plain=answers.tags_plain,
        answer=answers.tags_answered,
        own=answers.tags_own,
        constants=answers.tags_constant,
        turned=answers.tags_turned,
        corrected=answers.tags_corrected,
        abstained=answers.tags_abstained,
    ),
    Texts: Material(
        panels=panels_of_texts,
        plain=answers.texts_plain,
        answer=answers.replace_answers,
        own=answers.texts_own,
        constants=answers.texts_constant,
        turned=answers.texts_turned,
        corrected=answers.texts_corrected,
        abstained=answers.texts_abstained,
        padded=answers.texts_padded,
    ),
}
"""The material of each kind of batch; a subclass without one of its own has that of its nearest ancestor."""


def material_of(kind: type[Batch]) -> Material:
    """Return the material of a kind of batch.

    Raises
    ------
    LookupError
        If there is none: a kind that a plugin brings needs a `Material` of its own, given to the checks.
    """
    for ancestor in kind.__mro__:
        if ancestor in MATERIALS:
            return MATERIALS[ancestor]
    raise LookupError(f"there is no material for batches of {kind.__name__}; give the checks one of your own")
