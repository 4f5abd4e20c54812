"""The components that plugins bring: frozen values, one class for each hook.

A component has a name and a one-line summary. Where it has parameters, the plugin brings a `Parametric`: a documented
function from keyword parameters to the component, with which ``f_beta(beta=2)`` is found, checked and printed back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from attrs import frozen

from qeframe.batches.base import FloatArray
from qeframe.components.component import Component

__all__ = ["Aggregation"]


@frozen(kw_only=True)
class Aggregation(Component):
    """How scores combine, within a task (over groups of units) or across tasks (over language pairs).

    Parameters
    ----------
    aggregate : callable
        From scores (..., submissions, parts) and weights (parts,), none negative, to (..., submissions). It acts on
        every draw alike; a part of weight 0 has no say. Within a task whose parts are resampled the weights are those
        of every draw, (..., 1, parts). An undefined part (NaN) makes the result undefined unless the
        component says otherwise.
    by : str
        Within a task: the grouping whose groups are the parts ("document"); empty for none.
    pools : bool
        Within a task: whether all units are scored at once, so that there are no parts and `aggregate` is not called.
    exclude : tuple of str
        Across tasks: parts that get weight 0.
    weighting : {"equal", "declared", "counted"}
        Across tasks: every part weighs 1, or as the profile declares (its number of units where it is silent), or what
        its reader counted under `count`.
    count : str
        Which count of the readers weighs; empty unless `weighting` is "counted".
    interval : {"joint", "mean_of_half_widths"}
        Across tasks: intervals of the aggregate over joint draws; or, for replication, the aggregate plus and minus the
        mean of half the widths of the intervals of the parts that weigh.
    linear : bool
        Whether the result is a weighted mean of the parts, so that differences aggregate like scores.
    higher_is_better : bool or None
        None: as the metric; average ranks are better when lower.
    """

    aggregate: Callable[[FloatArray, FloatArray, bool], FloatArray]
    by: str = ""
    pools: bool = False
    exclude: tuple[str, ...] = ()
    weighting: Literal["equal", "declared", "counted"] = "equal"
    count: str = ""
    interval: Literal["joint", "mean_of_half_widths"] = "joint"
    linear: bool = True
    higher_is_better: bool | None = None
