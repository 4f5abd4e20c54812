"""Tests, corrections, aggregations, ranking rules, attacks and readers that lie."""

from tests.hostile.liar import COMPARE, RUN, rule

_TEST, _CORRECTION = (*COMPARE, "--test", "liar"), (*COMPARE, "--correction", "liar")
_RANKING = (*RUN, "--set", "primary=pearson", "--set", "ranking=liar")
_ATTACK = (*RUN, "--set", "primary=pearson", "--with-attacks")
_READER = (*RUN, "--set", "primary=pearson", "--set", "reader=liar")
_ACROSS = (*RUN[:2], "tasks", *RUN[3:], "--set", "primary=pearson", "--set", "across=liar")
_INTERVAL = ("run", "qe_sentence", "task", "--set", "test=", "--set", "interval=liar", "--set", "primary=pearson")


def _test(lie: str, run: str, said: str):
    made = f"SignificanceTest(name='liar', summary='', needs='bind', run={run})"
    return rule("qeframe_significance_tests", lie, "", made, said, *_TEST)


def _interval(lie: str, interval: str, said: str):
    made = f"SignificanceTest(name='liar', summary='', needs='bind', run=p_of(np.ones), interval={interval})"
    return rule("qeframe_significance_tests", lie, "", made, said, *_INTERVAL)


def _correction(lie: str, adjust: str, said: str):
    return rule(
        "qeframe_corrections", lie, "", f"Correction(name='liar', summary='', adjust={adjust})", said, *_CORRECTION
    )


def _ranking(lie: str, rank: str, said: str):
    return rule("qeframe_ranking_rules", lie, "", f"RankingRule(name='liar', summary='', rank={rank})", said, *_RANKING)


def _attack(lie: str, answer: str, said: str):
    made = f"Attack(name='liar', summary='', kind=Scores, manner='blind', knowledge='', answer={answer})"
    return rule("qeframe_attacks", lie, "", made, said, *_ATTACK)


def _aggregation(lie: str, aggregate: str, said: str):
    made = f"Aggregation(name='liar', summary='', aggregate={aggregate})"
    return rule("qeframe_aggregations", lie, "", made, said, *_ACROSS)


def _reader(lie: str, body: str, said: str):
    sides = """
def side(name, n=3, **more):
    return UnitValues(**{"name": name, "ids": np.arange(n), "values": np.arange(3.0), **more})
def reading(**more):
    return Reading(**{"name": "t", "kind": Scores, "gold": side("gold"), "submissions": (side("a"), side("b")), **more})
"""
    made = f"Reader(name='liar', summary='', kind=Scores, read=lambda path, best: {body})"
    return rule("qeframe_readers", lie, sides, made, said, *_READER)


LIARS = [
    _test(
        "p above 1",
        "p_of(lambda n: np.full(n, 1.5))",
        "significance test 'liar' ~: p of run returned 1.5, expected p-values from 0 to 1, or NaN",
    ),
    _test(
        "p below 0",
        "p_of(lambda n: np.full(n, -0.1))",
        "significance test 'liar' ~: p of run returned -0.1, expected p-values from 0 to 1, or NaN",
    ),
    _test(
        "p is infinite",
        "p_of(lambda n: np.full(n, np.inf))",
        "significance test 'liar' ~: p of run returned inf, expected p-values from 0 to 1, or NaN",
    ),
    _test(
        "too many p",
        "p_of(lambda n: np.full(n + 1, 0.5))",
        "significance test 'liar' ~: p of run returned an array of shape (2,) and type float64, expected numbers of shape (1,), a p-value for each pair",
    ),
    _test(
        "p is a list",
        "p_of(lambda n: [0.5] * n)",
        "significance test 'liar' ~: p of run returned list [0.5], expected an array of numbers of shape (1,), a p-value for each pair",
    ),
    _test(
        "p is text",
        "p_of(lambda n: np.full(n, '0.5'))",
        "significance test 'liar' ~: p of run returned an array of shape (1,) and type <U3, expected numbers of shape (1,), a p-value for each pair",
    ),
    _test(
        "p alone",
        "lambda comparable, sided: np.full(1, 0.01)",
        "significance test 'liar' ~: run returned an array of shape (1,) and type float64, expected a Pairwise",
    ),
    _test(
        "the statistic is too long",
        "p_of(np.ones, statistic=np.zeros(9))",
        "significance test 'liar' ~: statistic of run returned an array of shape (9,) and type float64, expected numbers of shape (1,), a number for each pair",
    ),
    _test(
        "the least p is text",
        "p_of(np.ones, least_p='tiny')",
        "significance test 'liar' ~: least_p of run returned str 'tiny', expected a number from 0 to 1, or None",
    ),
    _test(
        "a p of one of its tests is no probability",
        "p_of(np.ones, p_of={'one': np.full(1, 1.5)})",
        "significance test 'liar' ~: p_of of run, one returned 1.5, expected p-values from 0 to 1, or NaN",
    ),
    _test(
        "a test changes the scores",
        "lambda comparable, sided: comparable.oriented.fill(1)",
        "significance test 'liar' ~ writes to what it is given in run (ValueError: assignment destination is read-only); it must copy an array to change it",
    ),
    _interval(
        "an interval of two arrays",
        "lambda comparable, level: (np.zeros(3), np.ones(3))",
        "significance test 'liar' ~: interval returned tuple (array([0., 0., 0.]), array([1., 1., 1.])), expected three arrays: low, high and draws",
    ),
    _interval(
        "an interval that is upside down",
        "lambda comparable, level: (np.ones(3), np.zeros(3), np.zeros((2, 3)))",
        "significance test 'liar' ~: interval returned 1 to 0, expected ends in ascending order",
    ),
    _interval(
        "ends of the wrong shape",
        "lambda comparable, level: (np.ones(2), np.ones(2), np.zeros((2, 3)))",
        "significance test 'liar' ~: interval returned an array of shape (2,) and type float64, expected numbers of shape (3,), an end for each score",
    ),
    _interval(
        "details of too few intervals",
        "lambda comparable, level: (np.zeros(3), np.ones(3), np.zeros((2, 3))), on_intervals=lambda comparable: [{}]",
        "significance test 'liar' ~: on_intervals returned 1 mappings, expected one for each score",
    ),
    _correction(
        "adjusted p above 1",
        "lambda p: p * 0 + 3",
        "correction 'liar' ~: adjust returned 3.0, expected p-values from 0 to 1, or NaN",
    ),
    _correction(
        "an adjusted p is lost",
        "lambda p: p[1:]",
        "correction 'liar' ~: adjust returned an array of shape (0,) and type float64, expected numbers of shape (1,), an adjusted p for each p",
    ),
    _correction(
        "a correction changes p",
        "lambda p: p.fill(0.001)",
        "correction 'liar' ~ writes to what it is given in adjust (ValueError: assignment destination is read-only); it must copy an array to change it",
    ),
    _ranking(
        "rank 0",
        "lambda given: Ranking(rank=np.zeros(3), cluster=np.ones(3))",
        "ranking rule 'liar' ~: rank returned 0, expected whole numbers from 1 to 3",
    ),
    _ranking(
        "ranks that are no whole numbers",
        "lambda given: Ranking(rank=np.full(3, 1.5), cluster=np.ones(3))",
        "ranking rule 'liar' ~: rank returned 1.5, expected whole numbers from 1 to 3",
    ),
    _ranking(
        "too few clusters",
        "lambda given: Ranking(rank=np.ones(3), cluster=np.ones(2))",
        "ranking rule 'liar' ~: cluster returned an array of shape (2,) and type float64, expected numbers of shape (3,), a whole number for each submission",
    ),
    _ranking(
        "no ranking",
        "lambda given: [1, 2, 3]",
        "ranking rule 'liar' ~: rank returned list [1, 2, 3], expected a Ranking",
    ),
    _ranking(
        "a rule changes the scores",
        "lambda given: given.oriented.sort()",
        "ranking rule 'liar' ~ writes to what it is given in rank (ValueError: sort array is read-only); it must copy an array to change it",
    ),
    _attack(
        "an attack answers text",
        "lambda batch, rng: 'all good'",
        "attack 'liar' ~: answer returned str 'all good', expected a batch of Scores",
    ),
    _attack(
        "an attack leaves units out",
        "lambda batch, rng: batch.take(np.arange(2))",
        "attack 'liar' ~: answer returned a batch of 2 units, expected the 6 units that it was given",
    ),
    _attack(
        "an attack exits",
        "lambda batch, rng: sys.exit(0)",
        "attack 'liar' ~ failed in answer: SystemExit: 0; QEFRAME_TRACEBACK=1 shows the traceback",
    ),
    _aggregation(
        "an aggregate of one number",
        "lambda scores, weights, higher: 0.5",
        "aggregation 'liar' ~: aggregate returned float 0.5, expected an array of numbers of shape (3,), "
        "draws x submissions",
    ),
    _aggregation(
        "an aggregate that keeps its parts",
        "lambda scores, weights, higher: scores",
        "aggregation 'liar' ~: aggregate returned an array of shape (3, 2) and type float64, expected numbers of shape "
        "(3,), draws x submissions",
    ),
    _aggregation(
        "an infinite aggregate",
        "lambda scores, weights, higher: scores[..., 0] + np.inf",
        "aggregation 'liar' ~: aggregate returned inf, expected finite numbers, or NaN",
    ),
    _aggregation(
        "an aggregation changes the scores",
        "lambda scores, weights, higher: scores.fill(1)",
        "aggregation 'liar' ~ writes to what it is given in aggregate (ValueError: assignment destination is "
        "read-only); it must copy an array to change it",
    ),
    _reader(
        "a reader returns nothing",
        "None",
        "reader 'liar' ~: read returned None, expected a list with a Reading for each task",
    ),
    _reader(
        "a reader returns text",
        "['task']",
        "reader 'liar' ~: read returned a list with str 'task', expected a Reading for each task",
    ),
    _reader(
        "a reader of too few ids",
        "[reading(gold=side('gold', n=2))]",
        "reader 'liar' ~: read returned values of 'gold' of 't' that are an array of shape (3,) and type float64, expected 2, one for each id",
    ),
    _reader(
        "a reader of ids that are text",
        "[reading(gold=side('gold', ids=np.array(['a', 'b', 'c'])))]",
        "reader 'liar' ~: read returned ids of 'gold' of 't' that are an array of shape (3,) and type <U1, expected whole numbers of shape (n,)",
    ),
    _reader(
        "a reader of too few groups",
        "[reading(groups={'document': ['a']})]",
        "reader 'liar' ~: read returned 1 labels of the grouping 'document' of 't', expected 3, text for each unit of the gold",
    ),
    _reader(
        "a reader fails",
        "1 / 0",
        "reader 'liar' ~ failed in read: ZeroDivisionError: division by zero; QEFRAME_TRACEBACK=1 shows the traceback",
    ),
    _reader(
        "a reader of a kind that is none",
        "[reading(kind=dict)]",
        "reader 'liar' ~: read returned the kind type <class 'dict'> of 't', expected a class of batches",
    ),
    _reader(
        "a reader of too few lines",
        "[reading(gold=side('gold', lines=np.arange(2)))]",
        "reader 'liar' ~: read returned 2 lines of 'gold' of 't', expected 3, one for each id",
    ),
]
