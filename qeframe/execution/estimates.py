"""How long an evaluation takes, from a short probe: all of it is gone through, but few draws of each step are computed.

The results of the other draws are placeholders of the right shape, as in a shard. What is no draw (scores, jackknife,
ranks) is computed as in the run itself, so that its time and the memory of all arrays are measured.
"""

import io
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stderr
from functools import partial
from typing import Any, ClassVar

import attrs
import numpy as np
from attrs import define, field, frozen

from qeframe.core.errors import QeframeError
from qeframe.core.evaluation.result import Evaluation
from qeframe.core.resampling.parallel import Compute, Results, Runner
from qeframe.execution.placeholders import draws_of, few_draws, placeholder

_SECONDS_EACH = 1e-8
"""About what one number costs in one draw, as measured for tau-b and pairwise accuracy; sums cost a tenth."""

_LONG = 0.15
"""Seconds after which a step is not measured with more draws."""
_MORE = (8, 32, 128)
"""How many draws are measured one after the other, then the whole block: few draws say little about many."""


def _now() -> float:
    """Return the processor time of this process: what else the machine does now says nothing of the work."""
    return time.process_time()


def _used() -> float:
    """Return the processor time of this process, by which a probe ends: a clock of its own, apart from the timing."""
    return time.process_time()


class _EnoughError(QeframeError):
    """Raised within an evaluation to end the probe: no failure of the component that was at work."""


@frozen
class Step:
    """What one step of an evaluation takes.

    `what`: "exchanges", "draws", or "scores" for work that is no draw.
    `draws`: 0 for work that is no draw.
    `seconds`: of all blocks in one worker.
    """

    what: str
    draws: int
    blocks: int
    seconds: float


@frozen
class Estimate:
    """What an evaluation takes.

    `rest`: seconds of what is computed once, whatever the draws and workers.
    `memory`: the peak memory of the process in MB; NaN where the system does not say.
    `complete`: whether the probe went through the whole evaluation. If not, the evaluation takes longer than is said.
    """

    steps: tuple[Step, ...]
    rest: float
    memory: float
    complete: bool = True

    def seconds(self, workers: int = 1, shards: int = 1) -> float:
        """Return how long the evaluation takes if blocks divide evenly among workers and shards."""
        return self.rest + sum(step.seconds / min(workers * shards, max(1, step.blocks)) for step in self.steps)

    def of(self, what: str) -> Step:
        """Return all steps of one sort together."""
        chosen = [step for step in self.steps if step.what == what]
        draws, blocks = sum(step.draws for step in chosen), sum(step.blocks for step in chosen)
        return Step(what, draws, blocks, sum(step.seconds for step in chosen))


@define
class Probe:
    """Blocks of which few draws are computed, and timed.

    `most`: seconds of processor time after which the probe ends.
    """

    most: float = np.inf
    steps: list[Step] = field(factory=list, init=False)
    spent: float = field(default=0.0, init=False)
    stands_in: ClassVar[bool] = True
    rows: ClassVar[int] = 0
    _begun: float = field(factory=lambda: _used(), init=False)

    def __call__(self, work: Callable[[Any], Any], items: Sequence[Any], compute: Compute) -> Results:
        """Yield results of the right shapes for all items."""
        if not items:
            return
        if _used() - self._begun > self.most:
            raise _EnoughError("the probe has taken its time")
        begun = _now()
        drawn = [draws_of(item) for item in items]
        counts = [draws for draws in drawn if draws is not None]
        results = self._drawn(work, items, counts) if len(counts) == len(items) else self._other(work, items)
        self.spent += _now() - begun
        if results is None:  # its results have no shape that is known
            yield from compute(work, items)
        else:
            yield from map(results, items)

    def _drawn(self, work: Callable[[Any], Any], items: Sequence[Any], draws: Sequence[int]) -> "_Made | None":
        clock = _Clock(work)
        values = placeholder(clock, items[0])
        if values is None:
            return None
        for few in (*_MORE, draws[0]):
            clock(few_draws(items[0], few))
            if few >= draws[0] or clock.taken[-1][1] > _LONG:
                break
        seconds = clock.seconds_of(draws[0])
        function = work.func if isinstance(work, partial) else work
        what = "exchanges" if function.__module__ == "qeframe.core.resampling.exchange" else "draws"
        self.steps.append(Step(what, sum(draws), len(items), seconds * sum(draws) / draws[0]))
        return lambda item: values(draws_of(item) or 0)

    def _other(self, work: Callable[[Any], Any], items: Sequence[Any]) -> "_Made | None":
        """Compute the first item alone; its results are repeated if they have a column for each of its members."""
        begun = _now()
        first = work(items[0])
        if not isinstance(first, np.ndarray) or not first.ndim or any(_size(item) < 0 for item in items):
            return None
        if first.shape[-1] != _size(items[0]):
            return None
        seconds = (_now() - begun) / max(1, _size(items[0]))
        self.steps.append(Step("scores", 0, len(items), seconds * sum(map(_size, items))))
        return lambda item: np.resize(np.moveaxis(first, -1, 0), (_size(item), *first.shape[:-1])).T


def estimate(evaluate: Callable[..., Evaluation], probe: Probe) -> Estimate:
    """Return what an evaluation takes.

    `evaluate`: evaluates by the ``runner`` that it is given; what it returns is not used. `probe`: with the steps of
    what was done before, such as reading.
    """
    begun, before, complete = _now(), probe.spent, True
    try:
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")  # the run itself says them, and what plugins print
            evaluate(runner=Runner(blocks=probe))
    except _EnoughError:
        complete = False
    rest = _now() - begun - (probe.spent - before)
    return Estimate(tuple(probe.steps), max(0.0, rest), peak_memory(), complete)


def peak_memory() -> float:
    """Return the peak memory of this process in MB; NaN where the system does not say."""
    try:
        import resource
    except ImportError:
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


_Made = Callable[[Any], Any]


class _Clock:
    """Work that notes how many draws it was given and how long they took."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work
        self.taken: list[tuple[int, float]] = []

    def __call__(self, item: Any) -> Any:
        begun = _now()
        result = self._work(item)
        self.taken.append((draws_of(item) or 0, _now() - begun))
        return result

    def seconds_of(self, draws: int) -> float:
        """Return how long a block takes, by a straight line through the last two numbers of draws."""
        many, last = self.taken[-1]
        if many >= draws:
            return last
        few, first = next(((few, taken) for few, taken in reversed(self.taken) if few < many), (0, 0.0))
        return last + max((last - first) / (many - few), 0.0) * (draws - many)


def _size(item: Any) -> int:
    """Return how many members an item has; -1 if it has no size."""
    return len(item) if hasattr(item, "__len__") else -1


def expected_seconds(rules: Sequence[str], batches: Iterable[Any]) -> float:
    """Return a guess from the sizes of batches and the numbers of draws alone, within a factor of about ten.

    `rules`: Rules of a profile; their parameter ``draws`` counts, 1000 if there is none.
    """
    draws = max((int(number) for rule in rules for number in re.findall(r"draws=([0-9]+)", rule)), default=1000)
    numbers = sum(map(_numbers, batches))
    return draws * numbers * _SECONDS_EACH


def _numbers(value: Any) -> int:
    """Return how many numbers the arrays of a value of attrs hold."""
    if isinstance(value, np.ndarray):
        return value.size
    if not attrs.has(type(value)):
        return 0
    return sum(_numbers(getattr(value, attribute.name)) for attribute in attrs.fields(type(value)))
