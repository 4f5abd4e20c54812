"""A new kind of batch is one class, one `BatchKind` and one hook; files, laws, audit and lock then know it."""

import subprocess
import sys
from collections.abc import Mapping
from random import Random
from typing import Any, Self

import attrs
import numpy as np
import pandas
import pytest
from attrs import frozen
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError, PluginError
from qeframe.kinds.plain_files import plain_reading
from qeframe.kinds.registered import find_kind, kind_of
from qeframe.plugin import Batch, BoolArray, IntArray, Metric, PostEdits, Scores, Values, additive, hookimpl
from qeframe.plugin.audit import Attack
from qeframe.plugin.kinds import AuditAnswers, BatchKind, GeneratedGold, PlainFormat, UnitNumbers, unit_field
from qeframe.plugin.readers import Submission, Task, TextFile
from qeframe.report.html.facts import unit_facts
from qeframe.testing import checks_of, registered_kinds, verdicts_on
from qeframe.testing.plugin_report import check_plugin
from qeframe.testing.snapshot import changes, lock
from tests.qeframe.core.components.made_plugins import plugin

# --- the plugin: a kind of batch, a metric on it, and an attack -----------------------------------------------------

LETTERS = "ABC"


@frozen(kw_only=True, eq=False)
class Choices(Batch):
    """One gold letter and one predicted letter for each unit."""

    gold: IntArray = unit_field()
    predicted: IntArray = unit_field()

    @classmethod
    def from_plain(cls, gold: Any, predicted: Any, **declared: Any) -> Self:
        """Make a batch from two strings of letters."""
        codes = (np.array([LETTERS.index(letter) for letter in side], dtype=np.int64) for side in (gold, predicted))
        first, second = codes
        return cls(ids=np.arange(len(first)), gold=first, predicted=second)

    @classmethod
    def pair(cls, *, ids: IntArray, gold: Any, predicted: Any, best: Any) -> Self:
        """Make a batch from aligned sides."""
        return cls(ids=ids, gold=gold, predicted=predicted)

    def contents(self, position: int) -> dict[str, str]:
        """Return both letters."""
        return {side: LETTERS[codes[position]] for side, codes in (("gold", self.gold), ("predicted", self.predicted))}

    def unit_numbers(self) -> UnitNumbers:
        """Return the places of the letters in the alphabet; each is one part that is marked unless it is an A."""
        gold, answers = 50.0 * self.gold, 50.0 * self.predicted
        gaps = np.abs(gold - answers)
        measure, ends = "mean distance in the alphabet", (0.0, 100.0)
        return UnitNumbers(
            answers=answers, gold=gold, gaps=gaps, values="% of the way to C", measure=measure, ends=ends, text="gold"
        )

    def swap_answers(self, other: Self, mask: BoolArray) -> tuple[Self, Self]:
        """Swap the letters where `mask` is true."""
        mine, theirs = self.predicted, other.predicted
        return (
            attrs.evolve(self, predicted=np.where(mask, theirs, mine)),
            attrs.evolve(other, predicted=np.where(mask, mine, theirs)),
        )


def parse(file: TextFile) -> tuple[IntArray, Any]:
    for number, line in enumerate(file.lines, 1):
        if line not in LETTERS:
            raise file.error(f"'{line}' is not a letter", line=number, remedy=f"write one of {LETTERS}")
    return np.arange(len(file.lines)), np.array([LETTERS.index(line) for line in file.lines], dtype=np.int64)


def plain(batch: Choices) -> Mapping[str, Any]:
    return {name: "".join(LETTERS[code] for code in getattr(batch, name)) for name in ("gold", "predicted")}


def rotations(_batch: Choices, answers: IntArray) -> list[IntArray]:
    return [np.roll(answers, shift) for shift in range(max(1, len(answers)))]


def honest(batch: Choices, quality: float, rng: np.random.Generator) -> Choices:
    copied = rng.random(len(batch)) < quality
    return attrs.evolve(batch, predicted=np.where(copied, batch.gold, rng.permutation(batch.gold)))


def generate(rng: np.random.Generator) -> GeneratedGold:
    gold = rng.choice(3, 600, p=[0.5, 0.3, 0.2])
    return GeneratedGold(Choices(ids=np.arange(600), gold=gold, predicted=gold), "600 letters, half of them A")


def fixed(rng: Random, units: int) -> list[Choices]:
    gold, *sides = ["".join(LETTERS[int(3 * rng.random())] for _ in range(units)) for _ in range(4)]
    return [Choices.from_plain(gold, side) for side in sides]


@st.composite
def submissions(draw: Any, *, submissions: int = 2, min_units: int = 1, max_units: int = 5) -> tuple[Choices, ...]:
    units = draw(st.integers(min_units, max_units))
    side = st.text(LETTERS, min_size=units, max_size=units)
    gold = draw(side)
    return tuple(Choices.from_plain(gold, draw(side)) for _ in range(submissions))


KIND = BatchKind(
    batch=Choices,
    plain_format=PlainFormat(parse=parse),
    audit=AuditAnswers(
        perfect=lambda batch: attrs.evolve(batch, predicted=batch.gold),
        rearranged=lambda batch, rng: attrs.evolve(batch, predicted=rng.permutation(batch.gold)),
        honest=honest,
        generate=generate,
    ),
    fixed_submissions=fixed,
    submissions=submissions,
    plain=plain,
    with_answers=lambda batch, answers: attrs.evolve(batch, predicted=answers),
    gold_answers=lambda batch: batch.gold,
    constants=lambda batch: [np.full(len(batch), code) for code in range(3)],
    rearrangements=rotations,
)


def rows(batch: Choices) -> Any:
    return np.stack([np.ones(len(batch)), batch.gold == batch.predicted], axis=1)


def share(sums: Any) -> Any:
    return np.divide(sums[..., 1], sums[..., 0], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 0] > 0)


METRIC = Metric(
    name="correct_letters",
    summary="The share of correct letters",
    kind=Choices,
    bind=additive(columns=("units", "correct"), extract=rows, score=share),
    bounds=(0.0, 1.0),
)
ATTACK = Attack(
    name="always_a", summary="Answers A everywhere", kind=Choices, manner="blind",
    knowledge="the most frequent letter",
    answer=lambda batch, rng: attrs.evolve(batch, predicted=np.zeros(len(batch), dtype=np.int64)),
    refutes="constant_proof",
)  # fmt: skip


class Plugin:
    """The plugin."""

    @hookimpl
    def qeframe_metrics(self):
        return [METRIC]

    @hookimpl
    def qeframe_kinds(self):
        return [KIND]

    @hookimpl
    def qeframe_attacks(self):
        return [ATTACK]


# --- what the framework does with it --------------------------------------------------------------------------------


REGISTRY = qeframe.load(extra={"letters": Plugin()})


@pytest.fixture(scope="module")
def registry():
    return REGISTRY


def test_scores_of_a_metric_and_of_a_plain_function(registry):
    assert qeframe.score("correct_letters", "ABCA", "ABBB", registry=registry) == 0.5
    metric = qeframe.metric_from(lambda gold, mine: mine.count("A") / len(gold), kind=Choices, name="share_of_a")
    assert qeframe.score(metric, "ABCA", "ABBB", registry=registry) == 0.25
    assert Choices.from_gold("AB").predicted.tolist() == [0, 1]


def test_plain_files(tmp_path):
    for name, text in (("gold", "A\nB\n"), ("mine", "A\nC\n"), ("wrong", "A\nD\n")):
        (tmp_path / f"{name}.txt").write_text(text)
    reading = plain_reading(Choices, tmp_path / "gold.txt", [tmp_path / "mine.txt"])
    assert reading.submissions[0].values.tolist() == [0, 2]
    with pytest.raises(DataError, match="'D' is not a letter; write one of ABC"):
        plain_reading(Choices, tmp_path / "gold.txt", [tmp_path / "wrong.txt"])


@pytest.mark.parametrize("check", [*checks_of(METRIC, tries=20), *checks_of(ATTACK, tries=20)], ids=str)
def test_laws(check):
    check()


def test_claims_are_tried():
    verdicts = {verdict.claim: verdict for verdict in verdicts_on(METRIC)}
    assert verdicts["constant_proof"].holds is False
    assert verdicts["constant_proof"].counterexample.keys() == {"gold", "constant"}
    assert verdicts["padding_proof"].holds is None


def test_the_plugin_report(registry):
    report = check_plugin("letters", registry, tries=5)
    assert not report.broken
    assert {finding.component for finding in report.findings} == {"correct_letters", "always_a"}


def test_audit(registry):
    (metric,) = qeframe.audit("correct_letters", attacks=["always_a"], registry=registry).metrics
    attacked = metric.attacks[0]
    assert attacked.score == pytest.approx(0.5, abs=0.05)
    assert attacked.base == pytest.approx(0.38, abs=0.05)
    assert metric.gaming_index == pytest.approx((attacked.score - attacked.base) / (1 - attacked.base))
    assert {claim["claim"]: claim["holds"] for claim in metric.claims}["constant_proof"] is False


def test_lock(registry):
    locked = lock(registry, plugins=["letters"])
    assert list(locked) == ["metric correct_letters", "attack always_a"]
    assert list(locked["metric correct_letters"].values)[:2] == ["choices-1", "choices-2"]
    assert changes(locked, registry, plugins=["letters"]) == []


def test_the_page_shows_its_units():
    batches = {Submission(name): Choices.from_plain("AABC", side) for name, side in (("x", "AABA"), ("y", "ABBB"))}
    facts = unit_facts(Task(name="en-de", batches=batches))
    assert (facts["values"], facts["measure"]) == ("% of the way to C", "mean distance in the alphabet")
    first, second = facts["disagreements"]
    assert (first["unit"], first["text"], first["gap"]) == ("3", "C", 75.0)
    assert (second["unit"], second["highest"]) == ("1", ["y", 50.0])


def test_frames(registry):
    frame = pandas.DataFrame({"gold": ["A", "B"], "mine": ["A", "C"]})
    (task,) = qeframe.tasks_from_frame(frame, kind=Choices, submissions=["mine"])
    assert task.contents(1) == {"gold": "B", "mine": "C"}


# --- the registered kinds -------------------------------------------------------------------------------------------


def test_a_subclass_has_the_kind_of_its_ancestor():
    class Special(Choices):
        pass

    assert kind_of(Special) is KIND


def test_a_class_without_a_kind():
    class Unknown(Batch):
        pass

    assert find_kind(Unknown) is None
    what = "no plugin brings the kind of batches of Unknown; bring one by the hook qeframe_kinds"
    with pytest.raises(DataError, match=what):
        kind_of(Unknown)


class Twice:
    """A plugin with another kind for a class that has one."""

    @hookimpl
    def qeframe_kinds(self):
        return [BatchKind(batch=Scores)]


def test_two_kinds_for_one_class_are_refused():
    with pytest.raises(PluginError, match="the kind of batch 'Scores' is brought twice: by plugin 'qeframe_kinds' of"):
        qeframe.load(extra={"twice": Twice()})
    with pytest.raises(PluginError, match="hook qeframe_kinds must return values of type BatchKind, not int"):
        qeframe.load(extra={"wrong": plugin(qeframe_kinds=[1])})


def test_a_kind_without_strategies_has_no_laws_and_is_audited(registry):
    @frozen(kw_only=True, eq=False)
    class Plain(Choices):
        pass

    qeframe.load(extra={"plain": plugin(qeframe_kinds=[BatchKind(batch=Plain, audit=KIND.audit)])})
    metric = attrs.evolve(METRIC, kind=Plain)
    with pytest.raises(DataError, match="the laws cannot be tried on batches of Plain: their kind has no strategy"):
        checks_of(metric)
    batch = Plain.from_plain("AAB" * 20, "AAB" * 20)
    audit = qeframe.audit(metric, batch, attacks=[attrs.evolve(ATTACK, kind=Plain)], registry=registry)
    assert audit.notes == (f"the claims of {metric} were not tried: the kind of its batches has no strategy",)
    assert all(claim["holds"] in (None, False) for claim in audit.metrics[0].claims)


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_the_parts_of_a_kind_fit_together(kind):
    first, *others = kind.fixed_submissions(Random(1), 5)
    assert all(type(each) is kind.batch for each in (first, *others))
    if kind.batch is not PostEdits:  # its answers are texts too
        answered = kind.with_answers(first, others[0].predicted)
        assert kind.plain(answered)["predicted"] == kind.plain(others[0])["predicted"]
    if kind.batch is not Values:
        perfect = kind.plain(kind.audit.perfect(first))
        assert {name: value for name, value in perfect.items() if name != "predicted"} == {
            name: value for name, value in kind.plain(first).items() if name != "predicted"
        }


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_inputs_of_a_kind_are_the_same_for_a_seed_and_have_one_gold(kind):
    for draw in (kind.off_grid, kind.fixed_submissions and (lambda rng: kind.fixed_submissions(rng, 7))):
        if draw is None:
            continue
        batches, again = ([kind.plain(batch) for batch in draw(Random("same"))] for _ in range(2))
        assert len({repr(batch.get("gold")) for batch in batches}) == 1
        assert len({repr(batch) for batch in batches}) > 1
        assert list(map(repr, batches)) == list(map(repr, again))
    if kind.regular is not None:
        first, same, other = (repr(kind.plain(kind.regular(np.random.default_rng(seed), 50))) for seed in (1, 1, 2))
        assert first == same != other


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_units_are_taken_whole_and_their_answers_are_swapped_whole(kind):
    first, second, *_ = kind.fixed_submissions(Random(1), 6)
    mask = np.array([True, False, True, False, False, True])

    def units_of(batch):
        return list(zip(*(side for name, side in kind.plain(batch).items() if name != "best"), strict=True))

    one, other = units_of(first), units_of(second)
    assert any(one[unit] != other[unit] for unit in (0, 2, 5))
    swapped = first.swap_answers(second, mask)
    assert [type(batch) for batch in swapped] == [kind.batch] * 2
    assert units_of(swapped[0]) == [
        theirs if move else mine for mine, theirs, move in zip(one, other, mask, strict=True)
    ]
    assert units_of(swapped[1]) == [
        mine if move else theirs for mine, theirs, move in zip(one, other, mask, strict=True)
    ]
    for units in (np.array([3, 1, 1]), mask):
        part, places = first.take(units), np.arange(6)[units]
        assert (type(part), part.ids.tolist(), part.unit) == (kind.batch, first.ids[places].tolist(), first.unit)
        assert units_of(part) == [one[place] for place in places]


def test_kinds_do_not_import_hypothesis():
    code = "import sys, qeframe.kinds.registered, qeframe.gaming.audit; print('hypothesis' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
