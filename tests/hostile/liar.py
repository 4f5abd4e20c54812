"""A distribution that lies, the command that meets it, and the line that it must get."""

from attrs import frozen

PRELUDE = """
import sys
import attrs
import numpy as np
from qeframe.plugin import *
from qeframe.plugin.audit import *
from qeframe.plugin.calls import *
from qeframe.plugin.data import *
from qeframe.plugin.evaluation import *
from qeframe.plugin.kinds import *
from qeframe.plugin.readers import *
from qeframe.plugin.report import *
from qeframe.plugin.resampling import *
from qeframe.plugin.texts import *

def pairs(batch):
    return np.stack([np.ones(len(batch)), 1.0 / (1 + abs(batch.predicted - batch.gold))], axis=1)

def mean(sums):
    return mean_of_sums(sums)

def liar(extract=pairs, score=mean, columns=("n", "sum"), **more):
    more.setdefault("bind", additive(columns=columns, extract=extract, score=score))
    more.setdefault("kind", Scores)
    return [Metric(name="liar", summary="It lies", **more)]

class Statistic:
    unit = "segment"

    def __init__(self, batch):
        self.units, self.batch = len(batch), batch

    def __call__(self, weights):
        return weights.mean(axis=-1)

def p_of(p, **more):
    return lambda comparable, sided: Pairwise(p=p(len(comparable.pairs[0])), **more)
"""
"""What every lying module begins with: honest parts, to which it adds a lie."""

ORIGIN = "of plugin 'liar' of distribution 'liar-dist 6.6'"
"""What every line names; ``~`` stands for it in the tables of lies."""
RUN = ("run", "qe_sentence", "task", "--set", "test=", "--set", "interval=")
SCORE = ("score", "liar", "task/gold.txt", "task/submissions/good.txt", "task/submissions/fair.txt")
COMPARE = ("compare", "pearson", "task/gold.txt", "task/submissions/good.txt", "task/submissions/fair.txt")
PRIMARY = (*RUN, "--set", "primary=liar")
SECONDARY = (*RUN, "--set", "primary=pearson", "--set", "secondary=[liar, mae]")


@frozen
class Liar:
    """A distribution that lies.

    Parameters
    ----------
    lie : str
        What it does, in words: the name of the test.
    source : str
        Its module, after `PRELUDE`.
    said : str
        What it gets on standard error, with ``~`` for `ORIGIN`.
    command : tuple of str
        The arguments of the command line.
    """

    lie: str
    source: str
    said: str
    command: tuple[str, ...] = SCORE

    @property
    def line(self) -> str:
        """The line on standard error."""
        return f"qeframe: {self.said.replace('~', ORIGIN)}\n"


def metric(lie: str, body: str, brought: str, said: str, *command: str) -> Liar:
    """Return a distribution with a metric that lies."""
    hook = f"\n@hookimpl\ndef qeframe_metrics():\n    return {brought}\n"
    return Liar(lie, body + hook, said, command or SCORE)


def rule(hook: str, lie: str, body: str, brought: str, said: str, *command: str) -> Liar:
    """Return a distribution with a test, correction, aggregation, ranking rule, reader or attack that lies."""
    return Liar(lie, f"{body}\n@hookimpl\ndef {hook}():\n    return [{brought}]\n", said, command)
