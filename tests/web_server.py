"""A web server on the loopback address that can fail in the ways in which servers fail."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from attrs import define, field


@define
class WebServer:
    """What the server has, how it behaves, and what it was asked."""

    address: str = ""
    files: dict[str, bytes] = field(factory=dict)
    stop_after: int | None = None
    """Close the connection after so many bytes of the content."""
    status: int = 0
    """Answer every request with this status."""
    length: bool = True
    before_answer: Callable[[], object] = lambda: None
    """Is called before each answer."""
    before_piece: Callable[[], object] = lambda: None
    """Is called before each piece of the content."""
    piece: int = 1 << 16
    asked: list[str] = field(factory=list)
    """The path of each request."""

    def url(self, name: str) -> str:
        return f"{self.address}/{name}"


@contextmanager
def web_server() -> Iterator[WebServer]:
    """Run a server until the block ends."""
    state = WebServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    server.daemon_threads = True
    state.address = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    state: WebServer

    def do_GET(self) -> None:
        state = self.state
        state.asked.append(self.path)
        state.before_answer()
        content = state.files.get(self.path.lstrip("/"))
        if 300 <= state.status < 400:
            self.send_response(state.status)
            self.send_header("Location", self.path)
            self.end_headers()
            return
        if state.status or content is None:
            self.send_error(state.status or 404)
            return
        self.send_response(200)
        if state.length:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        rest = content[: state.stop_after]
        with suppress(ConnectionError):  # the client has gone
            for start in range(0, len(rest), state.piece):
                state.before_piece()
                self.wfile.write(rest[start : start + state.piece])
        self.close_connection = True

    def log_message(self, *arguments: object) -> None:
        """Write nothing."""
