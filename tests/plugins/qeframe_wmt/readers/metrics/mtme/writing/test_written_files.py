"""`mtme` as a format: what it writes is read again with the same scores, and what it cannot write is refused."""

import gzip
import json

import attrs
import numpy as np
import pytest

from qeframe.api.evaluate import evaluate
from qeframe.api.read import choose_profile, read_readings, read_tasks
from qeframe.core.loader import load
from qeframe.core.reader import Reader
from qeframe.data.reading import Reading, TextFiles, TranslationScores, UnitValues
from qeframe.kinds.grid.batch import Grid
from qeframe.kinds.judgments.batch import Judgments
from qeframe_wmt.readers.metrics.wmt20_to_25_mtme import mtme
from tests.plugins.qeframe_wmt.published_layout import published
from tests.plugins.qeframe_wmt.readings import refused
from tests.written import write_files

QUIET = ("test=", "interval=")


def scores(profile, path, *settings):
    """Return the record of an evaluation without a test, and in it the scores of every submission by its name."""
    chosen = choose_profile(profile, [*settings, *QUIET])
    record = json.loads(evaluate(chosen, read_tasks(chosen, path)).to_json())
    return {each["name"]: each["scores"] for each in record["submissions"]}, record


def exported(profile, path, folder, *settings, **parameters):
    written = mtme(**parameters).write(read_readings(choose_profile(profile, settings), path))
    write_files(folder, written.files)
    return written


def grid(**changed):
    ids = np.array([1, 2, 4])
    gold = np.array([[1.0, 2.5], [np.nan, 0.1], [3.0, np.nan]])
    given = {
        "name": "en-de",
        "kind": Grid,
        "gold": UnitValues(name="gold", ids=ids, values=gold),
        "submissions": (UnitValues(name="M", ids=ids[::-1], values=np.arange(6.0).reshape(3, 2)),),
        "systems": ("a", "b"),
    }
    return Reading(**{**given, **changed})


def judged(**changed):
    known = TranslationScores(
        systems=("a", "b", "c"), segments=("d::1", "d::2"), cells=np.array([[90.0, 20.0, 30.0], [10.0, 50.0, np.nan]])
    )
    values = np.array([[1, 0, 1], [-1, 0, 1]])
    given = {
        "name": "cs-en",
        "kind": Judgments,
        "gold": UnitValues(name="gold", ids=np.arange(2), values=values),
        "submissions": (UnitValues(name="M", ids=np.arange(2), values=np.array([[0.5, 0.25], [0.1, 0.2]])),),
        "groups": {"segment": ["d::1", "d::2"], "document": ["d", "d"]},
        "translations": known,
    }
    return Reading(**{**given, **changed})


def lines(written, path):
    return written.files[path].decode().splitlines()


@pytest.mark.parametrize("name", ["wmt22", "wmt23", "wmt24"])
@pytest.mark.parametrize("level", ["segment", "system"])
def test_what_is_written_has_the_same_scores(name, level, tmp_path):
    source, profile = write_files(tmp_path / "in", published(name)), f"{name}_metrics_{level}"
    exported(profile, source, tmp_path / "out")
    before, _ = scores(profile, source)
    after, _ = scores(profile, tmp_path / "out")
    assert after == before


def test_a_task_set_is_written_from_all_its_readings(tmp_path):
    source = write_files(tmp_path / "in", published("wmt23"))
    exported("wmt23_metrics", source, tmp_path / "out")
    before, _ = scores("wmt23_metrics", source)
    after, _ = scores("wmt23_metrics", tmp_path / "out")
    assert before.keys() == after.keys()
    for name, of in before.items():
        assert of["overall"]["value"] == pytest.approx(after[name]["overall"]["value"], abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["wmt23_metrics_segment", "wmt23_metrics_system"])
def test_real_data_of_2023(profile, shared_data, tmp_path):
    source = shared_data("wmt23-metrics-pairs")
    exported(profile, source, tmp_path / "out")
    before, _ = scores(profile, source)
    after, _ = scores(profile, tmp_path / "out")
    assert len(before) == 32
    assert after == before


@pytest.mark.slow
def test_real_assessments_of_2020(shared_data, tmp_path):
    """Pairs of assessments 25 apart are the pairs of a grid with this threshold."""
    source = shared_data("wmt20-repository")
    computed = ("secondary=[]", "computed=[]")
    exported("wmt20_metrics_segment", source, tmp_path / "out", *computed, references=["refA"])
    before, _ = scores("wmt20_metrics_segment", source, "primary=kendall(ties=darr)", *computed)
    again = ("reader=mtme", "primary=kendall_like(threshold=25)", "secondary=[]", "resample=segment")
    after, _ = scores("wmt20_metrics_segment", tmp_path / "out", *again)
    assert {f"{name}-refA": values(of["kendall(ties=darr)"]) for name, of in before.items()} == {
        name: values(of["kendall_like(threshold=25)"]) for name, of in after.items()
    }


def values(score):
    return score["value"], {name: of["value"] for name, of in score["tasks"].items()}


def test_cells_are_written_by_id_and_missing_ones_as_none():
    written = mtme(gold="da", references=("all",)).write([grid(groups={"document": ["x", "x", "y"]})])
    assert lines(written, "human-scores/en-de.da.seg.score") == [
        "a\t1.0", "a\tNone", "a\tNone", "a\t3.0", "b\t2.5", "b\t0.1", "b\tNone", "b\tNone",
    ]  # fmt: skip
    assert lines(written, "metric-scores/en-de/M-all.seg.score") == [
        "a\t4.0", "a\t2.0", "a\tNone", "a\t0.0", "b\t5.0", "b\t3.0", "b\tNone", "b\t1.0",
    ]  # fmt: skip
    assert lines(written, "metric-scores/en-de/M-all.sys.score") == ["a\t2.0", "b\t4.0"]
    assert lines(written, "documents/en-de.docs") == ["unknown\tx", "unknown\tx", "unknown\tunknown", "unknown\ty"]
    assert [(note.what, note.count) for note in written.dropped] == [
        ("metric", 1), ("scorer", 2), ("segment", 4), ("segment", 4),
    ]  # fmt: skip


def test_scores_of_systems_have_no_segments():
    one = grid(
        gold=UnitValues(name="gold", ids=np.array([1]), values=np.array([[1.0, 2.0]])), submissions=(), level="sys"
    )
    written = mtme().write([one])
    assert list(written.files) == ["human-scores/en-de.gold.sys.score"]
    assert written.dropped == ()


def test_judgments_are_written_from_the_scores_that_they_were_made_of():
    written = mtme().write([judged()])
    assert lines(written, "human-scores/cs-en.gold.seg.score") == [
        "a\t90.0", "a\t10.0", "b\t20.0", "b\t50.0", "c\tNone", "c\tNone",
    ]  # fmt: skip
    assert lines(written, "metric-scores/cs-en/M-src.seg.score") == [
        "a\t0.5", "a\t0.1", "b\t0.25", "b\t0.2", "c\tNone", "c\tNone",
    ]  # fmt: skip
    assert lines(written, "documents/cs-en.docs") == ["unknown\td"] * 2
    assert ("human score", 1) in [(note.what, note.count) for note in written.dropped]


def test_texts_are_written_where_they_are_known(tmp_path):
    write_files(
        tmp_path,
        {"ref/one": "r1\nr2\nr3\nr4\n", "ref/two": "s1\ns2\ns3\ns4\n", "a": "1\n2\n3\n4\n", "b": "5\n\n7\n8\n"},
    )
    texts = TextFiles(
        pair="en-de",
        systems={"a": tmp_path / "a", "b": tmp_path / "b"},
        references=(tmp_path / "ref/one", tmp_path / "ref/two"),
        segments=np.array([1, 2, 4]),
        root=tmp_path,
    )
    computed = UnitValues(name="bleu", ids=np.array([1, 2, 4]), values=np.ones((3, 2)), path=str(tmp_path / "ref"))
    written = mtme().write([grid(texts=texts, submissions=(computed,))])
    assert written.files["references/en-de.refB.txt"] == b"s1\ns2\ns3\ns4\n"
    assert written.files["system-outputs/en-de/b.txt"] == b"5\n\n7\n8\n"
    assert "metric-scores/en-de/bleu-refA.refB.seg.score" in written.files
    assert any(note.reason == "sources are not known" for note in written.dropped)


def test_names_of_files_are_kept(tmp_path):
    files = {
        "human-scores/en-de.mqm.merged.seg.score": "a\t1\nb\t2\n",
        "human-scores/en-de.da.seg.score.gz": gzip.compress(b"a\t3\nb\tNone\n"),
        "metric-scores/en-de/my-own-refB.seg.score.gz": gzip.compress(b"a\t0.1\nb\t0.30000000000000004\n"),
    }
    source = write_files(tmp_path / "in", files)
    settings = ('reader=mtme(gold="mqm.merged", human_row=da)',)
    written = exported("wmt23_metrics_segment", source, tmp_path / "out", *settings)
    assert {path for path in written.files if "seg" in path} == {
        "human-scores/en-de.mqm.merged.seg.score",
        "human-scores/en-de.da.seg.score",
        "metric-scores/en-de/my-own-refB.seg.score",
    }
    assert lines(written, "metric-scores/en-de/my-own-refB.seg.score") == ["a\t0.1", "b\t0.30000000000000004"]
    assert lines(written, "human-scores/en-de.da.seg.score") == ["a\t3.0", "b\tNone"]


@pytest.mark.parametrize(
    ("readings", "message"),
    [
        ([judged(translations=None)], "humans compared translations, and gave no scores; the layout holds one human"),
        ([grid(systems=())], "its reader does not name the systems; a reader states them as Reading.systems"),
        ([grid(systems=("a", "b c"))], "the system 'b c' cannot be written as mtme: its columns are"),
        ([grid(name="en.de")], "the task 'en.de' cannot be written as mtme: a point ends"),
        ([grid(name="../x")], "the name of the task, '../x', cannot be written as mtme: it is no name of a file"),
        ([grid(), attrs.evolve(grid(), submissions=grid().submissions * 2)], "to metric-scores as 'M-src'"),
        (
            [grid(), grid(submissions=(UnitValues(name="M", ids=np.array([1]), values=np.array([[9.0, 9.0]])),))],
            "its readings differ in the scores of 'M-src'; export a profile that reads one domain, at one level",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_written(readings, message):
    assert message in refused(mtme().write, readings)


def test_ids_that_are_no_lines_are_numbered():
    ids = np.array([7_000_000, 3, 5])
    gold = UnitValues(name="gold", ids=ids, values=np.ones((3, 2)))
    written = mtme().write([grid(gold=gold, submissions=())])
    assert len(lines(written, "human-scores/en-de.gold.seg.score")) == 6
    assert ("segment", 3, "its id is no number of a line, numbered in order") in [
        (note.what, note.count, note.reason) for note in written.dropped
    ]


def test_what_is_written_is_named_by_the_pair():
    tables = mtme(gold={"en-de": "mqm"}, references={"en-de": "refB"})
    assert {"human-scores/en-de.mqm.seg.score", "metric-scores/en-de/M-refB.seg.score"} < tables.write(
        [grid()]
    ).files.keys()
    others = mtme(gold={"en-cs": "mqm"}, references={"en-cs": "refB"})
    assert {"human-scores/en-de.gold.seg.score", "metric-scores/en-de/M-src.seg.score"} < others.write(
        [grid()]
    ).files.keys()


def test_the_kinds_that_are_written():
    assert load().get(Reader, "mtme(gold=da)").writes == (Grid, Judgments)
