"""Parts of the passes over the data."""

import os
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe import Runner, Submission, Task
from qeframe.additions.notices import notices
from qeframe.plugin import DataError, Detections, Metric, Scores, Tags, Values
from qeframe.streaming import first_pass
from qeframe.streaming.additive_rows import ChunkRows
from qeframe.streaming.first_pass import notices_of_chunks, survey
from qeframe.streaming.second_pass import Drawing, Node, Sums, SumTree, seconds_of_draws, sum_chunks
from qeframe.streaming.sides import Sides
from qeframe.streaming.sources.lines import open_source
from qeframe.streaming.stream import stream


# The first pass: counts, means, digests, warnings.
def surveyed(kind, gold, other, chunk=3):
    sides = Sides(kind=kind, gold=open_source(kind, gold, "gold"), submissions={"a": open_source(kind, other, "a")})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(first_pass, "UNITS_IN_CHUNK", chunk)
        return survey(sides, lambda _done: None)


@settings(max_examples=60)
@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=30), st.integers(1, 30), st.sampled_from([0.0, 1e9]))
def test_centers_are_those_of_a_batch_of_all_units(values, chunk, offset):
    gold = np.array(values) + offset
    found = surveyed(Scores, gold, gold[::-1].copy(), chunk)
    batch = Scores(ids=np.arange(len(gold)), gold=gold, predicted=gold[::-1].copy())
    assert found.units == len(gold)
    assert found.centers == pytest.approx(batch.pivot, rel=1e-12, abs=1e-6)


def test_the_center_of_a_constant_is_exact():
    assert surveyed(Scores, np.full(1000, 0.1), np.full(1000, 1e7 + 0.3)).centers == (0.1, 1e7 + 0.3)
    assert surveyed(Values, np.ones(4), np.ones(4)).centers == (1.0, 1.0)


@pytest.mark.parametrize("chunk", [2, 100])
def test_warnings_on_the_gold(chunk):
    assert surveyed(Scores, np.arange(8.0), np.ones(8), chunk).gold_warning == ""
    assert "the gold is constant" in surveyed(Scores, np.ones(8), np.ones(8), chunk).gold_warning
    assert surveyed(Scores, np.array([1.0, 1, 2, 2]), np.ones(4), chunk).gold_warning == ""
    assert "no positive unit" in surveyed(Detections, np.zeros(80), np.ones(80), chunk).gold_warning
    assert surveyed(Detections, np.arange(80) % 2, np.ones(80), chunk).gold_warning == ""


def test_a_warning_on_tags_that_all_chunks_share(tmp_path):
    (tmp_path / "a").write_text("OK\n" * 7)
    assert surveyed(Tags, tmp_path / "a", tmp_path / "a").gold_warning.startswith("the gold has no tag BAD")
    (tmp_path / "a").write_text("OK\n" * 70 + "BAD\n" * 70)
    assert surveyed(Tags, tmp_path / "a", tmp_path / "a").gold_warning == ""


def test_digests_tell_values_apart():
    first = surveyed(Scores, np.arange(8.0), np.ones(8))
    assert first.digests == surveyed(Scores, np.arange(8.0), np.ones(8)).digests
    assert first.chunk_digests.shape == (2, 3)
    assert first.digests != surveyed(Scores, np.arange(8.0)[::-1], np.ones(8)).digests


# What chunks tell of submissions, against the notices on the same data in memory.
RNG = np.random.default_rng(0)
GOLD = RNG.normal(size=200)
HONEST = GOLD + RNG.normal(size=200)
ANSWERS = {
    "honest": HONEST, "other": GOLD + RNG.normal(size=200), "gold": GOLD, "again": HONEST.copy(),
    "one": np.full(200, 0.5), "turned": -GOLD + RNG.normal(size=200),
}  # fmt: skip


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
        "the rules do not limit the chance of a false claim ('bootstrap(draws=50)', two-sided, correction=none), since "
        "correction=none does not limit it over all pairs; a two-sided test with the correction holm limits it"
    )
    assert "copy on another scale" in found.signature.rules["not looked for"]


# The second pass: sums that merge, and files that change.
def silent(_done):
    pass


def corpus(gold, other):
    return Sides(
        kind=Scores, gold=open_source(Scores, gold, "gold"), submissions={"a": open_source(Scores, other, "a")}
    )


def summed(sides, found, registry, drawings=()):
    metric = registry.get(Metric, "mae")
    probe = Scores.from_plain([1.0, 2.0], [1.0, 2.0])
    rows = ChunkRows((metric.bind(probe).score,))
    return sum_chunks(sides, [metric], rows, found, drawings, (1, 2), Runner(), silent).whole()


def test_sums_of_parts_add_up_to_those_of_the_whole(registry):
    gold, other = np.random.default_rng(0).normal(size=(2, 50))
    drawing = Drawing(5, "poisson")
    whole, *parts = (
        summed(corpus(gold[part], other[part]), survey(corpus(gold[part], other[part]), silent), registry, [])
        for part in (slice(None), slice(0, 20), slice(20, 45), slice(45, None))
    )
    left, right = (parts[0] + parts[1]) + parts[2], parts[0] + (parts[1] + parts[2])
    for joined in (left, right):
        assert joined.units == whole.units == 50
        assert joined.totals[0] == pytest.approx(whole.totals[0], rel=1e-14)
    with_draws = Sums(1, (np.ones(2),), {drawing: (np.ones((5, 2)),)})
    assert ((with_draws + with_draws).drawn[drawing][0] == 2).all()


def test_a_file_that_changes_between_the_passes(tmp_path, registry):
    for name in ("gold", "a"):
        (tmp_path / name).write_text("1\n2\n3\n")
    sides = corpus(tmp_path / "gold", tmp_path / "a")
    found = survey(sides, silent)
    summed(sides, found, registry)
    status = os.stat(tmp_path / "a")
    (tmp_path / "a").write_text("1\n2\n3\n4\n")
    with pytest.raises(DataError, match=r"/a: the file has changed while it was read for the second time; start again"):
        summed(sides, found, registry)
    (tmp_path / "a").write_text("1\n2\n4\n")
    os.utime(tmp_path / "a", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert os.stat(tmp_path / "a").st_mtime_ns == status.st_mtime_ns
    with pytest.raises(DataError, match=r"/a: the file has changed"):  # by its values alone
        summed(sides, found, registry)


def test_an_array_that_grows_or_changes(registry):
    gold = np.arange(4.0)
    found = survey(corpus(gold, gold), silent)
    with pytest.raises(DataError, match="gold: the file has changed"):
        summed(corpus(np.arange(5.0), np.arange(5.0)), found, registry)
    with pytest.raises(DataError, match="a: the file has changed"):
        summed(corpus(gold, gold + 1), found, registry)


def test_the_time_of_draws_is_estimated():
    columns = np.ones((3, 50))
    drawings = [Drawing(70), Drawing(20, "poisson")]
    assert 0 < seconds_of_draws(columns, np.arange(50), 5000, drawings, Runner()) < 600
    assert seconds_of_draws(columns, np.arange(50), 5000, [], Runner()) == 0


# Sums up a tree: equal bits for any division of the chunks.
def by_halves(values, size):
    """Return the sum of a node of so many chunks by its definition: that of its left half, and of its right one."""
    if len(values) == 1 or size == 1:
        return values[0]
    half = size // 2
    left = by_halves(values[:half], half)
    return left + by_halves(values[half:], half) if len(values) > half else left


@given(st.integers(1, 70), st.integers(0, 2**32), st.lists(st.integers(0, 70), max_size=9))
def test_sums_do_not_depend_on_how_chunks_are_divided(chunks, seed, cuts):
    values = np.random.default_rng(seed).normal(size=chunks) * 1e9 ** np.random.default_rng(seed).normal(size=chunks)
    ends = sorted({0, chunks, *(min(cut, chunks) for cut in cuts)})
    shards = [
        SumTree().add(Node(0, nth, values[nth]) for nth in range(first, last)).nodes for first, last in pairwise(ends)
    ]
    merged = SumTree()
    for nodes in shards:
        assert len(nodes) <= 2 * chunks.bit_length()
        merged.add(nodes)
    assert merged.whole() == by_halves(values, 1 << (chunks - 1).bit_length())


def sides_of(tmp_path, gold, *others, kind=Scores):
    for name, content in zip(["gold", *"abc"], (gold, *others), strict=False):
        (tmp_path / f"{name}.txt").write_text(content)
    return Sides(
        kind=kind,
        gold=open_source(kind, tmp_path / "gold.txt", "gold"),
        submissions={n: open_source(kind, tmp_path / f"{n}.txt", n) for n in "abc"[: len(others)]},
    )


def lines(count):
    return "".join(f"{i}\n" for i in range(count))


def test_chunks_and_batches(tmp_path):
    sides = sides_of(tmp_path, lines(5), lines(5), lines(5))
    chunks = [sides.batches(pieces) for pieces in sides.chunks(2)]
    assert [[len(batch) for batch in batches] for batches in chunks] == [[2, 2], [2, 2], [1, 1]]
    assert chunks[1][1].gold.tolist() == chunks[1][1].predicted.tolist() == [2, 3]
    assert [path.path.rpartition("/")[2] for path in sides.sources] == ["gold.txt", "a.txt", "b.txt"]


@pytest.mark.parametrize("units", [1, 2, 3, 5, 100])
@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((6, 6, 5), r"/b.txt:5: the file ends after 5 units, but .*/gold.txt goes on; give both the same units"),
        ((6, 4, 7), r"/a.txt:4: the file ends after 4 units, but .*/gold.txt goes on"),
        ((4, 4, 6), r"/gold.txt:4: the file ends after 4 units, but .*/b.txt goes on"),
    ],
)
def test_files_of_different_lengths(tmp_path, units, counts, message):
    with pytest.raises(DataError, match=message):
        list(sides_of(tmp_path, *map(lines, counts)).chunks(units))


def test_arrays_of_different_lengths():
    sides = Sides(
        kind=Scores,
        gold=open_source(Scores, np.ones(3), "gold"),
        submissions={"a": open_source(Scores, np.ones(5), "a")},
    )
    with pytest.raises(DataError, match="gold: the file ends after 3 units, but a goes on"):
        list(sides.chunks(2))


@pytest.mark.parametrize("units", [1, 2, 100])
@pytest.mark.parametrize(
    ("gold", "other", "message"),
    [
        (
            "1 1\n3 1\n5 1\n",
            "1 1\n3 1\n6 1\n",
            r"/a.txt:3: id 6, but 5 in .*/gold.txt on this line; give both the same",
        ),
        ("1 1\n3 1\n3 1\n", "1 1\n3 1\n3 1\n", r"/gold.txt:3: id 3 is not larger than the one before; sort all files"),
        ("1 1\n3 1\n2 1\n", "1 1\n3 1\n2 1\n", r"/gold.txt:3: id 2 is not larger"),
        ("1 1\n3 1\n", "1\n3\n", r"/a.txt:1: this file and .*/gold.txt do not both have a column of ids; give ids"),
    ],
)
def test_ids_must_be_the_same_and_rise(tmp_path, units, gold, other, message):
    with pytest.raises(DataError, match=message):
        list(sides_of(tmp_path, gold, other).chunks(units))


def test_equal_rising_ids_are_accepted(tmp_path):
    sides = sides_of(tmp_path, "0 1\n3 1\n70 1\n", "0 2\n3 2\n70 2\n")
    assert [pieces[0].ids.tolist() for pieces in sides.chunks(2)] == [[0, 3], [70]]


def test_sides_are_checked_against_each_other_with_their_lines(tmp_path):
    sides = sides_of(tmp_path, "OK\nOK BAD\nOK\n", "OK\nOK BAD\nOK OK\n", kind=Tags)
    with pytest.raises(
        DataError, match=r"/a.txt:3: 2 tags in sentence 3, 1 expected as in .*/gold.txt:3; give one tag"
    ):
        list(sides.chunks(2))
