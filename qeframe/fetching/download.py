"""One download: by pooch, which checks the digest, with a downloader that resumes what an interruption left."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from qeframe.components.published.data_source import SourceFile
from qeframe.errors import DataError
from qeframe.fetching.places import need_pooch

if TYPE_CHECKING:
    import requests

__all__ = ["Watch", "download"]

Watch = Callable[[str, int, int], None]
"""Is told the name of a file, the bytes that are there, and their total; 0: the server does not say."""

_CHUNK = 1 << 16
_TIMEOUT = (10, 60)
"""Seconds to wait for a connection, and for the next bytes."""
_PLAIN: Mapping[str, str] = {"Accept-Encoding": "identity"}


def download(file: SourceFile, target: Path, watch: Watch) -> Path:
    """Download a file, or return it if it is there and has its digest.

    An interrupted download leaves ``TARGET.part`` and what the server said of the file. The next call asks for the
    rest, provided that the file on the server is still the same; otherwise it begins anew. pooch itself does not
    resume.

    Parameters
    ----------
    file : SourceFile
    target : Path
        A file that does not have its digest is replaced.
    watch : callable

    Raises
    ------
    DataError
        In one line: offline, refused by the server, interrupted, or another digest. Nothing is at `target` then.
    """
    need_pooch()
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")
    known = f"sha256:{file.sha256}" if file.sha256 else None
    try:
        pooch.retrieve(
            file.url,
            known_hash=known,
            fname=target.name,
            path=target.parent,
            downloader=_Resuming(target.with_name(target.name + ".part"), file.size, watch),
        )
    except requests.exceptions.RequestException as error:
        _refuse(error, file.url)
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        what = f"{file.url}: the SHA-256 of the downloaded file is not {file.sha256}"
        raise DataError(what, remedy="nothing was kept; the file has changed, or was damaged on the way") from error
    return target


class _Resuming:
    """A downloader for pooch that keeps what it has in a file of its own and asks for the rest."""

    def __init__(self, part: Path, size: int, watch: Watch) -> None:
        self._part, self._size, self._watch = part, size, watch
        self._said = part.with_name(part.name + ".json")

    def __call__(self, url: str, output_file: str, pooch: Any, check_only: bool = False) -> None:
        """Download into `output_file`; the signature is that of pooch's downloaders."""
        if not self._get(url, self._headers(url)):
            self._forget()
            self._get(url, _PLAIN)
        os.replace(self._part, output_file)
        self._forget()

    def _get(self, url: str, headers: Mapping[str, str]) -> bool:
        """Download what the headers ask for; return False if the server does not have the rest of this file."""
        import requests

        with requests.get(url, headers=headers, stream=True, timeout=_TIMEOUT) as response:
            if response.status_code == requests.codes.requested_range_not_satisfiable and "Range" in headers:
                return False
            response.raise_for_status()
            self._receive(response, url)
        return True

    def _headers(self, url: str) -> Mapping[str, str]:
        """Return the headers that ask for the rest of the same file, or for all of it."""
        try:
            said = json.loads(self._said.read_text(encoding="utf-8"))
            there = self._part.stat().st_size
        except (OSError, ValueError):
            return _PLAIN
        if said.get("url") != url or not there:
            return _PLAIN
        return {**_PLAIN, "Range": f"bytes={there}-", "If-Range": said["validator"]}

    def _receive(self, response: requests.Response, url: str) -> None:
        begin, total = _range(response)
        if begin and begin != self._part.stat().st_size:
            self._forget()
            raise DataError(f"{url}: the server sent another part than was asked for", remedy="try again")
        if not begin:
            self._remember(response, url)
        there = begin
        with self._part.open("ab" if begin else "wb") as stream:
            for chunk in response.iter_content(_CHUNK):
                stream.write(chunk)
                there += len(chunk)
                self._watch(urlsplit(url).path.rpartition("/")[2], there, total)
                if self._size and there > self._size:
                    break
        if self._size and there > self._size:
            self._forget()
            raise DataError(f"{url}: has more than {self._size} bytes", remedy="nothing was kept")
        if total and there < total:
            raise DataError(f"{url}: {_stopped(there, total)}", remedy=_AGAIN)

    def _remember(self, response: requests.Response, url: str) -> None:
        """Note what identifies the file on the server; without it the download cannot be resumed."""
        tag = response.headers.get("ETag", "")
        validator = tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")
        self._said.unlink(missing_ok=True)
        if validator and response.headers.get("Accept-Ranges", "").strip() == "bytes":
            self._said.write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")

    def _forget(self) -> None:
        self._part.unlink(missing_ok=True)
        self._said.unlink(missing_ok=True)


_AGAIN = "the same command continues where the server allows it"


def _stopped(there: int, total: int) -> str:
    return f"the download stopped after {there:,} of {total:,} bytes"


def _range(response: requests.Response) -> tuple[int, int]:
    """Return the first byte of a response and the size of the whole file; 0 where the server does not say."""
    if response.status_code == 206:
        spans, _, whole = response.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
        begin = spans.partition("-")[0]
        return int(begin) if begin.isdigit() else 0, int(whole) if whole.isdigit() else 0
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdigit() else 0


def _refuse(error: requests.exceptions.RequestException, url: str) -> NoReturn:
    """Raise the one line for an error of the connection."""
    from requests import exceptions

    host = urlsplit(url).netloc
    if isinstance(error, exceptions.HTTPError) and error.response is not None:
        what = f"the server answers {error.response.status_code} {error.response.reason or ''}".rstrip()
        moved = "the file was moved or removed" if error.response.status_code in (404, 410) else "try again later"
        raise DataError(f"{url}: {what}", remedy=moved) from error
    if isinstance(error, (exceptions.ChunkedEncodingError, exceptions.ContentDecodingError)):
        raise DataError(f"{url}: the download was interrupted", remedy=_AGAIN) from error
    if isinstance(error, exceptions.Timeout):
        raise DataError(f"{url}: {host} does not answer", remedy="try again later") from error
    if isinstance(error, exceptions.ConnectionError):
        what = f"{url}: cannot connect to {host}"
        remedy = "check the connection; data that you have already are read by 'qeframe run' and 'reproduce --data'"
        raise DataError(what, remedy=remedy) from error
    raise DataError(f"{url}: cannot be downloaded: {error}") from error
