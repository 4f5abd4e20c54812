"""The folder of a result."""

import os
import shutil
from itertools import count
from pathlib import Path

import pytest

from qeframe.core.errors import DataError
from qeframe.report.folders import result_folder
from qeframe.report.folders.manifest import MANIFEST, write_result
from qeframe.report.folders.result_folder import ResultFolder
from tests.outcome import failure

OLD, NEW = {"a": b"old", "figure": b"old"}, {"a": b"new", "b": b"new"}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MANIFEST}


def everything(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def write(folder, files):
    with ResultFolder.take(folder) as taken:
        taken.replace(files)


@pytest.fixture
def out(tmp_path):
    write(tmp_path / "out", OLD)
    return tmp_path / "out"


def test_a_result_is_replaced_as_a_whole(out):
    write(out, NEW)
    assert contents(out) == NEW
    assert everything(out.parent) == ["out", f"out/{MANIFEST}", "out/a", "out/b"]


def test_a_link_stays_a_link(out):
    (out.parent / "link").symlink_to("out")
    write(out.parent / "link", NEW)
    assert (out.parent / "link").is_symlink()
    assert contents(out) == NEW


def test_a_folder_is_held_until_it_is_closed(out):
    with ResultFolder.take(out) as taken:
        assert (os.fspath(taken), str(taken)) == (str(out), str(out))
        assert "another run" in failure(DataError, ResultFolder.take, out)
        (out.parent / "link").symlink_to("out")
        assert "link: another run" in failure(DataError, ResultFolder.take, out.parent / "link")
    write(out, NEW)
    assert contents(out) == NEW


def test_nothing_is_left_of_a_folder_that_was_only_taken(tmp_path):
    with ResultFolder.take(tmp_path / "x" / "y" / "out"):
        assert everything(tmp_path) == ["x", "x/y", "x/y/.out.lock"]
    assert everything(tmp_path) == []


@pytest.mark.parametrize("fatal", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["write_result", "first rename", "second rename"])
def test_a_failure_leaves_the_old_result(out, monkeypatch, fatal, step):
    write_files, rename = result_folder.write_result, os.rename

    def write_and_fail(*arguments):
        write_files(*arguments)
        raise fatal

    def fail_to_rename(source, goal):
        if source == (out if step == "first rename" else out.with_name(".out.new")):
            raise fatal
        rename(source, goal)

    if step == "write_result":
        monkeypatch.setattr(result_folder, step, write_and_fail)
    else:
        monkeypatch.setattr(os, "rename", fail_to_rename)
    with pytest.raises((DataError, KeyboardInterrupt)) as caught:
        write(out, NEW)
    if isinstance(fatal, OSError):
        assert str(caught.value) == f"{out}: cannot be written: No space left on device; name another folder"
    assert contents(out) == OLD
    assert everything(out.parent) == ["out", f"out/{MANIFEST}", "out/a", "out/figure"]


def test_a_parent_that_two_runs_share_is_not_removed_with_the_first(tmp_path, monkeypatch):
    first, second = (ResultFolder.take(tmp_path / "results" / name) for name in "ab")
    with second:
        second.replace(NEW)
    with monkeypatch.context() as patch:

        def fail(*_):
            raise OSError(28, "No space left on device")

        patch.setattr(result_folder, "write_result", fail)
        with pytest.raises(DataError, match="No space left"), first:
            first.replace(NEW)
    assert contents(tmp_path / "results" / "b") == NEW
    assert everything(tmp_path) == ["results", "results/b", f"results/b/{MANIFEST}", "results/b/a", "results/b/b"]


def test_what_a_killed_run_made_is_removed_by_the_next(tmp_path):
    write_result(tmp_path / ".out.new", NEW)
    (tmp_path / ".out.lock").write_text("")
    ResultFolder.take(tmp_path / "out").close()
    assert everything(tmp_path) == []


def test_an_old_result_that_stands_aside_is_brought_back(out):
    aside = out.with_name(".out.old")
    os.rename(out, aside)
    ResultFolder.take(out).close()
    assert contents(out) == OLD
    os.rename(out, aside)
    out.mkdir()
    ResultFolder.take(out).close()
    assert contents(out) == OLD
    assert not aside.exists()


def test_an_old_result_beside_the_new_one_is_removed(out):
    shutil.copytree(out, out.with_name(".out.old"))
    ResultFolder.take(out).close()
    assert everything(out.parent) == ["out", f"out/{MANIFEST}", "out/a", "out/figure"]


def test_an_old_result_beside_other_files_is_left_to_the_user(out):
    aside = out.with_name(".out.old")
    os.rename(out, aside)
    out.mkdir()
    (out / "mine").write_text("1")
    with pytest.raises(
        DataError, match=r"an interrupted run left the earlier result in .*old, and other files are here"
    ):
        ResultFolder.take(out)
    assert contents(aside) == OLD
    assert contents(out) == {"mine": b"1"}


def test_other_files_are_refused_before_and_after_the_computation(out):
    taken = ResultFolder.take(out)
    (out / "notes").write_text("mine")
    with taken, pytest.raises(DataError, match="'notes'"):
        taken.replace(NEW)
    assert failure(DataError, ResultFolder.take, out) == (
        f"{out}: holds files that no run wrote, or that were changed since: 'notes'; "
        "move them away, or name another folder"
    )
    assert contents(out) == {**OLD, "notes": b"mine"}


def test_a_result_without_a_manifest_is_refused(out):
    (out / MANIFEST).unlink()
    assert "'a' and 1 more; move them away" in failure(DataError, ResultFolder.take, out)


@pytest.mark.parametrize("name", [".out.new", ".out.old"])
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_of_mine_with_a_name_of_leftovers_stays(out, name, there):
    mine = out.with_name(name)
    mine.mkdir()
    (mine / "mine").write_text("1")
    if not there:
        shutil.rmtree(out)
    with pytest.raises(DataError, match=rf"cannot be written: it holds 'mine', which no run wrote .*{name}"):
        ResultFolder.take(out)
    assert (mine / "mine").exists()
    assert out.exists() == there


class Stopped(BaseException):
    """Stands for a kill: from then on, nothing more is done."""


@pytest.fixture
def stop_at(monkeypatch):
    """Stop at the n-th change of the file system; the file that is then being written is half there."""

    def prepare(patch, number):
        numbers = count(1)

        def stopping(change):
            def stop_or(*arguments, **options):
                step = next(numbers)
                if step == number and change is write:
                    write(arguments[0], arguments[1][: len(arguments[1]) // 2])
                if step >= number:
                    raise Stopped
                return change(*arguments, **options)

            return stop_or

        write = Path.write_bytes
        for owner, name in [(Path, "write_bytes"), (Path, "write_text"), (Path, "unlink"), (Path, "rmdir")]:
            patch.setattr(owner, name, stopping(getattr(owner, name)))
        for name in ("mkdir", "chmod", "rename"):
            patch.setattr(os, name, stopping(getattr(os, name)))

    def stopped(number, folder):
        with monkeypatch.context() as patch:
            prepare(patch, number)
            try:
                folder.replace(NEW)
            except Stopped:
                return True
            return False

    return stopped


def test_a_stop_at_any_step_leaves_the_old_result_or_the_new_one(out, stop_at):
    seen = []
    for step in count(1):
        write(out, OLD)
        with ResultFolder.take(out) as folder:  # as the system does for a killed process, this ends the lock
            stopped = stop_at(step, folder)
        whole = [contents(place) for place in (out, out.with_name(".out.old")) if place.exists()]
        seen.append((out.exists(), whole[0] == NEW))
        assert whole[0] in (OLD, NEW)
        ResultFolder.take(out).close()
        assert contents(out) == whole[0]
        assert {name for name in everything(out.parent) if "/" not in name} == {"out"}
        write(out, NEW)
        assert contents(out) == NEW
        if not stopped:
            break
    assert {(True, False), (False, False), (True, True)} == set(seen)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("file", "is a file, not a folder"),
        ("file/below", "cannot be written: Not a directory"),
        ("nowhere", "is a link that leads nowhere"),
        ("loop", "is a link that leads nowhere"),
        ("x" * 300, "cannot be written: File name too long"),
        (".", "is the current folder, one above it, or a mount point"),
        ("..", "is the current folder, one above it, or a mount point"),
        ("/", "is the root of the file system"),
        ("/proc", "is the current folder, one above it, or a mount point"),
    ],
)
def test_what_cannot_be_a_result_is_one_line(tmp_path, monkeypatch, name, said):
    (tmp_path / "here" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here" / "file").write_text("mine")
    (tmp_path / "here" / "nowhere").symlink_to("gone")
    (tmp_path / "here" / "loop").symlink_to("loop")
    before = everything(tmp_path)
    assert said in failure(DataError, ResultFolder.take, name)
    assert everything(tmp_path) == before


@pytest.mark.parametrize("which", ["parent", "folder"])
def test_without_permission_it_is_one_line(out, monkeypatch, which):
    barred = out if which == "folder" else out.parent
    monkeypatch.setattr(os, "access", lambda path, _: path != barred)
    with pytest.raises(DataError, match=r"cannot be written: (permission denied|the folder above it cannot)"):
        ResultFolder.take(out)


def test_a_folder_of_another_user_below_a_sticky_one_is_one_line(out, monkeypatch):
    out.parent.chmod(0o1777)
    monkeypatch.setattr(os, "geteuid", lambda: 2**31 - 2)
    assert "permission denied" in failure(DataError, ResultFolder.take, out)


def test_the_new_folder_has_the_mode_of_the_old_one(out):
    out.chmod(0o750)
    write(out, NEW)
    assert out.stat().st_mode & 0o777 == 0o750
