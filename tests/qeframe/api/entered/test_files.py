"""Files in the format of a task: in which folders of submissions they are entered."""

from pathlib import Path

import pytest

import qeframe
from qeframe.api.entered.entering import places_among
from qeframe.data.all_mistakes import submitted_files
from qeframe.plugin import DataError
from qeframe.plugin.readers import ExampleRequest, Reader, Submission
from tests.outcome import failure
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.registered import REGISTRY
from tests.written import write_files


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(files):
    write_files(".", files)


def test_folders_of_their_own():
    write({f"d/{pair}/submissions/S/predictions.txt": "1" for pair in ("en-de", "en-cs")})
    write(
        {
            "given/predictions.txt": "2",
            "other.txt": "2",
            **{f"g/{pair}/predictions.txt": "3" for pair in ("en-de", "x")},
        }
    )
    one = {Path("d/en-de/submissions"): Path("given")}
    for given in ("given", "given/predictions.txt"):
        assert places_among("m", Path(given), Path("d/en-de")) == one
    assert places_among("m", Path("g"), Path("d")) == {Path("d/en-de/submissions"): Path("g/en-de")}
    with pytest.raises(DataError, match=r"other.txt: submissions have the files predictions.txt; give the file"):
        places_among("m", Path("other.txt"), Path("d/en-de"))
    with pytest.raises(DataError, match=r"given: 'm' does not say to which of 2 tasks it belongs; give a folder"):
        places_among("m", Path("given"), Path("d"))


def test_what_has_no_place():
    write({"d/gold.txt": "1", "mine.txt": "2"})
    with pytest.raises(
        DataError, match="no submission lies in a folder of submissions; give a table with a first line"
    ):
        places_among("m", Path("mine.txt"), Path("d"))
    Path("empty").mkdir()
    write({"d/submissions/a.txt": "1"})
    assert "no file is here" in failure(DataError, places_among, "m", Path("empty"), Path("d"))


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
