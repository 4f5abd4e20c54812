"""Metrics with a mistake."""

from tests.mistakes.mistake import (
    PRIMARY,
    SCORE,
    SECONDARY,
    WITHIN_BOUNDS,
    Mistake,
    array,
    failed,
    mistake_of,
    returned,
    warns,
    writes,
)

_ROWS = "numbers of shape (6, 2), units x columns n, sum"
_SCORES = "numbers of shape (1, 1), a number for each row"
_STATISTIC = "a statistic: a function of weights, units and unit"
_LIAR_OF = ("score", "faulty_of(beta=2)", *SCORE[2:])


def _metric(name: str, fields: str, said: str, *command: str, body: str = "") -> Mistake:
    return mistake_of("metric", name, fields, said, *command, body=body)


def _writes_in(name: str, statement: str, said: str, *command: str) -> Mistake:
    body = f"def writing(batch):\n    {statement}\n    return pairs(batch)"
    return _metric(name, "extract=writing", said, *command, body=body)


def _extracts(name: str, rows: str, what: str) -> Mistake:
    return _metric(name, f"extract=lambda batch: {rows}", returned("extract", what, _ROWS))


def _binds(name: str, statistic: str, what: str, expected: str) -> Mistake:
    return _metric(name, f"bind=lambda batch: {statistic}", returned("bind", what, expected))


def _scores(name: str, score: str, what: str, expected: str = _SCORES) -> Mistake:
    return _metric(name, f"score=lambda sums: {score}", returned("score", what, expected))


def _raises(name: str, error: str, said: str, body: str = "") -> Mistake:
    return _metric(name, "extract=wrong", said, body=f"{body}def wrong(batch):\n    raise {error}")


_WEIGHED = """
class Kept(Statistic):
    def right(self, weights):
        return mean(weights @ pairs(self.batch))
"""
_ALONE = "expected equal scores; use its own weights, draw nothing, and center sums that cancel"
_DRAWN = ("run", "qe_sentence", "task", "--set", "test=", "--set", "primary=faulty", "--quiet")


def _of_half(given: str, absent: str) -> str:
    returned = f": score returned {given} with units of weight 0 and {absent} without for half of the units"
    return f"{returned} of a submission, expected equal scores; count them as absent, or say why in left_out['absence']"


def _weighs(name: str, scores: str, said: str) -> Mistake:
    body = (
        f"{_WEIGHED}    def __call__(self, weights):\n        scores = self.right(weights)\n        return {scores}\n"
    )
    return _metric(name, "bind=Kept", said, *_DRAWN, body=body)


def _compared(name: str, fields: str, said: str, test: str) -> Mistake:
    return _metric(name, fields, said, "compare", *SCORE[1:], "--test", test)


MISTAKES = [
    _metric(
        "another score each time",
        "score=lambda sums: 0 * mean(sums) + next(drawn) / 10**7",
        ": score returned 1e-07 and then 2e-07 for the same submission, expected equal scores; a metric that draws must seed its generator in bind",
        *PRIMARY,
        body="drawn = iter(range(1, 10**6))",
    ),
    _writes_in("gold over predicted", "batch.predicted[:] = batch.gold", writes("bind"), *PRIMARY),
    _writes_in("gold over predicted as a secondary metric", "batch.predicted[:] = batch.gold", writes("bind"), *SECONDARY),
    _writes_in("gold is sorted", "batch.gold.sort()", writes("bind", "sort array is read-only")),
    _writes_in("ids are changed", "batch.ids[0] = 7", writes("bind")),
    _writes_in("the flag is set back", "batch.predicted.flags.writeable = True; batch.predicted[:] = batch.gold",
            writes("bind", "cannot set WRITEABLE flag to True of this array")),
    _metric("bind changes cached rows", "bind=bind", writes("bind"),
            body="def bind(batch):\n    batch.rows(pairs)[:] = 1\n    return Additive(batch.rows(pairs), mean)"),
    _metric(
        "score changes weights",
        "bind=Greedy",
        writes("score"),
        body="class Greedy(Statistic):\n    def __call__(self, weights):\n        weights[:] = 1\n        return weights.mean(axis=-1)",
    ),
    _extracts("rows too short", "pairs(batch)[1:]", array(5, 2)),
    _extracts("rows of one column", "pairs(batch)[:, 0]", array(6)),
    _extracts("rows are a list", "pairs(batch).tolist()",
              "list [[1.0, 1.0], [1.0, 0.9090909090909091], [1.0, 0.952380952380 ..."),
    _extracts("rows are complex", "pairs(batch) * 1j", array(6, 2, of="complex128")),
    _extracts("rows are text", "pairs(batch).astype(str)", array(6, 2, of="<U32")),
    _extracts("rows are objects", "pairs(batch).astype(object)", array(6, 2, of="object")),
    _extracts("rows are missing", "None", "None"),
    _binds("rows that are complex without extract", "Additive(pairs(batch) * 1j, mean)",
           f"rows that are {array(6, 2, of='complex128')}", "numbers of shape (n, k), units x columns"),
    _binds("bind returns nothing", "None", "None", _STATISTIC),
    _binds("bind returns a number", "0.99", "float 0.99", _STATISTIC),
    _binds(
        "bind of fewer units", "Additive(pairs(batch)[1:], mean)", "a statistic of 5 units", "6, those of the batch"
    ),
    _scores("score is one number for all draws", "0.5", "float 0.5"),
    _scores("score is a list", "[0.5]", "list [0.5]"),
    _scores("score of too many dimensions", "sums", array(1, 1, 2)),
    _scores("score is complex", "mean(sums) * 1j", array(1, 1, of="complex128")),
    _scores("score is text", "mean(sums).astype(str)", array(1, 1, of="<U32")),
    _scores("score is infinite", "mean(sums) + np.inf", "inf", "a finite number, or NaN"),
    _metric("score above its bounds", "score=lambda sums: 0 * mean(sums) + 405, bounds=(0, 1)",
            returned("score", "405.0", WITHIN_BOUNDS), *PRIMARY),
    _metric("score below its bounds", "score=lambda sums: 0 * mean(sums) - 3, bounds=(0, 1)",
            returned("score", "-3.0", WITHIN_BOUNDS), *SECONDARY),
    _metric("score of a unit above its bounds",
            "score=lambda sums: np.where(sums[..., 0] < 2, 9.0, mean(sums)), bounds=(0, 1)",
            returned("score of a unit", "9.0", WITHIN_BOUNDS), *(*SCORE[:4], "--each", "unit")),
    _metric("division by zero", "score=lambda sums: sums[..., 1] / (0 * sums[..., 0])",
            warns("score", "divide by zero encountered in divide")),
    _metric("mean of nothing", "extract=lambda batch: pairs(batch) * np.nanmean([np.nan])",
            warns("bind", "Mean of empty slice")),
    _metric("a statistic of the wrong shape", "bind=Flat",
            returned("the statistic", "float 0.5", "numbers of shape (1,), a number for each draw"),
            body="class Flat(Statistic):\n    def __call__(self, weights):\n        return 0.5"),
    _metric("sys.exit in extract", "extract=lambda batch: sys.exit(0)", failed("bind", "SystemExit: 0"), *PRIMARY),
    _metric("sys.exit in score", "score=lambda sums: sys.exit(0)", failed("score", "SystemExit: 0")),
    _raises("StopIteration at work", "StopIteration", failed("bind", "StopIteration")),
    mistake_of(
        "metric",
        "other scores after the eighth call",
        "score=lambda sums: mean(sums) * (1 if next(calls) < 8 else 0.5)",
        ": score returned -0.11784511784511797 with others and -0.05892255892255882 by itself for the same exchange of the same pair, " + _ALONE,
        *("run", "qe_sentence", "task", "--set", "primary=faulty", "--quiet"),
        body="calls = iter(range(10**6))",
    ),
    _extracts("rows are masked", "np.ma.array(pairs(batch), mask=True)",
              "a masked array of shape (6, 2) and type float64"),
    _scores("scores are masked", "np.ma.array(mean(sums), mask=True)",
            "a masked array of shape (1, 1) and type float64"),
    _weighs(
        "scores are whole numbers at rare weights",
        "scores.astype(int) if (weights > 3).any() else scores",
        returned("the statistic", array(256, of="int64"), "floating-point numbers, since whole ones cut scores"),
    ),
    _weighs(
        "a draw depends on the other draws",
        "scores / len(weights)",
        ": score returned 0.003593748205817172 with others and 0.8337495837495839 by itself for the same draw, " + _ALONE,
    ),
    _weighs("an array of weights has its first scores for ever", "self.__dict__.setdefault(weights.shape, scores)",
            ": score returned 0.8337495837495839 with others and 0.857059607059607 by itself for the same draw, " + _ALONE),
    _metric(
        "other scores after the fourth call of a statistic",
        "bind=Counts",
        ": score returned 0.857059607059607 with others and 0.4285298035298035 by itself for the same submission, " + _ALONE,
        *_DRAWN,
        body=f"{_WEIGHED}class Counts(Kept):\n    calls = 0\n    def __call__(self, weights):\n        self.calls += 1\n"
        "        return self.right(weights) * (1 if self.calls < 4 else 0.5)\n",
    ),
    _metric("a row of a score depends on the other rows", "score=lambda sums: mean(sums) - mean(sums).mean()",
            ": score returned 0.012077428744095342 with others and 0.0 by itself for the same submission, " + _ALONE, *PRIMARY),
    _metric(
        "rows depend on the mean of the batch",
        "extract=by_mean",
        _of_half("1.2146464646464645", "1.264957264957265"),
        *PRIMARY,
        body="def by_mean(batch):\n    return pairs(batch) * (1, 1 + batch.gold.mean())",
    ),
    _weighs("a score is NaN at a weight of 0", "np.where((weights == 0).any(axis=-1), np.nan, scores)",
            _of_half("nan", "0.8624708624708625")),
    _metric(
        "a joint function scores the first submission",
        "bind=First",
        ": score returned 0.857059607059607 with others and 0.9386724386724387 by itself for the same submission, " + _ALONE,
        *PRIMARY,
        body=f"{_WEIGHED}class First(Kept):\n    __call__ = Kept.right\n    @staticmethod\n    def jointly(statistics):\n"
        "        return lambda weights: np.stack([statistics[0](weights)] * len(statistics), axis=-1)\n",
    ),
    _metric(
        "rows are kept by the gold",
        "extract=lambda batch: kept.setdefault(batch.gold.tobytes(), pairs(batch))",
        ": bind returned for one submission what it had returned for another, expected rows of its own; what is kept must be kept by the answers too",
        *PRIMARY,
        body="kept = {}",
    ),
    _metric("details are a list", "details=lambda batch: [1]",
            returned("details", "list [1]", "a mapping from names to results"), *PRIMARY),
    _compared("vectors of different lengths", "vectors=lambda batch: (batch.gold, batch.predicted[1:])",
              returned("vectors", array(5), "numbers of shape (6,), predicted, as long as gold"), "williams"),
    _compared("values of units are complex", "per_unit=lambda batch: batch.gold * 1j",
              returned("per_unit", array(6, of="complex128"), "numbers of shape (6,), a number for each unit"),
              "sign"),
    _compared("outcomes are infinite", "outcomes=lambda batch: batch.gold + np.inf",
              returned("outcomes", "inf", "finite numbers, or NaN"), "sign"),
    _compared("exchange is a number", "exchange=lambda batches: 3",
              returned("exchange", "int 3", "an Exchange: a function of masks with a number of cells"),
              "randomization"),
    Mistake(
        "parameters make nothing",
        "def faulty_of(*, beta: int = 1) -> Metric:\n    pass\n@hookimpl\ndef qeframe_metrics():\n    return [Parametric(faulty_of)]\n",
        "metric 'faulty_of' ~: faulty_of(...) returned None, expected a Metric",
        _LIAR_OF,
    ),
    Mistake(
        "parameters are named",
        "def faulty_of(*, beta: int = 1) -> Metric:\n    return attrs.evolve(faulty(extract=lambda batch: None)[0], name='x')\n@hookimpl\ndef qeframe_metrics():\n    return [Parametric(faulty_of)]\n",
        f"metric 'faulty_of(beta=2)' ~{returned('extract', 'None', _ROWS)}",
        _LIAR_OF,
    ),
]  # fmt: skip
