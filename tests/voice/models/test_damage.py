"""Models that have come to harm on this machine: noticed, reported, mended."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from budgets.errors import UserError
from tests.voice.models.stand_ins import MODEL, NAME, PART_1, PART_2, pull
from voice import models
from voice.commands.models import app
from voice.models import State
from voice.models.catalog import CATALOG, CatalogModel


def truncate(folder: Path) -> None:
    with (folder / "model.bin").open("r+b") as file:
        file.truncate(1000)


def alter(folder: Path) -> None:
    with (folder / "model.bin").open("r+b") as file:
        file.write(b"altered")


def alter_in_secret(folder: Path) -> None:
    before = (folder / "model.bin").stat()
    alter(folder)
    os.utime(folder / "model.bin", ns=(before.st_atime_ns, before.st_mtime_ns))


def lose_a_file(folder: Path) -> None:
    (folder / "config.json").unlink()


def lose_the_manifest(folder: Path) -> None:
    (folder / "under800.json").unlink()


def spoil_the_manifest(folder: Path) -> None:
    (folder / "under800.json").write_text('{"name": 3, "files": []}')


@pytest.mark.parametrize(
    ("harm", "seen_at_start"),
    [
        (truncate, True),
        (alter, True),
        (alter_in_secret, False),
        (lose_a_file, True),
        (lose_the_manifest, True),
        (spoil_the_manifest, True),
    ],
)
def test_damage_is_reported_and_mended(
    here: Path, harm: Callable[[Path], None], seen_at_start: bool
) -> None:
    harm(here)
    if seen_at_start:
        with pytest.raises(UserError, match=f"is damaged .*under800 models pull {NAME}"):
            models.model_path(NAME)
    verified = CliRunner().invoke(app, ["verify", NAME])
    assert verified.exit_code == 1
    assert f"{NAME} damaged: " in verified.stdout
    assert "is here now" in pull()
    assert models.check(NAME, full=True).state is State.HERE
    assert (models.model_path(NAME) / "model.bin").read_bytes() == PART_1 + PART_2
    assert CliRunner().invoke(app, ["verify", NAME]).exit_code == 0


def test_a_cache_restored_with_other_times_is_still_whole(here: Path) -> None:
    os.utime(here / "model.bin", ns=(1, 1))
    assert models.model_path(NAME) == here
    manifest = json.loads((here / "under800.json").read_text())
    assert manifest["files"]["model.bin"]["mtime_ns"] == 1


def test_another_version_of_the_package_pins_another_file(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_config = CatalogModel(NAME, "", "", MODEL.files[1:], main=None)
    monkeypatch.setitem(CATALOG, NAME, only_config)
    assert models.check(NAME).state is State.MISSING
    pull()
    assert models.check(NAME, full=True).state is State.HERE
    assert not (here / "model.bin").exists()
