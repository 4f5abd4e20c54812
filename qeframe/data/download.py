"""One download: by pooch, which checks the digest, with a downloader that resumes what an interruption left."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from attrs import define

from qeframe.core.errors import DataError
from qeframe.data.places import need_pooch
from qeframe.data.published.data_source import SourceFile

if TYPE_CHECKING:
    import requests

Watch = Callable[[str, int, int], None]
"""Is told the name of a file, the bytes that are there, and their total; 0: the server does not say."""

LARGEST = 4_000_000_000  # the most bytes of a file whose size is not declared, unless the caller names another bound
_CHUNK = 1 << 14
_WINDOW = 60.0  # seconds in which a server has to answer, and then to send `_LEAST` bytes again and again
_LEAST = 60_000
_AGAIN = "the same command continues where the server allows it"
_LATER = "try again later"
_SEE = "see where the data are published"
_GONE, _CLOSED = "the file was moved or removed", f"the publisher does not give it to everybody: {_SEE}"
_REMEDIES = {401: _CLOSED, 403: _CLOSED, 404: _GONE, 408: _LATER, 410: _GONE, 429: _LATER}
"""By the status of an answer that is not the file; other statuses of 400 to 499 say that the address is not right."""


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
    transfer = _Transfer(file, target.with_name(target.name + ".part"), watch, file.size or largest)
    try:
        pooch.retrieve(file.url, known_hash=known, fname=target.name, path=target.parent, downloader=transfer.run)
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        what = f"{file.url}: the SHA-256 of the downloaded file is not {file.sha256}"
        raise DataError(what, remedy="nothing was kept; the file has changed, or was damaged on the way") from error
    return target


@define
class _Transfer:
    """A download into a file of its own, `part`, of `most` bytes at most.

    `sent`: how many bytes the server has sent; None: it has not answered. `given_up`: no one waits for it any more.
    """

    file: SourceFile
    part: Path
    watch: Watch
    most: int
    sent: int | None = None
    given_up: bool = False

    def run(self, _url: str, output_file: str, _pooch: Any) -> None:
        """Download what is not there yet, and move the whole to where pooch asks for it."""
        failed: list[Exception] = []

        def work() -> None:
            try:
                self.get()
            except Exception as error:
                failed.append(self.in_words(error))

        # A thread of its own: no limit on a single step bounds a server that sends a byte now and then.
        thread = Thread(target=work, daemon=True)
        thread.start()
        try:
            self.wait(thread)
        finally:
            self.given_up = True
        if failed:
            raise failed[0]
        os.replace(self.part, output_file)
        self.forget()

    def wait(self, thread: Thread) -> None:
        """Wait for the end of the download; raise an error if the server sends next to nothing in a window."""
        host = urlsplit(self.file.url).netloc
        while True:
            before = self.sent
            thread.join(_WINDOW)
            if not thread.is_alive():
                return
            if self.sent is None:
                raise self.error(f"{host} does not answer", _LATER)
            if before is not None and self.sent - before < _LEAST:
                sent = f"{self.sent - before:,} bytes" if self.sent > before else "nothing"
                raise self.error(f"the download has stalled: {host} sent {sent} in {_WINDOW:.0f} s", _AGAIN)

    def get(self) -> None:
        """Download the rest of the file, or all of it if the server does not have the rest."""
        import requests

        begin, rest = 0, {}
        with suppress(OSError, ValueError):
            tag, begin = self.tag.read_text(encoding="utf-8"), self.part.stat().st_size
            rest = {"Range": f"bytes={begin}-", "If-Range": tag} if begin else {}
        with requests.get(self.file.url, headers={"Accept-Encoding": "identity", **rest}, stream=True) as response:
            self.sent = 0
            if response.status_code == 416 and begin:  # the file has no more bytes than are there
                self.forget()
                self.get()
            elif response.status_code == 206 and begin:
                if not response.headers.get("Content-Range", "").startswith(f"bytes {begin}-"):
                    self.forget()
                    raise self.error("the server sent another part than was asked for", "try again")
                self.receive(response, begin)
            elif response.status_code == 200:
                self.remember(response)
                self.receive(response, 0)
            else:
                raise self.refusal(response.status_code, response.reason or "")

    def receive(self, response: requests.Response, begin: int) -> None:
        """Write what the server sends; raise an error if it is more than is allowed, or less than the file has."""
        from requests.exceptions import RequestException

        announced, ended = response.headers.get("Content-Length", ""), False
        length, total = begin, begin + int(announced) if announced.isdecimal() else 0
        self.check_size(total)
        with self.part.open("ab" if begin else "wb") as stream, suppress(RequestException):
            for chunk in response.iter_content(_CHUNK):
                if self.given_up:
                    return
                stream.write(chunk)
                length += len(chunk)
                self.sent = length - begin
                self.check_size(length)
                self.watch(urlsplit(self.file.url).path.rpartition("/")[2], length, total)
            ended = True
        if not ended or length < total:
            of = f"{total:,}" if total else "an unknown number of"
            raise self.error(f"the server sent less than the file has: {length:,} of {of} bytes", _AGAIN)

    def check_size(self, length: int) -> None:
        """Raise an error for more bytes than are allowed, and keep none."""
        if length <= self.most:
            return
        self.forget()
        if self.file.size:
            raise self.error(f"has more than {self.most} bytes", "nothing was kept")
        what = f"has more than {self.most:,} bytes, and its size is not declared"
        raise self.error(what, "if the file is what you want, allow more by --limit MEGABYTES")

    @property
    def tag(self) -> Path:
        """The file with what identifies the file on the server; without it the download cannot be resumed."""
        return self.part.with_name(self.part.name + ".tag")

    def remember(self, response: requests.Response) -> None:
        """Begin anew, and note what identifies the file."""
        self.forget()
        tag = response.headers.get("ETag", "W/")
        tag = response.headers.get("Last-Modified", "") if tag.startswith("W/") else tag  # W/: of similar files
        if tag and response.headers.get("Accept-Ranges", "").strip() == "bytes":
            self.tag.write_text(tag, encoding="utf-8")

    def forget(self) -> None:
        """Remove what is there."""
        self.part.unlink(missing_ok=True)
        self.tag.unlink(missing_ok=True)

    def error(self, what: str, remedy: str) -> DataError:
        """Return an error that begins with the address."""
        return DataError(f"{self.file.url}: {what}", remedy=remedy)

    def in_words(self, error: Exception) -> Exception:
        """Return the one line for an error of the connection, and any other error as it is."""
        from requests import exceptions

        if isinstance(error, DataError):
            return error
        host = urlsplit(self.file.url).netloc
        remedy = "check the connection; data that you have already are read by 'qeframe run' and 'reproduce --data'"
        kinds: list[tuple[type[Exception], str, str]] = [
            (exceptions.TooManyRedirects, "too many redirects", _LATER),
            (exceptions.SSLError, f"the certificate of {host} is not valid here: {error}", _LATER),
            (exceptions.ConnectionError, f"cannot connect to {host}", remedy),
            (exceptions.RequestException, f"cannot be downloaded: {error}", _SEE),
            (ValueError, f"cannot be downloaded: {error}", _SEE),
        ]
        return next((self.error(what, remedy) for kind, what, remedy in kinds if isinstance(error, kind)), error)

    def refusal(self, status: int, reason: str) -> DataError:
        """Return the error of an answer that is not the file."""
        what = ", and not the whole file" if status < 400 else ""
        other = f"the address is not right for this server: {_SEE}" if 400 <= status < 500 else _LATER
        return self.error(f"the server answers {status} {reason}".rstrip() + what, _REMEDIES.get(status, other))
