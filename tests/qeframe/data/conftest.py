"""A server, and archives."""

import io
import tarfile

import pytest

from tests.web_server import web_server


@pytest.fixture
def server():
    with web_server() as running:
        yield running


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Keep the tests away from the cache of the user, and from a proxy."""
    monkeypatch.setenv("QEFRAME_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def tar_of():
    """Make a compressed tar archive of members: a name with content, or a `TarInfo`."""

    def made(*members, mode="w:gz"):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode=mode) as tar:
            for member in members:
                if isinstance(member, tarfile.TarInfo):
                    tar.addfile(member)
                    continue
                name, content = member
                info = tarfile.TarInfo(name)
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
        return out.getvalue()

    return made
