"""Files from strangers."""

import os

import pytest
from qeframe_codabench.submission_files import file_of_each, files_in_shared, missing_tasks, read_handed_in
from small_files import write

from qeframe.plugin import DataError

PAIRS = ("en-cs", "en-de")


def handed_in(root, *, known=PAIRS, largest=1):
    return read_handed_in(root, known=known, largest=largest)


@pytest.mark.parametrize(
    "names",
    [
        ("en-de.txt", "en-cs.tsv"),
        ("zip/en-de.txt", "zip/en-cs.txt"),
        ("a/b/en-de/predictions.txt", "a/b/en-cs/predictions.txt"),
        ("en-de", "en-cs"),
        ("en-de.txt", "en-cs.txt", "__MACOSX/._en-de.txt", ".DS_Store", "metadata", "en-de/.hidden"),
    ],
)
def test_a_file_for_each_task(tmp_path, names):
    found = handed_in(write(tmp_path, dict.fromkeys(names, "1")))
    assert list(file_of_each([*found.files], PAIRS)) == ["en-cs", "en-de"]
    assert set(file_of_each([*found.files], PAIRS).values()) == {*found.files}


def test_folders_of_tasks_are_not_passed_over(tmp_path):
    found = handed_in(write(tmp_path, {"en-de/a.txt": "1"}))
    assert list(found.files) == ["en-de/a.txt"]


def test_what_is_left_out_is_named(tmp_path):
    found = handed_in(write(tmp_path, {"en-de.txt": "1", ".DS_Store": "2", "__MACOSX/x": "3"}))
    assert found.not_read == (".DS_Store", "__MACOSX")
    found = handed_in(
        write(tmp_path / "b", {"predictions.txt": "1", "README.md": "2", "license": "3"}), known=("task",)
    )
    assert (found.not_read, list(found.files)) == (("README.md", "license"), ["predictions.txt"])
    assert file_of_each([*found.files], ("task",)) == {"task": "predictions.txt"}
    assert list(handed_in(write(tmp_path / "c", {"readme.txt/en-de.txt": "1"})).files) == ["en-de.txt"]


def test_a_single_task_takes_any_file(tmp_path):
    found = handed_in(write(tmp_path, {"x/predictions.txt": "1"}), known=("en-de",))
    assert file_of_each([*found.files], ("en-de",)) == {"en-de": "predictions.txt"}
    two = handed_in(write(tmp_path / "two", {"a.txt": "1", "b.txt": "2"}), known=("en-de",))
    with pytest.raises(
        DataError, match=r"^2 files may be the answer: a\.txt, b\.txt; hand in one, or name it en-de\.txt"
    ):
        file_of_each([*two.files], ("en-de",))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("en-de.txt",), "language pair 'en-cs' is missing: the submission has 1 of 2 language pairs"),
        (("en_de.txt", "encs.txt"), r"language pair 'en-cs' is missing \(and 1 more\): the submission has 0 of 2"),
        (("en-de.txt", "en-de.tsv", "en-cs.txt"), "en-de.tsv: a task has one file, en-de.txt is for the same"),
        (("en-de/a", "en-de/b", "en-cs/a"), "en-de/a: a task has one file, en-de/b is for the same"),
    ],
)
def test_a_task_without_one_file(tmp_path, names, message):
    found = handed_in(write(tmp_path, dict.fromkeys(names, "1")))
    with pytest.raises(DataError, match=message):
        file_of_each([*found.files], PAIRS)


def test_tasks_that_are_no_language_pairs_are_tasks():
    assert "task 'social' is missing" in str(missing_tasks(["social"], 2, ""))


@pytest.mark.parametrize("target", ["../gold.da", "missing", "en-de.txt", "/etc/passwd", "."])
@pytest.mark.parametrize("name", ["en-cs.txt", ".hidden", "folder/deep.txt"])
def test_a_link_is_refused_wherever_it_leads(tmp_path, target, name):
    root = write(tmp_path / "res", {"en-de.txt": "1", "folder/x": "2"})
    write(tmp_path, {"gold.da": "secret"})
    os.symlink(target, root / name)
    with pytest.raises(DataError, match=f"^{name}: this is a link; hand in the file itself$"):
        handed_in(root)


def test_the_folder_itself_may_be_a_link(tmp_path):
    write(tmp_path / "real", {"en-de.txt": "1", "en-cs.txt": "1"})
    os.symlink("real", tmp_path / "res")
    assert len(handed_in(tmp_path / "res").files) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "en-de.txt")
    with pytest.raises(DataError, match="neither a file nor a folder"):
        handed_in(tmp_path)


def test_bounds(tmp_path):
    with pytest.raises(DataError, match=r"^the submission has no file"):
        handed_in(tmp_path)
    with open(tmp_path / "big", "wb") as file:
        file.truncate((1 << 20) + 1)
    with pytest.raises(DataError, match=r"^big: the submission is too large: the bound is 1 MiB"):
        handed_in(tmp_path)
    (tmp_path / "big").unlink()
    write(tmp_path, {"/".join("abcdefghi") + "/x": "1"})
    with pytest.raises(DataError, match="more than 8 folders in each other"):
        handed_in(tmp_path)


def test_many_files(tmp_path):
    for number in range(2001):
        (tmp_path / str(number)).touch()
    with pytest.raises(DataError, match="more than 2000 files"):
        handed_in(tmp_path)


@pytest.mark.parametrize("hidden", [".git", "__MACOSX"])
def test_hidden_files_count_in_the_bounds(tmp_path, hidden):
    """They are not read, and a platform still keeps them; a link among them is refused, too."""
    write(tmp_path, {"en-de.txt": "1", "en-cs.txt": "1", f"{hidden}/a": "2"})
    with open(tmp_path / hidden / "big", "wb") as file:
        file.truncate((1 << 20) + 1)
    with pytest.raises(
        DataError, match=rf"^{hidden}/big: the submission is too large: the bound is 1 MiB".replace(".g", r"\.g")
    ):
        handed_in(tmp_path)
    (tmp_path / hidden / "big").unlink()
    for number in range(2001):
        (tmp_path / hidden / str(number)).touch()
    with pytest.raises(DataError, match="more than 2000 files"):
        handed_in(tmp_path)


def test_a_link_in_a_hidden_folder_is_refused(tmp_path):
    write(tmp_path, {"en-de.txt": "1", ".git/a": "2"})
    os.symlink("/etc/passwd", tmp_path / ".git" / "b")
    with pytest.raises(DataError, match=r"^\.git/b: this is a link"):
        handed_in(tmp_path)


def test_no_folder(tmp_path):
    with pytest.raises(DataError, match="the folder cannot be read: No such file"):
        handed_in(tmp_path / "none")


@pytest.mark.parametrize("name", ["a b", "<img>", "-x", "ü", "a\nb", "..."])
def test_names_in_a_shared_folder_are_plain(tmp_path, name):
    found = handed_in(write(tmp_path, {"en-de/M.seg.score": "1", f"en-de/{name}x": "2"}))
    if name == "...":
        assert files_in_shared([*found.files], ["en-de"]) == {"en-de/M.seg.score": "en-de/M.seg.score"}
        return
    with pytest.raises(DataError, match="the name of a file or a folder cannot be used"):
        files_in_shared([*found.files], ["en-de"])
