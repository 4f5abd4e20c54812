"""Plugins that reach what they were not given: memory, functions, the process, and the state of a second call."""

from tests.hostile.liar import COMPARE, ORIGIN, RUN, SECONDARY, Liar, metric, rule

_BY = f"by {ORIGIN.removeprefix('of ')}: repair it, or start with QEFRAME_BLOCK=liar"
_TEST = (*COMPARE, "--test", "liar")
_REPLACED = "was replaced, so that no number can be trusted"
_MASKED = "np.ma.array({}, mask=True)"


def _steals(lie: str, body: str, what: str) -> Liar:
    source = f"def steal(batch):\n    {body}\n    return pairs(batch)"
    said = f"{what} in task 'task' changed while it was evaluated, so there is no result; {_BY}"
    return metric(lie, source, "liar(extract=steal)", said, *SECONDARY)


def _replaces(lie: str, body: str, what: str, *command: str) -> Liar:
    hook = "@hookimpl\ndef qeframe_metrics():\n    return liar()\n"
    return Liar(lie, body + "\n" + hook, f"{what} {_REPLACED}; {_BY}", command or SECONDARY)


def _test(lie: str, run: str, said: str, body: str = "") -> Liar:
    made = f"SignificanceTest(name='liar', summary='', needs='bind', run={run})"
    said = f"significance test 'liar' ~: {said}"
    return rule("qeframe_significance_tests", lie, body, made, said, *_TEST)


def _attack(lie: str, manner: str, knowledge: str, answer: str, follows: str) -> Liar:
    made = f"Attack(name='liar', summary='', kind=Scores, manner='{manner}', knowledge='{knowledge}', answer={answer})"
    said = (
        f"attack 'liar' ~: it is {manner} and states to know: {knowledge}; but its answers follow {follows} of the gold; "
        "it must be 'informed', or not read that"
    )
    command = ("audit", "pearson", "--attack", "liar", "--no-claims", "--quiet")
    return rule("qeframe_attacks", lie, "", made, said, *command)


LIARS = [
    _attack(
        "an attack that knows nothing returns the gold",
        "blind",
        "nothing",
        "lambda batch, rng: attrs.evolve(batch, predicted=batch.gold)",
        "the order",
    ),
    _attack(
        "an attack that knows the mean reads the order",
        "blind",
        "the mean, from earlier data",
        "lambda batch, rng: attrs.evolve(batch, predicted=batch.gold.argsort().argsort() + batch.gold.mean())",
        "the order",
    ),
    _attack(
        "an attack that knows nothing reads the mean",
        "blind",
        "nothing",
        "lambda batch, rng: attrs.evolve(batch, predicted=np.full(len(batch), batch.gold.mean()))",
        "the values",
    ),
    _attack(
        "an attack that transforms its answers mixes gold into them",
        "cosmetic",
        "its own answers",
        "lambda batch, rng: attrs.evolve(batch, predicted=batch.predicted + 1e-3 * batch.gold)",
        "the order",
    ),
    _steals(
        "the owner of an array is made writable",
        "owner = batch.predicted.base; owner.flags.writeable = True; owner[:] = batch.gold",
        "the answers of 'fair'",
    ),
    _steals(
        "the gold is written through its owner",
        "owner = batch.gold.base; owner.flags.writeable = True; owner[:] = batch.predicted",
        "the gold of 'fair'",
    ),
    _steals(
        "memory is written by ctypes",
        "import ctypes; ctypes.memmove(batch.predicted.ctypes.data, batch.gold.ctypes.data, batch.gold.nbytes)",
        "the answers of 'fair'",
    ),
    _replaces("a function of numpy is replaced at import", "np.mean = lambda *given, **more: 0.5", "numpy.mean"),
    _replaces(
        "a function of Python is replaced at import", "import builtins\nbuiltins.sum = lambda *given: 0", "builtins.sum"
    ),
    _replaces(
        "a check of qeframe is replaced at import",
        "from qeframe.core.components.checks import metric as checks\nchecks.check_scores = lambda *given: given[1]",
        "qeframe.core.components.checks.metric.check_scores",
    ),
    metric(
        "a method of qeframe is replaced in bind",
        "def steal(batch):\n    Additive.__call__ = lambda self, weights: weights.mean(axis=-1)\n    return pairs(batch)",
        "liar(extract=steal)",
        f"Additive.__call__ {_REPLACED}; {_BY}",
        *SECONDARY,
    ),
    rule(
        "qeframe_attacks",
        "an attack writes the answers of others",
        "def steal(batch, rng):\n    owner = batch.predicted.base; owner.flags.writeable = True; owner[:] = 0\n    return batch",
        "Attack(name='liar', summary='', kind=Scores, manner='blind', knowledge='', answer=steal)",
        f"the answers of what an attack was given changed while it was evaluated, so there is no result; {_BY}",
        *(*RUN, "--set", "primary=pearson", "--with-attacks"),
    ),
    metric(
        "other scores after the eighth call",
        "calls = iter(range(10**6))\ndef lie(sums):\n    return mean(sums) * (1 if next(calls) < 8 else 0.5)",
        "liar(score=lie)",
        "metric 'liar' ~: score returned 0.8570596070596069 and then 0.42852980352980347 for the same submission, "
        "expected equal scores; a metric that draws must seed its generator in bind",
        *("run", "qe_sentence", "task", "--set", "primary=liar", "--quiet"),
    ),
    metric(
        "rows are masked",
        f"def lie(batch):\n    return {_MASKED.format('pairs(batch)')}",
        "liar(extract=lie)",
        "metric 'liar' ~: extract returned a masked array of shape (6, 2) and type float64, expected numbers of shape "
        "(6, 2), units x columns n, sum",
    ),
    metric(
        "scores are masked",
        f"def lie(sums):\n    return {_MASKED.format('mean(sums)')}",
        "liar(score=lie)",
        "metric 'liar' ~: score returned a masked array of shape (1, 1) and type float64, expected numbers of shape "
        "(1, 1), a number for each row",
    ),
    _test(
        "p is masked",
        "p_of(lambda n: np.ma.array(np.full(n, 0.5), mask=True))",
        "p of run returned a masked array of shape (1,) and type float64, expected numbers of shape (1,), a p-value for "
        "each pair",
    ),
    _test(
        "p of 0",
        "p_of(np.zeros)",
        "p of run returned 0.0, expected p-values above 0, such as (1 + count) / (1 + draws)",
    ),
    _test(
        "p below the smallest p",
        "p_of(lambda n: np.full(n, 0.001), least_p=0.01)",
        "p of run returned 0.001, expected p-values of at least its least_p, 0.01",
    ),
    _test(
        "another p at the second call",
        "p_of(lambda n: np.full(n, next(drawn) / 100))",
        "p of run returned 0.01 and then 0.02 for the same pair, expected equal p-values; a test that draws must seed its "
        "generator",
        "drawn = iter(range(1, 100))",
    ),
    _test(
        "a test replaces the scores that it was given",
        "steal",
        "run returned after it changed the scores in 'comparable', expected that it changes nothing",
        "def steal(comparable, sided):\n    owner = comparable.oriented.base\n"
        "    owner.flags.writeable = True\n    owner[:] = 0\n    return Pairwise(p=np.ones(1))",
    ),
    rule(
        "qeframe_ranking_rules",
        "ranks are masked",
        "",
        "RankingRule(name='liar', summary='', rank=lambda given: Ranking(rank=np.ma.array(np.ones(3), mask=True), "
        "cluster=np.ones(3)))",
        "ranking rule 'liar' ~: rank returned a masked array of shape (3,) and type float64, expected numbers of shape "
        "(3,), a whole number for each submission",
        *(*RUN, "--set", "primary=pearson", "--set", "ranking=liar"),
    ),
    rule(
        "qeframe_ranking_rules",
        "ranks are undefined",
        "",
        "RankingRule(name='liar', summary='', rank=lambda given: Ranking(rank=np.full(3, np.nan), cluster=np.ones(3)))",
        "ranking rule 'liar' ~: rank returned nan, expected whole numbers from 1 to 3",
        *(*RUN, "--set", "primary=pearson", "--set", "ranking=liar"),
    ),
]

HARMLESS = {
    "the answers are replaced in the batch": "object.__setattr__(batch, 'predicted', batch.gold.copy())",
    "the gold is replaced in the batch": "object.__setattr__(batch, 'gold', batch.predicted.copy())",
    "rows of another metric are kept": "batch._extracted.clear(); batch._extracted['moments'] = batch.gold",
    "the shape of an array is set": "batch.gold.shape = (2, 3); batch.gold.shape = (6,)",
    "the limit of recursions is lowered": "import traceback; sys.setrecursionlimit(40 + len(traceback.extract_stack()))",
    "numpy is told to raise": "np.seterr(all='raise')",
}
"""What a secondary metric does before it is computed, by the lie: nobody else's number changes."""
