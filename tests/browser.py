"""Debian's chromium without a window, for tests of pages: a page is opened, looked at, and worked with as a user does.

The browser is spoken to by its DevTools protocol over one socket. Every request and every message of the console is
kept, so that a test can say that there was none.
"""

import base64
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import websocket

PROGRAM = "chromium"
_PATIENCE = 30.0
_COMPLAINTS = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Page.javascriptDialogOpening")


class Page:
    """One open page."""

    def __init__(self, socket: websocket.WebSocket) -> None:
        self._socket, self._number = socket, 0
        self.events: list[dict[str, Any]] = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and return its result; events that arrive meanwhile are kept."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._number:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def open(self, path: Path, *, width: int = 1440, height: int = 1000, script: bool = True) -> float:
        """Open a file, and return the seconds until it is loaded and painted."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.events.clear()
        begun = time.perf_counter()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.events.append(json.loads(self._socket.recv()))
        if script:
            self.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
        return time.perf_counter() - begun

    def run(self, expression: str) -> Any:
        """Return the value of a JavaScript expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that match."""
        found = json.dumps(selector)
        return self.run(f"Array.from(document.querySelectorAll({found}), e => e.textContent.trim())")

    def shown(self, selector: str) -> list[bool]:
        """Return for all elements that match whether they are laid out."""
        return self.run(f"Array.from(document.querySelectorAll({json.dumps(selector)}), e => e.checkVisibility())")

    def focus(self, selector: str) -> None:
        """Move the focus to the first element that matches, as the keyboard does."""
        self.run(f"document.querySelector({json.dumps(selector)}).focus({{focusVisible: true}})")

    def press(self, *keys: str) -> None:
        """Press keys one after the other: "Enter", "ArrowRight", or a character."""
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            code = {"Enter": 13}.get(key, 0)
            typed = {"text": text} if text else {}
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **typed)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def point(self, x: float, y: float) -> None:
        """Move the pointer."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def requests(self) -> list[str]:
        """Return the addresses that were asked for, beside the page's own file and what is inside the page."""
        sent = [e["params"]["request"]["url"] for e in self.events if e["method"] == "Network.requestWillBeSent"]
        return [url for url in sent[1:] if not url.startswith("data:")]

    def complaints(self) -> list[str]:
        """Return the errors and warnings of the console, and dialogs that a script opened."""
        kinds = (
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Log.entryAdded",
            "Page.javascriptDialogOpening",
        )
        return [json.dumps(event) for event in self.events if event["method"] in kinds]

    def violations(self) -> list[str]:
        """Return what the checker axe-core finds against accessibility (WCAG 2.1 A and AA, and best practices)."""
        import axe_core_python

        self.run((Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8") + "; null")
        found = self.run("axe.run(document, {resultTypes: ['violations']})")
        return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}" for one in found["violations"]]

    def screenshot(self, path: Path) -> None:
        """Write a picture of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12_000), "scale": 1}
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(answer["data"]))

    def pdf(self, path: Path) -> None:
        """Write what a printer would print, on A4."""
        answer = self.call(
            "Page.printToPDF", printBackground=False, paperWidth=8.27, paperHeight=11.69, preferCSSPageSize=True
        )
        path.write_bytes(base64.b64decode(answer["data"]))


@contextmanager
def browser() -> Iterator[Page]:
    """Yield an empty page of a new browser; the browser ends with the context."""
    program = shutil.which(PROGRAM)
    assert program is not None
    with TemporaryDirectory(prefix="qeframe-browser-", ignore_cleanup_errors=True) as profile:
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
        options += ["--remote-debugging-port=0", "--remote-allow-origins=*", f"--user-data-dir={profile}"]
        quiet = subprocess.DEVNULL
        process = subprocess.Popen([program, *options, "about:blank"], stdout=quiet, stderr=quiet)
        try:
            socket = websocket.create_connection(_address(Path(profile), process), timeout=_PATIENCE)
            try:
                yield Page(socket)
            finally:
                socket.close()
        finally:
            process.terminate()
            process.wait(timeout=_PATIENCE)


def _address(profile: Path, process: subprocess.Popen[bytes]) -> str:
    """Return the address of the first page, once the browser has written its port."""
    file, end = profile / "DevToolsActivePort", time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if file.exists() and file.read_text().count("\n"):
            port = file.read_text().split("\n")[0]
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
                pages = [one for one in json.load(answer) if one["type"] == "page"]
            if pages:
                return str(pages[0]["webSocketDebuggerUrl"])
        time.sleep(0.05)
    raise AssertionError("the browser did not start")
