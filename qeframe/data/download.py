"""One download: by pooch, which checks the digest, with a downloader that resumes what an interruption left."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from qeframe.core.errors import DataError
from qeframe.data.places import need_pooch
from qeframe.extensions.published.data_source import SourceFile

if TYPE_CHECKING:
    import requests

Watch = Callable[[str, int, int], None]
"""Is told the name of a file, the bytes that are there, and their total; 0: the server does not say."""

LARGEST = 4_000_000_000  # the most bytes of a file whose size is not declared, unless the caller names another bound
_CHUNK = 1 << 14
_CONNECT = 10.0  # seconds to wait for a connection
_WINDOW = 60.0  # seconds in which a server has to answer, and then to send `_LEAST` bytes again and again
_LEAST = 60_000
_AGAIN = "the same command continues where the server allows it"
_LATER = "try again later"
_SEE = "see where the data are published"
_REFUSALS = {
    206: (", a part of the file, where all of it was asked for", f"get it by another program, or {_LATER}"),
    401: ("", f"the publisher does not give it to everybody: {_SEE}"),
    403: ("", f"the publisher does not give it to everybody: {_SEE}"),
    404: ("", "the file was moved or removed"),
    408: ("", _LATER),
    410: ("", "the file was moved or removed"),
    429: ("", _LATER),
}
"""What an answer means that is not the file, with the remedy."""


def download(file: SourceFile, target: Path, watch: Watch, *, largest: int = LARGEST) -> Path:
    """Download a file, or return it if it is there and has its digest; another file is replaced.

    An interrupted download leaves ``TARGET.part``, and in ``TARGET.part.tag`` what identifies the file on the server.
    The next call asks for the rest, provided that the file there is still the same; otherwise it begins anew. pooch
    itself does not resume. Every failure is a `DataError`, and then nothing is at `target`.
    """
    need_pooch()
    import pooch

    pooch.get_logger().setLevel("ERROR")
    known = f"sha256:{file.sha256}" if file.sha256 else None
    downloader = _Resuming(file, target.with_name(target.name + ".part"), largest, watch)
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

    def __init__(self, file: SourceFile, part: Path, largest: int, watch: Watch) -> None:
        self._url, self._part, self._tag = file.url, part, part.with_name(part.name + ".tag")
        self._size, self._most, self._watch = file.size, file.size or largest, watch
        self._host, self._name = urlsplit(file.url).netloc, urlsplit(file.url).path.rpartition("/")[2]
        self._sent: int | None = None  # the bytes that the server sent; None: it has not answered
        self._given_up = False

    def __call__(self, _url: str, output_file: str, _pooch: Any) -> None:
        """Download into `output_file`, as pooch asks for it."""
        failed: list[Exception] = []

        def work() -> None:
            try:
                self._get()
            except Exception as error:
                failed.append(self._in_words(error))

        # A thread of its own: no limit on a single step bounds a server that sends a byte now and then.
        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            self._wait(thread)
        finally:
            self._given_up = True
        if failed:
            raise failed[0]
        os.replace(self._part, output_file)
        self._forget()

    def _wait(self, thread: Thread) -> None:
        """Wait for the end of the download; raise an error if the server sends next to nothing in a window."""
        while True:
            before = self._sent
            thread.join(_WINDOW)
            if not thread.is_alive():
                return
            if self._sent is None:
                raise self._error(f"{self._host} does not answer", _LATER)
            if before is not None and self._sent - before < _LEAST:
                sent = f"{self._sent - before:,} bytes" if self._sent > before else "nothing"
                raise self._error(f"the download has stalled: {self._host} sent {sent} in {_WINDOW:.0f} s", _AGAIN)

    def _get(self) -> None:
        """Download the rest of the file, or all of it if the server does not have the rest."""
        import requests

        begin, headers = self._rest()
        with requests.get(self._url, headers=headers, stream=True, timeout=(_CONNECT, 2 * _WINDOW)) as response:
            self._sent = 0
            if response.status_code == 416 and begin:  # the file has no more bytes than are there
                self._forget()
                self._get()
            elif response.status_code == 206 and begin:
                if not response.headers.get("Content-Range", "").startswith(f"bytes {begin}-"):
                    self._forget()
                    raise self._error("the server sent another part than was asked for", "try again")
                self._receive(response, begin)
            elif response.status_code == 200:
                self._remember(response)
                self._receive(response, 0)
            else:
                raise self._refusal(response.status_code, response.reason or "")

    def _rest(self) -> tuple[int, dict[str, str]]:
        """Return how many bytes are there, and the headers that ask for the others of the same file."""
        try:
            begin, tag = self._part.stat().st_size, self._tag.read_text(encoding="utf-8")
        except (OSError, ValueError):
            begin, tag = 0, ""
        rest = {"Range": f"bytes={begin}-", "If-Range": tag} if begin else {}
        return begin, {"Accept-Encoding": "identity", **rest}

    def _receive(self, response: requests.Response, begin: int) -> None:
        from requests.exceptions import RequestException

        announced, ended = response.headers.get("Content-Length", ""), False
        length, total = begin, begin + int(announced) if announced.isdecimal() else 0
        self._check_size(total)
        with self._part.open("ab" if begin else "wb") as stream, suppress(RequestException):
            for chunk in response.iter_content(_CHUNK):
                if self._given_up:
                    return
                stream.write(chunk)
                length += len(chunk)
                self._sent = length - begin
                self._check_size(length)
                self._watch(self._name, length, total)
            ended = True
        if not ended or length < total:
            of = f"{total:,}" if total else "an unknown number of"
            raise self._error(f"the server sent less than the file has: {length:,} of {of} bytes", _AGAIN)

    def _check_size(self, length: int) -> None:
        if length <= self._most:
            return
        self._forget()
        if self._size:
            raise self._error(f"has more than {self._size} bytes", "nothing was kept")
        what = f"has more than {self._most:,} bytes, and its size is not declared"
        raise self._error(what, "if the file is what you want, allow more by --limit MEGABYTES")

    def _remember(self, response: requests.Response) -> None:
        """Note what identifies the file on the server; without it the download cannot be resumed."""
        tag = response.headers.get("ETag", "")
        validator = tag if tag and not tag.startswith("W/") else response.headers.get("Last-Modified", "")
        self._forget()
        if validator and response.headers.get("Accept-Ranges", "").strip() == "bytes":
            self._tag.write_text(validator, encoding="utf-8")

    def _forget(self) -> None:
        self._part.unlink(missing_ok=True)
        self._tag.unlink(missing_ok=True)

    def _error(self, what: str, remedy: str) -> DataError:
        return DataError(f"{self._url}: {what}", remedy=remedy)

    def _in_words(self, error: Exception) -> Exception:
        """Return the one line for an error of the connection, and any other error as it is."""
        from requests import exceptions

        if isinstance(error, DataError) or not isinstance(error, (exceptions.RequestException, ValueError)):
            return error
        if isinstance(error, exceptions.Timeout):
            return self._error(f"{self._host} does not answer", _LATER)
        if isinstance(error, exceptions.TooManyRedirects):
            return self._error("one address leads to the next, without end", _LATER)
        if isinstance(error, exceptions.SSLError):
            return self._error(f"the certificate of {self._host} is not valid here: {error}", _LATER)
        if isinstance(error, exceptions.ConnectionError):
            remedy = "check the connection; data that you have already are read by 'qeframe run' and 'reproduce --data'"
            return self._error(f"cannot connect to {self._host}", remedy)
        return self._error(f"cannot be downloaded: {error}", _SEE)

    def _refusal(self, status: int, reason: str) -> DataError:
        """Return the error of an answer that is not the file."""
        what, remedy = "", f"the address is not right for this server: {_SEE}"
        if status < 400:
            what, remedy = ", and no file", _LATER
        elif status >= 500:
            remedy = _LATER
        what, remedy = _REFUSALS.get(status, (what, remedy))
        return self._error(f"the server answers {f'{status} {reason}'.strip()}{what}", remedy)
