"""One download: by pooch, which checks the digest, with a bound on its size and one line for every failure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from qeframe.core.errors import DataError
from qeframe.data.places import need_pooch
from qeframe.data.published.data_source import SourceFile

if TYPE_CHECKING:
    import requests

Watch = Callable[[str, int, int], None]
"""Is told the name of a file, the bytes that are there, and their total; 0: the server does not say."""

LARGEST = 4_000_000_000  # the most bytes of a file whose size is not declared, unless the caller names another bound
_CHUNK = 1 << 14
_SECONDS = 60.0  # in which a server has to answer, and then to send something again and again
_LATER = "try again later"
_SEE = "see where the data are published"
_GONE, _CLOSED = "the file was moved or removed", f"the publisher does not give it to everybody: {_SEE}"
_REMEDIES = {401: _CLOSED, 403: _CLOSED, 404: _GONE, 408: _LATER, 410: _GONE, 429: _LATER}
"""By the status of an answer that is not the file; other statuses of 400 to 499 say that the address is not right."""


def download(file: SourceFile, target: Path, watch: Watch, *, largest: int = LARGEST) -> Path:
    """Download a file, or return it if it is there and has its digest; another file is replaced.

    Every failure is a `DataError`, and then `target` is as it was.
    """
    need_pooch()
    import pooch
    import requests

    pooch.get_logger().setLevel("ERROR")
    asked: dict[str, Any] = {"headers": {"Accept-Encoding": "identity"}, "timeout": _SECONDS, "stream": True}

    def answer(url: str) -> requests.Response:
        try:
            return requests.get(url, **asked)
        except ValueError as error:  # of a name that no server can have
            raise requests.exceptions.InvalidURL(str(error)) from error

    def get(url: str, output_file: str, _pooch: Any) -> None:
        with answer(url) as response, open(output_file, "wb") as stream:
            if response.status_code != requests.codes.ok:  # others of 200 to 299 have no content, or a part of it
                raise requests.HTTPError(response=response)
            announced, length = response.headers.get("Content-Length", ""), 0
            total = int(announced) if announced.isdecimal() else 0
            _check_size(file, total, largest)
            for chunk in response.iter_content(_CHUNK):
                length += stream.write(chunk)
                _check_size(file, length, largest)
                watch(urlsplit(url).path.rpartition("/")[2], length, total)
        if length < total:
            raise _error(file, f"the server sent less than the file has: {length:,} of {total:,} bytes", _LATER)

    known = f"sha256:{file.sha256}" if file.sha256 else None
    try:
        pooch.retrieve(file.url, known_hash=known, fname=target.name, path=target.parent, downloader=get)
    except requests.RequestException as error:
        raise _in_words(file, error) from error
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        what = f"{file.url}: the SHA-256 of the downloaded file is not {file.sha256}"
        raise DataError(what, remedy="nothing was kept; the file has changed, or was damaged on the way") from error
    return target


def _check_size(file: SourceFile, length: int, largest: int) -> None:
    """Raise an error for more bytes than are allowed."""
    most = file.size or largest
    if length <= most:
        return
    if file.size:
        raise _error(file, f"has more than {most} bytes", "nothing was kept")
    what = f"has more than {most:,} bytes, and its size is not declared"
    raise _error(file, what, "if the file is what you want, allow more by --limit MEGABYTES")


def _error(file: SourceFile, what: str, remedy: str) -> DataError:
    """Return an error that begins with the address."""
    return DataError(f"{file.url}: {what}", remedy=remedy)


def _in_words(file: SourceFile, error: requests.RequestException) -> DataError:
    """Return the one line for an error of the connection, and for an answer that is not the file."""
    from requests import exceptions

    host = file.url.partition("://")[2].partition("/")[0]
    if isinstance(error, exceptions.HTTPError) and error.response is not None:
        status = error.response.status_code
        other = f"the address is not right for this server: {_SEE}" if status < 500 else _LATER
        what = f"the server answers {status} {error.response.reason or ''}".rstrip()
        return _error(file, what, _REMEDIES.get(status, other))
    remedy = "check the connection; data that you have already are read by 'qeframe run' and 'reproduce --data'"
    kinds: list[tuple[type[Exception], str, str]] = [
        (exceptions.TooManyRedirects, "too many redirects", _LATER),
        (exceptions.SSLError, f"the certificate of {host} is not valid here: {error}", _LATER),
        (exceptions.ReadTimeout, f"{host} sent nothing for {_SECONDS:.0f} s", _LATER),
        (exceptions.ChunkedEncodingError, "the server sent less than the file has", _LATER),
        (exceptions.ConnectionError, f"cannot connect to {host}, or lost it", remedy),
        (exceptions.RequestException, f"cannot be downloaded: {error}", _SEE),
    ]
    return next(_error(file, what, remedy) for kind, what, remedy in kinds if isinstance(error, kind))
