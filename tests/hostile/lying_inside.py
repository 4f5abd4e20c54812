"""Plugins that reach what they were not given: memory, functions, the process, and the state of a second call."""

from tests.hostile.liar import COMPARE, ORIGIN, RUN, SECONDARY, Liar, lies, returned

_BY = f"by {ORIGIN.removeprefix('of ')}: repair it, or start with QEFRAME_BLOCK=liar"
_CHANGED = f"changed while it was evaluated, so there is no result; {_BY}"
_REPLACED = f"was replaced, so that no number can be trusted; {_BY}"
_OWNER = "owner = batch.{}.base; owner.flags.writeable = True; owner[:] = {}"


def _steals(lie: str, theft: str, said: str) -> Liar:
    body = f"def steal(batch):\n    {theft}\n    return pairs(batch)"
    return lies("metric", lie, "extract=steal", said, *SECONDARY, body=body)


def _replaces(lie: str, body: str, what: str) -> Liar:
    return lies("metric", lie, "", f"{what} {_REPLACED}", *SECONDARY, body=body)


def _test(lie: str, run: str, said: str, body: str = "") -> Liar:
    return lies("significance test", lie, f"needs='bind', run={run}", said, *COMPARE, "--test", "liar", body=body)


def _ranking(lie: str, rank: str, said: str) -> Liar:
    fields = f"rank=lambda given: Ranking(rank={rank}, cluster=np.ones(3))"
    return lies("ranking rule", lie, fields, said, *RUN, "--set", "primary=pearson", "--set", "ranking=liar")


def _attack(lie: str, manner: str, knowledge: str, predicted: str, follows: str) -> Liar:
    answer = f"lambda batch, rng: attrs.evolve(batch, predicted={predicted})"
    fields = f"kind=Scores, manner='{manner}', knowledge='{knowledge}', answer={answer}"
    said = f": it is {manner} and states to know: {knowledge}; but its answers follow {follows} of the gold; it must be 'informed', or not read that"
    return lies("attack", lie, fields, said, "audit", "pearson", "--attack", "liar", "--no-claims", "--quiet")


LIARS = [
    _attack("an attack that knows nothing returns the gold", "blind", "nothing", "batch.gold", "the order"),
    _attack("an attack that knows the mean reads the order", "blind", "the mean, from earlier data",
            "batch.gold.argsort().argsort() + batch.gold.mean()", "the order"),
    _attack("an attack that knows nothing reads the mean", "blind", "nothing",
            "np.full(len(batch), batch.gold.mean())", "the values"),
    _attack("an attack that transforms its answers mixes gold into them", "cosmetic", "its own answers",
            "batch.predicted + 1e-3 * batch.gold", "the order"),
    _steals("the owner of an array is made writable", _OWNER.format("predicted", "batch.gold"),
            f"the answers of 'fair' in task 'task' {_CHANGED}"),
    _steals("the gold is written through its owner", _OWNER.format("gold", "batch.predicted"),
            f"the gold of 'fair' in task 'task' {_CHANGED}"),
    _steals("memory is written by ctypes",
            "import ctypes; ctypes.memmove(batch.predicted.ctypes.data, batch.gold.ctypes.data, batch.gold.nbytes)",
            f"the answers of 'fair' in task 'task' {_CHANGED}"),
    _replaces("a function of numpy is replaced at import", "np.mean = lambda *given, **more: 0.5", "numpy.mean"),
    _replaces(
        "a function of Python is replaced at import", "import builtins\nbuiltins.sum = lambda *given: 0", "builtins.sum"
    ),
    _replaces(
        "a check of qeframe is replaced at import",
        "from qeframe.core.components.checks import metric as checks\nchecks.check_scores = lambda *given: given[1]",
        "qeframe.core.components.checks.metric.check_scores",
    ),
    _steals("a method of qeframe is replaced in bind",
            "Additive.__call__ = lambda self, weights: weights.mean(axis=-1)", f"Additive.__call__ {_REPLACED}"),
    lies(
        "attack",
        "an attack writes the answers of others",
        "kind=Scores, manner='blind', knowledge='', answer=steal",
        f"the answers of what an attack was given {_CHANGED}",
        *(*RUN, "--set", "primary=pearson", "--with-attacks"),
        body=f"def steal(batch, rng):\n    {_OWNER.format('predicted', 0)}\n    return batch",
    ),
    lies(
        "metric",
        "other scores after the eighth call",
        "score=lambda sums: mean(sums) * (1 if next(calls) < 8 else 0.5)",
        ": score returned 0.8570596070596069 and then 0.42852980352980347 for the same submission, expected equal scores; a metric that draws must seed its generator in bind",
        *("run", "qe_sentence", "task", "--set", "primary=liar", "--quiet"),
        body="calls = iter(range(10**6))",
    ),
    lies(
        "metric",
        "rows are masked",
        "extract=lambda batch: np.ma.array(pairs(batch), mask=True)",
        ": extract returned a masked array of shape (6, 2) and type float64, expected numbers of shape (6, 2), units x columns n, sum",
    ),
    lies(
        "metric",
        "scores are masked",
        "score=lambda sums: np.ma.array(mean(sums), mask=True)",
        ": score returned a masked array of shape (1, 1) and type float64, expected numbers of shape (1, 1), a number for each row",
    ),
    _test(
        "p is masked",
        "p_of(lambda n: np.ma.array(np.full(n, 0.5), mask=True))",
        ": p of run returned a masked array of shape (1,) and type float64, expected numbers of shape (1,), a p-value for each pair",
    ),
    _test(
        "p of 0", "p_of(np.zeros)", returned("p of run", "0.0", "p-values above 0, such as (1 + count) / (1 + draws)")
    ),
    _test("p below the smallest p", "p_of(lambda n: np.full(n, 0.001), least_p=0.01)",
          returned("p of run", "0.001", "p-values of at least its least_p, 0.01")),
    _test(
        "another p at the second call",
        "p_of(lambda n: np.full(n, next(drawn) / 100))",
        ": p of run returned 0.01 and then 0.02 for the same pair, expected equal p-values; a test that draws must seed its generator",
        "drawn = iter(range(1, 100))",
    ),
    _test(
        "a test replaces the scores that it was given",
        "steal",
        ": run returned after it changed the scores in 'comparable', expected that it changes nothing",
        "def steal(comparable, sided):\n    owner = comparable.oriented.base\n    owner.flags.writeable = True\n    owner[:] = 0\n    return Pairwise(p=np.ones(1))",
    ),
    _ranking(
        "ranks are masked",
        "np.ma.array(np.ones(3), mask=True)",
        ": rank returned a masked array of shape (3,) and type float64, expected numbers of shape (3,), a whole number for each submission",
    ),
    _ranking("ranks are undefined", "np.full(3, np.nan)", returned("rank", "nan", "whole numbers from 1 to 3")),
]  # fmt: skip

HARMLESS = {
    "the answers are replaced in the batch": "object.__setattr__(batch, 'predicted', batch.gold.copy())",
    "the gold is replaced in the batch": "object.__setattr__(batch, 'gold', batch.predicted.copy())",
    "rows of another metric are kept": "batch._extracted.clear(); batch._extracted['moments'] = batch.gold",
    "the shape of an array is set": "batch.gold.shape = (2, 3); batch.gold.shape = (6,)",
    "the limit of recursions is lowered": "import traceback; sys.setrecursionlimit(40 + len(traceback.extract_stack()))",
    "numpy is told to raise": "np.seterr(all='raise')",
}
"""What a secondary metric does before it is computed, by the lie: nobody else's number changes."""
