"""Files of scores: parsed once, read alone, as a gold; their cells; the values of the official program."""

import gzip
import json
from functools import partial
from pathlib import Path

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.loader import load
from qeframe.core.reader import Reader
from qeframe.data.align import align
from qeframe.data.reading import TextFile
from qeframe_wmt import mtme
from qeframe_wmt.readers.metrics.mtme.cells import with_means
from qeframe_wmt.readers.metrics.mtme.plain_tables import plain_table
from qeframe_wmt.readers.metrics.mtme.score_files import (
    MetricFile,
    ParsedFiles,
    metric_file,
    open_folder,
    read_system_columns,
)
from tests.outcome import failure

READER = Parametric(mtme)


@pytest.mark.parametrize(
    ("name", "base", "references"),
    [
        ("BLEU-refA", "BLEU", ("refA",)),
        ("GEMBA-MQM-src", "GEMBA-MQM", ()),
        ("COMET-22-refA.refB", "COMET-22", ("refA", "refB")),
        ("HuaweiTSC_EE_BERTScore_0.3_With_Human-refA", "HuaweiTSC_EE_BERTScore_0.3_With_Human", ("refA",)),
        ("UniTE-src-src", "UniTE-src", ()),
        ("prism-all", "prism", ("all",)),
        ("plain", "plain", ()),
    ],
)
def test_the_name_of_a_metric_file(name, base, references):
    assert metric_file(name) == MetricFile(name, base, references)


def test_the_names_of_human_scores_may_have_dots(tree):
    tree({"human-scores/en-de.mqm.merged.seg.score": "A 1\n", "metric-scores/en-de/m.seg.s-src.seg.score": "A 1\n"})
    folder = open_folder(Path())
    assert folder.golds("en-de", "seg") == ["mqm.merged"]
    assert [(metric.base, list(levels)) for metric, levels in folder.metrics("en-de").items()] == [("m.seg.s", ["seg"])]


def test_scores_that_are_there_twice(tree, refusal):
    tree({"human-scores/en-de.mqm.seg.score": "A 1\n", "human-scores/en-de.mqm.seg.score.gz": ""})
    message = (
        "human-scores: the same scores are there twice: en-de.mqm.seg.score and en-de.mqm.seg.score.gz; "
        "keep one of the two"
    )
    assert refusal(READER(), ".") == message


def test_a_file_of_human_scores_without_a_pair(tree, refusal):
    tree({"human-scores/en-de.mqm.seg.score": "A 1\n", "human-scores/notes.score": "A 1\n"})
    said = "human-scores/notes.score: this is no file of human scores: LP.NAME.LEVEL.score; rename or remove it"
    assert refusal(READER(), ".") == said


def test_scores_of_systems_that_are_means_of_other_segments_are_told(tree):
    human, metric = {"A": [1, None, 3, None], "B": [2, None, 2, None]}, {"A": [1, 9, 3, 8], "B": [2, 0, 1, 1]}

    def scores(of, level):
        means = {name: [np.mean([value for value in values if value is not None])] for name, values in of.items()}
        given = of if level == "seg" else means
        return "".join(f"{name}\t{value}\n" for name, values in given.items() for value in values)

    files = {f"human-scores/en-xx.mqm.{level}.score": scores(human, level) for level in ("seg", "sys")}
    files |= {f"metric-scores/en-xx/m-src.{level}.score": scores(metric, level) for level in ("seg", "sys")}
    tree(files)
    (reading,) = READER(level="sys").read(Path(), "high")
    said = "humans rated 2 of 4 segments, scores of systems by m-src are means of all: --set level=seg takes the rated"
    assert reading.remarks == (said,)
    rated = {name: [values[0], values[2]] for name, values in metric.items()}
    tree({**files, "metric-scores/en-xx/m-src.sys.score": scores(rated, "sys")})
    (reading,) = READER(level="sys").read(Path(), "high")
    assert reading.remarks == ()
    Path("metric-scores/en-xx/m-src.sys.score").unlink()
    (averaged,) = READER(level="sys").read(Path(), "high")
    assert averaged.submissions[0].values.tolist() == reading.submissions[0].values.tolist()
    assert [(note.what, note.count, note.reason) for note in averaged.dropped] == [
        ("system score", 1, "no file of system scores, means of rated segments are used: m-src")
    ]
    tree({"metric-scores/en-xx/m-src.seg.score": "A\t1\nB\t2\n"})
    (short,) = READER(level="sys").read(Path(), "high")
    assert [note.reason for note in short.dropped] == ["no system scores, and scores of 1 segment, not of 4: m-src"]


def test_a_file_that_unpacks_to_far_more(tree, refusal, monkeypatch):
    bomb = "metric-scores/en-de/M-src.seg.score.gz"
    tree({"human-scores/en-de.mqm.seg.score": "A 1\nB 2\n", bomb: gzip.compress(b"A 1\n" * 2_000_000)})
    monkeypatch.setenv("QEFRAME_LARGEST_FILE", "1")
    assert refusal(READER(), ".").startswith(f"{bomb}: a file is too large: the bound is 1 MiB of text; split it")


def test_a_compressed_file_that_is_cut_off(tree, refusal):
    cut = "metric-scores/en-de/M-src.seg.score.gz"
    tree({"human-scores/en-de.mqm.seg.score": "A 1\nB 2\n", cut: gzip.compress(b"A 1\nB 2\n")[:-9]})
    assert refusal(READER(), ".") == f"{cut}: cannot be unpacked (gzip): it is cut off; get the file again"


def test_a_file_is_parsed_once_until_it_changes(tree):
    tree({"a.seg.score": "A 1\nB 2\n", "b.seg.score": "A 3\nB 4\n"})
    parsed = ParsedFiles()
    first = parsed.systems(Path("a.seg.score"))
    assert parsed.systems(Path("a.seg.score")) is first
    Path("a.seg.score").write_text("A 1\nB 7\n", "utf-8")
    assert parsed.systems(Path("a.seg.score")).cells.tolist() == [[1, 7]]


def test_the_memory_is_bounded(tree):
    tree({f"{i}.seg.score": f"A {i}\nB 2\n" for i in range(5)})
    one = ParsedFiles()
    one.systems(Path("0.seg.score"))
    parsed = ParsedFiles(largest=2 * one.size)
    for i in range(5):
        assert parsed.systems(Path(f"{i}.seg.score")).cells[0, 0] == i
        assert parsed.size <= 2 * one.size
    last = parsed.systems(Path("4.seg.score"))
    assert parsed.systems(Path("4.seg.score")) is last


def test_a_folder_without_human_scores(tree):
    tree({"x": ""})
    with pytest.raises(DataError, match="it has no human-scores"):
        open_folder(Path())


NUMBERS = st.floats(-100, 100, width=32)
SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6)


@given(SHAPES.flatmap(lambda s: st.tuples(hnp.arrays(float, s, elements=NUMBERS), hnp.arrays(bool, s))), st.data())
def test_means_are_the_targets_and_differences_within_a_column_stay(drawn, data):
    cells, present = drawn
    target = data.draw(hnp.arrays(float, cells.shape[1], elements=NUMBERS))
    moved = with_means(cells, target, present)
    for column in range(cells.shape[1]):
        kept = present[:, column]
        if kept.any():
            assert abs(float(np.mean(moved[kept, column])) - target[column]) <= 1e-9
        else:
            np.testing.assert_array_equal(moved[:, column], cells[:, column])
        np.testing.assert_allclose(np.diff(moved[:, column]), np.diff(cells[:, column]), atol=1e-9)


def test_missing_cells_stay_missing():
    cells = np.array([[1.0, np.nan], [3.0, 5.0]])
    moved = with_means(cells, np.array([10.0, -1.0]), ~np.isnan(cells))
    np.testing.assert_array_equal(moved, [[9, np.nan], [11, -1]])


METRICS = {
    ("sys", "accuracy"): "pairwise_accuracy",
    ("sys", "pearson"): "system_pearson",
    ("seg", "pearson"): "segment_pearson",
    ("seg", "KendallWithTiesOpt"): "acc_eq",
}


@pytest.fixture(scope="module")
def official(shared_data):
    path = Path(shared_data("wmt23-metrics-pairs")).parents[1] / "golden" / "task_sets.json"
    if not path.exists():
        pytest.skip("the official values are not beside the data")
    return json.loads(path.read_text("utf-8"))["wmt23"]


@pytest.fixture(scope="module")
def batches(shared_data):
    folder = shared_data("wmt23-metrics-pairs")

    def read(**parameters):
        tasks = [align(reading) for reading in READER(selection="wmt23", **parameters).read(folder, "high")]
        return {task.name: {s.name: batch for s, batch in task.batches.items()} for task in tasks}

    return {"seg": read(), "sys": read(level="sys"), "sys by segment": read(level="sys", units="segments")}


@pytest.mark.slow
def test_every_part(official, batches):
    for task, scores in zip(official["tasks"], official["scores"], strict=True):
        metric, pairs = METRICS[task["level"], task["corr_fcn"]], task["lang"].split(",")
        levels = [task["level"], *(["sys by segment"] if metric == "system_pearson" else [])]
        expected = {name.removesuffix("[noref]"): score for name, score in scores.items()}
        assert len(expected) == 32
        for level in levels:
            assert set(batches[level][pairs[0]]) == set(expected)
            for name, score in expected.items():
                assert pooled(metric, [batches[level][pair][name] for pair in pairs]) == pytest.approx(score, abs=1e-9)


def pooled(metric, of_pairs):
    """Return the score over pairs of systems of all language pairs."""
    weights = [batch.systems * (batch.systems - 1) / 2 for batch in of_pairs]
    return np.average([qeframe.score(metric, batch, None) for batch in of_pairs], weights=weights)


def test_domains_and_the_human_row(shared_data):
    folder = shared_data("wmt23-metrics-pairs")
    reader = READER(selection="wmt23", level="sys", units="segments", domain="news", human_row="da-sqm")
    readings = {reading.name: reading for reading in reader.read(folder, "high")}
    reading = readings["en-de"]
    gold = dict(line.split("\t")[1:] for line in lines(folder, "en-de.mqm") if line.startswith("news"))
    systems = [name for name in gold if name != "refA"]
    means = np.nanmean(reading.gold.values, axis=0)
    assert sorted(means) == pytest.approx(sorted(float(gold[name]) for name in systems), abs=1e-9)
    assert (reading.submissions[-1].name, reading.submissions[-1].kind) == ("human (da-sqm)", "human")
    assert [note.reason for note in readings["he-en"].dropped if "human (" in note.reason] == [
        "no segment scores: human (da-sqm)"
    ]


def lines(folder, name):
    return (folder / "human-scores" / f"{name}.domain.score").read_text("utf-8").splitlines()


def test_readers_say_where_submissions_are():
    registry = load()
    folders = {
        name: registry.get(Reader, name).submission.folder
        for name in ("mtme", "rankings", "decided_pairs", "wmt20_darr", "wmt20_systems", "qe_sentence", "wmt26_spans")
    }
    assert folders == {
        "mtme": "metric-scores",
        "rankings": "scores",
        "decided_pairs": "scores",
        "wmt20_darr": "scores",
        "wmt20_systems": "scores",
        "qe_sentence": "",
        "wmt26_spans": "",
    }


SCORES = st.sampled_from(["0.5", "-2", "1e-3", "None", "0.12345678901234567", "12345678901234567890123"])


SYSTEMS = st.permutations(["A", "B", "Long-name"])


@given(st.permutations(["A", "B", "Long-name"] * 2))
def test_a_system_that_comes_back_after_others_is_refused(names):
    in_turn = names[:3] == names[3:]
    together = len([name for name, other in zip(names, [None, *names], strict=False) if name != other]) == 3
    text = "".join(f"{name}\t{score}\n" for score, name in enumerate(names))
    read = partial(read_system_columns, TextFile(Path("a.seg.score"), tuple(text.splitlines()), ""))
    if in_turn or together:
        assert read().systems == tuple(dict.fromkeys(names))
        return
    again = next(i for i, name in enumerate(names) if name in names[: max(i - 1, 0)] and names[i - 1] != name)
    assert failure(DataError, read).startswith(
        f"a.seg.score:{again + 1}: system '{names[again]}' comes back after others; put all lines of a system together"
    )
    assert plain_table(text.encode()) is None


@given(SYSTEMS, st.booleans(), st.lists(SCORES, min_size=6))
def test_lines_of_systems_are_columns(order, in_turn, scores):
    names = order * 2 if in_turn else [name for name in order for _ in range(2)]
    lines = tuple(f"{name}\t{score}" for name, score in zip(names, scores, strict=False))
    columns = read_system_columns(TextFile(Path("a.seg.score"), lines, ""))
    assert columns.systems == tuple(dict.fromkeys(names))
    for number, system in enumerate(columns.systems):
        places = [nth for nth, name in enumerate(names) if name == system]
        assert columns.lines[:, number].tolist() == [place + 1 for place in places]
        slow = [np.nan if scores[place] == "None" else float(scores[place]) for place in places]
        np.testing.assert_array_equal(columns.cells[:, number], slow)
    plain = plain_table("".join(f"{line}\n" for line in lines).encode())
    if in_turn:
        assert plain is None
        return
    table, cells = plain
    assert table.systems == columns.systems
    np.testing.assert_array_equal(table.lines, columns.lines)
    np.testing.assert_array_equal(cells, columns.cells)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "A\t1",
        "A 1\n",
        "A\t1 \n",
        "A\t1\r\n",
        "\t1\n",
        "A\t\n",
        "A\t1\n\n",
        "A\t1\t\n",
        "\n",
        "A\n1\t",
        "\u00c4\t1\n",
    ]
    + ["A\tnan\n", "A\t1_0\n", "A\tnone\n", "A\t1e101\n", "A\t1\nB\t2\nB\t3\n", "A\t1\n" * 99 + "B" * 999 + "\t1\n"]
    + ["B" * 1001 + "\t1\n"],
)
def test_what_is_not_plain_is_left_to_the_reading_by_lines(text):
    assert plain_table(text.encode()) is None
