"""Scores of a corpus in chunks: any cut, any executor, the weights of each unit by its id."""

import gzip
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe import CapabilityError, DataError, score_chunks
from qeframe.api.chunks import _add_all, _numbers_of
from qeframe.core.draws import DrawBlock, named_key, poisson_counts

DRAWS = 20


def corpus(n=60, seed=0):
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=n) + 100
    answers = {"good": gold + rng.normal(size=n) / 2, "poor": 5 - 2 * gold + 9 * rng.normal(size=n)}
    return {"id": rng.permutation(10 * n)[:n], "gold": gold, **answers}


def rows_of(columns, rows):
    return {name: side[rows] for name, side in columns.items()}


def cut(columns, ends):
    return [partial(rows_of, columns, rows) for rows in np.split(np.arange(len(columns["id"])), ends) if len(rows)]


def all_draws(found):
    return np.vstack([[result.value for result in found.scores.values()], found.draws])


def test_draws_repeat_each_unit_as_often_as_its_id_says():
    columns = corpus()
    found = score_chunks("pearson", cut(columns, [7, 30]), draws=DRAWS, seed=3)
    weights = poisson_counts(DrawBlock(named_key(3, "chunks"), 0, 0, DRAWS), columns["id"])
    for weight, drawn in zip([np.ones(60, dtype=int), *weights], all_draws(found), strict=True):
        for name, score in zip(("good", "poor"), drawn, strict=True):
            gold, answers = (np.repeat(columns[side], weight) for side in ("gold", name))
            assert score == pytest.approx(np.corrcoef(gold, answers)[0, 1], abs=1e-12)
    assert (found.units, found.chunks) == (60, 3)
    good = found.scores["good"]
    assert good.value == pytest.approx(qeframe.score("pearson", columns["gold"], columns["good"]), abs=1e-13)
    assert [good.low, good.high] == pytest.approx(np.quantile(found.draws[:, 0], [0.025, 0.975]).tolist(), abs=1e-15)
    (pair,) = found.differences
    assert (pair.a, pair.b) == ("good", "poor")
    assert pair.difference == good.value - found.scores["poor"].value
    drawn = np.quantile(found.draws[:, 0] - found.draws[:, 1], [0.025, 0.975])
    assert [pair.low, pair.high] == pytest.approx(drawn.tolist(), abs=1e-15)


@given(ends=st.lists(st.integers(0, 60), max_size=12), order=st.randoms(use_true_random=False))
@pytest.mark.parametrize("metric", ["pearson", "mae", "rmse"])
def test_any_cut_in_any_order_has_the_same_draws(metric, ends, order):
    """Chunks of one unit and chunks that are constant are among them."""
    columns = corpus()
    chunks = cut(columns, sorted(ends))
    order.shuffle(chunks)
    whole = score_chunks(metric, cut(columns, []), draws=DRAWS)
    assert all_draws(score_chunks(metric, chunks, draws=DRAWS)) == pytest.approx(all_draws(whole), abs=1e-10)


class Named(str):
    def __add__(self, other):
        return Named(f"({self}+{other})")


def test_sums_are_added_in_pairs_of_pairs():
    """So that rounding grows with the logarithm of the number of chunks."""
    for count, tree in {1: "0", 3: "((0+1)+2)", 5: "(((0+1)+(2+3))+4)", 7: "(((0+1)+(2+3))+((4+5)+6))"}.items():
        assert _add_all((2, Named(nth)) for nth in range(count)) == (2 * count, tree)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_the_bits_do_not_depend_on_the_workers(count):
    chunks = cut(corpus(), np.linspace(0, 60, count + 1)[1:-1].astype(int))
    alone = all_draws(score_chunks("pearson", chunks, draws=DRAWS))
    for workers in (1, 2, 4):
        with ThreadPoolExecutor(workers) as executor:
            found = score_chunks("pearson", chunks, draws=DRAWS, executor=executor)
        assert np.array_equal(all_draws(found), alone)


@pytest.mark.slow
def test_a_metric_is_found_by_its_name_in_processes():
    chunks = [partial(tagged, start) for start in (0, 4)]
    alone = all_draws(score_chunks("f1_bad", chunks, draws=DRAWS))
    with ProcessPoolExecutor(2) as executor:
        assert np.array_equal(all_draws(score_chunks("f1_bad", chunks, draws=DRAWS, executor=executor)), alone)
        with pytest.raises(DataError, match="the work cannot be sent to other processes"):
            score_chunks("f1_bad", [lambda: tagged(0)], executor=executor)


def tagged(start):
    gold = [["OK", "BAD"], ["BAD"], ["OK", "OK", "BAD"], ["OK"]]
    answers = [["OK", "BAD"], ["OK"], ["BAD", "OK", "BAD"], ["OK"]]
    return {"id": np.arange(start, start + 4), "gold": gold, "one": answers}


@pytest.mark.slow
def test_processes_and_a_cluster_have_the_same_bits():
    distributed = pytest.importorskip("distributed")
    chunks = cut(corpus(), [20, 40])
    alone = all_draws(score_chunks("pearson", chunks, draws=DRAWS))
    with ProcessPoolExecutor(2) as executor:
        assert np.array_equal(all_draws(score_chunks("pearson", chunks, draws=DRAWS, executor=executor)), alone)
    with distributed.Client(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as client:
        found = score_chunks("pearson", chunks, draws=DRAWS, executor=client.get_executor())
    assert np.array_equal(all_draws(found), alone)


@pytest.fixture
def written(tmp_path):
    """Return the corpus in memory, in row groups of Parquet, and in tables of text."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = corpus()
    parquet.write_table(pyarrow.table(columns), tmp_path / "all.parquet", row_group_size=25)
    lines = ["\t".join(columns), *("\t".join(map(repr, row)) for row in zip(*map(list, texts(columns)), strict=True))]
    halves = [lines[:31], [lines[0], *lines[31:]]]
    (tmp_path / "a.tsv.gz").write_bytes(gzip.compress(("\n".join(halves[0]) + "\n").encode()))
    (tmp_path / "b.tsv").write_text("\n".join(halves[1]) + "\n")
    return columns, [tmp_path / "all.parquet"], [str(tmp_path / "a.tsv.gz"), tmp_path / "b.tsv"]


def texts(columns):
    return [side.tolist() for side in columns.values()]


def test_paths_are_read_by_row_groups_and_as_text(written):
    columns, row_groups, tables = written
    groups = score_chunks("pearson", row_groups, draws=DRAWS)
    assert groups.chunks == 3
    assert np.array_equal(all_draws(groups), all_draws(score_chunks("pearson", cut(columns, [25, 50]), draws=DRAWS)))
    of_text = score_chunks("pearson", tables, draws=DRAWS)
    assert np.array_equal(all_draws(of_text), all_draws(score_chunks("pearson", cut(columns, [30]), draws=DRAWS)))


def test_ids_may_be_texts_and_units_sentences_of_tags():
    gold = [["OK", "BAD"], ["BAD"], ["OK", "OK", "BAD"], ["OK"]] * 3
    answers = [["OK", "BAD"], ["OK"], ["BAD", "OK", "BAD"], ["OK"]] * 3
    columns = {"name": [f"doc-{n}-é" for n in range(12)], "tags": gold, "mine": answers}
    whole = score_chunks("mcc", [lambda: columns], ids="name", gold="tags", draws=DRAWS)
    parts = [{name: side[start : start + 1] for name, side in columns.items()} for start in range(12)]
    found = score_chunks("mcc", [lambda p=part: p for part in parts], ids="name", gold="tags", draws=DRAWS)
    assert all_draws(found) == pytest.approx(all_draws(whole), abs=1e-12)
    assert whole.scores["mine"].value == qeframe.score("mcc", gold, answers)
    assert len(np.unique(whole.draws)) > 5


def test_a_text_is_another_unit_wherever_it_stands():
    """However long the other ids of its chunk are."""
    weights = [
        score_chunks("mae", [lambda ids=ids: {"id": ids, "gold": [0.0] * 2, "one": [1.0, 3.0]}], draws=DRAWS).draws
        for ids in (["a", "b"], ["a", "b" + "\u200b" * 20], ["a", "c"])
    ]
    assert not np.array_equal(weights[0], weights[2], equal_nan=True)
    assert not np.array_equal(weights[0], weights[1], equal_nan=True)


def test_a_number_is_the_same_unit_as_its_digits(tmp_path):
    """In a table of text too, beside ids that are none, and to the last digit."""
    ids = [1234567890123456781, 1234567890123456782, 5, 0]
    values = {"gold": [1.0, 2.0, 3.0, 5.0], "one": [2.0, 2.0, 1.0, 7.0]}
    rows = zip(map(str, ids[2:]), values["gold"][2:], values["one"][2:], strict=True)
    (tmp_path / "t.tsv").write_text("id\tgold\tone\n" + "".join(f"{i}\t{g}\t{o}\n" for i, g, o in rows) + "007\t1\t2\n")
    as_text = score_chunks("mae", [tmp_path / "t.tsv"], draws=DRAWS)
    mixed = {"id": ["5", "0", "007"], "gold": [3.0, 5.0, 1.0], "one": [1.0, 7.0, 2.0]}
    assert np.array_equal(all_draws(as_text), all_draws(score_chunks("mae", [lambda: mixed], draws=DRAWS)))
    numbers = _numbers_of(["5", "0", "007", "\u0663", "1" * 19], 0)
    assert numbers[:2].tolist() == [5, 0]
    assert not {7, 3} & {*numbers.tolist()}
    whole = score_chunks("mae", [lambda: {"id": ids, **values}], draws=DRAWS)
    assert np.isfinite(whole.scores["one"].value)


def test_undefined_scores_have_no_interval_and_are_last():
    columns = {**corpus(), "flat": np.full(60, 0.5)}
    found = score_chunks("pearson", cut(columns, [30]), draws=DRAWS)
    assert np.isnan([found.scores["flat"].value, found.scores["flat"].low]).all()
    assert [pair.b for pair in found.differences] == ["poor", "flat", "flat"]
    assert np.isnan(found.differences[-1].high)


def wrong(**changes):
    return lambda: {key: value for key, value in {**corpus(), **changes}.items() if value is not None}


@pytest.mark.parametrize(
    ("chunks", "says"),
    [
        ([], "there is no chunk"),
        (
            [wrong(), wrong(good=None)],
            "chunk 1 has no column 'good'; give id, gold, good, poor; ids= and gold= name columns",
        ),
        ([wrong(), wrong(new=np.ones(60))], "chunk 1 has the columns id, gold, good, poor, new"),
        ([wrong(good=None, poor=None)], "chunk 0 has the columns id, gold; give id, gold, one for each submission"),
        ([wrong(id=np.zeros(60, dtype=int))], "chunk 0 has the id 0 more than once"),
        ([wrong(id=np.arange(60) / 7)], r"float64 of shape \(60,\); give a list of whole numbers"),
        ([wrong(id=[None, *range(59)])], "the ids of chunk 0 are object"),
        ([wrong(id=np.ones((60, 1), dtype=int))], "the ids of chunk 0 are int64 of shape"),
        ([lambda: {"id": [], "gold": [], "one": []}], "chunk 0 has no unit; leave it out"),
        ("corpus.tsv", "chunks must be a sequence"),
        ([3], "a chunk is of the type int"),
        ([wrong(id=np.arange(59))], "chunk 0 has 59 ids and 60 units"),
        ([wrong(), wrong(poor=np.full(60, np.nan))], "chunk 1, poor: missing value"),
        ([lambda: 3], "chunk 0 returned int"),
        (["nowhere.tsv"], "nowhere.tsv: there is no such file"),
    ],
)
def test_chunks_that_cannot_be_used(chunks, says):
    with pytest.raises(DataError, match=says):
        score_chunks("pearson", chunks, draws=DRAWS)


def test_what_is_no_sum_over_units_is_refused():
    with pytest.raises(CapabilityError, match="'spearman' is no function of sums over units"):
        score_chunks("spearman", cut(corpus(), []))
    with pytest.raises(DataError, match="confidence must lie between"):
        score_chunks("mae", cut(corpus(), []), confidence=1)
    for draws in (0, 2.5, True):
        with pytest.raises(DataError, match="draws must be a whole number from 1 on"):
            score_chunks("mae", cut(corpus(), []), draws=draws)


def test_a_row_group_that_is_damaged_names_its_file(written, tmp_path):
    path = written[1][0]
    stored = bytearray(path.read_bytes())
    stored[40:400] = b"\xff" * 360
    (tmp_path / "damaged.parquet").write_bytes(stored)
    with pytest.raises(DataError, match="cannot be read as Parquet"):
        score_chunks("mae", [tmp_path / "damaged.parquet"])
