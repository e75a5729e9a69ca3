from __future__ import annotations

import logging
from pathlib import Path

import pytest

from voice.tts.derived import Parts, derived

PARTS = {"a": b"one" * 1000, "b": b""}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNDER800_CACHE", str(tmp_path))
    return tmp_path


def _never() -> Parts:
    raise AssertionError("made although it was kept")


def test_parts_are_made_once(cache: Path) -> None:
    assert derived("thing", lambda: PARTS) == PARTS
    assert derived("thing", _never) == PARTS
    assert [path.name for path in (cache / "derived").iterdir()] == ["thing.zip"]


@pytest.mark.parametrize("damage", ["flip", "truncate", "empty"])
def test_a_damaged_file_is_noticed_and_made_again(cache: Path, damage: str) -> None:
    derived("thing", lambda: PARTS)
    path = cache / "derived" / "thing.zip"
    content = bytearray(path.read_bytes())
    content[500] ^= 0xFF
    path.write_bytes({"flip": content, "truncate": content[:2000], "empty": b""}[damage])
    assert derived("thing", lambda: PARTS) == PARTS
    assert derived("thing", _never) == PARTS


def test_a_disk_that_cannot_be_written_costs_no_more_than_a_warning(
    cache: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (cache / "derived").write_text("a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        assert derived("thing", lambda: PARTS) == PARTS
    assert "cannot keep" in caplog.text


def test_nothing_half_written_stays_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("voice.tts.derived.os.fsync", full)
    assert derived("thing", lambda: PARTS) == PARTS
    assert list((cache / "derived").iterdir()) == []
