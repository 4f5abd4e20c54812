"""Wheels of what is installed."""

import base64
import hashlib
import io
import re
import sys
import time
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe_competitions import wheels
from qeframe_competitions.wheels import dependencies_of, given_wheels, installed_wheel, own_distributions, zip_bytes


def opened(content):
    return zipfile.ZipFile(io.BytesIO(content))


def test_own_and_needed(registry):
    assert "qeframe" in own_distributions(registry)
    needed = dependencies_of(["qeframe"])
    assert {"numpy", "scipy", "attrs", "cattrs", "click", "jinja2", "markupsafe", "pluggy", "rich"} <= set(needed)
    assert not {"qeframe", "pytest", "matplotlib"} & set(needed)
    assert needed == sorted(needed)


@pytest.fixture(scope="module")
def own():
    return installed_wheel("qeframe")


def test_the_wheel_of_the_project(own):
    name, content = own
    version = distribution("qeframe").version
    assert name == f"qeframe-{version}-py3-none-any.whl"
    with opened(content) as wheel:
        names = wheel.namelist()
        assert f"qeframe-{version}.dist-info/METADATA" in names
        assert "qeframe_wmt" in wheel.read(f"qeframe-{version}.dist-info/entry_points.txt").decode()
        source = Path(qeframe.__file__).parent
        expected = {f"qeframe/{p.relative_to(source).as_posix()}" for p in source.rglob("*")
                    if p.is_file() and "__pycache__" not in p.parts}  # fmt: skip
        assert expected <= set(names)
        assert "qeframe_wmt/profiles/qe/wmt22_qe_word.toml" in names
        assert "qeframe_competitions/scoring_program.py" in names  # a command alone
        assert not [n for n in names if "__pycache__" in n or n.endswith((".pyc", ".pth", "direct_url.json"))]


def test_the_record_has_every_file(own):
    with opened(own[1]) as wheel:
        record = wheel.read(next(n for n in wheel.namelist() if n.endswith("/RECORD"))).decode().splitlines()
        listed = dict(line.split(",", 1) for line in record)
        assert set(listed) == set(wheel.namelist())
        for name, rest in listed.items():
            if rest != ",":
                digest = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
                assert rest == f"sha256={digest},{len(wheel.read(name))}"


def test_the_same_bytes_again(own):
    assert installed_wheel("qeframe") == own


@pytest.mark.parametrize("name", ["click", "markupsafe", "pluggy"])
def test_wheels_of_dependencies_can_be_imported_from(name, tmp_path):
    file, content = installed_wheel(name)
    assert re.fullmatch(r"[a-z0-9_]+-[^-]+-[^-]+-[^-]+-[^-]+\.whl", file)
    with opened(content) as wheel:
        wheel.extractall(tmp_path)
    assert list(tmp_path.glob(f"{name}*"))
    (found,) = Distribution.discover(name=name, path=[str(tmp_path)])
    assert found.version == distribution(name).version


class Installed:
    """A distribution that is not there."""

    def __init__(self, monkeypatch, folder, *, tag="py3-none-any", direct="", wheel=True, requires=()):
        self.name, self.version, self.requires = "strange", "1", list(requires)
        info = folder / "strange-1.dist-info"
        info.mkdir()
        texts = {"METADATA": "Name: strange\n"}
        if wheel:
            texts["WHEEL"] = f"Tag: {tag}\n"
        if direct:
            texts["direct_url.json"] = direct
        for name, text in texts.items():
            (info / name).write_text(text)
        self.folder, self.texts = folder, texts
        monkeypatch.setattr(wheels, "distribution", lambda name: self if name == "strange" else distribution(name))

    @property
    def files(self):
        from importlib.metadata import PackagePath

        paths = [PackagePath(f"strange-1.dist-info/{name}") for name in self.texts]
        for path in paths:
            path.dist = self
        return paths

    def locate_file(self, path):
        return self.folder / path

    def read_text(self, name):
        return self.texts.get(name)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tag": "cp311-cp311-macosx_11_0_arm64"}, "the installed 'strange' is for macosx_11_0_arm64, and a platform"),
        ({"tag": "cp311-cp311-manylinux2014_aarch64"}, "the installed 'strange' is for manylinux2014_aarch64"),
        ({"tag": "cp311-cp311-win_amd64"}, "is for win_amd64, and a platform runs Linux on x86-64; 'pip download"),
        ({"wheel": False}, "the files of the installed 'strange' are not known: it was not installed from a wheel"),
        (
            {"direct": '{"dir_info": {"editable": true}}'},
            "'strange' is installed in editable mode, and it is not known",
        ),
    ],
)
def test_what_cannot_be_made_into_a_wheel(monkeypatch, tmp_path, given, message):
    Installed(monkeypatch, tmp_path, **given)
    with pytest.raises(DataError, match=message):
        installed_wheel("strange")


def test_requirements(monkeypatch, tmp_path):
    requires = [
        "markupsafe>=1 ; python_version > '3'",
        "absent-one; sys_platform == 'win32'",
        "pytest; extra == 'test'",
    ]
    Installed(monkeypatch, tmp_path, requires=requires)
    assert dependencies_of(["strange"]) == ["markupsafe"]


def test_a_requirement_that_is_not_installed(monkeypatch, tmp_path):
    Installed(monkeypatch, tmp_path, requires=["absent-one>=2"])
    with pytest.raises(
        DataError, match="'absent-one', which 'strange' needs, is not installed; pip install absent-one"
    ):
        dependencies_of(["strange"])


def test_given_wheels(tmp_path):
    (tmp_path / "num_py-1-py3-none-any.whl").write_bytes(b"1")
    (tmp_path / "notes.txt").write_bytes(b"1")
    assert given_wheels(tmp_path, own=["qeframe"], needed=["num-py"]) == {"num_py-1-py3-none-any.whl": b"1"}
    with pytest.raises(DataError, match=r"no wheel of scipy is here; 'pip download .* scipy'"):
        given_wheels(tmp_path, own=[], needed=["num-py", "scipy"])
    with pytest.raises(DataError, match="the wheel of num-py is made from what is installed"):
        given_wheels(tmp_path, own=["Num.Py"], needed=[])
    with pytest.raises(DataError, match="there is no such folder"):
        given_wheels(tmp_path / "none", own=[], needed=[])


def test_the_version_of_python_is_not_part_of_the_own_wheel(own):
    assert f"cp3{sys.version_info[1]}" not in own[0]


NAMES = st.from_regex("[a-z]{1,5}(/[a-z]{1,5}){0,2}[.](txt|whl)", fullmatch=True)


@settings(max_examples=10)
@given(st.dictionaries(NAMES, st.binary(max_size=50), min_size=1, max_size=6))
def test_every_file_comes_out_and_the_order_does_not_matter(files):
    content = zip_bytes(files)
    assert zip_bytes(dict(reversed(files.items()))) == content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
        assert archive.namelist() == sorted(files)
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_bytes_do_not_depend_on_the_time(monkeypatch):
    before = zip_bytes({"a.txt": b"1"})
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000.0)
    assert zip_bytes({"a.txt": b"1"}) == before


def test_wheels_are_not_compressed_again():
    with zipfile.ZipFile(io.BytesIO(zip_bytes({"a.whl": b"0" * 99, "b.txt": b"0" * 99}))) as archive:
        kinds = {entry.filename: entry.compress_type for entry in archive.infolist()}
    assert kinds == {"a.whl": zipfile.ZIP_STORED, "b.txt": zipfile.ZIP_DEFLATED}
