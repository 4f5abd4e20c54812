"""Two laws of scores under which all submissions are equally good, for error rates of tests."""

import math

import numpy as np

from qeframe.kinds.scores.batch import Scores


def normal_scores(rng: np.random.Generator, units: int, submissions: int) -> list[Scores]:
    """Draw normal gold, and predictions that correlate .5 with it, with normal errors of their own.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.testing import normal_scores
    >>> one, other = normal_scores(np.random.default_rng(1), 50, 2)
    >>> len(one), bool((one.gold == other.gold).all())
    (50, True)
    """
    gold, noise = rng.normal(size=units), rng.normal(size=(submissions, units))
    return [Scores.from_plain(gold, 0.5 * gold + math.sqrt(0.75) * own, best="high") for own in noise]


def error_weights(rng: np.random.Generator, units: int, submissions: int, *, zeros: float = 0.6) -> list[Scores]:
    """Draw weights of errors as MQM has them, most of them 0, and predictions that err more where there are errors.

    Scores are negated weights, at least -25. The gold is drawn again if all of it is equal.

    Parameters
    ----------
    zeros : float
        The share of segments without an error, from 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> from qeframe.testing import error_weights
    >>> one, _ = error_weights(np.random.default_rng(1), 400, 2)
    >>> bool(0.5 < (one.gold == 0).mean() < 0.7)
    True
    """
    weight = np.zeros(units)
    while weight.min() == weight.max():
        severity = rng.choice([1.0, 5.0, 1.0, 2.0], size=units, p=(0.4, 0.3, 0.2, 0.1))
        errors = np.minimum(25, severity * rng.geometric(0.45, size=units))
        weight = np.where(rng.random(units) < zeros, 0.0, errors)
    shape = (submissions, units)
    noticed = rng.random(shape) < 0.35 + 0.5 * (weight > 0)
    noise = (0.8 + 0.3 * weight) * np.abs(rng.normal(size=shape)) * noticed
    predicted = -np.minimum(25, np.rint(0.45 * weight + noise))
    return [Scores.from_plain(-weight, scores, best="high") for scores in predicted]
