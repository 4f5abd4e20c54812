"""Files in the format of a task: where copies of them lie beside the files of participants."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.api.entered.entering import Entering, files_beside
from qeframe.data.all_mistakes import submitted_files
from qeframe.data.folders import visible
from qeframe.plugin import DataError, Scores
from qeframe.plugin.readers import (
    ExampleRequest,
    Input,
    Reader,
    Reading,
    Submission,
    SubmissionFormat,
    Submitted,
    UnitValues,
)
from tests.outcome import failure
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.registered import REGISTRY
from tests.written import write_files


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(files):
    write_files(".", files)


def test_a_copy_has_the_level_and_the_ending_that_readers_find():
    write({"data/scores/TER.cs-en.seg.tsv": "1", "mine.tsv": "1", "mine.sys.tsv.gz": "1", "mine": "1"})
    form = REGISTRY.get(Reader, "wmt20_darr").submission
    for given, wanted in (("mine.tsv", "m.seg.tsv"), ("mine.sys.tsv.gz", "m.sys.tsv.gz"), ("mine", "m.seg.tsv")):
        assert list(files_beside("m", Path(given), Path("data"), form)) == [Path("data/scores", wanted)]


def test_folders_of_their_own_and_names_that_are_taken():
    write({"d/en-de/submissions/S/predictions.txt": "1", "d/en-cs/submissions/S/predictions.txt": "1", "mine.txt": "2"})
    found = files_beside("m", Path("mine.txt"), Path("d"))
    assert set(found) == {Path("d", pair, "submissions", "m", "predictions.txt") for pair in ("en-de", "en-cs")}
    assert "a submission has the name 'S'" in failure(DataError, files_beside, "S", Path("mine.txt"), Path("d"))
    write({"d/en-de/submissions/S/other.txt": "1"})
    with pytest.raises(DataError, match=r"submissions have the files other.txt, predictions.txt"):
        files_beside("m", Path("mine.txt"), Path("d/en-de"))


def test_what_has_no_place():
    write({"d/gold.txt": "1", "mine.txt": "2"})
    with pytest.raises(
        DataError, match="no submission lies in a folder of submissions; give a table with a first line"
    ):
        files_beside("m", Path("mine.txt"), Path("d"))
    assert "cannot be the name of a file" in failure(DataError, files_beside, "a/b", Path("mine.txt"), Path("d"))
    Path("empty").mkdir()
    write({"d/submissions/a.txt": "1"})
    assert "no file is here" in failure(DataError, files_beside, "m", Path("empty"), Path("d"))


@pytest.mark.parametrize("profile", ["wmt12_metrics_segment", "wmt14_metrics_system", "wmt20_metrics_segment"])
def test_scores_of_metrics_are_entered_where_the_task_has_none(profile, tmp_path):
    """The file of a metric, put aside and entered, has the scores that it has in its place."""
    rules = qeframe.choose_profile(profile)
    root = with_example(REGISTRY.get(Reader, rules.reader), REGISTRY).write_example(
        tmp_path / "data", ExampleRequest(seed=3)
    )
    tasks = qeframe.read_tasks(rules, root)
    level = tasks[0].level
    files = [each.path for each in submitted_files(root, "scores")]
    file = next(each for each in files if level in each.name.split(".") or not {"seg", "sys"} & {*each.name.split(".")})
    aside = tmp_path / file.name
    file.rename(aside)
    name = aside.name.split(".")[0]
    entered = qeframe.read_tasks(rules, root, enter={name: aside})
    for before, after in zip(tasks, entered, strict=True):
        wanted = before.batches.get(Submission(name))
        if wanted is not None:
            assert after.batches[Submission(name, "entered")].predicted.tolist() == wanted.predicted.tolist()


def test_two_submissions_of_one_content_have_their_own_files():
    """In folders of their own the copies have one name and one content, and so has another submission."""
    lines = "1\n"
    write({"a.txt": lines, "given/b.txt": lines})
    write({"d/b/submissions/S/predictions.txt": lines})

    def side(name, path=""):
        return UnitValues(name=name, ids=np.arange(2), values=np.arange(2.0), path=str(path), lines=np.arange(1, 3))

    form = SubmissionFormat(read=lambda path: [Submitted(answers=side("it", path))])
    folders = Reader(name="folders", summary="s", kind=Scores, read=lambda path, best: (), submission=form)
    entering = Entering.of({"a": "a.txt", "b": "given"}, REGISTRY, [folders])
    other = Path("d/b/submissions/S/predictions.txt")
    with entering.in_folders([folders], Path("d")):
        copies = [file for folder in visible(other.parents[1]) for file in folder.iterdir()]
    record = Input("predictions.txt", hashlib.sha256(lines.encode()).hexdigest())
    reading = Reading(
        name="b",
        kind=Scores,
        gold=side("gold"),
        submissions=tuple(side(path.parent.name, path) for path in (other, *(c for c in copies if c != other))),
        inputs=(Input("b/submissions/S/predictions.txt", record.sha256), record),
    )
    task = entering.align(reading, "error", ())
    assert [file.path for file in task.inputs] == ["b/submissions/S/predictions.txt", "a.txt", "b.txt"]
    assert (task.files["a"], task.files["b"]) == (("a.txt",), ("b.txt",))


def test_what_a_file_states_about_itself_counts_in_columns():
    """The file of a submission, put aside and entered, has the average rank of before; without its head it has none."""
    gold = ["OK BAD OK", "BAD BAD", "OK OK BAD", "BAD OK"]
    given = {"a": "OK BAD OK BAD BAD OK BAD BAD BAD OK", "b": "OK OK OK BAD BAD OK OK BAD OK OK", "c": " OK BAD" * 5}

    def lines(name):
        tags, cells = (
            iter(given[name].split()),
            [(nth, k) for nth, of in enumerate(gold) for k in range(len(of.split()))],
        )
        rows = [f"en-de\t{name}\tMT\t{nth}\t{k}\tword\t{next(tags)}" for nth, k in cells]
        return "\n".join([str(ord(name)), str(200 - ord(name)), "1", *rows, ""])

    write({"d/en-de/gold.tags": "\n".join(gold) + "\n"})
    write({f"d/en-de/submissions/{name}.txt": lines(name) for name in given})
    settings = ["test=", "interval=", "secondary=[f1_ok, f1_bad]"]
    before = qeframe.evaluate("wmt22_qe_word", "d/en-de", settings=settings)
    official = next(scored for scored in before.submissions if scored.name == "b")
    Path("d/en-de/submissions/b.txt").rename("b.txt")
    after = qeframe.evaluate("wmt22_qe_word", "d/en-de", settings=settings, enter={"b": "b.txt"})
    mine = next(scored for scored in after.submissions if scored.kind == "entered")
    assert mine.stated == official.stated == {"en-de": {"disk_footprint": 98, "parameters": 102, "ensemble_size": 1}}
    assert mine.scores["average_rank"].value == official.scores["average_rank"].value
    assert not [text for text in after.warnings if "average_rank" in text]
    tags = iter(given["b"].split())
    values = [[next(tags) for _ in of.split()] for of in gold]
    without = qeframe.evaluate("wmt22_qe_word", "d/en-de", settings=settings, enter={"mine": values})
    assert "mine has no average_rank: it does not state disk_footprint, parameters" in without.warnings
