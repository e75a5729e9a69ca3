"""The scenario library is whole: every file reads, every recording is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from budgets.errors import UserError
from budgets.probe.prepare import prepare
from budgets.probe.scenario_file import load_scenario
from voice.config import Config
from voice.scenarios import open_scenario, packaged_scenarios, read_clip, scenario_path

LIBRARY = [
    "backchannel",
    "barge-in",
    "long-call",
    "noise",
    "numbers",
    "phone-line",
    "silence",
    "smoke",
]


def test_the_library_is_what_it_says() -> None:
    assert [path.stem for path in packaged_scenarios()] == LIBRARY


@pytest.mark.parametrize("name", LIBRARY)
def test_every_scenario_can_be_spoken_without_a_voice(name: str) -> None:
    prepared = open_scenario(name, Config())
    assert prepared.scenario.description
    for move in prepared.moves:
        if move.clip is not None:
            assert 0 <= move.clip.speech_start < move.clip.speech_end <= len(move.clip.samples)
            assert not move.name.endswith((".wav", ".flac"))


def test_numbers_are_read_with_pauses() -> None:
    first = open_scenario("numbers", Config()).moves[0]
    assert first.clip is not None
    assert first.clip.speech_end / 16000 > 4


def test_a_name_that_is_none_is_answered_with_those_that_are() -> None:
    with pytest.raises(UserError, match="barge-in, long-call"):
        scenario_path("smoky")


def test_a_recording_that_is_no_audio_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_text("not audio")
    (tmp_path / "mine.yaml").write_text("turns:\n  - wav: a.wav\n")
    scenario = load_scenario(tmp_path / "mine.yaml")
    with pytest.raises(UserError, match=r"a\.wav"):
        prepare(scenario, read_clip=read_clip)
