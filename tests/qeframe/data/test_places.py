"""Where fetched data are kept."""

import attrs

from qeframe.data.places import RECORD, data_folder, description, fetched_folder, is_fetched, need_pooch
from qeframe.extensions.published.data_source import DataSource, SourceFile

SOURCE = DataSource(name="made", summary="", files=[SourceFile(url="https://example.org/a", path="a")])


def test_the_cache_can_be_named_or_is_the_user_s(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path))
    assert data_folder(SOURCE) == tmp_path / "made"
    assert data_folder(attrs.evolve(SOURCE, revision="wmt22/x")) == tmp_path / "made-wmt22_x"
    monkeypatch.delenv("QEFRAME_CACHE")
    need_pooch()
    assert data_folder(SOURCE).name == "made"


def test_data_are_fetched_if_the_record_is_of_the_source_as_it_is_today(tmp_path, monkeypatch):
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path))
    assert fetched_folder(SOURCE) is None
    folder = data_folder(SOURCE)
    folder.mkdir()
    (folder / RECORD).write_text(description(SOURCE))
    assert fetched_folder(SOURCE) == folder
    other = attrs.evolve(SOURCE, files=[SourceFile(url="https://example.org/b", path="a")])
    assert not is_fetched(other, folder)
