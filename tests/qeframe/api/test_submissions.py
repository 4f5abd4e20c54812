"""Which submissions of a folder are read: all mistakes at once, who is excluded or skipped, and what is left."""

import shutil

import pytest

from qeframe.api.read import choose_profile, read_tasks
from qeframe.api.submissions import _names, choose_submissions, leave_out
from qeframe.core.errors import DataError, SubmissionsError, UnknownNameError
from qeframe.data.all_mistakes import SubmittedFile


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "submissions").mkdir()
    (tmp_path / "gold.txt").write_text("1\n2\n3\n4\n")
    for name, text in {"a": "1\n2\nx\n4\n", "b": "1\n", "c": "4\n2\n3\n1\n"}.items():
        (tmp_path / "submissions" / f"{name}.txt").write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def rules(registry):
    return choose_profile("qe_sentence", (), registry)


def test_all_mistakes_are_found_in_one_pass(rules, folder):
    chosen = choose_submissions(rules, folder)
    assert [(each.submission, each.error.line) for each in chosen.mistakes] == [("a", 3), ("b", None)]
    assert [submission.name for task in chosen.tasks for submission in task.batches] == ["c"]
    with pytest.raises(SubmissionsError) as caught:
        read_tasks(rules, folder)
    assert [line.strip()[:2] for line in str(caught.value).splitlines()[1:]] == ["a:", "b:"]


def test_one_mistake_alone_is_one_line(rules, folder):
    (folder / "submissions" / "b.txt").unlink()
    with pytest.raises(DataError, match=r"^[^\n]*a.txt:3: 'x' is not a number[^\n]*--skip-invalid[^\n]*$"):
        read_tasks(rules, folder)


def test_who_is_left_out_and_by_whom(rules, folder):
    chosen = leave_out(rules, folder, exclude={"a": "late"}, skip_invalid=True)
    assert [(each.submission, each.by, each.reason.replace(f"{folder}/", "")) for each in chosen.left_out] == [
        ("a", "exclude", "late"),
        ("b", "skip_invalid", "1 line, the gold has 4 (gold.txt)"),
    ]
    (task,) = read_tasks(rules, folder, chosen=chosen)
    assert [submission.name for submission in task.batches] == ["c"]
    assert leave_out(rules, folder) is None


def test_a_path_leaves_out_a_file_of_its_submission(rules, folder):
    for path in ("submissions/a.txt", str(folder / "submissions/a.txt"), "a.txt"):
        first, *_ = leave_out(rules, folder, exclude={path: "late"}, skip_invalid=True).left_out
        assert (first.submission, first.files, first.by) == ("a", ("submissions/a.txt",), "exclude")


def test_a_folder_with_a_single_file_has_the_paths_of_both(tmp_path):
    (tmp_path / "Team a").mkdir()
    for name in (".DS_Store", "predictions.txt"):
        (tmp_path / "Team a" / name).touch()
    place = SubmittedFile(submission="a", path=tmp_path / "Team a")
    names = _names(place, tmp_path, None)
    assert {"a", "Team a", "Team a/predictions.txt", str(tmp_path / "Team a/predictions.txt")} <= set(names)
    (tmp_path / "Team a" / "more.txt").touch()
    assert not any(name.endswith(".txt") for name in _names(place, tmp_path, None))


def test_what_is_broken_and_not_excluded_still_stops_the_run(rules, folder):
    with pytest.raises(DataError, match=r"^[^\n]*b.txt: 1 line, the gold has 4[^\n]*--skip-invalid[^\n]*$"):
        leave_out(rules, folder, exclude=["a"])
    with pytest.raises(UnknownNameError, match="submission 'z'"):
        choose_submissions(rules, folder, exclude=["z"])


def test_nothing_is_left(rules, folder):
    (folder / "submissions" / "c.txt").unlink()
    with pytest.raises(SubmissionsError):
        leave_out(rules, folder, skip_invalid=True)


def test_a_task_without_a_valid_submission_stops_no_other(rules, folder, tmp_path_factory):
    root = tmp_path_factory.mktemp("tasks")
    for name in ("en-de", "ro-en"):
        shutil.copytree(folder, root / name)
    for file in (root / "en-de/submissions").iterdir():
        file.write_text("x\n1\n2\n3\n")
    chosen = leave_out(rules, root, skip_invalid=True)
    assert sorted((each.submission, len(each.files)) for each in chosen.left_out) == [
        ("a", 1), ("a", 1), ("b", 1), ("b", 1), ("c", 1)
    ]  # fmt: skip
    assert [task.name for task in read_tasks(rules, root, chosen=chosen)] == ["ro-en"]


def test_a_file_has_its_first_mistake(rules, folder):
    (folder / "submissions/a.txt").write_text("1\n2,5\nx\n4\n")
    chosen = leave_out(rules, folder, skip_invalid=True)
    assert [each.submission for each in chosen.mistakes] == ["a", "b"]
    assert [each.reason for each in chosen.left_out if each.submission == "a"] == ["line 2: '2,5' is not a number"]
    (task,) = read_tasks(rules, folder, chosen=chosen)
    assert [submission.name for submission in task.batches] == ["c"]
