"""The layout of a task's folder, and a gold of one number a line."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.data.folders import TaskFolder, find_tasks, gold_by_line, gold_folders, has_file, has_folder, visible
from qeframe.data.text_lines import read_text_lines
from tests.outcome import failure

LAYOUT = "a task is a folder with one file gold.* and a folder submissions, PATH is one or holds some"
Tree = Callable[[Mapping[str, str]], None]


def test_one_task_has_the_name_of_its_folder_wherever_it_is(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree({"t/gold.hter": "1\n", "t/submissions/b.txt": "3\n", "t/submissions/A.txt": "5\n"})
    submissions = (Path("t/submissions/A.txt"), Path("t/submissions/b.txt"))
    assert find_tasks(Path("t")) == [TaskFolder("t", Path("t"), Path("t/gold.hter"), submissions)]
    monkeypatch.chdir("t")
    assert [task.name for task in find_tasks(Path("."))] == ["t"], "not that of the path as it was given"


def test_several_tasks_and_other_files(tree: Tree) -> None:
    tree(
        {
            "year/ro-en/gold.txt": "1\n",
            "year/ro-en/submissions/a.txt": "1\n",
            "year/ro-en/submissions/.hidden": "",
            "year/en-de/goldlabels.txt": "1\n",
            "year/en-de/.gold.swp": "",
            "year/en-de/submissions/a.txt": "1\n",
            "year/.git/gold.txt": "",
            "year/papers/findings.txt": "",
            "year/README": "",
        }
    )
    assert [(task.name, task.gold.name) for task in find_tasks(Path("year"))] == [
        ("en-de", "goldlabels.txt"),
        ("ro-en", "gold.txt"),
    ]
    assert [entry.name for entry in visible(Path("year"))] == ["README", "en-de", "papers", "ro-en"]


TABLES = "a table of your own is read by 'qeframe run qe PATH' or 'qeframe run metrics PATH'"


@pytest.mark.parametrize(
    ("files", "path", "message"),
    [
        ({}, "t", "t: there is no such folder; check the path"),
        ({"t": "1\n"}, "t", f"t: this is a file, a folder is expected; {LAYOUT}; {TABLES}"),
        ({"t/a/b.txt": ""}, "t", f"t: neither a gold file nor folders of tasks are here; {LAYOUT}"),
        ({"t/gold.txt": "1\n"}, "t", f"t: there is a gold file, but no folder submissions; {LAYOUT}"),
        ({"t/submissions/a": "1\n"}, "t", f"t: there are submissions, but no file gold.*; {LAYOUT}"),
        ({"y/t/submissions/a": "1\n"}, "y", f"y/t: there are submissions, but no file gold.*; {LAYOUT}"),
        ({"t/gold.da": "1\n", "t/gold.mqm": "1\n", "t/submissions/a": "1\n"}, "t",
         "t: 2 gold files: gold.da, gold.mqm; keep one, rename the others"),
        ({"t/gold": "1\n", "t/submissions/.hidden": ""}, "t",
         "t/submissions: no submission is here; put one file for each submission into it"),
        ({"t/gold": "1\n", "t/submissions/team/a": "1\n"}, "t",
         "t/submissions/team: a folder among the submissions; move its files up, or move the folder elsewhere"),
    ],
)  # fmt: skip
def test_broken_folders(tree: Tree, files: Mapping[str, str], path: str, message: str) -> None:
    tree(files)
    assert failure(DataError, find_tasks, Path(path)) == message


def test_a_folder_without_permission(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "scandir", refuse)
    tree({"t/gold": "1\n"})
    assert failure(DataError, visible, Path("t")) == "t: no permission to read the folder; make it readable for you"


def test_gold_by_line(tree: Tree) -> None:
    tree({"gold": "0.5\n-1\n"})
    gold = gold_by_line(read_text_lines("gold"), first=1)
    assert gold.lines is not None
    assert (gold.name, gold.path, gold.ids.tolist(), gold.lines.tolist()) == ("gold", "gold", [1, 2], [1, 2])
    assert gold.values.tolist() == [0.5, -1.0]
    assert gold_by_line(read_text_lines("gold"), first=0).ids.tolist() == [0, 1]


def test_a_gold_of_other_columns_is_refused(tree: Tree) -> None:
    tree({"gold": "0.5\n1 2\n"})
    with pytest.raises(DataError, match=r"^gold:2: 2 columns instead of 1 column \(NUMBER\)"):
        gold_by_line(read_text_lines("gold"), first=1)


def test_a_task_in_the_folder_of_a_task(tree: Tree) -> None:
    tree({f"{folder}/{name}": "1\n" for folder in ("t", "t/u", "r/t", "r/t/u") for name in ("gold", "submissions/a")})
    for root, below in (("t", "t/u"), ("r", "r/t/u")):
        with pytest.raises(DataError, match=rf"^{below}: a task in the folder of another task; move it beside"):
            find_tasks(Path(root))


@pytest.mark.parametrize("name", ["submissions/b", "mt_tok", "gold2"])
@pytest.mark.parametrize("kind", ["pipe", "gone", "loop"])
def test_what_is_neither_a_file_nor_a_folder(tree: Tree, name: str, kind: str) -> None:
    tree({"t/gold": "1\n", "t/submissions/a": "1\n"})
    path = Path("t", name)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name if kind == "loop" else "nothing")
    with pytest.raises(DataError) as caught:
        find_tasks(Path("t"))
    assert caught.value.path == path


@pytest.mark.parametrize("name", ["submissions/b", "submissions", "mt_tok", "gold2", "gold"])
def test_a_link_that_leads_out_of_its_folder(tree: Tree, name: str) -> None:
    tree({"t/gold": "1\n", "t/submissions/a": "1\n", "elsewhere/b": "1\n"})
    leads = {"submissions/b": "t/gold", "gold": "t/submissions/a"}
    link, target = Path("t", name), Path(leads.get(name, "elsewhere")).resolve()
    if name in {"submissions", "gold"}:
        link.rename("t/others")
    link.symlink_to(target)
    with pytest.raises(DataError, match=rf"a link that leads out of its folder, to {target}; put what it"):
        find_tasks(Path("t"))


def test_links_that_are_used(tree: Tree) -> None:
    """The path that is named, whole tasks in it, and what stays in its folder."""
    tree({"t/gold": "1\n", "t/submissions/a": "1\n", "root/readme": "1\n"})
    Path("t/submissions/b").symlink_to("a")
    Path("root/en-de").symlink_to(Path("t").resolve())
    Path("named").symlink_to("root")
    (task,) = find_tasks(Path("named"))
    assert [path.name for path in task.submissions] == ["a", "b"]


def test_a_file_where_a_folder_is_expected(tree: Tree) -> None:
    tree({"t/a": "1\n"})
    Path("t/link").symlink_to("nothing")
    assert (has_folder(Path("t")), has_folder(Path("t/b")), has_file(Path("t/link"))) == (True, False, True)
    assert failure(DataError, has_folder, Path("t/a")).startswith("t/a: this is a file, a folder is expected")
    assert failure(DataError, has_folder, Path("t/link")).startswith("t/link: a link to a file that is not there")
    assert failure(DataError, visible, Path("t/a")).startswith("t/a: this is a file, a folder is expected")


def test_folders_with_a_gold_need_no_submissions(tree: Tree) -> None:
    tree({"t/b/gold.hter": "1\n", "t/a/gold.da": "1\n", "t/a/submissions/x": "1\n", "t/other/x": "1\n"})
    assert gold_folders(Path("t")) == [Path("t/a"), Path("t/b")]
    assert gold_folders(Path("t/b")) == [Path("t/b")]
    assert "neither a gold file nor folders of tasks are here" in failure(DataError, gold_folders, Path("t/other"))
    tree({"t/a/gold.more": "1\n"})
    assert "2 gold files: gold.da, gold.more; keep one" in failure(DataError, gold_folders, Path("t"))
    tree({"u/submissions/x": "1\n"})
    assert "there are submissions, but no file gold.*" in failure(DataError, gold_folders, Path("u"))


def test_a_gold_of_another_name(tmp_path):
    for pair in ("en-de", "en-pl"):
        (tmp_path / pair / "submissions").mkdir(parents=True)
        (tmp_path / pair / "submissions" / "a.tsv").touch()
        (tmp_path / pair / "gold.txt").touch()
        (tmp_path / pair / "expected.tsv").touch()
    assert [task.gold.name for task in find_tasks(tmp_path, gold="expected.tsv")] == ["expected.tsv"] * 2
    assert [task.gold.name for task in find_tasks(tmp_path)] == ["gold.txt"] * 2
    (tmp_path / "en-pl" / "expected.tsv").unlink()
    with pytest.raises(
        DataError, match=r"there are submissions, but no file expected.tsv; a task is a folder with one"
    ):
        find_tasks(tmp_path, gold="expected.tsv")
    assert "must be the name of a file" in failure(DataError, find_tasks, tmp_path, gold="../expected.tsv")
