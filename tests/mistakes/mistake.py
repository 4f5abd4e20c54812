"""A distribution with a mistake, the command that meets it, and the line that it must get."""

from attrs import frozen

PRELUDE = """
import sys
import attrs
import numpy as np
from qeframe.plugin import *
from qeframe.plugin.audit import *
from qeframe.plugin.calls import *
from qeframe.plugin.kinds import *
from qeframe.plugin.readers import *
from qeframe.plugin.report import *
from qeframe.plugin.resampling import *
from qeframe.plugin.texts import *

def pairs(batch):
    return np.stack([np.ones(len(batch)), 1.0 / (1 + abs(batch.predicted - batch.gold))], axis=1)

def mean(sums):
    return mean_of_sums(sums)

def faulty(extract=pairs, score=mean, columns=("n", "sum"), **more):
    more.setdefault("bind", additive(columns=columns, extract=extract, score=score))
    more.setdefault("kind", Scores)
    return [Metric(name="faulty", summary="It has a mistake", **more)]

class Statistic:
    unit = "segment"

    def __init__(self, batch):
        self.units, self.batch = len(batch), batch

    def __call__(self, weights):
        return weights.mean(axis=-1)

def p_of(p, **more):
    return lambda contest, sided: Pairwise(p=p(len(contest.pairs[0])), **more)
"""
"""What every module begins with: parts that are right, to which it adds a mistake."""

ORIGIN = "of plugin 'faulty' of distribution 'faulty-dist 6.6'"
"""What every line names; ``~`` stands for it in the tables of mistakes."""
DESCRIBED = "faulty_dist-6.6.dist-info"
RUN = ("run", "qe_sentence", "task", "--set", "test=", "--set", "interval=")
SCORE = ("score", "faulty", "task/gold.txt", "task/submissions/good.txt", "task/submissions/fair.txt")
COMPARE = ("compare", "pearson", *SCORE[2:])
PRIMARY = (*RUN, "--set", "primary=faulty")
SECONDARY = (*RUN, "--set", "primary=pearson", "--set", "secondary=[faulty, mae]")
PROBABILITIES = "p-values from 0 to 1, or NaN"
WITHIN_BOUNDS = "a number from 0 to 1, or NaN"


@frozen
class Mistake:
    """A distribution with a mistake.

    Parameters
    ----------
    name : str
        What it does, in words: the name of the test.
    source : str
        Its module, after `PRELUDE`.
    said : str
        What it gets on standard error, with ``~`` for `ORIGIN`.
    command : tuple of str
        The arguments of the command line.
    """

    name: str
    source: str
    said: str
    command: tuple[str, ...] = SCORE

    @property
    def line(self) -> str:
        """The line on standard error."""
        return f"qeframe: {self.said.replace('~', ORIGIN)}\n"


def installed(source: str) -> dict[str, str]:
    """Return the files of an installed distribution with a module, after `PRELUDE`, by their paths."""
    return {
        "faulty_module.py": PRELUDE + source,
        f"{DESCRIBED}/METADATA": "Metadata-Version: 2.1\nName: faulty-dist\nVersion: 6.6\n",
        f"{DESCRIBED}/entry_points.txt": "[qeframe.v2]\nfaulty = faulty_module\n",
    }


def mistake_of(what: str, name: str, fields: str, said: str, *command: str, body: str = "") -> Mistake:
    """Return a distribution with a component, called in words, whose fields have a mistake.

    Where the line begins with the component, ``said`` is what follows its name.
    """
    hook, kind = f"qeframe_{what.replace(' ', '_')}s", what.title().replace(" ", "")
    made = f"*faulty({fields})" if what == "metric" else f"{kind}(name='faulty', summary='', {fields})"
    said = f"{what} 'faulty' ~{said}" if said[0] in " :" else said
    return Mistake(name, f"{body}\n@hookimpl\ndef {hook}():\n    return [{made}]\n", said, command or SCORE)


def array(*shape: int, of: str = "float64") -> str:
    return f"an array of shape {shape} and type {of}"


def returned(part: str, what: str, expected: str) -> str:
    """Say what a part returned; where numbers of a shape are expected, what is no array is told that too."""
    if expected.startswith("numbers of shape") and "array of shape" not in what:
        expected = f"an array of {expected}"
    return f": {part} returned {what}, expected {expected}"


def failed(part: str, error: str) -> str:
    return f" failed in {part}: {error}; QEFRAME_TRACEBACK=1 shows the traceback"


def writes(part: str, error: str = "assignment destination is read-only") -> str:
    return f" writes to what it is given in {part} (ValueError: {error}); it must copy an array to change it"


def warns(part: str, warning: str) -> str:
    return f" lets numpy warn in {part} (RuntimeWarning: {warning}); it must treat that case itself"
