"""A headless Chromium, driven over its DevTools protocol: what a page asks for and complains of."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_PATIENCE_S = 60.0


def find_chromium() -> str | None:
    """The browser's path; None where there is none."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@dataclass
class Page:
    """One tab."""

    socket: ClientConnection
    requests: list[str] = field(default_factory=list)
    """Addresses that were asked for, the page itself and what lies inside it left out."""
    complaints: list[str] = field(default_factory=list)
    """What the console said: errors, warnings, exceptions and broken policies."""
    _count: int = 0
    _loaded: bool = False

    def open(self, path: Path, *, width: int, height: int = 900, dark: bool = False) -> None:
        """Show a file in a window of that size, and wait until it is loaded."""
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self._loaded = False
        self.call("Page.navigate", url=path.resolve().as_uri())
        until = time.monotonic() + _PATIENCE_S
        while not self._loaded and time.monotonic() < until:
            self._hear(json.loads(self.socket.recv(timeout=_PATIENCE_S)))
        assert self._loaded, "the page did not load"

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for, an exception raised."""
        answer = self.call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, code: str, number: int, text: str = "") -> None:
        """A key, as a person presses it."""
        facts = {"key": key, "code": code, "windowsVirtualKeyCode": number}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **facts)
        self.call("Input.dispatchKeyEvent", type="keyUp", **facts)

    def picture(self, path: Path) -> None:
        """The whole page as a PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        shot = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def call(self, method: str, **params: Any) -> Any:
        self._count += 1
        self.socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=_PATIENCE_S))
            if message.get("id") == self._count:
                assert "error" not in message, (method, message["error"])
                return message["result"]
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        what, params = message.get("method"), message.get("params", {})
        if what == "Page.loadEventFired":
            self._loaded = True
        elif what == "Network.requestWillBeSent":
            if params["type"] != "Document" and not params["request"]["url"].startswith("data:"):
                self.requests.append(params["request"]["url"])
        elif what == "Runtime.exceptionThrown":
            self.complaints.append(params["exceptionDetails"]["text"])
        elif what == "Runtime.consoleAPICalled":
            self.complaints.append(str(params["args"]))
        elif what == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])


@contextlib.contextmanager
def browser(program: str, profile: Path) -> Iterator[Page]:
    """Start the browser with an empty profile, give its first tab, and end it."""
    process = subprocess.Popen(
        [
            program,
            "--headless=new",
            "--no-sandbox",  # containers run as root
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--mute-audio",
            "--autoplay-policy=no-user-gesture-required",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-background-networking",
            "--remote-debugging-port=0",
            f"--user-data-dir={profile}",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with connect(_tab(process, profile), max_size=None) as socket:
            yield Page(socket)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _tab(process: subprocess.Popen[bytes], profile: Path) -> str:
    """The socket of the first tab: the browser writes its port into its profile."""
    note = profile / "DevToolsActivePort"
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        assert process.poll() is None, f"the browser ended with {process.returncode}"
        with contextlib.suppress(OSError, ValueError, IndexError):
            port = int(note.read_text().splitlines()[0])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=5) as answer:
                tabs = json.load(answer)
            found = [tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page"]
            if found:
                return str(found[0])
        time.sleep(0.05)
    raise AssertionError("the browser did not come up")
