"""A name that another distribution has, of the hook that the variable COLLIDE chooses."""

import os

from qeframe.plugin import Batch, Metric, Values, additive, hookimpl
from qeframe.plugin.kinds import BatchKind


class Letters(Batch):
    """Another kind of batch of this name."""


def nothing(*_):
    """Do nothing; it is never called."""


BROUGHT = {
    "kind": ("qeframe_kinds", BatchKind(batch=Letters)),
    "metric": (
        "qeframe_metrics",
        Metric(
            name="their_letters", summary="", kind=Values, bind=additive(columns=("n",), extract=nothing, score=nothing)
        ),
    ),
}

if os.environ.get("COLLIDE") in BROUGHT:
    hook, value = BROUGHT[os.environ["COLLIDE"]]
    globals()[hook] = hookimpl(lambda: [value])
