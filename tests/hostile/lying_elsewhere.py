"""Components that lie to the other commands: grid, correlate, distinguish, audit, sensitivity and lock."""

from tests.hostile.liar import Liar, metric, rule

GRID = ("grid", "--text", "a b", "a c", "--metric", "liar")
CORRELATE = ("correlate", "judged", "--metric", "liar", "--sizes", "1,2", "--draws", "4", "--quiet")
DISTINGUISH = ("distinguish", "qe_sentence", "task", "--draws", "100", "--metric", "liar", "--quiet")
AUDIT = ("audit", "liar", "--no-claims", "--attack", "random_scores", "--quiet")
LOCK = ("lock", "numbers.json", "--plugin", "liar")
_PROFILES = ("--profiles", "qe_sentence,wmt22_qe_sentence", "--set", "reader=qe_plain", "--set", "test=")
SENSITIVITY = ("sensitivity", "task", *_PROFILES, "--set", "interval=", "--quiet")
PRIMARY = (*SENSITIVITY, "--set", "primary=liar")
_ATTACKED = ("audit", "pearson", "--no-claims", "--attack", "liar", "--quiet")
_WORDS = """
def words(batch):
    return np.ones((len(batch), 2))
def on_texts(**more):
    return liar(**{"kind": Texts, "extract": words, **more})
def blocks(*found):
    return lambda batch: [Alignment(candidate=("a", "b"), references=(("a", "c"),), blocks=found)]
"""
_ABOVE = "def lie(sums):\n    return 0 * mean(sums) + 405"
_LOUD = "def lie(batch):\n    sys.exit(0)"
_WARNING = "def lie(sums):\n    return sums[..., 1] / (0 * sums[..., 0])"
_RIGHT = "a number from 0 to 1, or NaN"
_WARNS = (
    "metric 'liar' ~ lets numpy warn in score (RuntimeWarning: divide by zero encountered in divide); "
    "it must treat that case itself"
)


def _on_texts(lie: str, brought: str, said: str, *command: str, body: str = "") -> Liar:
    return metric(lie, _WORDS + body, brought, said, *(command or GRID))


def _attack(lie: str, answer: str, said: str, **more: str) -> Liar:
    also = "".join(f", {name}={value}" for name, value in more.items())
    made = f"Attack(name='liar', summary='', kind=Scores, manner='blind', knowledge='', answer={answer}{also})"
    return rule("qeframe_attacks", lie, "", made, said, *_ATTACKED)


def _test(lie: str, run: str, said: str, *command: str) -> Liar:
    made = f"SignificanceTest(name='liar', summary='', needs='bind', run={run})"
    return rule("qeframe_significance_tests", lie, "", made, said, *command)


LIARS = [
    _on_texts(
        "alignments are text",
        "on_texts(alignments=lambda batch: 'a-a')",
        "metric 'liar' ~: alignments returned str 'a-a', expected a list with an Alignment for each unit",
    ),
    _on_texts(
        "too many alignments",
        "on_texts(alignments=lambda batch: 2 * blocks()(batch))",
        "metric 'liar' ~: alignments returned 2 alignments, expected 1, one for each unit",
    ),
    _on_texts(
        "a block beyond the words",
        "on_texts(alignments=blocks(MatchedBlock(candidate=1, reference=0, position=0, length=2)))",
        "metric 'liar' ~: alignments returned MatchedBlock MatchedBlock(candidate=1, reference=0, position=0, "
        "length=2), expected blocks within the words of both sides",
    ),
    _on_texts(
        "a block in a reference that is not there",
        "on_texts(alignments=blocks(MatchedBlock(candidate=0, reference=3, position=0, length=1)))",
        "metric 'liar' ~: alignments returned MatchedBlock MatchedBlock(candidate=0, reference=3, position=0, "
        "length=1), expected blocks within the words of both sides",
    ),
    _on_texts(
        "alignments exit",
        "on_texts(alignments=lie)",
        "metric 'liar' ~ failed in alignments: SystemExit: 0; QEFRAME_TRACEBACK=1 shows the traceback",
        body=_LOUD,
    ),
    _on_texts(
        "precision is text",
        "on_texts(alignments=blocks(), details=lambda batch: {'precision': 'high'})",
        "metric 'liar' ~: details returned str 'high' as 'precision', expected a number",
    ),
    _on_texts(
        "the grid's score is above its bounds",
        "on_texts(alignments=blocks(), score=lie, bounds=(0, 1))",
        f"metric 'liar' ~: score returned 405.0, expected {_RIGHT}",
        body=_ABOVE,
    ),
    _on_texts(
        "rows of documents are text",
        "on_texts(extract=lambda batch: words(batch).astype(str))",
        "metric 'liar' ~: extract returned an array of shape (3, 2) and type <U32, expected numbers of shape (3, 2), "
        "units x columns n, sum",
        *CORRELATE,
    ),
    _on_texts(
        "scores of documents are above their bounds",
        "on_texts(score=lie, bounds=(0, 1))",
        f"metric 'liar' ~: score returned 405.0, expected {_RIGHT}",
        *CORRELATE,
        body=_ABOVE,
    ),
    _on_texts(
        "scores of documents are one number",
        "on_texts(score=lambda sums: 0.5)",
        "metric 'liar' ~: score returned float 0.5, expected an array of numbers of shape (4,), a number for each row of "
        "weights",
        *CORRELATE,
    ),
    _on_texts("documents divide by zero", "on_texts(score=lie)", _WARNS, *CORRELATE, body=_WARNING),
    rule(
        "qeframe_readers",
        "a reader of judgments returns nothing",
        "",
        "Reader(name='liar', summary='', kind=Judgments, read=lambda path, best: None)",
        "reader 'liar' ~: read returned None, expected a list with a Reading for each task",
        *("correlate", "judged", "--metric", "gtm_f", "--reader", "liar", "--quiet"),
    ),
    rule(
        "qeframe_readers",
        "a reader of judgments exits",
        "",
        "Reader(name='liar', summary='', kind=Judgments, read=lambda path, best: sys.exit(0))",
        "reader 'liar' ~ failed in read: SystemExit: 0; QEFRAME_TRACEBACK=1 shows the traceback",
        *("correlate", "judged", "--metric", "gtm_f", "--reader", "liar", "--quiet"),
    ),
    metric(
        "rows are complex in a comparison of metrics",
        "def lie(batch):\n    return pairs(batch) * 1j",
        "liar(extract=lie)",
        "metric 'liar' ~: extract returned an array of shape (6, 2) and type complex128, expected numbers of shape "
        "(6, 2), units x columns n, sum",
        *DISTINGUISH,
    ),
    metric(
        "score above its bounds in a comparison of metrics",
        _ABOVE,
        "liar(score=lie, bounds=(0, 1))",
        f"metric 'liar' ~: score returned 405.0, expected {_RIGHT}",
        *DISTINGUISH,
    ),
    metric(
        "rows exit in an audit",
        _LOUD,
        "liar(extract=lie)",
        "metric 'liar' ~ failed in bind: SystemExit: 0; QEFRAME_TRACEBACK=1 shows the traceback",
        *AUDIT,
    ),
    metric(
        "score above its bounds in an audit",
        _ABOVE,
        "liar(score=lie, bounds=(0, 1))",
        f"metric 'liar' ~: score returned 405.0, expected {_RIGHT}",
        *AUDIT,
    ),
    metric("division by zero in an audit", _WARNING, "liar(score=lie)", _WARNS, *AUDIT),
    metric(
        "gold over predicted in an audit",
        "def lie(batch):\n    batch.predicted[:] = batch.gold\n    return pairs(batch)",
        "liar(extract=lie)",
        "metric 'liar' ~ writes to what it is given in bind (ValueError: assignment destination is read-only); "
        "it must copy an array to change it",
        *AUDIT,
    ),
    metric(
        "bind returns nothing in an audit",
        "",
        "liar(bind=lambda batch: None)",
        "metric 'liar' ~: bind returned None, expected a statistic: a function of weights, units and unit",
        *AUDIT,
    ),
    _attack(
        "an attack answers nothing in an audit",
        "lambda batch, rng: None",
        "attack 'liar' ~: answer returned None, expected a batch of Scores",
    ),
    _attack(
        "an attack changes the gold",
        "lambda batch, rng: attrs.evolve(batch, gold=batch.gold + 1)",
        "attack 'liar' ~: answer returned a batch with another 'gold', expected the one that it was given",
    ),
    _attack(
        "an attack makes the bad end good",
        "lambda batch, rng: attrs.evolve(batch, best='low' if batch.best == 'high' else 'high')",
        "attack 'liar' ~: answer returned a batch with another 'best', expected the one that it was given",
    ),
    _attack(
        "a setting of an attack leaves units out",
        "lambda batch, rng: batch",
        "attack 'liar' ~: answer returned a batch of 2 units, expected the 2000 units that it was given",
        settings="{'rate=1': lambda batch, rng: batch.take(np.arange(2))}",
    ),
    _attack(
        "an attack raises KeyboardInterrupt",
        "lambda batch, rng: (_ for _ in ()).throw(KeyboardInterrupt)",
        "KeyboardInterrupt without an interrupt by the user: attack 'liar' ~ was at work in answer; "
        "QEFRAME_TRACEBACK=1 shows the traceback",
    ),
    metric(
        "score above its bounds in a comparison of profiles",
        _ABOVE,
        "liar(score=lie, bounds=(0, 1))",
        f"metric 'liar' ~: score returned 405.0, expected {_RIGHT}",
        *PRIMARY,
    ),
    rule(
        "qeframe_ranking_rules",
        "no ranking in a comparison of profiles",
        "",
        "RankingRule(name='liar', summary='', rank=lambda given: None)",
        "ranking rule 'liar' ~: rank returned None, expected a Ranking",
        *(*SENSITIVITY, "--set", "ranking=liar"),
    ),
    metric(
        "score above its bounds in a lock",
        _ABOVE,
        "liar(score=lie, bounds=(0, 1))",
        f"metric 'liar' ~: score returned 405.0, expected {_RIGHT}",
        *LOCK,
    ),
    metric(
        "details are a list in a lock",
        "",
        "liar(details=lambda batch: [1])",
        "metric 'liar' ~: details returned list [1], expected a mapping from names to results",
        *LOCK,
    ),
    _test(
        "p above 1 in a lock",
        "p_of(lambda n: np.full(n, 1.5))",
        "significance test 'liar' ~: p of run returned 1.5, expected p-values from 0 to 1, or NaN",
        *LOCK,
    ),
    rule(
        "qeframe_corrections",
        "an adjusted p is lost in a lock",
        "",
        "Correction(name='liar', summary='', adjust=lambda p: p[1:])",
        "correction 'liar' ~: adjust returned an array of shape (0,) and type float64, expected numbers of shape (1,), "
        "an adjusted p for each p",
        *LOCK,
    ),
    rule(
        "qeframe_ranking_rules",
        "rank 0 in a lock",
        "",
        "RankingRule(name='liar', summary='', rank=lambda given: Ranking(rank=0 * given.oriented, "
        "cluster=given.oriented))",
        "ranking rule 'liar' ~: rank returned 0, expected whole numbers from 1 to 1",
        *LOCK,
    ),
    rule(
        "qeframe_aggregations",
        "an aggregate of one number in a lock",
        "",
        "Aggregation(name='liar', summary='', aggregate=lambda scores, weights, higher: 0.5)",
        "aggregation 'liar' ~: aggregate returned float 0.5, expected an array of numbers of shape (3,), "
        "draws x submissions",
        *LOCK,
    ),
    rule(
        "qeframe_attacks",
        "an attack exits in a lock",
        "",
        "Attack(name='liar', summary='', kind=Scores, manner='blind', knowledge='', "
        "answer=lambda batch, rng: sys.exit(0))",
        "attack 'liar' ~ failed in answer: SystemExit: 0; QEFRAME_TRACEBACK=1 shows the traceback",
        *LOCK,
    ),
    rule(
        "qeframe_readers",
        "the kind of a reader is no batch",
        "",
        "Reader(name='liar', summary='', kind=dict, read=lambda path, best: [])",
        "plugin 'liar' of distribution 'liar-dist 6.6' failed in hook qeframe_readers: DataError: reader 'liar': kind "
        "is type <class 'dict'>, not a class of batches; repair it, or start with QEFRAME_BLOCK=liar",
        *LOCK,
    ),
]
