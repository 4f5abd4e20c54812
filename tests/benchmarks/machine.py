"""What the machine does at most: products of matrices, a stream through memory, and sorting."""

from collections.abc import Mapping

import numpy as np
from rows import Row, Side

_RNG = np.random.default_rng(0)


def product(sizes: Mapping[str, int]) -> Side:
    """Multiply two square matrices: 2 n**3 operations."""
    a, b = _RNG.normal(size=(2, sizes["n"], sizes["n"]))
    return lambda: a @ b


def stream(sizes: Mapping[str, int]) -> Side:
    """Add two arrays that no cache holds: 24 bytes a number."""
    a, b = _RNG.normal(size=(2, sizes["n"]))
    out = np.empty_like(a)
    return lambda: np.add(a, b, out=out)


ROWS = (
    Row("M1", "matrix product, float64, 16 GFLOP", {"n": 2000}, product, repeats=5),
    Row("M2", "memory stream, 384 MB", {"n": 16_000_000}, stream, repeats=5),
)
