"""All submissions in one pass: where each lies, and a reader of third parties that lists its files by `visible`."""

import pytest

from qeframe.core.errors import DataError, SubmissionsError
from qeframe.data.all_mistakes import all_at_once, in_one_pass, submitted_file, submitted_files
from qeframe.data.folders import set_aside, visible
from qeframe.data.text_lines import parse_numbers, read_text_lines


@pytest.fixture
def written(tmp_path):
    def write(*paths, text="1\n"):
        for path in paths:
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        return tmp_path

    return write


def places(root, folder=""):
    return {each.submission: each.path.relative_to(root).as_posix() for each in submitted_files(root, folder)}


def test_a_submission_is_a_file_or_the_folder_of_its_files(written):
    root = written(
        "gold.txt",
        "submissions/a.b.tsv",
        "submissions/.hidden",
        "official_submissions/task1/en-de/Team X  - 2 submission/predictions.txt",
        "official_submissions/task1/Y/predictions.txt",
        "human-scores/en-de.mqm.seg.score",
    )
    x = "official_submissions/task1/en-de/Team X  - 2 submission"
    assert places(root) == {"a.b": "submissions/a.b.tsv", "X": x, "Y": "official_submissions/task1/Y"}
    assert submitted_file(root / "gold.txt", root) is None
    assert submitted_file(root / "submissions", root) is None
    assert submitted_file(root / "official_submissions/task1/en-de", root) is None
    assert submitted_file(root.parent, root) is None


def test_a_format_names_its_folder(written):
    root = written("metric-scores/en-de/COMET-refA.seg.score", "human-scores/en-de.mqm.seg.score")
    assert places(root) == {}
    assert places(root, "metric-scores") == {"COMET-refA": "metric-scores/en-de/COMET-refA.seg.score"}


def test_what_is_set_aside_is_not_visible(written):
    root = written("submissions/a", "submissions/b")
    with set_aside([root / "submissions" / "a"]):
        assert [path.name for path in visible(root / "submissions")] == ["b"]
    assert [path.name for path in visible(root / "submissions")] == ["a", "b"]


def read_numbers(root):
    """A reader of somebody else: one number a line, and no rule of this package but `visible`."""
    found = {}
    for path in [root / "gold.txt", *visible(root / "submissions")]:
        file = read_text_lines(path)
        found[path.stem] = parse_numbers(file.lines, file).tolist()
    return found


def test_every_mistake_is_found_whatever_the_reader(written):
    written("gold.txt", "submissions/a", "submissions/d")
    written("submissions/b", text="1\nx\n")
    root = written("submissions/c", text="")
    found, mistakes, _ = in_one_pass(lambda: read_numbers(root), root, "")
    assert found == {"gold": [1.0], "a": [1.0], "d": [1.0]}
    assert [(each.submission, each.error.line, each.short) for each in mistakes] == [
        ("b", 2, "line 2: 'x' is not a number"),
        ("c", None, "the file is empty"),
    ]
    error = all_at_once(mistakes)
    assert isinstance(error, SubmissionsError)
    assert [line.partition(str(root))[0] for line in str(error).splitlines()[1:]] == ["  b: ", "  c: "]


def test_a_mistake_in_the_gold_stops(written):
    written("gold.txt", text="x\n")
    root = written("submissions/a")
    with pytest.raises(DataError, match="'x' is not a number"):
        in_one_pass(lambda: read_numbers(root), root, "")


def test_a_reader_that_does_not_pass_over_files_ends_with_the_first_mistake(written):
    written("submissions/b", text="x\n")
    root = written("submissions/a")

    def stubborn():
        for name in ("a", "b"):
            file = read_text_lines(root / "submissions" / name)
            parse_numbers(file.lines, file)

    found, mistakes, _ = in_one_pass(stubborn, root, "")
    assert (found, [each.submission for each in mistakes]) == (None, ["b"])
