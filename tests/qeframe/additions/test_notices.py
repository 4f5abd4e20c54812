"""What the answers of a submission say about it."""

import numpy as np
import pytest

from qeframe.additions.notices import notices
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.spans.batch import Spans
from qeframe.kinds.tags.batch import Tags
from qeframe.kinds.texts.batch import Texts
from qeframe.kinds.token_scores.batch import TokenScores

RNG = np.random.default_rng(0)
GOLD = RNG.normal(size=200)
HONEST = GOLD + RNG.normal(size=200)


def found(kind, gold, /, **submissions):
    batches = {Submission(name): kind.from_plain(gold, answers) for name, answers in submissions.items()}
    return list(notices([Task(name="t", batches=batches)]))


@pytest.mark.parametrize(
    ("answers", "notice"),
    [
        (GOLD, "t: X equals the gold in all 200 values"),
        (HONEST + 0.0, "t: X equals honest in all 200 values"),
        (np.full(200, 0.5), "t: X is constant: it has one answer for all, 0.5 (200 segments)"),
        (np.roll(HONEST, 1), "t: X looks shifted by 1 segment: its correlation with the gold is 0.6"),
        (np.roll(HONEST, -3), "t: X looks shifted by 3 segments: its correlation with the gold is 0.6"),
        (-GOLD + RNG.normal(size=200), "t: X has its sign turned, it seems: its correlation with the gold is -0.6"),
        (
            np.where(np.arange(200) < 2, [0.1, 0.2] * 100, 0.5),
            "t: X is almost constant: all but 2 of 200 values equal 0.5; its score, intervals and tests hang on so few",
        ),
        (np.where(np.arange(200) < 3, 0.1, 0.5), None),
        (3 * GOLD - 7, "t: X is the gold on another scale: their correlation is 1 to rounding in 200 values"),
        ((HONEST / 9).round(6), "t: X is honest on another scale: their correlation is 1 to rounding in 200 values"),
        (GOLD + RNG.normal(size=200), None),
        (RNG.normal(size=200), None),
    ],
)
def test_scores(answers, notice):
    said = found(Scores, GOLD, honest=HONEST, X=answers)
    assert said == [] if notice is None else (len(said) == 1 and said[0].startswith(notice))


def test_copies_on_a_scale_with_the_other_end_first():
    assert found(Scores, GOLD, honest=HONEST, X=-HONEST.round(6), gold=-GOLD)[:2] == [
        "t: X is honest on another scale: their correlation is -1 to rounding in 200 values",
        "t: gold is the gold on another scale: their correlation is -1 to rounding in 200 values",
    ]


def test_several_copies_are_named_at_once():
    same = GOLD + RNG.normal(size=len(GOLD))
    assert found(Scores, GOLD, one=same, two=same, three=same) == ["t: two, three equal one in all 200 values"]


def test_few_units_say_nothing():
    assert found(Scores, GOLD[:19], copy=GOLD[:19], again=GOLD[:19]) == []


def of_kind(kind):
    """Return a gold, an honest answer, and a function that shifts answers by one unit."""
    sizes = RNG.integers(3, 9, size=200)
    if kind is Grid:
        gold = RNG.normal(size=(200, 4)) + GOLD[:, None]
        return gold, gold + RNG.normal(size=(200, 4)), lambda rows: np.roll(rows, 1, axis=0)
    if kind is Texts:
        gold = ["a" * int(size) for size in sizes]
        return gold, [text + "b" * int(RNG.integers(0, 2)) for text in gold], lambda rows: rows
    if kind is Spans:
        length = [int(20 * size) for size in sizes]
        gold = [[(0, int(RNG.integers(1, n)), "minor")] for n in length]
        return gold, [[(*spans[0][:2], "major")] for spans in gold], lambda rows: [rows[-1], *rows[:-1]]
    gold = [(RNG.random(6) < 0.1 + 0.8 * (n % 2)).astype(int).tolist() for n in sizes]
    honest = [[tag if RNG.random() < 0.9 else 1 - tag for tag in row] for row in gold]
    return gold, honest, lambda rows: [rows[-1], *rows[:-1]]


@pytest.mark.parametrize("kind", [Grid, Tags, TokenScores, Spans, Texts])
def test_every_kind(kind):
    gold, honest, shift = of_kind(kind)
    assert found(kind, gold, honest=honest) == []
    said = " ".join(found(kind, gold, honest=honest, again=honest, copy=gold))
    assert "again equals honest" in said
    assert "copy equals the gold" in said
    if kind is not Texts:
        assert "moved looks shifted by 1" in " ".join(found(kind, gold, moved=shift(honest)))
