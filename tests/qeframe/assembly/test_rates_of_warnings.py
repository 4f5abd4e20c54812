"""How often leaderboards of equal submissions have each kind of warning."""

import re
import warnings
from collections import Counter

import numpy as np
import pytest

import qeframe
from qeframe import Submission, Task
from qeframe.plugin import Scores, Tags

LEADERBOARDS = 200
MOST = 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / LEADERBOARDS)
"""At most 5 %, and 2.5 errors of such a share."""
KINDS = {
    "two sides of alpha": "one alone is significant and the other not",
    "unlike errors": "few units decide the error of one score",
    "gold": "the gold is skewed",
    "normal scores": "the test assumes normal scores",
    "documents": "units of one doc",
    "sign": "negative correlation with the gold",
    "untested": "cannot be tested|marked only because",
    "draws": "no difference can be significant|undefined in some draws",
}
ALWAYS = {"rare": {"untested", "draws"}}
"""Words of sentences with no hit: MCC is then undefined without one of them."""


def normal(rng, units):
    gold = rng.normal(size=units)
    return gold, [0.5 * gold + np.sqrt(0.75) * rng.normal(size=units) for _ in range(5)]


def zeros(share, rng, units):
    size = rng.choice([1, 5, 1, 2], p=[0.4, 0.3, 0.2, 0.1], size=units) * rng.geometric(0.45, size=units)
    worth = np.where(rng.random(units) < share, 0, np.minimum(25, size)).astype(float)
    noise = [np.abs(rng.normal(size=units)) * (rng.random(units) < 0.35 + 0.5 * (worth > 0)) for _ in range(5)]
    return -worth, [-np.minimum(25, np.rint(0.45 * worth + (0.8 + 0.3 * worth) * each)) for each in noise]


def ordinal(rng, units):
    gold = rng.integers(0, 5, units).astype(float)
    return gold, [np.clip(gold + rng.integers(-1, 2, units), 0, 4) for _ in range(5)]


LAWS = {
    "normal": normal,
    "60 % zeros": lambda rng, units: zeros(0.6, rng, units),
    "90 % zeros": lambda rng, units: zeros(0.9, rng, units),
    "ordinal": ordinal,
}


def task_of(gold, answers, kind):
    made = {Submission(f"s{i}"): kind.from_plain(gold, given) for i, given in enumerate(answers)}
    return Task(name="t", batches=made)


def tags(rng):
    gold = [np.where(rng.random(20) < 0.03, "BAD", "OK").tolist() for _ in range(100)]
    flipped = [
        [[("OK" if tag == "BAD" else "BAD") if rng.random() < 0.03 else tag for tag in row] for row in gold]
        for _ in range(5)
    ]
    return task_of(gold, flipped, Tags)


def counted(profile, make, settings=()):
    found = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(LEADERBOARDS):
            result = qeframe.evaluate(profile, make(np.random.default_rng([seed, 3])), settings=settings)
            found.update(kind for kind, words in KINDS.items() if any(re.search(words, w) for w in result.warnings))
    return {kind: number / LEADERBOARDS for kind, number in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS)
def test_leaderboards_of_equal_submissions_have_few_warnings(law):
    shares = counted("qe_sentence", lambda rng: task_of(*LAWS[law](rng, 100), Scores), ["secondary=[]"])
    assert {kind: share for kind, share in shares.items() if share > MOST} == {}


@pytest.mark.slow
def test_williams_is_warned_of_where_scores_are_not_normal():
    rules = ["secondary=[]", "interval=", "test=williams", "correction=holm"]
    normal_scores = counted("qe_sentence", lambda rng: task_of(*normal(rng, 100), Scores), rules)
    assert normal_scores.get("normal scores", 0) <= MOST
    with_zeros = counted("qe_sentence", lambda rng: task_of(*zeros(0.6, rng, 100), Scores), rules)
    assert with_zeros["normal scores"] > 0.9


@pytest.mark.slow
def test_leaderboards_of_rare_tags_have_few_warnings():
    shares = counted("qe_word", tags, ["secondary=[]"])
    assert {kind: share for kind, share in shares.items() if share > MOST and kind not in ALWAYS["rare"]} == {}
