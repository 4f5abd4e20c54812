"""Components with a mistake in the other commands: grid, correlate, distinguish, audit, sensitivity and lock."""

from tests.mistakes.mistake import (
    PROBABILITIES,
    WITHIN_BOUNDS,
    Mistake,
    array,
    failed,
    mistake_of,
    returned,
    warns,
    writes,
)

GRID = ("grid", "--text", "a b", "a c", "--metric", "faulty")
CORRELATE = ("correlate", "judged", "--metric", "faulty", "--sizes", "1,2", "--draws", "4", "--quiet")
DISTINGUISH = ("distinguish", "qe_sentence", "task", "--draws", "100", "--metric", "faulty", "--quiet")
AUDIT = ("audit", "faulty", "--no-claims", "--attack", "random_scores", "--quiet")
LOCK = ("lock", "numbers.json", "--plugin", "faulty")
_PROFILES = ("--profiles", "qe_sentence,wmt22_qe_sentence", "--set", "reader=qe_plain", "--set", "test=")
SENSITIVITY = ("sensitivity", "task", *_PROFILES, "--set", "interval=", "--quiet")
PRIMARY = (*SENSITIVITY, "--set", "primary=faulty")
_WORDS = """
def words(batch):
    return np.ones((len(batch), 2))
def on_texts(**more):
    return {"kind": Texts, "extract": words, **more}
def blocks(*found):
    return lambda batch: [Alignment(candidate=("a", "b"), references=(("a", "c"),), blocks=found)]
"""
_ABOVE = "score=lambda sums: 0 * mean(sums) + 405, bounds=(0, 1)"
_BY_ZERO = "score=lambda sums: sums[..., 1] / (0 * sums[..., 0])"
_TOO_HIGH = returned("score", "405.0", WITHIN_BOUNDS)
_WARNS = warns("score", "divide by zero encountered in divide")
_EXITS = "SystemExit: 0"
_ROWS = "numbers of shape ({}, 2), units x columns n, sum"


def _metric(name: str, fields: str, said: str, *command: str, body: str = "") -> Mistake:
    return mistake_of("metric", name, fields, said, *command, body=body)


def _on_texts(name: str, fields: str, said: str, *command: str) -> Mistake:
    return _metric(name, f"**on_texts({fields})", said, *(command or GRID), body=_WORDS)


def _beyond(name: str, block: str) -> Mistake:
    made = f"MatchedBlock({block})"
    said = returned("alignments", f"MatchedBlock {made}", "blocks within the words of both sides")
    return _on_texts(name, f"alignments=blocks({made})", said)


def _reader(name: str, read: str, said: str) -> Mistake:
    command = ("correlate", "judged", "--metric", "gtm_f", "--reader", "faulty", "--quiet")
    return mistake_of("reader", name, f"kind=Judgments, read=lambda path, best: {read}", said, *command)


def _attack(name: str, answer: str, said: str, *command: str, settings: str = "{}") -> Mistake:
    command = command or ("audit", "pearson", "--no-claims", "--attack", "faulty", "--quiet")
    answers = f"answer=lambda batch, rng: {answer}, settings={settings}"
    return mistake_of("attack", name, f"kind=Scores, manner='blind', knowledge='', {answers}", said, *command)


def _knows(name: str, manner: str, knowledge: str, predicted: str, follows: str) -> Mistake:
    answer = f"lambda batch, rng: attrs.evolve(batch, predicted={predicted})"
    fields = f"kind=Scores, manner='{manner}', knowledge='{knowledge}', answer={answer}"
    said = f": it is {manner} and states to know: {knowledge}; but its answers follow {follows} of the gold; it must be 'informed', or not read that"
    return mistake_of("attack", name, fields, said, "audit", "pearson", "--attack", "faulty", "--no-claims", "--quiet")


def _locked(what: str, name: str, fields: str, said: str) -> Mistake:
    return mistake_of(what, name, fields, said, *LOCK)


MISTAKES = [
    _on_texts("alignments are text", "alignments=lambda batch: 'a-a'",
              returned("alignments", "str 'a-a'", "a list with an Alignment for each unit")),
    _on_texts("too many alignments", "alignments=lambda batch: 2 * blocks()(batch)",
              returned("alignments", "2 alignments", "1, one for each unit")),
    _beyond("a block beyond the words", "candidate=1, reference=0, position=0, length=2"),
    _beyond("a block in a reference that is not there", "candidate=0, reference=3, position=0, length=1"),
    _on_texts("alignments exit", "alignments=lambda batch: sys.exit(0)", failed("alignments", _EXITS)),
    _on_texts("precision is text", "alignments=blocks(), details=lambda batch: {'precision': 'high'}",
              returned("details", "str 'high' as 'precision'", "a number")),
    _on_texts("the grid's score is above its bounds", f"alignments=blocks(), {_ABOVE}", _TOO_HIGH),
    _on_texts("rows of documents are text", "extract=lambda batch: words(batch).astype(str)",
              returned("extract", array(3, 2, of="<U32"), _ROWS.format(3)), *CORRELATE),
    _on_texts("scores of documents are above their bounds", _ABOVE, _TOO_HIGH, *CORRELATE),
    _on_texts("scores of documents are one number", "score=lambda sums: 0.5",
              returned("score", "float 0.5", "numbers of shape (4,), a number for each row of weights"), *CORRELATE),
    _on_texts("documents divide by zero", _BY_ZERO, _WARNS, *CORRELATE),
    _reader(
        "a reader of judgments returns nothing", "None", returned("read", "None", "a list with a Reading for each task")
    ),
    _reader("a reader of judgments exits", "sys.exit(0)", failed("read", _EXITS)),
    _metric("rows are complex in a comparison of metrics", "extract=lambda batch: pairs(batch) * 1j",
            returned("extract", array(6, 2, of="complex128"), _ROWS.format(6)), *DISTINGUISH),
    _metric("score above its bounds in a comparison of metrics", _ABOVE, _TOO_HIGH, *DISTINGUISH),
    _metric("rows exit in an audit", "extract=lambda batch: sys.exit(0)", failed("bind", _EXITS), *AUDIT),
    _metric("score above its bounds in an audit", _ABOVE, _TOO_HIGH, *AUDIT),
    _metric("division by zero in an audit", _BY_ZERO, _WARNS, *AUDIT),
    _metric("gold over predicted in an audit", "extract=wrong", writes("bind"), *AUDIT,
            body="def wrong(batch):\n    batch.predicted[:] = batch.gold\n    return pairs(batch)"),
    _metric("bind returns nothing in an audit", "bind=lambda batch: None",
            returned("bind", "None", "a statistic: a function of weights, units and unit"), *AUDIT),
    _attack("an attack answers nothing in an audit", "None", returned("answer", "None", "a batch of Scores")),
    _attack("an attack changes the gold", "attrs.evolve(batch, gold=batch.gold + 1)",
            returned("answer", "a batch with another 'gold'", "the one that it was given")),
    _attack("an attack makes the bad end good", "attrs.evolve(batch, best='low' if batch.best == 'high' else 'high')",
            returned("answer", "a batch with another 'best'", "the one that it was given")),
    _attack("a setting of an attack leaves units out", "batch",
            returned("answer", "a batch of 2 units", "the 2000 units that it was given"),
            settings="{'rate=1': lambda batch, rng: batch.take(np.arange(2))}"),
    _knows("an attack that knows nothing returns the gold", "blind", "nothing", "batch.gold", "the order"),
    _knows("an attack that knows the mean reads the order", "blind", "the mean, from earlier data",
           "batch.gold.argsort().argsort() + batch.gold.mean()", "the order"),
    _knows("an attack that knows nothing reads the mean", "blind", "nothing",
           "np.full(len(batch), batch.gold.mean())", "the values"),
    _knows("an attack that transforms its answers mixes gold into them", "cosmetic", "its own answers",
           "batch.predicted + 1e-3 * batch.gold", "the order"),
    _metric("score above its bounds in a comparison of profiles", _ABOVE, _TOO_HIGH, *PRIMARY),
    mistake_of("ranking rule", "no ranking in a comparison of profiles", "rank=lambda given: None",
         returned("rank", "None", "a Ranking"), *(*SENSITIVITY, "--set", "ranking=faulty")),
    _metric("score above its bounds in a lock", _ABOVE, _TOO_HIGH, *LOCK),
    _metric("details are a list in a lock", "details=lambda batch: [1]",
            returned("details", "list [1]", "a mapping from names to results"), *LOCK),
    _locked("significance test", "p above 1 in a lock", "needs='bind', run=p_of(lambda n: np.full(n, 1.5))",
            returned("p of run", "1.5", PROBABILITIES)),
    _locked("correction", "an adjusted p is lost in a lock", "adjust=lambda p: p[1:]",
            returned("adjust", array(0), "numbers of shape (1,), an adjusted p for each p")),
    _locked("ranking rule", "rank 0 in a lock",
            "rank=lambda given: Ranking(rank=0 * given.oriented, cluster=given.oriented)",
            returned("rank", "0", "whole numbers from 1 to 1")),
    _locked("aggregation", "an aggregate of one number in a lock", "aggregate=lambda scores, weights, higher: 0.5",
            returned("aggregate", "float 0.5", "numbers of shape (3,), draws x submissions")),
    _attack("an attack exits in a lock", "sys.exit(0)", failed("answer", _EXITS), *LOCK),
    _locked(
        "reader",
        "the kind of a reader is no batch",
        "kind=dict, read=lambda path, best: []",
        "plugin 'faulty' of distribution 'faulty-dist 6.6' failed in hook qeframe_readers: DataError: reader 'faulty': kind is type <class 'dict'>, not a class of batches; repair it, or start with QEFRAME_BLOCK=faulty",
    ),
]  # fmt: skip
