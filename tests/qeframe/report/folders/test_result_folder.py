"""The folder of a result."""

import errno
import os
import shutil

import pytest

from qeframe.core.errors import DataError
from qeframe.report.folders import result_folder
from qeframe.report.folders.manifest import MANIFEST, write_result
from qeframe.report.folders.result_folder import ResultFolder, exchange, put_in_place
from tests.outcome import failure

OLD, NEW = {"a": b"old", "figure": b"old"}, {"a": b"new", "b": b"new"}


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != MANIFEST}


def everything(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def write(folder, files):
    with ResultFolder.take(folder) as taken:
        taken.replace(files)


@pytest.fixture(params=[True, False], ids=["one step", "two steps"])
def out(request, tmp_path, monkeypatch):
    """Write an old result; replace it in one step and in two."""
    if not request.param:
        monkeypatch.setattr(result_folder, "exchange", lambda *_: False)
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
        assert everything(tmp_path) == ["x", "x/y", "x/y/.out.qeframe-lock"]
    assert everything(tmp_path) == []


@pytest.mark.parametrize("fatal", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", ["write_result", "put_in_place"])
def test_a_failure_leaves_the_old_result(out, monkeypatch, fatal, step):
    real = getattr(result_folder, step)

    def fail(*arguments):
        if step == "write_result":
            real(*arguments)
        raise fatal

    monkeypatch.setattr(result_folder, step, fail)
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


def test_a_parent_that_is_removed_meanwhile_is_made_again(tmp_path, monkeypatch):
    real, calls = result_folder.Lock.take, []

    def take(path, *, of):
        if not calls:
            path.parent.rmdir()
        calls.append(path)
        return real(path, of=of)

    monkeypatch.setattr(result_folder.Lock, "take", take)
    with ResultFolder.take(tmp_path / "results" / "a"):
        assert len(calls) == 2
    assert everything(tmp_path) == []


def test_what_a_killed_run_made_is_removed_by_the_next(tmp_path):
    killed = ResultFolder.take(tmp_path / "x" / "out")
    write_result(tmp_path / "x" / ".out.qeframe-new", NEW)
    killed.lock.file.close()
    ResultFolder.take(tmp_path / "x" / "out").close()
    assert everything(tmp_path) == []


def test_an_old_result_that_stands_aside_is_brought_back(out):
    aside = out.with_name(".out.qeframe-old")
    os.rename(out, aside)
    ResultFolder.take(out).close()
    assert contents(out) == OLD
    os.rename(out, aside)
    out.mkdir()
    ResultFolder.take(out).close()
    assert contents(out) == OLD
    assert not aside.exists()


def test_an_old_result_beside_the_new_one_is_removed(out):
    shutil.copytree(out, out.with_name(".out.qeframe-old"))
    ResultFolder.take(out).close()
    assert everything(out.parent) == ["out", f"out/{MANIFEST}", "out/a", "out/figure"]


def test_an_old_result_beside_other_files_is_left_to_the_user(out):
    aside = out.with_name(".out.qeframe-old")
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


def test_leftovers_that_hold_other_files_are_named(out):
    fresh = out.with_name(".out.qeframe-new")
    fresh.mkdir()
    (fresh / "mine").write_text("1")
    with pytest.raises(DataError, match=r"cannot be written: it holds 'mine', which no run wrote .*qeframe-new"):
        ResultFolder.take(out)
    assert (fresh / "mine").exists()


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


@pytest.fixture
def paths(tmp_path):
    """Make a fresh and an old folder; return them with the name to stand aside under."""
    for name in ("new", "out"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "which").write_text(name)
    return tmp_path / "new", tmp_path / "out", tmp_path / "old"


@pytest.fixture
def stepwise(monkeypatch):
    """Take away the exchange in one step."""
    monkeypatch.setattr(result_folder, "exchange", lambda *_: False)


def test_an_exchange_is_told(paths):
    fresh, target, _ = paths
    expected = ["out", "new"] if exchange(fresh, target) else ["new", "out"]
    assert [(path / "which").read_text() for path in (fresh, target)] == expected


def test_what_is_not_there_cannot_be_exchanged(paths, tmp_path):
    if result_folder.sys.platform.startswith("linux"):
        with pytest.raises(FileNotFoundError):
            exchange(paths[0], tmp_path / "nowhere")


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_cannot(paths, monkeypatch, platform):
    monkeypatch.setattr(result_folder.sys, "platform", platform)
    assert not exchange(*paths[:2])


@pytest.mark.parametrize("code", [errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP])
def test_other_file_systems_cannot(paths, monkeypatch, code):
    class Library:
        def __init__(self, *_, **__):
            self.renameat2 = lambda *_: -1

    monkeypatch.setattr(result_folder.sys, "platform", "linux")
    monkeypatch.setattr(result_folder.ctypes, "CDLL", Library)
    monkeypatch.setattr(result_folder.ctypes, "get_errno", lambda: code)
    assert not exchange(*paths[:2])


def test_the_new_folder_gets_the_place_and_the_mode(paths):
    fresh, target, aside = paths
    target.chmod(0o750)
    put_in_place(fresh, target, aside)
    assert (target / "which").read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o750


def test_in_two_steps_the_old_one_stands_aside(paths, stepwise):
    fresh, target, aside = paths
    put_in_place(fresh, target, aside)
    assert [(path / "which").read_text() for path in (target, aside)] == ["new", "out"]
    assert not fresh.exists()


def test_a_second_step_that_fails_undoes_the_first(paths, stepwise, monkeypatch):
    fresh, target, aside = paths
    real = os.rename

    def rename(source, goal):
        if source == fresh:
            raise OSError(28, "No space left on device")
        real(source, goal)

    monkeypatch.setattr(os, "rename", rename)
    assert "No space" in failure(OSError, put_in_place, fresh, target, aside)
    assert (target / "which").read_text() == "out"
    assert not aside.exists()
