"""Tests, corrections, aggregations, ranking rules, attacks and readers with a mistake."""

from tests.mistakes.mistake import COMPARE, PROBABILITIES, RUN, Mistake, array, failed, mistake_of, returned, writes

_PRIMARY = ("--set", "primary=pearson")
_ACROSS = (*RUN[:2], "tasks", *RUN[3:], *_PRIMARY, "--set", "across=faulty")
_INTERVAL = ("run", "qe_sentence", "task", "--set", "test=", "--set", "interval=faulty", *_PRIMARY)
_EACH_PAIR = "numbers of shape (1,), a p-value for each pair"
_EACH_SCORE = "numbers of shape (3,), draws x submissions"


def _test(name: str, run: str, said: str) -> Mistake:
    return mistake_of("significance test", name, f"needs='bind', run={run}", said, *COMPARE, "--test", "faulty")


def _p(name: str, p: str, what: str, expected: str = PROBABILITIES) -> Mistake:
    return _test(name, f"p_of(lambda n: {p})", returned("p of run", what, expected))


def _interval(name: str, interval: str, said: str) -> Mistake:
    return mistake_of(
        "significance test", name, f"needs='bind', run=p_of(np.ones), interval={interval}", said, *_INTERVAL
    )


def _correction(name: str, adjust: str, said: str) -> Mistake:
    return mistake_of("correction", name, f"adjust=lambda p: {adjust}", said, *COMPARE, "--correction", "faulty")


def _ranking(name: str, rank: str, said: str) -> Mistake:
    return mistake_of(
        "ranking rule", name, f"rank=lambda given: {rank}", said, *RUN, *_PRIMARY, "--set", "ranking=faulty"
    )


def _attack(name: str, answer: str, said: str) -> Mistake:
    fields = f"kind=Scores, manner='blind', knowledge='', answer=lambda batch, rng: {answer}"
    return mistake_of("attack", name, fields, said, *RUN, *_PRIMARY, "--with-attacks")


def _aggregation(name: str, aggregate: str, said: str) -> Mistake:
    return mistake_of("aggregation", name, f"aggregate=lambda scores, weights, higher: {aggregate}", said, *_ACROSS)


def _reader(name: str, read: str, said: str) -> Mistake:
    sides = """
def side(name, n=3, **more):
    return UnitValues(**{"name": name, "ids": np.arange(n), "values": np.arange(3.0), **more})
def reading(**more):
    return Reading(**{"name": "t", "kind": Scores, "gold": side("gold"), "submissions": (side("a"), side("b")), **more})
"""
    command = (*RUN, *_PRIMARY, "--set", "reader=faulty")
    return mistake_of("reader", name, f"kind=Scores, read=lambda path, best: {read}", said, *command, body=sides)


def _reads(name: str, read: str, what: str, expected: str) -> Mistake:
    return _reader(name, read, returned("read", what, expected))


MISTAKES = [
    _p("p above 1", "np.full(n, 1.5)", "1.5"),
    _p("p below 0", "np.full(n, -0.1)", "-0.1"),
    _p("p is infinite", "np.full(n, np.inf)", "inf"),
    _p("too many p", "np.full(n + 1, 0.5)", array(2), _EACH_PAIR),
    _p("p is a list", "[0.5] * n", "list [0.5]", _EACH_PAIR),
    _p("p is text", "np.full(n, '0.5')", array(1, of="<U3"), _EACH_PAIR),
    _test("p alone", "lambda contest, sided: np.full(1, 0.01)", returned("run", array(1), "a Pairwise")),
    _test("the statistic is too long", "p_of(np.ones, statistic=np.zeros(9))",
          returned("statistic of run", array(9), "numbers of shape (1,), a number for each pair")),
    _test("the least p is text", "p_of(np.ones, least_p='tiny')",
          returned("least_p of run", "str 'tiny'", "a number from 0 to 1, or None")),
    _test("a p of one of its tests is no probability", "p_of(np.ones, p_of={'one': np.full(1, 1.5)})",
          returned("p_of of run, one", "1.5", PROBABILITIES)),
    _p("p is masked", "np.ma.array(np.full(n, 0.5), mask=True)",
       "a masked array of shape (1,) and type float64", _EACH_PAIR),
    _p("p of 0", "np.zeros(n)", "0.0", "p-values above 0, such as (1 + count) / (1 + draws)"),
    _test("p below the smallest p", "p_of(lambda n: np.full(n, 0.001), least_p=0.01)",
          returned("p of run", "0.001", "p-values of at least its least_p, 0.01")),
    mistake_of(
        "significance test",
        "another p at the second call",
        "needs='bind', run=p_of(lambda n: np.full(n, next(drawn) / 100))",
        ": p of run returned 0.01 and then 0.02 for the same pair, expected equal p-values; a test that draws must seed its generator",
        *(*COMPARE, "--test", "faulty"),
        body="drawn = iter(range(1, 100))",
    ),
    _test("a test changes the scores", "lambda contest, sided: contest.oriented.fill(1)", writes("run")),
    _interval(
        "an interval of two arrays",
        "lambda contest, level: (np.zeros(3), np.ones(3))",
        returned("interval", "tuple (array([0., 0., 0.]), array([1., 1., 1.]))", "three arrays: low, high and draws"),
    ),
    _interval("an interval that is upside down",
              "lambda contest, level: (np.ones(3), np.zeros(3), np.zeros((2, 3)))",
              returned("interval", "1 to 0", "ends in ascending order")),
    _interval("ends of the wrong shape", "lambda contest, level: (np.ones(2), np.ones(2), np.zeros((2, 3)))",
              returned("interval", array(2), "numbers of shape (3,), an end for each score")),
    _interval(
        "details of too few intervals",
        "lambda contest, level: (np.zeros(3), np.ones(3), np.zeros((2, 3))), on_intervals=lambda contest: [{}]",
        returned("on_intervals", "1 mappings", "one for each score"),
    ),
    _correction("adjusted p above 1", "p * 0 + 3", returned("adjust", "3.0", PROBABILITIES)),
    _correction("an adjusted p is lost", "p[1:]",
                returned("adjust", array(0), "numbers of shape (1,), an adjusted p for each p")),
    _correction("a correction changes p", "p.fill(0.001)", writes("adjust")),
    _ranking(
        "rank 0", "Ranking(rank=np.zeros(3), cluster=np.ones(3))", returned("rank", "0", "whole numbers from 1 to 3")
    ),
    _ranking("ranks that are no whole numbers", "Ranking(rank=np.full(3, 1.5), cluster=np.ones(3))",
             returned("rank", "1.5", "whole numbers from 1 to 3")),
    _ranking("too few clusters", "Ranking(rank=np.ones(3), cluster=np.ones(2))",
             returned("cluster", array(2), "numbers of shape (3,), a whole number for each submission")),
    _ranking(
        "ranks are masked",
        "Ranking(rank=np.ma.array(np.ones(3), mask=True), cluster=np.ones(3))",
        returned("rank", "a masked array of shape (3,) and type float64",
                 "numbers of shape (3,), a whole number for each submission"),
    ),
    _ranking("ranks are undefined", "Ranking(rank=np.full(3, np.nan), cluster=np.ones(3))",
             returned("rank", "nan", "whole numbers from 1 to 3")),
    _ranking("no ranking", "[1, 2, 3]", returned("rank", "list [1, 2, 3]", "a Ranking")),
    _ranking("a rule changes the scores", "given.oriented.sort()", writes("rank", "sort array is read-only")),
    _attack("an attack answers text", "'all good'", returned("answer", "str 'all good'", "a batch of Scores")),
    _attack("an attack leaves units out", "batch.take(np.arange(2))",
            returned("answer", "a batch of 2 units", "the 6 units that it was given")),
    _attack("an attack exits", "sys.exit(0)", failed("answer", "SystemExit: 0")),
    _aggregation("an aggregate of one number", "0.5", returned("aggregate", "float 0.5", _EACH_SCORE)),
    _aggregation("an aggregate that keeps its parts", "scores", returned("aggregate", array(3, 2), _EACH_SCORE)),
    _aggregation(
        "an infinite aggregate", "scores[..., 0] + np.inf", returned("aggregate", "inf", "finite numbers, or NaN")
    ),
    _aggregation("an aggregation changes the scores", "scores.fill(1)", writes("aggregate")),
    _reads("a reader returns nothing", "None", "None", "a list with a Reading for each task"),
    _reads("a reader returns text", "['task']", "a list with str 'task'", "a Reading for each task"),
    _reads("a reader of too few ids", "[reading(gold=side('gold', n=2))]",
           f"values of 'gold' of 't' that are {array(3)}", "2, one for each id"),
    _reads("a reader of ids that are text", "[reading(gold=side('gold', ids=np.array(['a', 'b', 'c'])))]",
           f"ids of 'gold' of 't' that are {array(3, of='<U1')}", "whole numbers of shape (n,)"),
    _reads("a reader of too few groups", "[reading(groups={'document': ['a']})]",
           "1 labels of the grouping 'document' of 't'", "3, text for each unit of the gold"),
    _reader("a reader fails", "1 / 0", failed("read", "ZeroDivisionError: division by zero")),
    _reads("a reader of a kind that is none", "[reading(kind=dict)]", "the kind type <class 'dict'> of 't'",
           "a class of batches"),
    _reads("a reader of too few lines", "[reading(gold=side('gold', lines=np.arange(2)))]",
           "2 lines of 'gold' of 't'", "3, one for each id"),
]  # fmt: skip
