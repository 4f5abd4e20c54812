"""A kind of batch: one letter of A, B and C for each question; with its metric, its reader, and an attack on it."""

from pathlib import Path
from random import Random
from typing import Any, Self

import attrs
import numpy as np
from attrs import frozen

from qeframe.plugin import Batch, Best, BoolArray, IntArray, Metric, additive
from qeframe.plugin.audit import Attack
from qeframe.plugin.kinds import AuditAnswers, BatchKind, GeneratedGold, PlainFormat, UnitNumbers, unit_field
from qeframe.plugin.readers import Reader, Reading, TextFile, parse_plain_sides, read_text_lines

LETTERS = "ABC"


@frozen(kw_only=True, eq=False)
class Letters(Batch):
    """The right letter and the chosen letter of each question, as positions in the alphabet, (n,) int64."""

    unit = "question"
    gold: IntArray = unit_field()
    predicted: IntArray = unit_field()

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from two strings of letters."""
        truth, answers = (np.array([LETTERS.index(letter) for letter in side]) for side in (gold, predicted))
        return cls(ids=np.arange(len(truth)), gold=truth, predicted=answers)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: IntArray, predicted: IntArray, best: Best) -> Self:
        """Make a batch from aligned sides."""
        return cls(ids=ids, gold=gold, predicted=predicted)

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the letters where `mask` is true."""
        mine, theirs = np.where(mask, other.predicted, self.predicted), np.where(mask, self.predicted, other.predicted)
        return attrs.evolve(self, predicted=mine), attrs.evolve(other, predicted=theirs)

    def contents(self, position: int) -> dict[str, str]:
        """Return both letters."""
        return {"gold": LETTERS[self.gold[position]], "predicted": LETTERS[self.predicted[position]]}

    def unit_numbers(self) -> UnitNumbers:
        """Return the positions in the alphabet: what the page of a run shows of single questions."""
        return UnitNumbers(
            answers=self.predicted.astype(float),
            gold=self.gold.astype(float),
            gaps=(self.gold != self.predicted).astype(float),
            values="position in the alphabet",
            measure="share of submissions with another letter",
            ends=(0.0, 2.0),
            text="gold",
        )


# --- what files, laws and the audit need to know of it --------------------------------------------------------------


def parse(file: TextFile):
    """Read one letter a line: the ids of the units, and their values."""
    for number, line in enumerate(file.lines, 1):
        if len(line) != 1 or line not in LETTERS:
            raise file.error(f"'{line}' is not a letter", line=number, remedy=f"write one of {', '.join(LETTERS)}")
    return np.arange(len(file.lines)), np.array([LETTERS.index(line) for line in file.lines])


def perfect(batch: Letters) -> Letters:
    """Hand in the gold."""
    return attrs.evolve(batch, predicted=batch.gold)


def rearranged(batch: Letters, rng: np.random.Generator) -> Letters:
    """Give the right letters to other questions."""
    return attrs.evolve(batch, predicted=rng.permutation(batch.gold))


def honest(batch: Letters, quality: float, rng: np.random.Generator) -> Letters:
    """Answer a share of the questions right, and the others as in `rearranged`."""
    known = rng.random(len(batch)) < quality
    return attrs.evolve(batch, predicted=np.where(known, batch.gold, rng.permutation(batch.gold)))


def generate(rng: np.random.Generator) -> GeneratedGold:
    """Generate a gold of the audit."""
    gold = rng.choice(3, 600, p=[0.5, 0.3, 0.2])
    return GeneratedGold(Letters(ids=np.arange(600), gold=gold, predicted=gold), "600 letters: 50 % A, 30 % B, 20 % C")


def fixed(rng: Random, units: int) -> list[Letters]:
    """Return three submissions to one gold, for locked numbers."""
    gold, *sides = ("".join(rng.choice(LETTERS) for _ in range(units)) for _ in range(4))
    return [Letters.from_plain(gold, side) for side in sides]


def submissions(*, submissions: int = 2, min_units: int = 1, max_units: int = 8):
    """Return a strategy of Hypothesis for submissions to one gold; it is imported for laws only."""
    from hypothesis import strategies as st

    def of_length(units: int):
        return st.tuples(*[st.text(LETTERS, min_size=units, max_size=units)] * (submissions + 1))

    sides = st.integers(min_units, max_units).flatmap(of_length)
    return sides.map(lambda drawn: tuple(Letters.from_plain(drawn[0], side) for side in drawn[1:]))


def plain(batch: Letters) -> dict[str, str]:
    """Return both sides as `Letters.from_plain` takes them."""
    return {name: "".join(LETTERS[code] for code in getattr(batch, name)) for name in ("gold", "predicted")}


kind = BatchKind(
    batch=Letters,
    plain_format=PlainFormat(parse=parse),
    audit=AuditAnswers(perfect=perfect, rearranged=rearranged, honest=honest, generate=generate),
    fixed_submissions=fixed,
    submissions=submissions,
    plain=plain,
    with_answers=lambda batch, answers: attrs.evolve(batch, predicted=answers),
    gold_answers=lambda batch: batch.gold,
    constants=lambda batch: [np.full(len(batch), code) for code in range(len(LETTERS))],
    rearrangements=lambda batch, answers: [np.roll(answers, shift) for shift in range(max(1, len(answers)))],
)


# --- what uses it ---------------------------------------------------------------------------------------------------


def right(batch: Letters):
    """Return rows (n, 2): 1, and whether the letter is right."""
    return np.stack([np.ones(len(batch)), batch.gold == batch.predicted], axis=1)


def share(sums):
    """Return the share of right letters from sums (..., 2); NaN without questions."""
    return np.divide(sums[..., 1], sums[..., 0], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 0] > 0)


metric = Metric(
    name="their_letters",
    summary="The share of right letters",
    kind=Letters,
    bind=additive(columns=("questions", "right"), extract=right, score=share),
    bounds=(0.0, 1.0),
    smooth=True,
)

attack = Attack(
    name="their_first_letter",
    summary="Answers A everywhere",
    kind=Letters,
    manner="blind",
    knowledge="the most frequent letter",
    answer=lambda batch, rng: attrs.evolve(batch, predicted=np.zeros_like(batch.gold)),
    refutes="constant_proof",
)


def read(path: Path, best: Best) -> list[Reading]:
    """Read a task: ``gold.txt``, and a file for each submission in the folder ``submissions``."""
    gold, *others = (read_text_lines(file) for file in [path / "gold.txt", *sorted(path.glob("submissions/*.txt"))])
    truth, sides = parse_plain_sides(Letters, gold, others, names=[file.path.stem for file in others])
    return [Reading(name=path.name, kind=Letters, gold=truth, submissions=sides, best=best)]


reader = Reader(name="their_letters", summary="a folder of files of letters", kind=Letters, read=read)
