"""One download: by pooch, which checks the digest, with a downloader that resumes what an interruption left."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import urlsplit

from qeframe.plugin import DataError
from qeframe.plugin.data import SourceFile, need_pooch

if TYPE_CHECKING:
    import requests

Watch = Callable[[str, int, int], None]
"""Is told the name of a file, the bytes that are there, and their total; 0: the server does not say."""

LARGEST = 4_000_000_000  # the most bytes of a file whose size is not declared, unless the caller names another bound
_CHUNK = 1 << 14
_CONNECT = 10.0  # seconds to wait for a connection
_WINDOW = 60.0  # seconds in which a server has to answer, and then to send `_LEAST` bytes again and again
_LEAST = 60_000
_PLAIN: Mapping[str, str] = {"Accept-Encoding": "identity"}
_AGAIN = "the same command continues where the server allows it"
_LATER = "try again later"


def download(file: SourceFile, target: Path, watch: Watch, *, largest: int = LARGEST) -> Path:
    """Download a file, or return it if it is there and has its digest; another file is replaced.

    An interrupted download leaves ``TARGET.part`` and what the server said of the file. The next call asks for the
    rest, provided that the file on the server is still the same; otherwise it begins anew. pooch itself does not
    resume. Every failure is a `DataError`, and then nothing is at `target`.
    """
    need_pooch()
    import pooch

    pooch.get_logger().setLevel("ERROR")
    known = f"sha256:{file.sha256}" if file.sha256 else None
    downloader = _Resuming(target.with_name(target.name + ".part"), file.size, largest, watch)
    try:
        pooch.retrieve(file.url, known_hash=known, fname=target.name, path=target.parent, downloader=downloader)
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        what = f"{file.url}: the SHA-256 of the downloaded file is not {file.sha256}"
        raise DataError(what, remedy="nothing was kept; the file has changed, or was damaged on the way") from error
    return target


class _Resuming:
    """A downloader for pooch that keeps what it has in a file of its own and asks for the rest."""

    def __init__(self, part: Path, size: int, largest: int, watch: Watch) -> None:
        self._part, self._size, self._most, self._watch = part, size, size or largest, watch
        self._said = part.with_name(part.name + ".json")
        self._received, self._answered, self._given_up = 0, False, False

    def __call__(self, url: str, output_file: str, pooch: Any, check_only: bool = False) -> None:
        """Download into `output_file`; the signature is that of pooch's downloaders."""
        failed: list[BaseException] = []

        def work() -> None:
            try:
                if not self._get(url, self._headers(url)):
                    self._forget()
                    self._get(url, _PLAIN)
            except BaseException as error:
                failed.append(error)

        # A thread of its own: no limit on a single step bounds a server that sends a byte now and then.
        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            self._wait(thread, url)
        finally:
            self._given_up = True
        if failed:
            self._raise(failed[0], url)
        os.replace(self._part, output_file)
        self._forget()

    def _wait(self, thread: Thread, url: str) -> None:
        """Wait for the end of the download; raise an error if the server sends next to nothing."""
        begun, answered, before = time.monotonic(), False, 0
        while thread.is_alive():
            thread.join(0.05)
            if self._answered != answered or self._received - before >= _LEAST:
                begun, answered, before = time.monotonic(), self._answered, self._received
            elif time.monotonic() - begun > _WINDOW and thread.is_alive():
                raise self._too_slow(url, self._received - before)

    def _too_slow(self, url: str, received: int = 0) -> DataError:
        host = urlsplit(url).netloc
        if not self._answered:
            return DataError(f"{url}: {host} does not answer", remedy=_LATER)
        sent = f"sent {received:,} bytes" if received else "sent nothing"
        return DataError(f"{url}: the download has stalled: {host} {sent} in {_WINDOW:.0f} s", remedy=_AGAIN)

    def _get(self, url: str, headers: Mapping[str, str]) -> bool:
        """Download what the headers ask for; return False if the server does not have the rest of this file."""
        import requests

        with requests.get(url, headers=headers, stream=True, timeout=(_CONNECT, 2 * _WINDOW)) as response:
            self._answered = True
            if response.status_code == requests.codes.requested_range_not_satisfiable and "Range" in headers:
                return False
            if response.status_code != 200 and not (response.status_code == 206 and "Range" in headers):
                raise _refusal(response, url)
            self._receive(response, url)
        return True

    def _headers(self, url: str) -> Mapping[str, str]:
        """Return the headers that ask for the rest of the same file, or for all of it."""
        try:
            said = json.loads(self._said.read_text(encoding="utf-8"))
            length = self._part.stat().st_size
        except (OSError, ValueError):
            return _PLAIN
        if said.get("url") != url or not length:
            return _PLAIN
        return {**_PLAIN, "Range": f"bytes={length}-", "If-Range": said["validator"]}

    def _receive(self, response: requests.Response, url: str) -> None:
        begin, total = _range(response)
        if response.status_code == 206 and begin != self._part.stat().st_size:
            self._forget()
            raise DataError(f"{url}: the server sent another part than was asked for", remedy="try again")
        if not begin:
            self._remember(response, url)
        length = begin
        self._check_size(max(length, total), url)
        with self._part.open("ab" if begin else "wb") as stream:
            for chunk in response.iter_content(_CHUNK):
                if self._given_up:
                    return
                stream.write(chunk)
                length += len(chunk)
                self._received += len(chunk)
                self._check_size(length, url)
                self._watch(urlsplit(url).path.rpartition("/")[2], length, total)
        if total and length < total:
            what = f"the download stopped after {length:,} of {total:,} bytes"
            raise DataError(f"{url}: {what}", remedy=_AGAIN)

    def _check_size(self, length: int, url: str) -> None:
        if length <= self._most:
            return
        self._forget()
        if self._size:
            raise DataError(f"{url}: has more than {self._size} bytes", remedy="nothing was kept")
        what = f"has more than {self._most:,} bytes, and its size is not declared"
        raise DataError(f"{url}: {what}", remedy="if the file is what you want, allow more by --limit MEGABYTES")

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

    def _raise(self, error: BaseException, url: str) -> NoReturn:
        """Raise the one line for an error of the connection, and any other error as it is."""
        from requests import exceptions

        host = urlsplit(url).netloc
        if not isinstance(error, exceptions.RequestException):
            raise error
        if isinstance(error, exceptions.Timeout):
            raise self._too_slow(url) from error
        if self._answered:
            raise DataError(f"{url}: the download was interrupted", remedy=_AGAIN) from error
        if isinstance(error, exceptions.TooManyRedirects):
            raise DataError(f"{url}: one address leads to the next, without end", remedy=_LATER) from error
        if isinstance(error, exceptions.SSLError):
            raise DataError(f"{url}: the certificate of {host} is not valid here: {error}", remedy=_LATER) from error
        if isinstance(error, exceptions.ConnectionError):
            what = f"{url}: cannot connect to {host}"
            remedy = "check the connection; data that you have already are read by 'qeframe run' and 'reproduce --data'"
            raise DataError(what, remedy=remedy) from error
        raise DataError(f"{url}: cannot be downloaded: {error}") from error


def _range(response: requests.Response) -> tuple[int, int]:
    """Return the first byte of a response and the size of the whole file; 0 where the server does not say."""
    if response.status_code == 206:
        spans, _, whole = response.headers.get("Content-Range", "").removeprefix("bytes ").partition("/")
        begin = spans.partition("-")[0]
        return int(begin) if begin.isdigit() else 0, int(whole) if whole.isdigit() else 0
    length = response.headers.get("Content-Length", "")
    return 0, int(length) if length.isdigit() else 0


def _refusal(response: requests.Response, url: str) -> DataError:
    """Return the error of an answer that is not the file."""
    status = response.status_code
    if status == 206:
        what, remedy = "a part of the file, where all of it was asked for", "get it by another program, or " + _LATER
    elif status < 400:
        what, remedy = "and no file", _LATER
    elif status in (401, 403):
        what, remedy = "", "the publisher does not give it to everybody: see where the data are published"
    elif status in (404, 410):
        what, remedy = "", "the file was moved or removed"
    elif status in (408, 429) or status >= 500:
        what, remedy = "", _LATER
    else:
        what, remedy = "", "the address is not right for this server: see where the data are published"
    said = f"{status} {response.reason or ''}".strip()
    return DataError(f"{url}: the server answers {said}{what and ', '}{what}", remedy=remedy)
