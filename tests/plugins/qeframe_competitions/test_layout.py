"""Where gold and submissions are."""

import pytest

from qeframe.core.components.reader import Reader
from qeframe.core.errors import DataError
from qeframe_competitions.layout import Layout, find_layout, place, reference_files, submission_format
from tests.plugins.qeframe_competitions.small_files import write


def reader(registry, name):
    return registry.get(Reader, name)


def test_folders_of_tasks(registry, sentence_gold):
    layout = find_layout(reader(registry, "qe_sentence"), sentence_gold)
    assert layout == Layout(("en-cs", "en-de"))
    assert list(reference_files(layout, sentence_gold)) == ["en-cs/gold.da", "en-de/gold.da"]


def test_one_task_has_the_name_of_its_folder(registry, sentence_gold, monkeypatch):
    monkeypatch.chdir(sentence_gold / "en-de")
    layout = find_layout(reader(registry, "qe_sentence"), sentence_gold.parent / "gold" / "en-de" / ".")
    assert layout == Layout(("en-de",))


def test_a_folder_that_tasks_share(registry, metric_gold):
    layout = find_layout(reader(registry, "mtme"), metric_gold)
    assert layout == Layout(shared="metric-scores")
    assert sorted(reference_files(layout, metric_gold)) == [
        "human-scores/en-de.da.seg.score",
        "human-scores/en-de.mqm.seg.score",
    ]


def test_hidden_files_and_submissions_stay_outside(registry, word_gold):
    write(word_gold, {"en-de/.DS_Store": "x", "en-de/more/submissions/deep.txt": "kept"})
    layout = find_layout(reader(registry, "word_columns_2020"), word_gold)
    assert sorted(reference_files(layout, word_gold)) == [
        "en-de/gold.tags",
        "en-de/more/submissions/deep.txt",
        "en-de/mt_tok",
    ]


def test_a_reader_that_reads_no_submission_alone(registry):
    with pytest.raises(DataError, match="'graham_table' reads no file of one submission; choose a profile"):
        submission_format(reader(registry, "graham_table"))


def test_no_gold(registry, tmp_path):
    with pytest.raises(DataError, match="neither a gold file nor folders of tasks"):
        find_layout(reader(registry, "qe_sentence"), tmp_path)


def test_names_of_authors_say_nothing(tmp_path):
    write(tmp_path, {"a.jsonl": "1", "b.<b>": "2", "c." + "x" * 40: "3"})
    root = tmp_path / "root"
    for source, made in (("a.jsonl", "submission.jsonl"), ("b.<b>", "submission.txt")):
        assert place(Layout(("t",)), {"t": tmp_path / source}, root) == {root / "t" / "submissions" / made: "t"}
    (long,) = place(Layout(("t",)), {"t": tmp_path / ("c." + "x" * 40)}, root)
    assert len(long.name) == len("submission") + 12
    (shared,) = place(Layout(shared="scores"), {"en-de/m.score": tmp_path / "a.jsonl"}, root)
    assert shared == root / "scores" / "en-de" / "m.score"
    assert shared.read_text() == "1"
