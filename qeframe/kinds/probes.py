"""The simplest metrics of kinds of numbers, to try significance tests on: `BatchKind.probe`."""

import numpy as np

from qeframe.core.batch import FloatArray


def quotient(sums: FloatArray) -> FloatArray:
    """Return a mean from the number of units and their sum; NaN without units."""
    undefined = np.full(sums.shape[:-1], np.nan)
    return np.divide(sums[..., 1], sums[..., 0], out=undefined, where=sums[..., 0] > 0)


PRODUCTS = ("n", "x", "y", "xx", "yy", "xy")
"""The columns that `products` gives and `cosine` takes."""


def products(x: FloatArray, y: FloatArray, counted: FloatArray) -> FloatArray:
    """Return the rows whose sums give a correlation, (..., 6); exact for small numbers."""
    return np.stack([counted, x, y, x * x, y * y, x * y], axis=-1)


def cosine(sums: FloatArray) -> FloatArray:
    """Return a correlation from sums of `products`; NaN for a constant side."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread = np.sqrt(np.maximum(n * xx - x * x, 0.0) * np.maximum(n * yy - y * y, 0.0))
    return np.divide(n * xy - x * y, spread, out=np.full(spread.shape, np.nan), where=spread > 0)
