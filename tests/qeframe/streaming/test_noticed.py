"""What chunks tell of submissions, against the notices on the same data in memory."""

import numpy as np
import pytest

from qeframe.additions.notices import notices
from qeframe.core.tasks.task import Submission, Task
from qeframe.kinds.scores.batch import Scores
from qeframe.kinds.tags.batch import Tags
from qeframe.streaming import first_pass
from qeframe.streaming.noticed import notices_of_chunks
from qeframe.streaming.sides import Sides
from qeframe.streaming.sources.lines import open_source
from qeframe.streaming.stream import stream

RNG = np.random.default_rng(0)
GOLD = RNG.normal(size=200)
HONEST = GOLD + RNG.normal(size=200)
ANSWERS = {
    "honest": HONEST,
    "other": GOLD + RNG.normal(size=200),
    "gold": GOLD,
    "again": HONEST.copy(),
    "one": np.full(200, 0.5),
    "turned": -GOLD + RNG.normal(size=200),
}


def in_memory(kind, gold, answers, **options):
    batches = {Submission(name): kind.from_plain(gold, values) for name, values in answers.items()}
    return [each.removeprefix("t: ") for each in notices([Task(name="t", batches=batches)], **options)]


def in_chunks(kind, gold, answers, *, signs=True, chunk=7):
    sides = Sides(
        kind=kind,
        gold=open_source(kind, gold, "gold"),
        submissions={name: open_source(kind, values, name) for name, values in answers.items()},
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first_pass, "UNITS_IN_CHUNK", chunk)
        found = first_pass.survey(sides, lambda _done: None)
    return list(notices_of_chunks(found.noticed, found.digests[1:], found.units, kind.unit, signs=signs))


@pytest.mark.parametrize("signs", [True, False])
@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_numbers(signs, offset):
    gold, answers = GOLD + offset, {name: values + offset for name, values in ANSWERS.items()}
    said = in_chunks(Scores, gold, answers, signs=signs)
    assert len(said) == (4 if signs else 3)
    assert sorted(said) == sorted(in_memory(Scores, gold, answers, signs=signs))


def test_few_units_say_nothing():
    assert in_chunks(Scores, GOLD[:19], {"copy": GOLD[:19], "again": GOLD[:19]}) == []


def test_tags(tmp_path):
    rows = [[1 if value > 0.9 else 0 for value in RNG.normal(size=5)] for _ in range(40)]
    others = [[0 if at == 3 else tag for at, tag in enumerate(row)] for row in rows]
    answers = {"gold": rows, "a": others, "b": others, "ok": [[0] * 5] * 40}
    paths = {}
    for name, side in {"rows": rows, **answers}.items():
        paths[name] = tmp_path / name
        paths[name].write_text("".join(" ".join(["OK", "BAD"][tag] for tag in row) + "\n" for row in side))
    said = in_chunks(Tags, paths["rows"], {name: paths[name] for name in answers})
    assert said == [
        "ok is constant: it has one answer for all, 0 (40 sentences)",
        "gold equals the gold in all 200 values",
        "b equals a in all 200 values",
    ]
    assert said == in_memory(Tags, rows, answers)


def test_a_result_has_the_notices_and_says_what_it_does_not_look_for():
    found = stream("mae", GOLD, {"a": HONEST, "one": np.full(200, 0.5)}, test="bootstrap(draws=50)", correction="none")
    first, second, *_ = found.warnings
    assert first == "gold: one is constant: it has one answer for all, 0.5 (200 segments)"
    assert second == (
        "the rules do not limit the chance of a false claim ('bootstrap(draws=50)', two-sided, correction=none); a "
        "two-sided test with the correction holm limits it"
    )
    assert "copy on another scale" in found.signature.rules["not looked for"]
