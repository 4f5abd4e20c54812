import subprocess
import sys
from functools import cached_property, partial

import numpy as np
from attrs import frozen

from qeframe.execution.keys import digest_of, digest_of_sources
from qeframe.resampling.draws import DrawBlock


@frozen
class Holder:
    values: np.ndarray
    name: str

    @cached_property
    def total(self) -> float:
        return float(self.values.sum())


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
        "from qeframe.execution.keys import *; from qeframe.resampling.draws import DrawBlock;"
        "print(digest_of((DrawBlock((1, 2), 3, 4, 5), 'x', 1.5)), digest_of_sources(['qeframe_ties']))"
    )
    there = subprocess.run(
        [sys.executable, "-c", f"import qeframe_ties;{code}"], capture_output=True, text=True, check=True
    )
    import qeframe_ties  # noqa: F401

    here = digest_of((DrawBlock((1, 2), 3, 4, 5), "x", 1.5)), digest_of_sources(["qeframe_ties"])
    assert there.stdout.split() == list(here)
