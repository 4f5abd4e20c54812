import subprocess
import sys
from functools import cached_property, partial

import numpy as np
from attrs import frozen

from qeframe.core.resampling.draws import DrawBlock
from qeframe.execution.keys import digest_of, digest_of_sources


@frozen
class Holder:
    values: np.ndarray
    name: str

    @cached_property
    def total(self) -> float:
        return float(self.values.sum())


class Plain:
    """No attrs class, with a cached value."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    @cached_property
    def total(self) -> float:
        return float(self.values.sum())


def test_cached_values_of_plain_classes_do_not_count():
    one, other = Plain(np.arange(5.0)), Plain(np.arange(5.0))
    assert one.total == 10
    assert digest_of(partial(max, one)) == digest_of(partial(max, other)) is not None
    assert digest_of(one) != digest_of(Plain(np.arange(6.0)))


def test_a_digest_is_the_same_before_and_after_the_work():
    """Blocks that are kept late are named after the work has begun, and looked for before it."""
    import qeframe
    from qeframe.core.resampling.parallel import Runner
    from qeframe.plugin import Scores
    from qeframe.plugin.readers import Submission, Task

    gold = np.arange(40.0) % 7
    batches = {Submission(name): Scores.from_plain(gold, gold**power) for name, power in (("A", 1.5), ("B", 2))}
    kinds: set[object] = set()

    def blocks(work, items, compute):
        before = [digest_of((work, item)) for item in items]
        results = list(compute(work, items))
        assert [digest_of((work, item)) for item in items] == before
        kinds.add(work.func)
        yield from results

    for test in ("permutation(draws=300)", "randomization(draws=300)", "bootstrap(draws=300)", "romano_wolf"):
        more = ["correction=romano_wolf", "test=bootstrap_t(draws=99)"] if test == "romano_wolf" else [f"test={test}"]
        settings = [*more, "interval=bootstrap(draws=300)"]
        qeframe.evaluate(
            "qe_sentence", Task(name="t", batches=batches), settings=settings, runner=Runner(blocks=blocks)
        )
    assert len(kinds) > 2


def test_equal_content_has_one_digest_whatever_is_shared_or_cached():
    shared = np.arange(5.0)
    one, other = Holder(shared, "a"), Holder(np.arange(5.0), "".join(["a"]))
    assert one.total == 10
    assert digest_of((one, one)) == digest_of((one, other)) is not None


def test_other_content_has_another_digest():
    values = [
        Holder(np.arange(5.0), "a"),
        Holder(np.arange(5.0), "b"),
        Holder(np.arange(5), "a"),
        Holder(np.ones(5), "a"),
    ]
    values += [partial(max, values[0]), partial(min, values[0]), DrawBlock((1,), 0, 0, 5), DrawBlock((1,), 1, 0, 5)]
    assert len({digest_of(value) for value in values}) == len(values)


def test_large_arrays_have_digests():
    large = np.arange(200_000.0)
    changed = large.copy()
    changed[-1] = 0
    assert None not in {digest_of(large), digest_of(changed)}
    assert digest_of(large) != digest_of(changed)


def test_what_cannot_be_pickled_has_none():
    assert digest_of(lambda: 1) is None
    cyclic: list = []
    cyclic.append(cyclic)
    assert digest_of(cyclic) is None


def test_digests_are_those_of_other_processes():
    code = (
        "from qeframe.execution.keys import *; from qeframe.core.resampling.draws import DrawBlock;"
        "print(digest_of((DrawBlock((1, 2), 3, 4, 5), 'x', 1.5)), digest_of_sources(['qeframe_ties']))"
    )
    there = subprocess.run(
        [sys.executable, "-c", f"import qeframe_ties;{code}"], capture_output=True, text=True, check=True
    )
    import qeframe_ties  # noqa: F401

    here = digest_of((DrawBlock((1, 2), 3, 4, 5), "x", 1.5)), digest_of_sources(["qeframe_ties"])
    assert there.stdout.split() == list(here)
