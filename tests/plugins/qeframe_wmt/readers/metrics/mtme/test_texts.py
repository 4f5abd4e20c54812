"""Texts of a language pair: located by their names, scored, exported and read back; what is lacking is counted."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_readings
from qeframe.core.calls import Parametric
from qeframe.data.translations import read_texts
from qeframe_wmt import mtme as reader
from qeframe_wmt.readers.metrics.wmt20_to_25_mtme import mtme
from tests.plugins.qeframe_wmt.published_layout import SEGMENTS, SYSTEMS, published
from tests.written import write_files

READER = Parametric(reader)
PAIR = "he-en"
SETTINGS = ("primaries=[BLEU]", "test=", "interval=")


def text_of(name):
    return "".join(f"{name} says {number}\n" for number in range(SEGMENTS))


def folder_of_texts(**changed):
    """Return the files of he-en, whose standard reference is refB and where refA is scored, with all texts."""
    files = published("wmt23", [PAIR])
    files |= {f"references/{PAIR}.{name}.txt": text_of(name) for name in ("refA", "refB")}
    files |= {f"system-outputs/{PAIR}/{name}.txt": text_of(name) for name in SYSTEMS}
    files[f"sources/{PAIR}.txt"] = text_of("source")
    return {**files, **changed}


def read(level="seg", **parameters):
    (reading,) = READER(selection="wmt23", level=level, **parameters).read(Path(), "high")
    return reading


def notes(reading):
    return [note.reason for note in reading.dropped if note.what == "text"]


def test_texts_are_located_by_their_names(tree):
    tree(folder_of_texts())
    reading = read()
    assert reading.texts is not None
    assert reading.texts.reference_names == ("refB",)
    assert set(reading.texts.systems) == {*SYSTEMS, "refA"} == set(reading.systems)
    texts = read_texts(reading.texts)
    assert texts.source == text_of("source").splitlines()
    assert texts.systems["refA"] == text_of("refA").splitlines()
    assert [list(each) for each in texts.references] == [text_of("refB").splitlines()]
    assert reading.texts.segments.tolist() == reading.gold.ids.tolist()
    assert notes(reading) == []


def test_compressed_texts_are_unpacked(tree):
    packed = {f"system-outputs/{PAIR}/{SYSTEMS[0]}.txt", f"references/{PAIR}.refB.txt", f"sources/{PAIR}.txt"}
    files = folder_of_texts()
    tree({name: text for name, text in files.items() if name not in packed})
    tree({f"{name}.gz": gzip.compress(files[name].encode()) for name in packed})
    texts = read_texts(read().texts)
    assert texts.systems[SYSTEMS[0]] == text_of(SYSTEMS[0]).splitlines()
    assert texts.source == text_of("source").splitlines()


def test_no_texts_without_a_folder_of_translations(tree):
    tree(published("wmt23", [PAIR]))
    reading = read()
    assert reading.texts is None
    assert notes(reading) == []


@pytest.mark.parametrize(
    ("lacking", "reason"),
    [
        (f"system-outputs/{PAIR}/{SYSTEMS[0]}.txt", f"no file of translations: {SYSTEMS[0]}"),
        (f"references/{PAIR}.refA.txt", "no file of translations: refA"),
        (f"references/{PAIR}.refB.txt", "there is no text of a standard reference"),
    ],
)
def test_lacking_texts_are_counted(tree, lacking, reason):
    tree({name: text for name, text in folder_of_texts().items() if name != lacking})
    reading = read()
    assert reading.texts is None
    assert notes(reading) == [reason]


def test_sources_are_optional(tree):
    tree({name: text for name, text in folder_of_texts().items() if not name.startswith("sources")})
    assert read_texts(read().texts).source is None


@pytest.mark.parametrize("level", ["segment", "system"])
def test_texts_are_written_and_read_back(tree, tmp_path, level):
    tree(folder_of_texts())
    settings = SETTINGS[:1]
    written = mtme().write(read_readings(choose_profile(f"wmt23_metrics_{level}", settings), Path()))
    expected = {name for name in folder_of_texts() if name.startswith(("system-outputs", "references", "sources"))}
    found = {name for name in written.files if name.startswith(("system-outputs", "references", "sources"))}
    assert found == expected
    assert all(written.files[name].decode() == folder_of_texts()[name] for name in expected)
    assert "sources are not known" not in [note.reason for note in written.dropped]
    write_files(tmp_path / "out", written.files)
    again = mtme().write(read_readings(choose_profile(f"wmt23_metrics_{level}", settings), tmp_path / "out"))
    assert {name: again.files[name] for name in found} == {name: written.files[name] for name in found}


@pytest.mark.parametrize("level", ["segment", "system"])
def test_metrics_are_computed_from_the_texts(tree, level):
    files = folder_of_texts()
    files[f"system-outputs/{PAIR}/{SYSTEMS[1]}.txt"] = files[f"references/{PAIR}.refB.txt"]
    tree(files)
    settings = [*SETTINGS, "computed=[wer]"]
    tasks = qeframe.read_tasks(choose_profile(f"wmt23_metrics_{level}", settings), Path())
    (batch,) = [batch for submission, batch in tasks[0].batches.items() if submission.name == "wer"]
    best = read().systems.index(SYSTEMS[1])
    assert (batch.predicted.argmax(axis=1) == best).all()
    np.testing.assert_array_equal(batch.predicted[:, best], 0.0)
